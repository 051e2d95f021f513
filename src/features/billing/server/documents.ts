// A bill as a document: PDF and CSV, in the reader's language.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import { mustHave } from '#kernel/must.ts';
import { csvMediaType, csvOf, figure, type CsvCell } from '#platform/server/csv.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import { renderPdf } from '#platform/server/pdf.ts';
import { brandName, companyPrefix, organizationById } from '#features/identity/server/index.ts';
import type { billing } from '../contract.ts';
import { billDocument, type BillPaper, type Party } from './bill-document.ts';
import { billDetail, billWithSteps } from './read.ts';
import { seller } from './settings.ts';

/** What the console is called, and who sells: its operator, by the console's name until more is known of them. */
async function sellerOf(ctx: Ctx): Promise<{ brand: string; seller: Party }> {
  const [brand, prefix, known] = [await brandName(ctx), await ctx.setting(companyPrefix), await ctx.setting(seller)];
  return { brand, seller: { ...known, name: known.name || prefix || brand } };
}

/** The bill as PDF. */
export async function billPdf(ctx: Ctx, input: In<typeof billing.billPdf>): Promise<FileAnswer> {
  const organizationId = tenant(ctx);
  const { lines, ...bill } = await billWithSteps(ctx, input.billId, organizationId);
  const { timeZone } = mustHave(await organizationById(ctx.db, organizationId), 'the actor’s organization');
  const paper: BillPaper = { bill, lines, ...(await sellerOf(ctx)), language: input.language ?? ctx.language, timeZone };
  return { fileName: `${bill.number}.pdf`, mediaType: 'application/pdf', body: await renderPdf(billDocument(paper, (key, params) => ctx.text(key, params, paper.language))) };
}

const csvColumns = ['bill_number', 'month', 'service', 'subscription', 'kind', 'quantity', 'unit', 'unit_price', 'exact', 'amount', 'currency'] as const;

/** The bill's lines as CSV, its figures plain so that a spreadsheet counts with them. */
export async function billCsv(ctx: Ctx, input: In<typeof billing.billCsv>): Promise<FileAnswer> {
  const bill = await billDetail(ctx, input.billId, tenant(ctx));
  const say = (key: string): string => ctx.text(key, {}, input.language ?? ctx.language);
  const rows = bill.lines.map((line): Record<(typeof csvColumns)[number], CsvCell> => ({
    bill_number: bill.number, month: bill.month, service: line.serviceName, subscription: line.subscriptionId,
    // used as: 'billing.pdf_kind_*'
    kind: say(`billing.pdf_kind_${line.kind}`), quantity: figure(line.quantity), unit: line.kind === 'usage' || line.kind === 'adjustment' ? line.unit : say(line.unit === 'year' ? 'billing.csv_unit_year' : 'billing.csv_unit_month'),
    unit_price: line.unitPrice === null ? '' : figure(line.unitPrice), exact: figure(line.exact), amount: figure(moneyText(line.total)), currency: bill.currency,
  }));
  // used as: 'billing.csv_*'
  const header = csvColumns.map((column) => say(`billing.csv_${column}`));
  return { fileName: `${bill.number}.csv`, mediaType: csvMediaType, body: csvOf(header, rows.map((row) => csvColumns.map((column) => row[column]))) };
}
