// An Admin's actions on invoices and allowances: cover a bill, retry, void, cancel.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { einvoicesErrors, type BillEinvoices, type EinvoiceDetail, type einvoices } from '../contract.ts';
import { periodOf, undoing } from '../rules.ts';
import { checkedBuyer } from './buyers.ts';
import { publishInvoices } from './notices.ts';
import { takeBack, undoneSource } from './plan.ts';
import { foundBill, mayOf, ofBill, shownDetail } from './read.ts';
import { einvoiceSetting, isOn } from './settings.ts';
import { invoiceById, type StoredInvoice } from './store.ts';
import {
  coverBills,
  coveredBill,
  lookAgain,
  setClosed,
  standingInvoices,
  storeBuyer,
} from './store-bills.ts';
import {
  allowanceById,
  askAllowanceVoid,
  dropAllowance,
  forgetVoid,
  settleUnknown,
  storeUploaded,
} from './store-correct.ts';
import { makeDue } from './store-queue.ts';

/**
 * Issues invoices for a bill that has none: from before they were enabled, or after an Admin had decided
 * against them.
 */
export async function coverBill(ctx: Ctx, input: In<typeof einvoices.coverBill>): Promise<BillEinvoices> {
  if (!(await isOn(ctx))) throw domainError(einvoicesErrors, 'einvoices.off');
  const bill = await foundBill(ctx, input.billId, null);
  if (bill.currency !== 'TWD') throw domainError(einvoicesErrors, 'einvoices.only_twd');
  if (bill.state === 'void' || bill.total.minor <= 0n)
    throw domainError(einvoicesErrors, 'einvoices.nothing_to_cover');
  const covered = await coveredBill(ctx, bill.id, true);
  if (covered && !covered.isClosed) throw domainError(einvoicesErrors, 'einvoices.covered_already');
  const { companies, consumers } = await ctx.setting(einvoiceSetting);
  await coverBills(ctx, [bill.id], { companies, consumers });
  await setClosed(ctx, bill.id, false);
  ctx.audit('einvoices.coverBill', bill.id, { number: bill.number });
  publishInvoices(ctx, bill.organizationId);
  return ofBill(ctx, bill, true);
}

/** Returns an invoice with its bill's row locked, so that the bill is not planned in the meantime. */
async function lockedInvoice(ctx: Ctx, einvoiceId: string): Promise<StoredInvoice> {
  const found = await invoiceById(ctx, einvoiceId, null);
  if (!found) throw domainError(einvoicesErrors, 'einvoices.not_found');
  await coveredBill(ctx, found.billId, true);
  return required(await invoiceById(ctx, einvoiceId, null, true), 'the invoice');
}

/** Retries sending an invoice, its void and its allowances now. */
export async function retryEinvoice(
  ctx: Ctx,
  input: In<typeof einvoices.retryEinvoice>,
): Promise<EinvoiceDetail> {
  const invoice = await lockedInvoice(ctx, input.einvoiceId);
  const isOverdueVoid =
    invoice.state === 'failed' &&
    invoice.voidAskedAt !== null &&
    invoice.voidedAt === null &&
    !invoice.isUnsure &&
    invoice.sentAt !== null &&
    invoice.period !== periodOf(ctx.now);
  // A void that was refused until its two months were over becomes an allowance.
  if (isOverdueVoid) {
    await forgetVoid(ctx, invoice.id);
    await allowInstead(ctx, invoice);
    await lookAgain(ctx, [invoice.billId]);
  } else if (!(await makeDue(ctx, invoice.id)))
    throw domainError(einvoicesErrors, 'einvoices.nothing_to_retry');
  ctx.audit('einvoices.retryEinvoice', invoice.id, { number: invoice.number, bill: invoice.billNumber });
  publishInvoices(ctx, invoice.organizationId);
  return shownDetail(ctx, invoice.id);
}

/** Cancels an invoice by an allowance; that of a void bill is planned with the bill. */
async function allowInstead(ctx: Ctx, invoice: StoredInvoice): Promise<void> {
  const bill = await foundBill(ctx, invoice.billId, null);
  const standing = (await standingInvoices(ctx, bill.id)).find(({ id }) => id === invoice.id);
  const step = standing && undoing(standing, periodOf(ctx.now), undoneSource);
  if (bill.state !== 'void' && step && step.kind !== 'invoice')
    await takeBack(ctx, step, invoice.number ?? bill.number, invoice.voidReason ?? '');
}

/** Marks an invoice as received by the Ministry: with Turnkey only its operator can see that. */
export async function markEinvoiceUploaded(
  ctx: Ctx,
  input: In<typeof einvoices.markEinvoiceUploaded>,
): Promise<EinvoiceDetail> {
  const invoice = await lockedInvoice(ctx, input.einvoiceId);
  if (!mayOf(ctx, invoice, false).markUploaded) throw domainError(einvoicesErrors, 'einvoices.not_uploading');
  await storeUploaded(ctx, invoice.id);
  ctx.audit('einvoices.markEinvoiceUploaded', invoice.id, { number: invoice.number });
  publishInvoices(ctx, invoice.organizationId);
  return shownDetail(ctx, invoice.id);
}

