// Brings a subscription's row and history up to date: applies every change that has come due, as of the time
// it was due.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Period } from '#kernel/time.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { subscriptionsErrors } from '../contract.ts';
import {
  dueSteps,
  isOpen,
  nextStepAt,
  phaseAt,
  shownState,
  termEnd,
  yearsBetween,
  type Step,
} from '../rules-course.ts';
import { yearOf } from '../rules-fees.ts';
import {
  applyPhase,
  dropPendingPhase,
  dropPlannedPause,
  idsDue,
  nextDueAt,
  insertTerm,
  storeNextStep,
  lastTerm,
  lockSubscription,
  subscriptionById,
  updatePause,
  updateSubscription,
  type SubscriptionRow,
} from './store.ts';
import { keepPausedIfRefused } from './end-pause.ts';
import { openAddOns, pauseAddOns } from './pause-add-ons.ts';
import { insertTransition } from './store-history.ts';
import { endSuspension } from './store-holds.ts';

/**
 * Returns the subscription, locked until the transaction ends, with due changes applied. `version` is the one
 * that the caller's user saw. Throws if another request changed the subscription since then, or while this
 * one waited for the lock.
 */
export async function lockForChange(
  ctx: Ctx,
  subscriptionId: string,
  organizationId: string | null,
  version?: number,
): Promise<SubscriptionRow> {
  const before = await subscriptionById(ctx.db, subscriptionId, organizationId);
  if (!before) throw domainError(subscriptionsErrors, 'subscriptions.not_found');
  await lockSubscription(ctx, subscriptionId);
  const row = required(
    await subscriptionById(ctx.db, subscriptionId, organizationId),
    'a locked subscription',
  );
  if (row.version !== before.version || (version !== undefined && version !== row.version))
    throw domainError(subscriptionsErrors, 'subscriptions.changed_meanwhile');
  return applyDueChanges(ctx, row);
}

/**
 * Applies every change that has come due, and returns the updated subscription. The caller must hold its
 * lock.
 */
export async function applyDueChanges(ctx: Ctx, stored: SubscriptionRow): Promise<SubscriptionRow> {
  const row = (await keepPausedIfRefused(ctx, stored)) ? await scheduleNextStep(ctx, stored.id) : stored;
  const steps = dueSteps(row, await renewedYears(ctx, row), ctx.now);
  const last = steps.at(-1);
  if (!last) return row;
  for (const step of steps) await applyStep(ctx, row, step);
  const phase = phaseAt(
    row.phases,
    row.endsAt !== null && row.endsAt < ctx.now ? new Date(row.endsAt.getTime() - 1) : ctx.now,
  );
  const state = shownState(row, last.to);
  await updateSubscription(ctx, row.id, {
    state,
    heldState: last.to,
    // An add-on that has ended keeps its end, whatever happens to its subscription.
    ownEndsAt: isOpen(last.to) ? row.ownEndsAt : row.endsAt,
    serviceId: phase.serviceId ?? row.serviceId,
    quantity: phase.quantity,
    autoRenew: row.autoRenew,
  });
  if (!isOpen(last.to)) await endAddOns(ctx, row.id);
  ctx.publish(`org/${row.organizationId}/usage`, { kind: 'subscription' });
  return scheduleNextStep(ctx, row.id);
}

/** Ends the add-ons of a subscription that has ended. */
export async function endAddOns(ctx: Ctx, subscriptionId: Id<'sub'>): Promise<void> {
  for (const { id } of await openAddOns(ctx, subscriptionId)) {
    await lockSubscription(ctx, id);
    await applyDueChanges(ctx, required(await subscriptionById(ctx.db, id, null), 'a locked add-on'));
  }
}

/** Returns the years that started automatically since the last recorded one. */
async function renewedYears(ctx: Ctx, row: SubscriptionRow): Promise<Period[]> {
  const { yearAnchor, from } = phaseAt(row.phases, ctx.now);
  if (yearAnchor === null || !row.autoRenew || row.state === 'canceled' || row.state === 'expired') return [];
  const noted = await lastTerm(ctx, row.id);
  return yearsBetween(yearAnchor, row.timeZone, noted && noted.start > from ? noted.start : from, ctx.now);
}

