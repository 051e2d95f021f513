// A bill as a document: PDF and CSV, in the reader's language.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { type Language, contentLanguageOf, type ContentLanguage } from '#kernel/language.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { money, moneyText } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { zipOf, type ZipEntry } from '#platform/server/files/zip.ts';
import { csvMediaType, csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { paidAtIssue } from '#features/invoicing/credit-grants/server/index.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import { namedPeriod } from '#features/selling/rating/rules.ts';
import { billingErrors, mostDocuments, type billing, type BillLine } from '../contract.ts';
import { isUncounted } from '../rules-priced-by.ts';
import { billDocument, type BillPaper } from './bill-document.ts';
import { lineName, periodText, type Translate } from './bill-words.ts';
import { changeOnPaper, compared } from './change.ts';
import { billDetail } from './read.ts';
import { billById, linesOfBill, validBillsOfYear } from './store.ts';
import { letterheadOf } from './store-letterheads.ts';

/**
 * Returns the document of an issued bill; if an organization is given, only of that organization. The same
 * bill always yields the same document.
 */
export async function billPaper(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
  language: Language,
): Promise<{ number: string; document: PdfDocument }> {
  const paper = await paperOf(ctx, billId, organizationId, contentLanguageOf(language));
  return {
    number: paper.bill.number,
    document: billDocument(paper, (key, params) => ctx.text(key, params, paper.language)),
  };
}

/** Returns the contents of a bill's document. */
export async function paperOf(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
  language: ContentLanguage,
): Promise<BillPaper> {
  const bill = await billById(ctx, billId, organizationId);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  const lines = await linesOfBill(ctx, bill.id, bill.currency);
  return {
    bill,
    lines,
    isVoid: bill.state === 'void',
    prepaid: money(await paidAtIssue(ctx, bill.id), bill.currency),
    change: await changeOnPaper(ctx, bill, lines.map(compared)),
    ...(await letterheadOf(ctx, bill.id)),
    language,
  };
}

/** The bill as PDF. */
export async function billPdf(ctx: Ctx, input: In<typeof billing.billPdf>): Promise<FileAnswer> {
  const { number, document } = await billPaper(
    ctx,
    input.billId,
    tenant(ctx),
    input.language ?? ctx.language,
  );
  return { fileName: `${number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(document) };
}

/**
 * Returns the valid bills of a year as PDF files in one archive. All are read from one snapshot at the start,
 * and rendered one after the other while the archive is sent.
 */
export async function billsOfYear(ctx: Ctx, input: In<typeof billing.billsOfYear>): Promise<FileAnswer> {
  const organizationId = tenant(ctx);
  const ids = await validBillsOfYear(ctx, organizationId, input.year, mostDocuments + 1);
  if (ids.length === 0) throw domainError(billingErrors, 'billing.no_bills_of_year', { year: input.year });
  if (ids.length > mostDocuments)
    throw domainError(billingErrors, 'billing.too_many_documents', { most: mostDocuments });
  const papers: Awaited<ReturnType<typeof billPaper>>[] = [];
  for (const billId of ids)
    papers.push(await billPaper(ctx, billId, organizationId, input.language ?? ctx.language));
  return {
    fileName: `bills-${input.year}.zip`,
    mediaType: 'application/zip',
    body: zipOf(drawn(papers)),
  };
}

async function* drawn(
  papers: readonly { number: string; document: PdfDocument }[],
): AsyncGenerator<ZipEntry> {
  for (const { number, document } of papers)
    yield { name: `${number}.pdf`, content: await renderPdf(document) };
}

const csvColumns = [
  'bill_number',
  'month',
  'service',
  'subscription',
  'kind',
  'quantity',
  'unit',
  'unit_price',
  'exact',
  'amount',
  'currency',
] as const;

/**
 * What a line is for, with the days of a period that is not the bill's month: one bill can cover several
 * weeks. The columns stay the same.
 */
function namedWithDays(line: BillLine, translate: Translate, language: Language): string {
  const name = lineName(line, translate, language);
  const period = line.share && namedPeriod(line.share, line.unit);
  return period
    ? translate('billing.csv_of_days', { line: name, days: dayFormat(language).range(...period) })
    : name;
}

/** Returns the bill's lines as CSV, with unformatted figures that spreadsheets can calculate with. */
export async function billCsv(ctx: Ctx, input: In<typeof billing.billCsv>): Promise<FileAnswer> {
  const { number, header, rows } = await billCsvTable(ctx, input.billId, input.language ?? ctx.language);
  return { fileName: `${number}.csv`, mediaType: csvMediaType, body: csvOf(header, rows) };
}

/** Returns the cells of a bill's lines, with the column names. */
export async function billCsvTable(
  ctx: Ctx,
  billId: string,
  language: Language,
): Promise<{ number: string; header: string[]; rows: CsvCell[][] }> {
  const bill = await billDetail(ctx, billId, tenant(ctx));
  const translate: Translate = (key, params) => ctx.text(key, params ?? {}, language);
  const rows = bill.lines.map((line): Record<(typeof csvColumns)[number], CsvCell> => ({
    bill_number: bill.number,
    month: bill.month,
    service: namedWithDays(line, translate, language),
    subscription: line.subscriptionId ?? '',
    // used as: 'billing.pdf_kind_*'
    kind: translate(`billing.pdf_kind_${line.kind}`),
    quantity: isUncounted(line) ? '' : figure(line.quantity),
    unit: line.kind === 'usage' || line.kind === 'adjustment' ? line.unit : periodText(line.unit, translate),
    unit_price: line.unitPrice === null ? '' : figure(line.unitPrice),
    exact: figure(line.exact),
    amount: figure(moneyText(line.total)),
    currency: bill.currency,
  }));
  // used as: 'billing.csv_*'
  const header = csvColumns.map((column) => translate(`billing.csv_${column}`));
  return { number: bill.number, header, rows: rows.map((row) => csvColumns.map((column) => row[column])) };
}
