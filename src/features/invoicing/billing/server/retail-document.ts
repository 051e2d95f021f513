// A retail bill as a document: the same layout as the operator's bills, under the reseller's name.
import { type Language, contentLanguageOf } from '#kernel/language.ts';
import { money } from '#kernel/money.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import type { PaperLook } from '#platform/server/pdf/pdf-paper.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { logoById, storedBrand } from '#features/selling/resale/server/index.ts';
import type { RetailBill } from '../contract-retail.ts';
import { billDocument } from './bill-document.ts';
import { newestLayout } from './document-layout.ts';
import { linesOfRetail, retailParties } from './store-retail.ts';

/** Returns the letterhead of a reseller's documents, with its current logo and color. */
export async function lookOf(ctx: Ctx, resellerId: string): Promise<PaperLook> {
  const { accent, logo } = await storedBrand(ctx.db, resellerId);
  const png = logo === null ? undefined : await logoById(ctx.db, logo);
  return { accent, logo: png?.toString('base64') ?? null };
}

/** Returns the document of a retail bill. */
export async function retailPaper(ctx: Ctx, bill: RetailBill, asked: Language): Promise<PdfDocument> {
  const language = contentLanguageOf(asked);
  const { seller, buyer, resellerId } = await retailParties(ctx, bill.id);
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
      look: await lookOf(ctx, resellerId),
      timeZone: seller.timeZone,
      layout: newestLayout,
      language,
    },
    (key, params) => ctx.text(key, params, language),
  );
}
