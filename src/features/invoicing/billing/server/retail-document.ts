// A retail bill as a document: the same paper as the operator's bills, under the reseller's name.
import type { Language } from '#kernel/language.ts';
import { money } from '#kernel/money.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RetailBill } from '../contract-retail.ts';
import { billDocument } from './bill-document.ts';
import { newestLayout } from './document-layout.ts';
import { linesOfRetail, retailParties } from './store-retail.ts';

/** The document of a retail bill. */
export async function retailPaper(ctx: Ctx, bill: RetailBill, language: Language): Promise<PdfDocument> {
  const { seller, buyer } = await retailParties(ctx, bill.id);
  return billDocument(
    {
      bill: { ...bill, buyer },
      lines: await linesOfRetail(ctx, bill.id, bill.currency),
      isVoid: false,
      instructions: bill.instructions,
      prepaid: money(0n, bill.currency),
      change: null,
      seller,
      brand: seller.name,
      timeZone: seller.timeZone,
      layout: newestLayout,
      language,
    },
    (key, params) => ctx.text(key, params, language),
  );
}
