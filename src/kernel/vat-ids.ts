// VAT ids: their format by country, and check digits where the country publishes the algorithm. Formats are
// those of VIES (European Commission, "VIES FAQ", question 11); check digits follow each country's own
// publications.
import { isTaxId } from './tax-ids.ts';

/** Why a VAT id is rejected: another country's prefix, wrong format, or a wrong check digit. */
export type VatIdIssue = 'country' | 'form' | 'check';

type Format = {
  /** Matches the part after the prefix. */
  readonly form: RegExp;
  readonly example: string;
  /** Validates the check digits, where the algorithm is known. */
  readonly isRight?: (rest: string) => boolean;
};

/** The VAT prefix of a country: its code, but EL for Greece. */
export const vatPrefixOf = (country: string): string => (country === 'GR' ? 'EL' : country);

const digit = (text: string, index: number): number => Number(text[index] ?? '0');
const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * digit(text, index), 0);
const crossSum = (value: number): number => Math.floor(value / 10) + (value % 10);

/** Luhn over all digits of a text; the last one is the check digit. */
function isLuhn(text: string): boolean {
  let sum = 0;
  for (const [index, letter] of [...text].toReversed().entries())
    sum += index % 2 === 0 ? Number(letter) : crossSum(Number(letter) * 2);
  return sum % 10 === 0;
}

