// Ends the restrictions of organizations when their last overdue bill is settled, in the same transaction.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { LoweredBills } from '#features/invoicing/billing/server/index.ts';
import { holdSubscriptions, releaseSubscriptions } from '#features/selling/subscriptions/server/index.ts';
import { onSince, planOf } from './settings.ts';
import { billsById, usersOfPayer, withOverdue } from './store.ts';
import {
  holdsOf,
  lockHoldsOfBills,
  lockHolds,
  putHolds,
  releaseHolds,
  type Hold,
  type ReleaseCause,
} from './store-steps.ts';
import { notifyReleased, publishDunning } from './notices.ts';

/**
 * After bills were paid, credited or voided: ends the restrictions of those organizations that have no other
 * overdue bills.
 */
export async function releaseAfter(ctx: Ctx, { billIds }: LoweredBills): Promise<void> {
  for (const { hold, loweredId } of await lockHoldsOfBills(ctx, billIds))
    await releaseFree(ctx, [hold], 'settled', loweredId, '');
}

/**
 * Handles plans' event: a new payment plan releases its organization; when one ends, the schedule continues
 * where it stood, and earlier restrictions apply again.
 */
export async function followPlan(
  ctx: Ctx,
  { organizationId, ended }: { readonly organizationId: Id<'org'>; readonly ended: readonly Id<'bil'>[] },
): Promise<void> {
  const on = await onSince(ctx);
  if (ended.length === 0) return releaseSettled(ctx, await usersOfPayer(ctx, organizationId), 'extended');
  if (on === null) return;
  const bills = await billsById(ctx, { on, plan: await planOf(ctx) }, ended);
  for (const [step, level] of [
    ['past_due', 'past_due'],
    ['suspend', 'suspended'],
  ] as const) {
    const stepped = bills.filter(
      ({ taken, isUserExempt }) => !isUserExempt && taken.some((each) => each.step === step),
    );
    const first = [...new Map(stepped.toReversed().map((bill) => [bill.userId, bill])).values()];
    if (first.length === 0) continue;
    await putHolds(ctx, holdsOf(first), level);
    await holdSubscriptions(
      ctx,
      first.map(({ userId }) => userId),
      level,
    );
  }
  publishDunning(ctx, [organizationId, ...bills.map(({ userId }) => userId)]);
}

/** Ends the restrictions of those of some organizations that have no overdue bills. */
export async function releaseSettled(
  ctx: Ctx,
  organizationIds: readonly string[],
  cause: ReleaseCause,
  billId: string | null = null,
  reason = '',
): Promise<void> {
  await releaseFree(ctx, await lockHolds(ctx, organizationIds), cause, billId, reason);
}

/** The holds are locked, so bills read from here on include what other transactions settled before. */
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
