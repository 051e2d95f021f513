// How amounts, numbers and moments are written in either language; the only place that uses Intl.
import { languageTags, type Language } from '#kernel/language.ts';
import { currencies, moneyText, type Currency, type Money } from '#kernel/money.ts';
import { trimDecimal } from '#kernel/decimal.ts';

/** A shortened text and the whole one, for tooltips and screen readers. */
export type Short = { readonly text: string; readonly full: string };
export type Format = ReturnType<typeof makeFormat>;

const made = new Map<string, Format>();

/** The formats of a language in a time zone (IANA name). The same arguments give the same object. */
export function formatOf(language: Language, timeZone: string): Format {
  const key = `${language} ${timeZone}`;
  const known = made.get(key) ?? makeFormat(language, timeZone);
  made.set(key, known);
  return known;
}

function makeFormat(language: Language, timeZone: string) {
  return { language, timeZone, ...amounts(language), ...moments(language, timeZone) };
}

/** `-1234567.50` → `-1,234,567.50`, digit for digit: no amount passes through a float. */
function grouped(plain: string): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(plain) ?? [];
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + fraction;
}

const symbols = new Map<string, string>();
/** 'NT$', and 'US$' in Chinese but '$' in English. CLDR writes TWD as '$' in zh-TW, which nobody could tell from dollars. */
function symbolOf(language: Language, currency: Currency): string {
  if (currency === 'TWD') return 'NT$';
  const key = `${language}${currency}`;
  const known = symbols.get(key)
    ?? new Intl.NumberFormat(languageTags[language], { style: 'currency', currency }).formatToParts(0).find((part) => part.type === 'currency')?.value
    ?? currency;
  symbols.set(key, known);
  // A code instead of a sign needs a space: 'SEK 100'.
  return /\w$/.test(known) ? `${known} ` : known;
}

/** Powers of ten that get a name, biggest first. */
const scales: Record<Language, readonly (readonly [bigint, string])[]> = {
  zhTW: [[10n ** 12n, ' 兆'], [10n ** 8n, ' 億'], [10n ** 4n, ' 萬']],
  enUS: [[10n ** 12n, 'T'], [10n ** 9n, 'B'], [10n ** 6n, 'M'], [10n ** 3n, 'K']],
};
/** Below 100,000 the whole number is short enough. */
const shortenFrom = 100_000n;

/** One decimal of `value / scale`, half away from zero, without a trailing `.0`; `value` is not negative. */
function tenths(value: bigint, scale: bigint): string {
  const rounded = (value * 20n + scale) / (scale * 2n);
  const [whole, rest] = [rounded / 10n, rounded % 10n];
  return grouped(whole.toString()) + (rest === 0n ? '' : `.${rest}`);
}

function compact(language: Language, whole: bigint): string {
  const size = whole < 0n ? -whole : whole;
  const sign = whole < 0n ? '-' : '';
  if (size < shortenFrom) return sign + grouped(size.toString());
  const steps = scales[language];
  // 99,995,000 rounds up to 10,000 萬, which is called 1 億: a step also begins where rounding reaches it.
  const step = steps.find(([scale], index) => size >= scale - (index < steps.length - 1 ? (steps[index + 1]?.[0] ?? 0n) / 20n : 0n)) ?? [1n, ''];
  return sign + tenths(size, step[0]) + step[1];
}

