// The exact price of one charge: of its usage, or of its fee. Sources: Lago's charge models
// (https://getlago.com/docs/guide/plans/charges/charge-models/overview) for percentage, graduated percentage
// and dynamic charges; Stripe's tiers
// (https://docs.stripe.com/billing/subscriptions/usage-based/pricing-models): upper bounds belong to their
// tier, and a graduated price adds the flat fee of each tier that is entered.
import { decimal, decimalText, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Charge, Dimensions, DraftCharge, MatrixRate, PriceStep } from './contract.ts';
import { percentagePrice, type EventBlock } from './rules-percentage.ts';
import { priceOfSteps, priceStep, type Price } from './rules-price-steps.ts';
import {
  amountOfUnits,
  amountText,
  priceInUnits,
  priceText,
  quantityText,
  quantityUnits,
  type QuantityPricing,
} from './rules-units.ts';

/** One event as pricing sees it: its value and its dimensions. */
export type RatedEvent = { readonly value: Decimal; readonly dimensions: Dimensions };
/**
 * The usage of a charge in one of its periods. `quantity` is the meter's quantity for all of it, a cell's the
 * quantity of events with these dimension values. Only percentage charges need `events`: in order of time,
 * then source and id, without canceled ones; as blocks where the price needs no more.
 */
export type ChargeUsage = {
  readonly quantity: Decimal;
  readonly cells: readonly { readonly dimensions: Dimensions; readonly quantity: Decimal }[];
  readonly events: readonly EventBlock[];
};

const one = decimal('1');
const hundredth = decimal('0.01');

/**
 * Returns the price of a quantity. A negative quantity (corrections exceed usage) is priced at the first
 * tier's unit price and enters no tier.
 * @throws RangeError when the quantity has more than 24 fraction digits.
 */
export function quantityPrice(pricing: QuantityPricing, quantity: Decimal, when?: Dimensions): Price {
  const steps: PriceStep[] = [];
  const amount = priceInUnits(pricing)(quantityUnits(quantity), (kind, of, unitPrice, part, from, upTo) => {
    steps.push({
      kind,
      from: from === undefined ? null : quantityText(from),
      upTo: upTo === undefined || upTo === null ? null : quantityText(upTo),
      quantity: quantityText(of),
      unitPrice: priceText(unitPrice),
      amount: amountText(part),
      ...(when && { when }),
    });
  });
  return { exact: amountOfUnits(amount), steps };
}

/**
 * Returns the exact price of {@link quantityPrice} without its steps; several times faster, for sums over
 * many quantities.
 */
export function quantityCost(pricing: QuantityPricing, quantity: Decimal): Decimal {
  return amountOfUnits(priceInUnits(pricing)(quantityUnits(quantity)));
}

/** Thrown when no rate of a matrix matches events with these values. */
export class NoRateError extends Error {
  readonly dimensions: Dimensions;
  constructor(dimensions: Dimensions) {
    super('no rate of the matrix is for these values');
    this.dimensions = dimensions;
  }
}

/**
 * Returns the exact price of a charge's usage in a period, including its minimum's addition and its maximum's
 * deduction; for a flat charge, the usage does not matter.
 * @throws NoRateError when a matrix has no rate for some of the usage.
 * @throws RangeError when a quantity has more than 24 fraction digits.
 */
export function chargePrice(charge: Charge | DraftCharge, usage: ChargeUsage): Price {
  const { exact, steps } = modelPrice(charge, usage);
  const topUp = topUpTo(charge.minimum, exact);
  const cut = excessOver(charge.maximum, exact);
  return priceOfSteps([
    ...steps,
    ...(isZero(topUp) ? [] : [priceStep('minimum', one, decimal(charge.minimum ?? '0'), topUp)]),
    ...(isZero(cut) ? [] : [priceStep('maximum', one, decimal(charge.maximum ?? '0'), zero.minus(cut))]),
  ]);
}

/**
 * The amount that raises charges to a minimum; zero if they reach it. Without a minimum nothing is added, not
 * even to a negative sum.
 */
export function topUpTo(minimum: string | undefined, charged: Decimal): Decimal {
  const atLeast = decimal(minimum ?? '0');
  if (isZero(atLeast)) return zero;
  const missing = atLeast.minus(charged);
  return missing.gt(zero) ? missing : zero;
}

/**
 * The amount by which charges exceed a maximum, which is deducted; zero if they do not exceed it or there is
 * none.
 */
export function excessOver(maximum: string | undefined, charged: Decimal): Decimal {
  if (maximum === undefined) return zero;
  const above = charged.minus(decimal(maximum));
  return above.gt(zero) ? above : zero;
}

