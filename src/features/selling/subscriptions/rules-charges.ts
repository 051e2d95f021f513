// Fees of rate cards in a month: recurring charges of any cycle, and one-time charges. Shared by previews and
// bills.
import { decimal, decimalText, divide, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf, monthOf, monthPeriod, type Period } from '#kernel/time.ts';
import type { Pricing, RateCardPricing, Service } from '#features/selling/catalogue/contract.ts';
import { baseFeeOf } from '#features/selling/catalogue/rules.ts';
import type { Charge, FeeShare, PriceStep } from '#features/selling/rating/contract.ts';
import {
  chargePrice,
  monthShare,
  periodsIn,
  usageOfQuantity,
  type Price,
} from '#features/selling/rating/rules.ts';
import { coveredMonths } from './rules-covers.ts';
import {
  isIdle,
  lengthOf,
  periodUnitsOf,
  planSpansOf,
  shareOf,
  spansWithout,
  timelineFor,
  unservedSpans,
  type Phase,
  type PlanOf,
  type PlannedFee,
  type PlanPrice,
  type PlanSpan,
  type Span,
  type Timeline,
} from './rules-fees.ts';

/** Returns the rate card of a price; undefined for a single price. */
export const rateCardOf = ({ pricing }: PlanPrice): RateCardPricing | undefined =>
  pricing.model === 'rate_card' ? pricing : undefined;

/** Returns the charges of a price for which a customer chooses a quantity. */
export const countedCharges = (pricing: Pricing): readonly Charge[] =>
  pricing.model === 'rate_card'
    ? pricing.charges.filter(({ kind, model }) => kind !== 'usage' && model !== 'flat')
    : [];

/** The quantity of a charge in a phase: the one chosen for the charge, or else that of the plan. */
export const chargeQuantity = (units: Units, charge: Pick<Charge, 'key'>): string =>
  units.chargeQuantities?.[charge.key] ?? units.quantity;

/** A charge in one price version. */
type PricedCharge = { readonly charge: Charge; readonly price: PlanPrice };
/** A period on one plan in which a charge exists, with the charge's version at each time, oldest first. */
type ChargeSpan = {
  readonly stretch: PlanSpan;
  readonly versions: readonly PricedCharge[];
  readonly from: Date;
  readonly to: Date | null;
};

const later = (...moments: readonly (Date | null)[]): Date =>
  new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)));
const earlier = (a: Date, b: Date | null): Date => (b === null || a < b ? a : b);
/** The month that an end belongs to: midnight on the first belongs to the previous month. */
const monthOfEnd = (end: Date, zone: string): BillingMonth => monthOf(new Date(end.getTime() - 1), zone);

/** When the subscription ends for a charge: charged by days, it is charged for its first day at least. */
type EndOf = (charge: Charge) => Date | null;

/**
 * Returns the recurring and one-time charges of a plan, each with the times in which its price versions
 * contain it.
 */
function chargeSpans(stretch: PlanSpan, endOf: EndOf): ChargeSpan[] {
  const { prices } = stretch.plan;
  const keys = new Set(
    prices.flatMap((price) =>
      (rateCardOf(price)?.charges ?? []).flatMap(({ key, kind }) => (kind === 'usage' ? [] : key)),
    ),
  );
  return [...keys].flatMap((key) => {
    const spans: ChargeSpan[] = [];
    let open: { versions: [PricedCharge, ...PricedCharge[]]; from: Date } | undefined;
    const close = (at: Date | null): void => {
      if (!open) return;
      const end = endOf(open.versions[0].charge);
      const stop = stretch.to === null ? end : earlier(stretch.to, end);
      const from = later(open.from, stretch.from);
      const to = stop === null ? at : earlier(stop, at);
      if (to === null || from < to) spans.push({ stretch, versions: open.versions, from, to });
      open = undefined;
    };
    for (const [index, price] of prices.entries()) {
      const charge = rateCardOf(price)?.charges.find((each) => each.key === key && each.kind !== 'usage');
      // The first price also applies before its start.
      const from = index === 0 ? new Date(0) : price.effectiveFrom;
      if (!charge) close(from);
      else if (open) open.versions.push({ charge, price });
      else open = { versions: [{ charge, price }], from };
    }
    close(null);
    return spans;
  });
}

