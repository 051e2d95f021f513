// Bills of resellers to their customers: planned at retail prices, and issued by the close that charges the
// reseller for the same month.
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { resellersById, sellersOf, type ResellerTerms } from '#features/selling/resale/server/index.ts';
import { planBills, type BillPlan } from '../rules.ts';
import { billableOf } from './billable.ts';
import { lateMonths, linesOfLate } from './late-usage.ts';
import { insertRetailBills, lockReseller, retailUsage, type NewRetailBill } from './store-retail.ts';
import type { LateMonth } from './store-late.ts';

/** The bills of a reseller to one organization for a month. */
export type RetailPlan = { readonly reseller: ResellerTerms; readonly plans: readonly BillPlan[] };

/**
 * Plans a month's retail bills of those organizations that buy from resellers, by organization. Late usage is
 * included only for months in which the same reseller sold; `late` is the late usage that a close settles, by
 * default everything recorded. The operator's terms with the customer (discounts, commitments, credit) do not
 * apply.
 */
export async function planRetail(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
  late?: readonly LateMonth[],
): Promise<ReadonlyMap<string, RetailPlan>> {
  const ids = organizations.map(({ id }) => id);
  const sellerIn = await sellersOf(ctx, ids);
  const resold = organizations.filter(({ id }) => sellerIn(id, month) !== undefined);
  if (resold.length === 0) return new Map();
  const resoldIds = new Set<string>(resold.map(({ id }) => id));
  const resellers = await resellersById(
    ctx,
    resold.flatMap(({ id }) => sellerIn(id, month) ?? []),
  );
  const noted = late ?? (await lateMonths(ctx, resold, month));
  const lines = await linesOfLate(
    ctx,
    noted.filter(
      (each) =>
        resoldIds.has(each.organizationId) &&
        sellerIn(each.organizationId, each.month) === sellerIn(each.organizationId, month),
    ),
    'retail',
    (subscriptionIds, of) => retailUsage(ctx, subscriptionIds, of),
  );
  const billable = await billableOf(ctx, resold, month, 'retail');
  return new Map(
    resold.map(({ id, timeZone }) => {
      const reseller = required(resellers.get(sellerIn(id, month) ?? ''), 'a reseller');
      const plans = planBills(billable.get(id) ?? [], month, timeZone, reseller.taxRate, lines.get(id));
      return [id, { reseller, plans }];
    }),
  );
}

/**
 * Issues the retail bills of organizations whose month the caller is closing, in its transaction, so that
 * each is issued exactly once. The caller holds the lock on the month's series.
 */
export async function issueRetail(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
  late: readonly LateMonth[],
): Promise<void> {
  const planned = await planRetail(ctx, month, organizations, late);
  if (planned.size === 0) return;
  const named = new Map<string, Organization>(organizations.map((each) => [each.id, each]));
  const sellers = await organizationsByIds(ctx, [
    ...new Set([...planned.values()].map(({ reseller }) => reseller.organizationId)),
  ]);
  const byReseller = Map.groupBy(planned, ([, { reseller }]) => reseller);
  for (const [reseller, customers] of byReseller) {
    const seller = required(
      sellers.find(({ id }) => id === reseller.organizationId),
      'the organization of a reseller',
    );
    const planned = customers.flatMap(([organizationId, { plans }]) =>
      plans.map((plan) => ({ buyer: required(named.get(organizationId), 'a customer'), plan })),
    );
    await issueOf(ctx, 'month', month, reseller, seller, planned);
  }
}

/**
 * Bills a former customer of a reseller for late usage of a month in which it sold, at its prices of that
 * month, in its number series. Amounts it already billed are deducted; a decrease in usage requires a credit
 * note instead. The caller bills the reseller for the same usage in the same transaction.
 */
export async function issueLateRetail(
  ctx: Ctx,
  sellerId: string,
  buyer: Organization,
  month: BillingMonth,
  late: readonly LateMonth[],
): Promise<void> {
  const reseller = required((await resellersById(ctx, [sellerId])).get(sellerId), 'a reseller');
  const lines = await linesOfLate(ctx, late, 'retail', (subscriptionIds, of) =>
    retailUsage(ctx, subscriptionIds, of),
  );
  const own = lines.get(buyer.id) ?? [];
  if (own.length === 0) return;
  const plans = planBills([], month, buyer.timeZone, reseller.taxRate, own);
  const [seller] = await organizationsByIds(ctx, [reseller.organizationId]);
  await issueOf(
    ctx,
    'late',
    month,
    reseller,
    required(seller, 'the organization of a reseller'),
    plans.filter(({ net }) => net.minor > 0n).map((plan) => ({ buyer, plan })),
  );
}

/** Numbers and stores the bills of one reseller. */
async function issueOf(
  ctx: Ctx,
  kind: NewRetailBill['kind'],
  month: BillingMonth,
  reseller: ResellerTerms,
  seller: Organization,
  planned: readonly { readonly buyer: Organization; readonly plan: BillPlan }[],
): Promise<void> {
  const last = await lockReseller(ctx, reseller.organizationId, month);
  const bills = planned.map(({ buyer, plan }, index): NewRetailBill => {
    const sequence = last + 1 + index;
    return {
      id: ctx.newId('rtb'),
      kind,
      reseller,
      seller,
      buyer,
      month,
      sequence,
      number: retailNumber(reseller.numberPrefix, month, sequence),
      dueAt: new Date(ctx.now.getTime() + reseller.dueDays * dayMs),
      plan,
    };
  });
  if (bills.length === 0) return;
  await insertRetailBills(ctx, bills);
  for (const { buyer } of bills) ctx.publish(`org/${buyer.id}/bills`, { kind: 'issued' });
  ctx.publish(`org/${reseller.organizationId}/bills`, { kind: 'retail' });
}

const numberDigits = 4;
/** The number of a retail bill: `SHOP-202411-0001`. */
const retailNumber = (prefix: string, month: BillingMonth, sequence: number): string =>
  `${prefix}-${month.replace('-', '')}-${String(sequence).padStart(numberDigits, '0')}`;
