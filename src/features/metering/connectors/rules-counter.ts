// Computes exactly how much a counter rose in a window, from its samples: across resets, and so that adjacent
// windows add up to the whole.
import { decimal, decimalText, zero, type Decimal } from '#kernel/decimal.ts';
import { decimalOf, type Window } from './rules.ts';

/** A sample: the time in milliseconds since 1970, and the counter's value as the source wrote it. */
export type Sample = readonly [timeMs: number, value: string];

/**
 * Returns the rise within a window. Each rise belongs to the window that contains its later sample. A counter
 * that fell was reset and has risen from zero since. The very first sample counts nothing, because the
 * previous value is unknown. Samples are in order of time and start before the window, as far back as the
 * source was queried.
 * @returns undefined if no sample lies in the window
 */
export function riseOf(samples: readonly Sample[], { start, end }: Window): string | undefined {
  let rise = zero;
  let before: Decimal | undefined;
  let hasSample = false;
  for (const [timeMs, text] of samples) {
    if (timeMs >= end.getTime()) break;
    const value = decimalOf(text);
    // NaN marks a series that went stale; infinities are not readings.
    if (!value) continue;
    if (timeMs >= start.getTime()) {
      hasSample = true;
      if (before) rise = rise.plus(value.lt(before) ? value : value.minus(before));
    }
    before = value;
  }
  return hasSample ? decimalText(rise) : undefined;
}

/**
 * The value-seconds, highest and last value of a gauge sampled every `stepSeconds` seconds; each sample
 * stands for the step that follows it.
 */
export function heldOf(
  samples: readonly Sample[],
  { start, end }: Window,
  stepSeconds: number,
): { readonly valueSeconds: string; readonly max: string; readonly last: string } | undefined {
  let total = zero;
  let [max, last]: (Decimal | undefined)[] = [];
  for (const [timeMs, text] of samples) {
    const value = timeMs >= start.getTime() && timeMs < end.getTime() ? decimalOf(text) : undefined;
    if (!value) continue;
    total = total.plus(value.times(decimal(String(stepSeconds))));
    max = max && max.gte(value) ? max : value;
    last = value;
  }
  return max && last
    ? { valueSeconds: decimalText(total), max: decimalText(max), last: decimalText(last) }
    : undefined;
}
