// Retail bills for resellers and their customers, and what the operator charged for the same months.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { money, moneyText, readMoney } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RetailBill } from '#features/invoicing/billing/contract-retail.ts';
import {
  insertRetailCredit,
  linesOfRetail,
  lockCredited,
  notePaid,
  pageOfRetail,
  retailById,
  retailCreditPaper,
  retailCredits,
  retailPaper,
} from '#features/invoicing/billing/server/index.ts';
import {
  resellersErrors,
  type ResellerBill,
  type ResellerBillDetail,
  type resellers,
  type RetailBillDetail,
  type Wholesale,
} from '../contract.ts';
import { creditParts } from '#features/invoicing/billing/rules.ts';
import { marginsOf } from '../rules.ts';
import { ownReseller } from './own.ts';
import { allResellers, wholesaleBills, wholesaleOf } from './store.ts';

/** The first time zone in which a day begins. */
const furthestAhead = 'Pacific/Kiritimati';

async function withWholesale(ctx: Ctx, bills: readonly RetailBill[]): Promise<ResellerBill[]> {
  const minors = await wholesaleOf(
    ctx,
    bills.map(({ id }) => id),
  );
  return bills.map((bill) => {
    const minor = minors.get(bill.id);
    return { ...bill, wholesale: minor === undefined ? null : money(minor, bill.currency) };
  });
}

/**
 * Returns the lines of a retail bill with their calculation. The price version is not disclosed, because it
 * was never published.
 */
async function linesOf(ctx: Ctx, { id, currency }: RetailBill): Promise<RetailBillDetail['lines']> {
  return (await linesOfRetail(ctx, id, currency)).map(({ priceVersionId: _version, ...line }) => line);
}

export async function resellerBills(
  ctx: Ctx,
  input: In<typeof resellers.resellerBills>,
): Promise<Out<typeof resellers.resellerBills>> {
  const { organizationId: resellerId } = await ownReseller(ctx);
  const page = await pageOfRetail(ctx, { resellerId }, input);
  return { ...page, items: await withWholesale(ctx, page.items) };
}

async function ownBill(ctx: Ctx, retailBillId: string): Promise<ResellerBillDetail> {
  const { organizationId: resellerId } = await ownReseller(ctx);
  const bill = await retailById(ctx, retailBillId, { resellerId });
  if (!bill) throw domainError(resellersErrors, 'resellers.bill_not_found');
  const [shown] = await withWholesale(ctx, [bill]);
  return {
    ...bill,
    wholesale: shown?.wholesale ?? null,
    lines: await linesOf(ctx, bill),
    credits: await retailCredits(ctx, bill.id, bill.currency),
  };
}

export const resellerBill = (
  ctx: Ctx,
  { retailBillId }: In<typeof resellers.resellerBill>,
): Promise<ResellerBillDetail> => ownBill(ctx, retailBillId);

export async function notePayment(
  ctx: Ctx,
  { retailBillId, paidOn, note }: In<typeof resellers.notePayment>,
): Promise<ResellerBillDetail> {
  const bill = await ownBill(ctx, retailBillId);
  if (paidOn !== null && paidOn > dayOf(ctx.now, furthestAhead))
    throw domainError(resellersErrors, 'resellers.paid_too_late', {}, ['paidOn']);
  await notePaid(ctx, retailBillId, tenant(ctx), paidOn, note);
  ctx.audit('resellers.notePayment', retailBillId, { number: bill.number, paidOn, before: bill.paidOn });
  ctx.publish(`org/${tenant(ctx)}/bills`, { kind: 'retail' });
  ctx.publish(`org/${bill.organizationId}/bills`, { kind: 'retail' });
  return ownBill(ctx, retailBillId);
}

