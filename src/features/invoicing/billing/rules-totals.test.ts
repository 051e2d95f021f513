// Discounts, tax and credits add up to the last minor unit for any bill (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyCodes, money, moneyText, readMoney, type Currency, type Money } from '#kernel/money.ts';
import { overPowerOfTen, roundedFraction } from '#tests/support/arbitraries.ts';
import type { Discount } from '#features/invoicing/discounts/rules.ts';
import {
  applyCredits,
  chargesOf,
  creditableOf,
  type Charges,
  type LineNature,
  type LineToCharge,
  type TaxRounding,
  type ToCharge,
} from './rules-totals.ts';

const of = (text: string, currency: Currency): Money => {
  const read = readMoney(text, currency);
  if (!read) throw new Error(`${text} ${currency} is no amount`);
  return read;
};
const percent = (value: string): Discount => ({ kind: 'percent', percent: value });
const fixed = (text: string, currency: Currency): Discount => ({ kind: 'fixed', amount: of(text, currency) });
const plain = (charges: Charges): string =>
  [charges.subtotal, charges.discountTotal, charges.taxTotal, charges.total].map(moneyText).join(' ');
const bill = (currency: Currency, amounts: readonly string[], more: Partial<ToCharge> = {}): ToCharge => ({
  currency,
  taxRate: '5',
  lines: amounts.map((amount) => ({ amount: of(amount, currency) })),
  ...more,
});
const discountsOf = (charges: Charges): string[] => charges.lines.map((line) => moneyText(line.discount));

describe('subtotal, discounts, tax and total', () => {
  test.each<[string, ToCharge, string]>([
    ['no line', bill('USD', []), '0.00 0.00 0.00 0.00'],
    ['TWD without digits', bill('TWD', ['333', '333', '334']), '1000 0 50 1050'],
    ['half a dollar of tax is one', bill('TWD', ['10']), '10 0 1 11'],
    ['and minus one for a refund', bill('TWD', ['-10']), '-10 0 -1 -11'],
    ['JPY at 10 %', bill('JPY', ['1999', '1'], { taxRate: '10' }), '2000 0 200 2200'],
    ['KWD has three digits', bill('KWD', ['1.005', '2.010']), '3.015 0.000 0.151 3.166'],
    [
      'discount before tax',
      bill('USD', ['80.00', '20.00'], { taxRate: '8.25', discounts: [percent('30')] }),
      '100.00 30.00 5.78 75.78',
    ],
    [
      'each percentage of the rest',
      bill('USD', ['100.00'], { taxRate: '0', discounts: [percent('10'), percent('10')] }),
      '100.00 19.00 0.00 81.00',
    ],
    [
      'as listed: 100 − 20 − 10 % of 80',
      bill('USD', ['100.00'], { taxRate: '0', discounts: [fixed('20', 'USD'), percent('10')] }),
      '100.00 28.00 0.00 72.00',
    ],
    [
      'percent first: 100 − 10 % − 20',
      bill('USD', ['100.00'], {
        taxRate: '0',
        discounts: [fixed('20', 'USD'), percent('10')],
        discountOrder: 'percent_first',
      }),
      '100.00 30.00 0.00 70.00',
    ],
    [
      'never below zero',
      bill('USD', ['10.00'], { discounts: [fixed('15', 'USD')] }),
      '10.00 10.00 0.00 0.00',
    ],
    [
      'the rest of a discount is not a credit for a later one',
      bill('TWD', ['100'], { discounts: [percent('100'), fixed('50', 'TWD')] }),
      '100 100 0 0',
    ],
    [
      'half a cent of discount is a cent',
      bill('USD', ['10.05'], { taxRate: '0', discounts: [percent('10')] }),
      '10.05 1.01 0.00 9.04',
    ],
  ])('%s', (_name, asked, figures) => {
    expect(plain(chargesOf(asked))).toBe(figures);
  });

  test('a line’s own discounts apply first, in the same order', () => {
    const lines: LineToCharge[] = [
      { amount: of('80', 'USD'), discounts: [percent('25')] },
      { amount: of('20', 'USD') },
      { amount: of('5', 'USD'), discounts: [fixed('50', 'USD')] },
    ];
    const charges = chargesOf({
      currency: 'USD',
      taxRate: '10',
      lines,
      discounts: [fixed('10', 'USD'), percent('50')],
    });
    // 60, 20 and 0 are left; 7.50 and 2.50 are deducted; half of 52.50 and of 17.50.
    expect(charges.lines.map((line) => moneyText(line.taxable))).toEqual(['26.25', '8.75', '0.00']);
    expect(plain(charges)).toBe('105.00 70.00 3.50 38.50');
    const own = (discountOrder: ToCharge['discountOrder']): string =>
      plain(
        chargesOf({
          currency: 'USD',
          taxRate: '0',
          discountOrder,
          lines: [{ amount: of('100', 'USD'), discounts: [fixed('20', 'USD'), percent('10')] }],
        }),
      );
    expect([own('as_listed'), own('percent_first')]).toEqual([
      '100.00 28.00 0.00 72.00',
      '100.00 30.00 0.00 70.00',
    ]);
  });

  test('a refund includes its percentage discounts, and does not affect fixed ones', () => {
    const lines = ['1000', '-500', '300'];
    expect(discountsOf(chargesOf(bill('TWD', lines, { taxRate: '0', discounts: [percent('10')] })))).toEqual([
      '100',
      '-50',
      '30',
    ]);
    expect(
      discountsOf(chargesOf(bill('TWD', lines, { taxRate: '0', discounts: [fixed('130', 'TWD')] }))),
    ).toEqual(['100', '0', '30']);
    expect(plain(chargesOf(bill('TWD', lines, { taxRate: '0', discounts: [fixed('2000', 'TWD')] })))).toBe(
      '800 1300 0 -500',
    );
  });
});

