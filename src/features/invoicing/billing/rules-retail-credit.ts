// Rules of credit notes on retail bills: how much can be credited, and how an amount is made of net and tax.

/** Amounts in minor units of one currency. */
export type Parts = { readonly net: bigint; readonly tax: bigint; readonly total: bigint };

/** What an amount with tax is made of, or why it cannot be credited. `credited`: what was credited before. */
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
  // By all that is credited so far: whatever the steps, the whole bill gives back its very tax.
  const tax = share(bill.tax, credited.total + total, bill.total) - credited.tax;
  return { net: total - tax, tax, total };
}

/** `part` of `whole` of an amount, rounded half up. */
const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  (2n * amount * part + whole) / (2n * whole);
