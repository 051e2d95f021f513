// When the first screen stands. What no screen shows at once comes after it: on a slow line it would share the line with what is looked at.
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { useReach } from '../api/reach.ts';
import type { LazyComponent } from './lazy-component.ts';
import { nextTask } from './next-task.ts';

/** Whether the first screen has been drawn with its data. Stays true. */
export const useFirstScreen = create<{ readonly stands: boolean }>()(() => ({ stands: false }));

/** Notes that the first screen has its data: it stands once the browser has drawn it. */
export function noteFirstScreen(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(noteWhenReached, { timeout: 1000 });
  else void nextTask().then(noteWhenReached);
}

/** Code that is asked for without a network does not come, and a browser remembers that: what waits for this waits for the network, too. */
function noteWhenReached(): void {
  const listening = new AbortController();
  const note = (): void => {
    if (!navigator.onLine || useReach.getState().isLost) return;
    listening.abort();
    stop();
    useFirstScreen.setState({ stands: true });
  };
  const stop = useReach.subscribe(note);
  addEventListener('online', note, { signal: listening.signal });
  note();
}

/**
 * Loads the code of a part when the first screen stands, and says when it has come. A part of the frame whose code does not come is left
 * out: rendered, it would take the screen with it.
 */
export function useAfterFirstScreen(
  { preload }: Pick<LazyComponent<object>, 'preload'>,
  isDue = true,
): boolean {
  const stands = useFirstScreen((screen) => screen.stands) && isDue;
  const [hasCome, setCome] = useState(false);
  useEffect(() => {
    if (!stands) return;
    preload().then(
      () => setCome(true),
      () => {
        // A new version is loaded by itself; without a network the notice says what is missing.
      },
    );
  }, [stands, preload]);
  return hasCome;
}
