// Whether the API is reachable: every call reports it, and the offline notice polls until it is.
import { create } from 'zustand';
import type { Reach } from './transport.ts';

/**
 * `isLost`: the last call got no response, or the computer is offline. `isRecovering`: the console reported
 * that it will be back in seconds. `isSure`: a second attempt failed too.
 */
export const useReach = create<{
  readonly isLost: boolean;
  readonly isRecovering: boolean;
  readonly isSure: boolean;
}>()(() => ({ isLost: false, isRecovering: false, isSure: false }));

/** Records whether a call got a response, with any status. */
export function recordReachability(reach: Reach): void {
  const isLost = reach !== 'reached';
  const isRecovering = reach === 'recovering';
  const before = useReach.getState();
  if (before.isLost !== isLost || before.isRecovering !== isRecovering)
    useReach.setState({ isLost, isRecovering, isSure: before.isSure && isLost });
}

const returns = new Set<() => void>();

/** Registers `listener` for when the API is reachable again after the user was told that it is not. */
export function onReturn(listener: () => void): void {
  returns.add(listener);
}

/** Calls the listeners: calls during the outage failed, and the screen may show old data. */
export function notifyReturn(): void {
  for (const listener of returns) listener();
}
