// The books' decisions: on which side an account grows, and what stands on it after each entry.
import type { Account } from './contract.ts';

/** Accounts that grow by debits: what others owe us, what we have and what we spent. What we owe and what we earned grows by credits. */
const byDebits: ReadonlySet<Account['accountKind']> = new Set(['receivable', 'disputed', 'cash', 'fees']);

/** A balance as its reader takes it: what is owed, prepaid, earned is above zero. `minor` has debits positive. */
export const byOwnSide = (kind: Account['accountKind'], minor: bigint): bigint =>
  byDebits.has(kind) || minor === 0n ? minor : -minor;

/** What stands on an account after each of its entries, in their order. */
export function runningBalances(opening: bigint, amounts: readonly bigint[]): bigint[] {
  let so = opening;
  return amounts.map((amount) => (so += amount));
}
