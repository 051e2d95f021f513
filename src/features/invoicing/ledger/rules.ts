// Rules of the ledger: account names, and the check that every transaction sums to zero. Debits are positive,
// credits negative.
import type { Currency } from '#kernel/money.ts';
import { assert } from '#kernel/assert.ts';
import type { accountKinds } from './contract.ts';

export type AccountKind = (typeof accountKinds)[number];
/**
 * An account: an organization's own (receivable, balance, disputed, deferred revenue, promotional credit) or the platform's.
 */
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

/**
 * Returns the entries of one transaction, without zero amounts. Throws if they do not sum to zero, which is
 * always a bug.
 */
export function balanced(entries: readonly Entry[]): Entry[] {
  const used = entries.filter((entry) => entry.minor !== 0n);
  assert(used.reduce((sum, entry) => sum + entry.minor, 0n) === 0n, 'a ledger transaction sums to zero');
  return used;
}
