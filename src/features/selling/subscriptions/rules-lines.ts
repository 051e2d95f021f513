// The cost of a subscription's month, line by line: for bills, statistics and what-if calculations.
import { decimal, decimalText, divide, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Charge, FeeShare, PriceStep } from '#features/selling/rating/contract.ts';
import {
  chargePrice,
  excessOver,
  topUpTo,
  usageOfQuantity,
  type ChargeUsage,
  type Price,
} from '#features/selling/rating/rules.ts';
import type { Pricing, RateCardPricing, SinglePricing } from '#features/selling/catalogue/contract.ts';
import {
  assertAddsUp,
  baseFeeOf,
  singleUnitPrice,
  usageCost,
  usagePrice,
} from '#features/selling/catalogue/rules.ts';
import type { ChargeName, chargeKinds } from './contract.ts';
import { chargeFeeLines } from './rules-charges.ts';
import type { CoveredMonth } from './rules-covers.ts';
import {
  feeLines,
  shareOf,
  type PlanOf,
  type PlanPrice,
  type PricedPlan,
  type Timeline,
} from './rules-fees.ts';
import { servedOf, type MonthPart } from './rules-month-parts.ts';

/**
 * All the time of a month with one plan at one price. It is priced as a whole, however often quantity or plan
 * changed: otherwise a customer could get new free units and cheap tiers by changing back and forth.
 */
export type PlanTime = {
  readonly plan: PricedPlan;
  readonly price: PlanPrice;
  readonly isTrial: boolean;
  readonly parts: readonly MonthPart[];
};
/** The same with its usage. */
export type UsedTime = PlanTime & {
  readonly unit: string;
  readonly quantity: Decimal;
  readonly events: bigint;
  /** The usage of each rate card charge, by key. */
  readonly charges?: ReadonlyMap<string, UsedCharge>;
};
/** The usage of a charge; `events` is the number of events. */
export type UsedCharge = { readonly usage: ChargeUsage; readonly unit: string; readonly events: bigint };

/** Groups a month's parts by plan and price, in the order of their first occurrence. */
export function planTimes(parts: readonly MonthPart[]): PlanTime[] {
  // The fast path: nearly every month has a single part.
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

/** One subscription in a month, with everything its lines are computed from. */
export type BillableSubscription = {
  readonly subscriptionId: string;
  /** The name by which the bill is sorted. */
  readonly serviceName: string;
  /** Plans, pauses, trial and end, from which base fees are computed. */
  readonly timeline: Timeline;
  readonly planOf: PlanOf;
  /** The month by plan and price; a single entry if neither changed. */
  readonly times: readonly UsedTime[];
};

export type PlannedLine = {
  readonly kind: (typeof chargeKinds)[number];
  readonly subscriptionId: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly priceVersionId: string;
  /** The rate card charge it is for. */
  readonly charge?: ChargeName;
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string | null;
  readonly exact: Decimal;
  readonly amount: Money;
  readonly steps: readonly PriceStep[];
  /** The months a fee covers, if it is billed in advance for more than a month. */
  readonly covers?: readonly CoveredMonth[];
  /** Set if it refunds a month in which nothing was served. */
  readonly isOfIdleMonth?: true;
  readonly isUndivided?: true;
};
/**
 * How usage is priced: with the steps shown on bills or, for what-if calculations over many quantities,
 * without them.
 */
export type UsagePricing = (pricing: SinglePricing, quantity: Decimal) => Pick<Price, 'exact' | 'steps'>;
const withSteps: UsagePricing = (pricing, quantity) => {
  const price = usagePrice(pricing, quantity);
  assertAddsUp(price);
  return price;
};
/** The same amounts without their calculation steps; several times faster. */
export const withoutSteps: UsagePricing = (pricing, quantity) => ({
  exact: usageCost(pricing, quantity),
  steps: [],
});

/**
 * Returns the lines of one subscription: base fees for the served time, exact usage, and the amounts of
 * minimum and maximum.
 */
export function linesOf(
  subscription: BillableSubscription,
  month: BillingMonth,
  zone: string,
  price: UsagePricing = withSteps,
): PlannedLine[] {
  const { subscriptionId, timeline, planOf } = subscription;
  const planned = [
    ...feeLines(timeline, planOf, month, zone),
    ...chargeFeeLines(timeline, planOf, month, zone),
  ];
  const fees = planned.map((fee): PlannedLine => ({
    ...fee,
    subscriptionId,
  }));
  const lines = [
    ...fees,
    ...subscription.times.flatMap((time) =>
      time.price.pricing.model === 'rate_card'
        ? cardLines(subscription, time, time.price.pricing, month, zone)
        : usageLines(subscription, time, time.price.pricing, month, zone, price),
    ),
  ];
  return [...lines, ...cardLimitLines(subscription, lines, month, zone)];
}

/** The lines of a plan's usage, and of the limits on its fee and usage. Trial days are free. */
function usageLines(
  { subscriptionId, timeline }: BillableSubscription,
  time: UsedTime,
  pricing: SinglePricing,
  month: BillingMonth,
  zone: string,
  price: UsagePricing,
): PlannedLine[] {
  if (time.isTrial) return [];
  const line = lineOf(subscriptionId, time);
  const hasLimits = pricing.minimum !== undefined || pricing.maximum !== undefined;
  const hasAllowance = 'included' in pricing && pricing.included !== undefined;
  // A level that was not reported again persists: usage without an event.
  const isUsed = pricing.model !== 'flat' && (time.events > 0n || !isZero(time.quantity));
  if (!hasLimits && !hasAllowance && !isUsed) return [];
  const usage = price(prorated(pricing, timeline, time, month, zone), time.quantity);
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
      decimal(baseFeeOf(pricing)).times(decimal(part.stretch.phase.quantity)),
      servedOf(timeline, part, month, zone).ofFee,
    ),
  );
  const charged = sumDecimals(fees).plus(usage.exact);
  const of = (limit: string | undefined): string | undefined =>
    limit === undefined ? undefined : decimalText(shareOf(decimal(limit), ofMonth));
  const due = { minimum: of(pricing.minimum), maximum: of(pricing.maximum) };
  return [...lines, ...limitLines(line, pricing, due, charged, ofMonth)];
}

