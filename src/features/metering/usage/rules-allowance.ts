// The part of a month's usage that the base fee covers, and the part beyond it.
import { decimal, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';

/** `included` is null where usage is not priced at all. */
export type Allowance = { readonly included: Decimal | null; readonly billable: Decimal };

/**
 * A month's allowance, per time of one price: an unused part is not carried into the next time. Days of a
 * trial are free.
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
