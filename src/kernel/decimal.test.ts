// Decimals are exact: they are read and written unchanged, and rounded only on request.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ceilDivide,
  decimal,
  decimalPattern,
  decimalText,
  divide,
  fromUnits,
  isZero,
  roundToInteger,
  sumDecimals,
  sumLists,
  trimDecimal,
  truncateDivide,
  unitsText,
  wireUnits,
} from './decimal.ts';
import {
  decimalTexts,
  overPowerOfTen,
  withDecimalPoint,
  roundedFraction,
} from '#tests/support/arbitraries.ts';

const any = decimalTexts(-(10n ** 24n), 10n ** 24n);
const positive = decimalTexts(0n, 10n ** 24n).filter((text) => !decimal(text).eq('0'));

describe('reading and writing decimals (R-BILL-05)', () => {
  test.each([
    ['0.0000004', '0.0000004'],
    ['2.50', '2.5'],
    ['2.000', '2'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['007', '7'],
    ['100', '100'],
    ['123456789012345678901234.123456789012', '123456789012345678901234.123456789012'],
    ['-1e-12', '-0.000000000001'],
    ['1e30', '1000000000000000000000000000000'],
  ])('%s is %s', (text, written) => {
    expect(trimDecimal(text)).toBe(written);
  });

  test.each(['', ' ', '1 ', '1,000', '0x10', '.5.', 'NaN', 'Infinity', '１２', '--1', '1_0'])(
    '%j is not a decimal',
    (text) => {
      expect(() => decimal(text)).toThrow();
      expect(decimalPattern.test(text)).toBe(false);
    },
  );

  test('a JavaScript number never becomes a decimal', () => {
    expect(() => decimal(0.1 as unknown as string)).toThrow();
  });

  test.each(['1', '-1.5', '0.000000000001', '999999999999999999999999.999999999999'])(
    'the API accepts %s',
    (text) => {
      expect(decimalPattern.test(text)).toBe(true);
    },
  );
  test.each(['1e3', '+1', '.5', '1.', '0.0000000000001', '1000000000000000000000000', '', '-', '1\n'])(
    'the API rejects %j',
    (text) => {
      expect(decimalPattern.test(text)).toBe(false);
    },
  );

  test('a written decimal reads back as the same number', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(decimal(decimalText(decimal(text))).eq(decimal(text))).toBe(true);
        expect(decimalText(decimal(text))).toBe(decimalText(decimal(trimDecimal(text))));
      }),
    );
  });
});

describe('whole numbers of 10⁻¹²', () => {
  test.each([
    ['0', 0n],
    ['1', 10n ** 12n],
    ['-1', -(10n ** 12n)],
    ['0.000000000001', 1n],
    ['-0.5', -5n * 10n ** 11n],
    ['-0', 0n],
    ['007.50', 75n * 10n ** 11n],
  ])('%s is %s of them', (text, units) => {
    expect(wireUnits(text)).toBe(units);
    expect(unitsText(units)).toBe(trimDecimal(text));
  });
  test('equal the decimal, for any value', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(wireUnits(text)).toBe(overPowerOfTen(text));
        expect(unitsText(wireUnits(text))).toBe(trimDecimal(text));
      }),
    );
  });
  test('and so do whole numbers of any other fraction', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat({ max: 40 }), (units, digits) => {
        expect(unitsText(units, digits)).toBe(
          decimalText(digits === 0 ? decimal(units) : fromUnits(units, digits)),
        );
      }),
    );
  });
});

