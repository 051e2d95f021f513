// SQL of the list of exports of organizations' data: who requested each, its progress, and its file.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { PersonalExport } from '../contract.ts';

// A running export reports progress with every file; after this many silent minutes, the console that made it
// must have died. A waiting export may wait longer, because exports are created one at a time.
const [silentMinutes, waitingMinutes] = [5, 120];
const shownExports = 24;
const isSilent = (now: Date) =>
  sql<boolean>`(p.state = 'running' and p.heard_at < ${now}::timestamptz - make_interval(mins => ${silentMinutes}) or p.state = 'waiting' and p.heard_at < ${now}::timestamptz - make_interval(mins => ${waitingMinutes}))`;
const columns = (
  now: Date,
) => sql`p.id, p.organization_id as "organizationId", o.name as organization, case when ${isSilent(now)} then 'interrupted' else p.state end as state, p.asked_at as "askedAt",
  coalesce(u.name, p.asked_by) as "askedBy", p.finished_at as "finishedAt", p.files_total as "filesTotal", p.files_done as "filesDone", p.rows_done::float8 as "rowsDone",
  case when p.state = 'done' then p.size_bytes::float8 end as "sizeBytes", p.kept_until as "keptUntil", p.problem`;
const tables = sql`personal_export p join organization o on o.id = p.organization_id left join app_user u on u.id = p.asked_by`;
const ofOrganization = (organizationId: string | null) =>
  organizationId === null ? sql`true` : sql`p.organization_id = ${organizationId}`;

const view = (ctx: Ctx, row: PersonalExport): PersonalExport => ({
  ...row,
  problem: row.problem === null ? null : ctx.text(row.problem),
});

/** Returns the newest exports of all organizations (null) or of one. */
export async function newestExports(ctx: Ctx, organizationId: string | null): Promise<PersonalExport[]> {
  const { rows } =
    await sql<PersonalExport>`select ${columns(ctx.now)} from ${tables} where ${ofOrganization(organizationId)} order by p.id desc limit ${shownExports}`.execute(
      ctx.db,
    );
  return rows.map((row) => view(ctx, row));
}

/**
 * Returns one export, of any organization (null) or of one. Another organization's is treated as not found.
 */
export async function exportById(
  ctx: Ctx,
  exportId: string,
  organizationId: string | null,
): Promise<PersonalExport | undefined> {
  const { rows } =
    await sql<PersonalExport>`select ${columns(ctx.now)} from ${tables} where p.id = ${exportId} and ${ofOrganization(organizationId)}`.execute(
      ctx.db,
    );
  return rows[0] && view(ctx, rows[0]);
}

/** Returns the export of an organization that is waiting or in progress. */
export async function exportInProgress(
  ctx: Ctx,
  organizationId: string,
): Promise<PersonalExport | undefined> {
  const { rows } =
    await sql<PersonalExport>`select ${columns(ctx.now)} from ${tables} where p.organization_id = ${organizationId} and p.state in ('waiting', 'running')`.execute(
      ctx.db,
    );
  return rows[0] && view(ctx, rows[0]);
}

