// SQL of the list of month packs: who requested each, its progress, and its file.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { PackTotals, type Pack } from '../contract.ts';

// A running pack reports progress after every few documents; after this many silent minutes, the console that
// made it must have died. A waiting pack may wait longer, because packs are created one at a time.
const [silentMinutes, waitingMinutes] = [5, 120];
const shownPacks = 24;
const isSilent = (now: Date) =>
  sql<boolean>`(p.state = 'running' and p.heard_at < ${now}::timestamptz - make_interval(mins => ${silentMinutes}) or p.state = 'waiting' and p.heard_at < ${now}::timestamptz - make_interval(mins => ${waitingMinutes}))`;
const columns = (
  now: Date,
) => sql`p.id, p.month, case when ${isSilent(now)} then 'interrupted' else p.state end as state, p.asked_at as "askedAt", coalesce(u.name, p.asked_by) as "askedBy", p.finished_at as "finishedAt",
  p.documents_total as "documentsTotal", p.documents_done as "documentsDone", case when p.state = 'done' then p.size_bytes::float8 end as "sizeBytes", p.totals, p.kept_until as "keptUntil", p.problem`;
const tables = sql`month_pack p left join app_user u on u.id = p.asked_by`;
const ofOrganization = (organizationId: string | null) =>
  sql`coalesce(p.organization_id, '') = ${organizationId ?? ''}`;

type PackRow = Omit<Pack, 'totals'> & { totals: unknown };
const Totals = z.array(PackTotals);
const view = (ctx: Ctx, row: PackRow): Pack => ({
  ...row,
  totals: row.totals === null ? null : z.decode(Totals, row.totals as z.input<typeof Totals>),
  problem: row.problem === null ? null : ctx.text(row.problem),
});

/** The newest packs of all organizations (null) or of one. */
export async function newestPacks(ctx: Ctx, organizationId: string | null): Promise<Pack[]> {
  const { rows } =
    await sql<PackRow>`select ${columns(ctx.now)} from ${tables} where ${ofOrganization(organizationId)} order by p.id desc limit ${shownPacks}`.execute(
      ctx.db,
    );
  return rows.map((row) => view(ctx, row));
}

/**
 * One pack, of all organizations (null) or of one. A pack of another organization is treated as not found.
 */
export async function packById(
  ctx: Ctx,
  packId: string,
  organizationId: string | null,
): Promise<Pack | undefined> {
  const { rows } =
    await sql<PackRow>`select ${columns(ctx.now)} from ${tables} where p.id = ${packId} and ${ofOrganization(organizationId)}`.execute(
      ctx.db,
    );
  return rows[0] && view(ctx, rows[0]);
}

/** Returns the pack of a month that is waiting or in progress. */
export async function packInProgress(
  ctx: Ctx,
  organizationId: string | null,
  month: BillingMonth,
): Promise<Pack | undefined> {
  const { rows } =
    await sql<PackRow>`select ${columns(ctx.now)} from ${tables} where ${ofOrganization(organizationId)} and p.month = ${month} and p.state in ('waiting', 'running')`.execute(
      ctx.db,
    );
  return rows[0] && view(ctx, rows[0]);
}

