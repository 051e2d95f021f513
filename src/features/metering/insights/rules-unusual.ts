// Finds unusual days: days far from the median of the same weekday in earlier weeks, measured in median
// absolute deviations.
import { decimal, divide, isZero, zero, type Decimal } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';

/** How far back a day is compared, and the minimum number of values. */
export const baselineWeeks = 8;
const minValues = 4;
/**
 * The modified z-score beyond which a value is an outlier, and the factor that makes the median absolute
 * deviation comparable with a standard deviation: B. Iglewicz, D. Hoaglin, "How to Detect and Handle
 * Outliers" (ASQC 1993), who recommend 3.5.
 */
const threshold = decimal('3.5');
const deviationFactor = decimal('1.4826');
/**
 * Without any spread, the slightest change would be unusual, so the spread counts as at least a twentieth of
 * the usual day.
 */
const floorShare = decimal('0.05');

/** The median; the mean of the two middle values for an even count. Undefined without values. */
export function median(values: readonly Decimal[]): Decimal | undefined {
  const sorted = values.toSorted((a, b) => a.cmp(b));
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper && lower && divide(upper.plus(lower), decimal('2'), 24);
}

/** The usual value of a day and its range; a value outside is unusual. */
export type UsualRange = { readonly expected: Decimal; readonly low: Decimal; readonly high: Decimal };

/**
 * Returns the usual value by the same weekday of earlier weeks; undefined if there are too few values or all
 * are zero. `typical` is the value of an ordinary day of any weekday: for a weekday that is normally idle, it
 * determines how much usage deserves a notice.
 */
export function usualOf(sameWeekday: readonly Decimal[], typical: Decimal): UsualRange | undefined {
  if (sameWeekday.length < minValues) return undefined;
  const middle = median(sameWeekday) ?? zero;
  const deviation = median(sameWeekday.map((value) => value.minus(middle).abs())) ?? zero;
  const spread = [
    deviation.times(deviationFactor),
    middle.abs().times(floorShare),
    typical.abs().times(floorShare),
  ].reduce((most, each) => (each.gt(most) ? each : most));
  if (isZero(spread)) return undefined;
  const reach = spread.times(threshold);
  const low = middle.minus(reach);
  // The low end is at least zero, unless corrections make negative days usual.
  return { expected: middle, low: low.lt(zero) && middle.gte(zero) ? zero : low, high: middle.plus(reach) };
}

export type Day = { readonly day: LocalDay; readonly quantity: Decimal };
export type UnusualDay = Day & UsualRange;

/**
 * Returns the unusual days of a series, oldest first. `days` are consecutive and start with the first day
 * available for comparison; only days from `from` on are judged. `leftOut` are days that a user marked as
 * unexpected: later days are not compared with them. Today is incomplete, so it is judged for too much usage
 * only.
 */
export function unusualDays(
  days: readonly Day[],
  from: LocalDay,
  today: LocalDay,
  leftOut: ReadonlySet<string>,
): UnusualDay[] {
  const found: UnusualDay[] = [];
  const isIncluded = days.map((each) => !leftOut.has(each.day));
  for (const [index, one] of days.entries()) {
    if (one.day < from || one.day > today) continue;
    const first = Math.max(0, index - baselineWeeks * 7);
    // Days are consecutive, so the same weekday is every seventh day before.
    const sameWeekday = days
      .slice(first, index)
      .flatMap((each, place) =>
        isIncluded[first + place] && (index - first - place) % 7 === 0 ? [each.quantity] : [],
      );
    const isOutside = (usual: UsualRange): boolean =>
      (one.day !== today && one.quantity.lt(usual.low)) || one.quantity.gt(usual.high);
    // The typical day can only widen the range. Most days lie within it anyway, which avoids sorting many
    // values.
    const narrow = usualOf(sameWeekday, zero);
    if (narrow ? !isOutside(narrow) : one.quantity.eq(median(sameWeekday) ?? zero)) continue;
    const usual = usualOf(
      sameWeekday,
      median(
        days.slice(first, index).flatMap((each, place) => (isIncluded[first + place] ? [each.quantity] : [])),
      ) ?? zero,
    );
    if (usual && isOutside(usual)) found.push({ ...one, ...usual });
  }
  return found;
}
