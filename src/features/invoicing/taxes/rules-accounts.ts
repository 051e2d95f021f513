// The seller's bank account: how it is typed, and whether it is valid.

/** An IBAN or BIC as stored: upper case, without the spaces, dots and hyphens that people group it with. */
export const normalAccount = (typed: string): string => typed.replaceAll(/[\s.-]/g, '').toUpperCase();

/**
 * Whether a text is an IBAN without spaces and with valid check digits (ISO 13616: MOD 97-10 with the first
 * four characters last).
 */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  let rest = 0;
  for (const letter of `${iban.slice(4)}${iban.slice(0, 4)}`) {
    const value = parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Whether a text is a BIC of 8 or 11 characters (ISO 9362). */
export const isBic = (bic: string): boolean => /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic);
