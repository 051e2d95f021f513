// Holds an organization's subscriptions because of unpaid bills, and releases them. Features that depend on
// this one decide when.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  dropHolds,
  holdOpen,
  storeAdminReason,
  releaseHeld,
  lockOrganizations,
  writeHolds,
  type HoldLevel,
} from './store-holds.ts';

const actorOf = ({ actor }: Ctx): string =>
  actor.kind === 'user' ? actor.userId : actor.kind === 'system' ? actor.name : 'payment';

/**
 * Marks organizations as past due (everything is still served) or suspended (nothing is: usage is rejected,
 * quotas refuse, fees stop). Safe to repeat; never lowers a suspension to past due.
 */
export async function holdSubscriptions(
  ctx: Ctx,
  organizationIds: readonly string[],
  level: HoldLevel,
): Promise<void> {
  if (organizationIds.length === 0) return;
  await lockOrganizations(ctx, organizationIds);
  await writeHolds(ctx, organizationIds, level);
  publishSubscriptions(ctx, await holdOpen(ctx, organizationIds, level, actorOf(ctx)));
}

/**
 * Releases organizations, except those that an Admin has suspended: each held subscription gets the state it
 * would have without the hold. Safe to repeat.
 */
export async function releaseSubscriptions(
  ctx: Ctx,
  organizationIds: readonly string[],
  reason = '',
): Promise<void> {
  if (organizationIds.length === 0) return;
  await lockOrganizations(ctx, organizationIds);
  const free = await dropHolds(ctx, organizationIds);
  if (free.length === 0) return;
  publishSubscriptions(
    ctx,
    await releaseHeld(
      ctx,
      free,
      ctx.actor.kind === 'user' && ctx.actor.role !== 'Admin' ? 'payment' : actorOf(ctx),
      reason.slice(0, 300),
    ),
  );
}

/** Suspends an organization by an Admin's decision; paying bills does not end it. */
export async function suspendByAdmin(ctx: Ctx, organizationId: string, reason: string): Promise<void> {
  await holdSubscriptions(ctx, [organizationId], 'suspended');
  await storeAdminReason(ctx, organizationId, reason);
}

/** Ends an Admin's suspension. If bills are unpaid, the dunning feature holds the organization again. */
export async function releaseFromAdmin(ctx: Ctx, organizationId: string): Promise<void> {
  await lockOrganizations(ctx, [organizationId]);
  await storeAdminReason(ctx, organizationId, null);
  await releaseSubscriptions(ctx, [organizationId]);
}

function publishSubscriptions(ctx: Ctx, moved: readonly { readonly organizationId: string }[]): void {
  for (const organizationId of new Set(moved.map((each) => each.organizationId)))
    ctx.publish(`org/${organizationId}/usage`, { kind: 'subscription' });
}
