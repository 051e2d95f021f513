// Pauses and resumes, now or later; and withdraws a cancellation.
import type { In } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  subscriptionsErrors,
  type HistoryAction,
  type subscriptions,
  type SubscriptionState,
} from '../contract.ts';
import { pauseAt } from '../rules-course.ts';
import { scheduleNextStep, lockForChange } from './apply-due-changes.ts';
import {
  dropPlannedPause,
  insertPause,
  lastTerm,
  updatePause,
  updateSubscription,
  type SubscriptionRow,
} from './store.ts';
import { pauseAddOns } from './pause-add-ons.ts';
import { assertNotPausedBySeller } from './paused-by-seller.ts';
import { insertTransition } from './store-history.ts';
import { lockOrganization, moreTaken, resumeWanted } from './subscribe.ts';

const field = (name: 'at' | 'resumeAt', code: keyof typeof subscriptionsErrors): ValidationError =>
  new ValidationError([{ field: name, code }]);
const isPast = (moment: Date, limit: Date | null): boolean => limit !== null && moment >= limit;

type Done = {
  readonly action: HistoryAction;
  readonly to: SubscriptionState;
  readonly effectiveAt?: Date;
  readonly endsAt?: Date | null;
};

async function finish(
  ctx: Ctx,
  row: SubscriptionRow,
  { action, to, effectiveAt, endsAt = row.ownEndsAt }: Done,
  reason: string | undefined,
): Promise<void> {
  await updateSubscription(ctx, row.id, { ...row, state: to, ownEndsAt: endsAt });
  if (action === 'stop' || action === 'start')
    await pauseAddOns(ctx, row.id, { at: ctx.now, isPaused: action === 'stop' });
  await insertTransition(ctx, row.id, {
    at: ctx.now,
    action,
    from: row.state,
    to,
    ...(effectiveAt && { detail: { effectiveAt } }),
    ...(reason && { reason }),
  });
  await scheduleNextStep(ctx, row.id);
  ctx.audit(`subscriptions.${action}`, row.id, effectiveAt ? { at: effectiveAt } : {});
  ctx.publish(`org/${row.organizationId}/usage`, { kind: 'subscription' });
}

/** Pauses, now or at a given time; replaces a scheduled pause. */
export const stop = (ctx: Ctx, input: In<typeof subscriptions.stop>): Promise<void> =>
  stopOf(ctx, tenant(ctx), input);

/** Pauses a subscription of an organization that the caller may act for. */
export async function stopOf(
  ctx: Ctx,
  organizationId: string,
  input: In<typeof subscriptions.stop>,
): Promise<void> {
  const row = await lockForChange(ctx, input.subscriptionId, organizationId, input.version);
  if (row.parentId) throw domainError(subscriptionsErrors, 'subscriptions.add_on_follows');
  if (row.state !== 'active') throw domainError(subscriptionsErrors, 'subscriptions.transition_refused');
  const from = input.at ?? ctx.now;
  const until = input.resumeAt ?? null;
  if (from < ctx.now) throw field('at', 'subscriptions.pause_in_past');
  if (isPast(from, row.endsAt)) throw field('at', 'subscriptions.pause_after_end');
  if (until !== null && until <= ctx.now) throw field('resumeAt', 'subscriptions.resume_in_past');
  if (until !== null && until <= from) throw field('resumeAt', 'subscriptions.resume_before_pause');
  if (until !== null && isPast(until, row.endsAt)) throw field('resumeAt', 'subscriptions.resume_after_end');
  const isNow = from <= ctx.now;
  await dropPlannedPause(ctx, row.id);
  await insertPause(ctx, row.id, { from, until, isBegun: isNow, isOver: false });
  await finish(
    ctx,
    row,
    isNow
      ? { action: 'stop', to: 'paused', ...(until && { effectiveAt: until }) }
      : { action: 'schedule_stop', to: row.state, effectiveAt: from },
    input.reason,
  );
}

/**
 * Withdraws a cancellation; otherwise resumes a paused subscription, now or at a given time; otherwise
 * withdraws a scheduled pause. A pause by the seller can only be ended by the seller.
 */
export const start = (ctx: Ctx, input: In<typeof subscriptions.start>): Promise<void> =>
  startOf(ctx, tenant(ctx), input, { isSeller: false });

/** Resumes a subscription of an organization that the caller may act for, as its seller or as itself. */
export async function startOf(
  ctx: Ctx,
  organizationId: string,
  input: In<typeof subscriptions.start>,
  { isSeller }: { readonly isSeller: boolean },
): Promise<void> {
  const row = await lockForChange(ctx, input.subscriptionId, organizationId, input.version);
  const done =
    row.state === 'cancelling' && !input.at
      ? await takeBackCancel(ctx, row)
      : row.state === 'paused' || row.state === 'active'
        ? await resume(ctx, row, { at: input.at, isSeller })
        : undefined;
  if (!done) throw domainError(subscriptionsErrors, 'subscriptions.transition_refused');
  await finish(ctx, row, done, input.reason);
  if (isServedAgain(done)) await ctx.emit(moreTaken, { organizationId: row.organizationId });
}

/** Whether a begun pause ends: as with a new subscription, what the organization owes grows again. */
const isServedAgain = ({ action }: Done): boolean => action === 'start' || action === 'schedule_start';

/** Restores the earlier end: none, or the end of the last term for a subscription without renewal. */
export async function takeBackCancel(ctx: Ctx, row: SubscriptionRow): Promise<Done> {
  const endsAt = row.autoRenew ? null : ((await lastTerm(ctx, row.id))?.end ?? row.ownEndsAt);
  return { action: 'take_back_cancel', to: pauseAt(row.pauses, ctx.now) ? 'paused' : 'active', endsAt };
}

async function resume(
  ctx: Ctx,
  row: SubscriptionRow,
  { at, isSeller }: { readonly at: Date | undefined; readonly isSeller: boolean },
): Promise<Done | undefined> {
  if (row.parentId) throw domainError(subscriptionsErrors, 'subscriptions.add_on_follows');
  const pause = row.pauses.find((each) => !each.isOver);
  if (!pause) return undefined;
  if (!isSeller) await assertNotPausedBySeller(ctx, row);
  if (at && at < ctx.now) throw field('at', 'subscriptions.resume_in_past');
  if (at && isPast(at, row.endsAt)) throw field('at', 'subscriptions.resume_after_end');
  if (at && at <= pause.from) throw field('at', 'subscriptions.resume_before_pause');
  if (pause.isBegun) {
    await lockOrganization(ctx, row.organizationId);
    await ctx.emit(resumeWanted, { organizationId: row.organizationId });
  }
  if (at && at > ctx.now) {
    await updatePause(ctx, row.id, pause.position, { until: at, isBegun: pause.isBegun, isOver: false });
    return { action: 'schedule_start', to: row.state, effectiveAt: at };
  }
  if (!pause.isBegun) {
    await dropPlannedPause(ctx, row.id);
    return { action: 'take_back_stop', to: row.state, effectiveAt: pause.from };
  }
  await updatePause(ctx, row.id, pause.position, { until: ctx.now, isBegun: true, isOver: true });
  return { action: 'start', to: 'active' };
}
