// Exact cost amounts, as integers in 10⁻¹⁸ of a currency unit.
import { roundedQuotient, unitsText } from '#kernel/decimal.ts';

/** More digits than any cloud writes; longer amounts are rounded once, half away from zero. */
export const costDigits = 18;
const pattern = /^([+-]?)(\d{0,30})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Parses a decimal text, with or without an exponent, into units of 10⁻¹⁸; undefined if it is invalid. '' is
 * 0.
 */
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

/** Formats units of 10⁻¹⁸ as decimal text. */
export const costText = (units: bigint): string => unitsText(units, costDigits);
