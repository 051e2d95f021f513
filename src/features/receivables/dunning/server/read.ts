// The dunning state of bills and organizations, for Admins and members.
import type { In, Out } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainError } from '#kernel/errors.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { billsCollected } from '#features/receivables/collection/server/index.ts';
import { billsBeingPaid } from '#features/receivables/payments/server/index.ts';
import type { dunning, Dunned, DunningHistory, DunningPlan, DunningStanding } from '../contract.ts';
import { deferredDays, nextOf, stepsFor } from '../rules.ts';
import { onSince, planOf } from './settings.ts';
import { billsById, overdueOf, pageOfDunned, type StandingBill } from './store.ts';
import { exemptions, exemptOnes } from './store-exemptions.ts';
import { historyOf, holdOf } from './store-steps.ts';

type DunningContext = {
  readonly plan: DunningPlan;
  readonly on: Date | null;
  readonly beingPaid: ReadonlySet<string>;
  readonly collected: ReadonlyMap<string, unknown>;
};
const standingIn = ({ plan, beingPaid, collected }: DunningContext, bill: StandingBill) => ({
  base: bill.base,
  elapsed: bill.elapsed,
  taken: bill.taken,
  deferDays: deferredDays(bill.billId, plan.deferDays, beingPaid, collected),
});

function dunnedBill(context: DunningContext, bill: StandingBill): Dunned {
  const { billId, number, month, organizationId, organization, userId, usedByName, due, base, elapsed } =
    bill;
  const { isExtended, last, level } = bill;
  return {
    billId,
    number,
    month,
    organizationId,
    organization,
    ...(usedByName !== null && { usedBy: { organizationId: userId, organization: usedByName } }),
    due,
    dueOn: base,
    isExtended,
    days: elapsed,
    last,
    level,
    next:
      context.on === null
        ? null
        : (nextOf(stepsFor(context.plan.steps, bill), standingIn(context, bill)) ?? null),
  };
}

const howFor = async (
  ctx: Ctx,
  billIds: readonly string[],
  plan: DunningPlan,
  on: Date | null,
): Promise<DunningContext> => ({
  plan,
  on,
  beingPaid: await billsBeingPaid(ctx, billIds),
  collected: await billsCollected(ctx, billIds),
});

/** Open bills on the schedule. */
export async function listDunned(ctx: Ctx, input: In<typeof dunning.listDunned>): Promise<Page<Dunned>> {
  const [plan, on] = [await planOf(ctx), await onSince(ctx)];
  const page = await pageOfDunned(ctx, { plan, on }, input);
  const context = await howFor(
    ctx,
    page.items.map((bill) => bill.billId),
    plan,
    on,
  );
  return { ...page, items: page.items.map((bill) => dunnedBill(context, bill)) };
}

/** Returns the steps taken for a bill, and the next one. */
export async function billDunning(
  ctx: Ctx,
  { billId }: In<typeof dunning.billDunning>,
): Promise<DunningHistory> {
  const bill = await billById(ctx, billId, null);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  const [plan, on] = [await planOf(ctx), await onSince(ctx)];
  const [standing] = await billsById(ctx, { plan, on }, [billId]);
  return {
    items: await historyOf(ctx, billId),
    now: standing ? dunnedBill(await howFor(ctx, [billId], plan, on), standing) : null,
    isOn: on !== null,
    isExempt: (await exemptOnes(ctx)).includes(bill.organizationId),
  };
}

/** The dunning state of the caller's organization. */
export async function dunningStanding(ctx: Ctx): Promise<DunningStanding> {
  const organizationId = tenant(ctx);
  const [plan, on, hold] = [await planOf(ctx), await onSince(ctx), await holdOf(ctx, organizationId)];
  // With dunning off, an overdue bill has no consequences to announce; the bill itself shows that it is
  // overdue.
  if (on === null && !hold) return { level: null, since: null, payer: null, bills: [] };
  const bills = await overdueOf(ctx, { plan, on }, organizationId);
  const context = await howFor(
    ctx,
    bills.map((bill) => bill.billId),
    plan,
    on,
  );
  return {
    level: hold?.level ?? null,
    since: hold?.since ?? null,
    payer: hold?.payer ?? null,
    bills: bills.map((bill) => {
      const { billId, number, month, due, dueOn, next } = dunnedBill(context, bill);
      return {
        billId,
        number,
        month,
        due,
        dueOn,
        next,
        willSuspendOn:
          on === null
            ? null
            : (nextOf(stepsFor(plan.steps, bill), standingIn(context, bill), 'suspend')?.on ?? null),
      };
    }),
  };
}

export async function listExemptions(ctx: Ctx): Promise<Out<typeof dunning.listExemptions>> {
  return { items: await exemptions(ctx) };
}
