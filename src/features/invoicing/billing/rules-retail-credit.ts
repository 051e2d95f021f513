// Rules of credit notes on retail bills: how much can be credited, and how an amount splits into net and tax.

/** Amounts in minor units of one currency. */
export type Parts = { readonly net: bigint; readonly tax: bigint; readonly total: bigint };

/**
 * Splits an amount with tax into net and tax, or returns why it cannot be credited. `credited` is what was
 * credited before.
 */
export function creditParts(
  bill: Parts,
  credited: Parts,
  amount: bigint | null,
): Parts | 'resellers.nothing_left' | 'resellers.credit_zero' | 'resellers.credit_too_much' {
  const left = bill.total - credited.total;
  if (left <= 0n) return 'resellers.nothing_left';
  const total = amount ?? left;
  if (total <= 0n) return 'resellers.credit_zero';
  if (total > left) return 'resellers.credit_too_much';
  // Computed from the cumulative credit: whatever the steps, crediting the whole bill returns exactly its
  // tax.
  const tax = share(bill.tax, credited.total + total, bill.total) - credited.tax;
  return { net: total - tax, tax, total };
}

/** `part` of `whole` of an amount, rounded half up. */
const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  (2n * amount * part + whole) / (2n * whole);
