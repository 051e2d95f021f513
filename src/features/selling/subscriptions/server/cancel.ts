// Ends a subscription: at the end of the paid period, or now; one that has not started is called off.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionsErrors, type subscriptions } from '../contract.ts';
import { nextState } from '../rules.ts';
import { pauseAt, periodEnd, shownState } from '../rules-course.ts';
import { endAddOns, scheduleNextStep, lockForChange } from './apply-due-changes.ts';
import { assertNotPausedBySeller } from './paused-by-seller.ts';
import { dropPendingPhase, dropPlannedPause, updateSubscription } from './store.ts';
import { insertTransition } from './store-history.ts';
import { endSuspension } from './store-holds.ts';

/** Ends a subscription of the caller's organization. */
export const cancel = (ctx: Ctx, input: In<typeof subscriptions.cancel>): Promise<void> =>
  endSubscription(ctx, tenant(ctx), input);

/** Ends a subscription of an organization, or for an Admin of any (null). Scheduled changes are dropped. */
export async function endSubscription(
  ctx: Ctx,
  organizationId: string | null,
  input: In<typeof subscriptions.cancel>,
): Promise<void> {
  const row = await lockForChange(ctx, input.subscriptionId, organizationId, input.version);
  if (organizationId !== null && pauseAt(row.pauses, ctx.now)) await assertNotPausedBySeller(ctx, row);
  // A customer with unpaid bills may still cancel: the state beneath the hold ends.
  const course = row.heldState ?? row.state;
  const isCalledOff = course === 'scheduled';
  const isNow = isCalledOff || input.when === 'now';
  // A subscription canceled for the end of its term may still be ended now.
  if (nextState(course, 'cancel') === undefined && !(isNow && course === 'cancelling'))
    throw domainError(subscriptionsErrors, 'subscriptions.transition_refused');
  const endsAt = isNow ? ctx.now : periodEnd(row, ctx.now);
  const to = isNow ? 'canceled' : shownState(row, 'cancelling');
  await dropPendingPhase(ctx, row.id);
  await dropPlannedPause(ctx, row.id);
  await updateSubscription(ctx, row.id, { ...row, state: to, heldState: 'cancelling', ownEndsAt: endsAt });
  if (isNow) await endSuspension(ctx, row.id);
  await insertTransition(ctx, row.id, {
    at: ctx.now,
    action: isCalledOff ? 'call_off' : isNow ? 'cancel_now' : 'cancel',
    from: row.state,
    to,
    detail: { effectiveAt: endsAt },
    ...(input.reason && { reason: input.reason }),
  });
  await scheduleNextStep(ctx, row.id);
  if (isNow) await endAddOns(ctx, row.id);
  ctx.audit('subscriptions.cancel', row.id, { when: isNow ? 'now' : 'end', endsAt });
  ctx.publish(`org/${row.organizationId}/usage`, { kind: 'subscription' });
}
