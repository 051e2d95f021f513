// How services are used, which only later features know; the app passes it in, because the catalogue may not
// import them.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Usage of services: service id → figure; a missing service has none. */
export type ServiceUse = {
  /** Subscriptions that have not ended, and all there ever were. */
  readonly subscriptionsOf: (
    ctx: Ctx,
    serviceIds: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly open: number; readonly ever: number }>>;
  /** Usage events of the running months: no bill has them yet. */
  readonly openEventsOf: (ctx: Ctx, serviceIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};
