// A reseller's credit note as a document: its number and amount, the bill, and the reason.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { type Language, tagOf, contentLanguageOf } from '#kernel/language.ts';
import type { PdfDocument } from '#platform/server/pdf/pdf-document.ts';
import { label, row, stack, text } from '#platform/server/pdf/pdf-look.ts';
import {
  detail,
  figure,
  pageFooter,
  panel,
  paperHead,
  paperStyle,
  paperTotals,
  party,
} from '#platform/server/pdf/pdf-paper.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RetailBill, RetailCredit } from '../contract-retail.ts';
import type { Translate } from './bill-words.ts';
import { lookOf } from './retail-document.ts';
import { retailParties } from './store-retail.ts';

/** Returns the document of a credit note on a retail bill. */
export async function retailCreditPaper(
  ctx: Ctx,
  bill: RetailBill,
  note: RetailCredit,
  asked: Language,
): Promise<PdfDocument> {
  const { seller, buyer, resellerId } = await retailParties(ctx, bill.id);
  const language = contentLanguageOf(asked);
  const say: Translate = (key, params) => ctx.text(key, params, language);
  const taxId = (words: string): string => say('billing.pdf_tax_id', { taxId: words });
  const title = say('billing.pdf_credit_title');
  const total = formatMoney(note.total, language);
  return {
    title: `${title} ${note.number}`,
    author: seller.name,
    language: tagOf(language),
    createdAt: note.issuedAt,
    style: paperStyle,
    // Elements repeated on every page must precede the page content.
    children: [
      pageFooter(seller.name, note.number, say('billing.pdf_page', { page: '{{page}}', pages: '{{pages}}' })),
      paperHead(seller.name, title, note.number, await lookOf(ctx, resellerId)),
      panel(
        row(
          { justifyContent: 'space-between', alignItems: 'flex-start', gap: 12 },
          stack(
            { flex: 1 },
            label(say('billing.pdf_credit_total')),
            text(total, { fontSize: 23, fontWeight: 700, lineHeight: 1.3 }),
          ),
          figure(say('billing.pdf_credit_of'), bill.number, 160),
        ),
      ),
      row(
        { gap: 22, marginBottom: 22 },
        party(say('billing.pdf_buyer'), buyer, taxId),
        party(say('billing.pdf_seller'), seller, taxId),
        stack(
          { flex: 1.2 },
          detail(say('billing.pdf_month'), dayFormat(language).month(bill.month)),
          detail(say('billing.pdf_issued'), momentFormat(language, seller.timeZone).date(note.issuedAt)),
          detail(say('billing.pdf_credit_reason'), note.reason),
        ),
      ),
      paperTotals(
        [
          [say('billing.pdf_net'), formatMoney(note.net, language)],
          [say('billing.pdf_tax', { rate: bill.taxRate }), formatMoney(note.tax, language)],
        ],
        [say('billing.pdf_credit_total'), total],
      ),
    ],
  };
}