/** Adds a pack; undefined when one of that month is waiting or in progress. */
export async function insertPack(
  ctx: Ctx,
  pack: {
    organizationId: string | null;
    month: BillingMonth;
    language: ContentLanguage;
    askedBy: string;
    documentsTotal: number;
  },
): Promise<Id<'pak'> | undefined> {
  const { rows } = await sql<{
    id: Id<'pak'>;
  }>`insert into month_pack (id, organization_id, month, language, state, asked_at, asked_by, heard_at, documents_total)
    values (${ctx.newId('pak')}, ${pack.organizationId}, ${pack.month}, ${pack.language}, 'waiting', ${ctx.now}, ${pack.askedBy}, ${ctx.now}, ${pack.documentsTotal})
    on conflict (coalesce(organization_id, ''), month) where state in ('waiting', 'running') do nothing returning id`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

export type RequestedPack = {
  readonly id: Id<'pak'>;
  readonly organizationId: Id<'org'> | null;
  readonly organization: string | null;
  readonly zone: string | null;
  readonly month: BillingMonth;
  readonly language: ContentLanguage;
  readonly askedBy: string;
};

/** Marks a waiting pack as running, with its file name; undefined when it no longer waits. */
export async function beginPack(
  ctx: Ctx,
  packId: string,
  fileName: string,
): Promise<RequestedPack | undefined> {
  const { rows } =
    await sql<RequestedPack>`update month_pack p set state = 'running', heard_at = ${ctx.now}, file_name = ${fileName} where p.id = ${packId} and p.state = 'waiting'
    returning p.id, p.organization_id as "organizationId", (select o.name from organization o where o.id = p.organization_id) as organization, (select o.time_zone from organization o where o.id = p.organization_id) as zone, p.month, p.language,
      coalesce((select u.name from app_user u where u.id = p.asked_by), p.asked_by) as "askedBy"`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Stores a pack's progress. Returns false when the pack was stopped or marked as failed, so that its job
 * ends.
 */
export async function storePackProgress(
  ctx: Ctx,
  packId: string,
  done: { documents: number; documentsTotal: number },
): Promise<boolean> {
  const { rows } = await sql<{
    go: boolean;
  }>`update month_pack set documents_done = ${done.documents}, documents_total = ${done.documentsTotal}, heard_at = ${ctx.now} where id = ${packId} and state = 'running' returning not stop_asked as go`.execute(
    ctx.db,
  );
  return rows[0]?.go ?? false;
}

/** Marks a pack as done; false when it was stopped or marked as failed in the meantime. */
export async function endPack(
  ctx: Ctx,
  packId: string,
  made: { sizeBytes: number; totals: readonly PackTotals[]; keptUntil: Date },
): Promise<boolean> {
  const totals = JSON.stringify(z.encode(Totals, [...made.totals]));
  const { rows } =
    await sql`update month_pack set state = 'done', finished_at = ${ctx.now}, heard_at = ${ctx.now}, documents_done = documents_total, size_bytes = ${made.sizeBytes}, totals = ${totals}::jsonb, kept_until = ${made.keptUntil} where id = ${packId} and state = 'running' returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores that a pack ended without a result: it was stopped or failed. */
export async function markEnded(
  ctx: Ctx,
  packId: string,
  state: 'stopped' | 'failed',
  problem: string | null,
): Promise<void> {
  await sql`update month_pack set state = ${state}, finished_at = ${ctx.now}, heard_at = ${ctx.now}, problem = ${problem} where id = ${packId} and state in ('waiting', 'running')`.execute(
    ctx.db,
  );
}

/** Marks running and waiting packs as failed that have not reported progress for too long. */
export async function failSilentPacks(ctx: Ctx, problem: string): Promise<void> {
  await sql`update month_pack p set state = 'failed', finished_at = ${ctx.now}, problem = ${problem} where p.state in ('waiting', 'running') and ${isSilent(ctx.now)}`.execute(
    ctx.db,
  );
}

/**
 * Requests the end of a running pack, and ends a waiting or interrupted one at once; false when there is no
 * such pack.
 */
export async function requestStop(ctx: Ctx, packId: string): Promise<boolean> {
  const { rows } =
    await sql`update month_pack p set stop_asked = true, state = case when p.state = 'waiting' or ${isSilent(ctx.now)} then 'stopped' else p.state end,
    finished_at = case when p.state = 'waiting' or ${isSilent(ctx.now)} then ${ctx.now}::timestamptz end where p.id = ${packId} and p.state in ('waiting', 'running') returning p.id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** The file of a finished pack. */
export async function fileOfPack(
  ctx: Ctx,
  packId: string,
  organizationId: string | null,
): Promise<{ fileName: string; month: BillingMonth; sizeBytes: bigint } | undefined> {
  const { rows } = await sql<{
    fileName: string;
    month: BillingMonth;
    sizeBytes: bigint;
  }>`select p.file_name as "fileName", p.month, p.size_bytes as "sizeBytes" from month_pack p where p.id = ${packId} and ${ofOrganization(organizationId)} and p.state = 'done' and p.kept_until > ${ctx.now}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Marks expired packs as removed, and returns the names of the files to which a pack still refers. */
export async function retainedFiles(ctx: Ctx): Promise<ReadonlySet<string>> {
  await sql`update month_pack set state = 'removed', kept_until = null where state = 'done' and kept_until <= ${ctx.now}`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    name: string;
  }>`select file_name as name from month_pack where state in ('running', 'done')`.execute(ctx.db);
  return new Set(rows.map((row) => row.name));
}
