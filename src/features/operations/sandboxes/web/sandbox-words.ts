// A sandbox's state, the progress of its clock, and a working command.
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Sandbox } from '../contract.ts';

export type ShownState = 'making' | 'ready' | 'moving' | 'deleting';
export const stateTones: Readonly<Record<ShownState, BadgeTone>> = {
  making: 'info',
  ready: 'success',
  moving: 'info',
  deleting: 'neutral',
};

export const isMoving = ({ move }: Sandbox): boolean => move?.state === 'running';

/** The most important state for an Admin. */
export const shownState = (sandbox: Sandbox): ShownState =>
  sandbox.state === 'ready' && isMoving(sandbox) ? 'moving' : sandbox.state;

/** The progress of a move, from 0 to 1. */
export function progressOf({ clockAt, move }: Sandbox): number {
  if (!move) return 0;
  const whole = move.to.getTime() - move.from.getTime();
  return whole === 0 ? 1 : (clockAt.getTime() - move.from.getTime()) / whole;
}

/** A first call with the key of a sandbox. */
export const curlOf = (address: string, key: string): string =>
  `curl -fsS "${address}/api/admin/organizations" -H "Authorization: Bearer ${key}"`;
