// What the price of a line depends on where no single unit price says it. The stored steps tell it, so that bills issued before tell it, too.
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

export type PricedBy = (typeof pricedBys)[number];

const ofPercentage: ReadonlySet<LineStep['kind']> = new Set([
  'percentage',
  'free_events',
  'event_fee',
  'event_minimum',
  'event_maximum',
]);

/**
 * What a line's price depends on: the values of events (`rates` of a matrix), a percentage of them, the amount that each event
 * carries, tiers, packages, what is left above an allowance, or (a part of a fee) how many there are. Undefined where a unit price
 * says it, and for lines that have none: minimum, maximum, adjustment, what was agreed.
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
  // Steps for values are those of a matrix, or of tiers that each value goes through by itself.
  if (steps.some((step) => step.when !== undefined && step.kind !== 'tier' && step.kind !== 'flat_fee'))
    return 'rates';
  if (has('tier')) return 'tiers';
  if (has('package')) return 'packages';
  if (has('included')) return 'allowance';
  return kind === 'usage' ? undefined : 'quantity';
}
