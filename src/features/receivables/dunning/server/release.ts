// Ends the restrictions of organizations when their last overdue bill is settled, in the same transaction.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { LoweredBills } from '#features/invoicing/billing/server/index.ts';
import { releaseSubscriptions } from '#features/selling/subscriptions/server/index.ts';
import { planOf } from './settings.ts';
import { withOverdue } from './store.ts';
import { lockHoldsOfBills, lockHolds, releaseHolds, type Hold, type ReleaseCause } from './store-steps.ts';
import { notifyReleased, publishDunning } from './notices.ts';

/** Bills were paid, credited or voided: ends the restrictions of those of their organizations that owe nothing else that is overdue. */
export async function releaseAfter(ctx: Ctx, { billIds }: LoweredBills): Promise<void> {
  for (const { hold, loweredId } of await lockHoldsOfBills(ctx, billIds))
    await releaseFree(ctx, [hold], 'settled', loweredId, '');
}

/** Ends the restrictions of those of some organizations that have nothing overdue. */
export async function releaseSettled(
  ctx: Ctx,
  organizationIds: readonly string[],
  cause: ReleaseCause,
  billId: string | null = null,
  reason = '',
): Promise<void> {
  await releaseFree(ctx, await lockHolds(ctx, organizationIds), cause, billId, reason);
}

/** The holds are locked, so bills read from here on include what another transaction settled before. */
async function releaseFree(
  ctx: Ctx,
  holds: readonly Hold[],
  cause: ReleaseCause,
  billId: string | null,
  reason: string,
): Promise<void> {
  if (holds.length === 0) return;
  const plan = await planOf(ctx);
  const owing = await withOverdue(
    ctx,
    { on: null, plan },
    holds.map((hold) => hold.organizationId),
  );
  const free = holds.filter((hold) => !owing.has(hold.organizationId)).map((hold) => hold.organizationId);
  if (free.length === 0) return;
  const released = await releaseHolds(ctx, free, cause, billId, reason);
  await releaseSubscriptions(ctx, free, reason);
  await notifyReleased(ctx, released);
  publishDunning(ctx, free);
}
