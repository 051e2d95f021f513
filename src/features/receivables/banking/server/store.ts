// SQL of bank statements and their rows.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { BankRow, banking, Mapping, Statement } from '../contract.ts';
import type { LineMistake, ReadRow } from '../rules-statement.ts';

export type Refused = { readonly line: number; readonly code: LineMistake };
export type StoredStatement = Omit<Statement, 'refused'> & { readonly refused: readonly Refused[] };
type StatementRow = {
  id: Id<'bst'>;
  account: string;
  currency: Currency;
  file_name: string;
  rows_total: number;
  rows_new: number;
  rows_known: number;
  refused_total: number;
  refused: Refused[];
  first_day: LocalDay | null;
  last_day: LocalDay | null;
  opening_minor: bigint | null;
  closing_minor: bigint | null;
  is_chain_whole: boolean | null;
  uploaded_at: Date;
};
const statementColumns = sql<StatementRow>`s.id, s.account, s.currency, s.file_name, s.rows_total, s.rows_new, s.rows_known, s.refused_total, s.refused, s.first_day::text as first_day, s.last_day::text as last_day, s.opening_minor, s.closing_minor, s.is_chain_whole, s.uploaded_at`;

const amountOf = (minor: bigint | null, currency: Currency): Money | null =>
  minor === null ? null : money(minor, currency);
const toStatement = (row: StatementRow): StoredStatement => ({
  id: row.id,
  account: row.account,
  currency: row.currency,
  fileName: row.file_name,
  uploadedAt: row.uploaded_at,
  rows: row.rows_total,
  fresh: row.rows_new,
  known: row.rows_known,
  refusedTotal: row.refused_total,
  refused: row.refused,
  firstDay: row.first_day,
  lastDay: row.last_day,
  opening: amountOf(row.opening_minor, row.currency),
  closing: amountOf(row.closing_minor, row.currency),
  isChainWhole: row.is_chain_whole,
});

/** The stored column mapping for files with a header. */
export async function mappingOf(
  ctx: Ctx,
  hash: string,
): Promise<{ mapping: Mapping; account: string; currency: Currency } | undefined> {
  const { rows } = await sql<{
    mapping: Mapping;
    account: string;
    currency: Currency;
  }>`select mapping, account, currency from bank_mapping where header_hash = ${hash}`.execute(ctx.db);
  return rows[0];
}

export async function storeMapping(
  ctx: Ctx,
  hash: string,
  mapping: Mapping,
  account: string,
  currency: Currency,
): Promise<void> {
  await sql`insert into bank_mapping (header_hash, mapping, account, currency, used_at) values (${hash}, ${JSON.stringify(mapping)}::jsonb, ${account}, ${currency}, ${ctx.now})
    on conflict (header_hash) do update set mapping = excluded.mapping, account = excluded.account, currency = excluded.currency, used_at = excluded.used_at`.execute(
    ctx.db,
  );
}

export type NewStatement = Omit<StoredStatement, 'id' | 'uploadedAt' | 'fresh' | 'known'> & {
  readonly encoding: string;
};

/** Stores a statement and its new rows; returns the statement with the number of new rows. */
export async function insertStatement(
  ctx: Ctx,
  statement: NewStatement,
  rows: readonly (ReadRow & { ordinal: number })[],
  uploadedBy: string,
): Promise<StoredStatement> {
  const { account, currency } = statement;
  const statementId = ctx.newId('bst');
  await sql`insert into bank_statement (id, account, currency, file_name, encoding, rows_total, rows_new, rows_known, refused_total, refused, first_day, last_day, opening_minor, closing_minor, is_chain_whole, uploaded_at, uploaded_by)
    values (${statementId}, ${account}, ${currency}, ${statement.fileName}, ${statement.encoding}, ${statement.rows}, 0, 0, ${statement.refusedTotal}, ${JSON.stringify(statement.refused)}::jsonb, ${statement.firstDay}, ${statement.lastDay},
      ${statement.opening?.minor ?? null}, ${statement.closing?.minor ?? null}, ${statement.isChainWhole}, ${ctx.now}, ${uploadedBy})`.execute(
    ctx.db,
  );
  const of = <T>(pick: (row: ReadRow & { ordinal: number }) => T): T[] => rows.map(pick);
  // Inserted in a fixed order, so that two uploads of the same rows wait for each other instead of
  // deadlocking.
  const made = await sql<{
    id: string;
  }>`insert into bank_row (id, statement_id, account, currency, day, amount_minor, words, ordinal, payer_name, payer_account, balance_minor, line, state)
    select id, ${statementId}, ${account}, ${currency}, day, minor, words, ordinal, payer_name, payer_account, balance, line, 'open'
    from unnest(${of(() => ctx.newId('bkr'))}::text[], ${of((row) => row.day)}::date[], ${of((row) => row.amount.minor)}::bigint[], ${of((row) => row.words)}::text[], ${of((row) => row.ordinal)}::int[], ${of((row) => row.payerName)}::text[],
      ${of((row) => row.payerAccount)}::text[], ${of((row) => row.balance?.minor ?? null)}::bigint[], ${of((row) => row.line)}::int[]) as r (id, day, minor, words, ordinal, payer_name, payer_account, balance, line)
    order by day, minor, md5(words), ordinal on conflict do nothing returning id`.execute(ctx.db);
  const { rows: stored } =
    await sql<StatementRow>`update bank_statement s set rows_new = ${made.rows.length}, rows_known = ${rows.length - made.rows.length} where id = ${statementId} returning ${statementColumns}`.execute(
      ctx.db,
    );
  if (!stored[0]) throw new Error('the statement was not stored');
  return toStatement(stored[0]);
}

