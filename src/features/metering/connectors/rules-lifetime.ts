// Computes how long something existed within a window from its start and end: exact to the millisecond, so
// that adjacent windows add up to its whole lifetime and reading a window twice gives the same result.
import { decimal, decimalText, divide } from '#kernel/decimal.ts';
import type { Window } from './rules.ts';

const secondMs = decimal('1000');

/**
 * Returns the overlap of a lifetime and a window in seconds, as decimal text; undefined if there is none.
 * `until` is null for something that still exists: it counts to the end of the window, since windows are read
 * after their end, whatever the source's clock shows.
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

/** Converts milliseconds to seconds. */
export const secondsText = (ms: number): string =>
  decimalText(divide(decimal(BigInt(Math.round(ms))), secondMs, 3));

/**
 * Parses a time from an API that leaves out the time zone and means UTC; null if it is missing or invalid.
 */
export function utcMoment(text: unknown): Date | null {
  if (typeof text !== 'string' || text === '') return null;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const at = new Date(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