describe('sums', () => {
  test('0.1 + 0.2 is 0.3, and the empty sum is zero', () => {
    expect(decimalText(sumDecimals([decimal('0.1'), decimal('0.2')]))).toBe('0.3');
    expect(decimalText(sumDecimals([]))).toBe('0');
  });
  test('are exact in any order', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (texts) => {
        const expected = withDecimalPoint(
          texts.reduce((sum, text) => sum + overPowerOfTen(text), 0n),
          12,
        );
        expect(decimalText(sumDecimals(texts.map(decimal)))).toBe(trimDecimal(expected));
        expect(decimalText(sumDecimals(texts.toReversed().map(decimal)))).toBe(trimDecimal(expected));
      }),
    );
  });
  test('of lists are those of their elements', () => {
    fc.assert(
      fc.property(fc.array(fc.array(any, { maxLength: 4 }), { maxLength: 5 }), (lists) => {
        const sums = sumLists(
          lists.map((list) => list.map(decimal)),
          4,
        );
        expect(sums.map(decimalText)).toEqual(
          [0, 1, 2, 3].map((place) =>
            decimalText(sumDecimals(lists.flatMap((list) => list.slice(place, place + 1)).map(decimal))),
          ),
        );
      }),
    );
  });
  test.each([
    ['0', true],
    ['-0', true],
    ['0.000', true],
    ['0.000000000001', false],
    ['-1', false],
  ])('%s is zero: %s', (text, expected) => {
    expect(isZero(decimal(text))).toBe(expected);
    expect(isZero(decimal(text).minus(decimal(text)))).toBe(true);
  });
});

describe('rounding and dividing', () => {
  test.each([
    ['0.5', 1n],
    ['-0.5', -1n],
    ['1.5', 2n],
    ['2.5', 3n],
    ['-2.5', -3n],
    ['0.499999999999', 0n],
    ['-0.499999999999', 0n],
    ['2.500000000001', 3n],
  ])('%s rounds to %s: halves away from zero', (text, whole) => {
    expect(roundToInteger(decimal(text))).toBe(whole);
  });

  test('the nearest whole number, for any decimal', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(roundToInteger(decimal(text))).toBe(roundedFraction(overPowerOfTen(text), 10n ** 12n));
      }),
    );
  });

  test.each([
    ['0', '3', 0n],
    ['1', '1', 1n],
    ['1000', '1000', 1n],
    ['1000.000000000001', '1000', 2n],
    ['0.3', '0.1', 3n],
    ['7', '2.5', 3n],
  ])('%s / %s is at least %s whole packages', (a, b, whole) => {
    expect(ceilDivide(decimal(a), decimal(b))).toBe(whole);
  });
  test('the smallest sufficient whole number, for any two', () => {
    fc.assert(
      fc.property(decimalTexts(0n, 10n ** 15n), positive, (a, b) => {
        const count = decimal(ceilDivide(decimal(a), decimal(b)));
        expect(count.times(decimal(b)).gte(decimal(a))).toBe(true);
        expect(count.eq('0') || count.minus('1').times(decimal(b)).lt(decimal(a))).toBe(true);
      }),
    );
  });

  test.each([
    ['999.999999999999', '1', 999n],
    ['-999.9', '1', -999n],
    ['0.3', '0.1', 3n],
    ['0.299999999999', '0.1', 2n],
    ['7', '-2', -3n],
  ])('the whole part of %s / %s is %s', (a, b, whole) => {
    expect(truncateDivide(decimal(a), decimal(b))).toBe(whole);
  });

  test.each([
    ['1', '3', 4, '0.3333'],
    ['2', '3', 4, '0.6667'],
    ['-2', '3', 4, '-0.6667'],
    ['1', '-8', 2, '-0.13'],
    ['1', '8', 2, '0.13'],
    ['5', '2', 0, '3'],
    ['0', '7', 3, '0'],
  ])('%s / %s to %i digits is %s', (a, b, digits, result) => {
    expect(decimalText(divide(decimal(a), decimal(b), digits))).toBe(result);
  });
  test('a quotient is rounded once, halves away from zero, for any two', () => {
    fc.assert(
      fc.property(
        any,
        any.filter((text) => !decimal(text).eq('0')),
        fc.integer({ min: 0, max: 24 }),
        (a, b, digits) => {
          const expected = roundedFraction(overPowerOfTen(a) * 10n ** BigInt(digits), overPowerOfTen(b));
          expect(decimalText(divide(decimal(a), decimal(b), digits))).toBe(
            trimDecimal(withDecimalPoint(expected, digits)),
          );
        },
      ),
    );
  });
  test('division by zero fails', () => {
    expect(() => divide(decimal('1'), decimal('0'), 2)).toThrow();
  });
});
