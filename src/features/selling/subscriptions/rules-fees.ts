// Base fees of a month: the whole fee, or the share of the served days (or seconds). Shared by previews and
// bills.
import { decimal, decimalText, divide, isZero, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import {
  dayOf,
  dayPeriod,
  daysBetween,
  monthOf,
  monthPeriod,
  monthsAfter,
  type Period,
} from '#kernel/time.ts';
import type { Charge, chargeCycles, FeeShare, PriceStep } from '#features/selling/rating/contract.ts';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { baseFeeOf } from '#features/selling/catalogue/rules.ts';
import type { ChargeName } from './contract.ts';
import { coveredMonths, type CoveredMonth } from './rules-covers.ts';

/**
 * The plan and quantity from a given time on; no service while it was expired. The first phase applies from
 * the start.
 */
export type Phase = {
  readonly from: Date;
  readonly serviceId: string | null;
  readonly quantity: string;
  readonly yearAnchor: LocalDay | null;
  /** The quantities of single charges of a rate card; all others have the plan's quantity. */
  readonly chargeQuantities?: Readonly<Record<string, string>>;
};
export type PauseSpan = { readonly from: Date; readonly until: Date | null };
/** Everything about a subscription that its fees depend on, including scheduled changes. */
export type Timeline = {
  readonly startedAt: Date;
  readonly endsAt: Date | null;
  readonly trialEndsAt: Date | null;
  readonly phases: readonly Phase[];
  readonly pauses: readonly PauseSpan[];
  /** When it was not served because of unpaid bills. */
  readonly suspensions?: readonly PauseSpan[];
};
export type PlanPrice = {
  readonly id: string;
  readonly effectiveFrom: Date;
  readonly pricing: Pricing;
  /** The charges agreed with the organization, while the others are those of the list price. */
  readonly agreed?: readonly Charge[];
};
/** A service as a plan: how its fee is prorated, and its prices, oldest first. */
export type PricedPlan = Pick<Service, 'name' | 'billingCycle' | 'proration'> & {
  readonly id: string;
  readonly prices: readonly PlanPrice[];
};
export type PlanOf = (serviceId: string) => PricedPlan;

/** A line of base fee on a bill. */
export type PlannedFee = {
  readonly kind: 'base_fee' | 'credit' | 'one_time';
  readonly serviceId: string;
  readonly serviceName: string;
  readonly priceVersionId: string;
  readonly quantity: string;
  /** The rate card charge it is for. */
  readonly charge?: ChargeName;
  readonly unit: (typeof chargeCycles)[number] | 'once';
  /** The price of a whole period for one unit; null if it depends on the quantity. */
  readonly unitPrice: string | null;
  readonly exact: Decimal;
  readonly amount: Money;
  readonly steps: readonly PriceStep[];
  /** The months it covers, if it is billed in advance for more than a month. */
  readonly covers?: readonly CoveredMonth[];
  /** Set if it refunds a month in which nothing was served. */
  readonly isOfIdleMonth?: true;
  /**
   * Set if it costs a whole period however little of it was served, even next to another plan's share of the
   * period.
   */
  readonly isUndivided?: true;
};

/** A stretch of time on one plan, [from, to): the day of a change belongs to the new plan. */
export type PlanSpan = {
  readonly phase: Phase;
  readonly plan: PricedPlan;
  readonly from: Date;
  readonly to: Date | null;
  readonly isLapsing: boolean;
  /** Whether this is the subscription's first charged time on this plan. */
  readonly isFirstOfPlan: boolean;
};
export type Span = readonly [from: number, to: number];
/** A charged or refunded part of a period, counted from the period's start. */
export type FeeSpan = {
  readonly kind: 'base_fee' | 'credit';
  readonly stretch: PlanSpan;
  readonly price: PlanPrice;
  readonly period: Period;
  readonly unit: FeeShare['unit'];
  readonly whole: number;
  readonly spans: readonly Span[];
};

/** Counts a period's days or seconds up to a given time: 0 at its start, `whole` at its end. */
export type PeriodUnits = {
  readonly unit: FeeShare['unit'];
  readonly whole: number;
  readonly at: (moment: Date) => number;
};

/** A period counted in days or seconds. */
export function periodUnitsOf(period: Period, unit: FeeShare['unit'], zone: string): PeriodUnits {
  const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
  const first = unit === 'day' ? dayOf(period.start, zone) : null;
  const count = (moment: Date): number =>
    first === null ? seconds(moment) - seconds(period.start) : daysBetween(first, dayOf(moment, zone));
  const whole = count(period.end);
  return {
    unit,
    whole,
    at: (moment) => (moment <= period.start ? 0 : moment >= period.end ? whole : count(moment)),
  };
}

const dayStart = (moment: Date, zone: string): Date => dayPeriod(dayOf(moment, zone), zone).start;
export const later = (a: Date, b: Date): Date => (a > b ? a : b);
export const earlier = (a: Date, b: Date | null): Date => (b === null || a < b ? a : b);

/**
 * The time from which a plan change counts: the exact one only if both plans are prorated by seconds and keep
 * their period.
 */
function boundary(
  before: PricedPlan | null,
  after: PricedPlan | null,
  isSameYear: boolean,
  moment: Date,
  zone: string,
): Date {
  const isExact =
    before?.proration === 'second' &&
    after?.proration === 'second' &&
    before.billingCycle === after.billingCycle &&
    (before.billingCycle === 'monthly' || isSameYear);
  return isExact ? moment : dayStart(moment, zone);
}

/** Returns the plans in sequence. Of several changes on a day, the last one applies. */
export function planSpansOf(timeline: Timeline, planOf: PlanOf, zone: string): PlanSpan[] {
  const plans = timeline.phases.map((phase) => (phase.serviceId === null ? null : planOf(phase.serviceId)));
  const starts = timeline.phases.map((phase, index) => {
    const before = timeline.phases[index - 1];
    const plan = plans[index] ?? null;
    if (before)
      return boundary(
        plans[index - 1] ?? null,
        plan,
        before.yearAnchor === phase.yearAnchor,
        phase.from,
        zone,
      );
    // A month is measured from the exact start; a year from the start of the day.
    return plan?.billingCycle === 'yearly' ? dayStart(timeline.startedAt, zone) : timeline.startedAt;
  });
  const spans = timeline.phases.flatMap((phase, index): Omit<PlanSpan, 'isFirstOfPlan'>[] => {
    const [plan, from, to] = [
      plans[index],
      required(starts[index], 'a start for each phase'),
      starts[index + 1] ?? null,
    ];
    return plan && (to === null || to > from)
      ? [
          {
            phase,
            plan,
            from,
            to,
            isLapsing: index + 1 < plans.length && plans[index + 1] === null,
          },
        ]
      : [];
  });
  // A phase that was changed on its first day, or within the trial, was never charged; the next one is then
  // the first of its plan.
  const isCharged = ({ from, to }: Pick<PlanSpan, 'from' | 'to'>): boolean =>
    to === null || to > later(from, timeline.trialEndsAt ?? from);
  return spans.map((span, index) => ({
    ...span,
    isFirstOfPlan: spans.findIndex((each) => each.plan.id === span.plan.id && isCharged(each)) === index,
  }));
}

/**
 * Returns the prices in force at some time in [start, end): the one in force at the start, and each that
 * started within. The first also applies before its start.
 */
export function pricesIn<P extends PlanPrice>(prices: readonly P[], start: Date, end: Date): P[] {
  const atStart = prices.findLast((price) => price.effectiveFrom <= start);
  const within = prices.filter((price) => price.effectiveFrom > start && price.effectiveFrom < end);
  return atStart ? [atStart, ...within] : within.length > 0 ? within : prices.slice(0, 1);
}
/** Returns the price in force at a given time. */
export function priceAt<P extends PlanPrice>(prices: readonly P[], moment: Date): P {
  return required(
    prices.findLast((price) => price.effectiveFrom <= moment) ?? prices[0],
    'a price of a plan',
  );
}

/** Returns the parts of [from, to) outside the blocked spans, earliest first. */
export function spansWithout(from: number, to: number, blocked: readonly Span[]): Span[] {
  let rest: Span[] = from < to ? [[from, to]] : [];
  for (const [a, b] of blocked) {
    if (a < b)
      rest = rest.flatMap(([x, y]): Span[] =>
        b <= x || a >= y
          ? [[x, y]]
          : [...(x < a ? [[x, a] as const] : []), ...(b < y ? [[b, y] as const] : [])],
      );
  }
  return rest;
}

/**
 * Returns the timeline with the rules for daily fees applied. The first day is charged whatever happens later
 * that day, and of the pauses that start in a month, only the first is free from its own day on, later ones
 * from the next day. Otherwise a customer could avoid fees by pausing two minutes around every midnight, or
 * by cancelling every night and subscribing again. Only the past is considered, so that later changes never
 * alter a bill.
 */
function byDays(timeline: Timeline, zone: string): Timeline {
  const nextDay = (moment: Date): Date =>
    dayStart(moment, zone).getTime() === moment.getTime() ? moment : dayPeriod(dayOf(moment, zone), zone).end;
  const { startedAt, endsAt } = timeline;
  const isOneDay = endsAt !== null && dayOf(endsAt, zone) === dayOf(startedAt, zone);
  if (!isOneDay && timeline.pauses.length < 2) return timeline;
  let earlierMonth: BillingMonth | null = null;
  const pauses = timeline.pauses
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
    .flatMap((pause): PauseSpan[] => {
      const month = monthOf(pause.from, zone);
      const from = month === earlierMonth ? nextDay(pause.from) : pause.from;
      earlierMonth = month;
      return pause.until === null || from < pause.until ? [{ ...pause, from }] : [];
    });
  return { ...timeline, pauses, ...(isOneDay && { endsAt: dayPeriod(dayOf(endsAt, zone), zone).end }) };
}
/**
 * A timeline for computing fees: suspensions count as pauses, and with daily proration the rules of {@link
 * byDays} apply.
 */
export const timelineFor = (
  timeline: Timeline,
  { proration }: Pick<PricedPlan, 'proration'>,
  zone: string,
): Timeline => (proration === 'day' ? byDays(withSuspensions(timeline), zone) : withSuspensions(timeline));

/** For fees, suspended time counts as paused; overlaps count once. */
function withSuspensions(timeline: Timeline): Timeline {
  if (!timeline.suspensions?.length) return timeline;
  const pauses: PauseSpan[] = [];
  for (const span of [...timeline.pauses, ...timeline.suspensions].toSorted(
    (a, b) => a.from.getTime() - b.from.getTime(),
  )) {
    const last = pauses.at(-1);
    if (!last || (last.until !== null && last.until < span.from)) pauses.push(span);
    else if (last.until !== null && (span.until === null || span.until > last.until))
      pauses[pauses.length - 1] = { from: last.from, until: span.until };
  }
  return { ...timeline, pauses };
}

/**
 * Returns the spans of a month that are neither served nor charged: during the trial, pauses, and after the
 * end.
 */
export function unservedSpans(timeline: Timeline, periodUnits: PeriodUnits): Span[] {
  return [
    [0, periodUnits.at(timeline.startedAt)],
    ...(timeline.trialEndsAt ? [[0, periodUnits.at(timeline.trialEndsAt)] as const] : []),
    ...timeline.pauses.map(({ from, until }): Span => [
      periodUnits.at(from),
      until === null ? periodUnits.whole : periodUnits.at(until),
    ]),
    ...(timeline.endsAt ? [[periodUnits.at(timeline.endsAt), periodUnits.whole] as const] : []),
  ];
}

/** Whether nothing of a month is served: it is before the start, in the trial, paused, or after the end. */
export function isIdle(
  timeline: Timeline,
  month: BillingMonth,
  unit: FeeShare['unit'],
  zone: string,
): boolean {
  const units = periodUnitsOf(monthPeriod(month, zone), unit, zone);
  return spansWithout(0, units.whole, unservedSpans(timeline, units)).length === 0;
}

/** The number of days or seconds in some spans. */
export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, [a, b]) => sum + b - a, 0);

