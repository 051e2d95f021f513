// Several taxes on one bill: each once on its own lines, and every share of it on the line it belongs to.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, percentOf, type Money } from '#kernel/money.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import { plainTaxation } from '#features/invoicing/taxes/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { chargedOfLines } from './rules-interim.ts';
import { billWithTerms, noTerms, type Terms } from './rules-terms.ts';
import { grossOfLines, rowsOf, taxesByLine } from './rules-taxes.ts';

const eur = (minor: bigint | number): Money => money(BigInt(minor), 'EUR');
const line = (
  serviceId: string,
  minor: bigint | number,
  kind: PlannedBillLine['kind'] = 'base_fee',
): PlannedBillLine => ({
  kind,
  subscriptionId: `sub_${serviceId}`,
  serviceId,
  serviceName: serviceId,
  priceVersionId: 'prv_1',
  quantity: '1',
  unit: 'month',
  unitPrice: null,
  exact: decimal(String(Number(minor) / 100)),
  amount: eur(minor),
  steps: [],
  forMonth: null,
});
const taxation: Taxation = {
  standard: { category: 'S', rate: '19' },
  services: new Map([
    ['books', { category: 'S', rate: '7' }],
    ['course', { category: 'E', rate: '0', reason: { name: { zhTW: '免稅', enUS: 'Exempt from tax' } } }],
  ]),
  isStated: true,
};
const named = { zhTW: '折扣', enUS: 'Discount' };
const tenPercent: Terms = {
  ...noTerms,
  discounts: [
    {
      redemptionId: 'rdm_1' as Id<'rdm'>,
      version: 1n,
      name: named,
      reduction: { kind: 'percent', percent: '10' },
      maximum: null,
      scope: { subscriptionId: null, services: null },
      isOnce: false,
    },
  ],
};
const taxesOf = (bill: ReturnType<typeof billWithTerms>) =>
  (bill.taxes ?? []).map(({ category, rate, net, tax, lines }) => [
    category,
    rate,
    net.minor,
    tax.minor,
    lines.join(),
  ]);

describe('T-TAX: several taxes on one bill', () => {
  it('each rate is computed once on the sum of its lines', () => {
    // 3 × 0.33 at 19 %: 0.1881, not 3 × 0.0627; 7 % of 1.01 is 0.0707.
    const bill = billWithTerms(
      'EUR',
      [line('vm', 33), line('books', 101), line('vm', 33), line('course', 500), line('vm', 33)],
      noTerms,
      taxation,
    );
    expect(taxesOf(bill)).toEqual([
      ['S', '19', 99n, 19n, '1,3,5'],
      ['S', '7', 101n, 7n, '2'],
      ['E', '0', 500n, 0n, '4'],
    ]);
    expect([bill.net.minor, bill.tax.minor, bill.total.minor, bill.taxRate]).toEqual([700n, 26n, 726n, '19']);
  });

  it('a discount lowers each tax by its shares of that tax’s lines', () => {
    const bill = billWithTerms('EUR', [line('vm', 10000), line('books', 5000)], tenPercent, taxation);
    expect(bill.lines.map(({ kind, amount }) => [kind, amount.minor])).toEqual([
      ['base_fee', 10000n],
      ['base_fee', 5000n],
      ['discount', -1500n],
    ]);
    expect(taxesOf(bill)).toEqual([
      ['S', '19', 9000n, 1710n, '1'],
      ['S', '7', 4500n, 315n, '2'],
    ]);
  });

  it('one-off charges and minimum spends have the standard rate', () => {
    const oneOff = { ...line('books', 1000, 'one_off'), term: { id: 'ooc_1', name: named } };
    const terms: Terms = {
      ...noTerms,
      minimumSpends: [{ id: 'msp_1' as Id<'msp'>, name: named, amount: eur(9000) } as never],
    };
    const bill = billWithTerms('EUR', [line('books', 5000), oneOff], terms, taxation);
    expect(taxesOf(bill)).toEqual([
      ['S', '7', 5000n, 350n, '1'],
      ['S', '19', 5000n, 950n, '2,3'],
    ]);
  });

  it('by default a bill has no categories and is unchanged', () => {
    const lines = [line('vm', 333), line('books', 333)];
    const bill = billWithTerms('EUR', lines, noTerms, '5');
    expect(bill).not.toHaveProperty('taxes');
    expect(billWithTerms('EUR', lines, noTerms, plainTaxation('5'))).toEqual(bill);
    expect([bill.tax.minor, bill.taxRate]).toEqual([33n, '5']);
  });

  it('a single explicit rate gives the same amounts with one row', () => {
    const one: Taxation = { ...taxation, services: new Map() };
    const bill = billWithTerms('EUR', [line('vm', 333), line('books', 333)], noTerms, one);
    expect(taxesOf(bill)).toEqual([['S', '19', 666n, 127n, '1,2']]);
  });

  it('for any lines and discounts: rows add up to the bill, and the lines’ parts to the rows', () => {
    const services = fc.constantFrom('vm', 'books', 'course');
    const lines = fc.array(fc.tuple(services, fc.integer({ min: -5_000, max: 1_000_000 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(lines, fc.boolean(), (given, isDiscounted) => {
        const bill = billWithTerms(
          'EUR',
          given.map(([service, minor]) => line(service, minor)),
          isDiscounted ? tenPercent : noTerms,
          taxation,
        );
        const rows = bill.taxes ?? [];
        expect(rows.reduce((sum, { net }) => sum + net.minor, 0n)).toBe(bill.net.minor);
        expect(rows.reduce((sum, { tax }) => sum + tax.minor, 0n)).toBe(bill.tax.minor);
        expect(bill.total.minor).toBe(bill.net.minor + bill.tax.minor);
        for (const { net, rate, tax } of rows) expect(tax.minor).toBe(percentOf(net, rate).minor);
        const charged = chargedOfLines(
          bill.lines.map(({ amount, term }) => ({ amount: amount.minor, shares: term?.shares })),
        );
        for (const { net, lines: own } of rows)
          expect(own.reduce((sum, id) => sum + (charged[Number(id) - 1] ?? 0n), 0n)).toBe(net.minor);
        const shown = bill.lines.map(({ amount, term }) => ({ amount, shares: term?.shares }));
        const parts = taxesByLine(shown, rows);
        // A tax on amounts that cancel each other out is zero.
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(bill.tax.minor);
        const gross = grossOfLines(
          shown,
          rowsOf(
            bill,
            bill.lines.map((_, index) => String(index + 1)),
          ),
        );
        expect(gross.reduce((sum, { minor }) => sum + minor, 0n)).toBe(bill.total.minor);
      }),
    );
  });
});