type NewLine = (
  kind: PlannedLine['kind'],
  quantity: string,
  unit: string,
  unitPrice: string | null,
  exact: Decimal,
  steps: readonly PriceStep[],
  charge?: ChargeName,
) => PlannedLine;

/** Returns a builder of lines for a plan's time. */
const lineOf =
  (subscriptionId: string, { plan, price }: PlanTime): NewLine =>
  (kind, quantity, unit, unitPrice, exact, steps, charge) => ({
    kind,
    subscriptionId,
    serviceId: plan.id,
    serviceName: plan.name,
    priceVersionId: price.id,
    ...(charge && { charge }),
    quantity,
    unit,
    unitPrice,
    exact,
    amount: roundToMoney(exact, price.pricing.currency),
    steps,
  });

/**
 * What a month's minimum adds to the charges, and what its maximum deducts: `agreed` for a whole month, `due`
 * for its served share.
 */
function limitLines(
  line: NewLine,
  agreed: Pick<Pricing, 'minimum' | 'maximum'>,
  due: Pick<Pricing, 'minimum' | 'maximum'>,
  charged: Decimal,
  ofMonth: ServedShare,
): PlannedLine[] {
  const dayShare =
    ofMonth.part === ofMonth.whole
      ? '1'
      : decimalText(divide(decimal(BigInt(ofMonth.part)), decimal(BigInt(ofMonth.whole)), 12));
  const limit = (kind: 'minimum' | 'maximum', amount: Decimal, whole: string): PlannedLine[] =>
    isZero(amount)
      ? []
      : [
          line(kind, '1', 'month', null, amount, [
            {
              kind,
              from: null,
              upTo: null,
              quantity: dayShare,
              unitPrice: decimalText(decimal(whole)),
              amount: decimalText(amount),
            },
          ]),
        ];
  return [
    ...limit('minimum', topUpTo(due.minimum, charged), agreed.minimum ?? '0'),
    ...limit('maximum', zero.minus(excessOver(due.maximum, charged)), agreed.maximum ?? '0'),
  ];
}

/** The lines of a rate card's usage, charge by charge. Trial days are free. */
function cardLines(
  { subscriptionId, timeline }: BillableSubscription,
  time: UsedTime,
  card: RateCardPricing,
  month: BillingMonth,
  zone: string,
): PlannedLine[] {
  if (time.isTrial) return [];
  const line = lineOf(subscriptionId, time);
  const ofMonth = servedShare(timeline, time, month, zone);
  return card.charges.flatMap((charge): PlannedLine[] => {
    if (charge.kind !== 'usage') return [];
    const used = time.charges?.get(charge.key);
    const price = chargePrice(proratedCharge(charge, ofMonth), used?.usage ?? noUsage);
    assertAddsUp(price);
    if ((used?.events ?? 0n) === 0n && isZero(price.exact)) return [];
    return [
      line(
        'usage',
        decimalText(used?.usage.quantity ?? zero),
        used?.unit ?? time.unit,
        charge.model === 'per_unit' && charge.included === undefined ? charge.unitPrice : null,
        price.exact,
        price.steps,
        { key: charge.key, name: charge.name },
      ),
    ];
  });
}

/**
 * What the limits of a plan's rate cards add to a month, or deduct. They apply to everything the plan charges
 * in the month, each version's limit in proportion to its served share.
 */
