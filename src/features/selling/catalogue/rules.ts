// Pricing: the exact cost of an exact quantity, and its calculation.
import { decimal, decimalText, isZero, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import { assert } from '#kernel/assert.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import {
  excessOver,
  priceOfSteps,
  priceStep,
  quantityCost,
  quantityPrice,
  topUpTo,
  wrongTier,
  type Price,
  isFreeQuantity,
} from '#features/selling/rating/rules.ts';
import type { Estimate, Meter, Pricing, Quota, Service, ShownQuota, SinglePricing } from './contract.ts';

/**
 * The meter of a service whose usage is not a single quantity: its charges are fees, or have other meters. It
 * counts nothing.
 */
export const unmetered: Meter = { eventType: 'unmetered', aggregation: 'count', unit: 'event' };
/** Whether a service counts its usage as one quantity by its own meter, which may have a limit. */
export const isMetered = (meter: Pick<Meter, 'eventType'>): boolean =>
  meter.eventType !== unmetered.eventType;

/**
 * Whether a service counts a quantity that can be limited: its own, or that of the meter named by the limit.
 */
export const countsLimited = ({ meter, quota }: { meter: Pick<Meter, 'eventType'>; quota: Quota }): boolean =>
  isMetered(meter) || (quota.type !== 'unlimited' && quota.meter !== undefined);
/** The unit of a service's limit. */
export const limitUnit = ({ meter, quota }: { meter: Pick<Meter, 'unit'>; quota: ShownQuota }): string =>
  quota.type === 'unlimited' ? meter.unit : (quota.unit ?? meter.unit);
/**
 * Whether a service cannot be subscribed to on its own, but is added to subscriptions of certain plan
 * families.
 */
export const isAddOn = ({ addOnTo }: { readonly addOnTo?: readonly string[] | undefined }): boolean =>
  addOnTo !== undefined && addOnTo.length > 0;

/**
 * Returns a list price with the charges agreed with an organization; all others are the list's. A list price
 * without charges is returned unchanged.
 */
export const withOwnCharges = (list: Pricing, own: readonly Charge[]): Pricing =>
  list.model !== 'rate_card'
    ? list
    : { ...list, charges: list.charges.map((charge) => own.find(({ key }) => key === charge.key) ?? charge) };

/** The unit of a service's single quantity; empty if it has none. */
export const unitOf = (meter: Pick<Meter, 'eventType' | 'unit'>): string =>
  isMetered(meter) ? meter.unit : '';

/** The unit of a rate card's charge: that of its meter; empty for a fee, which counts no usage. */
export const cardChargeUnit = (
  { kind, meter = '' }: Pick<Charge, 'kind' | 'meter'>,
  meterUnits: Service['meterUnits'],
): string => (kind === 'usage' ? (meterUnits[meter] ?? '') : '');

/** The unit of a service's charge, of a rate card or a single price. */
export const chargeUnit = (
  charge: Pick<Charge, 'kind' | 'meter'>,
  { pricing, meter, meterUnits }: Pick<Service, 'pricing' | 'meter' | 'meterUnits'>,
): string =>
  pricing.model === 'rate_card' || charge.kind !== 'usage'
    ? cardChargeUnit(charge, meterUnits)
    : unitOf(meter);

/**
 * The usage cost of a month's quantity, without base fee and minimum. A negative quantity (corrections exceed
 * usage) is priced at the first tier's unit price and enters no tier.
 * @throws RangeError when the quantity has more than 24 fraction digits.
 */
export const usagePrice = (pricing: SinglePricing, quantity: Decimal): Price =>
  quantityPrice(pricing, quantity);

/**
 * The exact price of {@link usagePrice} without its steps; several times faster, for sums over many
 * quantities.
 */
export const usageCost = (pricing: SinglePricing, quantity: Decimal): Decimal =>
  quantityCost(pricing, quantity);