/**
 * A month of a monthly plan: the whole stretch is charged for the served part; if the plan was changed, the
 * rest is refunded.
 */
function monthlySpans(stretch: PlanSpan, timeline: Timeline, month: BillingMonth, zone: string): FeeSpan[] {
  const period = monthPeriod(month, zone);
  if (stretch.from >= period.end || (stretch.to !== null && stretch.to <= period.start)) return [];
  const periodUnits = periodUnitsOf(period, stretch.plan.proration, zone);
  const cut = stretch.to === null ? periodUnits.whole : periodUnits.at(stretch.to);
  // A plan that expired is charged until its end; a plan that was changed is charged for its whole month, and
  // the rest is refunded.
  const charged = stretch.isLapsing ? cut : periodUnits.whole;
  const blocked = unservedSpans(timeline, periodUnits);
  const prices = pricesIn(
    stretch.plan.prices,
    later(period.start, stretch.from),
    earlier(period.end, stretch.to),
  );
  const starts = prices.map((price, index) =>
    index === 0 ? periodUnits.at(stretch.from) : periodUnits.at(price.effectiveFrom),
  );
  const span = (kind: FeeSpan['kind'], price: PlanPrice, from: number, to: number): FeeSpan => ({
    kind,
    stretch,
    price,
    period,
    unit: periodUnits.unit,
    whole: periodUnits.whole,
    spans: spansWithout(from, to, blocked),
  });
  const last = required(prices.at(-1), 'a price of a plan');
  return [
    ...prices.map((price, index) =>
      span('base_fee', price, starts[index] ?? 0, starts[index + 1] ?? charged),
    ),
    ...(cut < charged ? [span('credit', last, cut, charged)] : []),
  ];
}

