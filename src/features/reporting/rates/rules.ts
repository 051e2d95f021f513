// Rules of exchange rates: which rates lead from one currency to another, and amounts converted by them, rounded once.
import { roundedQuotient, trimDecimal, unitsOf, unitsText } from '#kernel/decimal.ts';
import { assert } from '#kernel/assert.ts';
import { currencies, isCurrency, money, type Currency, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import type { RateSource } from './contract.ts';

/** One unit of `currency` is `rate` of `against`. */
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
 * The rates that lead from one currency to another, each by itself or the other way round: as few as possible, at most three, and of those as many the
 * ones whose oldest day is the latest. No steps for the same currency; undefined where none lead there. `rates` has one of each pair.
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
    const there = paths.filter(({ at }) => at === to).map(({ steps }) => steps);
    if (there.length > 0) return there.toSorted((a, b) => (oldest(a) < oldest(b) ? 1 : -1))[0];
  }
  return undefined;
}

const digits = 12;
/** The steps as an exact fraction: so many of the last currency for one of the first. */
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

/** An amount in another currency by exact rates, rounded half away from zero to its digits, once. */
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
/** The rate of steps as it is shown. */
export function rateText(steps: readonly Step[]): string {
  const { numerator, denominator } = fractionOf(steps);
  return trimDecimal(
    unitsText(roundedQuotient(numerator * 10n ** BigInt(shownDigits), denominator), shownDigits),
  );
}

/** The day of the oldest rate of steps; undefined without any. */
export const dayOfSteps = (steps: readonly Step[]): LocalDay | undefined => {
  const day = oldest(steps);
  return day === '' ? undefined : day;
};

/** A day's rate of a file of the European Central Bank: one euro is so many. */
export type EuroRate = { readonly day: LocalDay; readonly against: Currency; readonly rate: string };

/** What of a day's cell of a file is a rate of a currency that can be billed; nothing for others and for `N/A`. */
export function euroRate(day: string, code: string, text: string): EuroRate[] {
  const rate = text.trim();
  if (!isDay(day) || !isCurrency(code) || code === 'EUR') return [];
  return /^\d{1,12}(\.\d{1,12})?$/.test(rate) && !/^0+(\.0+)?$/.test(rate)
    ? [{ day, against: code, rate: trimDecimal(rate) }]
    : [];
}

const months: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
/** `2026-11-25`, or `25 November 2026` as the file of a single day has it. */
function dayOfCell(text: string): string {
  const match = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text);
  if (!match) return text;
  const month = months.indexOf(match[2] ?? '') + 1;
  return `${match[3]}-${String(month).padStart(2, '0')}-${(match[1] ?? '').padStart(2, '0')}`;
}

/** `eurofxref-hist.csv` or `eurofxref.csv`: a column for each currency, a row for each day. Undefined when it is no such file. */
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
