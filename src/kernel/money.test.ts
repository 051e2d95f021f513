// Money is an integer number of minor units: read and written exactly, rounded once, currencies never mixed
// (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from './decimal.ts';
import {
  currencies,
  currencyCodes,
  fromProviderMinor,
  isCurrency,
  money,
  moneyDecimal,
  moneyText,
  parseMoney,
  percentOf,
  roundToMoney,
  subtractMoney,
  sumMoney,
  toProviderMinor,
  type Currency,
} from './money.ts';
import { decimalTexts, overPowerOfTen, roundedFraction } from '#tests/support/arbitraries.ts';

const anyCurrency = fc.constantFrom(...currencyCodes);
// At most 15 digits, as accepted amounts have.
const anyMinor = fc.bigInt(1n - 10n ** 15n, 10n ** 15n - 1n);

describe('writing and reading amounts', () => {
  test.each<[bigint, Currency, string]>([
    [1234n, 'TWD', '1234'],
    [-320n, 'TWD', '-320'],
    [0n, 'TWD', '0'],
    [123450n, 'USD', '1234.50'],
    [5n, 'USD', '0.05'],
    [-5n, 'USD', '-0.05'],
    [0n, 'USD', '0.00'],
    [1n, 'KWD', '0.001'],
    [-12345n, 'KWD', '-12.345'],
  ])('%s minor units of %s are %s', (minor, currency, text) => {
    expect(moneyText(money(minor, currency))).toBe(text);
    expect(parseMoney(text, currency)).toEqual(money(minor, currency));
  });

  test.each<[string, Currency]>([
    ['1.5', 'TWD'],
    ['1.005', 'USD'],
    ['0.0001', 'KWD'],
    ['1e3', 'USD'],
    ['+1', 'USD'],
    ['', 'USD'],
    ['-', 'USD'],
    ['.5', 'USD'],
    ['1.', 'USD'],
    ['1,000', 'TWD'],
    ['１', 'TWD'],
    ['NaN', 'TWD'],
    ['1234567890123456', 'TWD'],
    ['-1234567890123456.00', 'USD'],
    [' 1', 'TWD'],
  ])('%j is not an amount of %s', (text, currency) => {
    expect(parseMoney(text, currency)).toBeUndefined();
  });
  test.each<[string, Currency, bigint]>([
    ['1', 'USD', 100n],
    ['1.5', 'USD', 150n],
    ['007', 'TWD', 7n],
    ['-0', 'TWD', 0n],
  ])('%s %s is read as %s', (text, currency, minor) => {
    expect(parseMoney(text, currency)).toEqual(money(minor, currency));
  });

  test('a written amount reads back as the same, in every currency', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        expect(parseMoney(moneyText(money(minor, currency)), currency)).toEqual(money(minor, currency));
        expect(roundToMoney(moneyDecimal(money(minor, currency)), currency)).toEqual(money(minor, currency));
      }),
    );
  });

  test('Taiwan bills whole dollars and pays in hundredths; inherited properties are not currency codes', () => {
    expect(currencies.TWD).toEqual({ billingDigits: 0, providerDigits: 2 });
    expect([
      toProviderMinor(money(100n, 'TWD')),
      toProviderMinor(money(100n, 'USD')),
      toProviderMinor(money(100n, 'JPY')),
    ]).toEqual([10000n, 100n, 100n]);
    expect([
      fromProviderMinor(10000n, 'TWD'),
      fromProviderMinor(10050n, 'TWD'),
      fromProviderMinor(100n, 'USD'),
    ]).toEqual([money(100n, 'TWD'), undefined, money(100n, 'USD')]);
    expect(['TWD', 'twd', 'toString', '__proto__', ''].map(isCurrency)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('sums and differences', () => {
  test('are exact', () => {
    fc.assert(
      fc.property(fc.array(anyMinor), anyCurrency, (minors, currency) => {
        expect(
          sumMoney(
            minors.map((minor) => money(minor, currency)),
            currency,
          ).minor,
        ).toBe(minors.reduce((sum, minor) => sum + minor, 0n));
      }),
    );
  });
  test('never mix two currencies', () => {
    expect(() => sumMoney([money(1n, 'TWD'), money(1n, 'USD')], 'TWD')).toThrow(
      'amounts in TWD add up with USD',
    );
    expect(() => subtractMoney(money(1n, 'TWD'), money(1n, 'USD'))).toThrow('TWD minus USD');
    expect(subtractMoney(money(1n, 'TWD'), money(3n, 'TWD'))).toEqual(money(-2n, 'TWD'));
  });
});

describe('the one rounding: half away from zero', () => {
  test.each<[string, Currency, bigint]>([
    ['0.5', 'TWD', 1n],
    ['-0.5', 'TWD', -1n],
    ['0.499999999999', 'TWD', 0n],
    ['0.005', 'USD', 1n],
    ['1.005', 'USD', 101n],
    ['2.675', 'USD', 268n],
    ['-1.005', 'USD', -101n],
    ['0.0000004', 'USD', 0n],
    ['0.0005', 'KWD', 1n],
  ])('%s %s becomes %s', (exact, currency, minor) => {
    expect(roundToMoney(decimal(exact), currency)).toEqual(money(minor, currency));
  });
  test('for any amount and currency', () => {
    fc.assert(
      fc.property(decimalTexts(-(10n ** 15n), 10n ** 15n), anyCurrency, (text, currency) => {
        const expected = roundedFraction(
          overPowerOfTen(text) * 10n ** BigInt(currencies[currency].billingDigits),
          10n ** 12n,
        );
        expect(roundToMoney(decimal(text), currency).minor).toBe(expected);
      }),
    );
  });

  test.each<[bigint, string, bigint]>([
    [10n, '5', 1n],
    [9n, '5', 0n],
    [-10n, '5', -1n],
    [200n, '8.25', 17n],
    [333n, '33.333333333333', 111n],
    [7n, '100', 7n],
    [7n, '0', 0n],
    [0n, '5', 0n],
  ])('of %s units, %s %% are %s', (minor, percent, part) => {
    expect(percentOf(money(minor, 'TWD'), percent)).toEqual(money(part, 'TWD'));
  });
  test('a percentage is the rounded exact part, for any amount', () => {
    fc.assert(
      fc.property(anyMinor, decimalTexts(0n, 1000n), anyCurrency, (minor, percent, currency) => {
        const amount = money(minor, currency);
        const exact = moneyDecimal(amount).times(decimal(percent)).times(decimal('0.01'));
        expect(percentOf(amount, percent)).toEqual(roundToMoney(exact, currency));
      }),
    );
  });
  test('a percentage with too many digits is rejected', () => {
    expect(() => percentOf(money(1n, 'TWD'), '0.0000000000001')).toThrow(RangeError);
  });
});
