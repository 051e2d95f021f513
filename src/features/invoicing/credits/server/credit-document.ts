// A credit note as an A4 document in the style of bills: the credited amount and the bill first, then each
// line.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { languageTags, type Language } from '#kernel/language.ts';
import type { Money } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { PdfDocument, PdfNode, PdfStyle } from '#platform/server/pdf/pdf-document.ts';
import { colours, label, row, stack, text } from '#platform/server/pdf/pdf-look.ts';
import {
  columnHead,
  detail,
  figure,
  panel,
  paperFoot,
  paperHead,
  paperStyle,
  paperTotals,
  party,
  type PaperParty,
} from '#platform/server/pdf/pdf-paper.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import type { CreditedLine, CreditNote } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';

export type Say = (key: keyof typeof enUS, params?: TextParams) => string;
/** The content of a credit note's document. */
export type CreditPaper = {
  readonly note: CreditNote;
  readonly lines: readonly CreditedLine[];
  /** As the bill names them. */
  readonly buyer: BillDetail['buyer'];
  readonly seller: PaperParty;
  readonly brand: string;
  readonly language: Language;
  /** The organization's zone, for the dates of moments. */
  readonly timeZone: string;
};
type Pen = CreditPaper & {
  readonly say: Say;
  readonly money: (amount: Money) => string;
  readonly date: (moment: Date) => string;
};

const figureWidth = 84;
const right: PdfStyle = { textAlign: 'right' };

/** Lays out a credit note. The same note always gives the same document. */
export function creditDocument(paper: CreditPaper, say: Say): PdfDocument {
  const { note, language, brand } = paper;
  const pen: Pen = {
    ...paper,
    say,
    money: (amount) => formatMoney(amount, language),
    date: momentFormat(language, paper.timeZone).date,
  };
  return {
    title: `${say('credits.pdf_title')} ${note.number}`,
    author: brand,
    language: languageTags[language],
    createdAt: note.issuedAt,
    style: paperStyle,
    // The renderer requires elements that repeat on every page before the content.
    children: [
      paperFoot(brand, note.number, say('credits.pdf_page', { page: '{{page}}', pages: '{{pages}}' })),
      paperHead(brand, say('credits.pdf_title'), note.number),
      summary(pen),
      parties(pen),
      table(pen),
      totals(pen),
      remarks(pen),
    ],
  };
}

function summary({ note, say, money }: Pen): PdfNode {
  return panel(
    row(
      { justifyContent: 'space-between', alignItems: 'flex-start', gap: 12 },
      stack(
        { flex: 1 },
        label(say('credits.pdf_total')),
        text(money(note.total), { fontSize: 23, fontWeight: 700, lineHeight: 1.3 }),
        label(say('credits.pdf_parts', { net: money(note.net), tax: money(note.tax) }), { marginTop: 2 }),
      ),
      figure(say('credits.pdf_of_bill'), note.billNumber, 132),
    ),
    label(settlement(note, say, money), {
      marginTop: 8,
      paddingTop: 8,
      borderTopWidth: 0.75,
      borderTopColor: colours.line,
    }),
  );
}

/** Where the amount went, in one sentence. */
function settlement(note: CreditNote, say: Say, money: Pen['money']): string {
  if (note.toBalance.minor === 0n) return say('credits.pdf_to_due', { amount: money(note.toDue) });
  if (note.toDue.minor === 0n) return say('credits.pdf_to_balance', { amount: money(note.toBalance) });
  return say('credits.pdf_to_both', { due: money(note.toDue), balance: money(note.toBalance) });
}

function parties({ note, buyer, seller, say, date, language }: Pen): PdfNode {
  const taxId = (words: string): string => say('credits.pdf_tax_id', { taxId: words });
  return row(
    { gap: 22, marginBottom: 22 },
    party(say('credits.pdf_buyer'), buyer, taxId),
    party(say('credits.pdf_seller'), seller, taxId),
    stack(
      { flex: 1.2 },
      label(say('credits.pdf_details'), { marginBottom: 4 }),
      detail(say('credits.pdf_number'), note.number),
      detail(say('credits.pdf_of_bill'), note.billNumber),
      detail(say('credits.pdf_month'), dayFormat(language).month(note.month)),
      detail(say('credits.pdf_issued'), date(note.issuedAt)),
      ...(buyer.purchaseOrder ? [detail(say('credits.pdf_purchase_order'), buyer.purchaseOrder)] : []),
    ),
  );
}

function table({ lines, say, money, language }: Pen): PdfNode {
  // used as: 'credits.kind_*'
  const kind = (line: CreditedLine): string =>
    line.forMonth === undefined
      ? say(`credits.kind_${line.kind}`)
      : say('credits.kind_adjustment_of', { month: dayFormat(language).month(line.forMonth) });
  return stack(
    {},
    {
      ...row(
        { gap: 10, paddingBottom: 5, borderBottomWidth: 1, borderBottomColor: colours.brand },
        columnHead(say('credits.pdf_item'), { flex: 1 }),
        columnHead(say('credits.pdf_net'), { width: figureWidth, ...right }),
        columnHead(say('credits.pdf_tax'), { width: figureWidth, ...right }),
        columnHead(say('credits.pdf_gross'), { width: figureWidth, ...right }),
      ),
      repeated: true,
    },
    ...lines.map((line): PdfNode => ({
      ...row(
        { gap: 10, paddingVertical: 6, borderBottomWidth: 0.75, borderBottomColor: colours.line },
        stack({ flex: 1 }, text(line.serviceName), label(kind(line))),
        text(money(line.net), { width: figureWidth, ...right }),
        text(money(line.tax), { width: figureWidth, ...right }),
        text(money(line.total), { width: figureWidth, fontWeight: 700, ...right }),
      ),
      keepTogether: true,
    })),
  );
}

function totals({ note, say, money }: Pen): PdfNode {
  return paperTotals(
    [
      [say('credits.pdf_net'), money(note.net)],
      [say('credits.pdf_tax'), money(note.tax)],
    ],
    [say('credits.pdf_total'), money(note.total)],
  );
}

function remarks({ note, say }: Pen): PdfNode {
  return {
    ...stack(
      { marginTop: 26, gap: 8 },
      stack({}, label(say('credits.pdf_reason'), { marginBottom: 3 }), text(note.reason)),
      stack({ gap: 2 }, label(say('credits.pdf_shares')), label(say('credits.pdf_not_statutory'))),
    ),
    keepTogether: true,
  };
}
