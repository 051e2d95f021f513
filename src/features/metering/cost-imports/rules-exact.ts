// Exact amounts of cost: whole numbers of 10⁻¹⁸ of a currency's unit.
import { roundedQuotient, unitsText } from '#kernel/decimal.ts';

/** More than any cloud writes; what has more is rounded once, half away from zero. */
export const costDigits = 18;
const pattern = /^([+-]?)(\d{0,30})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A decimal text, perhaps with an exponent, as units of 10⁻¹⁸; undefined when it is none. '' is nothing, 0. */
export function costUnits(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0n;
  const match = pattern.exec(trimmed);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const shift = Number.parseInt(exponent, 10) - fraction.length + costDigits;
  if (shift > 60 || shift < -200) return undefined;
  const digits = BigInt(whole + fraction);
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : roundedQuotient(digits, 10n ** BigInt(-shift));
  return sign === '-' ? -units : units;
}

/** Units of 10⁻¹⁸ as a decimal text. */
export const costText = (units: bigint): string => unitsText(units, costDigits);
