// Bills that another organization pays, as seen by the organization that used the services: what it cost,
// without anything about the payer's finances.
import { contentLanguageOf } from '#kernel/language.ts';
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { money } from '#kernel/money.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  billingErrors,
  type Bill,
  type billing,
  type CoveredBill,
  type LineExplanation,
} from '../contract.ts';
import { billDocument } from './bill-document.ts';
import { changeOf, compared } from './change.ts';
import { paperOf } from './documents.ts';
import { explainedBill } from './explain.ts';
import { shownLine } from './read.ts';
import { linesOfBill } from './store.ts';
import { billUsedBy, pageOfCovered } from './store-covered.ts';

/** Fields are listed one by one, so that payment data added to bills later is not exposed. */
function covered(bill: Bill): CoveredBill {
  const { id, kind, number, month, issuedAt, currency, net, taxRate, tax, taxes, total } = bill;
  return {
    id,
    kind,
    number,
    month,
    issuedAt,
    isVoid: bill.state === 'void',
    payer: bill.organization,
    currency,
    net,
    taxRate,
    tax,
    ...(taxes && { taxes }),
    total,
  };
}

export async function listCoveredBills(
  ctx: Ctx,
  input: In<typeof billing.listCoveredBills>,
): Promise<Out<typeof billing.listCoveredBills>> {
  const page = await pageOfCovered(ctx, tenant(ctx), input);
  return { ...page, items: page.items.map(covered) };
}

/**
 * Returns a bill for the caller's usage that another organization pays; any other bill is treated as not
 * found.
 */
async function ownCovered(ctx: Ctx, billId: string): Promise<Bill> {
  const bill = await billUsedBy(ctx, billId, tenant(ctx));
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  return bill;
}

export async function getCoveredBill(
  ctx: Ctx,
  { billId }: In<typeof billing.getCoveredBill>,
): Promise<Out<typeof billing.getCoveredBill>> {
  const bill = await ownCovered(ctx, billId);
  const lines = await linesOfBill(ctx, bill.id, bill.currency);
  return {
    ...covered(bill),
    lines: lines.map(shownLine),
    change: await changeOf(ctx, bill, lines.map(compared), true),
  };
}

/** Returns the bill's document without the payer's details, due date and payment instructions. */
export async function coveredBillPdf(
  ctx: Ctx,
  { billId, language: asked = ctx.language }: In<typeof billing.coveredBillPdf>,
): Promise<FileAnswer> {
  const { number, organization } = await ownCovered(ctx, billId);
  const language = contentLanguageOf(asked);
  const paper = await paperOf(ctx, billId, null, language);
  const document = billDocument(
    {
      ...paper,
      // Fields are listed one by one, so that payer data added to bills later is not exposed.
      bill: { ...paper.bill, buyer: { name: organization, taxId: '', address: '', email: '' } },
      prepaid: money(0n, paper.bill.currency),
      isForUser: true,
    },
    (key, params) => ctx.text(key, params, language),
  );
  return { fileName: `${number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(document) };
}

export async function explainCoveredLine(
  ctx: Ctx,
  { billId, lineId }: In<typeof billing.explainCoveredLine>,
): Promise<LineExplanation> {
  return explainedBill(ctx, await ownCovered(ctx, billId), lineId);
}
