// The printed proof of an invoice (電子發票證明聯), 57 by 90 millimeters; for a company, with the details that
// belong to it below. It is a statutory document, so its texts are those of 「電子發票實施作業要點」, appendix 一,
// whatever the console's language.
import { formatDecimal } from '#kernel/format-money.ts';
import type { PdfDocument, PdfNode } from '#platform/server/pdf/pdf-document.ts';
import { row, stack, text } from '#platform/server/pdf/pdf-look.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import {
  barcodeText,
  containedTax,
  periodHeading,
  qrTexts,
  taipeiDate,
  taipeiMoment,
} from '../rules-codes.ts';
import { proofWords } from '../rules-words.ts';
import { code39Drawing, proofVerification, qrDrawing } from './proof-codes.ts';
import { itemTaxKinds, type InvoiceItem, type InvoiceToSend } from './provider.ts';

/** An invoice with a number; its proof can be printed only then. */
export type ProofInvoice = InvoiceToSend & { readonly number: string; readonly randomCode: string };
export type ProofOptions = {
  /** 補印: a reprint, marked as such. */
  readonly isCopy: boolean;
  /**
   * The seller's key for QR codes, 32 hexadecimal digits from the Ministry's tool; null or missing: the codes
   * have no verification.
   */
  readonly qrKey?: string | null;
};

const pointsOf = (millimetres: number): number => Math.round((millimetres * 7200) / 25.4) / 100;
const pageWidth = pointsOf(57);
const proofHeight = pointsOf(90);
const margin = 8;
const contentWidth = pageWidth - 2 * margin;
const barcodeWidth = pointsOf(50);
const barcodeHeight = pointsOf(8);
const qrSize = pointsOf(23);

const small = 7.5;
const lineHeight = 1.35;
/** A PDF page has at most 14,400 points; longer details continue on the next page. */
const longestPage = 14_000;

const centred = (words: string, fontSize: number, fontWeight: 400 | 700 = 400): PdfNode =>
  stack({ alignItems: 'center' }, text(words, { fontSize, fontWeight, lineHeight: 1.25 }));
const pair = (left: string, right: string): PdfNode =>
  row(
    { justifyContent: 'space-between' },
    text(left, { fontSize: small, lineHeight }),
    text(right, { fontSize: small, lineHeight, textAlign: 'right' }),
  );

const amountText = (amount: bigint): string => formatDecimal(amount.toString());

/** The upper 90 millimeters: the parts that the Ministry prescribes, in its order. */
async function proofPart(invoice: ProofInvoice, { isCopy, qrKey = null }: ProofOptions): Promise<PdfNode[]> {
  const { number, randomCode, issuedAt, seller, buyer, items, sales, tax, total } = invoice;
  const isCompany = buyer.taxId !== '';
  const content = {
    number,
    randomCode,
    issuedAt,
    // The codes contain the net amount, while prices to consumers include tax.
    sales: total - (isCompany ? tax : containedTax(sales.taxable, invoice.taxRate)),
    total,
    buyerTaxId: buyer.taxId,
    sellerTaxId: seller.taxId,
    verification: proofVerification(number, randomCode, qrKey),
    items,
  };
  const qr = qrTexts(content);
  return [
    stack(
      {},
      // Long seller names take several lines.
      centred(seller.name, seller.name.length > 13 ? 8 : 10.5, 700),
      centred(isCopy ? proofWords.copy : proofWords.title, 12.5),
      centred(periodHeading(issuedAt), 16, 700),
      centred(`${number.slice(0, 2)}-${number.slice(2)}`, 16, 700),
    ),
    stack(
      {},
      pair(`${taipeiDate(issuedAt)} ${taipeiMoment(issuedAt).time}`, isCompany ? proofWords.format : ''),
      pair(`${proofWords.randomCode} ${randomCode}`, `${proofWords.total} ${amountText(total)}`),
      pair(`${proofWords.seller} ${seller.taxId}`, isCompany ? `${proofWords.buyer} ${buyer.taxId}` : ''),
    ),
    stack({ alignItems: 'center' }, await code39Drawing(barcodeText(content), barcodeWidth, barcodeHeight)),
    row(
      { justifyContent: 'space-between', paddingHorizontal: 2 },
      qrDrawing(qr.left, qrSize),
      qrDrawing(qr.right, qrSize),
    ),
    stack(
      { alignItems: 'center' },
      text(isCompany ? proofWords.details : proofWords.returns, { fontSize: 7, lineHeight }),
    ),
  ];
}