async function applyStep(ctx: Ctx, row: SubscriptionRow, step: Step): Promise<void> {
  const { phase, pause, term } = step;
  if (phase) {
    await applyPhase(ctx, row.id, phase.position);
    if (
      phase.yearAnchor !== null &&
      row.phases.findLast((each) => each.from < phase.from)?.yearAnchor !== phase.yearAnchor
    )
      await insertTerm(ctx, row.id, yearOf(phase.yearAnchor, phase.from, row.timeZone));
  }
  if (pause) {
    await updatePause(ctx, row.id, pause.position, {
      until: pause.until,
      isBegun: true,
      isOver: step.action === 'start',
    });
    await pauseAddOns(ctx, row.id, { at: step.at, isPaused: step.to === 'paused' });
  }
  // The row already exists if a user bought the term before it started.
  if (term && !(await insertTerm(ctx, row.id, term))) return;
  if (step.action === 'end' || step.action === 'expire') {
    await dropPendingPhase(ctx, row.id);
    await dropPlannedPause(ctx, row.id);
    await endSuspension(ctx, row.id);
  }
  const detail = phase
    ? { ...(phase.serviceId !== null && { serviceId: phase.serviceId }), quantity: phase.quantity }
    : term
      ? { effectiveAt: term.end }
      : {};
  await insertTransition(ctx, row.id, {
    at: step.at,
    action: step.action,
    from: shownState(row, step.from),
    to: shownState(row, step.to),
    detail,
    isByItself: true,
  });
}

/**
 * Stores when a subscription's next step is due, and returns the current row. Every change of a subscription
 * must end with this call.
 */
export async function scheduleNextStep(ctx: Ctx, subscriptionId: Id<'sub'>): Promise<SubscriptionRow> {
  const row = required(
    await subscriptionById(ctx.db, subscriptionId, null),
    'a subscription that was changed',
  );
  const { yearAnchor } = phaseAt(row.phases, ctx.now);
  await storeNextStep(
    ctx,
    row.id,
    nextStepAt(
      row,
      yearAnchor === null || !row.autoRenew ? null : termEnd(ctx.now, yearAnchor, row.timeZone),
      ctx.now,
    ),
  );
  return row;
}

const batchSize = 500;

/**
 * Applies due changes every minute. A late run changes no bill, because bills are computed from the phases
 * and their times.
 */
export const applyDueChangesJob = job({
  // The name reflects the job's first purpose and must not change, because installed consoles have it in
  // their database.
  name: 'end-subscriptions',
  schedule: '* * * * *',
  nextAt: (app: App) =>
    unitOfWork(app, { actor: { kind: 'system', name: 'course' }, mode: 'read' }, nextDueAt),
  run: async (app: App) => {
    const actor = { kind: 'system', name: 'course' } as const;
    const failed: Id<'sub'>[] = [];
    let lastError: unknown;
    for (;;) {
      const ids = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => idsDue(ctx, batchSize, failed));
      for (const id of ids) {
        try {
          await unitOfWork(app, { actor }, (ctx) => lockAndApply(ctx, id));
        } catch (error) {
          app.log.error(
            { err: error, subscriptionId: id },
            'what has come due of a subscription could not be noted',
          );
          failed.push(id);
          lastError = error;
        }
      }
      if (ids.length < batchSize) break;
    }
    // The other subscriptions are done; the job is retried for the failed ones.
    if (failed.length > 0) throw lastError;
  },
});

async function lockAndApply(ctx: Ctx, id: Id<'sub'>): Promise<void> {
  await lockSubscription(ctx, id);
  const row = required(await subscriptionById(ctx.db, id, null), 'a subscription that is due');
  const applied = await applyDueChanges(ctx, row);
  // Nothing is due if another transaction applied the changes first.
  if (applied === row) await scheduleNextStep(ctx, id);
}
