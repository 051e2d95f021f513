// How services are used, which only dependent features know; the app passes it in, because the catalogue may
// not import them.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Usage of services: service id → figure; a missing service has none. */
export type ServiceUse = {
  /** The number of subscriptions that have not ended, and of all there ever were. */
  readonly subscriptionsOf: (
    ctx: Ctx,
    serviceIds: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly open: number; readonly ever: number }>>;
  /** The number of usage events in the current months, which are on no bill yet. */
  readonly openEventsOf: (ctx: Ctx, serviceIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};