/** Adds an export; undefined when one of that organization is waiting or in progress. */
export async function insertExport(
  ctx: Ctx,
  asked: { organizationId: string; language: ContentLanguage; askedBy: string },
): Promise<Id<'pex'> | undefined> {
  const { rows } = await sql<{
    id: Id<'pex'>;
  }>`insert into personal_export (id, organization_id, language, state, asked_at, asked_by, heard_at)
    values (${ctx.newId('pex')}, ${asked.organizationId}, ${asked.language}, 'waiting', ${ctx.now}, ${asked.askedBy}, ${ctx.now})
    on conflict (organization_id) where state in ('waiting', 'running') do nothing returning id`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

export type RequestedExport = {
  readonly id: Id<'pex'>;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly language: ContentLanguage;
  readonly askedBy: string;
};

/**
 * Marks a waiting export as running, with its file's name and encrypted key; undefined when it no longer
 * waits.
 */
export async function beginExport(
  ctx: Ctx,
  exportId: string,
  file: { readonly name: string; readonly key: Buffer },
): Promise<RequestedExport | undefined> {
  const { rows } =
    await sql<RequestedExport>`update personal_export p set state = 'running', heard_at = ${ctx.now}, file_name = ${file.name}, file_key = ${file.key} where p.id = ${exportId} and p.state = 'waiting'
    returning p.id, p.organization_id as "organizationId", (select o.name from organization o where o.id = p.organization_id) as organization, p.language,
      coalesce((select u.name from app_user u where u.id = p.asked_by), p.asked_by) as "askedBy"`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Stores an export's progress. Returns false when it was stopped or marked as failed, so that its job ends.
 */
export async function storeProgress(
  ctx: Ctx,
  exportId: string,
  done: { filesDone: number; filesTotal: number; rowsDone: number },
): Promise<boolean> {
  const { rows } = await sql<{
    go: boolean;
  }>`update personal_export set files_done = ${done.filesDone}, files_total = ${done.filesTotal}, rows_done = ${done.rowsDone}, heard_at = ${ctx.now} where id = ${exportId} and state = 'running' returning not stop_asked as go`.execute(
    ctx.db,
  );
  return rows[0]?.go ?? false;
}

/** Marks an export as done; false when it was stopped or marked as failed in the meantime. */
export async function endExport(
  ctx: Ctx,
  exportId: string,
  made: { sizeBytes: number; keptUntil: Date },
): Promise<boolean> {
  const { rows } =
    await sql`update personal_export set state = 'done', finished_at = ${ctx.now}, heard_at = ${ctx.now}, files_done = files_total, size_bytes = ${made.sizeBytes}, kept_until = ${made.keptUntil} where id = ${exportId} and state = 'running' and not stop_asked returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores that an export ended without a result: it was stopped or failed. */
export async function markEnded(
  ctx: Ctx,
  exportId: string,
  state: 'stopped' | 'failed',
  problem: string | null,
): Promise<void> {
  await sql`update personal_export set state = ${state}, finished_at = ${ctx.now}, heard_at = ${ctx.now}, problem = ${problem}, file_key = null where id = ${exportId} and state in ('waiting', 'running')`.execute(
    ctx.db,
  );
}

/** Marks running and waiting exports as failed that have not reported progress for too long. */
export async function failSilentExports(ctx: Ctx, problem: string): Promise<void> {
  await sql`update personal_export p set state = 'failed', finished_at = ${ctx.now}, problem = ${problem}, file_key = null where p.state in ('waiting', 'running') and ${isSilent(ctx.now)}`.execute(
    ctx.db,
  );
}

/**
 * Requests the end of a running export, and ends a waiting or interrupted one at once; false when there is no
 * such export.
 */
export async function requestStop(ctx: Ctx, exportId: string): Promise<boolean> {
  const { rows } =
    await sql`update personal_export p set stop_asked = true, state = case when p.state = 'waiting' or ${isSilent(ctx.now)} then 'stopped' else p.state end,
    file_key = case when p.state = 'waiting' or ${isSilent(ctx.now)} then null else p.file_key end,
    finished_at = case when p.state = 'waiting' or ${isSilent(ctx.now)} then ${ctx.now}::timestamptz end where p.id = ${exportId} and p.state in ('waiting', 'running') returning p.id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns the file of a finished export, its encrypted key, and its organization's name. */
export async function fileOfExport(
  ctx: Ctx,
  exportId: string,
  organizationId: string | null,
): Promise<{ fileName: string; fileKey: Buffer; organization: string } | undefined> {
  const { rows } = await sql<{
    fileName: string;
    fileKey: Buffer;
    organization: string;
  }>`select p.file_name as "fileName", p.file_key as "fileKey", o.name as organization from personal_export p join organization o on o.id = p.organization_id
    where p.id = ${exportId} and ${ofOrganization(organizationId)} and p.state = 'done' and p.kept_until > ${ctx.now}`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Marks expired exports as removed, deletes their keys, and returns the names of the files to which an export
 * still refers.
 */
export async function retainedFiles(ctx: Ctx): Promise<ReadonlySet<string>> {
  await sql`update personal_export set state = 'removed', kept_until = null, file_key = null where state = 'done' and kept_until <= ${ctx.now}`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    name: string;
  }>`select file_name as name from personal_export where state in ('running', 'done')`.execute(ctx.db);
  return new Set(rows.map((row) => row.name));
}
