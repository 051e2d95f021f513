// The files of a document: validated against the standard's rules, then written by the library.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { type ContentLanguage, tagOf, contentLanguageOf } from '#kernel/language.ts';
import { tenant, type App, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import { billPaper } from '#features/invoicing/billing/server/index.ts';
import { creditPaper } from '#features/invoicing/credits/server/index.ts';
import { en16931Errors, type DocumentName, type en16931 } from '../contract.ts';
import { brokenRules, type TaxDocument } from '../rules.ts';
import { documentOfBill, documentOfCreditNote } from './document-of.ts';
import { invoiceOf } from './invoice-json.ts';

/** Throws for the first rule that a document violates; the message says what to fill in. */
function assertKeepsRules(document: TaxDocument): void {
  const [first] = brokenRules(document);
  if (first) throw domainError(en16931Errors, first.code, { rule: first.rule });
}

type Asked = {
  readonly document: TaxDocument;
  /** The same document as a PDF, for Factur-X. */
  readonly page: () => Promise<PdfDocument>;
  readonly name: DocumentName;
  readonly language: ContentLanguage;
};

async function fileOf(app: App, { document, page, name, language }: Asked): Promise<FileAnswer> {
  assertKeepsRules(document);
  // Loaded with the first file: it is large, and few consoles need it.
  const { InvoiceService } = await import('@e-invoice-eu/core');
  const service = new InvoiceService({
    log: (message) => app.log.debug(message),
    warn: (message) => app.log.warn(message),
    error: (message) => app.log.error(message),
  });
  const isXml = name === 'ubl.xml';
  const made = await service.generate(invoiceOf(document), {
    format: isXml ? 'UBL' : 'Factur-X-EN16931',
    lang: tagOf(language).toLowerCase(),
    noWarnings: true,
    ...(!isXml && {
      pdf: {
        buffer: await renderPdf(await page()),
        filename: `${document.number}.pdf`,
        mimetype: 'application/pdf',
      },
    }),
  });
  return isXml
    ? { fileName: `${document.number}.xml`, mediaType: 'application/xml', body: Buffer.from(made) }
    : { fileName: `${document.number}.pdf`, mediaType: 'application/pdf', body: Buffer.from(made) };
}

async function ofBill(
  ctx: Ctx,
  { billId, document: name, language: asked = ctx.language }: In<typeof en16931.billDocument>,
  organizationId: string | null,
): Promise<FileAnswer> {
  const language = contentLanguageOf(asked);
  return fileOf(ctx.app, {
    document: await documentOfBill(ctx, billId, organizationId, language),
    page: async () => (await billPaper(ctx, billId, organizationId, language)).document,
    name,
    language,
  });
}
async function ofCreditNote(
  ctx: Ctx,
  { creditNoteId, document: name, language: asked = ctx.language }: In<typeof en16931.creditNoteDocument>,
  organizationId: string | null,
): Promise<FileAnswer> {
  const language = contentLanguageOf(asked);
  return fileOf(ctx.app, {
    document: await documentOfCreditNote(ctx, creditNoteId, organizationId, language),
    page: async () => (await creditPaper(ctx, creditNoteId, organizationId, language)).document,
    name,
    language,
  });
}

export const billDocument = (ctx: Ctx, input: In<typeof en16931.billDocument>): Promise<FileAnswer> =>
  ofBill(ctx, input, tenant(ctx));
export const adminBillDocument = (
  ctx: Ctx,
  input: In<typeof en16931.adminBillDocument>,
): Promise<FileAnswer> => ofBill(ctx, input, null);
export const creditNoteDocument = (
  ctx: Ctx,
  input: In<typeof en16931.creditNoteDocument>,
): Promise<FileAnswer> => ofCreditNote(ctx, input, tenant(ctx));
export const adminCreditNoteDocument = (
  ctx: Ctx,
  input: In<typeof en16931.adminCreditNoteDocument>,
): Promise<FileAnswer> => ofCreditNote(ctx, input, null);
