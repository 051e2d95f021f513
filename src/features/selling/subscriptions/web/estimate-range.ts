// The cost range of a quantity if the price depends on dimension values: from the cheapest rate to the most
// expensive one. The server prices it; otherwise every page would load the code that prices rate cards.
import { decimal, zero, type Decimal } from '#kernel/decimal.ts';
import type { Estimate, EstimateInput, Pricing } from '#features/selling/catalogue/contract.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';

type Matrix = Extract<Charge, { readonly model: 'matrix' }>;

const matricesOf = (pricing: Pricing): Matrix[] =>
  pricing.model === 'rate_card'
    ? pricing.charges.filter((charge): charge is Matrix => charge.model === 'matrix')
    : [];

/** The dimensions that a price depends on, in order of occurrence; empty if there are none. */
export const pricedDimensions = (pricing: Pricing): string[] => [
  ...new Set(matricesOf(pricing).flatMap(({ rates }) => rates.flatMap(({ when }) => Object.keys(when)))),
];

/** A quantity for each usage charge, and for a matrix at the given rates. */
function inputAt(
  pricing: Pricing,
  quantity: string,
  ratesOf: (charge: Matrix) => readonly Dimensions[],
): EstimateInput {
  if (pricing.model !== 'rate_card') return { quantity };
  return {
    usage: Object.fromEntries(
      pricing.charges
        .filter(({ kind }) => kind === 'usage')
        .map((charge) => [
          charge.key,
          charge.model === 'matrix'
            ? ratesOf(charge).map((dimensions) => ({ value: quantity, dimensions }))
            : quantity,
        ]),
    ),
  };
}

/**
 * A quantity at every rate of each matrix; the costs show which rates are the cheapest and the most
 * expensive.
 */
export const everyRate = (pricing: Pricing, quantity: string): EstimateInput =>
  inputAt(pricing, quantity, ({ rates }) => rates.map(({ when }) => when));

const keyOf = (when: Dimensions): string =>
  JSON.stringify(Object.entries(when).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The whole quantity at the cheapest rate of each matrix, and at the most expensive one, according to the
 * costs of {@link everyRate}.
 */
export function estimateRange(
  pricing: Pricing,
  quantity: string,
  { charges = [] }: Pick<Estimate, 'charges'>,
): { readonly least: EstimateInput; readonly most: EstimateInput } {
  const ratesByCost = ({ key, rates }: Matrix): Dimensions[] => {
    const costs = new Map<string, Decimal>();
    for (const { when, amount } of charges.find((charge) => charge.key === key)?.lines ?? [])
      if (when) costs.set(keyOf(when), (costs.get(keyOf(when)) ?? zero).plus(decimal(amount)));
    const costOf = (when: Dimensions): Decimal => costs.get(keyOf(when)) ?? zero;
    return rates.map(({ when }) => when).toSorted((a, b) => costOf(a).cmp(costOf(b)));
  };
  const at = (place: 0 | -1) => inputAt(pricing, quantity, (charge) => [ratesByCost(charge).at(place) ?? {}]);
  return { least: at(0), most: at(-1) };
}
