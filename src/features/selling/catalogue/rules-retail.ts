// Prices of organizations that a reseller sells to: the reseller's own prices plus its mark-ups, merged into
// the organization's prices over time.
import { decimal, type Decimal } from '#kernel/decimal.ts';
import type { MarkUps } from '#features/selling/resale/contract.ts';
import {
  chargeAt,
  markedUpCharge,
  markUpOf,
  markUpsAt,
  noMarkUps,
  scaled,
  scaledLimits,
  scaledTiers,
} from '#features/selling/resale/rules.ts';
import type { Pricing, SinglePricing } from './contract.ts';
import type { PriceSegment } from './rules-prices.ts';

const one = decimal('1');
/**
 * The keys of a single price's fee and usage under which a reseller sets its own amounts, as named by
 * `chargesOf`.
 */
const feeKey = 'base';
const usageKey = 'usage';

/** Returns the retail price: a price with the reseller's mark-ups for the service. */
export function retailPricing(pricing: Pricing, serviceId: string, markUps: MarkUps): Pricing {
  const { factor, amounts } = markUpOf(markUps, serviceId);
  if (factor.eq(one) && amounts.size === 0) return pricing;
  const limits = scaledLimits(pricing, factor);
  if (pricing.model === 'rate_card')
    return {
      ...pricing,
      ...limits,
      charges: pricing.charges.map((charge) => {
        const own = amounts.get(charge.key);
        return own === undefined ? markedUpCharge(charge, factor) : chargeAt(charge, own, factor);
      }),
    };
  const { baseFee } = pricing;
  const fee = baseFee === undefined ? {} : { baseFee: amounts.get(feeKey) ?? scaled(baseFee, factor) };
  return { ...withUsageAt(pricing, factor, amounts.get(usageKey)), ...limits, ...fee };
}

/**
 * Returns a single price whose usage costs the factor more, or the reseller's own amount if it has a single
 * amount.
 */
function withUsageAt(pricing: SinglePricing, factor: Decimal, own: string | undefined): SinglePricing {
  switch (pricing.model) {
    case 'flat':
      return pricing;
    case 'per_unit':
      return { ...pricing, unitPrice: own ?? scaled(pricing.unitPrice, factor) };
    case 'package':
      return { ...pricing, packagePrice: own ?? scaled(pricing.packagePrice, factor) };
    case 'graduated':
    case 'volume':
      return { ...pricing, tiers: scaledTiers(pricing.tiers, factor) };
  }
}

type Priced = PriceSegment & { readonly pricing: Pricing };
/** When a reseller sells to an organization, and at which mark-ups. */
export type ResoldSpan<P> = {
  readonly from: Date;
  readonly until: Date | null;
  /** The reseller's purchase prices, oldest first. */
  readonly prices: readonly P[];
  readonly terms: readonly { readonly from: Date; readonly markUps: MarkUps }[];
};

/** Returns the price in force at a time; the first one also applies before its start. */
const priceAt = <P extends Priced>(prices: readonly P[], moment: number): P | undefined =>
  prices.findLast(({ effectiveFrom }) => effectiveFrom.getTime() <= moment) ?? prices[0];

/**
 * Returns an organization's prices over time: its own and, while a reseller sells to it, the reseller's,
 * converted to retail prices by `sold` (unchanged for what the operator charges the reseller). A change of
 * either never affects earlier times.
 */
export function splicedPrices<P extends Priced>(
  own: readonly P[],
  spans: readonly ResoldSpan<P>[],
  sold: (price: P, markUps: MarkUps, termBegan: Date | null) => P,
): readonly P[] {
  if (spans.length === 0) return own;
  const times = new Set(own.map(({ effectiveFrom }) => effectiveFrom.getTime()));
  for (const { from, until, prices, terms } of spans)
    for (const moment of [from, until, ...[...prices, ...terms].map((each) => momentOf(each))])
      if (moment) times.add(moment.getTime());
  const spliced: P[] = [];
  for (const moment of [...times].toSorted((a, b) => a - b)) {
    const span = spans.find(
      ({ from, until }) => from.getTime() <= moment && (until === null || moment < until.getTime()),
    );
    const price = span ? soldAt(span, moment, sold) : priceAt(own, moment);
    if (price && spliced.at(-1)?.id !== price.id) spliced.push({ ...price, effectiveFrom: new Date(moment) });
  }
  return spliced;
}

const momentOf = (each: { readonly effectiveFrom: Date } | { readonly from: Date }): Date =>
  'from' in each ? each.from : each.effectiveFrom;

function soldAt<P extends Priced>(
  { prices, terms }: ResoldSpan<P>,
  moment: number,
  sold: (price: P, markUps: MarkUps, termBegan: Date | null) => P,
): P | undefined {
  const price = priceAt(prices, moment);
  const at = new Date(moment);
  const began = terms.reduce<Date | null>(
    (last, { from }) => (from <= at && (last === null || from > last) ? from : last),
    null,
  );
  return price && sold(price, began === null ? noMarkUps : markUpsAt(terms, at), began);
}