describe('tax', () => {
  const lines = (rates: (string[] | undefined)[], amount = '0.90'): LineToCharge[] =>
    rates.map((taxRates) => ({ amount: of(amount, 'USD'), taxRates }));
  test.each<[TaxRounding, (string[] | undefined)[], string, string[]]>([
    // 3 × 0.90 at 5 % is 0.135; a single line is 0.045.
    ['invoice_total', [undefined, undefined, undefined], '0.14', ['0.05', '0.04', '0.05']],
    ['per_line_per_rate', [undefined, undefined, undefined], '0.15', ['0.05', '0.05', '0.05']],
    // Two taxes on the same amount are not compounded: 0.045 and 0.0675.
    ['invoice_total', [['5', '7.5']], '0.12', ['0.12']],
    ['per_line_per_rate', [['5', '7.5']], '0.12', ['0.12']],
    // 5.0 and 5 are one rate; a line without rates has no tax; 10 % of one line.
    ['invoice_total', [['5.0'], undefined, [], ['10']], '0.18', ['0.05', '0.04', '0.00', '0.09']],
    ['per_line_per_rate', [['5.0'], undefined, [], ['10']], '0.19', ['0.05', '0.05', '0.00', '0.09']],
    // Listed twice, a rate is two taxes, each rounded.
    ['invoice_total', [['5', '5']], '0.10', ['0.10']],
  ])('%s of %j is %s', (taxRounding, rates, tax, parts) => {
    const charges = chargesOf({ currency: 'USD', taxRate: '5', taxRounding, lines: lines(rates) });
    expect(moneyText(charges.taxTotal)).toBe(tax);
    expect(charges.lines.map((line) => moneyText(line.tax))).toEqual(parts);
  });
});

describe('credits', () => {
  const charges = chargesOf({
    currency: 'TWD',
    taxRate: '5',
    lines: [{ amount: of('1000', 'TWD') }, { amount: of('500', 'TWD') }, { amount: of('-800', 'TWD') }],
  });
  test.each<[LineNature[], 'all' | 'usage', string]>([
    [['fee', 'usage', 'fee'], 'all', '735'],
    [['fee', 'usage', 'fee'], 'usage', '525'],
    [['usage', 'usage', 'fee'], 'usage', '735'],
    [['fee', 'fee', 'usage'], 'usage', '0'],
    [['fee', 'fee', 'fee'], 'usage', '0'],
  ])('for lines %j %s pay %s', (natures, appliesTo, most) => {
    expect(moneyText(creditableOf(charges, natures, appliesTo))).toBe(most);
  });
  test('pay nothing of a negative bill', () => {
    expect(moneyText(creditableOf(chargesOf(bill('TWD', ['-10'])), ['fee'], 'all'))).toBe('0');
  });
  test.each<[string[], string, string, string]>([
    [[], '100', '0', '0'],
    [['30', '50'], '100', '80', '0'],
    [['30', '50', '40'], '100', '100', '20'],
    [['500'], '0', '0', '500'],
  ])('%j against %s: %s are used, %s remain', (credits, due, applied, left) => {
    const found = applyCredits(
      credits.map((credit) => of(credit, 'TWD')),
      of(due, 'TWD'),
    );
    expect([moneyText(found.applied), moneyText(found.left)]).toEqual([applied, left]);
  });
});

