// SQL of holds for unpaid bills, for many organizations at once.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type HoldLevel = 'past_due' | 'suspended';

/** Locks the subscriptions of organizations, always in the same order, to avoid deadlocks. */
export async function lockOrganizations(ctx: Ctx, organizationIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('subscriptions ' || id, 0)) from (select unnest(${[...organizationIds].toSorted()}::text[]) as id) as o`.execute(
    ctx.db,
  );
}

/** Whether an organization is suspended. */
export async function isSuspended(ctx: Ctx, organizationId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from subscription_hold where organization_id = ${organizationId} and level = 'suspended'`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores organizations' holds; a suspension is never lowered to past due. */
export async function writeHolds(
  ctx: Ctx,
  organizationIds: readonly string[],
  level: HoldLevel,
): Promise<void> {
  await sql`insert into subscription_hold (organization_id, level, since) select id, ${level}, ${ctx.now} from unnest(${[...organizationIds]}::text[]) as o (id) order by id
    on conflict (organization_id) do update set level = excluded.level, since = excluded.since where subscription_hold.level = 'past_due' and excluded.level = 'suspended'`.execute(
    ctx.db,
  );
}

/** Deletes organizations' holds, except those set by an Admin; returns the organizations without a hold. */
export async function dropHolds(ctx: Ctx, organizationIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`with held_by_admin as (select organization_id from subscription_hold where organization_id = any(${[...organizationIds]}::text[]) and admin_reason is not null),
      dropped as (delete from subscription_hold where organization_id = any(${[...organizationIds]}::text[]) and admin_reason is null)
    select id from unnest(${[...organizationIds]}::text[]) as id where id not in (select organization_id from held_by_admin)`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Stores that an Admin suspends an organization, or no longer does (null). */
export async function storeAdminReason(
  ctx: Ctx,
  organizationId: string,
  reason: string | null,
): Promise<void> {
  await sql`update subscription_hold set admin_reason = ${reason} where organization_id = ${organizationId}`.execute(
    ctx.db,
  );
}

type Moved = { id: Id<'sub'>; organizationId: Id<'org'> };
const returned = sql`select id, organization_id as "organizationId" from moved`;

/**
 * Gives the open subscriptions of organizations the state of their hold, with an entry in each one's history.
 * Suspended ones are unchanged.
 */
export async function holdOpen(
  ctx: Ctx,
  organizationIds: readonly string[],
  level: HoldLevel,
  by: string,
): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    with open as (select id, state, coalesce(held_state, state) as held from subscription where organization_id = any(${[...organizationIds]}::text[])
        and state not in ('canceled', 'expired', 'suspended', ${level}) order by id for update),
      moved as (update subscription b set state = ${level}, held_state = open.held, version = b.version + 1 from open where b.id = open.id returning b.id, b.organization_id),
      noted as (insert into subscription_transition (subscription_id, at, from_state, to_state, actor, reason)
        select id, ${ctx.now}, state, ${level}, ${by}, ${level === 'suspended' ? 'suspend' : 'past_due'} from open),
      begun as (insert into subscription_suspension (subscription_id, from_at) select id, ${ctx.now} from open where ${level} = 'suspended')
    ${returned}`.execute(ctx.db);
  return rows;
}

/**
 * Returns the held subscriptions of organizations to the state they would have without the hold, with an
 * entry in each one's history.
 */
export async function releaseHeld(
  ctx: Ctx,
  organizationIds: readonly string[],
  by: string,
  reason: string,
): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    with held as (select id, state, held_state from subscription where organization_id = any(${[...organizationIds]}::text[]) and held_state is not null order by id for update),
      ended as (update subscription_suspension s set until_at = greatest(s.from_at, ${ctx.now}::timestamptz) from held where s.subscription_id = held.id and s.until_at is null),
      moved as (update subscription b set state = held.held_state, held_state = null, version = b.version + 1 from held where b.id = held.id returning b.id, b.organization_id),
      noted as (insert into subscription_transition (subscription_id, at, from_state, to_state, actor, reason, said) select id, ${ctx.now}, state, held_state, ${by}, 'resume', ${reason} from held)
    ${returned}`.execute(ctx.db);
  return rows;
}

/** Ends the suspensions of subscriptions that have ended in the meantime. */
export async function endSuspension(ctx: Ctx, subscriptionId: string): Promise<void> {
  await sql`update subscription_suspension set until_at = greatest(from_at, ${ctx.now}::timestamptz) where subscription_id = ${subscriptionId} and until_at is null`.execute(
    ctx.db,
  );
}
