// The ledger for Admins: trial balance, accounts, one account's statement, transactions.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import { addDays, dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { booksErrors, type Account, type books, type StatementLine, type Transaction } from '../contract.ts';
import { byOwnSide, runningBalances } from '../rules.ts';
import {
  accountById,
  pageOfAccounts,
  pageOfTransactions,
  placeOf,
  sides,
  sumsByKind,
  toReference,
  type Span,
  type TransactionFilter,
} from './store.ts';
import { entriesOf, sumsOf, type EntryRow, type Place } from './store-statements.ts';

const defaultLimit = 50;

/** Converts days in a time zone, both inclusive, to a time range. */
export function spanOf(
  { from, to }: { from?: LocalDay | undefined; to?: LocalDay | undefined },
  zone: string,
): Span {
  if (from !== undefined && to !== undefined && from > to)
    throw domainError(booksErrors, 'books.range_reversed');
  return {
    from: from === undefined ? null : placeOf(dayPeriod(from, zone).start),
    until: to === undefined ? null : placeOf(dayPeriod(addDays(to, 1), zone).start),
  };
}

/** Returns the balance of every kind of account: now, or at the end of a day in the console's time zone. */
export async function trialBalance(
  ctx: Ctx,
  input: In<typeof books.trialBalance>,
): Promise<Out<typeof books.trialBalance>> {
  return {
    items: await sumsByKind(ctx, spanOf({ to: input.asOf }, await ctx.setting(timeZoneSetting)).until),
  };
}

export async function listAccounts(ctx: Ctx, input: In<typeof books.listAccounts>): Promise<Page<Account>> {
  return pageOfAccounts(ctx, input);
}

/** Converts a filter of the ledger to its query form. */
export async function filterOf(
  ctx: Ctx,
  { from, to, kind, accountKind, organizationId, q }: In<typeof books.listTransactions>,
): Promise<TransactionFilter> {
  return {
    span: from || to ? spanOf({ from, to }, await ctx.setting(timeZoneSetting)) : { from: null, until: null },
    kind,
    accountKind,
    organizationId,
    q,
  };
}

/** Lists transactions with their entries, newest first. */
export async function listTransactions(
  ctx: Ctx,
  input: In<typeof books.listTransactions>,
): Promise<Page<Transaction>> {
  return pageOfTransactions(ctx, await filterOf(ctx, input), {
    limit: input.limit ?? defaultLimit,
    cursor: input.cursor,
  });
}

/** Entries of an account with the balance after each, starting from the opening balance. */
export function linesOf(
  kind: Account['accountKind'],
  currency: Currency,
  before: bigint,
  rows: readonly EntryRow[],
): StatementLine[] {
  const after = runningBalances(
    before,
    rows.map((row) => row.amount_minor),
  );
  return rows.map((row, index) => ({
    transactionId: row.transaction_id,
    kind: row.kind,
    at: row.at,
    reference: toReference(row),
    position: row.position,
    ...sides(row.amount_minor, currency),
    after: money(byOwnSide(kind, after[index] ?? 0n), currency),
  }));
}

/** An account's totals over a period, signed for display. */
export function headOf(
  kind: Account['accountKind'],
  currency: Currency,
  { opening, debits, credits }: { opening: bigint; debits: bigint; credits: bigint },
) {
  return {
    opening: money(byOwnSide(kind, opening), currency),
    debits: money(debits, currency),
    credits: money(credits, currency),
    closing: money(byOwnSide(kind, opening + debits - credits), currency),
  };
}

// The cursor contains the balance before the next page, so that every page costs the same.
const cursorPattern = /^(ltx_[0-9a-z]{26})\.(\d{1,5})\.(-?\d{1,19})$/;
function readCursor(cursor: string | undefined): (Place & { before: bigint }) | null {
  const match = cursor === undefined ? null : cursorPattern.exec(cursor);
  if (cursor !== undefined && !match) throw domainError(booksErrors, 'books.account_not_found');
  return (
    match && { transactionId: match[1] ?? '', position: Number(match[2]), before: BigInt(match[3] ?? '0') }
  );
}

/** Returns one account over a period, oldest entry first. */
export async function accountStatement(
  ctx: Ctx,
  input: In<typeof books.accountStatement>,
): Promise<Out<typeof books.accountStatement>> {
  const found = await accountById(ctx, input.accountId);
  if (!found) throw domainError(booksErrors, 'books.account_not_found');
  const { minor, ...account } = found;
  const span = spanOf(input, await ctx.setting(timeZoneSetting));
  const sums = await sumsOf(ctx, account.accountId, minor, span);
  const place = readCursor(input.cursor);
  const limit = input.limit ?? defaultLimit;
  const rows = await entriesOf(ctx, account.accountId, span, limit + 1, place);
  const page = rows.slice(0, limit);
  const before = place?.before ?? sums.opening;
  const last = page.at(-1);
  const next = page.reduce((sum, row) => sum + row.amount_minor, before);
  return {
    account,
    ...headOf(account.accountKind, account.currency, sums),
    items: linesOf(account.accountKind, account.currency, before, page),
    total: sums.total,
    nextCursor: rows.length > limit && last ? `${last.transaction_id}.${last.position}.${next}` : null,
  };
}
