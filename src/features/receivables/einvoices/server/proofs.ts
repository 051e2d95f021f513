// The printed proof of an invoice as PDF, for its buyer and for an Admin.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { einvoicesErrors, type einvoices } from '../contract.ts';
import { hasProof } from '../rules.ts';
import { proofPdf } from './proof-document.ts';
import { toSend } from './send.ts';
import { qrKeyOf } from './settings.ts';
import { invoiceById } from './store.ts';

async function proof(
  ctx: Ctx,
  einvoiceId: string,
  organizationId: string | null,
  isCopy: boolean,
): Promise<FileAnswer> {
  const invoice = await invoiceById(ctx, einvoiceId, organizationId);
  if (!invoice) throw domainError(einvoicesErrors, 'einvoices.not_found');
  const { number, randomCode } = invoice;
  if (number === null || invoice.sentAt === null || !hasProof({ ...invoice, ...invoice.document }))
    throw domainError(einvoicesErrors, 'einvoices.no_proof');
  return {
    fileName: `${number}.pdf`,
    mediaType: 'application/pdf',
    body: await proofPdf(
      { ...toSend(invoice), number, randomCode: randomCode ?? '' },
      { isCopy, qrKey: await qrKeyOf(ctx) },
    ),
  };
}

/** Returns the proof of one of the caller's organization's invoices. */
export async function einvoiceProof(
  ctx: Ctx,
  input: In<typeof einvoices.einvoiceProof>,
): Promise<FileAnswer> {
  return proof(ctx, input.einvoiceId, tenant(ctx), false);
}
/** Returns the proof of any invoice. */
export async function adminEinvoiceProof(
  ctx: Ctx,
  input: In<typeof einvoices.adminEinvoiceProof>,
): Promise<FileAnswer> {
  return proof(ctx, input.einvoiceId, null, input.isCopy ?? false);
}
