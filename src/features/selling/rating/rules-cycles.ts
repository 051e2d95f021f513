// The periods of charges: weeks, months, quarters, half years and years, by the calendar or from a subscription's first day.
import { decimal, divide, type Decimal } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';
import {
  addDays,
  dayOf,
  dayPeriod,
  daysBetween,
  monthNumber,
  monthsAfter,
  type Period,
} from '#kernel/time.ts';
import type { chargeCycles, FeeShare } from './contract.ts';

export type Cycle = (typeof chargeCycles)[number];

const monthsOf: Readonly<Record<Exclude<Cycle, 'week'>, number>> = {
  month: 1,
  quarter: 3,
  half_year: 6,
  year: 12,
};
const daysOfWeek = 7;
/** 1 January 2001 was a Monday, so all calendar cycles can be counted from it. */
const firstMonday = '2001-01-01' as LocalDay;

const floorDivide = (value: number, by: number): number => Math.floor(value / by);

/**
 * Returns the period of a cycle that contains an instant, in a time zone. Periods are counted from `anchor`
 * (a short month clamps its day, and the next one returns to it) or, if it is null, by the calendar: weeks
 * from Monday, quarters from January, April, July and October.
 */
export function periodOf(cycle: Cycle, anchor: LocalDay | null, moment: Date, zone: string): Period {
  const day = dayOf(moment, zone);
  const from = anchor ?? firstMonday;
  const starts = (count: number): LocalDay =>
    cycle === 'week' ? addDays(from, daysOfWeek * count) : monthsAfter(from, monthsOf[cycle] * count);
  let count =
    cycle === 'week'
      ? floorDivide(daysBetween(from, day), daysOfWeek)
      : floorDivide(monthNumber(day) - monthNumber(from), monthsOf[cycle]);
  // In a period's first month, the day decides: before it, the previous period is still running.
  if (starts(count) > day) count--;
  return {
    start: dayPeriod(starts(count), zone).start,
    end: dayPeriod(starts(count + 1), zone).start,
  };
}

/** Returns the periods of a cycle that overlap [from, to), earliest first. */
export function periodsIn(
  cycle: Cycle,
  anchor: LocalDay | null,
  { start: from, end: to }: Period,
  zone: string,
): Period[] {
  const periods: Period[] = [];
  for (let moment = from; moment < to;) {
    const period = periodOf(cycle, anchor, moment, zone);
    periods.push(period);
    moment = period.end;
  }
  return periods;
}

const secondsOfDay = 86_400;

/**
 * The first and last day of the period of a fee's share. Undefined for a calendar month, which a bill already
 * names, and for fees without a stated period: those of single prices, and on older bills.
 */
export function namedPeriod(
  { from, whole, unit }: FeeShare,
  cycle: string,
): readonly [first: LocalDay, last: LocalDay] | undefined {
  if (from === undefined || (cycle === 'month' && from.endsWith('-01'))) return undefined;
  // A clock change makes a period an hour longer or shorter.
  const days = unit === 'day' ? whole : Math.round(whole / secondsOfDay);
  return [from, addDays(from, days - 1)];
}

/** The share of a cycle's price per month: a week's is 52 twelfths. */
const inMonth: Readonly<Record<Cycle, readonly [times: bigint, by: bigint]>> = {
  week: [52n, 12n],
  month: [1n, 1n],
  quarter: [1n, 3n],
  half_year: [1n, 6n],
  year: [1n, 12n],
};

/**
 * A cycle's price per month, to twelve digits, halves away from zero: for estimates and comparisons, never
 * for bills.
 */
export function monthShare(price: Decimal, cycle: Cycle): Decimal {
  const [times, by] = inMonth[cycle];
  return divide(price.times(decimal(times)), decimal(by), 12);
}
