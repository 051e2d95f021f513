// The content of an invoice: items and totals from a bill’s lines, split if there are too many (T-EINV).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemOf, splitLines, spread, sumsOf, type SaleLine } from './rules-document.ts';

const line = (more: Partial<SaleLine> = {}): SaleLine => ({
  description: '物件儲存 2026-10',
  quantity: '2.5',
  unit: 'GB',
  unitPrice: '40',
  net: 100n,
  tax: 5n,
  taxKind: 'taxable',
  ...more,
});

describe('T-EINV: items', () => {
  test('have quantity and price where they give the amount exactly', () => {
    expect(itemOf(line(), true)).toMatchObject({
      quantity: '2.5',
      unit: 'GB',
      unitPrice: '40',
      amount: 100n,
    });
    // 2.5 × 40.1 = 100.25, rounded once.
    expect(itemOf(line({ unitPrice: '40.1' }), true)).toMatchObject({ quantity: '2.5', amount: 100n });
  });
  test.each([
    ['rounding does not give the amount', { unitPrice: '41' }],
    ['there is no exact single price', { unitPrice: null }],
    ['there are too many decimals for the platform', { unitPrice: '40.00000001' }],
    ['the quantity is negative', { quantity: '-2.5', unitPrice: '-40' }],
  ])('are one whole where %s', (_, more) => {
    expect(itemOf(line(more), true)).toMatchObject({
      quantity: '1',
      unit: '式',
      unitPrice: '100',
      amount: 100n,
    });
  });
  test('are gross for a consumer, as one whole', () => {
    expect(itemOf(line(), false)).toMatchObject({ quantity: '1', unitPrice: '105', amount: 105n });
  });
  test('add up by tax kind: net and tax for a company, gross for a consumer', () => {
    const lines = [
      line(),
      line({ taxKind: 'zero_rated', net: 30n, tax: 0n }),
      line({ taxKind: 'exempt', net: 7n, tax: 0n }),
    ];
    expect(sumsOf(lines, true)).toEqual({
      sales: { taxable: 100n, zero_rated: 30n, exempt: 7n },
      tax: 5n,
      total: 142n,
    });
    expect(sumsOf(lines, false)).toEqual({
      sales: { taxable: 105n, zero_rated: 30n, exempt: 7n },
      tax: 0n,
      total: 142n,
    });
  });
});

describe('T-EINV: more items than an invoice can have', () => {
  const amounts = fc
    .array(fc.record({ net: fc.bigInt(-500n, 2000n), rate: fc.constantFrom(0n, 5n) }), {
      minLength: 1,
      maxLength: 60,
    })
    .map((all) =>
      all.map(({ net, rate }) =>
        line({ net, tax: (net * rate) / 100n, taxKind: rate === 0n ? 'zero_rated' : 'taxable' }),
      ),
    )
    // A bill with an invoice is positive, and neither its net amount nor its tax is negative.
    .filter((all) => {
      const [net, tax] = [
        all.reduce((sum, each) => sum + each.net, 0n),
        all.reduce((sum, each) => sum + each.tax, 0n),
      ];
      return net >= 0n && tax >= 0n && net + tax > 0n;
    });
  test('the invoices add up to the sale in net and tax, each positive and not too long', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 20 }), (lines, most) => {
        const chunks = splitLines(lines, most);
        const of = (all: readonly SaleLine[], key: 'net' | 'tax') =>
          all.reduce((sum, each) => sum + each[key], 0n);
        expect(of(chunks.flat(), 'net')).toBe(of(lines, 'net'));
        expect(of(chunks.flat(), 'tax')).toBe(of(lines, 'tax'));
        for (const chunk of chunks) {
          expect(chunk.length).toBeGreaterThan(0);
          expect(chunk.length).toBeLessThanOrEqual(most);
          expect(of(chunk, 'net') + of(chunk, 'tax') > 0n).toBe(true);
        }
      }),
    );
  });
  test('lines without an amount are omitted; a sale of zero has no invoice', () => {
    expect(splitLines([line(), line({ net: 0n, tax: 0n })], 10)).toEqual([[line()]]);
    expect(splitLines([line({ net: 0n, tax: 0n })], 10)).toEqual([]);
  });
  test('parts by largest remainder add up, and stay within their weights', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(0n, 1000n), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (weights, size) => {
          const whole = weights.reduce((sum, weight) => sum + weight, 0n);
          const amount = whole === 0n ? 0n : BigInt(size) % (whole + 1n);
          const parts = spread(amount, weights);
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount);
          for (const [index, part] of parts.entries())
            expect(part >= 0n && part <= (weights[index] ?? 0n)).toBe(true);
        },
      ),
    );
  });
});
