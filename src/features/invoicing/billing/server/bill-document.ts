// A bill as an A4 document: the amount due at a glance, then every line with how its amount is computed.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatDecimal, formatMoney } from '#kernel/format-money.ts';
import { type ContentLanguage, inLanguage, tagOf } from '#kernel/language.ts';
import { subtractMoney, sumMoney, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { daysOfMonth } from '#kernel/time.ts';
import type { PdfBox, PdfDocument, PdfNode, PdfStyle } from '#platform/server/pdf/pdf-document.ts';
import { badge, colours, label, row, stack, text, tones } from '#platform/server/pdf/pdf-look.ts';
import {
  columnHead,
  detail,
  figure,
  panel,
  pageFooter,
  paperHead,
  type PaperLook,
  paperStyle,
  paperTotals,
  party,
} from '#platform/server/pdf/pdf-paper.ts';
import { namedPeriod } from '#features/selling/rating/rules.ts';
import type { BillDetail } from '../contract.ts';
import { groupLines, type LineGroup } from '../rules-groups.ts';
import { grossOfLines, rowsOf } from '../rules.ts';
import type { DocumentLayout } from './document-layout.ts';
import {
  changeSentence,
  quantityWords,
  lineName,
  stepSentences,
  unitPriceWords,
  type ComparedChange,
  type PricedLine,
  type Translate,
} from './bill-words.ts';

export type Party = BillDetail['buyer'];
/**
 * Everything on a bill's document: what was issued, what prepaid credit paid at the time, and nothing that
 * changes later. The console, receipts and credit notes show what was paid or credited; only voiding, which
 * is final, changes the document.
 */
export type BillPaper = {
  readonly bill: Pick<
    BillDetail,
    | 'number'
    | 'usedBy'
    | 'month'
    | 'issuedAt'
    | 'dueAt'
    | 'currency'
    | 'net'
    | 'taxRate'
    | 'taxes'
    | 'tax'
    | 'total'
    | 'buyer'
  >;
  readonly isVoid: boolean;
  /**
   * For the organization that used the services while another one pays: without due date and payment
   * instructions.
   */
  readonly isForUser?: boolean;
  /**
   * Payment instructions of a reseller to its customer; the operator's bills have the bank transfer details.
   */
  readonly instructions?: string;
  /** What prepaid credit paid when it was issued. */
  readonly prepaid: Money;
  /** Compared with the previous month's bill that existed when this one was issued. */
  readonly change: ComparedChange | null;
  readonly lines: readonly PricedLine[];
  readonly seller: Party;
  /** The console's company and name. */
  readonly brand: string;
  /** For a reseller's bills. */
  readonly look?: PaperLook;
  readonly language: ContentLanguage;
  /** The layout version in use when it was issued. */
  readonly layout: DocumentLayout;
  /** The organization's time zone when it was issued, for dates. */
  readonly timeZone: string;
};
type Drawing = BillPaper & {
  readonly translate: Translate;
  readonly money: (amount: Money) => string;
  readonly date: (moment: Date) => string;
};

// Column widths of the table; with a separate tax column, the others are narrower.
const wide = { gap: 10, quantity: 104, unitPrice: 96, amount: 82 } as const;
const narrow = { gap: 8, quantity: 88, unitPrice: 84, amount: 72 } as const;

const drawingOf = (paper: BillPaper, translate: Translate): Drawing => ({
  ...paper,
  translate,
  money: (amount) => formatMoney(amount, paper.language),
  date: momentFormat(paper.language, paper.timeZone).date,
});

/** Lays out a bill. The same bill always yields the same document. */
export function billDocument(paper: BillPaper, translate: Translate): PdfDocument {
  const { bill, language, brand } = paper;
  const drawing = drawingOf(paper, translate);
  return {
    title: `${translate('billing.pdf_title')} ${bill.number}`,
    author: brand,
    language: tagOf(language),
    createdAt: bill.issuedAt,
    style: paperStyle,
    // Elements repeated on every page must precede the page content.
    children: [
      pageFooter(brand, bill.number, translate('billing.pdf_page', { page: '{{page}}', pages: '{{pages}}' })),
      paperHead(brand, translate('billing.pdf_title'), bill.number, paper.look),
      summary(drawing),
      parties(drawing),
      table(drawing),
      totals(drawing),
      notes(drawing),
    ],
  };
}

/**
 * Lays out a bill as a section of a consolidated bill: the using organization, its number, lines and totals.
 */
export function billSection(paper: BillPaper, whose: string, translate: Translate): PdfNode {
  const drawing = drawingOf(paper, translate);
  return stack(
    { marginTop: 26 },
    {
      ...stack(
        { marginBottom: 10 },
        text(paper.isVoid ? translate('billing.pdf_void_of', { name: whose }) : whose, {
          fontSize: 14,
          fontWeight: 700,
        }),
        label(translate('billing.number_is', { number: paper.bill.number })),
      ),
      avoidsPageBreak: true,
    },
    table(drawing),
    totals(drawing),
  );
}

// More characters of the largest size do not fit on one line.
const longestBig = 15;

/** What to pay, by when, and the reference that a transfer must have to be matched. */
function summary({
  bill,
  change,
  isVoid,
  isForUser,
  prepaid,
  translate,
  money,
  date,
  language,
}: Drawing): PdfNode {
  const isOwed = bill.total.minor > prepaid.minor;
  const total = money(bill.total);
  return panel(
    row(
      { justifyContent: 'space-between', alignItems: 'flex-start', gap: 12 },
      stack(
        { flex: 1 },
        label(translate('billing.pdf_bill_total')),
        text(total, { fontSize: total.length > longestBig ? 15 : 23, fontWeight: 700, lineHeight: 1.3 }),
        label(translate('billing.pdf_parts', { net: money(bill.net), tax: money(bill.tax) }), {
          marginTop: 2,
        }),
        ...(prepaid.minor === 0n
          ? []
          : [
              label(
                translate('billing.pdf_prepaid', {
                  prepaid: money(prepaid),
                  left: money(subtractMoney(bill.total, prepaid)),
                }),
              ),
            ]),
      ),
      ...(isVoid
        ? [stack({ alignItems: 'flex-end' }, badge(translate('billing.pdf_status_void'), tones.error))]
        : isForUser
          ? [figure(translate('billing.payer'), bill.buyer.name, 160)]
          : isOwed
            ? [
                figure(translate('billing.pdf_due_date'), date(bill.dueAt), 104),
                figure(translate('billing.pdf_payment_reference'), bill.number, 128),
              ]
            : [figure(translate('billing.pdf_due_date'), translate('billing.pdf_nothing_due'), 104)]),
    ),
    ...(change
      ? [
          label(changeSentence(change, translate, language), {
            marginTop: 8,
            paddingTop: 8,
            borderTopWidth: 0.75,
            borderTopColor: colours.line,
          }),
        ]
      : []),
  );
}

function parties({ bill, isForUser, seller, translate, date, language }: Drawing): PdfNode {
  const days = daysOfMonth(bill.month);
  const format = dayFormat(language);
  const taxId = (words: string): string => translate('billing.pdf_tax_id', { taxId: words });
  const vatId = (of: Party): string[] =>
    of.vatId === undefined ? [] : [translate('billing.pdf_vat_id', { vatId: of.vatId })];
  return row(
    { gap: 22, marginBottom: 22 },
    party(translate(isForUser ? 'billing.payer' : 'billing.pdf_buyer'), bill.buyer, taxId, vatId(bill.buyer)),
    party(translate('billing.pdf_seller'), seller, taxId, vatId(seller)),
    stack(
      { flex: 1.2 },
      label(translate('billing.pdf_details'), { marginBottom: 4 }),
      detail(translate('billing.pdf_number'), bill.number),
      detail(translate('billing.pdf_month'), format.month(bill.month)),
      detail(
        translate('billing.pdf_period'),
        format.range(required(days[0], 'a first day'), required(days.at(-1), 'a last day')),
      ),
      detail(translate('billing.pdf_issued'), date(bill.issuedAt)),
      ...(bill.usedBy ? [detail(translate('billing.used_by'), bill.usedBy.organization)] : []),
      ...(bill.buyer.purchaseOrder
        ? [detail(translate('billing.purchase_order'), bill.buyer.purchaseOrder)]
        : []),
      ...(bill.buyer.reference ? [detail(translate('billing.reference'), bill.buyer.reference)] : []),
    ),
  );
}

const right: PdfStyle = { textAlign: 'right' };

/** The lines; a buyer without 統一編號 also sees the cost of each line with tax (domain.md, "Money"). */
function table(drawing: Drawing): PdfNode {
  const { bill, lines, translate } = drawing;
  const gross =
    bill.buyer.taxId === '' && bill.tax.minor !== 0n
      ? grossOfLines(
          lines.map(({ total, term }) => ({ amount: total, shares: term?.shares })),
          rowsOf(
            bill,
            lines.map((_, index) => String(index + 1)),
          ),
        )
      : null;
  const widths = gross ? narrow : wide;
  const priced = lines.map((line, index): Shown => ({ ...line, gross: gross?.[index] }));
  return stack(
    {},
    {
      ...row(
        { gap: widths.gap, paddingBottom: 5, borderBottomWidth: 1, borderBottomColor: colours.brand },
        columnHead(translate('billing.pdf_item'), { flex: 1 }),
        columnHead(translate('billing.pdf_quantity'), { width: widths.quantity, ...right }),
        columnHead(translate('billing.pdf_unit_price'), { width: widths.unitPrice, ...right }),
        columnHead(translate('billing.pdf_amount'), { width: widths.amount, ...right }),
        ...(gross ? [columnHead(translate('billing.pdf_gross'), { width: widths.amount, ...right })] : []),
      ),
      repeated: true,
    },
    ...(drawing.layout === 1
      ? priced.map((each) => lineRow(drawing, each, false))
      : groupLines(priced, bill.currency).flatMap((group) => groupRows(drawing, group))),
  );
}

type Shown = PricedLine & {
  /** The amount including its share of the tax, if the bill shows it. */
  readonly gross: Money | undefined;
};

/**
 * The lines of a service; several are grouped under its name with their sum, which never stands alone at the
 * end of a page.
 */
function groupRows(drawing: Drawing, group: LineGroup<Shown>): PdfNode[] {
  const { subtotal } = group;
  if (!subtotal) return group.lines.map((line) => lineRow(drawing, line, false));
  const [first, ...more] = group.lines.map((line) => lineRow(drawing, line, true));
  return [
    {
      ...stack({}, groupHead(drawing, group, subtotal), ...(first ? [first] : [])),
      avoidsPageBreak: first?.avoidsPageBreak ?? true,
    },
    ...more,
  ];
}

function groupHead({ money }: Drawing, { serviceName, lines }: LineGroup<Shown>, subtotal: Money): PdfNode {
  const gross = lines.flatMap((line) => line.gross ?? []);
  const widths = gross.length > 0 ? narrow : wide;
  const quiet: PdfStyle = { color: colours.quiet };
  return row(
    { gap: widths.gap, paddingTop: 8 },
    text(serviceName, { flex: 1, ...quiet }),
    text(money(subtotal), { width: widths.amount, ...right, ...quiet }),
    ...(gross.length > 0
      ? [text(money(sumMoney(gross, subtotal.currency)), { width: widths.amount, ...right, ...quiet })]
      : []),
  );
}

function lineRow(drawing: Drawing, line: Shown, isGrouped: boolean): PdfBox {
  const { bill, translate, money, language, layout } = drawing;
  const { gross } = line;
  const widths = gross ? narrow : wide;
  const steps = stepSentences(line, translate, language, layout);
  // used as: 'billing.pdf_kind_*'
  const kind = translate(`billing.pdf_kind_${line.kind}`);
  const period = layout === 1 || !line.share ? undefined : namedPeriod(line.share, line.unit);
  const name = isGrouped
    ? (inLanguage((line.charge ?? line.term)?.name, language) ?? kind)
    : lineName(line, translate, language);
  return {
    ...stack(
      {
        paddingVertical: 6,
        borderBottomWidth: 0.75,
        borderBottomColor: colours.line,
        ...(isGrouped && { marginLeft: 12 }),
      },
      row(
        { gap: widths.gap },
        stack(
          { flex: 1 },
          text(name),
          ...(name === kind ? [] : [label(kind)]),
          ...(period ? [label(dayFormat(language).range(...period))] : []),
        ),
        text(quantityWords(bill.month, line, translate), { width: widths.quantity, ...right }),
        text(unitPriceWords(line, translate, language, layout), { width: widths.unitPrice, ...right }),
        text(money(line.total), { width: widths.amount, ...right, ...(gross ? {} : { fontWeight: 700 }) }),
        ...(gross ? [text(money(gross), { width: widths.amount, fontWeight: 700, ...right })] : []),
      ),
      // A few steps stay with their line; many may continue on the next page.
      ...steps.map((sentence) => label(sentence, { marginTop: 1, marginLeft: 10 })),
    ),
    avoidsPageBreak: steps.length < 12,
  };
}

/** A bill's taxes, each with its base if there are several, and the reason if there is none. */
function taxRowsOf({ bill, translate, money, language }: Drawing): [string, string][] {
  const taxes = bill.taxes ?? [];
  return taxes.map(({ category, rate, reason, net, tax }) => {
    const name =
      inLanguage(reason?.name, language) ??
      (category === 'Z'
        ? translate('billing.pdf_tax_zero')
        : translate('billing.pdf_tax', { rate: formatDecimal(rate) }));
    return [
      taxes.length === 1 ? name : translate('billing.pdf_tax_on', { tax: name, net: money(net) }),
      money(tax),
    ];
  });
}

function totals(drawing: Drawing): PdfNode {
  const { bill, prepaid, translate, money } = drawing;
  const { taxStatus } = bill.buyer;
  // used as: 'billing.pdf_tax_*'
  const tax =
    taxStatus === undefined
      ? translate('billing.pdf_tax', { rate: formatDecimal(bill.taxRate) })
      : translate(`billing.pdf_tax_${taxStatus}`);
  return paperTotals(
    [
      [translate('billing.pdf_net'), money(bill.net)],
      ...(bill.taxes ? taxRowsOf(drawing) : [[tax, money(bill.tax)] as const]),
    ],
    [translate('billing.pdf_total'), money(bill.total)],
    prepaid.minor === 0n
      ? []
      : [
          [translate('billing.prepaid_credit'), money({ ...prepaid, minor: -prepaid.minor })],
          [translate('billing.left_to_pay'), money(subtractMoney(bill.total, prepaid))],
        ],
  );
}

function notes({ bill, isVoid, isForUser, instructions, prepaid, translate }: Drawing): PdfNode {
  const transfer = isForUser
    ? [label(translate('billing.pdf_for_user'))]
    : instructions
      ? instructions.split('\n').map((line) => label(line))
      : !isVoid && bill.total.minor > prepaid.minor
        ? [label(translate('billing.pdf_transfer', { reference: bill.number }))]
        : [];
  return {
    ...stack(
      { marginTop: 26, gap: 2 },
      ...transfer,
      label(translate('billing.pdf_not_invoice')),
      label(translate('billing.pdf_rounding', { currency: bill.currency })),
    ),
    avoidsPageBreak: true,
  };
}
