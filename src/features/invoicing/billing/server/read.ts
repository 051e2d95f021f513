// Bills as their readers ask for them: lists, one with its lines, the running month.
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

/** A line without what only its explanation tells. */
export const shownLine = ({ steps: _steps, priceVersionId: _version, ...line }: StoredLine): BillLine => line;

/** A bill with its lines and how each comes about; of an organization when one is given. */
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

/** A bill with its lines; of an organization when one is given. */
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

/** A planned line as its bill would show it. */
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

/** The running month of the actor's organization, planned as the close will plan it: by its reseller's prices, where one sells to it. */
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

/** The running month as it would be billed now: the same plan that the close will issue. */
export async function currentBill(ctx: Ctx): Promise<CurrentBill> {
  const { organization, month, plans, others, isRetail } = await runningMonth(ctx);
  const bills = await Promise.all(
    plans.map(async ({ lines, applied, ...totals }) => ({
      ...totals,
      prepaid: takenOf(totals.currency, applied.prepaid),
      lines: lines.map(billLineOf),
      // The bill of the month before is the reseller's, by what it pays itself.
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
  // As those see bills that others pay who used what they charge: the payer's name and what it comes to.
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

/** What one of the own subscriptions was charged on issued bills. */
export async function subscriptionLines(
  ctx: Ctx,
  input: In<typeof billing.subscriptionLines>,
): Promise<Out<typeof billing.subscriptionLines>> {
  if (!(await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx))))
    throw domainError(billingErrors, 'billing.subscription_not_found');
  const found = await chargedLines(ctx, input.subscriptionId, input.limit ?? linesShown);
  return { items: found.map(({ line, ...bill }) => ({ ...bill, line: shownLine(line) })) };
}
