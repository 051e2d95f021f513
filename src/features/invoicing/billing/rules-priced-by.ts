// What the price of a line depends on if it has no single unit price. Derived from the stored steps, so that
// it also works for bills issued earlier.
import type { BillLine, LineStep, pricedBys } from './contract.ts';

/** Kinds that have no price of their own. */
const unpriced: ReadonlySet<BillLine['kind']> = new Set([
  'minimum',
  'maximum',
  'adjustment',
  'one_off',
  'discount',
  'committed_rate',
  'overage_rate',
  'true_up',
  'minimum_spend',
  'promotional_credit',
  'interim',
  'interim_deduction',
]);

/** Whether a line is late usage of charges that count in several units: an amount without a quantity. */
export const isUncounted = ({ kind, unit }: Pick<BillLine, 'kind' | 'unit'>): boolean =>
  kind === 'adjustment' && unit === '';

export type PricedBy = (typeof pricedBys)[number];

const ofPercentage: ReadonlySet<LineStep['kind']> = new Set([
  'percentage',
  'free_events',
  'event_fee',
  'event_minimum',
  'event_maximum',
]);

/**
 * What a line's price depends on: the values of events (`rates` of a matrix), a percentage of them, the
 * amount that each event carries, tiers, packages, the part above an allowance, or (for a part of a fee) the
 * number of units. Undefined if there is a unit price, and for lines without a price: minimum, maximum,
 * adjustment, terms.
 */
export function pricedBy(
  { kind, unitPrice }: Pick<BillLine, 'kind' | 'unitPrice'>,
  steps: readonly LineStep[],
): PricedBy | undefined {
  if (unitPrice !== null || unpriced.has(kind)) return undefined;
  const has = (...kinds: readonly LineStep['kind'][]): boolean =>
    steps.some((step) => kinds.includes(step.kind));
  if (steps.some((step) => ofPercentage.has(step.kind))) return 'percentage';
  if (has('dynamic')) return 'events';
  // Steps with values belong to a matrix, or to tiers that apply to each value separately.
  if (steps.some((step) => step.when !== undefined && step.kind !== 'tier' && step.kind !== 'flat_fee'))
    return 'rates';
  if (has('tier')) return 'tiers';
  if (has('package')) return 'packages';
  if (has('included')) return 'allowance';
  return kind === 'usage' ? undefined : 'quantity';
}
