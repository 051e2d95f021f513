// A reseller pauses a service of a customer that does not pay. Until it resumes it, the customer cannot get
// around that: neither by resuming it, nor by cancelling it and subscribing again or to another plan.
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { resaleOf } from '#features/selling/resale/server/index.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionsErrors } from '../contract.ts';
import { pausedOfFamily, type SubscriptionRow } from './store.ts';
import { pausedByOrganization } from './store-history.ts';

/** Throws if the current seller paused a subscription that is paused. @throws subscriptions.paused_by_seller */
export async function assertNotPausedBySeller(
  ctx: Ctx,
  { id, organizationId }: Pick<SubscriptionRow, 'id' | 'organizationId'>,
): Promise<void> {
  const seller = (await resaleOf(ctx.db, [organizationId])).find(
    ({ from, until }) => from <= ctx.now && (until === null || ctx.now < until),
  );
  if (seller && seller.resellerId === (await pausedByOrganization(ctx, id)))
    throw domainError(subscriptionsErrors, 'subscriptions.paused_by_seller');
}

/** The same for a service that an organization has, itself or as another plan of its family. */
export async function assertFamilyNotPausedBySeller(
  ctx: Ctx,
  organizationId: Id<'org'>,
  service: { readonly id: string; readonly family: string },
): Promise<void> {
  for (const id of await pausedOfFamily(ctx, organizationId, service))
    await assertNotPausedBySeller(ctx, { id, organizationId });
}
