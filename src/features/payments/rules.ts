// The ledger's decisions: which entries a happening makes. Debits are positive, credits negative; each list sums to zero.
import type { Currency, Money } from '#kernel/money.ts';
import { must } from '#kernel/must.ts';

export type AccountKind = 'receivable' | 'balance' | 'revenue' | 'tax' | 'cash';
/** An account: the organization's own for receivable and balance, the platform's for the others. */
export type AccountName = { readonly kind: AccountKind; readonly organizationId: string | null; readonly currency: Currency };
export type Entry = { readonly account: AccountName; readonly minor: bigint };

/** The id of an account: one for each kind, owner and currency. */
export function accountId(account: AccountName): string {
  return [account.kind, ...(account.organizationId === null ? [] : [account.organizationId]), account.currency].join(':');
}

function balanced(entries: readonly Entry[]): Entry[] {
  const used = entries.filter((entry) => entry.minor !== 0n);
  must(used.reduce((sum, entry) => sum + entry.minor, 0n) === 0n, 'a ledger transaction sums to zero');
  return used;
}

/**
 * An issued bill: receivable against revenue and tax payable (domain.md, "Closing a month").
 * A bill below zero owes the customer: it goes to their balance at once. A bill of nothing makes no entries.
 */
export function billEntries(bill: { organizationId: string; net: Money; tax: Money; total: Money }): Entry[] {
  const { currency } = bill.total;
  const owner = bill.total.minor < 0n ? 'balance' : 'receivable';
  return balanced([
    { account: { kind: owner, organizationId: bill.organizationId, currency }, minor: bill.total.minor },
    { account: { kind: 'revenue', organizationId: null, currency }, minor: -bill.net.minor },
    { account: { kind: 'tax', organizationId: null, currency }, minor: -bill.tax.minor },
  ]);
}

/** Money that arrived for a prepaid balance. */
export function topUpEntries(organizationId: string, amount: Money): Entry[] {
  return balanced([
    { account: { kind: 'cash', organizationId: null, currency: amount.currency }, minor: amount.minor },
    { account: { kind: 'balance', organizationId, currency: amount.currency }, minor: -amount.minor },
  ]);
}

/** A bill paid from the balance: what we owed the customer falls, and so does what they owe us. */
export function paymentEntries(organizationId: string, amount: Money): Entry[] {
  return balanced([
    { account: { kind: 'balance', organizationId, currency: amount.currency }, minor: amount.minor },
    { account: { kind: 'receivable', organizationId, currency: amount.currency }, minor: -amount.minor },
  ]);
}

export type PayMistake = 'payments.amount_not_positive' | 'payments.amount_above_due' | 'payments.currency_differs' | 'payments.balance_too_low';

/** What is wrong with paying an amount of what is due from a balance; undefined when nothing is. */
export function payMistake(amount: Money, due: Money, balance: Money): PayMistake | undefined {
  if (amount.currency !== due.currency) return 'payments.currency_differs';
  if (amount.minor <= 0n) return 'payments.amount_not_positive';
  if (amount.minor > due.minor) return 'payments.amount_above_due';
  return amount.minor > balance.minor ? 'payments.balance_too_low' : undefined;
}
