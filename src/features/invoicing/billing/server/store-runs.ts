// SQL of month closes.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CloseRun } from '../contract.ts';
import { usedBy } from './store-used-by.ts';

/**
 * Starts the record of a close or a preview. `skipped` of a close is the number of the month's bills already
 * in force; interim bills and bills of one-off charges alone do not count as bills of a month.
 */
export async function insertRun(
  ctx: Ctx,
  kind: CloseRun['kind'],
  month: BillingMonth,
  organizationsTotal: number,
): Promise<Id<'run'>> {
  const startedBy =
    ctx.actor.kind === 'user'
      ? ctx.actor.userId
      : ctx.actor.kind === 'system'
        ? ctx.actor.name
        : ctx.actor.kind;
  const runId = ctx.newId('run');
  const skipped =
    kind === 'close'
      ? sql`(select count(*) from bill where month = ${month} and kind = 'month' and state <> 'void')`
      : 0;
  await sql`insert into close_run (id, kind, month, state, organizations_total, skipped, started_at, progress_at, started_by) values (${runId}, ${kind}, ${month}, 'running', ${organizationsTotal}, ${skipped}, ${ctx.now}, ${ctx.now}, ${startedBy})`.execute(
    ctx.db,
  );
  return runId;
}

/**
 * Adds a chunk's result to a run's record, in the chunk's own transaction, and returns whether someone asked
 * it to stop.
 */
export async function addToRun(
  ctx: Ctx,
  runId: string,
  done: { organizations: number; issued: number },
): Promise<boolean> {
  const { rows } = await sql<{
    stop_asked: boolean;
  }>`update close_run set organizations_done = organizations_done + ${done.organizations}, issued = issued + ${done.issued}, progress_at = ${ctx.now} where id = ${runId} returning stop_asked`.execute(
    ctx.db,
  );
  return rows[0]?.stop_asked ?? false;
}

/** Asks a run to stop; false if it is not running. */
export async function requestStop(ctx: Ctx, runId: string): Promise<boolean> {
  const { rows } =
    await sql`update close_run set stop_asked = true where id = ${runId} and state = 'running' returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Ends a run's record; a preview stores its report. Returns how many bills existed before a close. */
export async function finishRun(
  ctx: Ctx,
  runId: string,
  { state, report }: { state: 'done' | 'stopped'; report?: object },
): Promise<number> {
  const { rows } = await sql<{
    skipped: number;
  }>`update close_run set state = ${state}, finished_at = ${ctx.now}, progress_at = ${ctx.now}, report = ${report === undefined ? null : JSON.stringify(report)}::jsonb where id = ${runId} returning skipped`.execute(
    ctx.db,
  );
  return rows[0]?.skipped ?? 0;
}

/** Records that an organization could not be billed, with the reason. */
export async function recordFailedOrganization(
  ctx: Ctx,
  organizationId: string,
  month: BillingMonth,
  reason: string,
): Promise<void> {
  await sql`insert into bill_parked (organization_id, month, reason, parked_at) values (${organizationId}, ${month}, ${reason}, ${ctx.now})
    on conflict (organization_id, month) do update set reason = excluded.reason, parked_at = excluded.parked_at`.execute(
    ctx.db,
  );
}

/** Deletes the records of failed organizations that are billed now. */
export async function clearFailedOrganizations(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<void> {
  await sql`delete from bill_parked where month = ${month} and organization_id = any(${organizationIds as string[]}::text[])`.execute(
    ctx.db,
  );
}

type RunRow = Omit<CloseRun, 'parked'> & { parked: CloseRun['parked'] | null };
const newest = 24;
// A chunk takes seconds; a run that reports nothing for this long is no longer working.
const silentMinutes = 5;
const runColumns = (
  now: Date,
) => sql`r.id, r.kind, r.month, case when r.state = 'running' and r.progress_at < ${now}::timestamptz - make_interval(mins => ${silentMinutes}) then 'interrupted' else r.state end as state,
  r.organizations_total as "organizationsTotal", r.organizations_done as "organizationsDone", r.issued, r.skipped, r.started_at as "startedAt", r.finished_at as "finishedAt"`;

/** Returns the latest closes, with the organizations that could not be billed in their month. */
export async function newestRuns(ctx: Ctx): Promise<CloseRun[]> {
  const { rows } = await sql<RunRow>`select ${runColumns(ctx.now)},
      (select jsonb_agg(jsonb_build_object('organizationId', p.organization_id, 'organization', o.name, 'reason', p.reason) order by o.name) from bill_parked p join organization o on o.id = p.organization_id where p.month = r.month) as parked
    from close_run r where r.kind = 'close' order by r.id desc limit ${newest}`.execute(ctx.db);
  return rows.map((row) => ({
    ...row,
    parked: (row.parked ?? []).map((each) => ({ ...each, reason: ctx.text(each.reason) })),
  }));
}

/** Returns the latest preview of a month, with its result once it is done. */
export async function newestPreview(
  ctx: Ctx,
  month: BillingMonth,
): Promise<{ run: CloseRun; report: unknown } | undefined> {
  const { rows } = await sql<
    Omit<RunRow, 'parked'> & { report: unknown }
  >`select ${runColumns(ctx.now)}, r.report from close_run r where r.kind = 'preview' and r.month = ${month} order by r.id desc limit 1`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { report, ...run } = row;
  return { run: { ...run, parked: [] }, report };
}

/** A bill of another month, as a preview compares it. */
export type EarlierTotal = {
  readonly organizationId: Id<'org'>;
  /** For a bill of single subscriptions, their payer; null for the bill with the organization's terms. */
  readonly payerId: Id<'org'> | null;
  readonly currency: Currency;
  readonly minor: bigint;
};
/** Returns the totals of some organizations' bills in force for a month. */
export async function totalsOfMonth(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<EarlierTotal[]> {
  const { rows } =
    await sql<EarlierTotal>`select ${usedBy('b')} as "organizationId", case when b.by_subscription then b.organization_id end as "payerId", b.currency, b.total_minor as minor from bill b where ${usedBy('b')} = any(${[...organizationIds]}::text[]) and month = ${month} and state <> 'void' and kind = 'month'`.execute(
      ctx.db,
    );
  return rows;
}

/** Counts the organizations that could not be billed in a month. */
export const countFailedOrganizations = (ctx: Ctx, month: BillingMonth): Promise<number> =>
  readTotal(ctx.db, { from: sql`bill_parked`, where: sql`month = ${month}` });

/** Returns the organizations that could not be billed in a month. */
export async function failedOrganizationsOf(ctx: Ctx, month: BillingMonth): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select organization_id as id from bill_parked where month = ${month}`.execute(ctx.db);
  return rows.map((row) => row.id);
}
