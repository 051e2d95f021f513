// What a quantity costs where the price depends on its values: from the rate that costs least to the one that costs most. The server prices
// it; code that prices rate cards would be fetched with every page.
import { decimal, zero, type Decimal } from '#kernel/decimal.ts';
import type { Estimate, EstimateInput, Pricing } from '#features/selling/catalogue/contract.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';

type Matrix = Extract<Charge, { readonly model: 'matrix' }>;

const matricesOf = (pricing: Pricing): Matrix[] =>
  pricing.model === 'rate_card'
    ? pricing.charges.filter((charge): charge is Matrix => charge.model === 'matrix')
    : [];

/** The values that a price depends on, in the order in which they come; none where it depends on no values. */
export const pricedDimensions = (pricing: Pricing): string[] => [
  ...new Set(matricesOf(pricing).flatMap(({ rates }) => rates.flatMap(({ when }) => Object.keys(when)))),
];

/** A quantity of each usage charge, of a matrix at the given rates. */
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

/** A quantity at every rate of each matrix: what it costs tells which rates are the cheapest and the dearest. */
export const everyRate = (pricing: Pricing, quantity: string): EstimateInput =>
  inputAt(pricing, quantity, ({ rates }) => rates.map(({ when }) => when));

const keyOf = (when: Dimensions): string =>
  JSON.stringify(Object.entries(when).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** All of a quantity at the cheapest rate of each matrix, and all at its dearest, by what {@link everyRate} costs. */
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