function amounts(language: Language) {
  const tag = languageTags[language];
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const plain = new Intl.NumberFormat(tag, { maximumFractionDigits: 20 });

  const withSymbol = (text: string, currency: Currency): string =>
    text.startsWith('-') ? `-${symbolOf(language, currency)}${text.slice(1)}` : symbolOf(language, currency) + text;

  const money = (amount: Money): string => withSymbol(grouped(moneyText(amount)), amount.currency);

  const number = (value: number | bigint | string): string =>
    typeof value === 'string' ? grouped(trimDecimal(value)) : plain.format(value);

  return {
    /** `NT$1,234`, `-NT$1,234`, `US$1,234.50`: exact. */
    money,
    /** For figures and axes: `NT$12.3 萬` / `NT$123.5K` from 100,000 on; `full` is the exact amount. */
    moneyShort(amount: Money): Short {
      const whole = amount.minor / 10n ** BigInt(currencies[amount.currency].billingDigits);
      const isShort = (whole < 0n ? -whole : whole) >= shortenFrom;
      return { text: isShort ? withSymbol(compact(language, whole), amount.currency) : money(amount), full: money(amount) };
    },
    /** `+NT$486`, `-NT$12`; zero has no sign. */
    moneyChange: (amount: Money): string => (amount.minor > 0n ? '+' : '') + money(amount),
    /** A price of one unit, all its digits: `NT$0.0000004`. `price` is a decimal text in major units. */
    unitPrice: (price: string, currency: Currency): string => withSymbol(grouped(trimDecimal(price)), currency),
    /** A decimal text with its unit: `820 GB`, `1,234.5`. */
    quantity: (value: string, unit = ''): string => (unit === '' ? number(value) : `${number(value)} ${unit}`),
    /** `1,234`; a text is a decimal and stays exact. */
    number,
    /** `1.2 億` / `120M`, from 100,000 on. */
    numberShort(value: number | bigint): Short {
      return { text: compact(language, typeof value === 'bigint' ? value : BigInt(Math.round(value))), full: number(value) };
    },
    /** 0.942 → `94.2%`. */
    percent: (ratio: number): string => percents.format(ratio),
    /** 0.082 → `+8.2%`; zero has no sign. */
    percentChange: (ratio: number): string => (ratio > 0 ? '+' : '') + percents.format(ratio),
    /** Decimal units: 820_000_000_000 → `820 GB`. */
    bytes(count: number): string {
      const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
      let [value, unit] = [count, 0];
      while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
      return `${plain.format(value >= 100 || unit === 0 ? Math.round(value) : Math.round(value * 10) / 10)} ${units[unit]}`;
    },
    /** Names in one sentence: `甲、乙和丙` / `A, B, and C`. */
    list: (items: readonly string[]): string => new Intl.ListFormat(tag, { type: 'conjunction' }).format(items),
  };
}

const relativeSteps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400], ['month', 30 * 86_400], ['week', 7 * 86_400], ['day', 86_400], ['hour', 3_600], ['minute', 60],
];

function moments(language: Language, timeZone: string) {
  const tag = languageTags[language];
  const chinese = language === 'zhTW';
  const of = (options: Intl.DateTimeFormatOptions, zone = timeZone) => new Intl.DateTimeFormat(tag, { timeZone: zone, ...options });
  const long = { year: 'numeric', month: chinese ? 'long' : 'short', day: 'numeric' } as const;
  const dates = of(long);
  const times = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const relatives = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const digits = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const dayDates = of(long, 'UTC');
  const months = of({ year: 'numeric', month: chinese ? 'long' : 'short' }, 'UTC');
  const shortMonths = of({ month: chinese ? 'long' : 'short' }, 'UTC');
  const joiner = chinese ? '/' : '-';
  const atNoon = (day: string): Date => new Date(`${day}T12:00:00Z`);
  const time = (moment: Date): string => times.format(moment);
  const dateTable = (moment: Date): string => digits.format(moment).replaceAll('-', joiner);

  return {
    /** `2026年3月5日` / `Mar 5, 2026` */
    date: (moment: Date): string => dates.format(moment),
    /** For tables: `2026/03/05` / `2026-03-05` */
    dateTable,
    /** `14:07`, always 24 hours. */
    time,
    /** `2026/03/05 14:07` */
    dateTime: (moment: Date): string => `${dateTable(moment)} ${time(moment)}`,
    /** A calendar day 'YYYY-MM-DD', in no zone: `2026年3月5日`. */
    day: (day: string): string => dayDates.format(atNoon(day)),
    /** A calendar day for tables: `2026/03/05`. */
    dayTable: (day: string): string => day.replaceAll('-', joiner),
    /** A calendar day within its year, for axes: `3/5` / `3/5`. */
    dayShort: (day: string): string => `${Number.parseInt(day.slice(5, 7), 10)}/${Number.parseInt(day.slice(8, 10), 10)}`,
    /** 'YYYY-MM' → `2026年3月` / `Mar 2026`. */
    month: (month: string): string => months.format(atNoon(`${month}-01`)),
    /** 'YYYY-MM' → `3月` / `Mar`. */
    monthShort: (month: string): string => shortMonths.format(atNoon(`${month}-01`)),
    /** Two calendar days: `2026/03/05–03/25`, with both years when they differ. / `Mar 5 – 25, 2026` */
    range(from: string, to: string): string {
      if (!chinese) return dayDates.formatRange(atNoon(from), atNoon(to));
      const end = from.slice(0, 4) === to.slice(0, 4) ? to.slice(5) : to;
      return `${from.replaceAll('-', '/')}–${end.replaceAll('-', '/')}`;
    },
    /** `3 小時前`, `昨天`, `3 天後`; both moments are arguments, so that a page can tick them together. */
    relative(moment: Date, now: Date): string {
      const seconds = (moment.getTime() - now.getTime()) / 1000;
      const [unit, size] = relativeSteps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 60];
      return unit === 'second' ? relatives.format(0, 'second') : relatives.format(Math.trunc(seconds / size), unit);
    },
  };
}