/** Returns the version of a charge in force at a given time. */
const versionAt = (versions: readonly PricedCharge[], moment: Date): PricedCharge | undefined =>
  versions.findLast(({ price }) => price.effectiveFrom <= moment) ?? versions[0];

/** Cycles longer than a month. */
const longCycles: ReadonlySet<string> = new Set(['quarter', 'half_year', 'year']);

const withoutUsage = usageOfQuantity(zero);

/** The price of a charge's period for a quantity. A flat charge costs the same for any quantity. */
const periodPrice = (charge: Charge, quantity: string): Price =>
  chargePrice(charge, charge.model === 'flat' ? withoutUsage : usageOfQuantity(decimal(quantity)));

const fullPrice = (charge: Charge): string | null =>
  charge.model === 'flat' ? charge.amount : charge.model === 'per_unit' ? charge.unitPrice : null;

/** Builds a fee line: the price of a whole period, or of its served part. */
function feeLine(
  kind: PlannedFee['kind'],
  { stretch: { plan, phase } }: ChargeSpan,
  { charge, price }: PricedCharge,
  share: Pick<FeeShare, 'part' | 'whole' | 'unit' | 'from'>,
): PlannedFee[] {
  const count = charge.model === 'flat' ? '1' : chargeQuantity(phase, charge);
  const whole = periodPrice(charge, count);
  const signed = (value: Decimal): Decimal => (kind === 'credit' ? zero.minus(value) : value);
  const exact = signed(shareOf(whole.exact, share));
  if (isZero(exact)) return [];
  const isWhole = share.part === share.whole;
  const quantity = decimalText(
    signed(
      isWhole
        ? decimal(count)
        : divide(decimal(count).times(decimal(BigInt(share.part))), decimal(BigInt(share.whole)), 12),
    ),
  );
  const unitPrice = fullPrice(charge);
  const part: PriceStep = {
    kind: 'base',
    from: null,
    upTo: null,
    quantity,
    unitPrice: unitPrice ?? decimalText(whole.exact),
    amount: decimalText(exact),
    ...(kind !== 'one_time' && { share: { ...share, units: count } }),
  };
  return [
    {
      kind,
      serviceId: plan.id,
      serviceName: plan.name,
      priceVersionId: price.id,
      charge: { key: charge.key, name: charge.name },
      quantity,
      unit: kind === 'one_time' ? 'once' : (charge.cycle ?? 'month'),
      unitPrice,
      exact,
      amount: roundToMoney(exact, price.pricing.currency),
      steps: isWhole && unitPrice === null && kind !== 'credit' ? whole.steps : [part],
    },
  ];
}

const isRecurring = ({ versions }: ChargeSpan): boolean => versions[0]?.charge.kind === 'recurring';

/**
 * Whether a charge costs a whole period however little of it is served: its used and unused parts cannot be
 * distinguished.
 */
const isUndivided = ({ versions }: ChargeSpan): boolean => versions[0]?.charge.prorate === 'none';

/**
 * Returns adjoining stretches on the same plan that differ in quantity: those up to and including the given
 * one, and all.
 */
function runOf(
  stretches: readonly PlanSpan[],
  stretch: PlanSpan,
): { readonly isFirst: boolean; readonly all: readonly PlanSpan[] } {
  const at = stretches.indexOf(stretch);
  const isNext = (before: PlanSpan | undefined, after: PlanSpan | undefined): boolean =>
    before !== undefined &&
    before.plan.id === after?.plan.id &&
    before.to?.getTime() === after.from.getTime();
  let [first, last] = [at, at];
  while (isNext(stretches[first - 1], stretches[first])) first--;
  while (isNext(stretches[last], stretches[last + 1])) last++;
  return { isFirst: first === at, all: stretches.slice(first, last + 1) };
}

/**
 * Returns the undivided charges of adjoining stretches: a new quantity within a period applies from the next
 * period on.
 */
function undividedSpans(run: readonly PlanSpan[], endOf: EndOf): ChargeSpan[] {
  const [first, last] = [run[0], run.at(-1)];
  return first && last
    ? chargeSpans({ ...first, to: last.to, isLapsing: last.isLapsing }, endOf).filter(isUndivided)
    : [];
}

/**
 * Finds the charge that a plan change would cut off: the charge of the previous plan whose period extends
 * furthest beyond the change, costs the full price and is not refunded. Undefined if every charge is divided,
 * not started, or over. `changed` has the new plan as its last phase.
 */
