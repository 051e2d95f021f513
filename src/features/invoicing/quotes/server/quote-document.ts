// A quote as an A4 document in the style of bills: its totals and its last day, then prices, terms and the
// estimate line by line.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatDecimal, formatMoney } from '#kernel/format-money.ts';
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
} from '#platform/server/pdf/pdf-paper.ts';
import type { OpenedQuote } from '../contract.ts';
import type { Figures, ShownEstimate, ShownItem } from '../contract-content.ts';
import { estimateParts } from '../rules-figures.ts';
import type { enUS } from '../locales/enUS.ts';

export type Translate = (key: keyof typeof enUS, params?: TextParams) => string;
type Drawing = {
  readonly quote: OpenedQuote;
  readonly language: ContentLanguage;
  readonly translate: Translate;
  readonly money: (amount: Money) => string;
};

const widths = { gap: 10, quantity: 104, unitPrice: 96, amount: 88 } as const;
const right: PdfStyle = { textAlign: 'right' };
const rule: PdfStyle = { borderBottomWidth: 0.75, borderBottomColor: colours.line };

/** Lays out a quote. The same version in the same state always yields the same document. */
export function quoteDocumentOf(
  quote: OpenedQuote,
  language: ContentLanguage,
  translate: Translate,
): PdfDocument {
  const drawing: Drawing = {
    quote,
    language,
    translate,
    money: (amount) => formatMoney(amount, language),
  };
  const { brand, number } = quote;
  const title = translate('quotes.pdf_title');
  return {
    title: `${title} ${number}`,
    author: brand,
    language: tagOf(language),
    createdAt: quote.sentAt,
    style: paperStyle,
    // Elements repeated on every page must precede the page content.
    children: [
      pageFooter(brand, number, translate('quotes.pdf_page', { page: '{{page}}', pages: '{{pages}}' })),
      paperHead(brand, title, number),
      summary(drawing),
      parties(drawing),
      ...message(drawing),
      ...prices(drawing),
      ...terms(drawing),
      month(drawing, quote.estimate.full, translate('quotes.full_month')),
      totals(drawing, quote.estimate.full, quote.estimate),
      ...contractSums(drawing),
      notes(drawing),
    ],
  };
}

/** The total, and until when it can be accepted. */
function summary({ quote, language, translate, money }: Drawing): PdfNode {
  const { estimate, validUntil } = quote;
  return panel(
    row(
      { justifyContent: 'space-between', alignItems: 'flex-start', gap: 12 },
      stack(
        { flex: 1 },
        label(translate('quotes.contract_value', { count: estimate.months })),
        text(money(estimate.contract.total), { fontSize: 21, fontWeight: 700, lineHeight: 1.3 }),
        label(
          translate('quotes.parts', {
            net: money(estimate.contract.net),
            tax: money(estimate.contract.tax),
          }),
          { marginTop: 2 },
        ),
      ),
      figure(translate('quotes.full_month'), money(estimate.full.total), 112),
      figure(translate('quotes.valid_until'), dayFormat(language).day(validUntil), 112),
    ),
  );
}

function parties({ quote, language, translate }: Drawing): PdfNode {
  const taxId = (words: string): string => translate('quotes.tax_id', { taxId: words });
  const { decision, state, timeZone } = quote;
  const moment = momentFormat(language, timeZone);
  return row(
    { gap: 22, marginBottom: 20 },
    party(translate('quotes.customer'), quote.customer, taxId),
    party(translate('quotes.seller'), quote.seller, taxId),
    stack(
      { flex: 1.2 },
      label(translate('quotes.pdf_details'), { marginBottom: 4 }),
      detail(translate('quotes.column_number'), quote.number),
      detail(translate('quotes.column_version'), String(quote.version)),
      detail(translate('quotes.column_sentAt'), moment.date(quote.sentAt)),
      detail(translate('quotes.valid_until'), dayFormat(language).day(quote.validUntil)),
      ...(decision
        ? [
            detail(
              translate(state === 'accepted' ? 'quotes.state_accepted' : 'quotes.state_declined'),
              translate('quotes.pdf_decided', { name: decision.name, at: moment.dateTime(decision.at) }),
            ),
          ]
        : []),
    ),
  );
}

const heading = (words: string): PdfNode =>
  text(words, { fontSize: 12, fontWeight: 700, color: colours.brand, marginTop: 14, marginBottom: 6 });

function message({ quote }: Drawing): PdfNode[] {
  return quote.message === '' ? [] : [text(quote.message, { marginBottom: 6 })];
}

/** All offered prices, whether or not the estimate includes usage of them. */
function prices(drawing: Drawing): PdfNode[] {
  const { quote, translate } = drawing;
  if (quote.items.length === 0) return [];
  return [heading(translate('quotes.services')), ...quote.items.map((item) => itemNode(drawing, item))];
}