/** The amount that raises a month to its minimum; zero if the charges reach it. */
export const minimumTopUp = (pricing: Pricing, charged: Decimal): Decimal =>
  topUpTo(pricing.minimum, charged);

/**
 * The amount by which a month exceeds its maximum, which is deducted; zero if it does not exceed it or there
 * is none.
 */
export const maximumCut = (pricing: Pricing, charged: Decimal): Decimal =>
  excessOver(pricing.maximum, charged);

/**
 * The price of a whole month with this quantity: base fee, usage, the minimum's addition and the maximum's
 * deduction.
 */
export function monthPrice(pricing: SinglePricing, quantity: Decimal): Price {
  const baseFee = decimal(pricing.baseFee ?? '0');
  const usage = usagePrice(pricing, quantity);
  const charged = baseFee.plus(usage.exact);
  const topUp = minimumTopUp(pricing, charged);
  const cut = maximumCut(pricing, charged);
  const one = decimal('1');
  return priceOfSteps([
    ...(isZero(baseFee) ? [] : [priceStep('base', one, baseFee, baseFee)]),
    ...usage.steps,
    // The step shows the agreed minimum as its unit price, because the added amount may have more digits than
    // a price can have.
    ...(isZero(topUp) ? [] : [priceStep('minimum', one, decimal(pricing.minimum ?? '0'), topUp)]),
    ...(isZero(cut) ? [] : [priceStep('maximum', one, decimal(pricing.maximum ?? '0'), zero.minus(cut))]),
  ]);
}

/** The price of a month as an estimate for display: rounded to the currency, with its steps. */
export function estimateOf(pricing: SinglePricing, quantity: Decimal): Estimate {
  const price = monthPrice(pricing, quantity);
  return {
    amount: roundToMoney(price.exact, pricing.currency),
    exact: decimalText(price.exact),
    lines: [...price.steps],
  };
}

/** The single unit price of a pricing, if it has one. */
export function singleUnitPrice(pricing: Pricing): string | null {
  return pricing.model === 'per_unit' && pricing.included === undefined ? pricing.unitPrice : null;
}

export type PricingMistake =
  | 'catalogue.tiers_wrong'
  | 'catalogue.package_size_zero'
  | 'catalogue.maximum_below_minimum';

/**
 * Why a pricing is invalid beyond its schema: tiers must ascend and end unbounded, and packages must not be
 * empty.
 */
export function pricingMistake(pricing: Pricing): PricingMistake | undefined {
  // The charges of a rate card are checked separately (rating).
  if (pricing.model === 'rate_card') return undefined;
  if (pricing.maximum !== undefined && decimal(pricing.maximum).lt(decimal(pricing.minimum ?? '0')))
    return 'catalogue.maximum_below_minimum';
  if (pricing.model === 'package')
    return decimal(pricing.packageSize).gt(zero) ? undefined : 'catalogue.package_size_zero';
  if (!('tiers' in pricing)) return undefined;
  return wrongTier(pricing.tiers) === undefined ? undefined : 'catalogue.tiers_wrong';
}

/** The base fee of a price as entered; a rate card has charges instead. */
export const baseFeeOf = (pricing: Pricing): string =>
  pricing.model === 'rate_card' ? '0' : (pricing.baseFee ?? '0');

/** Whether usage is free in any quantity, disregarding the base fee and a month's limits. */
export const isFreeUsage = (pricing: SinglePricing): boolean =>
  pricing.model === 'flat' || isFreeQuantity(pricing);

/** The fixed fee of a month, as decimal text. */
export function monthlyFee(pricing: Pricing): string {
  return decimalText(decimal(baseFeeOf(pricing)));
}

/** Asserts that steps add up to their price; otherwise it must never be billed. */
export function assertAddsUp(price: Price): void {
  assert(
    price.steps.reduce((sum, each) => sum.plus(decimal(each.amount)), zero).eq(price.exact),
    'price steps add up to the price',
  );
}
