// Closing a month: bills for every organization, in resumable chunks; safe to kill, to repeat and to run twice at once.
import { createHash } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import { Refusal, refuse } from '#kernel/refusal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf, monthPeriod } from '#kernel/time.ts';
import type { Actor, Ctx, World } from '#platform/server/ctx.ts';
import { job } from '#platform/server/jobs.ts';
import { signal } from '#platform/server/sockets.ts';
import { work } from '#platform/server/work.ts';
import type { Organization } from '#features/identity/contract.ts';
import { organizationsAfter } from '#features/identity/server/index.ts';
import { billingErrors, type billing, type CloseRun } from '../contract.ts';
import { billNumber, billSeries, isMonthOver, planBills, type BillPlan } from '../rules.ts';
import { billableOf } from './billable.ts';
import { lateLines } from './late-usage.ts';
import { dueDays, graceHours, taxRate } from './settings.ts';
import { existingBills, insertBills, lockSeries, type NewBill } from './store.ts';
import { closedFor, keepClosed, settleLateMonths } from './store-late.ts';
import { addToRun, countParked, finishRun, insertRun, newestRuns, park, unpark } from './store-runs.ts';

export type IssuedBill = { readonly id: Id<'bil'>; readonly number: string; readonly organizationId: Id<'org'>; readonly month: BillingMonth; readonly net: BillPlan['net']; readonly tax: BillPlan['tax']; readonly total: BillPlan['total']; readonly dueAt: Date };
/** Bills were issued: a chunk of them, in the transaction that issued them. */
export const billsIssued = signal<readonly IssuedBill[]>('billing.billsIssued');

const chunkSize = 1000;
const dayMs = 86_400_000;
type Counts = { issued: number; skipped: number };

/** The button: closes a month that is over somewhere. Chunks commit one by one; what is done stays done. */
export async function closeMonth(ctx: Ctx, input: In<typeof billing.closeMonth>): Promise<Out<typeof billing.closeMonth>> {
  // The first zone in which a month ends is UTC+14; before that there is nothing to close anywhere.
  if (!isMonthOver(input.month, 'Pacific/Kiritimati', ctx.now)) throw refuse(billingErrors, 'billing.month_not_over');
  return runClose(ctx.world, ctx.actor, input.month, 0);
}

/** Issues what is missing of a month's bills for organizations in whose zone the month ended `graceMs` ago or longer. */
export async function runClose(world: World, actor: Actor, month: BillingMonth, graceMs: number): Promise<Out<typeof billing.closeMonth>> {
  const total = await work(world, { actor, mode: 'read' }, async (ctx) => (await organizationsAfter(ctx, null, 0)).total);
  const runId = await work(world, { actor }, async (ctx) => {
    const id = await insertRun(ctx, month, total);
    ctx.note('billing.closeMonth', id, { month });
    return id;
  });
  const counts: Counts = { issued: 0, skipped: 0 };
  for (let after: Id<'org'> | null = null; ; ) {
    const { items } = await work(world, { actor, mode: 'read' }, (ctx) => organizationsAfter(ctx, after, chunkSize));
    const last = items.at(-1);
    if (!last) break;
    after = last.id;
    const due = items.filter((organization) => isMonthOver(month, organization.timeZone, new Date(world.clock.now().getTime() - graceMs)));
    await closeChunk(world, actor, runId, month, due, items.length, counts);
  }
  const parked = await work(world, { actor }, async (ctx) => {
    await finishRun(ctx, runId);
    ctx.touch('system/billing', { kind: 'closed' });
    return countParked(ctx, month);
  });
  return { runId, ...counts, parked };
}

async function closeChunk(world: World, actor: Actor, runId: Id<'run'>, month: BillingMonth, organizations: readonly Organization[], seen: number, counts: Counts): Promise<void> {
  try {
    const done = await work(world, { actor }, async (ctx) => {
      const issued = await issueBills(ctx, month, organizations);
      await addToRun(ctx, runId, { organizations: seen, ...issued });
      ctx.touch('system/billing', { kind: 'progress' });
      return issued;
    });
    counts.issued += done.issued;
    counts.skipped += done.skipped;
  } catch (error) {
    if (organizations.length <= 1) {
      const [only] = organizations;
      if (!only) throw error;
      const reason = error instanceof Refusal ? error.code : error instanceof Error ? error.message : String(error);
      world.log.error({ err: error, organizationId: only.id, month }, 'an organization could not be billed and is parked');
      await work(world, { actor }, async (ctx) => {
        await park(ctx, only.id, month, reason);
        await addToRun(ctx, runId, { organizations: 1, issued: 0, skipped: 0 });
      });
      return;
    }
    // One of them is at fault: one at a time, so that only that one is parked.
    for (const organization of organizations) await closeChunk(world, actor, runId, month, [organization], 1, counts);
  }
}

