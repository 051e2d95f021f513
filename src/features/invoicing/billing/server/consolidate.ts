// Issues consolidated bills: one per payer, month and currency once the month is closed for everything it
// pays for.
import type { Id } from '#kernel/ids.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { consolidatedOf, paidTogether } from '#features/invoicing/payers/server/index.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { consolidatedSeries, isTimeToConsolidate, waitsForMs } from '../rules-consolidated.ts';
import { billNumber } from '../rules.ts';
import type { IssuedBill } from './new-bill.ts';
import {
  dueTogether,
  insertConsolidated,
  isClosedForAll,
  lockWaitingBills,
  nextInSeries,
  waitingPayers,
  type WaitingBill,
} from './store-consolidated.ts';

const actor = { kind: 'system', name: 'consolidated-bills' } as const;
const jobName = 'billing.consolidate';

/**
 * Returns those payers whose bills of a month wait for consolidation, with the due date of bills already
 * issued; null if there are none.
 */
export async function consolidatingPayers(
  ctx: Ctx,
  payerIds: readonly string[],
  month: BillingMonth,
): Promise<ReadonlyMap<string, Date | null>> {
  const ids = [...(await consolidatedOf(ctx, [...new Set(payerIds)], month))];
  if (ids.length === 0) return new Map();
  const due = await dueTogether(ctx, ids, month, new Date(ctx.now.getTime() - waitsForMs));
  return new Map(ids.map((id) => [id, due.get(id) ?? null]));
}

/** Returns those issued bills that will be announced on a consolidated bill. */
export async function toBeConsolidated(
  ctx: Ctx,
  bills: readonly IssuedBill[],
): Promise<ReadonlySet<IssuedBill>> {
  const found = new Set<IssuedBill>();
  for (const [month, ofMonth] of Map.groupBy(bills, (bill) => bill.month)) {
    const payers = await consolidatedOf(ctx, [...new Set(ofMonth.map((bill) => bill.organizationId))], month);
    for (const bill of ofMonth) if (bill.kind === 'month' && payers.has(bill.organizationId)) found.add(bill);
  }
  return found;
}

/** After bills were issued: queues a check whether they complete a consolidated bill. */
export async function askConsolidation(ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> {
  if ((await toBeConsolidated(ctx, bills)).size > 0) await ctx.enqueue(jobName, {}, jobName);
}

/** At the end of a close: also covers bills left by an interrupted close. */
export async function askWaiting(ctx: Ctx): Promise<void> {
  if ((await waitingPayers(ctx)).length > 0) await ctx.enqueue(jobName, {}, jobName);
}

/**
 * Issues all pending consolidated bills, each in its own transaction, and returns their number. A failure
 * does not stop the others.
 */
export async function consolidateBills(app: App, signal?: AbortSignal): Promise<number> {
  const waiting = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => waitingPayers(ctx));
  let made = 0;
  for (const { organizationId, month } of waiting) {
    if (signal?.aborted) break;
    const count = await continueOnError(
      app,
      { organizationId, month },
      'bills could not be consolidated',
      () => unitOfWork(app, { actor }, (ctx) => consolidate(ctx, organizationId, month)),
    );
    made += count ?? 0;
  }
  return made;
}

/**
 * Consolidates one payer's month: one bill per currency. The second of two concurrent runs finds nothing left
 * to do.
 */
async function consolidate(ctx: Ctx, organizationId: Id<'org'>, month: BillingMonth): Promise<number> {
  await lockUntilEnd(ctx, `consolidated bill ${organizationId} ${month}`);
  const bills = await lockWaitingBills(ctx, organizationId, month);
  const [first] = bills.toSorted((a, b) => a.issuedAt.getTime() - b.issuedAt.getTime());
  if (!first) return 0;
  const isComplete = await isClosedForAll(ctx, await paidTogether(ctx, organizationId, month), month);
  if (!isTimeToConsolidate({ isComplete, firstIssuedAt: first.issuedAt }, ctx.now)) return 0;
  const byCurrency = [...Map.groupBy(bills, (bill) => bill.currency).values()];
  for (const group of byCurrency) await issue(ctx, organizationId, month, group);
  ctx.publish(`org/${organizationId}/bills`, { kind: 'consolidated' });
  ctx.publish('system/billing', { kind: 'consolidated' });
  return byCurrency.length;
}

async function issue(
  ctx: Ctx,
  organizationId: Id<'org'>,
  month: BillingMonth,
  bills: readonly WaitingBill[],
): Promise<void> {
  const [{ currency } = { currency: 'TWD' as const }] = bills;
  const total = money(
    bills.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
    currency,
  );
  const id = ctx.newId('cbl');
  const series = consolidatedSeries(month);
  const sequence = await nextInSeries(ctx, series);
  const number = billNumber(series, sequence);
  const dueAt = new Date(Math.max(...bills.map((bill) => bill.dueAt.getTime())));
  await insertConsolidated(ctx, {
    id,
    organizationId,
    month,
    currency,
    series,
    sequence,
    number,
    dueAt,
    totalMinor: total.minor,
    billIds: bills.map((bill) => bill.id),
  });
  ctx.audit('billing.consolidate', id, { number, month, bills: bills.length });
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        kind: 'bill.consolidated',
        type: 'payment',
        category: 'billing',
        subject: id,
        period: month,
        textKey: 'billing.notice_consolidated',
        params: { number, month, amount: moneyText(total), currency },
        link: `/billing/management?month=${month}`,
      },
    },
  ]);
}

/** Queued when bills are issued; also scheduled, for bills that have waited long enough for others. */
export const consolidateJob: Job = job({
  name: jobName,
  schedule: '*/10 * * * *',
  run: async (app, _payload, signal) => {
    await consolidateBills(app, signal);
  },
});
