// Exact decimals of any size for quantities and unit prices; never binary floats.
import Big from 'big.js';

/** An arbitrary-precision decimal. Created only by {@link decimal}, so that no float gets in by mistake. */
export type Decimal = Big;

// A separate constructor, so that other code in the process cannot change its settings. `strict` makes it
// reject JavaScript numbers; its division is never used for money (see money.ts).
const Exact = Big();
Exact.strict = true;
Exact.NE = -1_000_000;
Exact.PE = 1_000_000;

/** Decimals in the API: up to 24 integer and 12 fraction digits, no exponent. */
export const decimalPattern = /^-?\d{1,24}(\.\d{1,12})?$/;

/**
 * Parses a decimal text exactly ("0.0000004"); accepts more digits than the API does. Throws when it is not a
 * decimal.
 */
export function decimal(text: string | bigint): Decimal {
  return new Exact(typeof text === 'bigint' ? text.toString() : text);
}

export const zero: Decimal = decimal('0');

/** Formats a decimal exactly and without trailing zeros: "2.50" becomes "2.5", "-0" becomes "0". */
export function decimalText(value: Decimal): string {
  return isZero(value) ? '0' : value.toFixed();
}

/** Removes trailing zeros: "2.000" becomes "2". Throws when `text` is not a decimal. */
export function trimDecimal(text: string): string {
  return decimalText(decimal(text));
}

/** Whether the value is 0. Big's own comparison copies both values; zero always has the single digit 0. */
export const isZero = (value: Decimal): boolean => value.c[0] === 0;

// Big would copy a value even to add zero to it.
const added = (one: Decimal, other: Decimal): Decimal => {
  if (isZero(other)) return one;
  return isZero(one) ? other : one.plus(other);
};

/** The exact sum; 0 for an empty list. */
export function sumDecimals(values: Iterable<Decimal>): Decimal {
  let sum = zero;
  for (const value of values) sum = added(sum, value);
  return sum;
}

/** The exact element-wise sums of lists, `length` of them; missing elements count as 0. */
export function sumLists(lists: Iterable<readonly Decimal[]>, length: number): Decimal[] {
  const sums = Array.from({ length }, () => zero);
  for (const list of lists)
    for (let place = 0; place < length; place++)
      sums[place] = added(sums[place] ?? zero, list[place] ?? zero);
  return sums;
}

/** Rounds to the nearest integer, halves away from zero (Big's roundHalfUp). */
export function roundToInteger(value: Decimal): bigint {
  return BigInt(value.round(0, 1).toFixed());
}

/**
 * `numerator / denominator` rounded to the nearest integer, halves away from zero. @throws RangeError when
 * `denominator` is zero.
 */
export function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -rounded : rounded;
}

const wireDigits = 12;
const wireScale = 10n ** BigInt(wireDigits);

/**
 * Converts an API decimal to an integer count of 10⁻¹², for long sums: exact, and several times faster than
 * {@link Decimal}.
 */
export function wireUnits(text: string): bigint {
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text) * wireScale;
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(wireDigits, '0'));
}

/** Formats an integer count of 10^-`digits` as decimal text, without trailing zeros. */
export function unitsText(units: bigint, digits = wireDigits): string {
  const negative = units < 0n;
  const all = (negative ? -units : units).toString().padStart(digits + 1, '0');
  let end = all.length;
  const point = all.length - digits;
  while (end > point && all.codePointAt(end - 1) === 48) end--;
  return `${negative ? '-' : ''}${all.slice(0, point)}${end === point ? '' : `.${all.slice(point, end)}`}`;
}

/**
 * Converts a decimal text to an integer count of 10^-`digits`.
 * @throws RangeError when it has more fraction digits, because cutting them off would change the value.
 */
export function unitsOf(text: string, digits: number): bigint {
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text + '0'.repeat(digits));
  const fraction = text.slice(point + 1);
  if (fraction.length > digits) throw new RangeError(`${text} has more than ${digits} fraction digits`);
  return BigInt(text.slice(0, point) + fraction.padEnd(digits, '0'));
}

/** Converts an integer count of 10^-`digits` to a decimal. */
export function fromUnits(units: bigint, digits: number): Decimal {
  const negative = units < 0n;
  const all = (negative ? -units : units).toString().padStart(digits + 1, '0');
  return decimal(`${negative ? '-' : ''}${all.slice(0, -digits)}.${all.slice(-digits)}`);
}

/** Both values as integers on the same scale, for exact division. */
function asIntegers(a: Decimal, b: Decimal): [bigint, bigint] {
  const digits = (value: Decimal): number => decimalText(value).split('.')[1]?.length ?? 0;
  const scale = decimal(`1e${Math.max(digits(a), digits(b))}`);
  return [BigInt(a.times(scale).toFixed()), BigInt(b.times(scale).toFixed())];
}

/** The smallest integer not below `a / b`, exactly. `a` must not be negative, `b` must be positive. */
export function ceilDivide(a: Decimal, b: Decimal): bigint {
  const [numerator, denominator] = asIntegers(a, b);
  return (numerator + denominator - 1n) / denominator;
}

/** The integer part of `a / b`, exactly; the fraction is discarded. `b` must not be zero. */
export function truncateDivide(a: Decimal, b: Decimal): bigint {
  const [numerator, denominator] = asIntegers(a, b);
  return numerator / denominator;
}

/** `a / b` rounded to `digits` fraction digits, halves away from zero. `b` must not be zero. */
export function divide(a: Decimal, b: Decimal, digits: number): Decimal {
  const [numerator, denominator] = asIntegers(a, b);
  const rounded = roundedQuotient(numerator * 10n ** BigInt(digits), denominator);
  return decimal(rounded).times(decimal(`1e-${digits}`));
}
