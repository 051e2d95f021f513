// A credit note as an A4 document in the style of bills: first the credited amount and the bill, then each
// line.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { type ContentLanguage, tagOf } from '#kernel/language.ts';
import type { Money } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { PdfDocument, PdfNode, PdfStyle } from '#platform/server/pdf/pdf-document.ts';
import { colours, label, row, stack, text } from '#platform/server/pdf/pdf-look.ts';
import {
  columnHead,
  detail,
  figure,
  panel,
  pageFooter,
  paperHead,
  paperStyle,
  paperTotals,
  party,
  type PaperParty,
} from '#platform/server/pdf/pdf-paper.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { lineName } from '#features/invoicing/billing/server/index.ts';
import type { CreditedLine, CreditNote } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';

export type Translate = (key: keyof typeof enUS | 'rating.of_service', params?: TextParams) => string;
/** The content of a credit note's document. */
export type CreditPaper = {
  readonly note: CreditNote;
  readonly lines: readonly CreditedLine[];
  /** As named on the bill. */
  readonly buyer: BillDetail['buyer'];
  readonly seller: PaperParty;
  readonly brand: string;
  readonly language: ContentLanguage;
  /** The organization's time zone, for dates. */
  readonly timeZone: string;
};
type CreditLayout = CreditPaper & {
  readonly translate: Translate;
  readonly money: (amount: Money) => string;
  readonly date: (moment: Date) => string;
};

const figureWidth = 84;
const right: PdfStyle = { textAlign: 'right' };

/** Lays out a credit note. The same note always yields the same document. */
export function creditDocument(paper: CreditPaper, translate: Translate): PdfDocument {
  const { note, language, brand } = paper;
  const layout: CreditLayout = {
    ...paper,
    translate,
    money: (amount) => formatMoney(amount, language),
    date: momentFormat(language, paper.timeZone).date,
  };
  return {
    title: `${translate('credits.pdf_title')} ${note.number}`,
    author: brand,
    language: tagOf(language),
    createdAt: note.issuedAt,
    style: paperStyle,
    // The renderer requires elements that repeat on every page before the content.
    children: [
      pageFooter(brand, note.number, translate('credits.pdf_page', { page: '{{page}}', pages: '{{pages}}' })),
      paperHead(brand, translate('credits.pdf_title'), note.number),
      summary(layout),
      parties(layout),
      table(layout),
      totals(layout),
      remarks(layout),
    ],
  };
}

function summary({ note, translate, money }: CreditLayout): PdfNode {
  return panel(
    row(
      { justifyContent: 'space-between', alignItems: 'flex-start', gap: 12 },
      stack(
        { flex: 1 },
        label(translate('credits.pdf_total')),
        text(money(note.total), { fontSize: 23, fontWeight: 700, lineHeight: 1.3 }),
        label(translate('credits.pdf_parts', { net: money(note.net), tax: money(note.tax) }), {
          marginTop: 2,
        }),
      ),
      figure(translate('credits.pdf_of_bill'), note.billNumber, 132),
    ),
    label(settlement(note, translate, money), {
      marginTop: 8,
      paddingTop: 8,
      borderTopWidth: 0.75,
      borderTopColor: colours.line,
    }),
  );
}

/** Describes where the amount went, in one sentence. */
function settlement(note: CreditNote, translate: Translate, money: CreditLayout['money']): string {
  if (note.toBalance.minor === 0n) return translate('credits.pdf_to_due', { amount: money(note.toDue) });
  if (note.toDue.minor === 0n) return translate('credits.pdf_to_balance', { amount: money(note.toBalance) });
  return translate('credits.pdf_to_both', { due: money(note.toDue), balance: money(note.toBalance) });
}

function parties({ note, buyer, seller, translate, date, language }: CreditLayout): PdfNode {
  const taxId = (words: string): string => translate('credits.pdf_tax_id', { taxId: words });
  return row(
    { gap: 22, marginBottom: 22 },
    party(translate('credits.pdf_buyer'), buyer, taxId),
    party(translate('credits.pdf_seller'), seller, taxId),
    stack(
      { flex: 1.2 },
      label(translate('credits.pdf_details'), { marginBottom: 4 }),
      detail(translate('credits.pdf_number'), note.number),
      detail(translate('credits.pdf_of_bill'), note.billNumber),
      detail(translate('credits.pdf_month'), dayFormat(language).month(note.month)),
      detail(translate('credits.pdf_issued'), date(note.issuedAt)),
      ...(buyer.purchaseOrder ? [detail(translate('credits.pdf_purchase_order'), buyer.purchaseOrder)] : []),
    ),
  );
}

/**
 * What a line is for, on the document. Earlier documents name only the service of a rate card's charges, and
 * stay as they are.
 */
export const paperName = (
  { serviceName, term }: CreditedLine,
  translate: Parameters<typeof lineName>[1],
  language: ContentLanguage,
): string => lineName({ serviceName, ...(term && { term }) }, translate, language);

function table({ lines, translate, money, language }: CreditLayout): PdfNode {
  // used as: 'credits.kind_*'
  const kind = (line: CreditedLine): string =>
    line.forMonth === undefined
      ? translate(`credits.kind_${line.kind}`)
      : translate('credits.kind_adjustment_of', { month: dayFormat(language).month(line.forMonth) });
  return stack(
    {},
    {
      ...row(
        { gap: 10, paddingBottom: 5, borderBottomWidth: 1, borderBottomColor: colours.brand },
        columnHead(translate('credits.pdf_item'), { flex: 1 }),
        columnHead(translate('credits.pdf_net'), { width: figureWidth, ...right }),
        columnHead(translate('credits.pdf_tax'), { width: figureWidth, ...right }),
        columnHead(translate('credits.pdf_gross'), { width: figureWidth, ...right }),
      ),
      repeated: true,
    },
    ...lines.map((line): PdfNode => ({
      ...row(
        { gap: 10, paddingVertical: 6, borderBottomWidth: 0.75, borderBottomColor: colours.line },
        stack({ flex: 1 }, text(paperName(line, translate, language)), label(kind(line))),
        text(money(line.net), { width: figureWidth, ...right }),
        text(money(line.tax), { width: figureWidth, ...right }),
        text(money(line.total), { width: figureWidth, fontWeight: 700, ...right }),
      ),
      avoidsPageBreak: true,
    })),
  );
}

function totals({ note, translate, money }: CreditLayout): PdfNode {
  return paperTotals(
    [
      [translate('credits.pdf_net'), money(note.net)],
      [translate('credits.pdf_tax'), money(note.tax)],
    ],
    [translate('credits.pdf_total'), money(note.total)],
  );
}

function remarks({ note, translate }: CreditLayout): PdfNode {
  return {
    ...stack(
      { marginTop: 26, gap: 8 },
      stack({}, label(translate('credits.pdf_reason'), { marginBottom: 3 }), text(note.reason)),
      stack(
        { gap: 2 },
        label(translate('credits.pdf_shares')),
        label(translate('credits.pdf_not_statutory')),
      ),
    ),
    avoidsPageBreak: true,
  };
}
