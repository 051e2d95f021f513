// What planning asks the database.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/ctx.ts';

export type SubscriberRow = { readonly subscriptionId: Id<'sub'>; readonly organizationId: Id<'org'>; readonly name: string };
export type Place = { readonly organizationId: string; readonly subscriptionId: string } | null;

/** Subscriptions of a service with whose they are, customer by customer; those after a place. */
export async function subscribersAfter(ctx: Ctx, serviceId: string, after: Place, limit: number): Promise<SubscriberRow[]> {
  const { rows } = await sql<SubscriberRow>`select b.id as "subscriptionId", b.organization_id as "organizationId", o.name from subscription b join organization o on o.id = b.organization_id
    where b.service_id = ${serviceId} and (${after?.organizationId ?? null}::text is null or (b.organization_id, b.id) > (${after?.organizationId ?? null}, ${after?.subscriptionId ?? null}))
    order by b.organization_id, b.id limit ${limit}`.execute(ctx.db);
  return rows;
}

/** How many subscriptions a service has had. */
export async function countSubscribers(ctx: Ctx, serviceId: string): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select count(*) as total from subscription where service_id = ${serviceId}`.execute(ctx.db);
  return Number(rows[0]?.total ?? 0n);
}

/** The active services of a family. */
export async function activeOfFamily(ctx: Ctx, family: string): Promise<Id<'svc'>[]> {
  const { rows } = await sql<{ id: Id<'svc'> }>`select id from service where family = ${family} and family <> '' and status = 'active'`.execute(ctx.db);
  return rows.map((row) => row.id);
}
