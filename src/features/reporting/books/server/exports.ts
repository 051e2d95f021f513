// Statements and ledger entries as spreadsheet files, with separate columns for debit and credit.
import type { FileAnswer, In } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Period } from '#kernel/time.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import { allOf } from '#platform/server/database/paging.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { accountId } from '#features/invoicing/ledger/rules.ts';
import { booksErrors, type books } from '../contract.ts';
import { byOwnSide } from '../rules.ts';
import { filterOf, spanOf } from './read.ts';
import { ownSpan } from './statement.ts';
import { accountById, ofOwnAccounts, placeOf, sumsByKind, transactionsWhere, type Span } from './store.ts';
import {
  countEntries,
  entriesQuery,
  statementQuery,
  sumsOf,
  type ExportedEntry,
} from './store-statements.ts';

const amount = (minor: bigint, row: ExportedEntry): CsvCell =>
  minor > 0n ? figure(moneyText(money(minor, row.currency))) : '';

// used as: 'books.column_*', 'books.kind_*', 'books.account_*'
function table(ctx: Ctx, language: Language, hasBalance: boolean) {
  const translate = (key: string): string => ctx.text(key, {}, language);
  const columns = [
    'at',
    'transaction',
    'kind',
    'reference',
    'account',
    'organization',
    'currency',
    'debit',
    'credit',
    ...(hasBalance ? ['after'] : []),
  ];
  return {
    header: columns.map((column) => translate(`books.column_${column}`)),
    cells: (row: ExportedEntry): CsvCell[] => [
      row.at.toISOString(),
      row.transaction_id,
      translate(`books.kind_${row.kind}`),
      row.bill_number ?? row.reference,
      translate(`books.account_${row.account_kind}`),
      row.organization ?? '',
      row.currency,
      amount(row.amount_minor, row),
      amount(-row.amount_minor, row),
      ...(hasBalance
        ? [figure(moneyText(money(byOwnSide(row.account_kind, BigInt(row.after)), row.currency)))]
        : []),
    ],
  };
}

/** All entries between two moments as a table, oldest first; with an organization, only its own accounts. */
export function ledgerTable(ctx: Ctx, language: Language, period: Period, organizationId: string | null) {
  const span = { from: placeOf(period.start), until: placeOf(period.end) };
  const where = allOf(
    transactionsWhere({
      span,
      kind: undefined,
      accountKind: undefined,
      organizationId: organizationId ?? undefined,
      q: undefined,
    }),
    ofOwnAccounts(organizationId),
  );
  return { ...table(ctx, language, false), query: entriesQuery(where) };
}

/**
 * The balance of every kind of account at a moment, as a table; with an organization, only its own accounts.
 */
export async function trialBalanceTable(
  ctx: Ctx,
  language: Language,
  until: Date,
  organizationId: string | null,
): Promise<{ header: string[]; rows: CsvCell[][] }> {
  const translate = (key: string): string => ctx.text(key, {}, language);
  const cell = (amount: Money | null): CsvCell => (amount === null ? '' : figure(moneyText(amount)));
  const sums = await sumsByKind(ctx, placeOf(until), organizationId);
  // used as: 'books.column_*', 'books.account_*'
  return {
    header: ['currency', 'account', 'debit', 'credit'].map((column) => translate(`books.column_${column}`)),
    rows: sums.map(({ currency, kind, debit, credit }) => [
      currency,
      translate(`books.account_${kind}`),
      cell(debit),
      cell(credit),
    ]),
  };
}

/** Exports ledger entries that match a filter, oldest first. */
export async function exportTransactions(
  ctx: Ctx,
  input: In<typeof books.exportTransactions>,
): Promise<FileAnswer> {
  const { format, language = ctx.language, ...filter } = input;
  const where = transactionsWhere(await filterOf(ctx, filter));
  return exportTable(ctx, {
    format,
    action: 'books.exportTransactions',
    filter,
    title: datedTitle(ctx, ctx.text('books.title', {}, language)),
    ...table(ctx, language, false),
    total: await countEntries(ctx, where),
    query: entriesQuery(where),
  });
}

async function statementFile(
  ctx: Ctx,
  accounts: readonly string[],
  span: Span,
  total: number,
  {
    format,
    language = ctx.language,
    ...filter
  }: In<typeof books.exportStatement> | In<typeof books.exportAccount>,
  action: string,
): Promise<FileAnswer> {
  return exportTable(ctx, {
    format,
    action,
    filter: { ...filter, accounts },
    title: datedTitle(ctx, ctx.text('books.statement', {}, language)),
    ...table(ctx, language, true),
    total,
    query: statementQuery(accounts, span),
  });
}

/** Exports one account's entries over a period, with the balance after each. */
export async function exportAccount(ctx: Ctx, input: In<typeof books.exportAccount>): Promise<FileAnswer> {
  const account = await accountById(ctx, input.accountId);
  if (!account) throw domainError(booksErrors, 'books.account_not_found');
  const span = spanOf(input, await ctx.setting(timeZoneSetting));
  return statementFile(
    ctx,
    [account.accountId],
    span,
    (await sumsOf(ctx, account.accountId, account.minor, span)).total,
    input,
    'books.exportAccount',
  );
}

/** Exports both accounts of the caller's organization in a currency over a period. */
export async function exportStatement(
  ctx: Ctx,
  input: In<typeof books.exportStatement>,
): Promise<FileAnswer> {
  const accounts = (['receivable', 'balance'] as const).map((kind) =>
    accountId({ kind, organizationId: tenant(ctx), currency: input.currency }),
  );
  const span = await ownSpan(ctx, input);
  const totals = await Promise.all(accounts.map((id) => sumsOf(ctx, id, 0n, span)));
  return statementFile(
    ctx,
    accounts,
    span,
    totals.reduce((sum, { total }) => sum + total, 0),
    input,
    'books.exportStatement',
  );
}
