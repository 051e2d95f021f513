// When the first screen is complete. Everything that is not visible at once loads after it: on a slow
// connection, it would compete with the visible content.
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { useReach } from '../api/reach.ts';
import type { LazyComponent } from './lazy-component.ts';
import { nextTask } from './next-task.ts';

/** Whether the first screen has been drawn with its data. Stays true. */
export const useFirstScreen = create<{ readonly stands: boolean }>()(() => ({ stands: false }));

/** Records that the first screen has its data: it is complete once the browser has drawn it. */
export function noteFirstScreen(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(noteWhenReached, { timeout: 1000 });
  else void nextTask().then(noteWhenReached);
}

/**
 * Code that is requested while offline fails to load, and browsers remember the failure; so this also waits
 * for the network.
 */
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
 * Loads the code of a part when the first screen is complete, and returns whether it is loaded. A part of the
 * frame whose code fails to load is omitted: rendering it would crash the screen.
 */
export function useAfterFirstScreen(
  { preload }: Pick<LazyComponent<object>, 'preload'>,
  isDue = true,
): boolean {
  const isComplete = useFirstScreen((screen) => screen.stands) && isDue;
  const [hasCome, setCome] = useState(false);
  useEffect(() => {
    if (!isComplete) return;
    preload().then(
      () => setCome(true),
      () => {
        // A new version reloads the page by itself; while offline, a notice says what is missing.
      },
    );
  }, [isComplete, preload]);
  return hasCome;
}
