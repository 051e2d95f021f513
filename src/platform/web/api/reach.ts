// Whether the API can be reached: every call reports it, and the offline notice asks again until it can.
import { create } from 'zustand';
import type { Reach } from './transport.ts';

/**
 * `isLost`: the last call got no answer, or the computer reports that it is offline. `isRecovering`: the console said that it will be
 * back in seconds. `isSure`: a second attempt failed too.
 */
export const useReach = create<{
  readonly isLost: boolean;
  readonly isRecovering: boolean;
  readonly isSure: boolean;
}>()(() => ({ isLost: false, isRecovering: false, isSure: false }));

/** Records whether a call was answered, with whatever status. */
export function recordReachability(reach: Reach): void {
  const isLost = reach !== 'reached';
  const isRecovering = reach === 'recovering';
  const before = useReach.getState();
  if (before.isLost !== isLost || before.isRecovering !== isRecovering)
    useReach.setState({ isLost, isRecovering, isSure: before.isSure && isLost });
}

const returns = new Set<() => void>();

/**
 * Registers `listener` for the moment when the API answers again after the user was told that it does not.
 */
export function onReturn(listener: () => void): void {
  returns.add(listener);
}

/** Calls the listeners: calls made during the outage failed, and the screen may show old data. */
export function notifyReturn(): void {
  for (const listener of returns) listener();
}
