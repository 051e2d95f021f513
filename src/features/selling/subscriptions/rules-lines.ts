// The cost of a subscription's month, line by line: for bills, statistics and what-ifs.
import { decimal, decimalText, divide, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { FeeShare, PriceStep } from '#features/selling/rating/contract.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import {
  maximumCut,
  minimumTopUp,
  assertAddsUp,
  singleUnitPrice,
  usageCost,
  usagePrice,
} from '#features/selling/catalogue/rules.ts';
import type { Price } from '#features/selling/rating/rules.ts';
import type { chargeKinds } from './contract.ts';
import {
  feeLines,
  servedOf,
  shareOf,
  type MonthPart,
  type PlanOf,
  type PlanPrice,
  type PricedPlan,
  type Timeline,
} from './rules-fees.ts';

/**
 * All the time of a month in which one plan was in force at one price. It is priced as a whole, however often
 * quantity or plan changed: otherwise a customer could get new free units and cheap tiers by changing back
 * and forth.
 */
export type PlanTime = {
  readonly plan: PricedPlan;
  readonly price: PlanPrice;
  readonly isTrial: boolean;
  readonly parts: readonly MonthPart[];
};
/** The same with the usage in that time. */
export type UsedTime = PlanTime & {
  readonly unit: string;
  readonly quantity: Decimal;
  readonly events: bigint;
};

/** A month's parts by plan and price, in the order in which each first came. */
export function planTimes(parts: readonly MonthPart[]): PlanTime[] {
  // The fast path: nearly every month is one part.
  const groups =
    parts.length === 1
      ? [[...parts]]
      : Map.groupBy(
          parts,
          ({ stretch, price, isTrial }) => `${stretch.plan.id} ${price.id} ${isTrial}`,
        ).values();
  return [...groups].flatMap((sameTime): PlanTime[] => {
    const [first] = sameTime;
    return first
      ? [{ plan: first.stretch.plan, price: first.price, isTrial: first.isTrial, parts: sameTime }]
      : [];
  });
}

/** One subscription in a month, with everything its lines are made of. */
export type BillableSubscription = {
  readonly subscriptionId: string;
  /** The name by which the bill is sorted. */
  readonly serviceName: string;
  /** Plans, pauses, trial and end: what base fees are made of. */
  readonly timeline: Timeline;
  readonly planOf: PlanOf;
  /** The month by plan and price; one where neither changed. */
  readonly times: readonly UsedTime[];
};

export type PlannedLine = {
  readonly kind: (typeof chargeKinds)[number];
  readonly subscriptionId: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly priceVersionId: string;
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string | null;
  readonly exact: Decimal;
  readonly amount: Money;
  readonly steps: readonly PriceStep[];
};
/** How usage is priced: with the steps that a bill shows, or (what-ifs over many) by the same price without them. */
export type UsagePricing = (pricing: Pricing, quantity: Decimal) => Pick<Price, 'exact' | 'steps'>;
const withSteps: UsagePricing = (pricing, quantity) => {
  const price = usagePrice(pricing, quantity);
  assertAddsUp(price);
  return price;
};
/** The same amounts without the steps of their calculation, several times faster. */
export const withoutSteps: UsagePricing = (pricing, quantity) => ({
  exact: usageCost(pricing, quantity),
  steps: [],
});

/**
 * The lines of one subscription: base fees for the served time, exact usage, and the amounts of minimum and
 * maximum.
 */
export function linesOf(
  subscription: BillableSubscription,
  month: BillingMonth,
  zone: string,
  price: UsagePricing = withSteps,
): PlannedLine[] {
  const { subscriptionId, timeline, planOf } = subscription;
  const fees = feeLines(timeline, planOf, month, zone).map((fee): PlannedLine => ({
    ...fee,
    subscriptionId,
  }));
  return [
    ...fees,
    ...subscription.times.flatMap((time) => usageLines(subscription, time, month, zone, price)),
  ];
}