export function undividedBeyond(
  changed: Timeline,
  planOf: PlanOf,
  zone: string,
): { readonly charge: Charge; readonly until: Date } | undefined {
  const stretches = planSpansOf(changed, planOf, zone);
  const [before, after] = [stretches.at(-2), stretches.at(-1)];
  if (!before || !after || before.to?.getTime() !== after.from.getTime()) return undefined;
  const cut = after.from;
  return undividedSpans(runOf(stretches, before).all, () => changed.endsAt)
    .flatMap((span) => {
      const { charge } = versionAt(span.versions, cut) ?? {};
      if (!charge || charge.kind !== 'recurring' || span.to?.getTime() !== cut.getTime()) return [];
      const anchor = charge.anchor === 'anniversary' ? dayOf(changed.startedAt, zone) : null;
      const last = { start: new Date(cut.getTime() - 1), end: cut };
      const [period] = periodsIn(charge.cycle ?? 'month', anchor, last, zone);
      if (!period) return [];
      const begin = later(period.start, span.from, changed.trialEndsAt);
      return begin < cut && period.end > cut ? [{ charge, until: period.end }] : [];
    })
    .toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
}

/**
 * A one-time charge: charged when its plan starts, or after the trial, so that a trial that is canceled costs
 * nothing.
 */
function oneTimeLines(span: ChargeSpan, timeline: Timeline, month: BillingMonth, zone: string): PlannedFee[] {
  const due = later(span.from, timeline.trialEndsAt);
  const isFirst = span.stretch.isFirstOfPlan;
  const version = versionAt(span.versions, due);
  if (!version || !isFirst || (span.to !== null && span.to <= due) || monthOf(due, zone) !== month) return [];
  return feeLine('one_time', span, version, { part: 1, whole: 1, unit: 'day' });
}

/**
 * The lines of a recurring charge in a month. A charge in arrears is billed in the month in which its period
 * (or what a change left of it) ends, a charge in advance in the month in which it starts. Pauses and ends
 * already known in that month are deducted at once; later ones are refunded in their own month. So no bill
 * depends on a later event. A period is priced by the price in force at its start. `run` are the stretches in
 * which the plan continues.
 */
function recurringLines(
  span: ChargeSpan,
  { cycle = 'month', timing = 'advance', prorate = 'day', anchor = 'calendar' }: Charge,
  timeline: Timeline,
  month: BillingMonth,
  zone: string,
  run: readonly PlanSpan[],
): PlannedFee[] {
  const ofMonth = monthPeriod(month, zone);
  const first = anchor === 'anniversary' ? dayOf(timeline.startedAt, zone) : null;
  const reach: Period = {
    start: later(ofMonth.start, span.from),
    end: earlier(ofMonth.end, span.to),
  };
  return periodsIn(cycle, first, reach, zone).flatMap((period): PlannedFee[] => {
    // A change on the first day applies from the day's beginning, which is before the service began.
    const begin = later(period.start, span.from, timeline.startedAt, timeline.trialEndsAt);
    const stop = earlier(period.end, span.to);
    const version = versionAt(span.versions, begin);
    if (!version || begin >= stop) return [];
    const units = periodUnitsOf(period, prorate === 'second' ? 'second' : 'day', zone);
    const blocked = unservedSpans(timeline, units);
    const ofPeriod = { whole: units.whole, unit: units.unit, from: dayOf(period.start, zone) };
    // The period of a charge in arrears is over when it is billed.
    const isAhead = timing === 'advance' && longCycles.has(cycle);
    const covering =
      (spans: readonly Span[]) =>
      (fee: PlannedFee): PlannedFee =>
        isAhead
          ? {
              ...fee,
              covers: coveredMonths(period, units, spans, zone),
              ...(fee.kind === 'credit' &&
                isIdle(timeline, month, units.unit, zone) && { isOfIdleMonth: true }),
            }
          : fee;
    const line = (kind: 'base_fee' | 'credit', spans: readonly Span[]): PlannedFee[] => {
      const part = lengthOf(spans);
      if (part === 0) return [];
      // Without proration, a period that is served at all costs the full price, and nothing is refunded.
      if (prorate === 'none')
        return kind === 'credit'
          ? []
          : feeLine(kind, asOf(run, span, begin), version, { ...ofPeriod, part: units.whole })
              .map(covering(spans))
              .map((fee) => ({ ...fee, isUndivided: true as const }));
      return feeLine(kind, span, version, { ...ofPeriod, part }).map(covering(spans));
    };
    const isBegun = monthOf(begin, zone) === month;
    const isEnding = monthOfEnd(stop, zone) === month;
    if (timing === 'arrears' || (isBegun && monthOfEnd(period.end, zone) === month))
      return isEnding ? line('base_fee', spansWithout(units.at(begin), units.at(stop), blocked)) : [];
    // What is known in this month: pauses within it, and an end within it.
    const within = (from: Date, until: Date | null): Span => [
      units.at(later(from, ofMonth.start)),
      units.at(earlier(ofMonth.end, until)),
    ];
    const lost: Span[] = [
      ...timeline.pauses.map(({ from, until }) => within(from, until)),
      ...(isEnding && stop < period.end ? [[units.at(stop), units.whole] as const] : []),
    ].filter(([from, to]) => from < to);
    const all = spansWithout(units.at(begin), units.whole, []);
    if (isBegun) return line('base_fee', spansWithout(units.at(begin), units.whole, lost));
    // Refunds what is no longer served, each part once.
    const rest = spansWithout(units.at(begin), units.whole, lost);
    return line(
      'credit',
      rest.reduce((gone, [from, to]) => spansOutside(gone, from, to), all),
    );
  });
}

