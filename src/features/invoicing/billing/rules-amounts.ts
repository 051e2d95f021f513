// Rules of amounts that are set for all organizations or for one, by currency: thresholds of interim bills, credit limits.
import type { Currency, Money } from '#kernel/money.ts';

export type AmountMistake = 'needs_amount' | 'other_currency' | 'not_positive';

/**
 * Why an amount cannot be set; undefined when it can. Null says "none for this organization, whatever is set for all", so for all
 * organizations (null) there must be one: without it nothing would have to be set.
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
