// SQL of the list of backups.
import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { BackupProgress } from '#platform/server/backup/backup-manifest.ts';
import type { BackupProof } from '#platform/server/backup/backup-make.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import { BackupContent, type Backup, type BackupCause, type BackupState, type backups } from '../contract.ts';
import type { ExistingBackup } from '../rules.ts';

// A running backup reports every few seconds; after this many silent minutes its process must have died. A
// waiting backup may wait longer, for a worker.
const [silentMinutes, waitingMinutes] = [3, 60];
const isSilent = (now: Date) =>
  sql<boolean>`(b.state = 'running' and b.heard_at < ${now}::timestamptz - make_interval(mins => ${silentMinutes}) or b.state = 'waiting' and b.heard_at < ${now}::timestamptz - make_interval(mins => ${waitingMinutes}))`;
const stateAt = (now: Date) =>
  sql<BackupState>`case when ${isSilent(now)} then 'interrupted' else b.state end`;
const columns = (
  now: Date,
) => sql<Row>`b.id, ${stateAt(now)} as state, b.cause, b.asked_at as "askedAt", coalesce(u.name, b.asked_by) as "askedBy", b.begun_at as "begunAt", b.finished_at as "finishedAt", b.phase,
  b.rows_done::float8 as "rowsDone", b.rows_total::float8 as "rowsTotal", b.file_name as "fileName", b.size_bytes::float8 as "sizeBytes", b.content, b.proof, b.differences, b.removed_at as "removedAt", b.problem`;
const tables = sql`backup b left join app_user u on u.id = b.asked_by`;

type Row = Omit<Backup, 'content'> & { content: unknown };
const view = (ctx: Ctx, row: Row): Backup => ({
  ...row,
  content: row.content === null ? null : z.parse(BackupContent, row.content),
  problem: row.problem === null ? null : ctx.text(row.problem),
});

async function findBackup(ctx: Ctx, where: RawBuilder<unknown>): Promise<Backup | undefined> {
  const { rows } =
    await sql<Row>`select ${columns(ctx.now)} from ${tables} where ${where} order by b.asked_at desc, b.id desc limit 1`.execute(
      ctx.db,
    );
  return rows[0] && view(ctx, rows[0]);
}

export const backupById = (ctx: Ctx, backupId: string): Promise<Backup | undefined> =>
  findBackup(ctx, sql`b.id = ${backupId}`);
/** The backup that is waiting or in progress. */
export const backupInTheMaking = (ctx: Ctx): Promise<Backup | undefined> =>
  findBackup(ctx, sql`b.state in ('waiting', 'running') and not ${isSilent(ctx.now)}`);
/** The newest verified backup whose file exists. */
export const lastProven = (ctx: Ctx): Promise<Backup | undefined> =>
  findBackup(ctx, sql`b.state = 'done' and b.proof = 'proven' and b.removed_at is null`);
/** The newest failed backup or verification; none once a later backup was verified. */
export const lastFailed = (ctx: Ctx): Promise<Backup | undefined> =>
  findBackup(
    ctx,
    sql`(b.state = 'failed' or b.proof = 'different' or ${isSilent(ctx.now)}) and not exists (select 1 from backup later where later.asked_at > b.asked_at and later.proof = 'proven')`,
  );

/** When the schedule last started a backup; before the first one, when the installation was created. */
export async function lastScheduledAt(ctx: Ctx): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null;
  }>`select coalesce((select max(asked_at) from backup where cause = 'schedule'), (select min(applied_at) from schema_migration)) as at`.execute(
    ctx.db,
  );
  return rows[0]?.at ?? null;
}

/** The number of stored files, and their total size. */
export async function fileTotals(ctx: Ctx): Promise<{ kept: number; keptBytes: number }> {
  const { rows } = await sql<{
    kept: number;
    keptBytes: number;
  }>`select count(*)::int as kept, coalesce(sum(size_bytes), 0)::float8 as "keptBytes" from backup where state = 'done' and removed_at is null`.execute(
    ctx.db,
  );
  return rows[0] ?? { kept: 0, keptBytes: 0 };
}

const order: ListOrder = {
  by: {
    askedAt: { expression: sql`b.asked_at`, cast: 'timestamptz' },
    sizeBytes: { expression: sql`coalesce(b.size_bytes, 0)`, cast: 'bigint' },
  },
  usual: '-askedAt',
  id: sql`b.id`,
};

/** One page of backups. */
export function pageOfBackups(ctx: Ctx, input: In<typeof backups.listBackups>): Promise<Page<Backup>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: columns(ctx.now),
    from: tables,
    where: allOf(
      input.state && sql`${stateAt(ctx.now)} = ${input.state}`,
      pattern && sql`(b.file_name ilike ${pattern} or coalesce(u.name, b.asked_by) ilike ${pattern})`,
    ),
    order,
  };
  return readPage(ctx.db, input, list, (row) => view(ctx, rowItself(row)));
}

/**
 * Adds a backup; undefined when one is waiting or running already. Interrupted ones are marked as abandoned.
 */
