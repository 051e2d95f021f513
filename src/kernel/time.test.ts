// The days and months of every zone cover time exactly: no moment is missing or in two of them (domain.md,
// "Periods and proration").
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hourMs } from './durations.ts';
import type { BillingMonth, LocalDay } from './shape.ts';
import { monthsFrom, oddZones } from '#tests/support/arbitraries.ts';
import {
  addDays,
  addMonths,
  dayOf,
  dayPeriod,
  daysBetween,
  daysInMonth,
  daysOfMonth,
  eachMonth,
  firstDayOf,
  hourOf,
  isTimeZone,
  lastDayOf,
  monthNumber,
  monthOf,
  monthOfDay,
  monthOfNumber,
  monthPeriod,
  monthsAfter,
  monthsThrough,
} from './time.ts';

const month = (text: string): BillingMonth => text as BillingMonth;
const day = (text: string): LocalDay => text as LocalDay;
const hours = (period: { start: Date; end: Date }): number =>
  (period.end.getTime() - period.start.getTime()) / hourMs;

describe.each(oddZones)('F10: 120 months in %s', (zone) => {
  // From 2011 in Apia, which skipped a day that year; elsewhere over the leap years 2028 and 2032.
  const months = monthsFrom(zone === 'Pacific/Apia' ? '2005-01' : '2024-01', 120);

  test('months are adjacent: each begins where the previous one ended', () => {
    for (const [index, one] of months.entries()) {
      const period = monthPeriod(one, zone);
      expect(period.end.getTime()).toBeGreaterThan(period.start.getTime());
      if (index > 0) expect(period.start).toEqual(monthPeriod(months[index - 1]!, zone).end);
      expect(monthOf(period.start, zone)).toBe(one);
      expect(monthOf(new Date(period.end.getTime() - 1), zone)).toBe(one);
      expect(monthOf(period.end, zone)).toBe(addMonths(one, 1));
    }
  });

  test('days are adjacent within their month, and their hours add up to it', () => {
    for (const one of months) {
      const period = monthPeriod(one, zone);
      let at = period.start;
      let sum = 0;
      for (const each of daysOfMonth(one)) {
        const piece = dayPeriod(each, zone);
        expect(piece.start).toEqual(at);
        sum += hours(piece);
        at = piece.end;
      }
      expect(at).toEqual(period.end);
      expect(sum).toBe(hours(period));
    }
  });

  test('every moment is in an hour that began less than an hour before', () => {
    const first = monthPeriod(months[0]!, zone).start.getTime();
    const last = monthPeriod(months.at(-1)!, zone).end.getTime();
    fc.assert(
      fc.property(fc.integer({ min: first, max: last - 1 }), (ms) => {
        const began = hourOf(new Date(ms), zone).getTime();
        expect(began <= ms && ms - began < hourMs).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('every moment is in exactly one day and month', () => {
    const first = monthPeriod(months[0]!, zone).start.getTime();
    const last = monthPeriod(months.at(-1)!, zone).end.getTime();
    fc.assert(
      fc.property(fc.integer({ min: first, max: last - 1 }), (ms) => {
        const moment = new Date(ms);
        const today = dayPeriod(dayOf(moment, zone), zone);
        expect(today.start <= moment && moment < today.end).toBe(true);
        expect(dayOf(moment, zone).startsWith(monthOf(moment, zone))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('daylight saving time', () => {
  test.each<[string, string, number]>([
    ['2026-03-08', 'America/New_York', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2026-03-29', 'Europe/London', 23],
    ['2026-10-25', 'Europe/London', 25],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['2026-11-20', 'Asia/Taipei', 24],
    ['2011-12-30', 'Pacific/Apia', 0],
    ['2011-12-31', 'Pacific/Apia', 24],
  ])('%s in %s has %s hours', (text, zone, length) => {
    expect(hours(dayPeriod(day(text), zone))).toBe(length);
  });
  test('a month is as long as the clock shows', () => {
    expect(hours(monthPeriod(month('2026-03'), 'America/New_York'))).toBe(31 * 24 - 1);
    expect(hours(monthPeriod(month('2026-11'), 'America/New_York'))).toBe(30 * 24 + 1);
    expect(hours(monthPeriod(month('2011-12'), 'Pacific/Apia'))).toBe(30 * 24);
  });
  test.each([
    // The hour from one to two occurs twice, and each time it is a separate hour.
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01T05:00:00.000Z'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01T06:00:00.000Z'],
    ['2026-03-08T07:10:00Z', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-11-20T05:43:12Z', 'Asia/Kolkata', '2026-11-20T05:30:00.000Z'],
    ['2026-11-20T05:43:12Z', 'Asia/Kathmandu', '2026-11-20T05:15:00.000Z'],
  ])('the hour of %s in %s began at %s', (moment, zone, began) => {
    expect(hourOf(new Date(moment), zone).toISOString()).toBe(began);
  });
  test('a day without midnight begins later', () => {
    expect(dayPeriod(day('2018-11-04'), 'America/Sao_Paulo').start).toEqual(new Date('2018-11-04T03:00:00Z'));
    expect(hours(dayPeriod(day('2018-11-04'), 'America/Sao_Paulo'))).toBe(23);
  });
});

describe('calendar arithmetic', () => {
  test.each([
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-11', -11, '2025-12'],
    ['2026-11', 0, '2026-11'],
    ['2026-11', 26, '2029-01'],
  ])('%s and %i months is %s', (from, count, to) => {
    expect(addMonths(month(from), count)).toBe(to);
    expect(monthNumber(month(to)) - monthNumber(month(from))).toBe(count);
    expect(monthOfNumber(monthNumber(month(to)))).toBe(to);
    expect(monthsThrough(month(from), month(to))).toBe(count + 1);
  });
  test('the number and the name of a month are also those of its days', () => {
    expect(monthNumber(day('2026-12-31'))).toBe(monthNumber(month('2026-12')));
    expect(monthOfDay(day('2026-12-31'))).toBe('2026-12');
  });
  test('every month from one to another includes both', () => {
    expect(eachMonth(month('2025-12'), month('2026-02'))).toEqual(['2025-12', '2026-01', '2026-02']);
    expect(eachMonth(month('2026-02'), month('2026-02'))).toEqual(['2026-02']);
    expect(eachMonth(month('2026-03'), month('2026-02'))).toEqual([]);
  });
  test.each([
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2011-12-29', 1, '2011-12-30'],
  ])('%s and %i days is %s', (from, count, to) => {
    expect(addDays(day(from), count)).toBe(to);
    expect(daysBetween(day(from), day(to))).toBe(count);
  });
  test.each([
    ['2026-02', 28],
    ['2028-02', 29],
    ['2100-02', 28],
    ['2026-11', 30],
    ['2026-12', 31],
  ])('%s has %i days', (text, count) => {
    expect(daysInMonth(month(text))).toBe(count);
    expect(daysOfMonth(month(text))).toHaveLength(count);
    expect(daysOfMonth(month(text)).at(-1)).toBe(`${text}-${count}`);
    expect([firstDayOf(month(text)), lastDayOf(month(text))]).toEqual([`${text}-01`, `${text}-${count}`]);
  });
  test.each([
    ['2026-08-01', '2026-11-01'],
    ['2026-11-30', '2027-02-28'],
    ['2027-11-30', '2028-02-29'],
    ['2026-01-31', '2026-04-30'],
  ])('R-USE-05: three months from %s reach to %s', (from, to) => {
    expect(monthsAfter(day(from), 3)).toBe(to);
  });
  test('days are added and subtracted reversibly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: -2000, max: 2000 }),
        (offset, count) => {
          const from = addDays(day('1950-01-01'), offset);
          expect(daysBetween(from, addDays(from, count))).toBe(count);
          expect(addDays(addDays(from, count), -count)).toBe(from);
        },
      ),
    );
  });
});

test.each([
  ['Asia/Taipei', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+8', true],
  ['Mars/Olympus', false],
  ['+08:00', false],
  ['', false],
  ['Asia/Taipei ', false],
  ['../etc/passwd', false],
])('%j is a time zone: %s', (zone, is) => {
  expect(isTimeZone(zone)).toBe(is);
});

describe('months from an anchor day', () => {
  test('a short month ends earlier, and the anchor is kept', () => {
    const from = (anchor: string, ...counts: number[]): string[] =>
      counts.map((count) => monthsAfter(anchor as LocalDay, count));
    expect(from('2026-01-31', 1, 2, 3)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
    expect(from('2028-01-31', 1)).toEqual(['2028-02-29']);
    expect(from('2024-02-29', 12, 24, 48)).toEqual(['2025-02-28', '2026-02-28', '2028-02-29']);
  });
});

test('F10: the month of a moment equals its zone’s calendar, in any order of zones and moments', () => {
  const parts = (at: Date, zone: string): string => {
    const { year, month: name } = Object.fromEntries(
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        year: 'numeric',
        month: '2-digit',
        calendar: 'gregory',
      })
        .formatToParts(at)
        .map(({ type, value }) => [type, value]),
    );
    return `${year}-${name}`;
  };
  const moment = fc.oneof(
    fc.date({ min: new Date('2005-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
    // Around the ends of months, up to a day on either side.
    fc
      .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: -24 * hourMs, max: 24 * hourMs }))
      .map(([count, off]) => new Date(Date.UTC(2005, count, 1) + off)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(moment, fc.constantFrom(...oddZones)), { minLength: 1, maxLength: 20 }),
      (moments) => {
        for (const [at, zone] of moments) expect(monthOf(at, zone)).toBe(parts(at, zone));
      },
    ),
    { numRuns: 300 },
  );
});
