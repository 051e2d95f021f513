// Agrees to a plan, changes it, and ends it.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { sumMoney } from '#kernel/money.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import {
  billById,
  dropParts,
  storeParts,
  type LoweredBills,
} from '#features/invoicing/billing/server/index.ts';
import { plansErrors, type PaymentPlan, type PlanEnding, type plans } from '../contract.ts';
import { partsOfBills, planMistake, type Term } from '../rules.ts';
import { notifyCustomer, publishPlans } from './notices.ts';
import { shownPlan } from './read.ts';
import {
  endBills,
  endPlan,
  insertPlan,
  keepParts,
  planById,
  runningAmong,
  type StoredPlan,
} from './store.ts';

/**
 * Emitted when a plan started, or ended before it was fully paid, for the bills in `ended`: dunning processes
 * them again.
 */
export const plansChanged = domainEvent<{
  readonly organizationId: Id<'org'>;
  readonly ended: readonly Id<'bil'>[];
}>('plans.changed');

type Terms = Pick<In<typeof plans.agreePlan>, 'instalments' | 'graceDays' | 'note'>;

export const linkOfMonth = (month: BillingMonth): string => `/billing/management?month=${month}`;

/** Agrees to a plan for bills, which are locked in the order of their ids and paid oldest first. */
async function agree(ctx: Ctx, billIds: readonly Id<'bil'>[], terms: Terms): Promise<PaymentPlan> {
  const locked = [];
  for (const billId of [...new Set(billIds)].toSorted()) {
    const bill = await billById(ctx, billId, null, true);
    if (bill?.state !== 'open' || bill.due.minor <= 0n)
      throw domainError(plansErrors, 'plans.bill_not_open', { number: bill?.number ?? billId });
    locked.push(bill);
  }
  const bills = locked.toSorted(
    (a, b) => a.issuedAt.getTime() - b.issuedAt.getTime() || a.number.localeCompare(b.number),
  );
  const first = required(bills[0], 'a bill');
  const { organizationId, currency } = first;
  if (bills.some((each) => each.organizationId !== organizationId || each.currency !== currency))
    throw new ValidationError([{ field: 'billIds', code: 'plans.bills_differ' }]);
  if ((await runningAmong(ctx, billIds)).length > 0) throw domainError(plansErrors, 'plans.bill_has_plan');
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the organization of a bill');
  const today = dayOf(ctx.now, timeZone);
  const due = sumMoney(
    bills.map((bill) => bill.due),
    currency,
  );
  assertTerms(ctx, terms.instalments, due, today);
  const parts = partsOfBills(
    bills.map((bill) => bill.due.minor),
    terms.instalments,
  );
  const planId = await insertPlan(ctx, {
    organizationId,
    currency,
    graceDays: terms.graceDays,
    note: terms.note,
    by: person(ctx),
    today,
    terms: terms.instalments,
    billIds: bills.map((bill) => bill.id),
  });
  await storeParts(
    ctx,
    bills.map((bill, index) => ({
      billId: bill.id,
      paidMinor: bill.paid.minor,
      parts: required(parts[index], 'the parts of a bill'),
    })),
  );
  await keepParts(ctx, planId);
  const next = required(terms.instalments[0], 'an instalment');
  await notifyCustomer(ctx, organizationId, {
    kind: 'plan.agreed',
    planId,
    period: '',
    textKey: terms.instalments.length === 1 ? 'plans.notice_promised' : 'plans.notice_agreed',
    amount: next.amount,
    date: next.on,
    link: linkOfMonth(first.month),
  });
  publishPlans(ctx, organizationId);
  await ctx.emit(plansChanged, { organizationId, ended: [] });
  return shownPlan(ctx, required(await planById(ctx, planId), 'the plan that was just made'), 'admin');
}

function assertTerms(ctx: Ctx, terms: readonly Term[], due: Term['amount'], today: Term['on']): void {
  const mistake = planMistake(terms, due, today);
  if (!mistake) return;
  const sum = sumMoney(
    terms.map(({ amount }) => amount).filter(({ currency }) => currency === due.currency),
    due.currency,
  );
  throw domainError(
    plansErrors,
    mistake.code,
    { due: formatMoney(due, ctx.language), sum: formatMoney(sum, ctx.language) },
    [mistake.field],
  );
}

export async function agreePlan(
  ctx: Ctx,
  { billIds, ...terms }: In<typeof plans.agreePlan>,
): Promise<PaymentPlan> {
  const plan = await agree(ctx, billIds, terms);
  ctx.audit('plans.agreePlan', plan.id, { bills: plan.bills.map(({ number }) => number) });
  return plan;
}

/** Returns a running plan; the caller that ends it locks its bills. */
async function runningPlan(ctx: Ctx, planId: Id<'ppl'>): Promise<StoredPlan> {
  const plan = await planById(ctx, planId);
  if (!plan) throw domainError(plansErrors, 'plans.not_found');
  for (const { id } of plan.bills.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await billById(ctx, id, null, true);
  // Read again under the bills' locks: a payment may have ended it.
  const now = required(await planById(ctx, planId), 'a plan');
  if (now.endedAt !== null) throw domainError(plansErrors, 'plans.ended');
  return now;
}

/** Ends a plan whose bills are locked: they are due as a whole again. */
export async function end(
  ctx: Ctx,
  { id, organizationId }: Pick<StoredPlan, 'id' | 'organizationId'>,
  ending: PlanEnding,
  reason: string,
): Promise<Id<'bil'>[]> {
  const bills = await endBills(ctx, id, null);
  await dropParts(ctx, bills);
  await endPlan(ctx, id, ending, reason);
  publishPlans(ctx, organizationId);
  // The bills of a changed plan get another plan at once, and nothing happens to them in between.
  if (ending !== 'changed') await ctx.emit(plansChanged, { organizationId, ended: bills });
  return bills;
}

export async function changePlan(
  ctx: Ctx,
  { planId, ...terms }: In<typeof plans.changePlan>,
): Promise<PaymentPlan> {
  const before = await runningPlan(ctx, planId);
  const bills = await end(ctx, before, 'changed', '');
  const plan = await agree(ctx, bills, terms);
  ctx.audit('plans.changePlan', plan.id, { before: planId });
  return plan;
}

export async function cancelPlan(
  ctx: Ctx,
  { planId, reason }: In<typeof plans.cancelPlan>,
): Promise<PaymentPlan> {
  const plan = await runningPlan(ctx, planId);
  await end(ctx, plan, 'cancelled', reason);
  ctx.audit('plans.cancelPlan', planId, { reason });
  return shownPlan(ctx, required(await planById(ctx, planId), 'a plan'), 'admin');
}

/**
 * Handles billing's event: after bills were paid, credited or voided, a plan ends with its last open bill.
 */
export async function settlePlans(ctx: Ctx, { billIds }: LoweredBills): Promise<void> {
  const settled = (await runningAmong(ctx, billIds)).filter(({ isOpen }) => !isOpen);
  for (const [planId, bills] of Map.groupBy(settled, (each) => each.planId)) {
    const ids = bills.map(({ billId }) => billId);
    await endBills(ctx, planId, ids);
    await dropParts(ctx, ids);
    await endPlan(ctx, planId, 'kept', '');
  }
}
