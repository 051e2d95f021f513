// SQL of planning.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type SubscriberRow = {
  readonly subscriptionId: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly name: string;
};
export type Place = { readonly organizationId: string; readonly subscriptionId: string } | null;

/** Subscriptions whose current or past plan is a service. */
const ofService = (serviceId: string): RawBuilder<unknown> =>
  sql`b.id in (select subscription_id from subscription_phase where service_id = ${serviceId})`;

/**
 * Returns subscriptions to a service with their organizations, customer by customer, after a position in that
 * order.
 */
export async function subscribersAfter(
  ctx: Ctx,
  serviceId: string,
  after: Place,
  limit: number,
): Promise<SubscriberRow[]> {
  const { rows } =
    await sql<SubscriberRow>`select b.id as "subscriptionId", b.organization_id as "organizationId", o.name from subscription b join organization o on o.id = b.organization_id
    where ${ofService(serviceId)} and (${after?.organizationId ?? null}::text is null or (b.organization_id, b.id) > (${after?.organizationId ?? null}, ${after?.subscriptionId ?? null}))
    order by b.organization_id, b.id limit ${limit}`.execute(ctx.db);
  return rows;
}

/** Counts the subscriptions that a service has had. */
export const countSubscribers = (ctx: Ctx, serviceId: string): Promise<number> =>
  readTotal(ctx.db, { from: sql`subscription b`, where: ofService(serviceId) });
