// Asks whether a pause may end as planned. A subscription that may not be resumed stays paused until somebody
// resumes it.
import type { Id } from '#kernel/ids.ts';
import { monthOf, monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { pauseToEnd, shownState } from '../rules-course.ts';
import { pauseAddOns } from './pause-add-ons.ts';
import { insertTransition } from './store-history.ts';
import { lockOrganizations } from './store-holds.ts';
import { insertPause, updatePause, updateSubscription, type SubscriptionRow } from './store.ts';

export type ResumeDue = {
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'>;
  readonly serviceId: Id<'svc'>;
  /** `wanted`: while the pause lasts; `taken`: as if it had ended. */
  readonly when: 'wanted' | 'taken';
  /** Refuses: the subscription stays paused. The handler that calls it tells why. */
  readonly keepPaused: () => void;
};
/**
 * Emitted when a pause comes to its planned end, before and after it is taken as ended, like `resumeWanted` and
 * `moreTaken` of a resume by request. The organization's lock is held.
 */
export const resumeDue = domainEvent<ResumeDue>('subscriptions.resumeDue');

/**
 * Keeps a subscription paused whose pause is due to end, if a handler refuses; returns whether it did. The
 * caller must hold the subscription's lock, and schedule its next step.
 */
export async function keepPausedIfRefused(ctx: Ctx, row: SubscriptionRow): Promise<boolean> {
  const { organizationId, timeZone } = row;
  const pause = row.parentId ? undefined : pauseToEnd(row, ctx.now);
  if (!pause?.until) return false;
  let isKept = false;
  const asked = {
    organizationId,
    subscriptionId: row.id,
    serviceId: row.serviceId,
    keepPaused: () => {
      isKept = true;
    },
  };
  const store = (until: Date | null, isOver = false): Promise<void> =>
    updatePause(ctx, row.id, pause.position, { until, isBegun: isKept || pause.isBegun, isOver });
  await lockOrganizations(ctx, [organizationId]);
  await store(null);
  await ctx.emit(resumeDue, { ...asked, when: 'wanted' });
  if (!isKept) {
    await store(pause.until);
    await ctx.emit(resumeDue, { ...asked, when: 'taken' });
  }
  if (!isKept) return false;
  if (pause.until >= monthPeriod(monthOf(ctx.now, timeZone), timeZone).start) await store(null);
  else {
    // Bills of that month may be issued: it was served as planned until now.
    await store(pause.until, true);
    await insertPause(ctx, row.id, { from: ctx.now, until: null, isBegun: true, isOver: false });
  }
  const state = row.heldState ?? row.state;
  const to = state === 'active' ? 'paused' : state;
  await updateSubscription(ctx, row.id, { ...row, state: shownState(row, to), heldState: to });
  await pauseAddOns(ctx, row.id, { at: ctx.now, isPaused: true });
  await insertTransition(ctx, row.id, {
    at: ctx.now,
    action: 'keep_paused',
    from: row.state,
    to: shownState(row, to),
    isByItself: true,
  });
  ctx.publish(`org/${organizationId}/usage`, { kind: 'subscription' });
  return true;
}
