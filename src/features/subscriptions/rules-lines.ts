// What a subscription's month costs, line by line: what bills hold, statistics add up and what-ifs compare.
import { decimal, decimalText, divide, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { PriceStep, Pricing } from '#features/catalogue/contract.ts';
import { maximumCut, minimumTopUp, mustAddUp, singleUnitPrice, usageCost, usagePrice, type Price } from '#features/catalogue/rules.ts';
import type { chargeKinds } from './contract.ts';
import { feeLines, servedOf, shareOf, type MonthPart, type PlanOf, type Timeline } from './rules-fees.ts';

/** A part of the month with one plan and one price, and what was used in it. */
export type UsedPart = MonthPart & { readonly unit: string; readonly quantity: Decimal; readonly events: bigint };

/** One subscription in a month, with everything its lines are made of. */
export type BillableSubscription = {
  readonly subscriptionId: string;
  /** The plan by whose name the bill is sorted. */
  readonly serviceName: string;
  /** Plans, pauses, trial and end: what base fees are made of. */
  readonly timeline: Timeline;
  readonly planOf: PlanOf;
  /** Parts of the month by plan and price, the oldest first; one where neither changed. */
  readonly parts: readonly UsedPart[];
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
  mustAddUp(price);
  return price;
};
/** The same amounts, several times faster; the lines say nothing of how they come about. */
export const withoutSteps: UsagePricing = (pricing, quantity) => ({ exact: usageCost(pricing, quantity), steps: [] });

/** The lines of one subscription: base fees by what was served, usage exact, and what tops it up to its minimum or cuts it at its maximum. */
export function linesOf(subscription: BillableSubscription, month: BillingMonth, zone: string, price: UsagePricing = withSteps): PlannedLine[] {
  const { subscriptionId, timeline, planOf } = subscription;
  const fees = feeLines(timeline, planOf, month, zone).map((fee): PlannedLine => ({ ...fee, subscriptionId }));
  return [...fees, ...subscription.parts.flatMap((part) => usageLines(subscription, part, month, zone, price))];
}

/** The lines of a part's usage, and of the limits of what its fee and usage cost together. On a trial's days nothing is charged. */
function usageLines({ subscriptionId, timeline }: BillableSubscription, part: UsedPart, month: BillingMonth, zone: string, price: UsagePricing): PlannedLine[] {
  if (part.isTrial) return [];
  const { price: { id: priceVersionId, pricing }, stretch: { plan, phase } } = part;
  const line = (kind: PlannedLine['kind'], quantity: string, lineUnit: string, unitPrice: string | null, exact: Decimal, steps: readonly PriceStep[]): PlannedLine => ({
    kind, subscriptionId, serviceId: plan.id, serviceName: plan.name, priceVersionId, quantity, unit: lineUnit, unitPrice, exact, amount: roundToMoney(exact, pricing.currency), steps,
  });
  const hasLimits = pricing.minimum !== undefined || pricing.maximum !== undefined;
  const hasAllowance = 'included' in pricing && pricing.included !== undefined;
  // A level that nobody reported anew goes on: used, without an event.
  const isUsed = pricing.model !== 'flat' && (part.events > 0n || !part.quantity.eq(zero));
  if (!hasLimits && !hasAllowance && !isUsed) return [];
  const { ofMonth, ofFee } = servedOf(timeline, part, month, zone);
  const usage = price(pricingOfPart(timeline, part, month, zone), part.quantity);
  const lines: PlannedLine[] = [];
  if (isUsed) lines.push(line('usage', decimalText(part.quantity), part.unit, singleUnitPrice(pricing), usage.exact, usage.steps));
  if (!hasLimits) return lines;
  const charged = shareOf(decimal(pricing.baseFee ?? '0').times(decimal(phase.quantity)), ofFee).plus(usage.exact);
  const dayShare = ofMonth.part === ofMonth.whole ? '1' : decimalText(divide(decimal(BigInt(ofMonth.part)), decimal(BigInt(ofMonth.whole)), 12));
  const limit = (kind: 'minimum' | 'maximum', amount: Decimal, whole: string): PlannedLine => line(kind, '1', 'month', null, amount, [{ kind, from: null, upTo: null, quantity: dayShare, unitPrice: decimalText(decimal(whole)), amount: decimalText(amount) }]);
  const of = (whole: string): string => decimalText(shareOf(decimal(whole), ofMonth));
  const topUp = minimumTopUp({ ...pricing, minimum: of(pricing.minimum ?? '0') }, charged);
  if (!topUp.eq(zero)) lines.push(limit('minimum', topUp, pricing.minimum ?? '0'));
  const cut = pricing.maximum === undefined ? zero : zero.minus(maximumCut({ ...pricing, maximum: of(pricing.maximum) }, charged));
  if (!cut.eq(zero)) lines.push(limit('maximum', cut, pricing.maximum ?? '0'));
  return lines;
}

/** The price of a part's usage. What a month includes is shared out like its fee; its twelve digits are those of any quantity. */
export function pricingOfPart(timeline: Timeline, part: MonthPart, month: BillingMonth, zone: string): Pricing {
  const { pricing } = part.price;
  if (!('included' in pricing) || pricing.included === undefined) return pricing;
  const { ofMonth } = servedOf(timeline, part, month, zone);
  return { ...pricing, included: decimalText(divide(decimal(pricing.included).times(decimal(BigInt(ofMonth.part))), decimal(BigInt(ofMonth.whole)), 12)) };
}
