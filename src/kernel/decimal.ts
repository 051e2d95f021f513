// Exact decimals of any size for quantities and unit prices; no binary float ever enters.
import Big from 'big.js';

/** An arbitrary-precision decimal. Made only by {@link decimal}, so that no float slips in. */
export type Decimal = Big;

// An own constructor, so that no other code of the process can change its settings.
// `strict` makes it refuse JavaScript numbers; division is not used for money (see money.ts).
const Exact = Big();
Exact.strict = true;
Exact.NE = -1_000_000;
Exact.PE = 1_000_000;

/** What a decimal looks like on the wire: up to 24 integer and 12 fraction digits, no exponent. */
export const decimalPattern = /^-?\d{1,24}(\.\d{1,12})?$/;

/** Reads a decimal text exactly ("0.0000004"). Throws when it is no decimal. Accepts more digits than the wire does. */
export function decimal(text: string | bigint): Decimal {
  return new Exact(typeof text === 'bigint' ? text.toString() : text);
}

export const zero: Decimal = decimal('0');

/** Writes a decimal exactly and without trailing zeros: "2.50" becomes "2.5", "-0" becomes "0". */
export function decimalText(value: Decimal): string {
  return value.eq(zero) ? '0' : value.toFixed();
}

/** The same number without trailing zeros: "2.000" becomes "2". Throws when `text` is no decimal. */
export function trimDecimal(text: string): string {
  return decimalText(decimal(text));
}

/** The exact sum; 0 for an empty list. */
export function sumDecimals(values: Iterable<Decimal>): Decimal {
  let sum = zero;
  for (const value of values) sum = sum.plus(value);
  return sum;
}

/** The nearest integer, halves away from zero (Big's roundHalfUp), as bigint. */
export function roundToInteger(value: Decimal): bigint {
  return BigInt(value.round(0, 1).toFixed());
}

/** The smallest integer that is not below `value`, as bigint (a started package counts as one). */
export function ceilToInteger(value: Decimal): bigint {
  const down = value.round(0, 0);
  return BigInt((value.gt(down) ? down.plus('1') : down).toFixed());
}
