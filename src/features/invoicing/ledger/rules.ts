// The ledger's decisions: what accounts are called, and that what is written sums to zero. Debits are positive, credits negative.
import type { Currency } from '#kernel/money.ts';
import { assert } from '#kernel/assert.ts';
import type { accountKinds } from './contract.ts';

export type AccountKind = (typeof accountKinds)[number];
/** An account: the organization's own for receivable, balance and disputed, the platform's for the others. */
export type AccountName = {
  readonly kind: AccountKind;
  readonly organizationId: string | null;
  readonly currency: Currency;
};
export type Entry = { readonly account: AccountName; readonly minor: bigint };

/** The id of an account: one for each kind, owner and currency. */
export function accountId(account: AccountName): string {
  return [
    account.kind,
    ...(account.organizationId === null ? [] : [account.organizationId]),
    account.currency,
  ].join(':');
}

/** The entries of one transaction without those of nothing. Throws when they do not sum to zero: a bug, never a customer's mistake. */
export function balanced(entries: readonly Entry[]): Entry[] {
  const used = entries.filter((entry) => entry.minor !== 0n);
  assert(used.reduce((sum, entry) => sum + entry.minor, 0n) === 0n, 'a ledger transaction sums to zero');
  return used;
}