function modelPrice(charge: Charge | DraftCharge, usage: ChargeUsage): Price {
  switch (charge.model) {
    case 'flat': {
      const amount = decimal(charge.amount);
      return priceOfSteps([priceStep('base', one, amount, amount)]);
    }
    case 'per_unit':
    case 'package':
      return quantityPrice(charge, usage.quantity);
    case 'graduated':
    case 'volume':
      return charge.tierScope === 'per_value'
        ? sumOfPrices(usage.cells.map((cell) => quantityPrice(charge, cell.quantity, cell.dimensions)))
        : quantityPrice(charge, usage.quantity);
    case 'percentage':
      return percentagePrice(charge, usage.events);
    case 'graduated_percentage':
      return graduatedPercentagePrice(charge, usage.quantity);
    case 'dynamic':
      return priceOfSteps(
        isZero(usage.quantity) ? [] : [priceStep('dynamic', usage.quantity, one, usage.quantity)],
      );
    case 'matrix':
      return matrixPrice(charge, usage);
  }
}

const sumOfPrices = (prices: readonly Price[]): Price => ({
  steps: prices.flatMap(({ steps }) => steps),
  exact: sumDecimals(prices.map(({ exact }) => exact)),
});

type GraduatedPercentage = Extract<Charge | DraftCharge, { model: 'graduated_percentage' }>;

/**
 * Prices each part of the total amount at the percentage of its tier, with the flat fee of each tier that is
 * entered.
 */
function graduatedPercentagePrice({ tiers }: GraduatedPercentage, quantity: Decimal): Price {
  const steps: PriceStep[] = [];
  let from = zero;
  for (const { upTo, ratePercent, flatFee } of tiers) {
    if (from.gt(zero) && quantity.lte(from)) break;
    const end = upTo === null ? null : decimal(upTo);
    const inTier = (end !== null && quantity.gt(end) ? end : quantity).minus(from);
    const rate = decimal(ratePercent).times(hundredth);
    const bounds = { from: decimalText(from), upTo: end === null ? null : decimalText(end) };
    steps.push(priceStep('percentage', inTier, rate, inTier.times(rate), bounds));
    const fee = decimal(flatFee ?? '0');
    if (!isZero(fee) && quantity.gt(from)) steps.push(priceStep('flat_fee', one, fee, fee, bounds));
    if (end === null) break;
    from = end;
  }
  return priceOfSteps(steps);
}

type Matrix = Extract<Charge | DraftCharge, { model: 'matrix' }>;

/** Whether a rate matches events with these values. */
function isFor({ when }: MatrixRate, dimensions: Dimensions): boolean {
  // Called for every rate and cell, so it loops without building lists of the conditions.
  for (const name in when)
    if (!Object.hasOwn(dimensions, name) || dimensions[name] !== when[name]) return false;
  return true;
}

/**
 * Returns the rate of a matrix for events with these values: of the matching rates, the one with the most
 * conditions, and of several with equally many, the first. Undefined if there is none.
 */
export function rateFor(rates: readonly MatrixRate[], dimensions: Dimensions): MatrixRate | undefined {
  let best: MatrixRate | undefined;
  for (const rate of rates)
    if (isFor(rate, dimensions) && (!best || Object.keys(rate.when).length > Object.keys(best.when).length))
      best = rate;
  return best;
}

/** The pricing of a matrix rate. */
const pricingOfRate = (rate: MatrixRate): QuantityPricing => {
  if ('unitPrice' in rate) return { model: 'per_unit', unitPrice: rate.unitPrice };
  if ('tiers' in rate) return { model: rate.tierModel ?? 'graduated', tiers: rate.tiers };
  return { model: 'package', ...rate.package };
};

/**
 * Prices each part of the usage at its most specific rate. Parts with the same rate are priced as one sum or,
 * with the tier scope `per_value`, each combination of values separately.
 */
function matrixPrice({ rates, tierScope }: Matrix, { cells }: ChargeUsage): Price {
  const byRate = new Map<MatrixRate, { dimensions: Dimensions; quantity: Decimal }[]>();
  for (const cell of cells) {
    const rate = rateFor(rates, cell.dimensions);
    if (!rate) throw new NoRateError(cell.dimensions);
    const parts = byRate.get(rate);
    if (parts) parts.push(cell);
    else byRate.set(rate, [cell]);
  }
  return sumOfPrices(
    rates.flatMap((rate): Price[] => {
      const parts = byRate.get(rate);
      if (!parts) return [];
      const pricing = pricingOfRate(rate);
      return tierScope === 'per_value'
        ? parts.map((part) => quantityPrice(pricing, part.quantity, part.dimensions))
        : [quantityPrice(pricing, sumDecimals(parts.map((part) => part.quantity)), rate.when)];
    }),
  );
}
