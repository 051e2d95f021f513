// Calendar rules: days and months in an organization's own time zone, as half-open periods.
import { Temporal } from 'temporal-polyfill';
import type { BillingMonth, LocalDay } from './shape.ts';

/** A half-open period [start, end). */
export type Period = { readonly start: Date; readonly end: Date };

const toDate = (zoned: Temporal.ZonedDateTime): Date => new Date(zoned.epochMilliseconds);
const inZone = (instant: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);

/**
 * Whether a text names a time zone that calendar rules can use (an IANA name such as Asia/Taipei, or UTC).
 */
export function isTimeZone(zone: string): boolean {
  try {
    inZone(new Date(0), zone);
    return /^[A-Za-z]/.test(zone);
  } catch {
    // The library throws a RangeError for unknown names: that is the answer here.
    return false;
  }
}

/**
 * Keeps what a rule works out for a key: the calendar never changes, and a month close asks the same months
 * and days for everybody.
 */
function remembered<K extends string | number, T>(
  workOut: (what: K, zone: string) => T,
): (what: K, zone: string) => T {
  const known = new Map<string, T>();
  return (what, zone) => {
    const key = `${what} ${zone}`;
    const there = known.get(key);
    if (there !== undefined) return there;
    if (known.size >= mostRemembered) known.clear();
    const made = workOut(what, zone);
    known.set(key, made);
    return made;
  };
}
const mostRemembered = 5000;

const monthMs = remembered((month: BillingMonth, zone) => {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return {
    start: first.toZonedDateTime(zone).epochMilliseconds,
    end: first.add({ months: 1 }).toZonedDateTime(zone).epochMilliseconds,
  };
});

/**
 * The calendar month [start, end) in a zone. A daylight-saving change makes it longer or shorter, never open.
 */
export function monthPeriod(month: BillingMonth, zone: string): Period {
  const { start, end } = monthMs(month, zone);
  return { start: new Date(start), end: new Date(end) };
}

/** The calendar day [start, end) in a zone: 23, 24 or 25 hours, never lost or doubled. */
export function dayPeriod(day: LocalDay, zone: string): Period {
  const { start, end } = dayMs(day, zone);
  return { start: new Date(start), end: new Date(end) };
}
const dayMs = remembered((day: LocalDay, zone) => {
  const date = Temporal.PlainDate.from(day);
  return {
    start: date.toZonedDateTime(zone).epochMilliseconds,
    end: date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
  };
});

/**
 * The moment at which a zone's clocks show a day and a time ('09:30'): of two the earlier; where they jump
 * over it, as much later as they jump.
 */
export function momentAt(day: LocalDay, time: string, zone: string): Date {
  return toDate(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone));
}

/** The month an instant belongs to in a zone. */
export function monthOf(instant: Date, zone: string): BillingMonth {
  const ms = instant.getTime();
  // Nearly all that is asked lies in the month that was asked for last.
  const last = lastMonths.get(zone);
  if (last && ms >= last.start && ms < last.end) return last.month;
  const month = inZone(instant, zone).toPlainDate().toPlainYearMonth().toString() as BillingMonth;
  lastMonths.set(zone, { month, ...monthMs(month, zone) });
  return month;
}
const lastMonths = new Map<
  string,
  { readonly month: BillingMonth; readonly start: number; readonly end: number }
>();

/** The day an instant belongs to in a zone. */
export function dayOf(instant: Date, zone: string): LocalDay {
  return dayAt(instant.getTime(), zone);
}
const dayAt = remembered(
  (ms: number, zone) => inZone(new Date(ms), zone).toPlainDate().toString() as LocalDay,
);

/** The month `count` months later (earlier when negative). */
export function addMonths(month: BillingMonth, count: number): BillingMonth {
  return Temporal.PlainYearMonth.from(month).add({ months: count }).toString() as BillingMonth;
}

/** The day `count` days later (earlier when negative). */
export function addDays(day: LocalDay, count: number): LocalDay {
  return Temporal.PlainDate.from(day).add({ days: count }).toString() as LocalDay;
}

/**
 * The day that many months after an anchor day, in a shorter month its last one: Jan 31 is followed by Feb 28
 * and Mar 31. Counted from the anchor each time, so that a short month in between is forgotten.
 */
export function monthsAfter(anchor: LocalDay, months: number): LocalDay {
  return Temporal.PlainDate.from(anchor).add({ months }).toString() as LocalDay;
}

/** The start of the hour of a zone's own clock that an instant lies in. */
export function hourOf(instant: Date, zone: string): Date {
  return toDate(inZone(instant, zone).round({ smallestUnit: 'hour', roundingMode: 'floor' }));
}

const hourMs = 3_600_000;
const quarterMs = 15 * 60_000;
const hourStarts = remembered((day: LocalDay, zone): readonly number[] => {
  const { start, end } = dayMs(day, zone);
  const isPlain = end - start === 24 * hourMs && hourOf(new Date(start), zone).getTime() === start;
  if (isPlain) return Array.from({ length: 24 }, (_, index) => start + index * hourMs);
  // A clock that shifts within the day does so at a quarter of an hour, and not always by a whole one.
  const quarters = Array.from({ length: Math.ceil((end - start) / quarterMs) }, (_, index) =>
    hourOf(new Date(start + index * quarterMs), zone).getTime(),
  );
  return [...new Set(quarters)];
});

/**
 * The hours of a day by its zone's own clock, each as it begins: 23, 24 or 25 of them. The same moments as
 * {@link hourOf} answers.
 */
export function hoursOfDay(day: LocalDay, zone: string): Date[] {
  return hourStarts(day, zone).map((start) => new Date(start));
}

/** How many days a month has. */
export function daysInMonth(month: BillingMonth): number {
  // Closing a month asks this for every subscription, so it does without the calendar library. Day 0 is the
  // last of the month before.
  return new Date(
    Date.UTC(Number.parseInt(month.slice(0, 4), 10), Number.parseInt(month.slice(5), 10), 0),
  ).getUTCDate();
}

/** Every day of a month, first to last. */
export function daysOfMonth(month: BillingMonth): LocalDay[] {
  return Array.from(
    { length: daysInMonth(month) },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}` as LocalDay,
  );
}

/** Whole days from one day to another (negative when `to` is earlier). */
export function daysBetween(from: LocalDay, to: LocalDay): number {
  // Days of the calendar, not of a zone: at UTC each has the same length.
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
}

/** The last day that still lies within three calendar months from `from` (R-USE-05). */
export function threeMonthsFrom(from: LocalDay): LocalDay {
  return Temporal.PlainDate.from(from).add({ months: 3 }).toString() as LocalDay;
}
