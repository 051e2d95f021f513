// SQL of imports: the files read, and their aggregated lines.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Amount, CostFormat, importStates } from '../contract.ts';
import type { Scope } from '../rules-line.ts';
import type { ReadLine, ReadMistake, ReadTotal } from './read-task.ts';

export type ImportRow = {
  id: Id<'cim'>;
  sourceId: Id<'csr'>;
  name: string;
  /** The names of the external files; null for an upload. */
  files: readonly string[] | null;
  state: (typeof importStates)[number];
  format: CostFormat | null;
  bytes: bigint;
  bytesRead: bigint;
  rows: bigint;
  /** How many rows were given the source's currency, and which one. */
  assumedRows: bigint;
  assumedCurrency: Currency | null;
  attempt: number;
  failureCode: string | null;
  failureParams: TextParams | null;
  failureRow: bigint | null;
  failureColumn: string | null;
  createdAt: Date;
  endedAt: Date | null;
};
export type CountedImport = ImportRow & { periods: string[]; cost: Amount[] };

const columns = sql<ImportRow>`i.id, i.source_id as "sourceId", i.name, i.files, i.state, i.format, i.bytes, i.bytes_read as "bytesRead", i.rows, i.assumed_rows as "assumedRows", i.assumed_currency as "assumedCurrency", i.attempt, i.failure_code as "failureCode", i.failure_params as "failureParams",
  i.failure_row as "failureRow", i.failure_column as "failureColumn", i.created_at as "createdAt", i.ended_at as "endedAt"`;
const counted = sql<CountedImport>`${columns},
  coalesce((select json_agg(distinct t.period_start::text order by t.period_start::text) from cost_import_total t where t.import_id = i.id), '[]') as periods,
  coalesce((select json_agg(json_build_object('amount', trim_scale(t.billed)::text, 'currency', t.currency) order by t.currency) from (select currency, sum(billed) as billed from cost_import_total where import_id = i.id group by 1) t), '[]') as cost`;
const order: ListOrder = {
  by: {
    createdAt: { expression: sql`i.created_at`, cast: 'timestamptz' },
    name: { expression: sql`i.name`, cast: 'text' },
  },
  usual: '-createdAt',
  id: sql`i.id`,
};

export const pageOfImports = (ctx: Ctx, sourceId: string, input: SearchInput): Promise<Page<CountedImport>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: counted,
      from: sql`cost_import i`,
      where: allOf(sql`i.source_id = ${sourceId}`, input.q && sql`i.name ilike ${containsPattern(input.q)}`),
      order,
    },
    rowItself,
  );

export async function importById(ctx: Ctx, id: string): Promise<CountedImport | undefined> {
  const { rows } = await sql<CountedImport>`select ${counted} from cost_import i where i.id = ${id}`.execute(
    ctx.db,
  );
  return rows[0];
}

export async function lockImport(ctx: Ctx, id: string): Promise<ImportRow | undefined> {
  const { rows } =
    await sql<ImportRow>`select ${columns} from cost_import i where i.id = ${id} for update`.execute(ctx.db);
  return rows[0];
}

/**
 * Returns the pending or applied import with the same content; for external files, in any state. If its rows
 * were given a currency other than the source's current one, it counts as a different import.
 */
