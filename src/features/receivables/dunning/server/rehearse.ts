// A rehearsal: what a schedule would do with the real bills if none were paid. Sends nothing and stores only
// its result.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { sumMoney } from '#kernel/money.ts';
import { addDays } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billsBeingPaid } from '#features/receivables/payments/server/index.ts';
import { maxShown, Rehearsal, rehearsalDays, type dunning, type DunningPlan } from '../contract.ts';
import { courseOf, stepsFor } from '../rules.ts';
import { assertPlan } from './plan.ts';
import { keyOfPlan, onSince, planOf } from './settings.ts';
import { billsAfter, type StandingBill } from './store.ts';
import { insertRehearsal } from './store-exemptions.ts';

const atOnce = 1000;
type Step = Rehearsal['steps'][number];

/** Computes what a schedule would do today and on following days. A schedule that is off starts today. */
export async function rehearseDunning(
  ctx: Ctx,
  input: In<typeof dunning.rehearseDunning>,
): Promise<Rehearsal> {
  const plan = input.plan ?? (await planOf(ctx));
  assertPlan(plan);
  const since = await onSince(ctx);
  const steps: Step[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const bills: StandingBill[] = await billsAfter(ctx, { on: since ?? ctx.now, plan }, after, atOnce);
    const beingPaid = await billsBeingPaid(
      ctx,
      bills.map((bill) => bill.billId),
    );
    for (const bill of bills) steps.push(...stepsOf(plan, bill, beingPaid.has(bill.billId)));
    after = bills.at(-1)?.billId;
  }
  // By day; within a day by organization, with a bill's steps in order.
  const sorted = steps
    .map((step, place) => ({ step, place }))
    .toSorted(
      (a, b) =>
        a.step.on.localeCompare(b.step.on) ||
        a.step.organization.localeCompare(b.step.organization) ||
        a.place - b.place,
    )
    .map(({ step }) => step);
  const organizations = (action?: Step['action']): number =>
    new Set(
      sorted
        .filter((step) => action === undefined || step.action === action)
        .map((step) => step.organizationId),
    ).size;
  const bills = [...new Map(sorted.map((step) => [step.billId, step.due])).values()];
  const rehearsal: Rehearsal = {
    id: ctx.newId('reh'),
    madeAt: ctx.now,
    plan,
    isOn: since !== null,
    steps: sorted.slice(0, maxShown),
    isCut: sorted.length > maxShown,
    counts: {
      reminders: sorted.filter((step) => step.action === 'reminder').length,
      organizations: organizations(),
      pastDue: organizations('past_due'),
      suspended: organizations('suspend'),
    },
    due: [...Map.groupBy(bills, (due) => due.currency)].map(([currency, amounts]) =>
      sumMoney(amounts, currency),
    ),
  };
  await insertRehearsal(
    ctx,
    rehearsal.id,
    await keyOfPlan(ctx, plan),
    z.encode(Rehearsal, rehearsal),
    person(ctx).userId,
  );
  return rehearsal;
}

function stepsOf(plan: DunningPlan, bill: StandingBill, isBeingPaid: boolean): Step[] {
  const { organizationId, organization, billId, number, due, base, elapsed } = bill;
  return courseOf(
    stepsFor(plan.steps, bill),
    elapsed,
    bill.taken,
    isBeingPaid ? plan.deferDays : 0,
    rehearsalDays,
  )
    .filter((step) => !step.isSkipped)
    .map(({ action, after }) => ({
      organizationId,
      organization,
      billId,
      number,
      due,
      on: addDays(base, elapsed + after),
      action,
    }));
}
