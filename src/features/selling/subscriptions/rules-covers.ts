// The months that a fee covers: amounts billed in advance are earned month by month.
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, dayOf, daysBetween, monthOf, monthPeriod, type Period } from '#kernel/time.ts';

/**
 * A month, how many of its days (or seconds) a fee covers, and how many it has: both positive, `units` at
 * most `whole`.
 */
export type CoveredMonth = {
  readonly month: BillingMonth;
  readonly units: number;
  readonly whole: number;
};

/**
 * Returns the months that some spans of a period overlap, in a time zone, each with the covered length.
 * `units` counts the period's days or seconds up to a given time; times outside the period are clamped to its
 * ends.
 */
export function coveredMonths(
  period: Period,
  units: { readonly unit: 'day' | 'second'; readonly at: (moment: Date) => number },
  spans: readonly (readonly [from: number, to: number])[],
  zone: string,
): CoveredMonth[] {
  // Midnight on the first belongs to the previous month.
  const last = monthOf(new Date(period.end.getTime() - 1), zone);
  const covered: CoveredMonth[] = [];
  for (let month = monthOf(period.start, zone); month <= last; month = addMonths(month, 1)) {
    const { start, end } = monthPeriod(month, zone);
    const [from, to] = [units.at(start), units.at(end)];
    const own = spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0);
    const whole =
      units.unit === 'day'
        ? daysBetween(dayOf(start, zone), dayOf(end, zone))
        : (end.getTime() - start.getTime()) / 1000;
    if (own > 0) covered.push({ month, units: own, whole });
  }
  return covered;
}
