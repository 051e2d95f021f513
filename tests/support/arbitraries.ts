// For tests: quantities, prices and months at the limits of arithmetic and calendars.
import fc from 'fast-check';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthsFrom as monthsOnFrom } from '#kernel/time.ts';

/** Inserts a decimal point: `-1234567` with 3 fraction digits gives "-1234.567". */
export function withDecimalPoint(whole: bigint, digits: number): string {
  const all = (whole < 0n ? -whole : whole).toString().padStart(digits + 1, '0');
  const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
  return whole < 0n ? `-${text}` : text;
}

/** Decimal texts from `min` to `max` (integers) with up to 12 fraction digits; small values and limits are frequent. */
export function decimalTexts(min: bigint, max: bigint, maxDigits = 12): fc.Arbitrary<string> {
  const size = (digits: number, low: bigint, high: bigint): fc.Arbitrary<string> =>
    fc
      .bigInt(low * 10n ** BigInt(digits), high * 10n ** BigInt(digits))
      .map((whole) => withDecimalPoint(whole, digits));
  const near = (digits: number): fc.Arbitrary<string> =>
    size(digits, min > -10n ? min : -10n, max < 10n ? max : 10n);
  return fc
    .integer({ min: 0, max: maxDigits })
    .chain((digits) =>
      fc.oneof(
        size(digits, min, max),
        near(digits),
        fc.constantFrom(min.toString(), max.toString(), ...(min <= 0n ? ['0'] : [])),
      ),
    );
}

/** The range of a meter: 0 to 10^15, 12 fraction digits. */
export const quantities = decimalTexts(0n, 10n ** 15n);
/** The range of unit prices. */
export const prices = fc.oneof(
  decimalTexts(0n, 1000n),
  fc.constantFrom('0', '0.0000004', '0.000000000001', '1', '1200.5'),
);

/** `numerator / denominator` rounded to an integer, halves away from zero; independent of the code under test. */
export function roundedFraction(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [
    numerator < 0n ? -numerator : numerator,
    denominator < 0n ? -denominator : denominator,
  ];
  const whole = top / bottom + ((top % bottom) * 2n >= bottom ? 1n : 0n);
  return negative ? -whole : whole;
}

/** The numerator of a decimal text as a fraction over 10^`digits`. */
export function overPowerOfTen(text: string, digits = 12): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(digits, '0'));
  return text.startsWith('-') ? -value : value;
}

/** Zones with unusual days and months (reliability.md, F10): DST, half-hour DST, and a skipped day. */
export const oddZones = [
  'Asia/Taipei',
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  // Days without a midnight: the clocks go forward at it.
  'Africa/Cairo',
  'America/Santiago',
] as const;

/** `count` months, starting with `first`. */
export const monthsFrom = (first: string, count: number): BillingMonth[] =>
  monthsOnFrom(first as BillingMonth, count);
