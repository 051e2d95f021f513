// When the first screen stands. What no screen shows at once comes after it: on a slow line it would share the line with what is looked at.
import { create } from 'zustand';
import { useReach } from '../api/reach.ts';
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
