// SQL of exempt organizations, and of rehearsals.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Returns the ids of organizations that are never dunned, in order. */
export async function exemptOnes(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select organization_id as id from dunning_exemption order by 1`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Returns the organizations that are never dunned, by name. */
export async function exemptions(
  ctx: Ctx,
): Promise<{ organizationId: Id<'org'>; organization: string; reason: string; madeAt: Date }[]> {
  const { rows } = await sql<{
    organizationId: Id<'org'>;
    organization: string;
    reason: string;
    madeAt: Date;
  }>`select x.organization_id as "organizationId", o.name as organization, x.reason, x.made_at as "madeAt"
    from dunning_exemption x join organization o on o.id = x.organization_id order by o.name, o.id`.execute(
    ctx.db,
  );
  return rows;
}

/** Stores that an organization is exempt from dunning, or changes the reason. */
export async function putExemption(
  ctx: Ctx,
  organizationId: string,
  reason: string,
  by: string,
): Promise<void> {
  await sql`insert into dunning_exemption (organization_id, reason, made_by, made_at) values (${organizationId}, ${reason}, ${by}, ${ctx.now})
    on conflict (organization_id) do update set reason = excluded.reason, made_by = excluded.made_by, made_at = excluded.made_at`.execute(
    ctx.db,
  );
}

export async function dropExemption(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`delete from dunning_exemption where organization_id = ${organizationId}`.execute(ctx.db);
}

/** Stores a rehearsal, and deletes those older than a month. */
export async function insertRehearsal(
  ctx: Ctx,
  id: string,
  planKey: string,
  result: object,
  by: string,
): Promise<void> {
  await sql`delete from dunning_rehearsal where made_at < ${new Date(ctx.now.getTime() - 31 * dayMs)}`.execute(
    ctx.db,
  );
  await sql`insert into dunning_rehearsal (id, plan_key, result, made_at, made_by) values (${id}, ${planKey}, ${JSON.stringify(result)}::jsonb, ${ctx.now}, ${by})`.execute(
    ctx.db,
  );
}

/** Whether a plan was rehearsed since a given time. */
export async function wasRehearsed(ctx: Ctx, id: string, planKey: string, since: Date): Promise<boolean> {
  const { rows } =
    await sql`select 1 from dunning_rehearsal where id = ${id} and plan_key = ${planKey} and made_at >= ${since}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
