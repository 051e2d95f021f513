// The hourly dunning job: every due step is taken once, however often the job runs, in however many
// processes, and wherever it is interrupted.
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billsCollected } from '#features/receivables/collection/server/index.ts';
import { chargeSteps } from '#features/receivables/late-fees/server/index.ts';
import { billsBeingPaid } from '#features/receivables/payments/server/index.ts';
import { holdSubscriptions } from '#features/selling/subscriptions/server/index.ts';
import { deferredDays, dueSteps, stepsFor } from '../rules.ts';
import { releaseSettled } from './release.ts';
import { onSince, planOf } from './settings.ts';
import { billsById, lockDue } from './store.ts';
import { heldOrganizationsAfter, holdsOf, insertSteps, putHolds, type TakenStep } from './store-steps.ts';
import { notifySteps, publishDunning } from './notices.ts';

const actor = { kind: 'system', name: 'dunning' } as const;
const atOnce = 200;

/** Visits every bill once, chunk by chunk; each chunk is processed as a whole or not at all. */
export async function dun(app: App, signal?: AbortSignal): Promise<void> {
  await inPages((after) => unitOfWork(app, { actor }, (ctx) => dunChunk(ctx, after)), signal);
  // Exemptions, minimums and granted dates also end restrictions, without a payment.
  await inPages(
    (after) =>
      unitOfWork(app, { actor }, async (ctx) => {
        const held = await heldOrganizationsAfter(ctx, after, atOnce);
        await releaseSettled(ctx, held, 'swept');
        return held.at(-1);
      }),
    signal,
  );
}

/** Takes the due steps of the next bills; returns the last bill it read, undefined at the end. */
async function dunChunk(ctx: Ctx, after: string): Promise<string | undefined> {
  const [plan, on] = [await planOf(ctx), await onSince(ctx)];
  if (on === null) return undefined;
  const scope = { on, plan };
  const locked = await lockDue(ctx, scope, after, atOnce);
  if (locked.length === 0) return undefined;
  // Read again after locking, because the transaction that held a lock before may have paid, extended or
  // dunned the bill.
  const bills = await billsById(ctx, scope, locked);
  const beingPaid = await billsBeingPaid(ctx, locked);
  const collected = await billsCollected(ctx, locked);
  const due = bills.flatMap((bill): TakenStep[] =>
    dueSteps(
      stepsFor(plan.steps, bill),
      bill.elapsed,
      bill.taken,
      deferredDays(bill.billId, plan.deferDays, beingPaid, collected),
    ).map((step) => ({ bill, step, charged: collected.get(bill.billId) })),
  );
  if (due.length > 0) await takeSteps(ctx, due);
  return locked.at(-1);
}

async function takeSteps(ctx: Ctx, due: readonly TakenStep[]): Promise<void> {
  const taken = await insertSteps(ctx, due);
  for (const [action, level] of [
    ['past_due', 'past_due'],
    ['suspend', 'suspended'],
  ] as const) {
    const first = new Map(
      taken.filter(({ step }) => step.action === action).map(({ bill }) => [bill.userId, bill] as const),
    );
    if (first.size === 0) continue;
    await putHolds(ctx, holdsOf([...first.values()]), level);
    await holdSubscriptions(ctx, [...first.keys()], level);
  }
  await chargeSteps(
    ctx,
    taken
      .filter(({ step }) => !step.isSkipped)
      .map(({ bill, step }) => ({
        billId: bill.billId,
        step: `${bill.round} ${step.step}`,
        day: step.day,
      })),
  );
  await notifySteps(ctx, taken);
  publishDunning(
    ctx,
    taken.flatMap(({ bill }) => [bill.organizationId, bill.userId]),
  );
}

/** Every hour, because days begin at a different time in each time zone. */
export const dunningJob = job({
  name: 'dunning',
  schedule: '2 * * * *',
  run: (app, _payload, signal) => dun(app, signal),
});
