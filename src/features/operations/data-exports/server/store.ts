// SQL of the list of nightly exports: who requested each, its progress, and where its files are.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { DataExport, dataExports, Failure, RunState } from '../contract.ts';
import type { LastScheduled } from '../rules.ts';

// A running export reports every second; after this many silent minutes its process must have died. A waiting
// export may wait longer.
const [silentMinutes, waitingMinutes] = [3, 60];
const isSilent = (now: Date) =>
  sql<boolean>`(d.state = 'running' and d.heard_at < ${now}::timestamptz - make_interval(mins => ${silentMinutes}) or d.state = 'waiting' and d.heard_at < ${now}::timestamptz - make_interval(mins => ${waitingMinutes}))`;
const stateAt = (now: Date) => sql<RunState>`case when ${isSilent(now)} then 'interrupted' else d.state end`;
type Row = Omit<DataExport, 'failure'> & {
  failureCode: Failure['code'] | null;
  failureDetail: string | null;
};
const columns = (now: Date) =>
  sql<Row>`d.id, ${stateAt(now)} as state, d.cause, d.attempt, d.asked_at as "askedAt", coalesce(u.name, d.asked_by) as "askedBy", d.begun_at as "begunAt", d.finished_at as "finishedAt", d.place, d.folder,
  d.files_done as "filesDone", d.files_total as "filesTotal", d.rows_done::float8 as "rowsDone", d.size_bytes::float8 as "sizeBytes", d.snapshot_at as "snapshotAt", d.read_from as "readFrom",
  d.removed_at as "removedAt", d.failure_code as "failureCode", d.failure_detail as "failureDetail"`;
const tables = sql`data_export d left join app_user u on u.id = d.asked_by`;
const view = ({ failureCode, failureDetail, ...row }: Row): DataExport => ({
  ...row,
  failure: failureCode && { code: failureCode, detail: failureDetail ?? '' },
});

async function findRun(
  ctx: Pick<Ctx, 'db' | 'now'>,
  where: RawBuilder<unknown>,
): Promise<DataExport | undefined> {
  const { rows } =
    await sql<Row>`select ${columns(ctx.now)} from ${tables} where ${where} order by d.asked_at desc, d.id desc limit 1`.execute(
      ctx.db,
    );
  return rows[0] && view(rows[0]);
}

export const runById = (ctx: Ctx, exportId: string): Promise<DataExport | undefined> =>
  findRun(ctx, sql`d.id = ${exportId}`);
/** The export that is waiting or in progress. */
export const runInTheMaking = (ctx: Ctx): Promise<DataExport | undefined> =>
  findRun(ctx, sql`d.state in ('waiting', 'running') and not ${isSilent(ctx.now)}`);
/** The newest complete export. */
export const lastDone = (ctx: Pick<Ctx, 'db' | 'now'>): Promise<DataExport | undefined> =>
  findRun(ctx, sql`d.state = 'done'`);
/** The newest failed export, unless a later one succeeded. */
export const lastFailed = (ctx: Pick<Ctx, 'db' | 'now'>): Promise<DataExport | undefined> =>
  findRun(
    ctx,
    sql`(d.state = 'failed' or ${isSilent(ctx.now)}) and not exists (select 1 from data_export later where later.asked_at > d.asked_at and later.state = 'done')`,
  );

/** The newest export started by the schedule. */
export async function lastScheduled(ctx: Ctx): Promise<LastScheduled | null> {
  return (await findRun(ctx, sql`d.cause = 'schedule'`)) ?? null;
}

const order: ListOrder = {
  by: {
    askedAt: { expression: sql`d.asked_at`, cast: 'timestamptz' },
    sizeBytes: { expression: sql`coalesce(d.size_bytes, 0)`, cast: 'bigint' },
  },
  usual: '-askedAt',
  id: sql`d.id`,
};

/** One page of exports. */
export function pageOfRuns(
  ctx: Ctx,
  input: In<typeof dataExports.listDataExports>,
): Promise<Page<DataExport>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: columns(ctx.now),
    from: tables,
    where: allOf(
      input.state && sql`${stateAt(ctx.now)} = ${input.state}`,
      pattern && sql`(d.folder ilike ${pattern} or coalesce(u.name, d.asked_by) ilike ${pattern})`,
    ),
    order,
  };
  return readPage(ctx.db, input, list, (row) => view(rowItself(row)));
}