/**
 * Cancels an invoice: by a void within its two months, otherwise by an allowance for the remainder. A new one
 * for the same amounts follows, to another buyer if given, unless the bill should have none.
 */
export async function voidEinvoice(
  ctx: Ctx,
  input: In<typeof einvoices.voidEinvoice>,
): Promise<EinvoiceDetail> {
  const invoice = await lockedInvoice(ctx, input.einvoiceId);
  const standing = (await standingInvoices(ctx, invoice.billId)).find(({ id }) => id === invoice.id);
  if (!standing) throw domainError(einvoicesErrors, 'einvoices.taken_back');
  const may = mayOf(ctx, invoice, standing.hasAllowances);
  const step = undoing(standing, periodOf(ctx.now), undoneSource);
  if (!(may.void || may.undo) || !step || step.kind === 'invoice')
    throw domainError(
      einvoicesErrors,
      invoice.number === null || invoice.isUnsure ? 'einvoices.unsure' : 'einvoices.taken_back',
    );
  const bill = await foundBill(ctx, invoice.billId, null);
  if (input.buyer) await storeBuyer(ctx, bill.id, checkedBuyer(input.buyer, bill));
  await takeBack(ctx, step, invoice.number ?? bill.number, input.reason);
  await setClosed(ctx, bill.id, !input.again);
  await lookAgain(ctx, [bill.id]);
  ctx.audit('einvoices.voidEinvoice', invoice.id, {
    number: invoice.number,
    bill: bill.number,
    reason: input.reason,
    by: step.kind,
    again: input.again,
    ...(input.buyer && { buyer: input.buyer }),
  });
  publishInvoices(ctx, invoice.organizationId);
  return shownDetail(ctx, invoice.id);
}

/** Voids an allowance. The amount of its credit note is then missing, and allowed again. */
export async function voidAllowance(
  ctx: Ctx,
  input: In<typeof einvoices.voidAllowance>,
): Promise<EinvoiceDetail> {
  const found = await allowanceById(ctx, input.allowanceId);
  if (!found) throw domainError(einvoicesErrors, 'einvoices.allowance_not_found');
  await coveredBill(ctx, found.billId, true);
  const allowance = required(await allowanceById(ctx, input.allowanceId, true), 'the allowance');
  if (allowance.voidAskedAt || allowance.state === 'dropped')
    throw domainError(einvoicesErrors, 'einvoices.allowance_void');
  const isBusy = allowance.busyUntil !== null && allowance.busyUntil > ctx.now;
  if (isBusy || (allowance.isUnsure && allowance.sentAt === null))
    throw domainError(einvoicesErrors, 'einvoices.unsure');
  if (allowance.sentAt === null) await dropAllowance(ctx, allowance.id);
  else await askAllowanceVoid(ctx, allowance.id, input.reason);
  await lookAgain(ctx, [allowance.billId]);
  ctx.audit('einvoices.voidAllowance', allowance.id, { number: allowance.number, reason: input.reason });
  publishInvoices(ctx, allowance.organizationId);
  return shownDetail(ctx, allowance.einvoiceId);
}

/** The format of providers' allowance numbers: at most 16 letters and digits. */
const allowanceNumber = /^[0-9A-Za-z]{1,16}$/;

/**
 * Records the outcome of an allowance for which the provider sent no response and cannot be queried, as an
 * Admin sees it in the provider's own console: it exists under a number, or it does not and is sent again.
 */
export async function settleAllowance(
  ctx: Ctx,
  input: In<typeof einvoices.settleAllowance>,
): Promise<EinvoiceDetail> {
  const found = await allowanceById(ctx, input.allowanceId);
  if (!found) throw domainError(einvoicesErrors, 'einvoices.allowance_not_found');
  // What replaces a canceled invoice was waiting for its allowance.
  await lookAgain(ctx, [found.billId]);
  const allowance = required(await allowanceById(ctx, input.allowanceId, true), 'the allowance');
  const isBusy = allowance.busyUntil !== null && allowance.busyUntil > ctx.now;
  if (isBusy || !allowance.isUnsure || allowance.sentAt !== null)
    throw domainError(einvoicesErrors, 'einvoices.allowance_known');
  if (input.number !== '' && !allowanceNumber.test(input.number))
    throw domainError(einvoicesErrors, 'einvoices.allowance_number_wrong', {}, ['number']);
  await settleUnknown(ctx, allowance.id, input.number);
  ctx.audit('einvoices.settleAllowance', allowance.id, { number: input.number });
  publishInvoices(ctx, allowance.organizationId);
  return shownDetail(ctx, allowance.einvoiceId);
}
