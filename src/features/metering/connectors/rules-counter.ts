// How much a counter rose in a window, exactly, from its samples: over resets, and so that windows side by side add up to the whole.
import { decimal, decimalText, zero, type Decimal } from '#kernel/decimal.ts';
import { decimalOf, type Window } from './rules.ts';

/** A sample: when, in milliseconds since 1970, and the counter's value as the source wrote it. */
export type Sample = readonly [timeMs: number, value: string];

/**
 * The rise within a window. Each rise belongs to the window that its later sample lies in. A counter that fell was reset and has risen from
 * zero since. The first sample of all counts nothing: nobody knows what the counter had been before. Samples are in the order of time and
 * begin before the window, as far back as the source was asked.
 * @returns undefined when no sample lies in the window
 */
export function riseOf(samples: readonly Sample[], { start, end }: Window): string | undefined {
  let rise = zero;
  let before: Decimal | undefined;
  let hasSample = false;
  for (const [timeMs, text] of samples) {
    if (timeMs >= end.getTime()) break;
    const value = decimalOf(text);
    // NaN marks a series that went stale; infinities are no readings.
    if (!value) continue;
    if (timeMs >= start.getTime()) {
      hasSample = true;
      if (before) rise = rise.plus(value.lt(before) ? value : value.minus(before));
    }
    before = value;
  }
  return hasSample ? decimalText(rise) : undefined;
}

/** Value-seconds, highest and last value of a gauge that was looked at every `stepSeconds` seconds; each look stands for the step that follows. */
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
