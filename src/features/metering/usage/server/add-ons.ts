// Finds the events of a subscription that one of its add-ons counts.
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import type { SubscriptionRow, UncountedSince } from '#features/selling/subscriptions/server/index.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ownTypeOf } from './charge-usage.ts';
import { metersOf } from './meters-of-services.ts';
import type { EventTypes } from '../rules-event-filter.ts';
import { eventsOf } from './store-events.ts';

/** Returns which events of its subscription an add-on counts. */
export async function eventsOfAddOn(ctx: Ctx, row: SubscriptionRow): Promise<EventTypes> {
  const types = await typesOf(ctx, row.serviceId, row.parentServiceId ?? row.serviceId);
  return { ...types, from: row.startedAt, to: row.endsAt };
}

/**
 * Events recorded before an add-on was created are missing from all of its sums, so the add-on may not start
 * before them.
 */
export const uncountedSince: UncountedSince = async (ctx, subscription, service, since) => {
  const types = { ...(await typesOf(ctx, service.id, subscription.serviceId)), from: since, to: null };
  const range = { subscriptionId: subscription.id, start: since, end: null, zone: subscription.timeZone };
  return (await eventsOf(ctx, range, { group: null, types }, { limit: 1, after: null })).length > 0;
};

/** The event types that an add-on counts, and the type of events stored without one. */
async function typesOf(
  ctx: Ctx,
  addOnId: string,
  serviceId: string,
): Promise<{ readonly types: readonly string[]; readonly ownType: string }> {
  const service = await servicesMap(ctx, [addOnId, serviceId]);
  const meters = await metersOf(ctx, [service(addOnId), service(serviceId)]);
  return {
    types: meters(addOnId).map(({ eventType }) => eventType),
    ownType: ownTypeOf(meters(serviceId)),
  };
}