export async function importOfDigest(
  ctx: Ctx,
  sourceId: string,
  digest: Buffer,
  assumedCurrency: Currency | null,
  anyState: boolean,
): Promise<Id<'cim'> | undefined> {
  const { rows } = await sql<{
    id: Id<'cim'>;
  }>`select id from cost_import where source_id = ${sourceId} and digest = ${digest} and (assumed_currency is null or assumed_currency = ${assumedCurrency}) ${anyState ? sql`` : sql`and state in ('waiting', 'reading', 'ready', 'applied')`} order by created_at desc limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

export async function insertImport(
  ctx: Ctx,
  made: Pick<ImportRow, 'id' | 'sourceId' | 'name' | 'files'> & {
    readonly digest: Buffer;
    readonly bytes: number;
  },
): Promise<void> {
  await sql`insert into cost_import (id, source_id, name, files, digest, state, bytes, created_at) values (${made.id}, ${made.sourceId}, ${made.name}, ${made.files && JSON.stringify(made.files)}::jsonb, ${made.digest}, 'waiting', ${made.bytes}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/**
 * Claims the oldest import that is waiting or was abandoned by a process, and deletes what was read of it
 * before.
 */
export async function claimImport(ctx: Ctx, until: Date): Promise<ImportRow | undefined> {
  const { rows } =
    await sql<ImportRow>`update cost_import i set state = 'reading', attempt = i.attempt + 1, claimed_until = ${until}, bytes_read = 0, rows = 0, assumed_rows = 0, assumed_currency = null, failure_code = null, failure_params = null, failure_row = null, failure_column = null, ended_at = null
    where i.id = (select id from cost_import where state = 'waiting' or (state = 'reading' and claimed_until < ${ctx.now}) order by created_at, id limit 1 for update skip locked) returning ${columns}`.execute(
      ctx.db,
    );
  const [found] = rows;
  if (found) await forgetLines(ctx, found.id);
  return found;
}

async function forgetLines(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from cost_line where import_id = ${id}`.execute(ctx.db);
  await sql`delete from cost_import_total where import_id = ${id}`.execute(ctx.db);
}

/** Renews the claim on an import; false if it was canceled or another process reads it. */
export async function holdImport(
  ctx: Ctx,
  { id, attempt }: Pick<ImportRow, 'id' | 'attempt'>,
  until: Date,
  progress?: { readonly bytes: number; readonly rows: number },
): Promise<boolean> {
  const { rows } =
    await sql`update cost_import set claimed_until = ${until}${progress ? sql`, bytes_read = least(bytes, ${progress.bytes}), rows = ${progress.rows}` : sql``}
    where id = ${id} and attempt = ${attempt} and state = 'reading' returning 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Stores the scopes of an import; returns their numbers in order. */
export async function storeScopes(
  ctx: Ctx,
  sourceId: string,
  scopes: readonly (Scope & { readonly digest: Buffer })[],
): Promise<string[]> {
  const of = (name: 'provider' | 'account' | 'subAccount' | 'subAccountName' | 'resourceGroup'): string[] =>
    scopes.map((scope) => scope[name]);
  const digests = scopes.map(({ digest }) => digest.toString('hex'));
  await sql`insert into cost_scope (source_id, digest, provider, account, sub_account, sub_account_name, resource_group, tags)
    select ${sourceId}, decode(d, 'hex'), p, a, s, n, g, t from unnest(${digests}::text[], ${of('provider')}::text[], ${of('account')}::text[], ${of('subAccount')}::text[], ${of('subAccountName')}::text[], ${of('resourceGroup')}::text[], ${scopes.map(({ tags }) => JSON.stringify(tags))}::jsonb[]) as x (d, p, a, s, n, g, t)
    order by d on conflict (source_id, digest) do nothing`.execute(ctx.db);
  const { rows } = await sql<{
    id: string;
  }>`select s.id::text as id from unnest(${digests}::text[]) with ordinality as x (d, place) join cost_scope s on s.source_id = ${sourceId} and s.digest = decode(x.d, 'hex') order by x.place`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

export type StoredLine = Omit<ReadLine, 'scope'> & { readonly scopeId: string };

export async function storeLines(ctx: Ctx, importId: string, lines: readonly StoredLine[]): Promise<void> {
  const of = <K extends keyof StoredLine>(name: K): StoredLine[K][] => lines.map((line) => line[name]);
  await sql`insert into cost_line (import_id, period_start, period_end, scope_id, day, service, kind, currency, billed, effective, list, rows)
    select ${importId}, * from unnest(${of('periodStart')}::date[], ${of('periodEnd')}::date[], ${of('scopeId')}::bigint[], ${of('day')}::date[], ${of('service')}::text[], ${of('kind')}::text[], ${of('currency')}::bpchar[], ${of('billed')}::numeric[], ${of('effective')}::numeric[], ${of('list')}::numeric[], ${of('rows')}::bigint[])`.execute(
    ctx.db,
  );
}

/** Ends the reading of an import; it can then be previewed and applied. */
export async function endReading(
  ctx: Ctx,
  id: string,
  {
    format,
    rows,
    totals,
    assumedRows,
    assumedCurrency,
  }: {
    format: CostFormat;
    rows: number;
    totals: readonly ReadTotal[];
    assumedRows: number;
    assumedCurrency: Currency | null;
  },
): Promise<void> {
  const of = <K extends keyof ReadTotal>(name: K): ReadTotal[K][] => totals.map((total) => total[name]);
  await sql`insert into cost_import_total (import_id, period_start, period_end, currency, billed, effective, list, rows)
    select ${id}, * from unnest(${of('periodStart')}::date[], ${of('periodEnd')}::date[], ${of('currency')}::bpchar[], ${of('billed')}::numeric[], ${of('effective')}::numeric[], ${of('list')}::numeric[], ${of('rows')}::bigint[])`.execute(
    ctx.db,
  );
  await sql`update cost_import set state = 'ready', format = ${format}, rows = ${rows}, assumed_rows = ${assumedRows}, assumed_currency = ${assumedRows > 0 ? assumedCurrency : null}, bytes_read = bytes, claimed_until = null where id = ${id}`.execute(
    ctx.db,
  );
}

/** Ends an import that is not used, and deletes its lines. */
export async function endImport(
  ctx: Ctx,
  id: string,
  state: 'failed' | 'cancelled' | 'superseded',
  mistake?: ReadMistake,
): Promise<void> {
  await forgetLines(ctx, id);
  await sql`update cost_import set state = ${state}, claimed_until = null, ended_at = ${ctx.now}, failure_code = ${mistake?.rule ?? null}, failure_params = ${mistake ? JSON.stringify(mistake.params) : null}::jsonb, failure_row = ${mistake?.row ?? null}, failure_column = ${mistake?.column ?? null} where id = ${id}`.execute(
    ctx.db,
  );
}

/**
 * Queues an import to be read again; the attempts of processes that die, in the last two digits, start over.
 */
export async function readAgain(ctx: Ctx, id: string): Promise<void> {
  await forgetLines(ctx, id);
  await sql`update cost_import set state = 'waiting', claimed_until = null, attempt = (attempt / 100 + 1) * 100 where id = ${id}`.execute(
    ctx.db,
  );
}

export type PeriodRow = {
  readonly sourceId: Id<'csr'>;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly importId: Id<'cim'>;
  readonly version: number;
  readonly importedAt: Date;
  readonly soldTerms: number;
  readonly totals: Partial<CostTotals>;
  readonly rows: bigint;
};
/** The cost of a period and how much of it is assigned; by currency. */
export type CostTotals = {
  readonly cost: Amount[];
  readonly tax: Amount[];
  readonly assigned: Amount[];
  readonly unassigned: Amount[];
  readonly ignored: Amount[];
};

/** Returns the billing periods of some sources, newest first. */
export async function periodsOf(ctx: Ctx, sourceIds: readonly string[]): Promise<PeriodRow[]> {
  const { rows } =
    await sql<PeriodRow>`select p.source_id as "sourceId", p.period_start::text as "periodStart", p.period_end::text as "periodEnd", p.import_id as "importId", p.version, p.imported_at as "importedAt", p.sold_terms as "soldTerms", p.totals,
    (select coalesce(sum(t.rows), 0)::bigint from cost_import_total t where t.import_id = p.import_id and t.period_start = p.period_start) as rows
    from cost_period p where p.source_id = any(${[...sourceIds]}::text[]) order by p.period_start desc`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns the periods of an import that was read, with their ends. */
export async function periodsIn(
  ctx: Ctx,
  importId: string,
): Promise<{ readonly periodStart: string; readonly periodEnd: string }[]> {
  const { rows } = await sql<{
    periodStart: string;
    periodEnd: string;
  }>`select period_start::text as "periodStart", max(period_end)::text as "periodEnd" from cost_import_total where import_id = ${importId} group by 1 order by 1`.execute(
    ctx.db,
  );
  return rows;
}

/** Makes an import the applied one for its periods; returns the imports that it fully replaced. */
export async function takePeriods(
  ctx: Ctx,
  { id, sourceId }: Pick<ImportRow, 'id' | 'sourceId'>,
): Promise<string[]> {
  const { rows: before } = await sql<{
    id: string;
  }>`select distinct p.import_id as id from cost_period p where p.source_id = ${sourceId} and p.import_id <> ${id}
    and p.period_start in (select period_start from cost_import_total where import_id = ${id})`.execute(
    ctx.db,
  );
  await sql`insert into cost_period as p (source_id, period_start, period_end, import_id, version, imported_at, sold_terms)
    select ${sourceId}, period_start, max(period_end), ${id}, 1, ${ctx.now}, 0 from cost_import_total where import_id = ${id} group by period_start
    on conflict (source_id, period_start) do update set period_end = excluded.period_end, import_id = excluded.import_id, version = p.version + 1, imported_at = excluded.imported_at`.execute(
    ctx.db,
  );
  await sql`update cost_import set state = 'applied', ended_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
  const { rows: over } = await sql<{
    id: string;
  }>`select x.id from unnest(${before.map((each) => each.id)}::text[]) as x (id) where not exists (select from cost_period p where p.import_id = x.id)`.execute(
    ctx.db,
  );
  return over.map((each) => each.id);
}

/** Records that a period was sold with the source's current terms. */
export async function noteSold(
  ctx: Ctx,
  sourceId: string,
  periodStart: string,
  { terms, totals }: { readonly terms: number; readonly totals: CostTotals },
): Promise<void> {
  await sql`update cost_period set sold_terms = ${terms}, totals = ${JSON.stringify(totals)}::jsonb where source_id = ${sourceId} and period_start = ${periodStart}`.execute(
    ctx.db,
  );
}

/**
 * Returns the uploads whose files must be kept; the files of imports that ended before, or are unknown, can
 * be deleted.
 */
export async function keptUploads(ctx: Ctx, endedAfter: Date): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from cost_import where files is null and (ended_at is null or ended_at > ${endedAfter})`.execute(
    ctx.db,
  );
  return new Set(rows.map(({ id }) => id));
}