export async function insertBackup(
  ctx: Ctx,
  cause: BackupCause,
  requestedBy: string,
): Promise<Id<'bak'> | undefined> {
  await sql`update backup b set state = 'failed', finished_at = ${ctx.now}, problem = 'backups.problem_interrupted' where b.state in ('waiting', 'running') and ${isSilent(ctx.now)}`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    id: Id<'bak'>;
  }>`insert into backup (id, state, cause, asked_at, asked_by, heard_at) values (${ctx.newId('bak')}, 'waiting', ${cause}, ${ctx.now}, ${requestedBy}, ${ctx.now})
    on conflict ((true)) where state in ('waiting', 'running') do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** Whether the list contains a backup with this file name. */
export async function isRecorded(ctx: Ctx, fileName: string): Promise<boolean> {
  const { rows } = await sql`select 1 from backup where file_name = ${fileName}`.execute(ctx.db);
  return rows.length > 0;
}

/** Marks a waiting backup as running, with its file name; false when it no longer waits. */
export async function beginBackup(ctx: Ctx, backupId: string, fileName: string): Promise<boolean> {
  const { rows } =
    await sql`update backup set state = 'running', begun_at = ${ctx.now}, heard_at = ${ctx.now}, file_name = ${fileName} where id = ${backupId} and state = 'waiting' returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores the progress, and returns whether the backup should continue. */
export async function storeProgress(
  ctx: Ctx,
  backupId: string,
  progress: BackupProgress | undefined,
): Promise<boolean> {
  const { rows } = await sql<{
    go: boolean;
  }>`update backup set heard_at = ${ctx.now}, phase = coalesce(${progress?.phase ?? null}, phase), rows_done = coalesce(${progress?.done ?? null}::bigint, rows_done), rows_total = coalesce(${progress?.total ?? null}::bigint, rows_total)
    where id = ${backupId} and state = 'running' returning not stop_asked as go`.execute(ctx.db);
  return rows[0]?.go ?? false;
}

export type Finished = {
  readonly bytes: number;
  readonly content: BackupContent;
  readonly proof: BackupProof;
};
/** Marks a backup as done; false when it was abandoned in the meantime. */
export async function endBackup(
  ctx: Ctx,
  backupId: string,
  { bytes, content, proof }: Finished,
): Promise<boolean> {
  const { rows } =
    await sql`update backup set state = 'done', finished_at = ${ctx.now}, heard_at = ${ctx.now}, phase = null, size_bytes = ${bytes}, content = ${JSON.stringify(content)}::jsonb, proof = ${proof.outcome}, differences = ${JSON.stringify(proof.differences)}::jsonb
    where id = ${backupId} and state = 'running' returning 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Stores that a backup failed or was stopped. */
export async function markEnded(
  ctx: Ctx,
  backupId: string,
  state: 'stopped' | 'failed',
  problem: string | null,
): Promise<void> {
  await sql`update backup set state = ${state}, finished_at = ${ctx.now}, heard_at = ${ctx.now}, problem = ${problem} where id = ${backupId} and state in ('waiting', 'running')`.execute(
    ctx.db,
  );
}

/** Stops all waiting and running backups: in a restored database, their process ran elsewhere. */
export async function stopAll(ctx: Ctx): Promise<void> {
  await sql`update backup set state = 'stopped', finished_at = ${ctx.now} where state in ('waiting', 'running')`.execute(
    ctx.db,
  );
}

/**
 * Requests the end of a running backup, and ends a waiting or interrupted one at once; false when there is
 * none.
 */
export async function requestStop(ctx: Ctx, backupId: string): Promise<boolean> {
  const { rows } =
    await sql`update backup b set stop_asked = true, state = case when b.state = 'waiting' or ${isSilent(ctx.now)} then 'stopped' else b.state end,
    finished_at = case when b.state = 'waiting' or ${isSilent(ctx.now)} then ${ctx.now}::timestamptz end where b.id = ${backupId} and b.state in ('waiting', 'running') returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns the backups whose files exist. */
export async function existingBackups(ctx: Ctx): Promise<(ExistingBackup & { fileName: string })[]> {
  const { rows } = await sql<
    ExistingBackup & { fileName: string }
  >`select id, asked_at as at, cause, proof, file_name as "fileName" from backup where state = 'done' and removed_at is null order by asked_at desc`.execute(
    ctx.db,
  );
  return rows;
}

/** Records that files of backups were removed. */
export async function markRemoved(ctx: Ctx, backupIds: readonly string[]): Promise<void> {
  await sql`update backup set removed_at = ${ctx.now} where id = any(${backupIds}) and removed_at is null`.execute(
    ctx.db,
  );
}

/** Whether a database contains an installation: at least one user, with any schema version. */
export async function hasUsers(pool: pg.Pool): Promise<boolean> {
  const {
    rows: [there],
  } = await pool.query<{ yes: boolean }>(`select to_regclass('public.app_user') is not null as yes`);
  if (!there?.yes) return false;
  const {
    rows: [found],
  } = await pool.query<{ yes: boolean }>('select exists (select 1 from app_user) as yes');
  return found?.yes ?? false;
}
