// What billing asks the database about month closes.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { CloseRun } from '../contract.ts';

/** Begins a close's record. */
export async function insertRun(ctx: Ctx, month: BillingMonth, organizationsTotal: number): Promise<Id<'run'>> {
  const startedBy = ctx.actor.kind === 'user' ? ctx.actor.userId : ctx.actor.kind === 'system' ? ctx.actor.name : ctx.actor.kind;
  const runId = ctx.newId('run');
  await sql`insert into close_run (id, month, state, organizations_total, started_at, started_by) values (${runId}, ${month}, 'running', ${organizationsTotal}, ${ctx.now}, ${startedBy})`.execute(ctx.db);
  return runId;
}

/** Adds a chunk's result to a close's record, in the chunk's own transaction. */
export async function addToRun(ctx: Ctx, runId: string, done: { organizations: number; issued: number; skipped: number }): Promise<void> {
  await sql`update close_run set organizations_done = organizations_done + ${done.organizations}, issued = issued + ${done.issued}, skipped = skipped + ${done.skipped} where id = ${runId}`.execute(ctx.db);
}

/** Ends a close's record. */
export async function finishRun(ctx: Ctx, runId: string): Promise<void> {
  await sql`update close_run set state = 'done', finished_at = ${ctx.now} where id = ${runId}`.execute(ctx.db);
}

/** Parks an organization with the reason why it could not be billed. */
export async function park(ctx: Ctx, organizationId: string, month: BillingMonth, reason: string): Promise<void> {
  await sql`insert into bill_parked (organization_id, month, reason, parked_at) values (${organizationId}, ${month}, ${reason}, ${ctx.now})
    on conflict (organization_id, month) do update set reason = excluded.reason, parked_at = excluded.parked_at`.execute(ctx.db);
}

/** Forgets that organizations were parked: they are billed now. */
export async function unpark(ctx: Ctx, organizationIds: readonly string[], month: BillingMonth): Promise<void> {
  await sql`delete from bill_parked where month = ${month} and organization_id = any(${organizationIds as string[]}::text[])`.execute(ctx.db);
}

type RunRow = { id: Id<'run'>; month: BillingMonth; state: CloseRun['state']; organizationsTotal: number; organizationsDone: number; issued: number; skipped: number; startedAt: Date; finishedAt: Date | null; parked: CloseRun['parked'] | null };
const newest = 24;

/** The newest closes, with who is parked in their month. */
export async function newestRuns(ctx: Ctx): Promise<CloseRun[]> {
  const { rows } = await sql<RunRow>`select r.id, r.month, r.state, r.organizations_total as "organizationsTotal", r.organizations_done as "organizationsDone", r.issued, r.skipped, r.started_at as "startedAt", r.finished_at as "finishedAt",
      (select jsonb_agg(jsonb_build_object('organizationId', p.organization_id, 'organization', o.name, 'reason', p.reason) order by o.name) from bill_parked p join organization o on o.id = p.organization_id where p.month = r.month) as parked
    from close_run r order by r.id desc limit ${newest}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, parked: (row.parked ?? []).map((each) => ({ ...each, reason: ctx.text(each.reason) })) }));
}

/** How many organizations wait in a month's parking. */
export async function countParked(ctx: Ctx, month: BillingMonth): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select count(*) as total from bill_parked where month = ${month}`.execute(ctx.db);
  return Number(rows[0]?.total ?? 0n);
}
