// Formats amounts, prices and quantities, identically on screens and in documents. Exact: never through a
// float.
import { trimDecimal } from './decimal.ts';
import { type Language, tagOf } from './language.ts';
import { currencies, moneyText, type Currency, type Money } from './money.ts';

/** Groups the digits of a plain decimal text: `-1234567.50` becomes `-1,234,567.50`. */
export function grouped(plain: string): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(plain) ?? [];
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + fraction;
}

const symbols = new Map<string, string>();
/** 'NT$'; and 'US$' in Chinese but '$' in English. CLDR writes TWD as '$' in zh-TW, which looks like US dollars. */
function symbolOf(language: Language, currency: Currency): string {
  if (currency === 'TWD') return 'NT$';
  const key = `${language}${currency}`;
  const known =
    symbols.get(key) ??
    new Intl.NumberFormat(tagOf(language), { style: 'currency', currency })
      .formatToParts(0)
      .find((part) => part.type === 'currency')?.value ??
    currency;
  symbols.set(key, known);
  // A currency code, unlike a symbol, needs a space: 'SEK 100'.
  return /\w$/.test(known) ? `${known} ` : known;
}

/** Puts the currency symbol before an already grouped figure: `-1,234` becomes `-NT$1,234`. */
export function withSymbol(figure: string, currency: Currency, language: Language): string {
  return figure.startsWith('-')
    ? `-${symbolOf(language, currency)}${figure.slice(1)}`
    : symbolOf(language, currency) + figure;
}

/** Formats an amount exactly: `NT$1,234`, `-NT$1,234`, `US$1,234.50`. */
export function formatMoney(amount: Money, language: Language): string {
  return withSymbol(grouped(moneyText(amount)), amount.currency, language);
}

/** Formats an amount with an explicit sign: `+NT$486`, `-NT$12`; zero has no sign. */
export function formatMoneyChange(amount: Money, language: Language): string {
  return (amount.minor > 0n ? '+' : '') + formatMoney(amount, language);
}

/**
 * Formats a unit price with all its digits: `NT$0.0000004`, `$0.10`, `$5`. `price` is a decimal text in major
 * units; throws when it is not.
 */
export function formatUnitPrice(price: string, currency: Currency, language: Language): string {
  const [whole = '', fraction] = trimDecimal(price).split('.');
  // Ten cents are 0.10, as in an amount.
  const digits = fraction === undefined ? '' : `.${fraction.padEnd(currencies[currency].billingDigits, '0')}`;
  return withSymbol(grouped(whole + digits), currency, language);
}

/** Formats a decimal text with all its digits, grouped: `1,234.5`. Throws when it is not a decimal. */
export function formatDecimal(value: string): string {
  return grouped(trimDecimal(value));
}

/** The decimals that a table has room for. */
const briefDigits = 6;
/** Formats a decimal with up to six decimals; of more, the rest is cut off and marked: `15.652173…`. */
export function briefDecimal(value: string): string {
  const text = trimDecimal(value);
  const [, rest = ''] = text.split('.');
  return rest.length > briefDigits ? `${grouped(text.slice(0, briefDigits - rest.length))}…` : grouped(text);
}

/** Formats a quantity with its unit: `820 GB`. */
export function formatQuantity(value: string, unit: string): string {
  return unit === '' ? formatDecimal(value) : `${formatDecimal(value)} ${unit}`;
}
