// Renews: one more term for a subscription that would end with the current one, or a new start for an expired
// one.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { serviceById } from '#features/selling/catalogue/server/index.ts';
import { subscriptionsErrors, type subscriptions } from '../contract.ts';
import { canRenew } from '../rules.ts';
import { anchorOf, pauseAt, periodEnd, phaseAt, termEnd } from '../rules-course.ts';
import { scheduleNextStep, lockForChange } from './apply-due-changes.ts';
import {
  hasOpen,
  insertPause,
  insertPhase,
  insertTerm,
  lastTerm,
  updateSubscription,
  type SubscriptionRow,
} from './store.ts';
import { insertTransition } from './store-history.ts';
import { assertNotSuspended, lockOrganization, moreTaken, moreWanted, planWanted } from './subscribe.ts';

type Renewed = {
  readonly state: SubscriptionRow['state'];
  readonly endsAt: Date | null;
  readonly autoRenew: boolean;
  readonly effectiveAt: Date | null;
};

/**
 * Renews a subscription. The next term is bought once: a repeated request for the same term gets the same
 * response and has no effect. `termEndsAt` is the end of the term that the user saw; if that term was already
 * renewed, nothing happens.
 */
export async function renew(ctx: Ctx, input: In<typeof subscriptions.renew>): Promise<void> {
  const row = await lockForChange(ctx, input.subscriptionId, tenant(ctx));
  const last = await lastTerm(ctx, row.id);
  const isDone =
    input.termEndsAt !== undefined &&
    last !== undefined &&
    last.start >= input.termEndsAt &&
    row.state !== 'expired' &&
    row.state !== 'cancelling';
  if (isDone && (input.autoRenew === undefined || input.autoRenew === row.autoRenew)) return;
  if (row.autoRenew && (row.state === 'active' || row.state === 'paused'))
    throw domainError(subscriptionsErrors, 'subscriptions.renews_itself');
  if (!canRenew(row)) throw domainError(subscriptionsErrors, 'subscriptions.transition_refused');
  const renewed =
    row.state === 'expired'
      ? await restart(ctx, row, input.autoRenew ?? false)
      : await extendTerm(ctx, row, input.autoRenew ?? row.autoRenew);
  if (!renewed) return;
  await updateSubscription(ctx, row.id, {
    ...row,
    state: renewed.state,
    ownEndsAt: renewed.endsAt,
    autoRenew: renewed.autoRenew,
  });
  if (row.state === 'expired') await ctx.emit(moreTaken, { organizationId: row.organizationId });
  await insertTransition(ctx, row.id, {
    at: ctx.now,
    action: 'renew',
    from: row.state,
    to: renewed.state,
    ...(renewed.effectiveAt && { detail: { effectiveAt: renewed.effectiveAt } }),
    ...(input.reason && { reason: input.reason }),
  });
  await scheduleNextStep(ctx, row.id);
  ctx.audit('subscriptions.renew', row.id, { endsAt: renewed.endsAt, autoRenew: renewed.autoRenew });
  ctx.publish(`org/${row.organizationId}/usage`, { kind: 'subscription' });
}

/**
 * Extends beyond the current term: with automatic renewal, or by one term. Undefined if that term was already
 * bought.
 */
async function extendTerm(ctx: Ctx, row: SubscriptionRow, autoRenew: boolean): Promise<Renewed | undefined> {
  const state = row.state === 'cancelling' ? (pauseAt(row.pauses, ctx.now) ? 'paused' : 'active') : row.state;
  if (autoRenew) return { state, endsAt: null, autoRenew, effectiveAt: null };
  // The months of a subscription that renewed itself are not stored as terms.
  const stored = await lastTerm(ctx, row.id);
  const last =
    stored && stored.end > ctx.now ? stored : { start: row.startedAt, end: periodEnd(row, ctx.now) };
  const isAhead = last.start > ctx.now && last.start > (row.trialEndsAt ?? row.startedAt);
  if (isAhead && row.state !== 'cancelling') return undefined;
  const { yearAnchor } = phaseAt(row.phases, last.end);
  const next = isAhead ? last : { start: last.end, end: termEnd(last.end, yearAnchor, row.timeZone) };
  await insertTerm(ctx, row.id, next);
  return { state, endsAt: next.end, autoRenew, effectiveAt: next.end };
}

/** Starts a new term of an expired subscription now; the time since it expired was not served and is free. */
async function restart(ctx: Ctx, row: SubscriptionRow, autoRenew: boolean): Promise<Renewed> {
  const expiredAt = required(row.endsAt, 'the end of an expired subscription');
  const before = phaseAt(row.phases, new Date(expiredAt.getTime() - 1));
  const serviceId = required(before.serviceId, 'the plan of an expired subscription');
  const service = await serviceById(ctx, serviceId);
  if (!service || service.status !== 'active')
    throw domainError(subscriptionsErrors, 'subscriptions.service_not_available');
  await lockOrganization(ctx, row.organizationId);
  await assertNotSuspended(ctx, row.organizationId);
  if (await hasOpen(ctx, row.organizationId, serviceId, row.parentId))
    throw domainError(subscriptionsErrors, 'subscriptions.already_subscribed');
  await ctx.emit(moreWanted, { organizationId: row.organizationId });
  await ctx.emit(planWanted, { subscriptionId: row.id, serviceId: service.id, at: ctx.now });
  const yearAnchor = anchorOf(service.billingCycle, null, ctx.now, null, row.timeZone);
  const end = termEnd(ctx.now, yearAnchor, row.timeZone);
  const isPaused = row.pauses.find((pause) => !pause.isOver);
  if (!isPaused)
    await insertPause(ctx, row.id, { from: expiredAt, until: ctx.now, isBegun: true, isOver: true });
  await insertPhase(ctx, row.id, {
    from: expiredAt,
    serviceId: null,
    quantity: before.quantity,
    yearAnchor: null,
    isApplied: true,
  });
  await insertPhase(ctx, row.id, {
    from: ctx.now,
    serviceId,
    quantity: before.quantity,
    chargeQuantities: before.chargeQuantities,
    yearAnchor,
    isApplied: true,
  });
  await insertTerm(ctx, row.id, { start: ctx.now, end });
  return {
    state: isPaused ? 'paused' : 'active',
    endsAt: autoRenew ? null : end,
    autoRenew,
    effectiveAt: end,
  };
}
