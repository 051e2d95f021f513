// The payment plans of a bill, for members and Admins.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { dayOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { billById, partsOf } from '#features/invoicing/billing/server/index.ts';
import type { BillPlans, PaymentPlan, plans } from '../contract.ts';
import { instalmentStatesOf } from '../rules.ts';
import { plansOfBill, type StoredPlan } from './store.ts';

/** A plan for display; installments of an ended plan have no unpaid amounts. */
export async function shownPlan(
  ctx: Ctx,
  plan: StoredPlan,
  reader: 'admin' | 'customer',
): Promise<PaymentPlan> {
  const { currency } = plan;
  const running = plan.bills.filter(({ isRunning }) => isRunning);
  const parts = await partsOf(
    ctx,
    running.map(({ id }) => id),
  );
  const terms = plan.terms.map(({ on, minor }, index) => ({
    on,
    minor,
    rest: parts
      .filter(({ position }) => position === index + 1)
      .reduce((sum, { rest }) => sum + rest.minor, 0n),
  }));
  const { timeZone } = required(await organizationById(ctx.db, plan.organizationId), 'the organization');
  const states = instalmentStatesOf(
    terms,
    running.reduce((sum, { shortened }) => sum + shortened, 0n),
    dayOf(ctx.now, timeZone),
  );
  return {
    id: plan.id,
    currency,
    bills: plan.bills.map(({ id, number, due }) => ({ id, number, due: money(due, currency) })),
    instalments: terms.map(({ on, minor, rest }, index) => ({
      on,
      amount: money(minor, currency),
      rest: money(rest, currency),
      state: required(states[index], 'the state of an instalment'),
    })),
    total: money(
      terms.reduce((sum, { minor }) => sum + minor, 0n),
      currency,
    ),
    graceDays: plan.graceDays,
    note: plan.note,
    agreedAt: plan.agreedAt,
    agreedBy: reader === 'admin' ? plan.agreedBy : '',
    endedAt: plan.endedAt,
    ending: plan.ending,
    endReason: reader === 'admin' ? plan.endReason : '',
  };
}

async function plansShown(ctx: Ctx, billId: string, organizationId: string | null): Promise<BillPlans> {
  if (!(await billById(ctx, billId, organizationId)))
    throw domainError(billingErrors, 'billing.bill_not_found');
  const shown: PaymentPlan[] = [];
  for (const plan of await plansOfBill(ctx, billId))
    shown.push(await shownPlan(ctx, plan, organizationId === null ? 'admin' : 'customer'));
  return {
    plan: shown.find(({ endedAt }) => endedAt === null) ?? null,
    past: shown.filter(({ endedAt }) => endedAt !== null),
  };
}

export async function billPlan(ctx: Ctx, { billId }: In<typeof plans.billPlan>): Promise<BillPlans> {
  return plansShown(ctx, billId, tenant(ctx));
}

export async function adminBillPlan(
  ctx: Ctx,
  { billId }: In<typeof plans.adminBillPlan>,
): Promise<BillPlans> {
  return plansShown(ctx, billId, null);
}
