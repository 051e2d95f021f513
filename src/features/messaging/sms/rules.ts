// Rules of SMS: phone numbers in the gateways' format, and texts of limited length.

/** The country code of numbers with a leading 0. */
const homeCode = '886';

/**
 * Normalizes a phone number to E.164, `+886912345678`; undefined when it is invalid. Accepts what users type:
 * spaces, hyphens, dots and brackets, `00` for `+`, a Taiwanese number with its leading 0, and a country code
 * followed by the 0 (`+886 0912…`, `+44 (0)20…`). E.164: at most 15 digits, the first not 0; no subscriber
 * has fewer than 8.
 */
export function e164(written: string): string | undefined {
  const bare = written
    .normalize('NFKC')
    .trim()
    .replaceAll(/[\s\-./]|\(0\)/g, '')
    .replaceAll(/[()]/g, '');
  if (!/^\+?\d+$/.test(bare)) return undefined;
  const digits = bare.startsWith('+')
    ? bare.slice(1)
    : bare.startsWith('00')
      ? bare.slice(2)
      : bare.startsWith('0')
        ? homeCode + bare.slice(1)
        : undefined;
  if (digits === undefined) return undefined;
  const number = digits.startsWith(`${homeCode}0`) ? homeCode + digits.slice(homeCode.length + 1) : digits;
  // Taiwan: 9 digits for a mobile number, 8 or 9 for a landline.
  if (number.startsWith(homeCode) && !/^(9\d{8}|[2-8]\d{7,8})$/.test(number.slice(homeCode.length)))
    return undefined;
  return /^[1-9]\d{7,14}$/.test(number) ? `+${number}` : undefined;
}

/** This many characters make six parts of a Chinese message; gateways cut longer ones arbitrarily. */
export const maxLetters = 400;

/** Cuts a text to at most {@link maxLetters} characters, which limits its cost. */
export function smsText(text: string): string {
  const letters = [...text];
  return letters.length <= maxLetters ? text : `${letters.slice(0, maxLetters - 1).join('')}…`;
}
