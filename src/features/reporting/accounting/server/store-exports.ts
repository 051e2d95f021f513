// SQL of exports: exported vouchers and lines, their transactions, and downloaded files.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import type {
  AccountingSettings,
  Encoding,
  JournalExport,
  JournalFile,
  JournalFormat,
  accounting,
} from '../contract.ts';
import type { TransactionKind } from '../rules.ts';
import type { Scope } from './store.ts';

/**
 * Serializes creating and withdrawing exports, because each depends on the previous one. Does not block
 * readers.
 */
export async function lockExports(ctx: Ctx): Promise<void> {
  await sql`lock table journal_export in share row exclusive mode`.execute(ctx.db);
}

/**
 * Begins an export: the ledger is read as of one moment, so that vouchers and exported transactions match.
 * Later commits wait for the next export.
 */
export async function beginExport(ctx: Ctx): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(ctx.db);
  // Locked before the first read, so that the result of another export is visible.
  await lockExports(ctx);
}

/** Returns the next sequence of a period, and how many vouchers each of some days has had. */
export async function takenNumbers(
  ctx: Ctx,
  period: string,
  first: LocalDay,
  last: LocalDay,
): Promise<{ sequence: number; ofDay: ReadonlyMap<LocalDay, number> }> {
  const { rows: sequences } = await sql<{
    sequence: number;
  }>`select coalesce(max(sequence), 0) + 1 as sequence from journal_export where period = ${period}`.execute(
    ctx.db,
  );
  const { rows: days } = await sql<{
    day: LocalDay;
    count: number;
  }>`select to_char(day, 'YYYY-MM-DD') as day, count(*)::int as count from journal_voucher where day between ${first}::date and ${last}::date group by 1`.execute(
    ctx.db,
  );
  return {
    sequence: sequences[0]?.sequence ?? 1,
    ofDay: new Map(days.map(({ day, count }) => [day, count])),
  };
}

export type StoredLine = {
  readonly voucher: number;
  readonly position: number;
  readonly accountKind: AccountKind;
  readonly taxRate: string | null;
  readonly serviceId: string | null;
  readonly code: string;
  readonly name: string;
  readonly department: string;
  readonly taxName: string;
  readonly summary: string;
  readonly debit: bigint;
  readonly credit: bigint;
};
export type StoredVoucher = {
  readonly position: number;
  readonly number: string;
  readonly day: LocalDay;
  readonly kind: TransactionKind;
  readonly currency: Currency;
  readonly summary: string;
  readonly transactions: number;
  readonly total: bigint;
};
export type NewExport = {
  readonly id: Id<'jex'>;
  readonly period: string;
  readonly sequence: number;
  readonly first: LocalDay;
  readonly last: LocalDay;
  readonly zone: string;
  readonly settings: AccountingSettings;
  readonly digest: string;
  readonly madeBy: string;
  readonly makerName: string;
  readonly vouchers: readonly StoredVoucher[];
  readonly lines: readonly StoredLine[];
};

/**
 * Stores an export with its vouchers and lines, and links the scope's waiting transactions to it; returns how
 * many those are.
 */
