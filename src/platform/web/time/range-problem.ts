// The date rules of a range that somebody types.
import { isDay } from '#kernel/shape.ts';
import { monthsAfter } from '#kernel/time.ts';

/**
 * R-USE-05: start not after end, end not before start, at most three months. `changed` is the end of the
 * range that the user changed last, which the message names. Undefined when the range is valid or incomplete.
 */
export function rangeProblem(
  from: string,
  to: string,
  changed: 'from' | 'to',
): 'range.start_after_end' | 'range.end_before_start' | 'range.too_long' | undefined {
  if (!isDay(from) || !isDay(to)) return undefined;
  if (from > to) return changed === 'from' ? 'range.start_after_end' : 'range.end_before_start';
  return to > monthsAfter(from, 3) ? 'range.too_long' : undefined;
}
