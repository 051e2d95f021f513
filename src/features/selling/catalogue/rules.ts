// Pricing: the exact cost of an exact quantity, and its calculation.
import { decimal, decimalText, zero, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import { assert } from '#kernel/assert.ts';
import type { Estimate, PriceStep, Pricing } from './contract.ts';
import {
  amountOfUnits,
  amountText,
  priceInUnits,
  priceText,
  quantityText,
  quantityUnits,
} from './rules-units.ts';

/** An exact price in major units with the steps that make it; the steps' amounts add up to it. */
export type Price = { readonly exact: Decimal; readonly steps: readonly PriceStep[] };

const text = decimalText;
const step = (
  kind: PriceStep['kind'],
  quantity: Decimal,
  unitPrice: Decimal,
  amount: Decimal,
): PriceStep => ({
  kind,
  from: null,
  upTo: null,
  quantity: text(quantity),
  unitPrice: text(unitPrice),
  amount: text(amount),
});
const priceOf = (steps: readonly PriceStep[]): Price => ({
  steps,
  exact: steps.reduce((sum, each) => sum.plus(decimal(each.amount)), zero),
});

/**
 * The cost of a month's quantity by usage only, without base fee and minimum. A negative quantity
 * (corrections exceed usage) is priced at the first tier's unit price and enters no tier.
 * @throws RangeError when the quantity has more than 24 fraction digits.
 * @throws RangeError when the quantity has more than 24 fraction digits.
 */
export function usagePrice(pricing: Pricing, quantity: Decimal): Price {
  const steps: PriceStep[] = [];
  const amount = priceInUnits(pricing)(quantityUnits(quantity), (kind, of, unitPrice, part, from, upTo) => {
    steps.push({
      kind,
      from: from === undefined ? null : quantityText(from),
      upTo: upTo === undefined || upTo === null ? null : quantityText(upTo),
      quantity: quantityText(of),
      unitPrice: priceText(unitPrice),
      amount: amountText(part),
    });
  });
  return { exact: amountOfUnits(amount), steps };
}

/**
 * The exact price of {@link usagePrice} without its steps, several times faster: for sums over many
 * quantities.
 */
export function usageCost(pricing: Pricing, quantity: Decimal): Decimal {
  return amountOfUnits(priceInUnits(pricing)(quantityUnits(quantity)));
}

/** The amount that fills a month up to its minimum commitment; zero when the charges reach it. */
export function minimumTopUp(pricing: Pricing, charged: Decimal): Decimal {
  const minimum = decimal(pricing.minimum ?? '0');
  // Without a minimum nothing is topped up, not even a month with a negative total.
  if (minimum.eq(zero)) return zero;
  const missing = minimum.minus(charged);
  return missing.gt(zero) ? missing : zero;
}

/** By how much a month exceeds its maximum, which is deducted; zero when it does not or there is none. */
export function maximumCut(pricing: Pricing, charged: Decimal): Decimal {
  if (pricing.maximum === undefined) return zero;
  const above = charged.minus(decimal(pricing.maximum));
  return above.gt(zero) ? above : zero;
}

/** What a whole month with this quantity costs: base fee, usage, what the minimum adds and what the maximum takes off. */
export function monthPrice(pricing: Pricing, quantity: Decimal): Price {
  const baseFee = decimal(pricing.baseFee ?? '0');
  const usage = usagePrice(pricing, quantity);
  const charged = baseFee.plus(usage.exact);
  const topUp = minimumTopUp(pricing, charged);
  const cut = maximumCut(pricing, charged);
  const one = decimal('1');
  return priceOf([
    ...(baseFee.eq(zero) ? [] : [step('base', one, baseFee, baseFee)]),
    ...usage.steps,
    // The step shows the agreed minimum as its unit price, because the amount added may have more digits than
    // a price may.
    ...(topUp.eq(zero) ? [] : [step('minimum', one, decimal(pricing.minimum ?? '0'), topUp)]),
    ...(cut.eq(zero) ? [] : [step('maximum', one, decimal(pricing.maximum ?? '0'), zero.minus(cut))]),
  ]);
}

/** The price of a month as an estimate for a reader: rounded to the currency, with its steps. */
export function estimateOf(pricing: Pricing, quantity: Decimal): Estimate {
  const price = monthPrice(pricing, quantity);
  return {
    amount: roundToMoney(price.exact, pricing.currency),
    exact: text(price.exact),
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
 * What is wrong with a pricing beyond its shape: tiers must rise and end unbounded, packages must not be
 * empty.
 */
export function pricingMistake(pricing: Pricing): PricingMistake | undefined {
  if (pricing.maximum !== undefined && decimal(pricing.maximum).lt(decimal(pricing.minimum ?? '0')))
    return 'catalogue.maximum_below_minimum';
  if (pricing.model === 'package')
    return decimal(pricing.packageSize).gt(zero) ? undefined : 'catalogue.package_size_zero';
  if (pricing.model !== 'graduated' && pricing.model !== 'volume') return undefined;
  let from = zero;
  for (const [index, tier] of pricing.tiers.entries()) {
    const isLast = index === pricing.tiers.length - 1;
    if ((tier.upTo === null) !== isLast) return 'catalogue.tiers_wrong';
    if (tier.upTo !== null) {
      if (decimal(tier.upTo).lte(from)) return 'catalogue.tiers_wrong';
      from = decimal(tier.upTo);
    }
  }
  return undefined;
}

/** The fixed fee of a month, as a decimal text. */
export function monthlyFee(pricing: Pricing): string {
  return text(decimal(pricing.baseFee ?? '0'));
}

/** Asserts that steps add up to their price; a price that does not is never billed. */
export function assertAddsUp(price: Price): void {
  assert(
    price.steps.reduce((sum, each) => sum.plus(decimal(each.amount)), zero).eq(price.exact),
    'price steps add up to the price',
  );
}
