// The buyer of invoices and where they are stored: by an organization's preference, for one bill, or
// corrected by an Admin.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import {
  einvoicesErrors,
  type BillEinvoices,
  type BuyerChoice,
  type EinvoiceDetail,
  type einvoices,
} from '../contract.ts';
import { buyerMistakes, choiceMistake, itemOf, keepsOf, keptBy, sumsOf, tidyCode } from '../rules.ts';
import { buyerParts, type Bill } from './document.ts';
import { publishInvoices } from './notices.ts';
import { mistakeOf } from './plan.ts';
import { foundBill, mayOf, ofBill, shownDetail } from './read.ts';
import { einvoiceSetting, isOn } from './settings.ts';
import { invoiceById, invoicesOfBill, storeDocument, type StoredInvoice } from './store.ts';
import { coveredBill, preferenceOf, storeBuyer, storePreference } from './store-bills.ts';

type Preference = Out<typeof einvoices.getEinvoicePreference>;

async function preference(ctx: Ctx, organizationId: ReturnType<typeof tenant>): Promise<Preference> {
  const organization = required(await organizationById(ctx.db, organizationId), 'the own organization');
  const { provider } = await ctx.setting(einvoiceSetting);
  return {
    ...keptBy(await preferenceOf(ctx, organizationId), provider),
    keeps: keepsOf(provider),
    isOn: await isOn(ctx),
    taxId: organization.taxId,
  };
}
export async function getEinvoicePreference(ctx: Ctx): Promise<Preference> {
  return preference(ctx, tenant(ctx));
}

/**
 * Sets where the organization's invoices are stored from now on. Codes are stored in upper case, without
 * spaces.
 */
export async function saveEinvoicePreference(
  ctx: Ctx,
  input: In<typeof einvoices.saveEinvoicePreference>,
): Promise<Preference> {
  const organizationId = tenant(ctx);
  const choice = tidied({ taxId: '', name: '', ...input });
  const mistake = choiceMistake(choice);
  if (mistake) throw domainError(einvoicesErrors, mistake, {}, ['code']);
  await storePreference(ctx, organizationId, choice, person(ctx).userId);
  ctx.audit('einvoices.saveEinvoicePreference', organizationId, { keep: choice.keep, code: choice.code });
  publishInvoices(ctx, organizationId);
  return preference(ctx, organizationId);
}

const hasCode = (keep: BuyerChoice['keep']): boolean =>
  keep === 'mobile' || keep === 'citizen' || keep === 'donate';
const tidied = (choice: BuyerChoice): BuyerChoice => ({
  ...choice,
  code: choice.taxId === '' && hasCode(choice.keep) ? tidyCode(choice.code) : '',
});

/** Validates a buyer and returns its stored form; throws at the invalid field. */
export function checkedBuyer({ taxId, name, keep, code }: BuyerChoice, bill: Bill): BuyerChoice {
  const choice = tidied({ taxId, name: taxId === '' || name !== '' ? name : bill.buyer.name, keep, code });
  const [mistake] = buyerMistakes(choice);
  if (mistake) throw domainError(einvoicesErrors, mistake.code, {}, [mistake.field]);
  return choice;
}

/**
 * Applies a buyer to an invoice that reached no one: updates its items and sums; the amounts are unchanged.
 */
async function applyBuyer(ctx: Ctx, bill: Bill, invoice: StoredInvoice, choice: BuyerChoice): Promise<void> {
  const isCompany = choice.taxId !== '';
  const document = {
    ...invoice.document,
    ...buyerParts(bill, choice),
    items: invoice.lines.map((line) => itemOf(line, isCompany)),
    ...sumsOf(invoice.lines, isCompany),
  };
  await storeDocument(ctx, invoice.id, {
    document,
    kind: isCompany ? 'company' : 'consumer',
    mistake: mistakeOf(document, choice),
  });
}

/** Sets the buyer of the invoices of one of the caller's bills that have not reached anyone yet. */
export async function saveBillBuyer(
  ctx: Ctx,
  { billId, ...input }: In<typeof einvoices.saveBillBuyer>,
): Promise<BillEinvoices> {
  const bill = await foundBill(ctx, billId, tenant(ctx));
  const covered = await coveredBill(ctx, bill.id, true);
  if (!covered) throw domainError(einvoicesErrors, 'einvoices.not_covered');
  const { canChoose } = await ofBill(ctx, bill, false);
  if (!canChoose) throw domainError(einvoicesErrors, 'einvoices.sent_already');
  const choice = checkedBuyer(input, bill);
  await storeBuyer(ctx, bill.id, choice);
  for (const { id } of await invoicesOfBill(ctx, bill.id)) {
    const invoice = required(await invoiceById(ctx, id, null, true), 'an invoice of the bill');
    if (mayOf(ctx, invoice, false).changeBuyer) await applyBuyer(ctx, bill, invoice, choice);
  }
  ctx.audit('einvoices.saveBillBuyer', bill.id, { number: bill.number, ...choice });
  publishInvoices(ctx, bill.organizationId);
  return ofBill(ctx, bill, false);
}

/** Corrects the buyer of an invoice that reached no one, and resumes it. */
export async function changeBuyer(
  ctx: Ctx,
  { einvoiceId, ...input }: In<typeof einvoices.changeBuyer>,
): Promise<EinvoiceDetail> {
  const found = await invoiceById(ctx, einvoiceId, null);
  if (!found) throw domainError(einvoicesErrors, 'einvoices.not_found');
  await coveredBill(ctx, found.billId, true);
  const invoice = required(await invoiceById(ctx, einvoiceId, null, true), 'the invoice');
  if (!mayOf(ctx, invoice, false).changeBuyer)
    throw domainError(einvoicesErrors, invoice.isUnsure ? 'einvoices.unsure' : 'einvoices.sent_already');
  const bill = await foundBill(ctx, invoice.billId, null);
  const choice = checkedBuyer(input, bill);
  await storeBuyer(ctx, bill.id, choice);
  await applyBuyer(ctx, bill, invoice, choice);
  ctx.audit('einvoices.changeBuyer', invoice.id, {
    number: invoice.number,
    before: invoice.document.buyer,
    after: choice,
  });
  publishInvoices(ctx, bill.organizationId);
  return shownDetail(ctx, invoice.id);
}
