// Formats amounts, numbers and times in every language. Only this file and the kernel's formats use Intl.
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import {
  briefDecimal,
  formatDecimal,
  formatMoney,
  formatMoneyChange,
  formatQuantity,
  formatUnitPrice,
  grouped,
  withSymbol,
} from '#kernel/format-money.ts';
import {
  conventionsOf,
  isContentLanguage,
  packOf,
  tagOf,
  type InBoth,
  type Language,
} from '#kernel/language.ts';
import { once } from '#kernel/once.ts';
import { currencies, type Currency, type Money, absolute } from '#kernel/money.ts';

/** A shortened text and the full one, for tooltips and screen readers. */
export type Short = { readonly text: string; readonly full: string };
export type Format = ReturnType<typeof makeFormat>;

const made = new Map<string, Format>();

/** The formats of a language in a time zone (IANA name). The same arguments return the same object. */
export function formatOf(language: Language, timeZone: string): Format {
  const key = `${language} ${timeZone}`;
  const known = made.get(key) ?? makeFormat(language, timeZone);
  made.set(key, known);
  return known;
}

function makeFormat(language: Language, timeZone: string) {
  return { language, timeZone, ...amounts(language), ...moments(language, timeZone) };
}

/** Powers of ten that have a name, largest first. */
const scales: InBoth<readonly (readonly [bigint, string])[]> = {
  zhTW: [
    [10n ** 12n, ' 兆'],
    [10n ** 8n, ' 億'],
    [10n ** 4n, ' 萬'],
  ],
  enUS: [
    [10n ** 12n, 'T'],
    [10n ** 9n, 'B'],
    [10n ** 6n, 'M'],
    [10n ** 3n, 'K'],
  ],
};
const scalesOf = (language: Language): readonly (readonly [bigint, string])[] =>
  packOf(language)?.scales?.map(([power, name]) => [10n ** BigInt(power), name] as const) ??
  scales[conventionsOf(language)];

/** Below 100,000 the whole number is short enough. */
const shortenFrom = 100_000n;

/**
 * `value / scale` with one decimal, rounded half away from zero, without a trailing `.0`; `value` is not
 * negative.
 */
function tenths(value: bigint, scale: bigint): string {
  const rounded = (value * 20n + scale) / (scale * 2n);
  const [whole, rest] = [rounded / 10n, rounded % 10n];
  return grouped(whole.toString()) + (rest === 0n ? '' : `.${rest}`);
}

function compact(language: Language, whole: bigint): string {
  const size = absolute(whole);
  const sign = whole < 0n ? '-' : '';
  if (size < shortenFrom) return sign + grouped(size.toString());
  const steps = scalesOf(language);
  // 99,995,000 rounds up to 10,000 萬, which is 1 億: a step also applies where rounding reaches it.
  const step = steps.find(
    ([scale], index) => size >= scale - (index < steps.length - 1 ? (steps[index + 1]?.[0] ?? 0n) / 20n : 0n),
  ) ?? [1n, ''];
  return sign + tenths(size, step[0]) + step[1];
}

