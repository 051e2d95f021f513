// Splits a month's usage into the part that the base fee includes and the part beyond it.
import { decimal, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';

/** `included` is null if usage is not priced at all. */
export type Allowance = { readonly included: Decimal | null; readonly billable: Decimal };

/**
 * Computes a month's allowance, one price period at a time: an unused allowance does not carry over into the
 * next period. Trial days are free.
 */
export function allowanceOf(
  times: readonly { readonly quantity: Decimal; readonly pricing: Pricing; readonly isTrial: boolean }[],
): Allowance {
  if (times.length === 0) return { included: null, billable: zero };
  const all = times.map(({ quantity, pricing, isTrial }) => {
    const included = isTrial ? quantity : decimal(freeUnitsOf(pricing));
    return { included, billable: quantity.gt(included) ? quantity.minus(included) : zero };
  });
  return {
    included: sumDecimals(all.map((each) => each.included)),
    billable: sumDecimals(all.map((each) => each.billable)),
  };
}

function freeUnitsOf(pricing: Pricing): string {
  if (pricing.model === 'package') return pricing.freeUnits ?? '0';
  return 'included' in pricing ? (pricing.included ?? '0') : '0';
}
