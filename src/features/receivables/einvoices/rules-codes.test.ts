// The codes of a proof compared with the examples of their specification, and properties of every invoice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  barcodeText,
  bytesOf,
  containedTax,
  periodHeading,
  qrBytes,
  qrTexts,
  rocDate,
  rocPeriod,
  taipeiDate,
  type CodeContent,
} from './rules-codes.ts';

// The example of the specification, version 1.9: 23 May 102, AB11223344, 324 without and 340 with tax.
const example: CodeContent = {
  number: 'AB11223344',
  randomCode: '9999',
  issuedAt: new Date('2013-05-23T04:30:00Z'),
  sales: 324n,
  total: 340n,
  buyerTaxId: '',
  sellerTaxId: '01234567',
  verification: 'x'.repeat(24),
  items: [
    { description: '乾電池', quantity: '1', unitPrice: '105' },
    { description: '口罩', quantity: '1', unitPrice: '210' },
    { description: '牛奶', quantity: '1.000', unitPrice: '25.0' },
  ],
};

describe('T-EINV: the codes of a proof', () => {
  it('equal the specification’s examples', () => {
    const { left, right } = qrTexts(example);
    expect(left).toBe(
      `AB112233441020523999900000144000001540000000001234567${'x'.repeat(24)}:**********:3:3:1:乾電池:1:105:`,
    );
    expect(right).toBe('**口罩:1:210:牛奶:1:25');
    expect(
      barcodeText({
        number: 'UZ17690872',
        randomCode: '0122',
        issuedAt: new Date('2015-03-07T03:00:00Z'),
      }),
    ).toBe('10404UZ176908720122');
  });

  it.each([
    ['2026-11-26T06:00:00Z', '1151126', '11512', '115年11-12月', '2026-11-26'],
    // Midnight in Taiwan is 16:00 UTC of the day before, and the period changes with it.
    ['2026-12-31T15:59:59Z', '1151231', '11512', '115年11-12月', '2026-12-31'],
    ['2026-12-31T16:00:00Z', '1160101', '11602', '116年01-02月', '2027-01-01'],
    ['2010-06-01T00:00:00Z', '0990601', '09906', '99年05-06月', '2010-06-01'],
  ])('at %s have the date and period in Taiwan', (at, date, period, heading, plain) => {
    const moment = new Date(at);
    expect([rocDate(moment), rocPeriod(moment), periodHeading(moment), taipeiDate(moment)]).toEqual([
      date,
      period,
      heading,
      plain,
    ]);
  });

  it('contain a company’s buyer and amounts in eight hexadecimal digits', () => {
    const { left } = qrTexts({ ...example, buyerTaxId: '12345675', sales: 3000n, total: 3150n });
    expect(left.slice(21, 45)).toBe('00000bb800000c4e12345675');
  });

  it('end where all items fit into the left one, and the right one is empty', () => {
    const { left, right } = qrTexts({ ...example, items: example.items.slice(0, 1) });
    expect(left.endsWith(':**********:1:1:1:乾電池:1:105')).toBe(true);
    expect(right).toBe('**');
  });

  it('put a first item that is too long for the left one into the right one', () => {
    const items = [{ description: '雲'.repeat(30), quantity: '1', unitPrice: '340' }];
    const { left, right } = qrTexts({ ...example, items });
    expect(left.endsWith(':**********:1:1:1:')).toBe(true);
    expect(right).toBe(`**${'雲'.repeat(30)}:1:340`);
  });

  it('contain fewer items if not all fit, and the total number', () => {
    const items = Array.from({ length: 120 }, (_, index) => ({
      description: `物件儲存空間第${index}項`,
      quantity: '1',
      unitPrice: String(index),
    }));
    const { left, right } = qrTexts({ ...example, items });
    const fields = left.slice(77).split(':');
    expect(fields[3]).toBe('120');
    const [onLeft, onRight] = [fields.slice(5).filter((each) => each !== ''), right.slice(2).split(':')];
    expect(Number(fields[2])).toBe((onLeft.length + onRight.length) / 3);
    expect(Number(fields[2])).toBeGreaterThan(3);
  });

  it('escape colons in names', () => {
    const items = [{ description: 'AB:CD', quantity: '2', unitPrice: '0.5' }];
    expect(qrTexts({ ...example, items }).left.endsWith(':AB：CD:2:0.5')).toBe(true);
  });

  it('reject what their fields cannot hold', () => {
    for (const wrong of [
      { ...example, total: 2n ** 32n },
      { ...example, sales: -1n },
      { ...example, verification: 'short' },
      { ...example, number: 'A1' },
    ])
      expect(() => qrTexts(wrong)).toThrow(RangeError);
  });

  it('have the lengths of the specification for any sale, and fit a QR code of version 6, level L', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            description: fc.string({ unit: 'grapheme', maxLength: 60 }),
            quantity: fc
              .integer({ min: -9_999_999, max: 9_999_999 })
              .map((units) => (units / 1000).toFixed(3)),
            unitPrice: fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }).map(String),
          }),
          { maxLength: 30 },
        ),
        fc.bigInt({ min: 0n, max: 0xff_ff_ff_ffn }),
        fc.bigInt({ min: 0n, max: 0xff_ff_ff_ffn }),
        fc.date({
          min: new Date('2012-01-01T00:00:00Z'),
          max: new Date('2099-12-31T00:00:00Z'),
          noInvalidDate: true,
        }),
        (items, sales, total, issuedAt) => {
          const content = { ...example, items, sales, total, issuedAt };
          const { left, right } = qrTexts(content);
          expect(bytesOf(left)).toBeLessThanOrEqual(qrBytes);
          expect(bytesOf(right)).toBeLessThanOrEqual(qrBytes);
          expect(right.startsWith('**')).toBe(true);
          expect(left.slice(0, 21)).toMatch(/^[A-Z]{2}\d{19}$/);
          expect(left.slice(21, 37)).toMatch(/^[\da-f]{16}$/);
          expect(BigInt(`0x${left.slice(21, 29)}`)).toBe(sales);
          expect(BigInt(`0x${left.slice(29, 37)}`)).toBe(total);
          expect(left.slice(77, 89)).toBe(':**********:');
          expect(barcodeText(content)).toMatch(/^\d{5}[A-Z]{2}\d{12}$/);
          expect(['02', '04', '06', '08', '10', '12']).toContain(rocPeriod(issuedAt).slice(3));
        },
      ),
    );
  });
});

describe('T-EINV: the tax included in a consumer’s price', () => {
  it.each([
    [340n, '5', 16n],
    [105n, '5', 5n],
    [20n, '5', 1n],
    [10n, '5', 0n],
    [11n, '5', 1n],
    [-105n, '5', -5n],
    [100n, '0', 0n],
    [0n, '5', 0n],
  ])('of %s at %s %% is %s', (gross, rate, tax) => expect(containedTax(gross, rate)).toBe(tax));

  it('and the net amount add up to the price, and the tax on net is that tax within half a dollar', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (gross) => {
        const tax = containedTax(gross, '5');
        const net = gross - tax;
        // 2 × |tax − 5 % of net| ≤ 1 + the 5 % of half a dollar by which the net is rounded.
        const twice = tax * 200n - net * 10n;
        expect(twice <= 105n && twice >= -105n).toBe(true);
      }),
    );
  });
});
