// The late fees of a bill, for members and Admins.
import type { In } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { addDays } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import type { BillLateFees, LateFee, lateFees } from '../contract.ts';
import { feeOfStretches } from '../rules.ts';
import { feeTerms, stretchesOf } from './charge.ts';
import { termsOfBill } from './settings.ts';
import { feesOf, lateRow, versionsOf, type FeeRow } from './store.ts';

function stateOf({ oneOffState, creditNoteId }: FeeRow): LateFee['state'] {
  if (creditNoteId !== null) return 'credited';
  if (oneOffState === 'withdrawn') return 'waived';
  return oneOffState === 'billed' ? 'billed' : 'pending';
}

const shownFee = (row: FeeRow): LateFee => ({
  id: row.id,
  amount: money(row.minor, row.currency),
  state: stateOf(row),
  madeAt: row.madeAt,
  stretches: row.stretches.map(({ minor, ...each }) => ({ ...each, late: money(minor, row.currency) })),
  step: row.stepDay,
  onBill:
    row.onBillId === null || row.onBillNumber === null
      ? null
      : { id: row.onBillId, number: row.onBillNumber },
  reason: row.waiveReason,
});

/** Returns the late fees of a bill of the organization (null: of any). */
export async function shownFees(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
): Promise<BillLateFees> {
  if (!(await billById(ctx, billId, organizationId)))
    throw domainError(billingErrors, 'billing.bill_not_found');
  const fees = (await feesOf(ctx, billId)).map(shownFee);
  const row = await lateRow(ctx, billId);
  const found = termsOfBill(await versionsOf(ctx), row);
  if (!found) return { terms: null, graceDays: 0, firstDay: null, running: null, fees };
  const { terms, graceDays } = found;
  const shown = { terms, graceDays, firstDay: addDays(row.dueOn, graceDays + 1), fees };
  if (terms.percent === null || row.isExempt || row.state === 'void') return { ...shown, running: null };
  const stretches = await stretchesOf(ctx, billId, row, found, addDays(row.today, -1));
  const minor = feeOfStretches(feeTerms(found), stretches) - row.charged - row.forgiven;
  return { ...shown, running: money(minor > 0n ? minor : 0n, row.currency) };
}

export async function billLateFees(
  ctx: Ctx,
  { billId }: In<typeof lateFees.billLateFees>,
): Promise<BillLateFees> {
  return shownFees(ctx, billId, tenant(ctx));
}

export async function adminBillLateFees(
  ctx: Ctx,
  { billId }: In<typeof lateFees.adminBillLateFees>,
): Promise<BillLateFees> {
  return shownFees(ctx, billId, null);
}