/**
 * An upper bound of the lines of a text: Chinese characters are as wide as they are high, others at most 0.65
 * of that.
 */
function linesOf(words: string, fontSize: number, width: number): number {
  let points = 0;
  for (const sign of words) points += fontSize * ((sign.codePointAt(0) ?? 0) < 0x2e80 ? 0.65 : 1);
  // Characters that must not start a line leave gaps at the ends of lines.
  return words === '' ? 0 : Math.ceil((points * 1.15) / width);
}

const lineOfItem = (item: InvoiceItem): string =>
  `${formatDecimal(item.quantity)}${item.unit === '' ? '' : ` ${item.unit}`} × ${formatDecimal(item.unitPrice)}`;
/** The kind of tax as marked in the details: TX is taxable, TZ zero-rated, exempt has no mark. */
const taxMarks = { taxable: 'TX', zero_rated: 'TZ', exempt: '' } as const;

/** The details of a company's invoice, and their maximum height. */
function detailPart({ buyer, seller, items, sales, tax, total, remark }: ProofInvoice): {
  nodes: PdfNode[];
  height: number;
} {
  const step = small * lineHeight;
  let lines = 0;
  const wrapped = (words: string): PdfNode => {
    lines += linesOf(words, small, contentWidth);
    return text(words, { fontSize: small, lineHeight });
  };
  const pairOf = (left: string, right: string): PdfNode => {
    lines += Math.max(1, linesOf(`${left} ${right}`, small, contentWidth));
    return pair(left, right);
  };
  const nodes: PdfNode[] = [
    wrapped(`${proofWords.seller} ${seller.name}`),
    ...(seller.address === '' ? [] : [wrapped(seller.address)]),
    wrapped(`${proofWords.buyer} ${buyer.name}`),
    stack(
      { marginTop: 4, paddingTop: 3, borderTopWidth: 0.5, borderTopColor: '#000000' },
      ...items.map((item) =>
        stack(
          { marginBottom: 2 },
          wrapped(item.description),
          pairOf(lineOfItem(item), `${amountText(item.amount)} ${taxMarks[item.taxKind]}`.trim()),
        ),
      ),
    ),
    stack(
      { marginTop: 2, paddingTop: 3, borderTopWidth: 0.5, borderTopColor: '#000000' },
      pairOf(proofWords.count(items.length), ''),
      ...itemTaxKinds
        .filter((kind) => sales[kind] !== 0n)
        .map((kind) => pairOf(proofWords.sales[kind], amountText(sales[kind]))),
      pairOf(proofWords.tax, amountText(tax)),
      pairOf(proofWords.total, amountText(total)),
      ...(remark === '' ? [] : [wrapped(`${proofWords.remark} ${remark}`)]),
    ),
  ];
  return { nodes, height: lines * step + items.length * 2 + 40 };
}

/**
 * Lays out a proof. The same invoice always yields the same document. Throws RangeError like {@link qrTexts}.
 */
export async function proofDocument(invoice: ProofInvoice, options: ProofOptions): Promise<PdfDocument> {
  const detail = invoice.buyer.taxId === '' ? null : detailPart(invoice);
  const top = await proofPart(invoice, options);
  return {
    title: `${proofWords.title} ${invoice.number}`,
    author: invoice.seller.name,
    language: 'zh-Hant-TW',
    createdAt: invoice.issuedAt,
    size: [pageWidth, Math.min(longestPage, proofHeight + (detail?.height ?? 0))],
    style: { paddingTop: margin, paddingHorizontal: margin, paddingBottom: 1, color: '#000000' },
    children: [
      stack({ height: proofHeight - 2 * margin, justifyContent: 'space-between', marginBottom: 6 }, ...top),
      ...(detail?.nodes ?? []),
    ],
  };
}

/**
 * Returns the proof as a PDF; the same invoice yields the same bytes. Rejects like the platform's renderer.
 */
export async function proofPdf(invoice: ProofInvoice, options: ProofOptions): Promise<Uint8Array> {
  return renderPdf(await proofDocument(invoice, options));
}