const anyPercent = fc.constantFrom('0', '0.5', '5', '8.875', '10', '33.333333333333', '99.99', '100');
const anyRate = fc.constantFrom('0', '5', '8.25', '20', '120');
const anyDiscount = (currency: Currency): fc.Arbitrary<Discount> =>
  fc.oneof(
    anyPercent.map(percent),
    fc.bigInt(0n, 20_000n).map((minor): Discount => ({ kind: 'fixed', amount: money(minor, currency) })),
  );
const anyBill = (least: bigint): fc.Arbitrary<ToCharge> =>
  fc.constantFrom(...currencyCodes).chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      taxRate: anyRate,
      taxRounding: fc.constantFrom('invoice_total', 'per_line_per_rate'),
      discountOrder: fc.constantFrom('as_listed', 'percent_first', 'best_only'),
      discounts: fc.array(anyDiscount(currency), { maxLength: 4 }),
      lines: fc.array(
        fc.record({
          amount: fc.bigInt(least, 50_000n).map((minor) => money(minor, currency)),
          taxRates: fc.option(fc.array(anyRate, { maxLength: 3 }), { nil: undefined }),
          discounts: fc.option(fc.array(anyDiscount(currency), { maxLength: 2 }), { nil: undefined }),
        }),
        { maxLength: 12 },
      ),
    }),
  );
const sum = (amounts: readonly Money[]): bigint => amounts.reduce((all, { minor }) => all + minor, 0n);

describe('R-BILL-05: for any bill', () => {
  test('lines add up to the totals, and the totals to the total', () => {
    fc.assert(
      fc.property(anyBill(-50_000n), (asked) => {
        const { lines, ...totals } = chargesOf(asked);
        expect(sum(lines.map((line) => line.amount))).toBe(totals.subtotal.minor);
        expect(sum(lines.map((line) => line.discount))).toBe(totals.discountTotal.minor);
        expect(sum(lines.map((line) => line.tax))).toBe(totals.taxTotal.minor);
        expect(sum(lines.map((line) => line.total))).toBe(totals.total.minor);
        expect(totals.total.minor).toBe(
          totals.subtotal.minor - totals.discountTotal.minor + totals.taxTotal.minor,
        );
        for (const line of lines) {
          expect(line.taxable.minor).toBe(line.amount.minor - line.discount.minor);
          expect(line.total.minor).toBe(line.taxable.minor + line.tax.minor);
        }
      }),
    );
  });

  test('amounts are not negative unless a line is, and no discount exceeds its line', () => {
    fc.assert(
      fc.property(anyBill(0n), (asked) => {
        for (const line of chargesOf(asked).lines) {
          expect([line.discount, line.taxable, line.tax, line.total].every(({ minor }) => minor >= 0n)).toBe(
            true,
          );
          expect(line.discount.minor <= line.amount.minor).toBe(true);
        }
      }),
    );
  });

  test('the tax of a rate is rounded once on the sum of its lines after discounts', () => {
    fc.assert(
      fc.property(anyBill(-50_000n), (asked) => {
        const { lines, taxTotal } = chargesOf({
          ...asked,
          taxRounding: 'invoice_total',
          lines: asked.lines.map((line) => ({ ...line, taxRates: undefined })),
        });
        const net = sum(lines.map((line) => line.taxable));
        expect(taxTotal.minor).toBe(roundedFraction(net * overPowerOfTen(asked.taxRate), 100n * 10n ** 12n));
      }),
    );
  });

  test('credits pay the same in any order, and never more than is due', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 1000n), { maxLength: 12 }), fc.bigInt(0n, 5000n), (minors, due) => {
        const credits = minors.map((minor) => money(minor, 'USD'));
        const found = applyCredits(credits, money(due, 'USD'));
        expect(applyCredits(credits.toReversed(), money(due, 'USD'))).toEqual(found);
        expect(found.applied.minor <= due).toBe(true);
        expect(found.applied.minor + found.left.minor).toBe(sum(credits));
        expect(found.left.minor === 0n || found.applied.minor === due).toBe(true);
      }),
    );
  });
});