/** Issues the bills of some organizations in this unit of work. The series' lock makes two closes take turns. */
async function issueBills(ctx: Ctx, month: BillingMonth, organizations: readonly Organization[]): Promise<Counts> {
  if (organizations.length === 0) return { issued: 0, skipped: 0 };
  const series = billSeries(month);
  let sequence = await lockSeries(ctx, series);
  // A month is closed once for an organization, with bills or without: what comes later is an adjustment of the next one.
  const existing = await existingBills(ctx, organizations.map((organization) => organization.id), month);
  const skipped = organizations.reduce((sum, organization) => sum + (existing.get(organization.id) ?? 0), 0);
  const closed = await closedFor(ctx, organizations.map((organization) => organization.id), month);
  const open = organizations.filter((organization) => !closed.has(organization.id));
  // What changed is read before what was used: a change in between stays noted.
  const late = await lateLines(ctx, open, month);
  const billable = await billableOf(ctx, open, month);
  const standardRate = await ctx.setting(taxRate);
  const dueAt = new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs);
  const bills: NewBill[] = [];
  const announced: IssuedBill[] = [];
  for (const organization of open) {
    const rate = organization.taxStatus === 'standard' ? standardRate : '0';
    for (const plan of planBills(billable.get(organization.id) ?? [], month, organization.timeZone, rate, late.lines.get(organization.id))) {
      sequence++;
      const bill = newBill(ctx, organization, month, series, sequence, dueAt, plan);
      bills.push(bill);
      announced.push({ id: bill.id, number: bill.number, organizationId: organization.id, month, net: plan.net, tax: plan.tax, total: plan.total, dueAt });
    }
  }
  if (bills.length > 0) {
    await insertBills(ctx, series, sequence, bills);
    await ctx.announce(billsIssued, announced);
    for (const bill of bills) ctx.touch(`org/${bill.organizationId}/bills`, { kind: 'issued' });
  }
  await keepClosed(ctx, open.map((organization) => organization.id), month);
  if (late.months.length > 0) await settleLateMonths(ctx, late.months);
  await unpark(ctx, organizations.map((organization) => organization.id), month);
  return { issued: bills.length, skipped };
}

function newBill(ctx: Ctx, organization: Organization, month: BillingMonth, series: string, sequence: number, dueAt: Date, plan: BillPlan): NewBill {
  const period = monthPeriod(month, organization.timeZone);
  const number = billNumber(series, sequence);
  const buyer = { name: organization.name, taxId: organization.taxId, address: organization.billingAddress, email: organization.billingEmail };
  // What a bill says, in a fixed form: its digest shows later that nothing of it was changed.
  const content = JSON.stringify([number, organization.id, month, plan.currency, buyer, plan.taxRate, moneyText(plan.net), moneyText(plan.tax), moneyText(plan.total),
    plan.lines.map((line) => [line.kind, line.subscriptionId, line.serviceName, line.priceVersionId, line.quantity, line.unit, line.unitPrice, decimalText(line.exact), moneyText(line.amount), ...(line.forMonth === null ? [] : [line.forMonth])])]);
  return {
    id: ctx.newId('bil'), organizationId: organization.id, month, currency: plan.currency, series, sequence, number, periodStart: period.start, periodEnd: period.end, dueAt,
    netMinor: plan.net.minor, taxRate: plan.taxRate, taxMinor: plan.tax.minor, totalMinor: plan.total.minor, buyer, contentHash: createHash('sha256').update(content).digest('hex'), lines: plan.lines,
  };
}

export async function listCloseRuns(ctx: Ctx): Promise<{ items: CloseRun[] }> {
  return { items: await newestRuns(ctx) };
}

/** Closes last month by itself, every hour, once its grace time is over; an hour that finds nothing to do does nothing. */
export const closeMonthJob = job({
  name: 'close-month',
  schedule: '5 * * * *',
  run: async (world: World) => {
    const actor: Actor = { kind: 'system', name: 'close-month' };
    const { month, grace } = await work(world, { actor, mode: 'read' }, async (ctx) => ({ month: addMonths(monthOf(ctx.now, 'UTC'), -1), grace: await ctx.setting(graceHours) }));
    await runClose(world, actor, month, grace * 3_600_000);
  },
});