/** Adds an export; undefined when one is waiting or running already. Interrupted ones are marked as failed. */
export async function insertRun(
  ctx: Ctx,
  asked: { readonly cause: DataExport['cause']; readonly by: string; readonly attempt: number },
): Promise<Id<'dxp'> | undefined> {
  await sql`update data_export d set state = 'failed', finished_at = ${ctx.now}, failure_code = 'interrupted' where d.state in ('waiting', 'running') and ${isSilent(ctx.now)}`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    id: Id<'dxp'>;
  }>`insert into data_export (id, state, cause, attempt, asked_at, asked_by, heard_at) values (${ctx.newId('dxp')}, 'waiting', ${asked.cause}, ${asked.attempt}, ${ctx.now}, ${asked.by}, ${ctx.now})
    on conflict ((true)) where state in ('waiting', 'running') do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** Marks a waiting export as running and returns its attempt; undefined when it no longer waits. */
export async function beginRun(
  ctx: Ctx,
  exportId: string,
  { place, folder }: { readonly place: string; readonly folder: string },
): Promise<{ readonly attempt: number } | undefined> {
  const { rows } = await sql<{
    attempt: number;
  }>`update data_export set state = 'running', begun_at = ${ctx.now}, heard_at = ${ctx.now}, place = ${place}, folder = ${folder} where id = ${exportId} and state = 'waiting' returning attempt`.execute(
    ctx.db,
  );
  return rows[0];
}

export type RunProgress = {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly rowsDone: number;
};
/** Stores the progress, and returns whether the export should continue. */
export async function storeProgress(
  ctx: Ctx,
  exportId: string,
  news: RunProgress | undefined,
): Promise<boolean> {
  const { rows } = await sql<{
    go: boolean;
  }>`update data_export set heard_at = ${ctx.now}, files_done = coalesce(${news?.filesDone ?? null}::integer, files_done), files_total = coalesce(${news?.filesTotal ?? null}::integer, files_total), rows_done = coalesce(${news?.rowsDone ?? null}::bigint, rows_done)
    where id = ${exportId} and state = 'running' returning not stop_asked as go`.execute(ctx.db);
  return rows[0]?.go ?? false;
}

/** Whether an export still belongs to this process: neither stopped nor marked as interrupted. */
export async function mayEnd(ctx: Ctx, exportId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from data_export where id = ${exportId} and state = 'running' and not stop_asked`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type WrittenRun = RunProgress & {
  readonly bytes: number;
  readonly snapshotAt: Date;
  readonly readFrom: 'primary' | 'replica';
  readonly eventsThrough: Date | null;
};
/** Marks an export as done; false when it was marked as interrupted in the meantime. */
export async function endRun(ctx: Ctx, exportId: string, written: WrittenRun): Promise<boolean> {
  const { rows } =
    await sql`update data_export set state = 'done', finished_at = ${ctx.now}, heard_at = ${ctx.now}, files_done = ${written.filesDone}, files_total = ${written.filesTotal}, rows_done = ${written.rowsDone},
    size_bytes = ${written.bytes}, snapshot_at = ${written.snapshotAt}, read_from = ${written.readFrom}, events_through = ${written.eventsThrough}
    where id = ${exportId} and state = 'running' returning 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Stores that an export failed, or was stopped (`failure` null). */
export async function markEnded(ctx: Ctx, exportId: string, failure: Failure | null): Promise<void> {
  await sql`update data_export set state = ${failure ? 'failed' : 'stopped'}, finished_at = ${ctx.now}, heard_at = ${ctx.now}, failure_code = ${failure?.code ?? null}, failure_detail = ${failure?.detail ?? null}
    where id = ${exportId} and state in ('waiting', 'running')`.execute(ctx.db);
}

/**
 * Requests the end of a running export, and ends a waiting or interrupted one at once; false when there is
 * none.
 */
export async function requestStop(ctx: Ctx, exportId: string): Promise<boolean> {
  const { rows } =
    await sql`update data_export d set stop_asked = true, state = case when d.state = 'waiting' or ${isSilent(ctx.now)} then 'stopped' else d.state end,
    finished_at = case when d.state = 'waiting' or ${isSilent(ctx.now)} then ${ctx.now}::timestamptz end where d.id = ${exportId} and d.state in ('waiting', 'running') returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * The arrival time up to which an earlier run has exported events to this destination; null when there is
 * none.
 */
export async function eventsTaken(ctx: Ctx, place: string): Promise<Date | null> {
  const { rows } = await sql<{
    through: Date | null;
  }>`select max(events_through) as through from data_export where state = 'done' and place = ${place}`.execute(
    ctx.db,
  );
  return rows[0]?.through ?? null;
}

/**
 * Returns runs whose files at this destination must be removed: incomplete and expired ones, but never the
 * newest complete one.
 */
export async function overdueRuns(
  ctx: Ctx,
  place: string,
  before: Date,
): Promise<{ readonly id: string; readonly folder: string }[]> {
  const { rows } = await sql<{
    id: string;
    folder: string;
  }>`select id, folder from data_export where place = ${place} and folder is not null and removed_at is null
    and (state in ('failed', 'stopped') or state = 'done' and asked_at < ${before} and id <> (select id from data_export where state = 'done' and place = ${place} order by asked_at desc, id desc limit 1))`.execute(
    ctx.db,
  );
  return rows;
}

/** Records that the files of runs were removed. */
export async function markRemoved(ctx: Ctx, exportIds: readonly string[]): Promise<void> {
  await sql`update data_export set removed_at = ${ctx.now} where id = any(${exportIds}) and removed_at is null`.execute(
    ctx.db,
  );
}