const statementOrder: ListOrder = {
  by: { uploadedAt: { expression: sql`s.uploaded_at`, cast: 'timestamptz' } },
  usual: '-uploadedAt',
  id: sql`s.id`,
};

export function pageOfStatements(
  ctx: Ctx,
  input: In<typeof banking.listStatements>,
): Promise<Page<StoredStatement>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: statementColumns,
    from: sql`bank_statement s`,
    where: allOf(pattern && sql`(s.account ilike ${pattern} or s.file_name ilike ${pattern})`),
    order: statementOrder,
  };
  return readPage(ctx.db, input, list, toStatement);
}

export type StoredRow = Omit<BankRow, 'target' | 'applied'> & {
  readonly targetKind: NonNullable<BankRow['target']>['kind'] | null;
  readonly targetId: string | null;
};
type StoredBankRow = {
  id: Id<'bkr'>;
  account: string;
  day: LocalDay;
  amount_minor: bigint;
  currency: Currency;
  words: string;
  payer_name: string;
  payer_account: string;
  balance_minor: bigint | null;
  line: number;
  statement_id: Id<'bst'>;
  file_name: string;
  state: BankRow['state'];
  certainty: BankRow['certainty'];
  reason: BankRow['reason'];
  target_kind: StoredRow['targetKind'];
  target_id: string | null;
  ignored_reason: string | null;
  decided_at: Date | null;
};
const rowColumns = sql<StoredBankRow>`r.id, r.account, r.day::text as day, r.amount_minor, r.currency, r.words, r.payer_name, r.payer_account, r.balance_minor, r.line, r.statement_id, s.file_name, r.state, r.certainty, r.reason, r.target_kind, r.target_id, r.ignored_reason, r.decided_at`;
const rowTables = sql`bank_row r join bank_statement s on s.id = r.statement_id`;
const toRow = (row: StoredBankRow): StoredRow => ({
  id: row.id,
  account: row.account,
  day: row.day,
  amount: money(row.amount_minor, row.currency),
  words: row.words,
  payerName: row.payer_name,
  payerAccount: row.payer_account,
  balance: amountOf(row.balance_minor, row.currency),
  line: row.line,
  statementId: row.statement_id,
  fileName: row.file_name,
  state: row.state,
  certainty: row.certainty,
  reason: row.reason,
  targetKind: row.target_kind,
  targetId: row.target_id,
  ignoredReason: row.ignored_reason,
  decidedAt: row.decided_at,
});

/** Returns one row; locked, so that two Admins cannot book it concurrently. */
export async function rowById(ctx: Ctx, rowId: string, lock = false): Promise<StoredRow | undefined> {
  const { rows } =
    await sql<StoredBankRow>`select ${rowColumns} from ${rowTables} where r.id = ${rowId} ${lock ? sql`for update of r` : sql``}`.execute(
      ctx.db,
    );
  return rows[0] && toRow(rows[0]);
}

export async function rowsByIds(ctx: Ctx, rowIds: readonly string[]): Promise<StoredRow[]> {
  const { rows } =
    await sql<StoredBankRow>`select ${rowColumns} from ${rowTables} where r.id = any(${[...rowIds]}::text[]) order by r.day, r.id`.execute(
      ctx.db,
    );
  return rows.map(toRow);
}

const rowOrder: ListOrder = {
  by: {
    day: { expression: sql`r.day`, cast: 'date' },
    amount: { expression: sql`r.amount_minor`, cast: 'bigint' },
  },
  usual: '-day',
  id: sql`r.id`,
};

/** One page of rows with the exact total. */
export function pageOfRows(ctx: Ctx, input: In<typeof banking.listRows>): Promise<Page<StoredRow>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: rowColumns,
    from: rowTables,
    where: allOf(
      input.state && sql`r.state = ${sql.lit(input.state)}`,
      input.certainty && sql`r.certainty = ${sql.lit(input.certainty)}`,
      input.account && sql`r.account = ${input.account}`,
      input.statementId && sql`r.statement_id = ${input.statementId}`,
      pattern &&
        sql`(r.words ilike ${pattern} or r.payer_name ilike ${pattern} or r.payer_account ilike ${pattern} or r.amount_minor::text like ${pattern})`,
    ),
    order: rowOrder,
  };
  return readPage(ctx.db, input, list, toRow);
}

/** Stores an Admin's decision about a row and deletes its proposal. */
export async function decideRow(
  ctx: Ctx,
  rowId: string,
  state: 'open' | 'applied' | 'ignored',
  by: string,
  ignoredReason: string | null = null,
): Promise<void> {
  await sql`update bank_row set state = ${state}, certainty = null, reason = null, target_kind = null, target_id = null, ignored_reason = ${ignoredReason}, decided_at = ${ctx.now}, decided_by = ${by} where id = ${rowId}`.execute(
    ctx.db,
  );
}
