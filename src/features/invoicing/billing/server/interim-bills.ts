// Interim bills: after usage was recorded, a job compares the unbilled amount of the current month with the
// organization's threshold, and bills it.
import { required } from '#kernel/assert.ts';
import { dayFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf, monthOf } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { secondsCache } from '#platform/server/database/cached-reads.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ReadAgain, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import type { UsageChange } from '#features/metering/usage/server/index.ts';
import type { LineTerm } from '../contract.ts';
import { billSeries, interimLines, planInterimBill, takenOf, type BillPlan } from '../rules.ts';
import { billsIssued, issuedOf, newBill, publishIssued, type BillFor } from './new-bill.ts';
import { payersOfMonth } from './paid-by.ts';
import { planRunningMonth } from './plan-month.ts';
import { dueDays } from './settings.ts';
import { taxationOfToday } from './taxed-by.ts';
import { areZonesChanged } from './time-zones.ts';
import { insertBills, lockSeries } from './store.ts';
import { interimsOf, lockInterims, thresholds as thresholdsSet } from './store-interims.ts';

const actor = { kind: 'system', name: 'interim-bills' } as const;
const checkName = 'billing.interim';

/**
 * Whether an organization gets interim bills. A new threshold takes effect for usage recorded a few seconds
 * later.
 */
const interimOwners = secondsCache<boolean>();

/** After usage was recorded, enqueues checks for the organizations that get interim bills. */
export async function askInterimBills(ctx: Ctx, changes: readonly UsageChange[]): Promise<void> {
  const cache = interimOwners(ctx.app);
  const ids = [...new Set(changes.map((change) => change.subscription.organizationId))];
  const unknown = ids.filter((id) => cache.get(id) === undefined);
  if (unknown.length > 0) {
    const found = await thresholdsSet.inForce(ctx, unknown);
    for (const id of unknown) cache.set(id, found.has(id));
  }
  for (const organizationId of ids)
    if (cache.get(organizationId)) await ctx.enqueue(checkName, { organizationId }, organizationId);
}

/**
 * Issues the interim bills that are due for an organization, at most one per currency, and returns their
 * number. The lock on the month's series serializes checks and closes; one that planned before another issued
 * bills plans again.
 */
export async function issueInterimBills(ctx: Ctx, organizationId: Id<'org'>): Promise<number> {
  const thresholds = (await thresholdsSet.inForce(ctx, [organizationId])).get(organizationId) ?? [];
  if (thresholds.length === 0) return 0;
  const organization = required(await organizationById(ctx.db, organizationId), 'an organization with usage');
  const month = monthOf(ctx.now, organization.timeZone);
  const interims = (await interimsOf(ctx, [organizationId], month)).get(organizationId) ?? [];
  const planned = await planRunningMonth(ctx, month, [organization]);
  const plans = planned.plans.get(organizationId) ?? [];
  // Excludes what others pay for single subscriptions.
  const payer = planned.payers.ofOrganization(organization);
  const name = usageUntil(ctx, organization);
  const taxation = await taxationOfToday(ctx, payer);
  const due = plans.flatMap((plan) => {
    const threshold = thresholds.find(({ amount }) => amount.currency === plan.currency);
    if (!threshold) return [];
    const lines = interimLines(plan, interims, takenOf(plan.currency, plan.applied.prepaid), threshold, name);
    return lines.length === 0 ? [] : planInterimBill(plan.currency, lines, taxation);
  });
  if (due.length === 0) return 0;
  const last = await lockSeries(ctx, billSeries(month));
  const standing = new Set(await lockInterims(ctx, [organizationId], month));
  if (standing.size !== interims.length || !interims.every(({ id }) => standing.has(id)))
    throw new ReadAgain('another interim bill was issued or voided since this one was planned');
  if ((await payersOfMonth(ctx, month, [organization])).stamp !== planned.payers.stamp)
    throw new ReadAgain(
      'who pays for the organization or a subscription was changed since this interim bill was planned',
    );
  if (await areZonesChanged(ctx, [organization]))
    throw new ReadAgain('the time zone of the organization was changed since this interim bill was planned');
  await storeInterims(ctx, { organization, payer }, month, last, due);
  return due.length;
}

async function storeInterims(
  ctx: Ctx,
  billFor: BillFor,
  month: BillingMonth,
  last: number,
  plans: readonly BillPlan[],
): Promise<void> {
  const dueAt = new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs);
  const bills = plans.map((plan, index) =>
    newBill(ctx, billFor, month, last + 1 + index, dueAt, plan, 'interim'),
  );
  await insertBills(ctx, billSeries(month), last + bills.length, bills);
  await ctx.emit(billsIssued, bills.map(issuedOf));
  for (const { id, number } of bills) ctx.audit('billing.issueInterimBill', id, { number, month });
  publishIssued(ctx, bills);
  ctx.publish('system/billing', { kind: 'issued' });
}

/** The name of an interim bill's line: usage until the day of issue. */
function usageUntil(ctx: Ctx, { timeZone }: Organization): LineTerm['name'] {
  const today = dayOf(ctx.now, timeZone);
  return {
    zhTW: ctx.text('billing.usage_until', { day: dayFormat('zhTW').day(today) }, 'zhTW'),
    enUS: ctx.text('billing.usage_until', { day: dayFormat('enUS').day(today) }, 'enUS'),
  };
}

export const interimBillsJob: Job = job<{ organizationId: Id<'org'> }>({
  name: checkName,
  run: async (app, { organizationId }) => {
    await unitOfWork(app, { actor }, (ctx) => issueInterimBills(ctx, organizationId));
  },
});
