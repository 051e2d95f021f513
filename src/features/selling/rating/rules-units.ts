// Prices in integers: quantities in 10^-24, prices in 10^-12, amounts in 10^-36, so that products stay exact
// and additions are cheap.
import { oncePer } from '#kernel/once.ts';
import { decimalText, fromUnits, unitsOf, unitsText, type Decimal } from '#kernel/decimal.ts';
import type { packageRoundings, PriceStep, Tier } from './contract.ts';

// A quantity has 12 fraction digits; a share of a month's allowance, with which it is compared, has up to 24.
const quantityDigits = 24;
const priceDigits = 12;
const amountDigits = quantityDigits + priceDigits;
const one = 10n ** BigInt(quantityDigits);

/** Converts a quantity to units of 10^-24. Throws a RangeError if it has more fraction digits. */
export const quantityUnits = (quantity: Decimal): bigint => unitsOf(decimalText(quantity), quantityDigits);
/** The text of a quantity in 10^-24. */
export const quantityText = (units: bigint): string => unitsText(units, quantityDigits);
/** The text of a price in 10^-12. */
export const priceText = (units: bigint): string => unitsText(units, priceDigits);
/** The text of an amount in 10^-36. */
export const amountText = (units: bigint): string => unitsText(units, amountDigits);
/** An amount in 10^-36 as a decimal. */
export const amountOfUnits = (units: bigint): Decimal => fromUnits(units, amountDigits);

/**
 * Called for each step of a price. `from` and `upTo` are the bounds of a tier or allowance; a null `upTo`
 * means unbounded.
 */
export type Visit = (
  kind: PriceStep['kind'],
  quantity: bigint,
  unitPrice: bigint,
  amount: bigint,
  from?: bigint,
  upTo?: bigint | null,
) => void;
/** Returns the exact amount of a quantity; all in their units. */
export type PriceFunction = (quantity: bigint, visit?: Visit) => bigint;

/** A price that depends on a single quantity. A flat one costs nothing here: it is a fee, not usage. */
export type QuantityPricing =
  | { readonly model: 'flat' }
  | { readonly model: 'per_unit'; readonly included?: string | undefined; readonly unitPrice: string }
  | {
      readonly model: 'graduated' | 'volume';
      readonly included?: string | undefined;
      readonly tiers: readonly Tier[];
    }
  | {
      readonly model: 'package';
      readonly packageSize: string;
      readonly packagePrice: string;
      readonly freeUnits?: string | undefined;
      readonly rounding?: (typeof packageRoundings)[number] | undefined;
    };

/**
 * Compiles the usage price of a pricing into a function, so that its texts are parsed once: pricing objects are
 * never modified.
 */
export const priceInUnits: (pricing: QuantityPricing) => PriceFunction = oncePer(withAllowance);

/** The allowance covers the first part of a quantity; the price applies to the rest. */
function withAllowance(pricing: QuantityPricing): PriceFunction {
  const price = charged(pricing);
  const allowance =
    'included' in pricing && pricing.included !== undefined ? unitsOf(pricing.included, quantityDigits) : 0n;
  if (allowance === 0n) return price;
  return (quantity, visit) => {
    if (quantity <= 0n) return price(quantity, visit);
    const free = quantity < allowance ? quantity : allowance;
    visit?.('included', free, 0n, 0n, undefined, allowance);
    return price(quantity - free, visit);
  };
}

function charged(pricing: QuantityPricing): PriceFunction {
  switch (pricing.model) {
    case 'flat':
      return () => 0n;
    case 'per_unit': {
      const unitPrice = unitsOf(pricing.unitPrice, priceDigits);
      return (quantity, visit) => {
        const amount = quantity * unitPrice;
        visit?.('unit', quantity, unitPrice, amount);
        return amount;
      };
    }
    case 'graduated':
      return graduatedPrice(pricing.tiers.map(tierUnits));
    case 'volume':
      return volume(pricing.tiers.map(tierUnits));
    case 'package':
      return packages(
        unitsOf(pricing.packageSize, quantityDigits),
        unitsOf(pricing.packagePrice, priceDigits),
        unitsOf(pricing.freeUnits ?? '0', quantityDigits),
        pricing.rounding === 'down',
      );
  }
}

type TierUnits = {
  readonly from: bigint;
  readonly upTo: bigint | null;
  readonly unitPrice: bigint;
  readonly flatFee: bigint;
};

function tierUnits({ upTo, unitPrice, flatFee }: Tier, index: number, tiers: readonly Tier[]): TierUnits {
  const before = tiers[index - 1]?.upTo;
  return {
    from: before === undefined || before === null ? 0n : unitsOf(before, quantityDigits),
    upTo: upTo === null ? null : unitsOf(upTo, quantityDigits),
    unitPrice: unitsOf(unitPrice, priceDigits),
    flatFee: unitsOf(flatFee ?? '0', priceDigits),
  };
}

/**
 * Prices each part of the quantity at the price of its tier: (from, upTo]. The first tier's fee is charged
 * once there is usage.
 */
function graduatedPrice(tiers: readonly TierUnits[]): PriceFunction {
  return (quantity, visit) => {
    let sum = 0n;
    for (const { from, upTo, unitPrice, flatFee } of tiers) {
      if (from > 0n && quantity <= from) break;
      const inTier = (upTo !== null && quantity > upTo ? upTo : quantity) - from;
      const amount = inTier * unitPrice;
      sum += amount;
      visit?.('tier', inTier, unitPrice, amount, from, upTo);
      if (flatFee !== 0n && quantity > from) {
        sum += flatFee * one;
        visit?.('flat_fee', one, flatFee, flatFee * one, from, upTo);
      }
    }
    return sum;
  };
}

/** Prices the whole quantity at the price of the one tier that contains it. */
function volume(tiers: readonly TierUnits[]): PriceFunction {
  return (quantity, visit) => {
    const tier = tiers.find(({ upTo }) => upTo === null || quantity <= upTo);
    if (!tier) throw new Error('the last tier has an upper end');
    const { from, upTo, unitPrice, flatFee } = tier;
    const amount = quantity * unitPrice;
    visit?.('tier', quantity, unitPrice, amount, from, upTo);
    if (flatFee === 0n || quantity <= 0n) return amount;
    visit?.('flat_fee', one, flatFee, flatFee * one, from, upTo);
    return amount + flatFee * one;
  };
}

/** Free units are used first. A started package counts fully or, if rounded down, not at all. */
function packages(size: bigint, price: bigint, free: bigint, isRoundedDown: boolean): PriceFunction {
  return (quantity, visit) => {
    const billable = quantity - free;
    const started = isRoundedDown ? billable : billable + size - 1n;
    const count = billable > 0n ? started / size : 0n;
    const amount = count * price * one;
    visit?.('package', count * one, price, amount);
    return amount;
  };
}