function cardLimitLines(
  { subscriptionId, timeline, times }: BillableSubscription,
  lines: readonly PlannedLine[],
  month: BillingMonth,
  zone: string,
): PlannedLine[] {
  const cards = times.flatMap((time) =>
    time.price.pricing.model === 'rate_card' && !time.isTrial ? [{ time, card: time.price.pricing }] : [],
  );
  return [...Map.groupBy(cards, ({ time }) => time.plan.id).values()].flatMap((ofPlan) => {
    const last = ofPlan.at(-1);
    if (!last || ofPlan.every(({ card }) => card.minimum === undefined && card.maximum === undefined))
      return [];
    const charged = sumDecimals(
      lines.filter((line) => line.serviceId === last.time.plan.id).map(({ exact }) => exact),
    );
    const shares = ofPlan.map(({ time, card }) => ({
      card,
      share: servedShare(timeline, time, month, zone),
    }));
    const limitOf = (limit: 'minimum' | 'maximum'): string =>
      decimalText(sumDecimals(shares.map(({ card, share }) => shareOf(decimal(card[limit] ?? '0'), share))));
    const hasMaximum = ofPlan.every(({ card }) => card.maximum !== undefined);
    return limitLines(
      lineOf(subscriptionId, last.time),
      last.card,
      { minimum: limitOf('minimum'), ...(hasMaximum && { maximum: limitOf('maximum') }) },
      charged,
      servedTotal(shares.map(({ share }) => share)),
    );
  });
}

/**
 * The cost of a quantity of usage in a part of a month at a single price, as on its line, without base fees
 * and the month's limits.
 */
export function usageCostOf(
  timeline: Timeline,
  time: PlanTime,
  pricing: SinglePricing,
  month: BillingMonth,
  zone: string,
): (quantity: Decimal) => Decimal {
  const single = prorated(pricing, timeline, time, month, zone);
  return (quantity) => usageCost(single, quantity);
}

/**
 * Returns the usage charges of a rate card in a part of a month, as its lines price them: with their shares
 * of allowances and limits.
 */
export function usageChargesOf(
  timeline: Timeline,
  time: PlanTime,
  card: RateCardPricing,
  month: BillingMonth,
  zone: string,
): Charge[] {
  const ofMonth = servedShare(timeline, time, month, zone);
  return card.charges.filter(({ kind }) => kind === 'usage').map((charge) => proratedCharge(charge, ofMonth));
}

const noUsage = usageOfQuantity(zero);

/**
 * A charge for part of a month: its allowance, minimum and maximum are prorated, unless the charge says
 * otherwise.
 */
function proratedCharge(charge: Charge, { part, whole, unit }: ServedShare): Charge {
  if (part === whole || charge.prorate === 'none') return charge;
  const share = (text: string): string =>
    decimalText(divide(decimal(text).times(decimal(BigInt(part))), decimal(BigInt(whole)), 12));
  const limited = {
    ...charge,
    ...(charge.minimum !== undefined && {
      minimum: decimalText(shareOf(decimal(charge.minimum), { part, whole, unit })),
    }),
    ...(charge.maximum !== undefined && {
      maximum: decimalText(shareOf(decimal(charge.maximum), { part, whole, unit })),
    }),
  };
  return 'included' in limited && limited.included !== undefined
    ? { ...limited, included: share(limited.included) }
    : limited;
}

/** The served time of all parts, as a share of the month. */
export function servedShare(
  timeline: Timeline,
  { parts }: PlanTime,
  month: BillingMonth,
  zone: string,
): ServedShare {
  return servedTotal(parts.map((part) => servedOf(timeline, part, month, zone).ofMonth));
}

type ServedShare = Pick<FeeShare, 'part' | 'whole' | 'unit'>;
/** Combines shares of one month. A plan counts in one unit only, so whole and unit are the same for all. */
function servedTotal(shares: readonly ServedShare[]): ServedShare {
  const { whole, unit } = required(shares[0], 'a part of the month');
  return { part: shares.reduce((sum, share) => sum + share.part, 0), whole, unit };
}

/**
 * The price of a plan's usage. A month's allowance is prorated like its fee, with twelve digits, like any
 * quantity.
 */
export function pricingOfTime(
  timeline: Timeline,
  time: PlanTime,
  month: BillingMonth,
  zone: string,
): Pricing {
  return time.price.pricing.model === 'rate_card'
    ? time.price.pricing
    : prorated(time.price.pricing, timeline, time, month, zone);
}

function prorated(
  pricing: SinglePricing,
  timeline: Timeline,
  time: PlanTime,
  month: BillingMonth,
  zone: string,
): SinglePricing {
  if (!('included' in pricing) || pricing.included === undefined) return pricing;
  const { part, whole } = servedShare(timeline, time, month, zone);
  return {
    ...pricing,
    included: decimalText(
      divide(decimal(pricing.included).times(decimal(BigInt(part))), decimal(BigInt(whole)), 12),
    ),
  };
}
