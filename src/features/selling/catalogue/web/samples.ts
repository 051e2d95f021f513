// The calculator's input: a quantity for each charge, or for a matrix a quantity for each combination of
// values.
import * as z from 'zod/mini';
import { decimal, decimalPattern, decimalText } from '#kernel/decimal.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { dependsOnEvents } from '#features/selling/rating/rules.ts';
import { maxPreviewEvents, type EstimateInput } from '../contract.ts';
import { conditionsOf } from './rate-fields.ts';

/** One row of the calculator: `3 × 730` with these values. */
export const SampleFields = z.strictObject({
  uid: z.string(),
  when: z.record(z.string(), z.string()),
  value: z.string().check(z.trim(), z.maxLength(80)),
  /** The number of such events, for a charge that depends on each event: 100 payments of 50. */
  count: z.optional(z.string()),
});
export type SampleFields = z.output<typeof SampleFields>;

let countOfSamples = 0;
/** A row of the calculator. */
export const sample = (value: string, when: SampleFields['when'] = {}): SampleFields => ({
  uid: `sample-${++countOfSamples}`,
  when,
  value,
});

const times = /[×*x]/i;

/** The quantity for a typed text, which may be a product such as `3 × 730`; undefined if it is invalid. */
export function quantityOf(typed: string): string | undefined {
  const factors = typed.split(times).map((factor) => factor.trim());
  if (!factors.every((factor) => decimalPattern.test(factor) && !factor.startsWith('-'))) return undefined;
  const product = decimalText(factors.map(decimal).reduce((before, factor) => before.times(factor)));
  return decimalPattern.test(product) ? product : undefined;
}

/**
 * The number of events in a row; one if nothing is typed, undefined if the typed text is not a valid number.
 */
export function countOf(typed = ''): number | undefined {
  if (typed.trim() === '') return 1;
  if (!/^\d{1,6}$/.test(typed.trim())) return undefined;
  const count = Number(typed);
  return count <= maxPreviewEvents ? count : undefined;
}

/** Whether a charge has rows of input: its price depends on single events or on their dimensions. */
export const hasRows = (charge: Charge): boolean => charge.kind === 'usage' && dependsOnEvents(charge);

/** Whether the calculator has input for a charge at all; a flat fee always costs the same. */
export const isCounted = (charge: Charge): boolean => charge.kind === 'usage' || charge.model !== 'flat';

/**
 * The calculator's initial values for a charge without a sample: a quantity of one, for a matrix at its first
 * rate.
 */
export const usualSamples = (charge: Charge): SampleFields[] => [
  sample('1', charge.model === 'matrix' ? { ...charge.rates[0]?.when } : {}),
];

/** The quantities and usage of charges as the preview accepts them; an invalid row counts as nothing. */
export function estimateInputOf(
  asked: readonly { readonly charge: Charge; readonly samples: readonly SampleFields[] }[],
): Required<Pick<EstimateInput, 'quantities' | 'usage'>> {
  const quantities: Record<string, string> = {};
  const usage: NonNullable<EstimateInput['usage']> = {};
  for (const { charge, samples } of asked) {
    if (!isCounted(charge)) continue;
    const first = quantityOf(samples[0]?.value ?? '') ?? '0';
    if (charge.kind !== 'usage') quantities[charge.key] = first;
    else if (hasRows(charge))
      usage[charge.key] = samples.flatMap(({ when, value, count }) => {
        const quantity = quantityOf(value);
        const times = charge.model === 'percentage' ? countOf(count) : 1;
        return quantity === undefined || times === undefined
          ? []
          : Array.from({ length: times }, () => ({ value: quantity, dimensions: conditionsOf(when) }));
      });
    else usage[charge.key] = first;
  }
  return { quantities, usage };
}
