// Prices over time: an organization's own prices override list prices. Also finds the invalid field of a
// pricing.
import { wrongTier } from '#features/selling/rating/rules.ts';
import type { Pricing } from './contract.ts';
import { pricingMistake, type PricingMistake } from './rules.ts';

/** A price that starts at a given time and applies until the next one does. */
export type PriceSegment = { readonly id: string; readonly effectiveFrom: Date };
/** A price that applies from `effectiveFrom` until just before `until`; null: until further notice. */
export type EndOfValidity = { readonly until: Date | null };
/** Combines an override of single charges with a list price; missing for an override of the whole price. */
export type Following<P> = { readonly following?: (list: P) => P | undefined };

/** 1970: before anything that is ever priced. */
const beforeAllMs = 0;

/**
 * Returns the prices for an organization, oldest first, each until the next one starts: an override replaces
 * the list price, or single charges of it, from its start to its end; afterwards the list price of that time
 * applies. The list's first price also applies before its start. Overrides must not overlap, and the list
 * must be ordered.
 */
export function mergePrices<P extends PriceSegment>(
  list: readonly P[],
  overrides: readonly (P & EndOfValidity & Following<P>)[],
): readonly P[] {
  if (overrides.length === 0) return list;
  const first = list[0];
  const moments = new Set([...list, ...overrides].map((price) => price.effectiveFrom.getTime()));
  for (const { until } of overrides) if (until) moments.add(until.getTime());
  const merged: P[] = [];
  for (const moment of [...moments].toSorted((a, b) => a - b)) {
    const listed = list.findLast((one) => one.effectiveFrom.getTime() <= moment) ?? first;
    const own = overrides.find((one) => covers(one, moment));
    const price = own?.following ? ((listed && own.following(listed)) ?? listed) : (own ?? listed);
    if (price && merged.at(-1)?.id !== price.id) merged.push({ ...price, effectiveFrom: new Date(moment) });
  }
  // Before all of them, the list's first price applies, never an override that starts there.
  return first && merged[0]?.id !== first.id
    ? [{ ...first, effectiveFrom: new Date(beforeAllMs) }, ...merged]
    : merged;
}

const covers = ({ effectiveFrom, until }: PriceSegment & EndOfValidity, moment: number): boolean =>
  effectiveFrom.getTime() <= moment && (until === null || moment < until.getTime());

/** Whether two periods [from, until) overlap. */
export function overlap(a: PriceSegment & EndOfValidity, b: PriceSegment & EndOfValidity): boolean {
  return (a.until === null || b.effectiveFrom < a.until) && (b.until === null || a.effectiveFrom < b.until);
}

/** What is wrong with a pricing, and in which field; undefined if it is valid. */
export function pricingIssue(
  pricing: Pricing,
): { readonly code: PricingMistake; readonly field: string } | undefined {
  const code = pricingMistake(pricing);
  return code && { code, field: fieldOf(pricing, code) };
}

function fieldOf(pricing: Pricing, code: PricingMistake): string {
  switch (code) {
    case 'catalogue.tiers_wrong':
      return 'tiers' in pricing ? `pricing.tiers.${wrongTier(pricing.tiers) ?? 0}.upTo` : 'pricing.tiers';
    case 'catalogue.package_size_zero':
      return 'pricing.packageSize';
    case 'catalogue.maximum_below_minimum':
      return 'pricing.maximum';
  }
}
