// When the first screen stands. What no screen shows at once comes after it: on a slow line it would share the line with what is looked at.
import { create } from 'zustand';
import { nextTask } from './next-task.ts';

/** Whether the first screen has been drawn with its data. Stays true. */
export const useFirstScreen = create<{ readonly stands: boolean }>()(() => ({ stands: false }));

/** Notes that the first screen has its data: it stands once the browser has drawn it. */
export function noteFirstScreen(): void {
  const note = (): void => useFirstScreen.setState({ stands: true });
  if ('requestIdleCallback' in globalThis) requestIdleCallback(note, { timeout: 1000 });
  else void nextTask().then(note);
}
