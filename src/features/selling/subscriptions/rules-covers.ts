// What a fee is for, month by month: what is billed in advance for months to come is earned when they are there.
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf, monthPeriod, type Period } from '#kernel/time.ts';

/** A month, and how many days (or seconds) of it a fee is for: above zero. */
export type CoveredMonth = { readonly month: BillingMonth; readonly units: number };

/**
 * The months that some spans of a period lie in, in a zone; each with the length of its parts of them. `units` counts the period's days
 * or seconds up to a moment, and holds moments outside of it at its ends.
 */
export function coveredMonths(
  period: Period,
  units: { readonly at: (moment: Date) => number },
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
    if (own > 0) covered.push({ month, units: own });
  }
  return covered;
}