/**
 * A month of a yearly plan. A year (or what a change left of it) is fully charged in the month in which it
 * starts; if the plan changes or ends early, the rest is refunded in that month, and paused days in their own
 * months. So no bill depends on a later event.
 */
function yearlySpans(stretch: PlanSpan, timeline: Timeline, month: BillingMonth, zone: string): FeeSpan[] {
  const { plan, phase } = stretch;
  const period = monthPeriod(month, zone);
  const anchor = phase.yearAnchor ?? dayOf(stretch.from, zone);
  const end =
    timeline.endsAt && (plan.proration === 'second' ? timeline.endsAt : dayStart(timeline.endsAt, zone));
  const stop = stretch.to === null ? end : earlier(stretch.to, end);
  const years = Number.parseInt(month.slice(0, 4), 10) - Number.parseInt(anchor.slice(0, 4), 10);
  return [years - 1, years]
    .filter((year) => year >= 0)
    .flatMap((year): FeeSpan[] => {
      const term = termOf(anchor, year, zone);
      const from = later(stretch.from, term.start);
      const to = earlier(term.end, stop);
      if (to <= from) return [];
      const periodUnits = periodUnitsOf(term, plan.proration, zone);
      const price = priceAt(plan.prices, from);
      const span = (kind: FeeSpan['kind'], spans: readonly Span[]): FeeSpan => ({
        kind,
        stretch,
        price,
        period: term,
        unit: periodUnits.unit,
        whole: periodUnits.whole,
        spans,
      });
      const paused = timeline.pauses.flatMap((pause): Span[] => {
        const [a, b] = [
          later(later(pause.from, from), period.start),
          earlier(earlier(to, period.end), pause.until),
        ];
        return a < b ? [[periodUnits.at(a), periodUnits.at(b)]] : [];
      });
      return [
        ...(monthOf(from, zone) === month
          ? [span('base_fee', spansWithout(periodUnits.at(from), periodUnits.whole, []))]
          : []),
        ...(to < term.end && monthOf(to, zone) === month
          ? [span('credit', spansWithout(periodUnits.at(to), periodUnits.whole, []))]
          : []),
        ...(paused.length > 0 ? [span('credit', paused)] : []),
      ];
    });
}

