// SQL of imports.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { month, type BillingMonth, type Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readPage, rowItself, rowsCounted, type ListOrder } from '#platform/server/database/paging.ts';
import { importStates, type administration } from '../contract.ts';

const Counts = z.object({ created: z.int(), existing: z.int() });
/** The stored report: rejected rows by code, translated when it is read. */
export const StoredReport = z.object({
  months: z.array(month),
  organizations: Counts,
  services: Counts,
  priceVersions: Counts,
  subscriptions: Counts,
  events: Counts,
  refused: z.array(
    z.object({ row: z.int(), rowId: z.string(), code: z.string(), listCost: z.nullable(z.string()) }),
  ),
  refusedTotal: z.int(),
});
export type StoredReport = z.output<typeof StoredReport>;
const none = { created: 0, existing: 0 };
export const emptyReport: StoredReport = {
  months: [],
  organizations: none,
  services: none,
  priceVersions: none,
  subscriptions: none,
  events: none,
  refused: [],
  refusedTotal: 0,
};

export type ImportRow = {
  id: Id<'imp'>;
  fileName: string;
  state: (typeof importStates)[number];
  rowsTotal: number;
  rowsDone: number;
  report: StoredReport;
  failure: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};
const columns = sql<ImportRow>`i.id, i.file_name as "fileName", i.state, i.rows_total as "rowsTotal", i.rows_done as "rowsDone", i.report, i.failure, i.created_at as "createdAt", i.finished_at as "finishedAt"`;

/** Stores a file for an import. */
export async function insertImport(
  ctx: Ctx,
  fileName: string,
  content: Buffer,
  createdBy: string,
): Promise<Id<'imp'>> {
  const importId = ctx.newId('imp');
  await sql`insert into import (id, file_name, content, state, report, created_at, created_by) values (${importId}, ${fileName}, ${content}, 'waiting', ${JSON.stringify(emptyReport)}::jsonb, ${ctx.now}, ${createdBy})`.execute(
    ctx.db,
  );
  return importId;
}

/** Returns one import, without its file. */
export async function importById(ctx: Ctx, importId: string, lock = false): Promise<ImportRow | undefined> {
  const { rows } =
    await sql<ImportRow>`select ${columns} from import i where i.id = ${importId} ${lock ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** The file of an import. */
export async function contentOf(ctx: Ctx, importId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`select content from import where id = ${importId}`.execute(
    ctx.db,
  );
  return rows[0]?.content;
}

const importOrder: ListOrder = {
  by: { createdAt: { expression: sql`i.created_at`, cast: 'timestamptz' } },
  usual: '-createdAt',
  id: sql`i.id`,
};

/** One page of imports. */
export const pageOfImports = (
  ctx: Ctx,
  input: In<typeof administration.listImports>,
): Promise<Page<ImportRow>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`import i`,
      where: sql`true`,
      order: importOrder,
      counter: rowsCounted('import'),
    },
    rowItself,
  );

/** Stores the progress of an import. */
export async function storeProgress(
  ctx: Ctx,
  importId: string,
  progress: {
    state: ImportRow['state'];
    rowsTotal?: number;
    rowsDone?: number;
    report?: StoredReport;
    failure?: string;
  },
): Promise<void> {
  const ended = progress.state === 'done' || progress.state === 'failed' || progress.state === 'canceled';
  await sql`update import set state = ${progress.state}, rows_total = coalesce(${progress.rowsTotal ?? null}, rows_total), rows_done = coalesce(${progress.rowsDone ?? null}, rows_done),
    report = coalesce(${progress.report ? JSON.stringify(progress.report) : null}::jsonb, report), failure = coalesce(${progress.failure ?? null}, failure), finished_at = ${ended ? ctx.now : null} where id = ${importId}`.execute(
    ctx.db,
  );
}

export type ValuedRow = {
  source: string;
  rowId: string;
  month: BillingMonth;
  currency: string;
  subscriptionId: string | null;
  listCost: string;
  exactCost: string | null;
  refusedCode: string | null;
};

/** Stores the cost of rows in their file; existing rows are not changed. */
export async function insertRows(ctx: Ctx, rows: readonly ValuedRow[]): Promise<void> {
  const of = <T>(pick: (row: ValuedRow) => T): T[] => rows.map(pick);
  await sql`insert into import_row (source, row_id, month, currency, subscription_id, list_cost, exact_cost, refused_code)
    select * from unnest(${of((row) => row.source)}::text[], ${of((row) => row.rowId)}::text[], ${of((row) => row.month)}::text[], ${of((row) => row.currency)}::text[], ${of((row) => row.subscriptionId)}::text[], ${of((row) => row.listCost)}::numeric[], ${of((row) => row.exactCost)}::numeric[], ${of((row) => row.refusedCode)}::text[])
    on conflict do nothing`.execute(ctx.db);
}

export type FileSums = {
  currency: string;
  listCost: string;
  refused: string;
  rowDifferences: string;
  exact: string;
};

/** Returns the cost of the imported rows of a month, by currency. */
export async function fileSums(ctx: Ctx, month: BillingMonth): Promise<FileSums[]> {
  const { rows } =
    await sql<FileSums>`select currency, sum(list_cost) as "listCost", coalesce(sum(list_cost) filter (where refused_code is not null), 0) as refused,
    coalesce(sum(exact_cost - list_cost) filter (where refused_code is null), 0) as "rowDifferences", coalesce(sum(exact_cost) filter (where refused_code is null), 0) as exact
    from import_row where month = ${month} group by currency order by currency`.execute(ctx.db);
  return rows.map((row) => ({
    currency: row.currency,
    listCost: trimDecimal(row.listCost),
    refused: trimDecimal(row.refused),
    rowDifferences: trimDecimal(row.rowDifferences),
    exact: trimDecimal(row.exact),
  }));
}

/** Returns the subscriptions to which imported rows of a month belong. */
export async function importedSubscriptions(ctx: Ctx, month: BillingMonth): Promise<string[]> {
  const { rows } = await sql<{
    subscription_id: string;
  }>`select distinct subscription_id from import_row where month = ${month} and subscription_id is not null`.execute(
    ctx.db,
  );
  return rows.map((row) => row.subscription_id);
}

/** Returns organizations by their external references; unknown ones are omitted. */
export async function organizationsByRefs(
  ctx: Ctx,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Id<'org'>>> {
  const { rows } = await sql<{
    ref: string;
    id: Id<'org'>;
  }>`select external_ref as ref, id from organization where external_ref = any(${[...refs]}::text[]) and closed_at is null`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

/** Counts the organizations that have none of these external references. */
export async function otherOrganizations(ctx: Ctx, refs: readonly string[]): Promise<number> {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) from organization where external_ref is null or external_ref <> all(${[...refs]}::text[])`.execute(
    ctx.db,
  );
  return Number(rows[0]?.count ?? 0n);
}
