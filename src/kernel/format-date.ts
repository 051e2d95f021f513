// Formats days, months and moments, identically on screens and in documents.
import { conventionsOf, tagOf, type Language } from './language.ts';
import { once } from './once.ts';

export type DayFormat = ReturnType<typeof makeDays>;
export type MomentFormat = ReturnType<typeof makeMoments>;

// Intl objects are expensive to create, so they are cached. There are only a few languages, and as many time
// zones as organizations use.
const days = new Map<Language, DayFormat>();
const moments = new Map<string, MomentFormat>();

/** Formatters for calendar days ('YYYY-MM-DD') and months ('YYYY-MM'), which have no time zone. */
export function dayFormat(language: Language): DayFormat {
  const known = days.get(language) ?? makeDays(language);
  days.set(language, known);
  return known;
}

/** Formatters for moments in a time zone (IANA name). @throws RangeError when the zone is unknown. */
export function momentFormat(language: Language, timeZone: string): MomentFormat {
  const key = `${language} ${timeZone}`;
  const known = moments.get(key) ?? makeMoments(language, timeZone);
  moments.set(key, known);
  return known;
}

/** Whether dates use year, month and day characters, as in Chinese and Japanese. */
const isChinese = (language: Language): boolean => conventionsOf(language) === 'zhTW';
const joinerOf = (language: Language): string => (isChinese(language) ? '/' : '-');
const long = (language: Language) =>
  ({ year: 'numeric', month: isChinese(language) ? 'long' : 'short', day: 'numeric' }) as const;

function makeDays(language: Language) {
  const tag = tagOf(language);
  const monthName = isChinese(language) ? 'long' : 'short';
  const of = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options }));
  const [dates, months, shortMonths] = [
    of(long(language)),
    of({ year: 'numeric', month: monthName }),
    of({ month: monthName }),
  ];
  const atNoon = (day: string): Date => new Date(`${day}T12:00:00Z`);

  return {
    /** A calendar day: `2026年3月5日` / `Mar 5, 2026`. */
    day: (day: string): string => dates().format(atNoon(day)),
    /** A calendar day for tables: `2026/03/05` / `2026-03-05`. */
    dayTable: (day: string): string => day.replaceAll('-', joinerOf(language)),
    /** A calendar day without its year, for chart axes: `3/5`. */
    dayShort: (day: string): string =>
      `${Number.parseInt(day.slice(5, 7), 10)}/${Number.parseInt(day.slice(8, 10), 10)}`,
    /** 'YYYY-MM' → `2026年3月` / `Mar 2026`. */
    month: (month: string): string => months().format(atNoon(`${month}-01`)),
    /** 'YYYY-MM' → `3月` / `Mar`. */
    monthShort: (month: string): string => shortMonths().format(atNoon(`${month}-01`)),
    /** A range of calendar days: `2026/03/05–03/25`, with both years when they differ / `Mar 5 – 25, 2026`. One day stands alone. */
    range(from: string, to: string): string {
      if (!isChinese(language)) return dates().formatRange(atNoon(from), atNoon(to));
      const end = from.slice(0, 4) === to.slice(0, 4) ? to.slice(5) : to;
      return (from === to ? from : `${from}–${end}`).replaceAll('-', '/');
    },
  };
}

function makeMoments(language: Language, timeZone: string) {
  const tag = tagOf(language);
  // Created eagerly, so that an unknown zone throws here and not when the first moment is formatted.
  const dates = new Intl.DateTimeFormat(tag, { timeZone, ...long(language) });
  const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const times = once(() => new Intl.DateTimeFormat(tag, clock));
  const whole = once(() => new Intl.DateTimeFormat(tag, { ...clock, ...long(language) }));
  const digits = once(
    () => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  );
  const time = (moment: Date): string => times().format(moment);
  const dateTable = (moment: Date): string => digits().format(moment).replaceAll('-', joinerOf(language));

  return {
    /** `2026年3月5日` / `Mar 5, 2026` */
    date: (moment: Date): string => dates.format(moment),
    /** For tables: `2026/03/05` / `2026-03-05` */
    dateTable,
    /** `14:07`, always 24 hours. */
    time,
    /** In sentences: `2026年3月5日 14:07` / `Mar 5, 2026, 14:07` */
    dateTime: (moment: Date): string => whole().format(moment),
    /** For tables and lists: `2026/03/05 14:07` / `2026-03-05 14:07` */
    dateTimeTable: (moment: Date): string => `${dateTable(moment)} ${time(moment)}`,
  };
}