/** A span with the quantity at a given time. */
function asOf(run: readonly PlanSpan[], span: ChargeSpan, moment: Date): ChargeSpan {
  const phase = run.findLast(({ from }) => from <= moment)?.phase ?? span.stretch.phase;
  return { ...span, stretch: { ...span.stretch, phase } };
}

/** The parts of some spans that lie outside another span. */
const spansOutside = (spans: readonly Span[], from: number, to: number): Span[] =>
  spans.flatMap(([a, b]) => spansWithout(a, b, [[from, to]]));

/** Returns the fees of rate cards in a month, in the order of the plans and their charges. */
export function chargeFeeLines(
  timeline: Timeline,
  planOf: PlanOf,
  month: BillingMonth,
  zone: string,
): PlannedFee[] {
  const { end } = monthPeriod(month, zone);
  const stretches = planSpansOf(timeline, planOf, zone);
  const timelineOf = ({ prorate }: Charge): Timeline =>
    timelineFor(timeline, { proration: prorate === 'second' ? 'second' : 'day' }, zone);
  const endOf: EndOf = (charge) => timelineOf(charge).endsAt;
  return stretches
    .filter(({ plan, from }) => from < end && plan.prices.some((price) => rateCardOf(price)))
    .flatMap((stretch) => {
      const run = runOf(stretches, stretch);
      const own = chargeSpans(stretch, endOf);
      const spans =
        run.all.length === 1
          ? own
          : [
              ...own.filter((span) => !isRecurring(span) || !isUndivided(span)),
              ...(run.isFirst ? undividedSpans(run.all, endOf).filter(isRecurring) : []),
            ];
      return spans.flatMap((span) => {
        const current = versionAt(span.versions, later(span.from, monthPeriod(month, zone).start));
        if (!current) return [];
        const { charge } = current;
        if (charge.kind === 'one_time') return oneTimeLines(span, timeline, month, zone);
        return recurringLines(span, charge, timelineOf(charge), month, zone, run.all);
      });
    });
}

/** The quantities of a plan and of its single charges. */
export type Units = Pick<Phase, 'quantity' | 'chargeQuantities'>;

/**
 * The fixed fee of a term: a plan's base fee, or the recurring charges of a rate card per month, to twelve
 * digits.
 */
export function termFee(pricing: Pricing, units: Units): Decimal {
  if (pricing.model !== 'rate_card') return decimal(baseFeeOf(pricing)).times(decimal(units.quantity));
  return sumDecimals(
    pricing.charges
      .filter(({ kind }) => kind === 'recurring')
      .map((charge) =>
        monthShare(periodPrice(charge, chargeQuantity(units, charge)).exact, charge.cycle ?? 'month'),
      ),
  );
}

/** The fixed fee of a month, as decimal text: a yearly one divided by twelve. */
export const feeOfMonth = (pricing: Pricing, cycle: Service['billingCycle'], units: Units): string =>
  decimalText(
    cycle === 'yearly' ? divide(termFee(pricing, units), decimal('12'), 12) : termFee(pricing, units),
  );