function amounts(language: Language) {
  const tag = tagOf(language);
  const percents = once(() => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }));
  const plain = once(() => new Intl.NumberFormat(tag, { maximumFractionDigits: 20 }));

  const money = (amount: Money): string => formatMoney(amount, language);
  const number = (value: number | bigint | string): string =>
    typeof value === 'string' ? formatDecimal(value) : plain().format(value);
  const bytesOf = (count: number, step: 1000 | 1024): string => {
    const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
    let [value, unit] = [count, 0];
    while (value >= step - 0.5 && unit < units.length - 1) [value, unit] = [value / step, unit + 1];
    return `${plain().format(value >= 100 || unit === 0 ? Math.round(value) : Math.round(value * 10) / 10)} ${units[unit]}`;
  };

  return {
    /** `NT$1,234`, `-NT$1,234`, `US$1,234.50`: exact. */
    money,
    /** For figures and axes: `NT$12.3 萬` / `NT$123.5K` from 100,000 on; `full` is the exact amount. */
    moneyShort(amount: Money): Short {
      const whole = amount.minor / 10n ** BigInt(currencies[amount.currency].billingDigits);
      const isShort = absolute(whole) >= shortenFrom;
      return {
        text: isShort ? withSymbol(compact(language, whole), amount.currency, language) : money(amount),
        full: money(amount),
      };
    },
    /** `+NT$486`, `-NT$12`; zero has no sign. */
    moneyChange: (amount: Money): string => formatMoneyChange(amount, language),
    /** A unit price with all its digits: `NT$0.0000004`. `price` is a decimal string in major units. */
    unitPrice: (price: string, currency: Currency): string => formatUnitPrice(price, currency, language),
    /** A decimal string with its unit: `820 GB`, `1,234.5`. */
    quantity: (value: string, unit = ''): string => formatQuantity(value, unit),
    /** `1,234`; a string is a decimal and stays exact. */
    number,
    /** A decimal string for tables, with up to six decimals: `15.652173…`. Its explanation has all of them. */
    brief: briefDecimal,
    /** `1.2 億` / `120M`, from 100,000 on. */
    numberShort(value: number | bigint): Short {
      return {
        text: compact(language, typeof value === 'bigint' ? value : BigInt(Math.round(value))),
        full: number(value),
      };
    },
    /** 0.942 → `94.2%`. */
    percent: (ratio: number): string => percents().format(ratio),
    /** 0.082 → `+8.2%`; zero has no sign. */
    percentChange: (ratio: number): string => (ratio > 0 ? '+' : '') + percents().format(ratio),
    /** Decimal units: 820_000_000_000 → `820 GB`. */
    bytes: (count: number): string => bytesOf(count, 1000),
    /** The largest size of a file, as it was set: 64 × 1024 × 1024 → `64 MB`, not `67.1 MB`. */
    bytesAtMost: (count: number): string => bytesOf(count, count % 1024 === 0 ? 1024 : 1000),
    /** A remark after a figure or a name: `NT$486（+8.2%）` / `NT$486 (+8.2%)`. */
    aside: (text: string): string => (conventionsOf(language) === 'zhTW' ? `（${text}）` : ` (${text})`),
    /** Joins optional sentences: in Chinese without a space, in English with one. */
    sentences: (...parts: readonly (string | false | undefined)[]): string =>
      parts
        .filter((each) => each !== false && each !== undefined && each !== '')
        .join(conventionsOf(language) === 'zhTW' ? '' : ' '),
    /** Joins names into one phrase: `甲、乙和丙` / `A, B, and C`. */
    list: (items: readonly string[]): string =>
      new Intl.ListFormat(tag, { type: 'conjunction' }).format(items),
  };
}

/** For less than a minute ago, where `Intl` says "now". */
const justNow: InBoth<string> = { zhTW: '剛剛', enUS: 'just now' };
const justNowOf = (language: Language): string | undefined =>
  isContentLanguage(language) ? justNow[language] : packOf(language)?.justNow;

const relativeSteps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function moments(language: Language, timeZone: string) {
  const relatives = once(() => new Intl.RelativeTimeFormat(tagOf(language), { numeric: 'auto' }));

  return {
    ...dayFormat(language),
    ...momentFormat(language, timeZone),
    /**
     * `3 小時前`, `昨天`, `3 天後`. Both times are arguments, so that all relative times of a page change in the
     * same render.
     */
    relative(moment: Date, now: Date): string {
      const seconds = (moment.getTime() - now.getTime()) / 1000;
      const [unit, size] = relativeSteps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 60];
      if (unit !== 'second') return relatives().format(Math.trunc(seconds / size), unit);
      return (seconds <= 0 ? justNowOf(language) : undefined) ?? relatives().format(0, 'second');
    },
  };
}
