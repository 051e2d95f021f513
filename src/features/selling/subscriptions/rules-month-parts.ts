// The parts of a month with one plan and one price each, and their served shares.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf, monthPeriod } from '#kernel/time.ts';
import type { FeeShare } from '#features/selling/rating/contract.ts';
import {
  earlier,
  later,
  lengthOf,
  periodUnitsOf,
  planSpansOf,
  priceAt,
  pricesIn,
  spansWithout,
  timelineFor,
  unservedSpans,
  yearOf,
  type PlanOf,
  type PlanPrice,
  type PlanSpan,
  type Timeline,
} from './rules-fees.ts';

/**
 * A part of a month with one plan and one price. Its usage has that price, and its served time determines
 * prorated allowances and limits.
 */
export type MonthPart = {
  readonly stretch: PlanSpan;
  readonly price: PlanPrice;
  readonly from: Date;
  readonly to: Date;
  readonly isTrial: boolean;
};

/**
 * Returns the consecutive parts of a month, without gaps from its start (or the first plan's) on. Usage on
 * trial days is free.
 */
export function monthParts(
  timeline: Timeline,
  planOf: PlanOf,
  month: BillingMonth,
  zone: string,
): MonthPart[] {
  const period = monthPeriod(month, zone);
  const { trialEndsAt } = timeline;
  return planSpansOf(timeline, planOf, zone).flatMap((stretch, index): MonthPart[] => {
    const [start, end] = [
      index === 0 ? period.start : later(period.start, stretch.from),
      earlier(period.end, stretch.to),
    ];
    if (start >= end) return [];
    const prices = pricesIn(stretch.plan.prices, start, end);
    const cuts = [
      start,
      ...prices.slice(1).map((price) => price.effectiveFrom),
      ...(trialEndsAt && trialEndsAt > start && trialEndsAt < end ? [trialEndsAt] : []),
    ].toSorted((a, b) => a.getTime() - b.getTime());
    return cuts.flatMap((from, place): MonthPart[] => {
      const to = cuts[place + 1] ?? end;
      return from < to
        ? [
            {
              stretch,
              price: place === 0 ? required(prices[0], 'a price of a plan') : priceAt(prices, from),
              from,
              to,
              isTrial: trialEndsAt !== null && from < trialEndsAt,
            },
          ]
        : [];
    });
  });
}

/**
 * Returns the served share of a part, relative to its whole month and to its fee's period (the month, or the
 * year that contains it).
 */
export function servedOf(
  timeline: Timeline,
  part: MonthPart,
  month: BillingMonth,
  zone: string,
): { ofMonth: FeeShare; ofFee: FeeShare } {
  const { plan, phase } = part.stretch;
  const periodUnits = periodUnitsOf(monthPeriod(month, zone), plan.proration, zone);
  const served = lengthOf(
    spansWithout(
      periodUnits.at(part.from),
      periodUnits.at(part.to),
      unservedSpans(timelineFor(timeline, plan, zone), periodUnits),
    ),
  );
  const ofMonth: FeeShare = {
    part: served,
    whole: periodUnits.whole,
    unit: periodUnits.unit,
    units: phase.quantity,
  };
  if (plan.billingCycle === 'monthly') return { ofMonth, ofFee: ofMonth };
  return {
    ofMonth,
    ofFee: {
      ...ofMonth,
      whole: periodUnitsOf(
        yearOf(phase.yearAnchor ?? dayOf(part.stretch.from, zone), part.from, zone),
        plan.proration,
        zone,
      ).whole,
    },
  };
}
