// Queries of consolidated bills: lists, one with its bills, PDF and CSV.
import { contentLanguageOf } from '#kernel/language.ts';
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { csvMediaType, csvOf, type CsvCell } from '#platform/server/files/csv.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors, type billing } from '../contract.ts';
import type { ConsolidatedBillDetail } from '../contract-consolidated.ts';
import { consolidatedDocument } from './consolidated-document.ts';
import { billCsvTable, paperOf } from './documents.ts';
import { consolidatedById, pageOfConsolidated } from './store-consolidated.ts';

export const listConsolidatedBills = (
  ctx: Ctx,
  input: In<typeof billing.listConsolidatedBills>,
): Promise<Out<typeof billing.listConsolidatedBills>> => pageOfConsolidated(ctx, tenant(ctx), input);

export const adminListConsolidatedBills = (
  ctx: Ctx,
  { organizationId, ...input }: In<typeof billing.adminListConsolidatedBills>,
): Promise<Out<typeof billing.adminListConsolidatedBills>> =>
  pageOfConsolidated(ctx, organizationId ?? null, input);

async function found(ctx: Ctx, id: string, organizationId: string | null): Promise<ConsolidatedBillDetail> {
  const bill = await consolidatedById(ctx, id, organizationId);
  if (!bill) throw domainError(billingErrors, 'billing.consolidated_not_found');
  return bill;
}

export const getConsolidatedBill = (
  ctx: Ctx,
  { consolidatedId }: In<typeof billing.getConsolidatedBill>,
): Promise<ConsolidatedBillDetail> => found(ctx, consolidatedId, tenant(ctx));

export const adminGetConsolidatedBill = (
  ctx: Ctx,
  { consolidatedId }: In<typeof billing.adminGetConsolidatedBill>,
): Promise<ConsolidatedBillDetail> => found(ctx, consolidatedId, null);

/**
 * Returns the PDF: a summary and a section for each bill. The same bill always yields the same document,
 * until one of its bills is voided.
 */
export async function consolidatedBillPdf(
  ctx: Ctx,
  input: In<typeof billing.consolidatedBillPdf>,
): Promise<FileAnswer> {
  const bill = await found(ctx, input.consolidatedId, tenant(ctx));
  const language = contentLanguageOf(input.language ?? ctx.language);
  const papers = [];
  for (const { id } of bill.bills) papers.push(await paperOf(ctx, id, bill.organizationId, language));
  const document = consolidatedDocument(bill, papers, (key, params) => ctx.text(key, params, language));
  return { fileName: `${bill.number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(document) };
}

/** Returns the lines of all its bills as CSV, each with the organization that used the services. */
export async function consolidatedBillCsv(
  ctx: Ctx,
  input: In<typeof billing.consolidatedBillCsv>,
): Promise<FileAnswer> {
  const bill = await found(ctx, input.consolidatedId, tenant(ctx));
  const language = input.language ?? ctx.language;
  const rows: CsvCell[][] = [];
  let header: string[] = [];
  for (const { id, usedBy } of bill.bills) {
    const table = await billCsvTable(ctx, id, language);
    header = [
      ctx.text('billing.csv_consolidated_bill', {}, language),
      ctx.text('billing.csv_used_by', {}, language),
      ...table.header,
    ];
    rows.push(
      ...table.rows.map((cells) => [bill.number, usedBy?.organization ?? bill.organization, ...cells]),
    );
  }
  return { fileName: `${bill.number}.csv`, mediaType: csvMediaType, body: csvOf(header, rows) };
}