export async function insertExport(ctx: Ctx, made: NewExport, scope: Scope): Promise<number> {
  const { vouchers, lines } = made;
  const transactions = vouchers.reduce((sum, each) => sum + each.transactions, 0);
  await sql`insert into journal_export (id, period, sequence, first_day, last_day, time_zone, language, settings, vouchers, lines, transactions, digest, made_at, made_by, maker_name)
    values (${made.id}, ${made.period}, ${made.sequence}, ${made.first}::date, ${made.last}::date, ${made.zone}, ${ctx.language}, ${JSON.stringify(made.settings)}::jsonb, ${vouchers.length}, ${lines.length}, ${transactions}, ${made.digest}, ${ctx.now}, ${made.madeBy}, ${made.makerName})`.execute(
    ctx.db,
  );
  const voucher = <T>(pick: (each: StoredVoucher) => T): T[] => vouchers.map(pick);
  await sql`insert into journal_voucher (export_id, position, number, day, kind, currency, summary, transactions, total_minor)
    select ${made.id}, * from unnest(${voucher((each) => each.position)}::int[], ${voucher((each) => each.number)}::text[], ${voucher((each) => each.day)}::date[], ${voucher((each) => each.kind)}::text[], ${voucher((each) => each.currency)}::text[], ${voucher((each) => each.summary)}::text[], ${voucher((each) => each.transactions)}::int[], ${voucher((each) => each.total)}::numeric[])`.execute(
    ctx.db,
  );
  const line = <T>(pick: (each: StoredLine) => T): T[] => lines.map(pick);
  await sql`insert into journal_line (export_id, voucher, position, account_kind, tax_rate, service_id, code, name, department, tax_name, summary, debit_minor, credit_minor)
    select ${made.id}, * from unnest(${line((each) => each.voucher)}::int[], ${line((each) => each.position)}::int[], ${line((each) => each.accountKind)}::text[], ${line((each) => each.taxRate)}::numeric[], ${line((each) => each.serviceId)}::text[], ${line((each) => each.code)}::text[], ${line((each) => each.name)}::text[], ${line((each) => each.department)}::text[], ${line((each) => each.taxName)}::text[], ${line((each) => each.summary)}::text[], ${line((each) => each.debit)}::numeric[], ${line((each) => each.credit)}::numeric[])`.execute(
    ctx.db,
  );
  // All ids are read before the first insert: otherwise each lookup would scan the rows inserted before it.
  const { rows } = await sql<{ count: number }>`with waiting as (
      select array_agg(t.id) as ids from ledger_transaction t where t.id >= ${scope.from} and t.id < ${scope.until} and not exists (select from journal_exported x where x.transaction_id = t.id)),
    taken as (insert into journal_exported (transaction_id, export_id) select unnest(ids), ${made.id} from waiting returning 1)
    select count(*)::int as count from taken`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

/** Counts the exports of a period's days that are not withdrawn, and the period's transactions in them. */
export async function exportsWithin(
  ctx: Ctx,
  { first, last, scope }: { readonly first: LocalDay; readonly last: LocalDay; readonly scope: Scope },
): Promise<{ earlier: number; exportedTransactions: number }> {
  const { rows } = await sql<{ earlier: number; exported: number }>`select
    (select count(*)::int from journal_export where withdrawn_at is null and first_day <= ${last}::date and last_day >= ${first}::date) as earlier,
    (select count(*)::int from journal_exported where transaction_id >= ${scope.from} and transaction_id < ${scope.until}) as exported`.execute(
    ctx.db,
  );
  return { earlier: rows[0]?.earlier ?? 0, exportedTransactions: rows[0]?.exported ?? 0 };
}

/** Sums the vouchers of days by ledger account, debits positive; without withdrawn exports. */
export async function exportedSums(
  ctx: Ctx,
  first: LocalDay,
  last: LocalDay,
): Promise<{ kind: AccountKind; currency: Currency; minor: bigint }[]> {
  const { rows } = await sql<{ kind: AccountKind; currency: Currency; minor: string }>`
    select l.account_kind as kind, v.currency, sum(l.debit_minor - l.credit_minor)::text as minor
    from journal_voucher v join journal_export x on x.id = v.export_id and x.withdrawn_at is null join journal_line l on l.export_id = v.export_id and l.voucher = v.position
    where v.day between ${first}::date and ${last}::date group by 1, 2`.execute(ctx.db);
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

type ExportRow = {
  id: Id<'jex'>;
  period: string;
  sequence: number;
  vouchers: number;
  lines: number;
  transactions: number;
  digest: string;
  made_at: Date;
  maker_name: string;
  withdrawn_at: Date | null;
  withdrawer_name: string | null;
  withdrawal_reason: string | null;
};
const exportColumns = sql<ExportRow>`x.id, x.period, x.sequence, x.vouchers, x.lines, x.transactions, x.digest, x.made_at, x.maker_name, x.withdrawn_at, x.withdrawer_name, x.withdrawal_reason`;
const toExport = (row: ExportRow): JournalExport => ({
  id: row.id,
  period: row.period,
  sequence: row.sequence,
  vouchers: row.vouchers,
  lines: row.lines,
  transactions: row.transactions,
  digest: row.digest,
  made: { name: row.maker_name, at: row.made_at },
  withdrawn:
    row.withdrawn_at === null
      ? null
      : { name: row.withdrawer_name ?? '', at: row.withdrawn_at, reason: row.withdrawal_reason ?? '' },
});
const exportOrder: ListOrder = {
  by: {
    madeAt: { expression: sql`x.made_at`, cast: 'timestamptz' },
    period: { expression: sql`x.period`, cast: 'text' },
  },
  usual: '-madeAt',
  id: sql`x.id`,
};

/** Returns one page of exports, newest first. */
export function pageOfExports(
  ctx: Ctx,
  input: In<typeof accounting.listJournals>,
): Promise<Page<JournalExport>> {
  return readPage(
    ctx.db,
    input,
    {
      columns: exportColumns,
      from: sql`journal_export x`,
      where: allOf(
        input.q &&
          sql`(x.period ilike ${containsPattern(input.q)} or exists (select from journal_voucher v where v.export_id = x.id and v.number ilike ${containsPattern(input.q)}))`,
      ),
      order: exportOrder,
    },
    toExport,
  );
}

export type FoundExport = {
  readonly journal: JournalExport;
  /** As they were when the export was created. */
  readonly settings: AccountingSettings;
  readonly language: Ctx['language'];
};
/** Returns one export; undefined when it does not exist. */
export async function exportById(ctx: Ctx, id: string): Promise<FoundExport | undefined> {
  const { rows } = await sql<
    ExportRow & { settings: AccountingSettings; language: Ctx['language'] }
  >`select ${exportColumns}, x.settings, x.language from journal_export x where x.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  return row && { journal: toExport(row), settings: row.settings, language: row.language };
}

/** Marks an export as withdrawn and releases its transactions; false when it was already withdrawn. */
export async function markWithdrawn(
  ctx: Ctx,
  id: string,
  by: { readonly userId: string; readonly name: string; readonly reason: string },
): Promise<boolean> {
  const { rows } = await sql<{
    id: string;
  }>`update journal_export set withdrawn_at = ${ctx.now}, withdrawn_by = ${by.userId}, withdrawer_name = ${by.name}, withdrawal_reason = ${by.reason} where id = ${id} and withdrawn_at is null returning id`.execute(
    ctx.db,
  );
  if (rows.length === 0) return false;
  await sql`delete from journal_exported where export_id = ${id}`.execute(ctx.db);
  return true;
}

type VoucherRow = Omit<StoredVoucher, 'total'> & { readonly total: string };
/** Returns the first `limit` vouchers of an export. */
export async function vouchersFrom(ctx: Ctx, exportId: string, limit: number): Promise<StoredVoucher[]> {
  const { rows } =
    await sql<VoucherRow>`select position, number, to_char(day, 'YYYY-MM-DD') as day, kind, currency, summary, transactions, total_minor::text as total from journal_voucher where export_id = ${exportId} order by position limit ${limit}`.execute(
      ctx.db,
    );
  return rows.map((row) => ({ ...row, total: BigInt(row.total) }));
}

/** Returns the number of lines of each voucher of an export and a currency, in order. */
export async function lineCounts(
  ctx: Ctx,
  exportId: string,
): Promise<{ voucher: number; currency: Currency; lines: number }[]> {
  const { rows } = await sql<{ voucher: number; currency: Currency; lines: number }>`
    select v.position as voucher, v.currency, count(*)::int as lines from journal_voucher v join journal_line l on l.export_id = v.export_id and l.voucher = v.position
    where v.export_id = ${exportId} group by 1, 2 order by 1`.execute(ctx.db);
  return rows;
}

export type LineRow = StoredLine &
  Pick<StoredVoucher, 'number' | 'day' | 'currency'> & { readonly voucherSummary: string };
type RawLineRow = Omit<LineRow, 'debit' | 'credit'> & { readonly debit: string; readonly credit: string };
/**
 * Returns the next lines of an export's vouchers `from` to `to` after a position, in order, up to a limit.
 */
export async function linesAfter(
  ctx: Ctx,
  exportId: string,
  of: { readonly currency: Currency | null; readonly from: number; readonly to: number },
  after: { readonly voucher: number; readonly position: number },
  limit: number,
): Promise<LineRow[]> {
  const { rows } =
    await sql<RawLineRow>`select l.voucher, l.position, l.account_kind as "accountKind", trim_scale(l.tax_rate)::text as "taxRate", l.service_id as "serviceId", l.code, l.name, l.department, l.tax_name as "taxName", l.summary, l.debit_minor::text as debit, l.credit_minor::text as credit,
      v.number, to_char(v.day, 'YYYY-MM-DD') as day, v.currency, v.summary as "voucherSummary"
    from journal_line l join journal_voucher v on v.export_id = l.export_id and v.position = l.voucher
    where l.export_id = ${exportId} and l.voucher between ${of.from} and ${of.to} and (l.voucher, l.position) > (${after.voucher}, ${after.position}) and ${allOf(of.currency !== null && sql`v.currency = ${of.currency}`)}
    order by l.voucher, l.position limit ${limit}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
}

/** Sums an export's lines by account of the accounting program. */
export async function accountsOf(ctx: Ctx, exportId: string) {
  const { rows } = await sql<{
    currency: Currency;
    code: string;
    name: string;
    department: string;
    debit: string;
    credit: string;
  }>`select v.currency, l.code, l.name, l.department, sum(l.debit_minor)::text as debit, sum(l.credit_minor)::text as credit from journal_line l join journal_voucher v on v.export_id = l.export_id and v.position = l.voucher where l.export_id = ${exportId} group by 1, 2, 3, 4`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
}

/** Returns all distinct texts that the files of an export contain. */
export async function textsOfExport(ctx: Ctx, exportId: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select unnest(array[code, name, department, summary]) as text from journal_line where export_id = ${exportId} union select summary from journal_voucher where export_id = ${exportId}`.execute(
    ctx.db,
  );
  return rows.map(({ text }) => text);
}

export type TakenFile = {
  readonly exportId: string;
  readonly format: JournalFormat;
  readonly encoding: Encoding;
  readonly currency: Currency | null;
  readonly part: number;
  readonly digest: string;
  readonly bytes: number;
  readonly takenBy: string;
  readonly takerName: string;
};
export async function insertFile(ctx: Ctx, taken: TakenFile): Promise<void> {
  await sql`insert into journal_file (id, export_id, format, encoding, currency, part, digest, bytes, taken_at, taken_by, taker_name)
    values (${ctx.newId('jfl')}, ${taken.exportId}, ${taken.format}, ${taken.encoding}, ${taken.currency ?? ''}, ${taken.part}, ${taken.digest}, ${taken.bytes}, ${ctx.now}, ${taken.takenBy}, ${taken.takerName})`.execute(
    ctx.db,
  );
}
/** Returns the last downloaded files of an export, newest first. */
export async function filesOf(ctx: Ctx, exportId: string, limit: number): Promise<JournalFile[]> {
  const { rows } = await sql<{
    id: Id<'jfl'>;
    format: JournalFormat;
    encoding: Encoding;
    currency: Currency | '';
    part: number;
    digest: string;
    bytes: bigint;
    taken_at: Date;
    taker_name: string;
  }>`select id, format, encoding, currency, part, digest, bytes, taken_at, taker_name from journal_file where export_id = ${exportId} order by id desc limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map(
    ({ id, format, encoding, currency, part, digest, bytes, taken_at: at, taker_name: name }) => ({
      id,
      format,
      encoding,
      currency: currency === '' ? null : currency,
      part,
      digest,
      bytes: Number(bytes),
      taken: { name, at },
    }),
  );
}

export const amountsOf = (line: Pick<LineRow, 'debit' | 'credit' | 'currency'>) => ({
  debit: money(line.debit, line.currency),
  credit: money(line.credit, line.currency),
});
