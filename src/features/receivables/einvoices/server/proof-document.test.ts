// The printed proof: readable by people and scanners, identical bytes each time, with codes read back from
// their drawings.
import { createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PdfDrawing, PdfNode } from '#platform/server/pdf/pdf-document.ts';
import { companyInvoice, consumerInvoice } from '#tests/support/einvoices/documents.ts';
import { readCode39, readQr } from '#tests/support/einvoices/read-codes.ts';
import { pdfPages } from '#tests/support/pdf.ts';
import { barcodeText, bytesOf, qrBytes, qrTexts } from '../rules-codes.ts';
import { proofVerification, qrDrawing } from './proof-codes.ts';
import { proofDocument, proofPdf, type ProofInvoice } from './proof-document.ts';

const named = { number: 'AB12345678', randomCode: '0321' };
const company: ProofInvoice = { ...companyInvoice(), ...named };
const consumer: ProofInvoice = { ...consumerInvoice(1, { carrier: null, isPrinted: true }), ...named };
const qrKey = '0123456789ABCDEF0123456789ABCDEF';

const drawingsIn = (node: PdfNode): PdfDrawing[] =>
  node.kind === 'drawing' ? [node] : node.kind === 'box' ? node.children.flatMap(drawingsIn) : [];
async function codesOf(invoice: ProofInvoice, key: string | null): Promise<[string, string, string]> {
  const { children } = await proofDocument(invoice, { isCopy: false, qrKey: key });
  const [bars, left, right] = children.flatMap(drawingsIn);
  if (!bars || !left || !right) throw new Error('a code is missing');
  return [readCode39(bars), readQr(left), readQr(right)];
}

const mediaBox = (bytes: Uint8Array): string | undefined =>
  /\/MediaBox \[([^\]]+)\]/.exec(Buffer.from(bytes).toString('latin1'))?.[1];

describe('T-EINV: the printed proof', () => {
  it('for a consumer is 57 by 90 millimeters with the prescribed content', async () => {
    const bytes = await proofPdf(consumer, { isCopy: false });
    expect(mediaBox(bytes)).toMatch(/^0 0 161\.57\d* 255\.1[12]\d*$/);
    expect(await pdfPages(bytes)).toEqual([
      '雲端服務股份有限公司 電子發票證明聯 115年11-12月 AB-12345678 2026-11-26 14:30:05 隨機碼 0321 總計 340 賣方 53212539 退貨憑電子發票證明聯正本辦理',
    ]);
  });

  it('for a company has format 25 and its details, and shows that it is a reprint', async () => {
    const [page, ...more] = await pdfPages(await proofPdf(company, { isCopy: true }));
    expect(more).toEqual([]);
    for (const words of [
      '電子發票證明聯補印',
      '格式 25',
      '總計 1,050',
      '買方 12345675',
      '物件儲存空間 2 式 × 300 600 TX',
      '應稅銷售額 1,000',
      '稅額 50',
    ])
      expect(page).toContain(words);
  });

  it('has room for many and for long items on one page', async () => {
    const [item] = company.items;
    if (!item) throw new Error('no item');
    const items = Array.from({ length: 60 }, (_, place) => ({
      ...item,
      description: `第${place}項 ${'general-purpose 虛擬主機'.repeat(1 + (place % 4))}`,
    }));
    expect(await pdfPages(await proofPdf({ ...company, items }, { isCopy: false }))).toHaveLength(1);
  });

  it.each([
    ['a consumer', consumer],
    ['a company', company],
  ])('of %s has the same bytes each time, and other bytes as a copy', async (_who, invoice) => {
    const bytes = async (isCopy: boolean): Promise<Buffer> =>
      Buffer.from(await proofPdf(invoice, { isCopy, qrKey }));
    const first = await bytes(false);
    expect(first.equals(await bytes(false))).toBe(true);
    expect(first.equals(await bytes(true))).toBe(false);
  });
});

describe('T-EINV: the codes of the proof', () => {
  it('are read back from their drawings: a consumer’s amount without the included tax', async () => {
    expect(await codesOf(consumer, null)).toEqual([
      '11512AB123456780321',
      // 324 is 144, 340 is 154 in hexadecimal digits.
      `AB12345678${'1151126'}0321${'00000144'}${'00000154'}${'00000000'}53212539${'0'.repeat(24)}:**********:1:1:1:物件儲存空間:1:340`,
      '**',
    ]);
  });

  it('contain the buyer and continue in the right one', async () => {
    const [bars, left, right] = await codesOf(company, qrKey);
    expect(bars).toBe(barcodeText(company));
    expect(left.slice(0, 53)).toBe('AB1234567811511260321000003e80000041a1234567553212539');
    expect(left.slice(53, 77)).toBe(proofVerification('AB12345678', '0321', qrKey));
    expect(left.slice(77)).toBe(':**********:2:2:1:物件儲存空間:2:300:');
    expect(right).toBe('**資料庫:1:400');
  });

  it('contain number and random code encrypted with the seller’s key', () => {
    const text = proofVerification('AB12345678', '0321', qrKey);
    expect(text).toHaveLength(24);
    const decipher = createDecipheriv(
      'aes-128-cbc',
      Buffer.from(qrKey, 'hex'),
      Buffer.from('Dt8lyToo17X/XkXaQvihuA==', 'base64'),
    );
    expect(decipher.update(text, 'base64', 'utf8') + decipher.final('utf8')).toBe('AB123456780321');
  });

  it('fit for any items', () => {
    const item = fc.record({
      description: fc.string({
        unit: fc.constantFrom(...Array.from('虛擬主機ABCabc123 -:/𠮷')),
        maxLength: 50,
      }),
      quantity: fc.constantFrom('1', '0.5', '744'),
      unitPrice: fc.constantFrom('1', '33.3333333', '-5'),
    });
    // In a mixture of modes this one needs more room than its 134 bytes.
    const mixed = ['', '-31虛a//a虛3', '虛虛AC c', 'a', '', '-虛虛', '虛虛虛BB虛C𠮷/', 'b虛B/3'].map(
      (description, index) => ({
        description,
        quantity: ['1', '744', '1', '744', '0.5', '0.5', '0.5', '1'][index] ?? '1',
        unitPrice: ['1', '33.3333333', '-5', '1', '33.3333333', '33.3333333', '-5', '1'][index] ?? '1',
      }),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (items) => {
        const texts = qrTexts({
          ...company,
          sales: 1000n,
          buyerTaxId: company.buyer.taxId,
          sellerTaxId: company.seller.taxId,
          verification: '0'.repeat(24),
          items,
        });
        for (const text of [texts.left, texts.right]) {
          expect(bytesOf(text)).toBeLessThanOrEqual(qrBytes);
          expect(readQr(qrDrawing(text, 65))).toBe(text);
        }
      }),
      { numRuns: 40, examples: [[mixed]] },
    );
  }, 60_000);
});