export async function creditBill(
  ctx: Ctx,
  { retailBillId, amount, reason }: In<typeof resellers.creditBill>,
): Promise<ResellerBillDetail> {
  const { organizationId: resellerId, numberPrefix } = await ownReseller(ctx);
  const bill = await ownBill(ctx, retailBillId);
  const asked = amount === null ? null : readMoney(amount, bill.currency);
  if (asked === undefined) throw domainError(resellersErrors, 'resellers.credit_digits', {}, ['amount']);
  const credited = await lockCredited(ctx, retailBillId, resellerId);
  const parts = creditParts(
    { net: bill.net.minor, tax: bill.tax.minor, total: bill.total.minor },
    credited,
    asked?.minor ?? null,
  );
  if (typeof parts === 'string')
    throw domainError(
      resellersErrors,
      parts,
      { left: formatMoney(money(bill.total.minor - credited.total, bill.currency), ctx.language) },
      ['amount'],
    );
  const { id, number } = await insertRetailCredit(ctx, {
    billId: retailBillId,
    resellerId,
    numberPrefix,
    reason,
    parts,
    by: person(ctx).userId,
  });
  ctx.audit('resellers.creditBill', retailBillId, {
    bill: bill.number,
    creditId: id,
    number,
    reason,
    amount: moneyText(money(parts.total, bill.currency)),
  });
  ctx.publish(`org/${resellerId}/bills`, { kind: 'retail' });
  ctx.publish(`org/${bill.organizationId}/bills`, { kind: 'retail' });
  return ownBill(ctx, retailBillId);
}

async function wholesaleIn(ctx: Ctx, resellerId: string, month: BillingMonth): Promise<Wholesale> {
  const items = await wholesaleBills(ctx, resellerId, month);
  return {
    items,
    totals: marginsOf(
      items.flatMap(({ retail }) => retail ?? []),
      items.map(({ net }) => net),
    ),
    isProven: items.every(({ lines, net }) => lines.minor === net.minor),
  };
}

export async function wholesale(ctx: Ctx, { month }: In<typeof resellers.wholesale>): Promise<Wholesale> {
  const { organizationId } = await ownReseller(ctx);
  return wholesaleIn(ctx, organizationId, month);
}

export async function adminWholesale(
  ctx: Ctx,
  { resellerId, month }: In<typeof resellers.adminWholesale>,
): Promise<Wholesale> {
  const [found] = await allResellers(ctx, resellerId);
  if (!found) throw domainError(resellersErrors, 'resellers.not_found');
  return wholesaleIn(ctx, found.organizationId, month);
}

/** The reseller's payment notes are for its own users. */
const forCustomer = (bill: RetailBill): RetailBill => ({ ...bill, paidNote: '' });

export async function retailBills(
  ctx: Ctx,
  input: In<typeof resellers.retailBills>,
): Promise<Out<typeof resellers.retailBills>> {
  const page = await pageOfRetail(ctx, { organizationId: tenant(ctx) }, input);
  return { ...page, items: page.items.map(forCustomer) };
}

export async function retailBill(
  ctx: Ctx,
  { retailBillId }: In<typeof resellers.retailBill>,
): Promise<RetailBillDetail> {
  const bill = await retailById(ctx, retailBillId, { organizationId: tenant(ctx) });
  if (!bill) throw domainError(resellersErrors, 'resellers.bill_not_found');
  return {
    ...forCustomer(bill),
    lines: await linesOf(ctx, bill),
    credits: await retailCredits(ctx, bill.id, bill.currency),
  };
}

/**
 * Returns a credit note for the customer or the reseller; for everyone else, the bill is treated as not
 * found.
 */
export async function retailCreditPdf(
  ctx: Ctx,
  { retailBillId, creditId, language = ctx.language }: In<typeof resellers.retailCreditPdf>,
): Promise<FileAnswer> {
  const bill =
    (await retailById(ctx, retailBillId, { organizationId: tenant(ctx) })) ??
    (await retailById(ctx, retailBillId, { resellerId: tenant(ctx) }));
  if (!bill) throw domainError(resellersErrors, 'resellers.bill_not_found');
  const note = (await retailCredits(ctx, bill.id, bill.currency)).find(({ id }) => id === creditId);
  if (!note) throw domainError(resellersErrors, 'resellers.credit_not_found');
  const document = await retailCreditPaper(ctx, bill, note, language);
  return { fileName: `${note.number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(document) };
}

export async function retailBillPdf(
  ctx: Ctx,
  { retailBillId, language = ctx.language }: In<typeof resellers.retailBillPdf>,
): Promise<FileAnswer> {
  const bill = await retailById(ctx, retailBillId, { organizationId: tenant(ctx) });
  if (!bill) throw domainError(resellersErrors, 'resellers.bill_not_found');
  const document = await retailPaper(ctx, bill, language);
  return { fileName: `${bill.number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(document) };
}
