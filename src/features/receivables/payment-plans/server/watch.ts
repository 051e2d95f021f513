// The hourly job that finds missed installments: both sides are notified once, and after the grace period the
// plan ends, so that dunning continues where it stood.
import { money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import { end, linkOfMonth } from './agree.ts';
import { notifyAdminsMissed, notifyCustomer } from './notices.ts';
import { missedPlans, type MissedPlan } from './store.ts';

const actor = { kind: 'system', name: 'payment-plans' } as const;
const atOnce = 200;

/** Visits every running plan once. A failure does not stop the others. */
export async function watchPlans(app: App, signal?: AbortSignal): Promise<void> {
  await inPages(async (after) => {
    const missed = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
      missedPlans(ctx, { after }, atOnce),
    );
    for (const plan of missed)
      await continueOnError(app, { planId: plan.planId }, 'a payment plan could not be looked at', () =>
        unitOfWork(app, { actor }, (ctx) => lookAt(ctx, plan)),
      );
    return missed.at(-1)?.planId;
  }, signal);
}

async function lookAt(ctx: Ctx, found: MissedPlan): Promise<void> {
  // Read again under the bills' locks: they may have been paid in the meantime.
  for (const billId of found.billIds.toSorted()) await billById(ctx, billId, null, true);
  const [plan] = await missedPlans(ctx, { planId: found.planId }, 1);
  if (!plan) return;
  const { planId, organizationId, organization, isOver } = plan;
  const billId = required(plan.billIds[0], 'a bill of a plan');
  const bill = required(await billById(ctx, billId, null), 'a bill');
  const amount = money(plan.minor, plan.currency);
  if (isOver) {
    await end(ctx, { id: planId, organizationId }, 'missed', '');
    ctx.audit('plans.missed', planId, { organizationId });
  }
  await notifyCustomer(ctx, organizationId, {
    kind: isOver ? 'plan.ended' : 'plan.missed',
    planId,
    period: plan.on,
    textKey: isOver ? 'plans.notice_over' : 'plans.notice_missed',
    amount,
    date: plan.on,
    until: plan.until,
    link: linkOfMonth(bill.month),
  });
  await notifyAdminsMissed(ctx, { planId, organization, amount, date: plan.on, billId, isOver });
}

/** Hourly, because days begin at different times in different time zones; before dunning. */
export const watchJob = job({
  name: 'payment-plans',
  schedule: '1 * * * *',
  run: (app, _payload, signal) => watchPlans(app, signal),
});
