// Whether the API answers: every call says so, and what shows it asks again until it does.
import { create } from 'zustand';

/** `isLost`: the last call got no answer, or this computer says that it is offline. `isSure`: asking once more changed nothing. */
export const useReach = create<{ readonly isLost: boolean; readonly isSure: boolean }>()(() => ({
  isLost: false,
  isSure: false,
}));

/** Takes down whether a call was answered, whatever the answer was. */
export function noteReach(isReached: boolean): void {
  if (useReach.getState().isLost === isReached) useReach.setState({ isLost: !isReached, isSure: false });
}

const returns = new Set<() => void>();

/** Calls `listener` when the console answers again after people were told that it does not. */
export function onReturn(listener: () => void): void {
  returns.add(listener);
}

/** What was asked for meanwhile failed, and what is on the screen may be old. */
export function tellReturn(): void {
  for (const listener of returns) listener();
}
