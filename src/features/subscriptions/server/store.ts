// What subscriptions ask the database.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { allOf, containsPattern, planPage } from '#platform/server/paging.ts';
import type { Tables } from '#platform/server/tables.ts';
import type { SubscriptionState } from '../contract.ts';

/** A subscription as it is stored, with its organization's time zone. */
export type SubscriptionRow = { id: Id<'sub'>; organizationId: Id<'org'>; serviceId: Id<'svc'>; state: SubscriptionState; startedAt: Date; endsAt: Date | null; timeZone: string };

const columns = sql`b.id, b.organization_id as "organizationId", b.service_id as "serviceId", b.state, b.started_at as "startedAt", b.ends_at as "endsAt", o.time_zone as "timeZone"`;
const tables = sql`subscription b join organization o on o.id = b.organization_id`;

/** One page of subscriptions of an organization (null: of all) with the exact total. */
export async function pageOfSubscriptions(ctx: Ctx, organizationId: string | null, filter: { state?: SubscriptionState | undefined; sort?: string | undefined; limit?: number | undefined; cursor?: string | undefined; q?: string | undefined }): Promise<{ items: SubscriptionRow[]; nextCursor: string | null; total: number }> {
  const plan = planPage(filter, { createdAt: { expression: sql`b.created_at`, cast: 'timestamptz' }, startedAt: { expression: sql`b.started_at`, cast: 'timestamptz' }, name: { expression: sql`s.name`, cast: 'text' } }, 'name', sql`b.id`);
  const where = allOf(organizationId && sql`b.organization_id = ${organizationId}`, filter.state && sql`b.state = ${filter.state}`, filter.q && sql`s.name ilike ${containsPattern(filter.q)}`);
  const { rows } = await sql<SubscriptionRow & { sortValue: string | null }>`select ${columns}, ${plan.sortValue} as "sortValue" from ${tables} join service s on s.id = b.service_id
    where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const counted = filter.q || organizationId
    ? await sql<{ total: bigint }>`select count(*) as total from ${tables} join service s on s.id = b.service_id where ${where}`.execute(ctx.db)
    : await sql<{ total: bigint }>`select rows_counted('subscription', ${filter.state ?? ''}, '') as total`.execute(ctx.db);
  const page = plan.cut(rows);
  return { items: page.rows, nextCursor: page.nextCursor, total: Number(counted.rows[0]?.total ?? 0n) };
}

/** One subscription; of an organization when one is given, so that a foreign one is as absent as none. */
export async function subscriptionById(db: Kysely<Tables>, id: string, organizationId: string | null, lock = false): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`select ${columns} from ${tables} where b.id = ${id} and (${organizationId}::text is null or b.organization_id = ${organizationId}) ${lock ? sql`for update of b` : sql``}`.execute(db);
  return rows[0];
}

/** Subscriptions by id, in no order. */
export async function subscriptionsByIds(db: Kysely<Tables>, ids: readonly string[]): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`select ${columns} from ${tables} where b.id = any(${ids as string[]}::text[])`.execute(db);
  return rows;
}

/** Every subscription that an organization ever had. */
export async function subscriptionsOf(db: Kysely<Tables>, organizationId: string): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`select ${columns} from ${tables} where b.organization_id = ${organizationId} order by b.id`.execute(db);
  return rows;
}

/** Every subscription of several organizations, for a set-based month close. */
export async function subscriptionsOfMany(db: Kysely<Tables>, organizationIds: readonly string[]): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`select ${columns} from ${tables} where b.organization_id = any(${organizationIds as string[]}::text[]) order by b.organization_id, b.id`.execute(db);
  return rows;
}

/** Adds a subscription; with an open one of the same service there already, answers that one, begun no later than asked for. */
export async function insertSubscription(ctx: Ctx, subscription: { organizationId: string; serviceId: string; startedAt: Date }): Promise<{ id: Id<'sub'>; created: boolean }> {
  const { rows } = await sql<{ id: Id<'sub'> }>`insert into subscription (id, organization_id, service_id, state, started_at, created_at)
    values (${ctx.newId('sub')}, ${subscription.organizationId}, ${subscription.serviceId}, 'active', ${subscription.startedAt}, ${ctx.now})
    on conflict (organization_id, service_id) where state <> 'canceled' and state <> 'expired' do nothing returning id`.execute(ctx.db);
  if (rows[0]) return { id: rows[0].id, created: true };
  const there = await sql<{ id: Id<'sub'> }>`update subscription set started_at = least(started_at, ${subscription.startedAt}) where organization_id = ${subscription.organizationId} and service_id = ${subscription.serviceId}
    and state not in ('canceled', 'expired') returning id`.execute(ctx.db);
  if (!there.rows[0]) throw new Error('the subscription was neither made nor there');
  return { id: there.rows[0].id, created: false };
}

/** Moves a subscription to a state and keeps who did it and why. */
export async function moveTo(ctx: Ctx, subscription: { id: string; state: SubscriptionState | null }, to: SubscriptionState, endsAt: Date | null, reason: string): Promise<void> {
  const actor = ctx.actor.kind === 'user' ? ctx.actor.userId : ctx.actor.kind === 'apiKey' ? ctx.actor.keyId : ctx.actor.kind === 'system' ? ctx.actor.name : 'anonymous';
  if (subscription.state !== null) await sql`update subscription set state = ${to}, ends_at = ${endsAt} where id = ${subscription.id}`.execute(ctx.db);
  await sql`insert into subscription_transition (subscription_id, at, from_state, to_state, actor, reason) values (${subscription.id}, ${ctx.now}, ${subscription.state}, ${to}, ${actor}, ${reason})`.execute(ctx.db);
}

/** Subscriptions whose end has come but that still say 'cancelling'. */
export async function endedSubscriptions(ctx: Ctx): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`select ${columns} from ${tables} where b.state = 'cancelling' and b.ends_at <= ${ctx.now} for update of b skip locked`.execute(ctx.db);
  return rows;
}