function itemNode({ translate }: Drawing, item: ShownItem): PdfNode {
  return {
    ...stack(
      { paddingVertical: 6, ...rule },
      row(
        { gap: widths.gap },
        text(item.name, { flex: 1, fontWeight: 700 }),
        ...(item.quantity === '1'
          ? []
          : [text(translate('quotes.times', { quantity: item.quantity }), right)]),
      ),
      ...(item.trialDays === 0 ? [] : [label(translate('quotes.trial', { count: item.trialDays }))]),
      ...item.charges.map((charge) =>
        stack(
          { marginTop: 3, marginLeft: 10 },
          row(
            { gap: widths.gap },
            text(
              charge.quantity === ''
                ? charge.name
                : translate('quotes.charge_times', { name: charge.name, quantity: charge.quantity }),
              { flex: 1 },
            ),
            text(charge.price, { width: 210, ...right }),
          ),
          ...[
            ...charge.details,
            ...(charge.usage === '' ? [] : [translate('quotes.expected', { usage: charge.usage })]),
          ].map((words) => label(words, { marginLeft: 10 })),
        ),
      ),
    ),
    avoidsPageBreak: item.charges.length < 12,
  };
}

function terms({ quote, translate }: Drawing): PdfNode[] {
  if (quote.terms.length === 0) return [];
  return [
    heading(translate('quotes.terms')),
    ...quote.terms.map((term): PdfNode => ({
      ...row(
        { gap: widths.gap, paddingVertical: 5, ...rule },
        stack(
          { width: 190 },
          text(term.name, { fontWeight: 700 }),
          // used as: 'quotes.kind_*'; a minimum spend is called what it is.
          ...[translate(`quotes.kind_${term.kind}`)]
            .filter((kind) => kind !== term.name)
            .map((kind) => label(kind)),
        ),
        text(term.terms, { flex: 1 }),
      ),
      avoidsPageBreak: true,
    })),
  ];
}

/** The lines of a month. */
function month(
  { translate, money, language }: Drawing,
  { month: named, lines }: ShownEstimate['full'],
  title: string,
): PdfNode {
  return stack(
    {},
    heading(translate('quotes.month_named', { title, month: dayFormat(language).month(named) })),
    {
      ...row(
        { gap: widths.gap, paddingBottom: 5, borderBottomWidth: 1, borderBottomColor: colours.brand },
        columnHead(translate('quotes.item'), { flex: 1 }),
        columnHead(translate('quotes.quantity'), { width: widths.quantity, ...right }),
        columnHead(translate('quotes.unit_price'), { width: widths.unitPrice, ...right }),
        columnHead(translate('quotes.amount'), { width: widths.amount, ...right }),
      ),
    },
    ...lines.map((line): PdfNode => ({
      ...stack(
        { paddingVertical: 5, ...rule },
        row(
          { gap: widths.gap },
          stack({ flex: 1 }, text(line.name), ...(line.kind === '' ? [] : [label(line.kind)])),
          text(line.quantity, { width: widths.quantity, ...right }),
          text(line.unitPrice, { width: widths.unitPrice, ...right }),
          text(money(line.amount), { width: widths.amount, fontWeight: 700, ...right }),
        ),
        ...line.steps.map((sentence) => label(sentence, { marginTop: 1, marginLeft: 10 })),
      ),
      avoidsPageBreak: line.steps.length < 12,
    })),
  );
}

function totals(
  { translate, money }: Drawing,
  of: Figures,
  { taxRate, hasSeveralRates }: ShownEstimate,
): PdfNode {
  return paperTotals(
    [
      [translate('quotes.net'), money(of.net)],
      [
        hasSeveralRates
          ? translate('quotes.taxes', {})
          : translate('quotes.tax', { rate: formatDecimal(taxRate) }),
        money(of.tax),
      ],
    ],
    [translate('quotes.total'), money(of.total)],
  );
}

/** The first month and the contract, part by part. */
function contractSums(drawing: Drawing): PdfNode[] {
  const { quote, translate, money, language } = drawing;
  const { estimate } = quote;
  const columns = [
    [
      translate('quotes.month_named', {
        title: translate('quotes.first_month'),
        month: dayFormat(language).month(estimate.first.month),
      }),
      estimate.first,
    ],
    [translate('quotes.contract_value', { count: estimate.months }), estimate.contract],
  ] as const;
  return [
    {
      ...row(
        { gap: 22, marginTop: 16 },
        ...columns.map(([title, of]) =>
          stack(
            { flex: 1 },
            text(title, { fontWeight: 700, marginBottom: 3 }),
            ...estimateParts(of, estimate.hasSeveralRates ? undefined : estimate.taxRate).map(
              ({ key, rate, amount, isTotal }) =>
                row(
                  { justifyContent: 'space-between', paddingVertical: 1.5 },
                  text(translate(`quotes.${key}`, { rate }), {
                    color: colours.quiet,
                    ...(isTotal && { fontWeight: 700 }),
                  }),
                  text(money(amount), isTotal ? { fontWeight: 700 } : {}),
                ),
            ),
          ),
        ),
      ),
      avoidsPageBreak: true,
    },
  ];
}

function notes({ quote, translate, language }: Drawing): PdfNode {
  return {
    ...stack(
      { marginTop: 22, gap: 2 },
      label(translate('quotes.note_as_of', { day: dayFormat(language).day(quote.estimate.asOf) })),
      label(translate('quotes.note_estimate')),
      label(translate('quotes.note_not_invoice')),
    ),
    avoidsPageBreak: true,
  };
}
