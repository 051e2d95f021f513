// Queries of bills: lists, one with its lines, and the current month.
import type { In, Out } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf, monthPeriod } from '#kernel/time.ts';
import type { Id } from '#kernel/ids.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import {
  billingErrors,
  type BillDetail,
  type billing,
  type BillLine,
  type CurrentBill,
} from '../contract.ts';
import type { PlannedBillLine } from '../rules-late.ts';
import { takenOf, type BillPlan } from '../rules.ts';
import type { PayersPart } from '../rules-payers.ts';
import { changeOf, compared } from './change.ts';
import { planRunningMonth } from './plan-month.ts';
import { planRetail } from './retail-bills.ts';
import { billById, chargedLines, linesOfBill, pageOfBills, toldBySteps, type StoredLine } from './store.ts';

export async function listBills(
  ctx: Ctx,
  input: In<typeof billing.listBills>,
): Promise<Out<typeof billing.listBills>> {
  return pageOfBills(ctx, tenant(ctx), input);
}

export async function adminListBills(
  ctx: Ctx,
  input: In<typeof billing.adminListBills>,
): Promise<Out<typeof billing.adminListBills>> {
  const { organizationId, ...filter } = input;
  return pageOfBills(ctx, organizationId ?? null, filter);
}

/** A line without the data for its explanation. */
export const shownLine = ({ steps: _steps, priceVersionId: _version, ...line }: StoredLine): BillLine => line;

/** Returns a bill with its lines and their calculation; with an organization, only that organization's. */
async function billWithSteps(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
): Promise<Omit<BillDetail, 'lines'> & { lines: StoredLine[] }> {
  const bill = await billById(ctx, billId, organizationId);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  const lines = await linesOfBill(ctx, bill.id, bill.currency);
  return { ...bill, lines, change: await changeOf(ctx, bill, lines.map(compared)) };
}

/** Returns a bill with its lines; with an organization, only that organization's. */
export async function billDetail(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
): Promise<BillDetail> {
  const bill = await billWithSteps(ctx, billId, organizationId);
  return { ...bill, lines: bill.lines.map(shownLine) };
}

export async function getBill(ctx: Ctx, input: In<typeof billing.getBill>): Promise<BillDetail> {
  return billDetail(ctx, input.billId, tenant(ctx));
}

export async function adminGetBill(ctx: Ctx, input: In<typeof billing.adminGetBill>): Promise<BillDetail> {
  return billDetail(ctx, input.billId, null);
}

/** Converts a planned line to the form its bill would show. */
export const billLineOf = (line: PlannedBillLine, index: number): BillLine => ({
  id: String(index + 1),
  kind: line.kind,
  subscriptionId: line.subscriptionId as Id<'sub'> | null,
  serviceName: line.serviceName,
  ...(line.charge && { charge: line.charge }),
  ...(line.term && { term: line.term }),
  quantity: line.quantity,
  unit: line.unit,
  unitPrice: line.unitPrice,
  exact: decimalText(line.exact),
  total: line.amount,
  ...toldBySteps(line, line.steps),
  ...(line.forMonth !== null && { forMonth: line.forMonth }),
});

/**
 * Returns the current month of the actor's organization, planned as the close will plan it; at its reseller's
 * prices if it has one.
 */
export async function runningMonth(ctx: Ctx): Promise<{
  organization: Organization;
  month: BillingMonth;
  plans: readonly BillPlan[];
  others: readonly PayersPart<Organization>[];
  isRetail: boolean;
}> {
  const organization = required(await organizationById(ctx.db, tenant(ctx)), 'the actor’s organization');
  const month = monthOf(ctx.now, organization.timeZone);
  const retail = (await planRetail(ctx, month, [organization])).get(organization.id);
  if (retail) return { organization, month, plans: retail.plans, others: [], isRetail: true };
  const { plans, others } = await planRunningMonth(ctx, month, [organization]);
  return {
    organization,
    month,
    plans: plans.get(organization.id) ?? [],
    others: others.get(organization.id) ?? [],
    isRetail: false,
  };
}

/** Returns the current month as it would be billed now, from the same plan that the close will issue. */
export async function currentBill(ctx: Ctx): Promise<CurrentBill> {
  const { organization, month, plans, others, isRetail } = await runningMonth(ctx);
  const bills = await Promise.all(
    plans.map(async ({ lines, applied, ...totals }) => ({
      ...totals,
      prepaid: takenOf(totals.currency, applied.prepaid),
      lines: lines.map(billLineOf),
      // The previous month's bill is addressed to the reseller, at the reseller's purchase prices.
      change: isRetail
        ? null
        : await changeOf(
            ctx,
            {
              kind: 'month',
              organizationId: organization.id,
              month,
              currency: totals.currency,
              total: totals.total,
            },
            lines,
            true,
          ),
    })),
  );
  // Shows bills that others pay as the user of the services sees them: the payer's name and the amounts.
  const paidByOthers = others.flatMap(({ payer, plans: ofPayer }) =>
    ofPayer.map(({ lines, applied: _applied, ...totals }) => ({
      payer: payer.name,
      services: [...new Set(lines.map(({ serviceName }) => serviceName))],
      ...totals,
    })),
  );
  const periodEnd = monthPeriod(month, organization.timeZone).end;
  return { month, asOf: ctx.now, periodEnd, bills, paidByOthers };
}

const linesShown = 24;

/** Returns what one of the caller's subscriptions was charged on issued bills. */
export async function subscriptionLines(
  ctx: Ctx,
  input: In<typeof billing.subscriptionLines>,
): Promise<Out<typeof billing.subscriptionLines>> {
  if (!(await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx))))
    throw domainError(billingErrors, 'billing.subscription_not_found');
  const found = await chargedLines(ctx, input.subscriptionId, input.limit ?? linesShown);
  return { items: found.map(({ line, ...bill }) => ({ ...bill, line: shownLine(line) })) };
}
