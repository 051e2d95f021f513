// A bill as an A4 document: what is owed at a glance, then every line with how its amount comes about.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatDecimal, formatMoney } from '#kernel/format-money.ts';
import { languageTags, type Language } from '#kernel/language.ts';
import type { Money } from '#kernel/money.ts';
import { mustHave } from '#kernel/must.ts';
import { daysOfMonth } from '#kernel/time.ts';
import type { PdfDocument, PdfNode, PdfStyle } from '#platform/server/pdf-document.ts';
import { badge, colours, label, mark, row, stack, text, tones, type PdfTone } from '#platform/server/pdf-look.ts';
import type { Bill, BillDetail } from '../contract.ts';
import { grossAmounts } from '../rules.ts';
import { changeSentence, quantityWords, stepSentences, unitPriceWords, type PricedLine, type Say } from './bill-words.ts';

export type Party = BillDetail['buyer'];
/** Everything a bill's document says. */
export type BillPaper = {
  readonly bill: Omit<BillDetail, 'lines'>;
  readonly lines: readonly PricedLine[];
  readonly seller: Party;
  /** Company and name of the console. */
  readonly brand: string;
  readonly language: Language;
  /** The organization's zone, for the dates of moments. */
  readonly timeZone: string;
};
type Pen = BillPaper & { readonly say: Say; readonly money: (amount: Money) => string; readonly date: (moment: Date) => string };

// A4 is 595 points wide; 44 at each side leave 507.
const margin = 44;
// Widths of the table's columns; with tax in a column of its own the others move together.
const wide = { gap: 10, quantity: 104, unitPrice: 96, amount: 82 } as const;
const narrow = { gap: 8, quantity: 88, unitPrice: 84, amount: 72 } as const;

/** Lays a bill out. The same bill gives the same document, whoever asks and whenever. */
export function billDocument(paper: BillPaper, say: Say): PdfDocument {
  const { bill, language, brand } = paper;
  const pen: Pen = { ...paper, say, money: (amount) => formatMoney(amount, language), date: momentFormat(language, paper.timeZone).date };
  return {
    title: `${say('billing.pdf_title')} ${bill.number}`, author: brand, language: languageTags[language], createdAt: bill.issuedAt,
    style: { paddingTop: margin, paddingHorizontal: margin, paddingBottom: 64, color: colours.text },
    // What is repeated on every page is named before what it goes with.
    children: [footer(pen), letterhead(pen), summary(pen), parties(pen), table(pen), totals(pen), notes(pen)],
  };
}

function letterhead({ brand, bill, say }: Pen): PdfNode {
  return row({ justifyContent: 'space-between', alignItems: 'center', marginBottom: 20 },
    row({ alignItems: 'center', gap: 9, flex: 1 }, mark(26), text(brand, { fontSize: 13, fontWeight: 700, flex: 1 })),
    stack({ alignItems: 'flex-end' },
      text(say('billing.pdf_title'), { fontSize: 22, fontWeight: 700, color: colours.brand, lineHeight: 1.2 }),
      text(bill.number, { color: colours.quiet, marginTop: 3 })));
}

const toneOf: Record<Bill['paymentStatus'], PdfTone> = { unpaid: tones.info, partially_paid: tones.warning, processing: tones.info, paid: tones.success, overdue: tones.error, void: tones.neutral };

/** What is owed, until when, and how it stands. */
function summary({ bill, say, money, date, language }: Pen): PdfNode {
  const isOpen = bill.state === 'open';
  const parts = isOpen && bill.paid.minor !== 0n
    ? say('billing.pdf_parts_paid', { total: money(bill.total), paid: money(bill.paid) })
    : say('billing.pdf_parts', { net: money(bill.net), tax: money(bill.tax) });
  const figure = (name: string, value: PdfNode): PdfNode => stack({ width: 112 }, label(name, { marginBottom: 3 }), value);
  return stack({ backgroundColor: colours.sunken, borderRadius: 6, paddingVertical: 14, paddingHorizontal: 16, marginBottom: 20 },
    row({ justifyContent: 'space-between', alignItems: 'flex-start' },
      stack({ flex: 1 },
        label(say(isOpen ? 'billing.pdf_amount_due' : 'billing.pdf_bill_total')),
        text(money(isOpen ? bill.due : bill.total), { fontSize: 23, fontWeight: 700, lineHeight: 1.3 }),
        label(parts, { marginTop: 2 })),
      bill.paidAt === null
        ? figure(say('billing.pdf_due_date'), text(date(bill.dueAt), { fontSize: 11, fontWeight: 700 }))
        : figure(say('billing.pdf_paid_on'), text(date(bill.paidAt), { fontSize: 11, fontWeight: 700 })),
      // used as: 'billing.pdf_status_*'
      stack({ width: 84, alignItems: 'flex-end' }, badge(say(`billing.pdf_status_${bill.paymentStatus}`), toneOf[bill.paymentStatus]))),
    ...(bill.change ? [label(changeSentence(bill.change, say, language), { marginTop: 8, paddingTop: 8, borderTopWidth: 0.75, borderTopColor: colours.line })] : []));
}

