// Rules of the books: an account's normal side, and running balances.
import type { Account } from './contract.ts';

/**
 * Accounts that increase with debits: receivables, assets and expenses. Liabilities and revenue increase with
 * credits.
 */
const byDebits: ReadonlySet<Account['accountKind']> = new Set([
  'receivable',
  'disputed',
  'cash',
  'fees',
  'withheld_tax',
  'discounts',
  'promotions',
]);

/**
 * Signs a balance for display: what is owed, prepaid or earned is positive. In `minor`, debits are positive.
 */
export const byOwnSide = (kind: Account['accountKind'], minor: bigint): bigint =>
  byDebits.has(kind) || minor === 0n ? minor : -minor;

/** The balance after each entry, in the order of the entries. */
export function runningBalances(opening: bigint, amounts: readonly bigint[]): bigint[] {
  let runningBalance = opening;
  return amounts.map((amount) => (runningBalance += amount));
}
