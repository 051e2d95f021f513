// Late usage of months in which another party was the seller: bills of later months do not include it,
// because one seller's prices must not be disclosed to the other. It waits until an Admin bills it to the
// payer of its own month.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { sellersOf } from '#features/selling/resale/server/index.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import { billSeries, noTerms } from '../rules.ts';
import { planByPayer, type PayersPart } from '../rules-payers.ts';
import { lateMonths, linesOfLate } from './late-usage.ts';
import { issueLateRetail } from './retail-bills.ts';
import { billsIssued, issuedOf, newBill, publishIssued, type IssuedBill } from './new-bill.ts';
import { payersOfMonth } from './paid-by.ts';
import { dueDays } from './settings.ts';
import { taxationOfToday } from './taxed-by.ts';
import { insertBills, lockSeries } from './store.ts';
import { billedUsage, closedFor, holdLateMonths, settleLateMonths, type LateMonth } from './store-late.ts';

/** Late usage of a month that is not billed automatically. */
export type UnbilledLate = {
  readonly organization: Organization;
  readonly month: BillingMonth;
  /** The seller in that month; undefined for the operator. */
  readonly sellerId: string | undefined;
  /**
   * By payer: first the organization's payer in that month, then the payers of its single subscriptions.
   * Plans are one per currency, taxed as of now; none if the price does not differ.
   */
  readonly parts: readonly PayersPart<Organization>[];
  /** The changes that a bill for it settles. */
  readonly late: readonly LateMonth[];
};

/**
 * Returns the late usage of some organizations that the next close leaves out, because another party was the
 * seller in its month.
 */
export async function unbilledLate(
  ctx: Ctx,
  organizations: readonly Organization[],
): Promise<UnbilledLate[]> {
  const runningOf = ({ timeZone }: Organization): BillingMonth => monthOf(ctx.now, timeZone);
  const found: UnbilledLate[] = [];
  for (const [running, some] of Map.groupBy(organizations, runningOf)) {
    const ids = some.map(({ id }) => id);
    const noted = await lateMonths(ctx, some, running);
    if (noted.length === 0) continue;
    const sellerIn = await sellersOf(ctx, ids);
    const closed = await closedFor(ctx, ids, addMonths(running, -1));
    // The previous month may still be open: its bills include what its own seller sold.
    const nextOf = (id: string): BillingMonth => (closed.has(id) ? running : addMonths(running, -1));
    const elsewhere = noted.filter(
      ({ organizationId, month }) =>
        sellerIn(organizationId, month) !== sellerIn(organizationId, nextOf(organizationId)),
    );
    for (const [month, ofMonth] of Map.groupBy(elsewhere, (late) => late.month)) {
      const users = some.filter(({ id }) => ofMonth.some((late) => late.organizationId === id));
      const payers = await payersOfMonth(ctx, month, users);
      const lines = await linesOfLate(ctx, ofMonth, 'wholesale', (of, late) => billedUsage(ctx, of, late));
      for (const organization of users) {
        const { id, timeZone } = organization;
        const own = lines.get(id) ?? [];
        const taxations = new Map<string, Taxation>();
        for (const payer of payers.all) taxations.set(payer.id, await taxationOfToday(ctx, payer));
        const planned = planByPayer({
          subscriptions: [],
          late: own,
          month,
          zone: timeZone,
          terms: noTerms,
          payerOf: (subscriptionId) => payers.ofSubscription(organization, subscriptionId),
          taxationOf: ({ id: payerId }) => required(taxations.get(payerId), 'how a payer is taxed'),
        });
        found.push({
          organization,
          month,
          sellerId: sellerIn(id, month),
          parts: [planned.own, ...planned.others],
          late: ofMonth.filter((late) => late.organizationId === id),
        });
      }
    }
  }
  return found;
}

/**
 * Bills late usage of a month to the payer of that month, without discounts or credit; if a reseller sold in
 * it, also issues the reseller's bill to its former customer. `nothing`: none is waiting. `lowers`: usage
 * decreased, which requires a credit note on the month's bill. A change that arrives in the meantime waits
 * for the next time.
 */
export async function issueUnbilledLate(
  ctx: Ctx,
  organization: Organization,
  month: BillingMonth,
): Promise<readonly IssuedBill[] | 'nothing' | 'lowers'> {
  const running = monthOf(ctx.now, organization.timeZone);
  const series = billSeries(running);
  // A close locks the series, too, so that only one of them settles a change.
  let sequence = await lockSeries(ctx, series);
  const found = (await unbilledLate(ctx, [organization])).find((each) => each.month === month);
  if (!found || !(await holdLateMonths(ctx, found.late))) return 'nothing';
  const { parts, late, sellerId } = found;
  if (parts.some(({ plans }) => plans.some(({ net }) => net.minor < 0n))) return 'lowers';
  const dueAt = new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs);
  const bills = parts.flatMap(({ payer, plans }, index) =>
    plans.map((plan) =>
      newBill(
        ctx,
        { organization, payer, bySubscription: index > 0 },
        running,
        ++sequence,
        dueAt,
        plan,
        'one_off',
      ),
    ),
  );
  // Read before the changes are settled, in one transaction with what the reseller is charged for them.
  if (sellerId !== undefined) await issueLateRetail(ctx, sellerId, organization, month, late);
  await settleLateMonths(ctx, late);
  if (bills.length === 0) return [];
  await insertBills(ctx, series, required(bills.at(-1), 'a bill').sequence, bills);
  await ctx.emit(billsIssued, bills.map(issuedOf));
  publishIssued(ctx, bills);
  return bills.map(issuedOf);
}