function parties({ bill, seller, say, date, language }: Pen): PdfNode {
  const days = daysOfMonth(bill.month);
  const format = dayFormat(language);
  const party = (name: string, who: Party): PdfNode => stack({ flex: 1 }, label(name, { marginBottom: 4 }),
    text(who.name, { fontWeight: 700 }),
    ...(who.taxId === '' ? [] : [text(say('billing.pdf_tax_id', { taxId: who.taxId }))]),
    ...[who.address, who.email].filter((line) => line !== '').map((line) => text(line, { color: colours.quiet, fontSize: 9 })));
  const detail = (name: string, value: string): PdfNode => row({ gap: 8 }, label(name, { width: 62, fontSize: 9 }), text(value, { flex: 1, fontSize: 9 }));
  return row({ gap: 22, marginBottom: 22 },
    party(say('billing.pdf_buyer'), bill.buyer),
    party(say('billing.pdf_seller'), seller),
    stack({ flex: 1.2 }, label(say('billing.pdf_details'), { marginBottom: 4 }),
      detail(say('billing.pdf_number'), bill.number),
      detail(say('billing.pdf_month'), format.month(bill.month)),
      detail(say('billing.pdf_period'), format.range(mustHave(days[0], 'a first day'), mustHave(days.at(-1), 'a last day'))),
      detail(say('billing.pdf_issued'), date(bill.issuedAt))));
}

const right: PdfStyle = { textAlign: 'right' };

/** The lines; a buyer without 統一編號 sees what each costs with tax as well (domain.md, "Money"). */
function table(pen: Pen): PdfNode {
  const { bill, lines, say } = pen;
  const gross = bill.buyer.taxId === '' && bill.tax.minor !== 0n ? grossAmounts(lines.map((line) => line.total), bill.tax) : null;
  const widths = gross ? narrow : wide;
  const head = (words: string, style: PdfStyle): PdfNode => text(words, { fontSize: 8, fontWeight: 700, color: colours.quiet, ...style });
  return stack({},
    { ...row({ gap: widths.gap, paddingBottom: 5, borderBottomWidth: 1, borderBottomColor: colours.brand },
      head(say('billing.pdf_item'), { flex: 1 }),
      head(say('billing.pdf_quantity'), { width: widths.quantity, ...right }),
      head(say('billing.pdf_unit_price'), { width: widths.unitPrice, ...right }),
      head(say('billing.pdf_amount'), { width: widths.amount, ...right }),
      ...(gross ? [head(say('billing.pdf_gross'), { width: widths.amount, ...right })] : [])), repeated: true },
    ...lines.map((line, index) => lineRow(pen, line, gross?.[index])));
}

function lineRow(pen: Pen, line: PricedLine, gross: Money | undefined): PdfNode {
  const { bill, say, money, language } = pen;
  const widths = gross ? narrow : wide;
  const steps = stepSentences(line, say, language);
  return { ...stack({ paddingVertical: 6, borderBottomWidth: 0.75, borderBottomColor: colours.line },
    row({ gap: widths.gap },
      // used as: 'billing.pdf_kind_*'
      stack({ flex: 1 }, text(line.serviceName), label(say(`billing.pdf_kind_${line.kind}`))),
      text(quantityWords(bill.month, line, say), { width: widths.quantity, ...right }),
      text(unitPriceWords(line, say, language), { width: widths.unitPrice, ...right }),
      text(money(line.total), { width: widths.amount, ...right, ...(gross ? {} : { fontWeight: 700 }) }),
      ...(gross ? [text(money(gross), { width: widths.amount, fontWeight: 700, ...right })] : [])),
    // Few steps stay with their line; many may go on on the next page.
    ...steps.map((sentence) => label(sentence, { marginTop: 1, marginLeft: 10 }))), together: steps.length < 12 };
}

function totals({ bill, say, money }: Pen): PdfNode {
  const sum = (name: string, amount: Money, style: PdfStyle = {}): PdfNode => row({ justifyContent: 'space-between', paddingVertical: 2 }, text(name, { color: colours.quiet, ...style }), text(money(amount), style));
  const strong = { fontWeight: 700, color: colours.text } as const;
  return { ...row({ justifyContent: 'flex-end', marginTop: 12 }, stack({ width: 236 },
    sum(say('billing.pdf_net'), bill.net),
    sum(say('billing.pdf_tax', { rate: formatDecimal(bill.taxRate) }), bill.tax),
    stack({ marginTop: 4, paddingTop: 4, borderTopWidth: 1, borderTopColor: colours.brand }, sum(say('billing.pdf_total'), bill.total, { fontSize: 12, ...strong })),
    ...(bill.state === 'open' && bill.paid.minor !== 0n ? [sum(say('billing.pdf_paid'), bill.paid), sum(say('billing.pdf_still_due'), bill.due, strong)] : []))), together: true };
}

function notes({ bill, say }: Pen): PdfNode {
  return { ...stack({ marginTop: 26, gap: 2 }, label(say('billing.pdf_not_invoice')), label(say('billing.pdf_rounding', { currency: bill.currency }))), together: true };
}

function footer({ bill, brand, say }: Pen): PdfNode {
  const small: PdfStyle = { fontSize: 8, color: colours.quiet };
  return { ...row({ position: 'absolute', left: margin, right: margin, bottom: 26, paddingTop: 6, borderTopWidth: 0.75, borderTopColor: colours.line, justifyContent: 'space-between' },
    text(`${brand} · ${bill.number}`, small),
    { kind: 'text', text: say('billing.pdf_page', { page: '{{page}}', pages: '{{pages}}' }), style: { ...small, width: 130, ...right }, repeated: true }), repeated: true };
}