/** ISO 7064, MOD 11,10. */
function isMod1110(text: string): boolean {
  let product = 10;
  for (const letter of text.slice(0, -1)) {
    const sum = (Number(letter) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === digit(text, text.length - 1);
}

/** ISO 7064, MOD 97-10, of a text whose letters count from A = 10. */
function isMod97(text: string): boolean {
  let rest = 0;
  for (const letter of text) {
    const value = parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** 11 minus the weighted sum modulo 11. Countries map the results 10 and 11 to 0 or reject them. */
const elevenLess = (text: string, weights: readonly number[]): number => 11 - (weighted(text, weights) % 11);

function isAustrian(rest: string): boolean {
  const digits = rest.slice(1);
  const sum = [1, 2, 1, 2, 1, 2, 1].reduce(
    (all, weight, index) => all + crossSum(weight * digit(digits, index)),
    0,
  );
  return (10 - ((sum + 4) % 10)) % 10 === digit(digits, 7);
}

function isBritish(rest: string): boolean {
  if (!/^\d/.test(rest)) return true;
  const sum = weighted(rest, [8, 7, 6, 5, 4, 3, 2]) + Number(rest.slice(7, 9));
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
}

function isDutch(rest: string): boolean {
  const check = weighted(rest, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  // Since 2020, sole traders have ids whose check digits cover the whole id.
  return check === digit(rest, 8) || isMod97(`NL${rest}`);
}

function isFrench(rest: string): boolean {
  if (!/^\d{11}$/.test(rest)) return true;
  const siren = Number(rest.slice(2));
  return (12 + 3 * (siren % 97)) % 97 === Number(rest.slice(0, 2));
}

function isIrish(rest: string): boolean {
  if (!/^\d{7}[A-Z]/.test(rest)) return true;
  const second = rest[8];
  const extra = second === undefined || second === 'W' ? 0 : second.charCodeAt(0) - 64;
  const sum = weighted(rest, [8, 7, 6, 5, 4, 3, 2]) + 9 * extra;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === rest[7];
}

function isCzech(rest: string): boolean {
  // Ids of natural persons are birth numbers, whose digits are not checked here.
  if (rest.length !== 8) return true;
  const check = elevenLess(rest, [8, 7, 6, 5, 4, 3, 2]);
  return (check === 10 ? 0 : check === 11 ? 1 : check) === digit(rest, 7);
}

function isRomanian(rest: string): boolean {
  const all = rest.padStart(10, '0');
  return ((weighted(all, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === digit(all, 9);
}

const formats: Readonly<Record<string, Format>> = {
  AT: { form: /^U\d{8}$/, example: 'ATU13585627', isRight: isAustrian },
  BE: {
    form: /^[01]\d{9}$/,
    example: 'BE0411905847',
    isRight: (rest) => 97 - (Number(rest.slice(0, 8)) % 97) === Number(rest.slice(8)),
  },
  BG: { form: /^\d{9,10}$/, example: 'BG175074752' },
  CY: { form: /^\d{8}[A-Z]$/, example: 'CY10259033P' },
  CZ: { form: /^\d{8,10}$/, example: 'CZ25123891', isRight: isCzech },
  DE: { form: /^[1-9]\d{8}$/, example: 'DE136695976', isRight: isMod1110 },
  DK: {
    form: /^\d{8}$/,
    example: 'DK13585628',
    isRight: (rest) => weighted(rest, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  EE: {
    form: /^\d{9}$/,
    example: 'EE100931558',
    isRight: (rest) => weighted(rest, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  },
  EL: {
    form: /^\d{9}$/,
    example: 'EL094259216',
    isRight: (rest) => (weighted(rest, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digit(rest, 8),
  },
  ES: { form: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, example: 'ESA13585625' },
  FI: {
    form: /^\d{8}$/,
    example: 'FI20774740',
    isRight: (rest) => elevenLess(rest, [7, 9, 10, 5, 8, 4, 2]) % 11 === digit(rest, 7),
  },
  FR: { form: /^[A-HJ-NP-Z0-9]{2}\d{9}$/, example: 'FR83404833048', isRight: isFrench },
  GB: { form: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/, example: 'GB980780684', isRight: isBritish },
  HR: { form: /^\d{11}$/, example: 'HR33392005961', isRight: isMod1110 },
  HU: {
    form: /^\d{8}$/,
    example: 'HU12892312',
    isRight: (rest) => (10 - (weighted(rest, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === digit(rest, 7),
  },
  IE: { form: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/, example: 'IE6433435F', isRight: isIrish },
  IT: { form: /^\d{11}$/, example: 'IT00743110157', isRight: isLuhn },
  LT: { form: /^(\d{9}|\d{12})$/, example: 'LT119511515' },
  LU: {
    form: /^\d{8}$/,
    example: 'LU15027442',
    isRight: (rest) => Number(rest.slice(0, 6)) % 89 === Number(rest.slice(6)),
  },
  LV: { form: /^\d{11}$/, example: 'LV40003521600' },
  MT: {
    form: /^\d{8}$/,
    example: 'MT11679112',
    isRight: (rest) => 37 - (weighted(rest, [3, 4, 6, 7, 8, 9]) % 37) === Number(rest.slice(6)),
  },
  NL: { form: /^\d{9}B\d{2}$/, example: 'NL004495445B01', isRight: isDutch },
  PL: {
    form: /^\d{10}$/,
    example: 'PL8567346215',
    isRight: (rest) => weighted(rest, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digit(rest, 9),
  },
  PT: {
    form: /^\d{9}$/,
    example: 'PT501964843',
    isRight: (rest) => {
      const check = elevenLess(rest, [9, 8, 7, 6, 5, 4, 3, 2]);
      return (check > 9 ? 0 : check) === digit(rest, 8);
    },
  },
  RO: { form: /^[1-9]\d{1,9}$/, example: 'RO18547290', isRight: isRomanian },
  SE: { form: /^\d{12}$/, example: 'SE123456789701', isRight: (rest) => isLuhn(rest.slice(0, 10)) },
  SI: {
    form: /^[1-9]\d{7}$/,
    example: 'SI50223054',
    isRight: (rest) => {
      const check = elevenLess(rest, [8, 7, 6, 5, 4, 3, 2]);
      return check < 11 && check % 10 === digit(rest, 7);
    },
  },
  SK: { form: /^[1-9]\d{9}$/, example: 'SK2022749619', isRight: (rest) => Number(rest) % 11 === 0 },
  TW: { form: /^\d{8}$/, example: 'TW04595257', isRight: isTaxId },
};
/** For countries without a known format: the prefix, then letters and digits. */
const anyFormat: Format = { form: /^[A-Z0-9]{2,18}$/, example: '' };

/** Normalizes a VAT id for storage: upper case, without spaces, dots and hyphens. */
export const tidyVatId = (typed: string): string => typed.replaceAll(/[\s.-]/g, '').toUpperCase();

/** Validates a normalized VAT id of a country; undefined when it is valid. */
export function vatIdIssue(vatId: string, country: string): VatIdIssue | undefined {
  const prefix = vatPrefixOf(country);
  // Northern Ireland has its own prefix for goods.
  const isOfCountry = vatId.startsWith(prefix) || (country === 'GB' && vatId.startsWith('XI'));
  if (country === '' || !isOfCountry) return 'country';
  const { form, isRight } = formats[prefix] ?? anyFormat;
  const rest = vatId.slice(2);
  if (!form.test(rest)) return 'form';
  return isRight && !isRight(rest) ? 'check' : undefined;
}

/** An example VAT id of a country, for the error message that explains the format. */
export const vatIdExample = (country: string): string =>
  (formats[vatPrefixOf(country)] ?? anyFormat).example || `${vatPrefixOf(country)}123456789`;

/** Schemes of electronic addresses: the European Commission's code list EAS. */
const addressSchemes: ReadonlySet<string> = new Set(
  '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0151 0177 0183 0184 0188 0190 0191 0192 0193 0195 0196 0198 0199 0200 0201 0202 0204 0208 0209 0210 0211 0212 0213 0215 0216 0218 0221 0230 0235 9901 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 EM AQ AS AU'.split(
    ' ',
  ),
);
/**
 * Whether a text is an electronic address as in Peppol: a scheme of the EAS code list, a colon, and the id in
 * that scheme.
 */
export function isElectronicAddress(text: string): boolean {
  const [, scheme, id] = /^([0-9A-Z]{2,4}):([\x21-\x7e]{1,80})$/.exec(text) ?? [];
  return scheme !== undefined && id !== undefined && addressSchemes.has(scheme);
}
