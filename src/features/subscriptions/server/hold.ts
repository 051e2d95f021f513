// What unpaid bills do to an organization's subscriptions, and how they go on. Columns further right decide when.
import type { Ctx } from '#platform/server/ctx.ts';
import { dropHolds, holdOpen, releaseHeld, takeTurns, writeHolds, type HoldLevel } from './store-holds.ts';

const actorOf = ({ actor }: Ctx): string => (actor.kind === 'user' ? actor.userId : actor.kind === 'system' ? actor.name : 'payment');

/**
 * Marks organizations as past due (everything is still served) or suspended (nothing is: usage is rejected, quotas answer no, fees
 * stop). Safe to repeat; what is suspended never becomes merely past due by it.
 */
export async function holdSubscriptions(ctx: Ctx, organizationIds: readonly string[], level: HoldLevel): Promise<void> {
  if (organizationIds.length === 0) return;
  await takeTurns(ctx, organizationIds);
  await writeHolds(ctx, organizationIds, level);
  touch(ctx, await holdOpen(ctx, organizationIds, level, actorOf(ctx)));
}

/** Lets organizations go on: each held subscription becomes what it would be had nothing held it. Safe to repeat. */
export async function releaseSubscriptions(ctx: Ctx, organizationIds: readonly string[], said = ''): Promise<void> {
  if (organizationIds.length === 0) return;
  await takeTurns(ctx, organizationIds);
  await dropHolds(ctx, organizationIds);
  touch(ctx, await releaseHeld(ctx, organizationIds, ctx.actor.kind === 'user' && ctx.actor.role !== 'Admin' ? 'payment' : actorOf(ctx), said.slice(0, 300)));
}

function touch(ctx: Ctx, moved: readonly { readonly organizationId: string }[]): void {
  for (const organizationId of new Set(moved.map((each) => each.organizationId))) ctx.touch(`org/${organizationId}/usage`, { kind: 'subscription' });
}
