// Rules for amounts set for all organizations or for one, by currency: thresholds of interim bills, credit
// limits.
import type { Currency, Money } from '#kernel/money.ts';

export type AmountMistake = 'needs_amount' | 'other_currency' | 'not_positive';

/**
 * Why an amount cannot be set; undefined if it can. A null amount exempts one organization from what is set
 * for all, so for all organizations (null) an amount is required.
 */
export function amountMistake({
  organizationId,
  currency,
  amount,
}: {
  readonly organizationId: string | null;
  readonly currency: Currency;
  readonly amount: Money | null;
}): AmountMistake | undefined {
  if (amount === null) return organizationId === null ? 'needs_amount' : undefined;
  if (amount.currency !== currency) return 'other_currency';
  return amount.minor > 0n ? undefined : 'not_positive';
}
