// The difference of two prices, term by term: what was added, removed and changed.
import { decimalPattern, trimDecimal } from '#kernel/decimal.ts';
import { byKey } from '#kernel/order.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';
import type { Pricing, RateCardPricing } from './contract.ts';

/** Terms whose value is an amount in the price's currency. */
export const amountTerms = [
  'amount',
  'unitPrice',
  'flatFee',
  'packagePrice',
  'fixedPerEvent',
  'freeAmount',
  'minPerEvent',
  'maxPerEvent',
  'baseFee',
  'minimum',
  'maximum',
] as const;
/** Terms whose value is a number of units or events. */
export const quantityTerms = ['included', 'packageSize', 'freeUnits', 'freeEvents'] as const;
/** Terms whose value is one of a few, each with its own text. */
export const choiceTerms = [
  'kind',
  'model',
  'tierModel',
  'tierScope',
  'rounding',
  'cycle',
  'timing',
  'prorate',
  'anchor',
] as const;
/** Terms whose value is free text. */
export const textTerms = ['meter', 'taxCategory', 'zhTW', 'enUS'] as const;
export const termNames = [
  ...amountTerms,
  ...quantityTerms,
  'ratePercent',
  ...choiceTerms,
  ...textTerms,
] as const;
export type TermName = (typeof termNames)[number];

/**
 * One term of a price: of a tier (`from` to `upTo`, null if unbounded), of a matrix rate (`when`), or of the
 * whole price.
 */
export type PriceTerm = {
  readonly name: TermName;
  readonly value: string;
  readonly tier?: { readonly from: string; readonly upTo: string | null };
  readonly when?: Dimensions;
};
/** A term that differs; without `before` it was added, without `after` it was removed. */
export type ChangedTerm = Omit<PriceTerm, 'value'> & { readonly before?: string; readonly after?: string };
/** What changed for a charge or, without one, for the price as a whole. */
export type PriceDifference = {
  readonly charge: Charge | null;
  readonly action: 'added' | 'removed' | 'changed';
  /** Only changed terms. */
  readonly terms: readonly ChangedTerm[];
};

/** The defaults of terms that a charge leaves out. */
const usual: Readonly<Partial<Record<TermName, string>>> = {
  tierModel: 'graduated',
  tierScope: 'overall',
  rounding: 'up',
  cycle: 'month',
  prorate: 'day',
  anchor: 'calendar',
};

const nameOf = (text: string): TermName | undefined => termNames.find((name) => name === text);

/** Returns the terms of an object that are not lists. */
function plainTerms(of: object, place: Pick<PriceTerm, 'tier' | 'when'> = {}): PriceTerm[] {
  return Object.entries(of).flatMap(([field, value]: [string, unknown]): PriceTerm[] => {
    const name = nameOf(field);
    if (!name || (typeof value !== 'string' && typeof value !== 'number')) return [];
    const text = String(value);
    return text === usual[name] ? [] : [{ name, value: text, ...place }];
  });
}

type Steps = readonly { readonly upTo: string | null }[];
const tierTerms = (tiers: Steps, when?: Dimensions): PriceTerm[] =>
  tiers.flatMap((tier, index) =>
    plainTerms(tier, {
      tier: { from: tiers[index - 1]?.upTo ?? '0', upTo: tier.upTo },
      ...(when && { when }),
    }),
  );

function termsOf(price: Charge | Exclude<Pricing, RateCardPricing>): PriceTerm[] {
  return [
    ...plainTerms(price),
    ...('name' in price ? plainTerms(price.name) : []),
    ...('tiers' in price ? tierTerms(price.tiers) : []),
    ...('rates' in price
      ? price.rates.flatMap((rate) => [
          ...plainTerms(rate, { when: rate.when }),
          ...('package' in rate ? plainTerms(rate.package, { when: rate.when }) : []),
          ...('tiers' in rate ? tierTerms(rate.tiers, rate.when) : []),
        ])
      : []),
  ];
}

const trimmed = (text: string): string => (decimalPattern.test(text) ? trimDecimal(text) : text);
/** A key that is the same for the same term of another price. */
const placeOf = ({ name, tier, when }: PriceTerm): string =>
  JSON.stringify([
    name,
    tier && [trimmed(tier.from), tier.upTo === null ? null : trimmed(tier.upTo)],
    when && Object.entries(when).toSorted(byKey),
  ]);

function changedTerms(before: readonly PriceTerm[], after: readonly PriceTerm[]): ChangedTerm[] {
  const [was, is] = [before, after].map((terms) => new Map(terms.map((term) => [placeOf(term), term])));
  return [...new Map([...before, ...after].map((term) => [placeOf(term), term]))].flatMap(
    ([place, { value: _value, ...term }]): ChangedTerm[] => {
      const [old, now] = [was?.get(place)?.value, is?.get(place)?.value];
      if (old !== undefined && now !== undefined && trimmed(old) === trimmed(now)) return [];
      // Default values are left out of prices, so they are added for a term that returns to its default.
      return [
        {
          ...term,
          ...((old ?? usual[term.name]) !== undefined && { before: old ?? usual[term.name] }),
          ...((now ?? usual[term.name]) !== undefined && { after: now ?? usual[term.name] }),
        },
      ];
    },
  );
}

const isCard = (pricing: Pricing): pricing is RateCardPricing => pricing.model === 'rate_card';
/** The terms of a rate card that apply to the month as a whole. */
const limitsOf = ({ minimum, maximum }: RateCardPricing): PriceTerm[] => plainTerms({ minimum, maximum });

/**
 * Returns the difference of two prices, charge by charge in the order of the later one; empty if both cost
 * the same. The order of charges does not matter.
 */
export function priceDifference(before: Pricing, after: Pricing): PriceDifference[] {
  const [was, is] = [isCard(before) ? before.charges : [], isCard(after) ? after.charges : []];
  const find = (charges: readonly Charge[], key: string) => charges.find((each) => each.key === key);
  const changed = (charge: Charge | null, terms: readonly ChangedTerm[]): PriceDifference[] =>
    terms.length === 0 ? [] : [{ charge, action: 'changed', terms }];
  const whole: PriceDifference[] =
    isCard(before) && isCard(after)
      ? changed(null, changedTerms(limitsOf(before), limitsOf(after)))
      : isCard(before) || isCard(after)
        ? [{ charge: null, action: isCard(before) ? 'added' : 'removed', terms: [] }]
        : changed(null, changedTerms(termsOf(before), termsOf(after)));
  return [
    ...is.flatMap((charge) => {
      const old = find(was, charge.key);
      return old
        ? changed(charge, changedTerms(termsOf(old), termsOf(charge)))
        : [{ charge, action: 'added' as const, terms: [] }];
    }),
    ...was
      .filter(({ key }) => !find(is, key))
      .map((charge): PriceDifference => ({ charge, action: 'removed', terms: [] })),
    ...whole,
  ];
}
