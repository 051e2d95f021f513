// Totals of values that a source keeps as averages over equal steps, as Proxmox does in its RRDs and Gnocchi
// in its measures. A step that overlaps two windows counts in each by its overlap, so that adjacent windows
// add up.
import { decimal, decimalText, divide, zero, type Decimal } from '#kernel/decimal.ts';
import { decimalOf, type Window } from './rules.ts';
import { secondsText } from './rules-lifetime.ts';

/**
 * An average: its start in milliseconds since 1970, its length in seconds, and the value as the source wrote
 * it.
 */
export type Average = { readonly atMs: number; readonly seconds: number; readonly value: unknown };
export type Totals = {
  /** The value times the seconds it was held. */
  readonly valueSeconds: string;
  /** The number of seconds of the window that have a value. */
  readonly seconds: string;
  /**
   * The sum of the values, each weighted by its overlap with the window: for averages that are amounts, such
   * as `rate:mean` of a counter.
   */
  readonly sum: string;
  readonly max: string;
  readonly last: string;
};

/** Totals the averages of a window; undefined if none with a value lies in it. */
export function totalsOf(averages: readonly Average[], { start, end }: Window): Totals | undefined {
  let [valueSeconds, sum] = [zero, zero];
  let ms = 0;
  let [max, last]: (Decimal | undefined)[] = [];
  for (const { atMs, seconds, value } of averages) {
    const part = Math.min(atMs + seconds * 1000, end.getTime()) - Math.max(atMs, start.getTime());
    const read = part > 0 ? decimalOf(value) : undefined;
    if (!read) continue;
    const length = decimal(secondsText(part));
    valueSeconds = valueSeconds.plus(read.times(length));
    sum = sum.plus(
      part === seconds * 1000 ? read : divide(read.times(length), decimal(secondsText(seconds * 1000)), 24),
    );
    ms += part;
    max = max && max.gte(read) ? max : read;
    last = read;
  }
  return max && last
    ? {
        valueSeconds: decimalText(valueSeconds),
        seconds: secondsText(ms),
        sum: decimalText(sum),
        max: decimalText(max),
        last: decimalText(last),
      }
    : undefined;
}
