// Calendar arithmetic: days and months in an organization's time zone, as half-open periods.
import '#temporal';
import { dayMs, hourMs, minuteMs } from './durations.ts';
import type { BillingMonth, LocalDay } from './shape.ts';

/** A half-open period [start, end). */
export type Period = { readonly start: Date; readonly end: Date };

const toDate = (zoned: Temporal.ZonedDateTime): Date => new Date(zoned.epochMilliseconds);
const inZone = (instant: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);

/** Whether a text names a time zone that the calendar rules can use (an IANA name such as Asia/Taipei, or UTC). */
export function isTimeZone(zone: string): boolean {
  try {
    inZone(new Date(0), zone);
    return /^[A-Za-z]/.test(zone);
  } catch {
    // The library throws a RangeError for unknown names.
    return false;
  }
}

/**
 * Caches a calculation by its key: the calendar never changes, and closing a month asks for the same months
 * and days for every customer.
 */
function memoized<K extends string | number, T>(
  compute: (input: K, zone: string) => T,
): (input: K, zone: string) => T {
  const known = new Map<string, T>();
  return (input, zone) => {
    const key = `${input} ${zone}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    if (known.size >= maxMemoized) known.clear();
    const made = compute(input, zone);
    known.set(key, made);
    return made;
  };
}
const maxMemoized = 5000;

const monthBounds = memoized((month: BillingMonth, zone) => {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return {
    start: first.toZonedDateTime(zone).epochMilliseconds,
    end: first.add({ months: 1 }).toZonedDateTime(zone).epochMilliseconds,
  };
});

/**
 * The calendar month [start, end) in a zone. DST transitions make it longer or shorter; consecutive months
 * always adjoin.
 */
export function monthPeriod(month: BillingMonth, zone: string): Period {
  const { start, end } = monthBounds(month, zone);
  return { start: new Date(start), end: new Date(end) };
}

/** The calendar day [start, end) in a zone: 23, 24 or 25 hours; consecutive days always adjoin. */
export function dayPeriod(day: LocalDay, zone: string): Period {
  const { start, end } = dayBounds(day, zone);
  return { start: new Date(start), end: new Date(end) };
}
const dayBounds = memoized((day: LocalDay, zone) => {
  const date = Temporal.PlainDate.from(day);
  return {
    start: date.toZonedDateTime(zone).epochMilliseconds,
    end: date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
  };
});

/**
 * The moment at which clocks in a zone show a day and time ('09:30'). When the time occurs twice, the earlier
 * moment; when the clocks skip it, later by the length of the gap.
 */
export function momentAt(day: LocalDay, time: string, zone: string): Date {
  return toDate(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone));
}

/** The month that an instant falls in, in a zone. */
export function monthOf(instant: Date, zone: string): BillingMonth {
  const ms = instant.getTime();
  // Most calls are about the same month as the previous call.
  const last = lastMonths.get(zone);
  if (last && ms >= last.start && ms < last.end) return last.month;
  const month = inZone(instant, zone).toPlainDate().toPlainYearMonth().toString() as BillingMonth;
  lastMonths.set(zone, { month, ...monthBounds(month, zone) });
  return month;
}
const lastMonths = new Map<
  string,
  { readonly month: BillingMonth; readonly start: number; readonly end: number }
>();

/** The day that an instant falls in, in a zone. */
export function dayOf(instant: Date, zone: string): LocalDay {
  return dayAt(instant.getTime(), zone);
}
const dayAt = memoized((ms: number, zone) => inZone(new Date(ms), zone).toPlainDate().toString() as LocalDay);

/** Numbers months consecutively; for a day, the number of its month. */
export const monthNumber = (of: BillingMonth | LocalDay): number =>
  Number.parseInt(of.slice(0, 4), 10) * 12 + Number.parseInt(of.slice(5, 7), 10) - 1;

/** The month with a number of {@link monthNumber}. */
export const monthOfNumber = (number: number): BillingMonth =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}` as BillingMonth;

/** The number of months from one to another, both included; zero or less if `to` is earlier. */
export const monthsThrough = (from: BillingMonth, to: BillingMonth): number =>
  monthNumber(to) - monthNumber(from) + 1;

/** `count` months, starting with `first`. */
export const monthsFrom = (first: BillingMonth, count: number): BillingMonth[] =>
  Array.from({ length: count }, (_, index) => monthOfNumber(monthNumber(first) + index));

/** Every month from one to another, both included; none if `to` is earlier. */
export const eachMonth = (from: BillingMonth, to: BillingMonth): BillingMonth[] =>
  monthsFrom(from, Math.max(0, monthsThrough(from, to)));

/** Adds `count` months (negative: subtracts). */
export const addMonths = (month: BillingMonth, count: number): BillingMonth =>
  monthOfNumber(monthNumber(month) + count);

/** Adds `count` days (negative: subtracts). */
export function addDays(day: LocalDay, count: number): LocalDay {
  // In UTC all days have the same length. Charts ask for months of days, so this avoids the calendar library.
  return new Date(utcMidnight(day) + count * dayMs).toISOString().slice(0, 10) as LocalDay;
}
const utcMidnight = (day: LocalDay): number => Date.parse(`${day}T00:00:00Z`);

/**
 * The day that is `months` months after an anchor day, clamped to the last day of shorter months: Jan 31 is
 * followed by Feb 28 and Mar 31. Always counted from the anchor, so that a short month does not shift later
 * days.
 */
export function monthsAfter(anchor: LocalDay, months: number): LocalDay {
  return Temporal.PlainDate.from(anchor).add({ months }).toString() as LocalDay;
}

/**
 * The start of the hour that contains an instant, by the local clock of a zone: when it last showed zero minutes
 * if it had not been shifted since, as `date_trunc` of the database computes it.
 */
export function hourOf(instant: Date, zone: string): Date {
  const { minute, second, millisecond } = inZone(instant, zone);
  return new Date(instant.getTime() - minute * minuteMs - second * 1000 - millisecond);
}

const quarterMs = 15 * minuteMs;
const hourStarts = memoized((day: LocalDay, zone): readonly number[] => {
  const { start, end } = dayBounds(day, zone);
  const isPlain = end - start === 24 * hourMs && hourOf(new Date(start), zone).getTime() === start;
  if (isPlain) return Array.from({ length: 24 }, (_, index) => start + index * hourMs);
  // Clocks shift on quarter hours, and not always by a whole hour.
  const quarters = Array.from({ length: Math.ceil((end - start) / quarterMs) }, (_, index) =>
    hourOf(new Date(start + index * quarterMs), zone).getTime(),
  );
  return [...new Set(quarters)];
});

/** The starts of a day's hours by the zone's local clock: 23, 24 or 25. The same moments as {@link hourOf} returns. */
export function hoursOfDay(day: LocalDay, zone: string): Date[] {
  return hourStarts(day, zone).map((start) => new Date(start));
}

/** The number of days in a month. */
export function daysInMonth(month: BillingMonth): number {
  // Closing a month calls this for every subscription, so it avoids the calendar library. Day 0 is the last
  // day of the previous month.
  return new Date(
    Date.UTC(Number.parseInt(month.slice(0, 4), 10), Number.parseInt(month.slice(5), 10), 0),
  ).getUTCDate();
}

/** The month that a day is in. */
export const monthOfDay = (day: LocalDay): BillingMonth => day.slice(0, 7) as BillingMonth;

/** The first day of a month, or of the month that a day is in. */
export const firstDayOf = (of: BillingMonth | LocalDay): LocalDay => `${of.slice(0, 7)}-01` as LocalDay;

/** The last day of a month. */
export const lastDayOf = (month: BillingMonth): LocalDay => `${month}-${daysInMonth(month)}` as LocalDay;

/** Every day of a month, first to last. */
export function daysOfMonth(month: BillingMonth): LocalDay[] {
  return Array.from(
    { length: daysInMonth(month) },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}` as LocalDay,
  );
}

/** The number of days from one day to another (negative when `to` is earlier). */
export function daysBetween(from: LocalDay, to: LocalDay): number {
  return (utcMidnight(to) - utcMidnight(from)) / dayMs;
}
