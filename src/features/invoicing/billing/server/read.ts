// Bills as their readers ask for them: lists, one with its lines, the running month, why a line says what it says.
import type { In, Out } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { daysOfMonth, monthOf, monthPeriod } from '#kernel/time.ts';
import type { Id } from '#kernel/ids.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { priceVersionsByIds, servicesMap } from '#features/selling/catalogue/server/index.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import { quantityOf } from '#features/metering/usage/rules.ts';
import { daysOf, daysOfCharge } from '#features/metering/usage/server/index.ts';
import {
  billingErrors,
  type BillDetail,
  type billing,
  type BillLine,
  type CurrentBill,
  type LineExplanation,
} from '../contract.ts';
import type { PlannedBillLine } from '../rules-late.ts';
import { takenOf, type BillPlan } from '../rules.ts';
import { changeOf, compared } from './change.ts';
import { planRunningMonth } from './plan-month.ts';
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

const shown = ({ steps: _steps, priceVersionId: _version, ...line }: StoredLine): BillLine => line;

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
  return { ...bill, lines: bill.lines.map(shown) };
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

/** The running month of the actor's organization, planned as the close will plan it. */
async function runningMonth(
  ctx: Ctx,
): Promise<{ organization: Organization; month: BillingMonth; plans: readonly BillPlan[] }> {
  const organization = required(await organizationById(ctx.db, tenant(ctx)), 'the actor’s organization');
  const month = monthOf(ctx.now, organization.timeZone);
  const { plans } = await planRunningMonth(ctx, month, [organization]);
  return { organization, month, plans: plans.get(organization.id) ?? [] };
}

/** The running month as it would be billed now: the same plan that the close will issue. */
export async function currentBill(ctx: Ctx): Promise<CurrentBill> {
  const { organization, month, plans } = await runningMonth(ctx);
  const bills = await Promise.all(
    plans.map(async ({ lines, applied, ...totals }) => ({
      ...totals,
      prepaid: takenOf(totals.currency, applied.prepaid),
      lines: lines.map(billLineOf),
      change: await changeOf(
        ctx,
        {
          kind: 'month',
          organizationId: organization.id,
          month,
          currency: totals.currency,
          total: totals.total,
        },
        lines,
      ),
    })),
  );
  return { month, asOf: ctx.now, periodEnd: monthPeriod(month, organization.timeZone).end, bills };
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
  return { items: found.map(({ line, ...bill }) => ({ ...bill, line: shown(line) })) };
}

/** Why a line says what it says: its price version, the arithmetic, and the days whose usage adds up to its quantity. */
export async function explainLine(ctx: Ctx, input: In<typeof billing.explainLine>): Promise<LineExplanation> {
  const bill = await billById(ctx, input.billId, tenant(ctx));
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  return explained(ctx, bill.month, await linesOfBill(ctx, bill.id, bill.currency), input.lineId);
}

/** Why a line of the running month says what it says now; its place may be another line's after the next event. */
export async function explainCurrentLine(
  ctx: Ctx,
  input: In<typeof billing.explainCurrentLine>,
): Promise<LineExplanation> {
  const { month, plans } = await runningMonth(ctx);
  const lines = plans.find(({ currency }) => currency === input.currency)?.lines ?? [];
  const stored = lines.map((line, index) => ({
    ...billLineOf(line, index),
    priceVersionId: line.priceVersionId as Id<'prv'> | null,
    steps: [...line.steps],
  }));
  return explained(ctx, month, stored, input.lineId);
}

/** Explains one of a bill's lines. Throws when the bill has no such line. */
async function explained(
  ctx: Ctx,
  month: BillingMonth,
  lines: readonly StoredLine[],
  lineId: string,
): Promise<LineExplanation> {
  const line = lines.find((each) => each.id === lineId);
  if (!line) throw domainError(billingErrors, 'billing.line_not_found');
  const { priceVersionId, subscriptionId } = line;
  const version =
    priceVersionId === null
      ? undefined
      : required(
          (await priceVersionsByIds(ctx.db, [priceVersionId])).get(priceVersionId),
          'a billed price version',
        );
  const days =
    line.kind === 'usage' && subscriptionId !== null
      ? await usageDays(ctx, { subscriptionId, charge: line.charge }, tenant(ctx), month)
      : [];
  return {
    line: shown(line),
    priceVersionId,
    priceEffectiveFrom: version?.effectiveFrom ?? null,
    steps: line.steps,
    shares: (line.term?.shares ?? []).map((share) => ({
      line: shown(
        required(
          lines.find((each) => each.id === share.lineId),
          'a line that a term took from',
        ),
      ),
      amount: share.amount,
    })),
    days,
    events: days.reduce((sum, day) => sum + day.events, 0),
  };
}

async function usageDays(
  ctx: Ctx,
  { subscriptionId, charge }: { readonly subscriptionId: Id<'sub'>; readonly charge: BillLine['charge'] },
  organizationId: string,
  month: BillingMonth,
): Promise<LineExplanation['days']> {
  const subscription = required(
    await subscriptionById(ctx.db, subscriptionId, organizationId),
    'a billed subscription',
  );
  if (charge)
    return (await daysOfCharge(ctx, subscription, charge.key, month)).map(({ day, quantity, events }) => ({
      day,
      quantity: decimalText(quantity),
      events: Number(events),
    }));
  const service = (await servicesMap(ctx, [subscription.serviceId]))(subscription.serviceId);
  const { meter } = service;
  const days = daysOfMonth(month);
  const rollup = await daysOf(
    ctx,
    [{ subscription, service }],
    subscription.timeZone,
    required(days[0], 'a first day'),
    required(days.at(-1), 'a last day'),
  );
  return days.flatMap((day) => {
    const found = rollup(subscriptionId, day);
    return found
      ? [
          {
            day,
            quantity: decimalText(quantityOf(found, meter.aggregation)),
            events: Number(found.eventCount),
          },
        ]
      : [];
  });
}
