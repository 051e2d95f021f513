// What a quantity costs where the price depends on its values: from the rate that costs least to the one that costs most.
import { decimal } from '#kernel/decimal.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';
import { chargePrice } from '#features/selling/rating/rules.ts';
import type { EstimateInput, Pricing } from './contract.ts';

type Matrix = Extract<Charge, { readonly model: 'matrix' }>;

const matricesOf = (pricing: Pricing): Matrix[] =>
  pricing.model === 'rate_card'
    ? pricing.charges.filter((charge): charge is Matrix => charge.model === 'matrix')
    : [];

/** The values that a price depends on, in the order in which they come. */
export const pricedDimensions = (pricing: Pricing): string[] => [
  ...new Set(matricesOf(pricing).flatMap(({ rates }) => rates.flatMap(({ when }) => Object.keys(when)))),
];

/** The rates' values, from the one at which a quantity costs least to the one at which it costs most. */
function ratesByCost(charge: Matrix, quantity: string): Dimensions[] {
  const used = decimal(quantity);
  return charge.rates
    .map(({ when }) => ({
      when,
      cost: chargePrice(charge, { quantity: used, cells: [{ dimensions: when, quantity: used }], events: [] })
        .exact,
    }))
    .toSorted((a, b) => a.cost.cmp(b.cost))
    .map(({ when }) => when);
}

/**
 * What to estimate for a quantity of each usage charge, all of a matrix at its cheapest rate and all at its dearest. Both are the same
 * where no price depends on values.
 * @param quantity a decimal that is not below zero
 */
export function estimateRange(
  pricing: Pricing,
  quantity: string,
): { readonly least: EstimateInput; readonly most: EstimateInput } {
  if (pricing.model !== 'rate_card') return { least: { quantity }, most: { quantity } };
  const inputOf = (
    usageOf: (charge: Charge) => NonNullable<EstimateInput['usage']>[string],
  ): EstimateInput => ({
    usage: Object.fromEntries(
      pricing.charges.filter(({ kind }) => kind === 'usage').map((charge) => [charge.key, usageOf(charge)]),
    ),
  });
  const at = (place: 0 | -1) =>
    inputOf((charge) =>
      charge.model === 'matrix'
        ? [{ value: quantity, dimensions: ratesByCost(charge, quantity).at(place) ?? {} }]
        : quantity,
    );
  return { least: at(0), most: at(-1) };
}