/** A year of a yearly plan: `count` years after the anchor day, which short months do not shift. */
export function termOf(anchor: LocalDay, count: number, zone: string): Period {
  return {
    start: dayPeriod(monthsAfter(anchor, 12 * count), zone).start,
    end: dayPeriod(monthsAfter(anchor, 12 * (count + 1)), zone).start,
  };
}

/** Returns all charges and refunds of base fees in a month, as spans of their periods. */
export function feeSpans(timeline: Timeline, planOf: PlanOf, month: BillingMonth, zone: string): FeeSpan[] {
  return planSpansOf(timeline, planOf, zone)
    .flatMap((stretch) =>
      (stretch.plan.billingCycle === 'monthly' ? monthlySpans : yearlySpans)(
        stretch,
        timelineFor(timeline, stretch.plan, zone),
        month,
        zone,
      ),
    )
    .filter((span) => lengthOf(span.spans) > 0);
}

// A prorated fee may have infinitely many digits. It is computed with enough digits that rounding never meets
// a false tie: a fee has 12 digits, a quantity 3, a rounded amount at most 3, and a year 366 days or
// 31,622,400 seconds.
const dayDigits = 24;
const secondDigits = 30;

/** The exact share of an amount. */
export function shareOf(
  amount: Decimal,
  { part, whole, unit }: Pick<FeeShare, 'part' | 'whole' | 'unit'>,
): Decimal {
  return part === whole
    ? amount
    : divide(
        amount.times(decimal(BigInt(part))),
        decimal(BigInt(whole)),
        unit === 'day' ? dayDigits : secondDigits,
      );
}

