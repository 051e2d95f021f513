// What a fee is for, month by month: what is billed in advance for months to come is earned when they are there.
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, dayOf, daysBetween, monthOf, monthPeriod, type Period } from '#kernel/time.ts';

/** A month, how many days (or seconds) of it a fee is for, and how many it has: both above zero, `units` at most `whole`. */
export type CoveredMonth = {
  readonly month: BillingMonth;
  readonly units: number;
  readonly whole: number;
};

/**
 * The months that some spans of a period lie in, in a zone; each with the length of its parts of them. `units` counts the period's days
 * or seconds up to a moment, and holds moments outside of it at its ends.
 */
export function coveredMonths(
  period: Period,
  units: { readonly unit: 'day' | 'second'; readonly at: (moment: Date) => number },
  spans: readonly (readonly [from: number, to: number])[],
  zone: string,
): CoveredMonth[] {
  // Midnight of the first belongs to the month that is over.
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