/** The lines of a plan's usage, and of the limits on its fee and usage. Days of a trial are free. */
function usageLines(
  { subscriptionId, timeline }: BillableSubscription,
  time: UsedTime,
  month: BillingMonth,
  zone: string,
  price: UsagePricing,
): PlannedLine[] {
  if (time.isTrial) return [];
  const {
    plan,
    price: { id: priceVersionId, pricing },
  } = time;
  const line = (
    kind: PlannedLine['kind'],
    quantity: string,
    lineUnit: string,
    unitPrice: string | null,
    exact: Decimal,
    steps: readonly PriceStep[],
  ): PlannedLine => ({
    kind,
    subscriptionId,
    serviceId: plan.id,
    serviceName: plan.name,
    priceVersionId,
    quantity,
    unit: lineUnit,
    unitPrice,
    exact,
    amount: roundToMoney(exact, pricing.currency),
    steps,
  });
  const hasLimits = pricing.minimum !== undefined || pricing.maximum !== undefined;
  const hasAllowance = 'included' in pricing && pricing.included !== undefined;
  // A level that was not reported again continues: usage without an event.
  const isUsed = pricing.model !== 'flat' && (time.events > 0n || !time.quantity.eq(zero));
  if (!hasLimits && !hasAllowance && !isUsed) return [];
  const usage = price(pricingOfTime(timeline, time, month, zone), time.quantity);
  const lines: PlannedLine[] = [];
  if (isUsed)
    lines.push(
      line(
        'usage',
        decimalText(time.quantity),
        time.unit,
        singleUnitPrice(pricing),
        usage.exact,
        usage.steps,
      ),
    );
  if (!hasLimits) return lines;
  const ofMonth = servedShare(timeline, time, month, zone);
  const fees = time.parts.map((part) =>
    shareOf(
      decimal(pricing.baseFee ?? '0').times(decimal(part.stretch.phase.quantity)),
      servedOf(timeline, part, month, zone).ofFee,
    ),
  );
  const charged = sumDecimals(fees).plus(usage.exact);
  const dayShare =
    ofMonth.part === ofMonth.whole
      ? '1'
      : decimalText(divide(decimal(BigInt(ofMonth.part)), decimal(BigInt(ofMonth.whole)), 12));
  const limit = (kind: 'minimum' | 'maximum', amount: Decimal, whole: string): PlannedLine =>
    line(kind, '1', 'month', null, amount, [
      {
        kind,
        from: null,
        upTo: null,
        quantity: dayShare,
        unitPrice: decimalText(decimal(whole)),
        amount: decimalText(amount),
      },
    ]);
  const of = (whole: string): string => decimalText(shareOf(decimal(whole), ofMonth));
  const topUp = minimumTopUp({ ...pricing, minimum: of(pricing.minimum ?? '0') }, charged);
  if (!topUp.eq(zero)) lines.push(limit('minimum', topUp, pricing.minimum ?? '0'));
  const cut =
    pricing.maximum === undefined
      ? zero
      : zero.minus(maximumCut({ ...pricing, maximum: of(pricing.maximum) }, charged));
  if (!cut.eq(zero)) lines.push(limit('maximum', cut, pricing.maximum ?? '0'));
  return lines;
}

/** The served time of all parts, as a share of the month. */
function servedShare(
  timeline: Timeline,
  { parts }: PlanTime,
  month: BillingMonth,
  zone: string,
): Pick<FeeShare, 'part' | 'whole' | 'unit'> {
  const shares = parts.map((part) => servedOf(timeline, part, month, zone).ofMonth);
  // One plan has one way of counting: whole and unit are the same for all.
  const { whole, unit } = required(shares[0], 'a part of the month');
  return { part: shares.reduce((sum, share) => sum + share.part, 0), whole, unit };
}

/**
 * The price of a plan's usage. A month's allowance is prorated like its fee; it has twelve digits, like any
 * quantity.
 */
export function pricingOfTime(
  timeline: Timeline,
  time: PlanTime,
  month: BillingMonth,
  zone: string,
): Pricing {
  const { pricing } = time.price;
  if (!('included' in pricing) || pricing.included === undefined) return pricing;
  const { part, whole } = servedShare(timeline, time, month, zone);
  return {
    ...pricing,
    included: decimalText(
      divide(decimal(pricing.included).times(decimal(BigInt(part))), decimal(BigInt(whole)), 12),
    ),
  };
}
