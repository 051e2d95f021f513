// The receipt of a payment, in the reader's language.
import { contentLanguageOf } from '#kernel/language.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import { paymentsErrors, type payments } from '../contract.ts';
import { receiptDocument } from './receipt-document.ts';
import { currentParties } from './settle.ts';
import { paymentById } from './store.ts';

/**
 * A payment's receipt never changes; payments from before receipts existed show the current seller and buyer.
 */
export async function receipt(ctx: Ctx, input: In<typeof payments.receipt>): Promise<FileAnswer> {
  const payment = await paymentById(ctx, input.paymentId, tenant(ctx));
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  if (!payment.received || !payment.toBill || !payment.settledAt)
    throw domainError(paymentsErrors, 'payments.no_receipt');
  const language = contentLanguageOf(input.language ?? ctx.language);
  const paper = {
    payment: { ...payment, received: payment.received, toBill: payment.toBill, settledAt: payment.settledAt },
    parties: payment.parties ?? (await currentParties(ctx, payment)),
    language,
  };
  return {
    fileName: `${payment.reference}.pdf`,
    mediaType: 'application/pdf',
    body: await renderPdf(receiptDocument(paper, (key, params) => ctx.text(key, params, language))),
  };
}
