// What the catalogue wants to know from columns to its right; the app passes it in.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** How services are used: service id → figure; a service that is missing has none. */
export type ServiceUse = {
  /** Subscriptions that have not ended, and all there ever were. */
  readonly subscriptionsOf: (
    ctx: Ctx,
    serviceIds: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly open: number; readonly ever: number }>>;
  /** Usage events of the running months: no bill has them yet. */
  readonly openEventsOf: (ctx: Ctx, serviceIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};
