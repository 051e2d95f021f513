// Rules of exchange rates: the path of rates from one currency to another, and exact conversion, rounded
// once.
import { decimal, isZero, roundedQuotient, trimDecimal, unitsOf, unitsText } from '#kernel/decimal.ts';
import { assert } from '#kernel/assert.ts';
import { currencies, isCurrency, money, type Currency, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import type { RateSource } from './contract.ts';

/** One unit of `currency` is worth `rate` units of `against`. */
export type Rate = {
  readonly currency: Currency;
  readonly against: Currency;
  readonly day: LocalDay;
  readonly rate: string;
  readonly source: RateSource;
};
export type Step = { readonly rate: Rate; readonly isInverse: boolean };

const most = 3;
const oldest = (steps: readonly Step[]): LocalDay | '' =>
  steps.reduce<LocalDay | ''>((day, { rate }) => (day === '' || rate.day < day ? rate.day : day), '');

/**
 * Finds the rates that lead from one currency to another, each applied forward or inverted: as few as
 * possible, at most three, and among equals those whose oldest day is the latest. Empty for the same
 * currency; undefined if none lead there. `rates` must contain each pair once.
 */
export function stepsBetween(rates: readonly Rate[], from: Currency, to: Currency): Step[] | undefined {
  if (from === to) return [];
  let paths: { readonly at: Currency; readonly steps: Step[] }[] = [{ at: from, steps: [] }];
  for (let length = 1; length <= most; length++) {
    paths = paths.flatMap(({ at, steps }) =>
      rates.flatMap((rate) => {
        const isInverse = rate.against === at;
        if (rate.currency !== at && !isInverse) return [];
        const next = isInverse ? rate.currency : rate.against;
        const isBack = next === from || steps.some((one) => one.rate === rate);
        return isBack ? [] : [{ at: next, steps: [...steps, { rate, isInverse }] }];
      }),
    );
    const arrivals = paths.filter(({ at }) => at === to).map(({ steps }) => steps);
    if (arrivals.length > 0) return arrivals.toSorted((a, b) => (oldest(a) < oldest(b) ? 1 : -1))[0];
  }
  return undefined;
}

const digits = 12;
/** The rate of a path as an exact fraction: units of the last currency per unit of the first. */
function fractionOf(steps: readonly Step[]): { numerator: bigint; denominator: bigint } {
  return steps.reduce(
    ({ numerator, denominator }, { rate, isInverse }) => {
      const units = unitsOf(rate.rate, digits);
      const one = 10n ** BigInt(digits);
      return {
        numerator: numerator * (isInverse ? one : units),
        denominator: denominator * (isInverse ? units : one),
      };
    },
    { numerator: 1n, denominator: 1n },
  );
}

/** Converts an amount at exact rates, rounded once to the currency's digits, half away from zero. */
export function converted(amount: Money, to: Currency, steps: readonly Step[]): Money {
  if (amount.currency === to) return amount;
  assert(steps.length > 0, 'rates lead to another currency');
  const { numerator, denominator } = fractionOf(steps);
  const scale = (currency: Currency) => 10n ** BigInt(currencies[currency].billingDigits);
  return money(
    roundedQuotient(amount.minor * numerator * scale(to), denominator * scale(amount.currency)),
    to,
  );
}

const shownDigits = 10;
/** The rate of a path as shown. */
export function rateText(steps: readonly Step[]): string {
  const { numerator, denominator } = fractionOf(steps);
  return trimDecimal(
    unitsText(roundedQuotient(numerator * 10n ** BigInt(shownDigits), denominator), shownDigits),
  );
}

/** The day of the oldest rate of a path; undefined for an empty one. */
export const dayOfSteps = (steps: readonly Step[]): LocalDay | undefined => {
  const day = oldest(steps);
  return day === '' ? undefined : day;
};

/** A day's rate in a file of the European Central Bank: what one euro is worth. */
export type EuroRate = { readonly day: LocalDay; readonly against: Currency; readonly rate: string };

/** Parses a cell of a file as a rate of a supported currency; empty for other currencies and for `N/A`. */
export function euroRate(day: string, code: string, text: string): EuroRate[] {
  const rate = text.trim();
  if (!isDay(day) || !isCurrency(code) || code === 'EUR') return [];
  return /^\d{1,12}(\.\d{1,12})?$/.test(rate) && !isZero(decimal(rate))
    ? [{ day, against: code, rate: trimDecimal(rate) }]
    : [];
}

const months: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
/** Parses `2026-11-25`, or `25 November 2026` as in the file of a single day. */
function dayOfCell(text: string): string {
  const match = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text);
  if (!match) return text;
  const month = months.indexOf(match[2] ?? '') + 1;
  return `${match[3]}-${String(month).padStart(2, '0')}-${(match[1] ?? '').padStart(2, '0')}`;
}

/**
 * Parses `eurofxref-hist.csv` or `eurofxref.csv`: a column for each currency, a row for each day. Undefined
 * when it is not such a file.
 */
export function euroRatesOfCsv(text: string): EuroRate[] | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const cells = (line: string | undefined) => (line ?? '').split(',').map((cell) => cell.trim());
  const [first, ...codes] = cells(lines[0]);
  if (first !== 'Date' || !codes.includes('USD')) return undefined;
  return lines.slice(1).flatMap((line) => {
    const [day = '', ...values] = cells(line);
    return values.flatMap((value, index) => euroRate(dayOfCell(day), codes[index] ?? '', value));
  });
}
