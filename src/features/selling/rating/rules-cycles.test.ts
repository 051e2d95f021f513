// Periods of charges have no gaps, and return to their anchor day after short months (R-BILL-01).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf, dayPeriod, daysBetween } from '#kernel/time.ts';
import { chargeCycles } from './contract.ts';
import { namedPeriod, periodOf, periodsIn, type Cycle } from './rules-cycles.ts';

const zone = 'Asia/Taipei';
const day = (text: string): LocalDay => text as LocalDay;
const at = (text: string, in_ = zone): Date => dayPeriod(day(text), in_).start;
const days = (cycle: Cycle, anchor: string | null, moment: string): [string, string] => {
  const { start, end } = periodOf(cycle, anchor === null ? null : day(anchor), at(moment), zone);
  return [dayOf(start, zone), dayOf(end, zone)];
};

const anyDay = fc.integer({ min: 0, max: 20_000 }).map((count) => addDays(day('1999-12-01'), count));

describe('periods', () => {
  test.each<[Cycle, string | null, string, [string, string]]>([
    ['week', null, '2026-11-25', ['2026-11-23', '2026-11-30']],
    ['week', null, '2026-11-23', ['2026-11-23', '2026-11-30']],
    ['week', '2026-11-05', '2026-11-25', ['2026-11-19', '2026-11-26']],
    ['month', null, '2026-02-28', ['2026-02-01', '2026-03-01']],
    ['quarter', null, '2026-11-25', ['2026-10-01', '2027-01-01']],
    ['half_year', null, '2026-06-30', ['2026-01-01', '2026-07-01']],
    ['year', null, '2000-02-29', ['2000-01-01', '2001-01-01']],
    // The anchor’s day is clamped in short months, and restored.
    ['month', '2026-01-31', '2026-02-28', ['2026-02-28', '2026-03-31']],
    ['month', '2026-01-31', '2026-02-27', ['2026-01-31', '2026-02-28']],
    ['month', '2026-01-31', '2026-03-31', ['2026-03-31', '2026-04-30']],
    ['quarter', '2026-11-30', '2027-02-27', ['2026-11-30', '2027-02-28']],
    ['quarter', '2026-11-30', '2027-05-29', ['2027-02-28', '2027-05-30']],
    ['year', '2024-02-29', '2025-02-28', ['2025-02-28', '2026-02-28']],
    ['year', '2024-02-29', '2028-02-28', ['2027-02-28', '2028-02-29']],
    // The same grid continues before the anchor.
    ['month', '2026-03-15', '2026-03-14', ['2026-02-15', '2026-03-15']],
  ])('a %s from %s that contains %s', (cycle, anchor, moment, period) => {
    expect(days(cycle, anchor, moment)).toEqual(period);
  });

  const anyZone = fc.constantFrom('Asia/Taipei', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati');
  test('contain their moment, and meet the next one, in any zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...chargeCycles),
        fc.option(anyDay),
        anyDay,
        anyZone,
        (cycle, anchor, moment, in_) => {
          const period = periodOf(cycle, anchor, at(moment, in_), in_);
          expect(period.start <= at(moment, in_) && at(moment, in_) < period.end).toBe(true);
          expect(periodOf(cycle, anchor, period.end, in_).start).toEqual(period.end);
          expect(periodOf(cycle, anchor, new Date(period.end.getTime() - 1), in_)).toEqual(period);
        },
      ),
    );
  });
  test('cover a range without gaps', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...chargeCycles),
        fc.option(anyDay),
        anyDay,
        fc.integer({ min: 1, max: 800 }),
        (cycle, anchor, from, length) => {
          const stretch = { start: at(from), end: at(addDays(from, length)) };
          const periods = periodsIn(cycle, anchor, stretch, zone);
          expect((periods[0]?.start ?? stretch.end) <= stretch.start).toBe(true);
          expect((periods.at(-1)?.end ?? stretch.start) >= stretch.end).toBe(true);
          for (const [index, period] of periods.slice(1).entries())
            expect(period.start).toEqual(periods[index]?.end);
        },
      ),
    );
  });
});

describe('the period of a fee’s line', () => {
  test('is shown in days or seconds, across clock changes; a calendar month is not shown', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...chargeCycles),
        fc.option(anyDay),
        anyDay,
        fc.constantFrom('Asia/Taipei', 'Europe/Berlin'),
        (cycle, anchor, moment, in_) => {
          const { start, end } = periodOf(cycle, anchor, at(moment, in_), in_);
          const [from, after] = [dayOf(start, in_), dayOf(end, in_)];
          const expected = cycle === 'month' && from.endsWith('-01') ? undefined : [from, addDays(after, -1)];
          const share = { part: 1, units: '1', from };
          const seconds = (end.getTime() - start.getTime()) / 1000;
          expect(namedPeriod({ ...share, unit: 'day', whole: daysBetween(from, after) }, cycle)).toEqual(
            expected,
          );
          expect(namedPeriod({ ...share, unit: 'second', whole: seconds }, cycle)).toEqual(expected);
        },
      ),
    );
  });
  test('is missing on older bills and for single prices', () =>
    expect(namedPeriod({ part: 7, whole: 7, unit: 'day', units: '1' }, 'week')).toBeUndefined());
});
