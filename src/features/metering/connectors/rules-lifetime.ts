// How long something was there within a window, from when it began and ended: exact to the millisecond, so that windows side by side add up
// to its whole life, and a window that is read twice comes to the same.
import { decimal, decimalText, divide } from '#kernel/decimal.ts';
import type { Window } from './rules.ts';

const secondMs = decimal('1000');

/**
 * Seconds that a life and a window have in common, as a decimal text; undefined when they have none. `end` is null for what is still there:
 * it counts to the end of the window, since windows are read after their end, however the clock of the source goes.
 */
export function lifetimeIn(
  { start, end }: Window,
  from: Date | null,
  until: Date | null,
): string | undefined {
  if (from === null) return undefined;
  const first = Math.max(start.getTime(), from.getTime());
  const last = Math.min(end.getTime(), until?.getTime() ?? end.getTime());
  return last > first ? secondsText(last - first) : undefined;
}

/** Milliseconds as seconds. */
export const secondsText = (ms: number): string =>
  decimalText(divide(decimal(BigInt(Math.round(ms))), secondMs, 3));

/** A moment of an API that leaves out the time zone and means UTC; null when there is none or it is unreadable. */
export function utcMoment(text: unknown): Date | null {
  if (typeof text !== 'string' || text === '') return null;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const at = new Date(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
