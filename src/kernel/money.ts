// Amounts of money: integer minor units with their currency, rounded once so that sums always add up.
import { decimal, roundedQuotient, roundToInteger, unitsOf, type Decimal } from './decimal.ts';
import { assert } from './assert.ts';

/**
 * The currencies that can be billed, with the fraction digits used on bills and by payment providers. ISO
 * 4217 gives TWD two digits, but bills in Taiwan show none (domain.md, "Taiwan"); providers still count in
 * hundredths.
 */
export const currencies = {
  TWD: { billingDigits: 0, providerDigits: 2 },
  USD: { billingDigits: 2, providerDigits: 2 },
  EUR: { billingDigits: 2, providerDigits: 2 },
  GBP: { billingDigits: 2, providerDigits: 2 },
  JPY: { billingDigits: 0, providerDigits: 0 },
  KRW: { billingDigits: 0, providerDigits: 0 },
  CNY: { billingDigits: 2, providerDigits: 2 },
  HKD: { billingDigits: 2, providerDigits: 2 },
  SGD: { billingDigits: 2, providerDigits: 2 },
  MYR: { billingDigits: 2, providerDigits: 2 },
  THB: { billingDigits: 2, providerDigits: 2 },
  VND: { billingDigits: 0, providerDigits: 0 },
  IDR: { billingDigits: 2, providerDigits: 2 },
  PHP: { billingDigits: 2, providerDigits: 2 },
  INR: { billingDigits: 2, providerDigits: 2 },
  AUD: { billingDigits: 2, providerDigits: 2 },
  NZD: { billingDigits: 2, providerDigits: 2 },
  CAD: { billingDigits: 2, providerDigits: 2 },
  CHF: { billingDigits: 2, providerDigits: 2 },
  SEK: { billingDigits: 2, providerDigits: 2 },
  NOK: { billingDigits: 2, providerDigits: 2 },
  DKK: { billingDigits: 2, providerDigits: 2 },
  PLN: { billingDigits: 2, providerDigits: 2 },
  CZK: { billingDigits: 2, providerDigits: 2 },
  BRL: { billingDigits: 2, providerDigits: 2 },
  MXN: { billingDigits: 2, providerDigits: 2 },
  ZAR: { billingDigits: 2, providerDigits: 2 },
  KWD: { billingDigits: 3, providerDigits: 3 },
} as const satisfies Record<string, { billingDigits: number; providerDigits: number }>;

export type Currency = keyof typeof currencies;
export const currencyCodes = Object.keys(currencies) as [Currency, ...Currency[]];

/** Whether a text is the code of a currency that can be billed. */
export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(currencies, text);
}

/** An amount in minor units, at its currency's billing digits (USD: cents, TWD: dollars). */
export type Money = { readonly minor: bigint; readonly currency: Currency };

/** Creates an amount from minor units. */
export function money(minor: bigint, currency: Currency): Money {
  return { minor, currency };
}

/** The exact sum of amounts in one currency. Throws when an amount has another currency. */
export function sumMoney(amounts: Iterable<Money>, currency: Currency): Money {
  let minor = 0n;
  for (const amount of amounts) {
    assert(amount.currency === currency, `amounts in ${currency} add up with ${amount.currency}`);
    minor += amount.minor;
  }
  return { minor, currency };
}

/** `a - b`. Throws when the currencies differ. */
export function subtractMoney(a: Money, b: Money): Money {
  assert(a.currency === b.currency, `${a.currency} minus ${b.currency}`);
  return { minor: a.minor - b.minor, currency: a.currency };
}

/**
 * Rounds an exact amount in major units to the currency's billing digits, half away from zero (domain.md,
 * "Money"). Money is rounded only here and in {@link percentOf}: once per line, discount and tax rate.
 */
export function roundToMoney(exact: Decimal, currency: Currency): Money {
  const digits = currencies[currency].billingDigits;
  return { minor: roundToInteger(digits === 0 ? exact : exact.times(decimal(`1e${digits}`))), currency };
}

const percentDigits = 12;
const percentUnit = 100n * 10n ** BigInt(percentDigits);
/**
 * A percentage of an amount (`percent` "5" is 5 %, up to 12 fraction digits), rounded half away from zero to
 * the currency's billing digits: a tax, a discount, a partial refund.
 * @throws RangeError when `percent` has more fraction digits.
 */
export function percentOf(amount: Money, percent: string): Money {
  const minor = roundedQuotient(amount.minor * unitsOf(percent, percentDigits), percentUnit);
  return { minor, currency: amount.currency };
}

/** Formats an amount in major units with exactly the currency's digits: "1234.50" (USD), "-320" (TWD). */
export function moneyText(amount: Money): string {
  const digits = currencies[amount.currency].billingDigits;
  const sign = amount.minor < 0n ? '-' : '';
  const all = (amount.minor < 0n ? -amount.minor : amount.minor).toString().padStart(digits + 1, '0');
  return digits === 0 ? `${sign}${all}` : `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/**
 * The maximum integer digits of an amount that is accepted or issued. It fits a bigint column in minor units
 * of every currency.
 */
export const maxMoneyDigits = 15;

/** Whether an amount may be accepted, issued or booked. Sums of many amounts have no limit. */
export function isWithinBounds(amount: Money): boolean {
  const size = amount.minor < 0n ? -amount.minor : amount.minor;
  return size < 10n ** BigInt(maxMoneyDigits + currencies[amount.currency].billingDigits);
}

/**
 * Parses an amount from a response, of any size. Returns undefined when it is not a decimal or has more
 * fraction digits than the currency.
 */
export function readMoney(text: string, currency: Currency): Money | undefined {
  const digits = currencies[currency].billingDigits;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const fraction = match[3] ?? '';
  if (fraction.length > digits) return undefined;
  const minor = BigInt((match[2] ?? '') + fraction.padEnd(digits, '0'));
  return { minor: match[1] === '-' ? -minor : minor, currency };
}

const acceptedPattern = new RegExp(`^-?\\d{1,${maxMoneyDigits}}(\\.|$)`);
/**
 * Parses an amount from a request. Like {@link readMoney}, but also returns undefined above {@link
 * maxMoneyDigits} integer digits.
 */
export function parseMoney(text: string, currency: Currency): Money | undefined {
  return acceptedPattern.test(text) ? readMoney(text, currency) : undefined;
}

/** Converts an amount to an exact decimal in major units. */
export function moneyDecimal(amount: Money): Decimal {
  return decimal(moneyText(amount));
}

/** Converts an amount to the minor units that payment providers count in: NT$100 is 10000. */
export function toProviderMinor(amount: Money): bigint {
  const { billingDigits, providerDigits } = currencies[amount.currency];
  return amount.minor * 10n ** BigInt(providerDigits - billingDigits);
}

/**
 * Converts an amount reported by a payment provider; undefined when the currency's billing digits cannot
 * express it (half a Taiwan dollar).
 */
export function fromProviderMinor(minor: bigint, currency: Currency): Money | undefined {
  const { billingDigits, providerDigits } = currencies[currency];
  const factor = 10n ** BigInt(providerDigits - billingDigits);
  return minor % factor === 0n ? { minor: minor / factor, currency } : undefined;
}

/** A whole number, such as an amount in minor units, without its sign. */
export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