/**
 * Whether any plan of a subscription has a base fee or is unknown: plans priced only by usage need no spans.
 */
const hasFee = ({ phases }: Timeline, planOf: PlanOf): boolean =>
  phases.some(
    ({ serviceId }) =>
      serviceId !== null &&
      planOf(serviceId).prices.some(({ pricing }) => !isZero(decimal(baseFeeOf(pricing)))),
  );

/** Returns the base fee lines of a month, for previews and bills. */
export function feeLines(
  timeline: Timeline,
  planOf: PlanOf,
  month: BillingMonth,
  zone: string,
): PlannedFee[] {
  if (!hasFee(timeline, planOf)) return [];
  return feeSpans(timeline, planOf, month, zone).flatMap((span) => {
    const { plan, phase } = span.stretch;
    const baseFee = decimal(baseFeeOf(span.price.pricing));
    const units = decimal(phase.quantity);
    const share: FeeShare = {
      part: lengthOf(span.spans),
      whole: span.whole,
      unit: span.unit,
      units: decimalText(units),
    };
    const signed = (value: Decimal): Decimal => (span.kind === 'credit' ? zero.minus(value) : value);
    const exact = signed(shareOf(baseFee.times(units), share));
    if (isZero(exact)) return [];
    const quantity = decimalText(
      signed(
        share.part === share.whole
          ? units
          : divide(units.times(decimal(BigInt(share.part))), decimal(BigInt(share.whole)), 12),
      ),
    );
    const unitPrice = decimalText(baseFee);
    return [
      {
        kind: span.kind,
        serviceId: plan.id,
        serviceName: plan.name,
        priceVersionId: span.price.id,
        quantity,
        unit: plan.billingCycle === 'yearly' ? 'year' : 'month',
        unitPrice,
        exact,
        amount: roundToMoney(exact, span.price.pricing.currency),
        steps: [
          { kind: 'base', from: null, upTo: null, quantity, unitPrice, amount: decimalText(exact), share },
        ],
        ...(plan.billingCycle === 'yearly' && {
          covers: coveredMonths(span.period, periodUnitsOf(span.period, span.unit, zone), span.spans, zone),
          ...(span.kind === 'credit' &&
            isIdle(timelineFor(timeline, plan, zone), month, span.unit, zone) && { isOfIdleMonth: true }),
        }),
      },
    ];
  });
}

/**
 * Returns the year of a yearly plan that contains a given time; before the first one starts (in the trial),
 * the first.
 */
export function yearOf(anchor: LocalDay, moment: Date, zone: string): Period {
  const guess =
    Number.parseInt(dayOf(moment, zone).slice(0, 4), 10) - Number.parseInt(anchor.slice(0, 4), 10);
  for (let count = Math.max(0, guess); ; count--) {
    const term = termOf(anchor, count, zone);
    if (term.start <= moment || count <= 0) return term;
  }
}
