// A credit note as a document: PDF and CSV, in the reader's language.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { type Language, contentLanguageOf } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import { moneyText } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { csvMediaType, csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import { letterheadOf, linesOfBill } from '#features/invoicing/billing/server/index.ts';
import { creditsErrors, type CreditedLine, type CreditNote, type credits } from '../contract.ts';
import { creditDocument, paperName, type CreditPaper } from './credit-document.ts';
import { findBill, takenLines } from './standing.ts';
import { creditNoteById, linesOfNote } from './store.ts';

async function creditNoteWithLines(
  ctx: Ctx,
  creditNoteId: string,
  organizationId: string | null,
): Promise<{ note: CreditNote; lines: CreditedLine[] }> {
  const note = await creditNoteById(ctx, creditNoteId, organizationId);
  if (!note) throw domainError(creditsErrors, 'credits.note_not_found');
  return {
    note,
    lines: takenLines(
      await linesOfBill(ctx, note.billId, note.currency),
      await linesOfNote(ctx, note.id),
      note.currency,
    ),
  };
}

/**
 * Returns the document of a credit note, with the seller, buyer and time zone of its bill; with an
 * organization, only that organization's.
 */
export async function creditPaper(
  ctx: Ctx,
  creditNoteId: string,
  organizationId: string | null,
  asked: Language,
): Promise<{ number: string; document: PdfDocument }> {
  const language = contentLanguageOf(asked);
  const { note, lines } = await creditNoteWithLines(ctx, creditNoteId, organizationId);
  const { buyer } = await findBill(ctx, note.billId, null);
  const paper: CreditPaper = { note, lines, buyer, ...(await letterheadOf(ctx, note.billId)), language };
  return {
    number: note.number,
    document: creditDocument(paper, (key, params) => ctx.text(key, params, language)),
  };
}

async function pdfOf(
  ctx: Ctx,
  input: In<typeof credits.creditNotePdf>,
  organizationId: string | null,
): Promise<FileAnswer> {
  const { number, document } = await creditPaper(
    ctx,
    input.creditNoteId,
    organizationId,
    input.language ?? ctx.language,
  );
  return { fileName: `${number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(document) };
}

/** Returns one of the caller's organization's credit notes as PDF. */
export async function creditNotePdf(ctx: Ctx, input: In<typeof credits.creditNotePdf>): Promise<FileAnswer> {
  return pdfOf(ctx, input, tenant(ctx));
}

/** Returns any credit note as PDF. */
export async function adminCreditNotePdf(
  ctx: Ctx,
  input: In<typeof credits.adminCreditNotePdf>,
): Promise<FileAnswer> {
  return pdfOf(ctx, input, null);
}

const csvColumns = [
  'number',
  'bill',
  'month',
  'service',
  'kind',
  'net',
  'tax',
  'total',
  'currency',
  'reason',
] as const;

/**
 * Returns the lines of one of the caller's organization's credit notes as CSV, with unformatted figures that
 * spreadsheets can calculate with.
 */
export async function creditNoteCsv(ctx: Ctx, input: In<typeof credits.creditNoteCsv>): Promise<FileAnswer> {
  const { note, lines } = await creditNoteWithLines(ctx, input.creditNoteId, tenant(ctx));
  const language = contentLanguageOf(input.language ?? ctx.language);
  const translate = (key: string, params: TextParams = {}): string => ctx.text(key, params, language);
  const rows = lines.map((line): Record<(typeof csvColumns)[number], CsvCell> => ({
    // used as: 'credits.kind_*'
    number: note.number,
    bill: note.billNumber,
    month: line.forMonth ?? note.month,
    service: paperName(line, translate, language),
    kind: translate(`credits.kind_${line.kind}`),
    net: figure(moneyText(line.net)),
    tax: figure(moneyText(line.tax)),
    total: figure(moneyText(line.total)),
    currency: note.currency,
    reason: note.reason,
  }));
  // used as: 'credits.csv_*'
  const header = csvColumns.map((column) => translate(`credits.csv_${column}`));
  return {
    fileName: `${note.number}.csv`,
    mediaType: csvMediaType,
    body: csvOf(
      header,
      rows.map((row) => csvColumns.map((column) => row[column])),
    ),
  };
}
