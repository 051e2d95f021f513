import { describe, expect, it } from 'vitest';
import { addDays, addMonths, dayPeriod, threeMonthsFrom } from '#kernel/time.ts';
import { oddZones } from '#tests/support/arbitraries.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { daysOf, rangeProblem, shiftDay, shiftDayByMonths, shiftMonth } from './calendar.ts';
import { startOfDay } from './start-of-day.ts';

describe('calendar', () => {
  it('agrees with the kernel on every day of five years, including leap day', () => {
    for (let day = '2024-01-01'; day < '2029-01-01'; day = shiftDay(day, 1)) {
      expect(shiftDay(day, 1)).toBe(addDays(day as LocalDay, 1));
      expect(shiftDayByMonths(day, 3)).toBe(threeMonthsFrom(day as LocalDay));
    }
  });
  it.each([...oddZones, 'America/Sao_Paulo', 'Asia/Kathmandu'])(
    'has the beginning of a day in %s',
    (zone) => {
      // Until 2018 the clocks of Sao Paulo jumped over midnight.
      for (let day = '2018-01-01'; day < '2019-12-31'; day = shiftDay(day, 3))
        expect(startOfDay(day, zone), day).toEqual(dayPeriod(day as LocalDay, zone).start);
      expect(startOfDay('2018-11-04', zone)).toEqual(dayPeriod('2018-11-04' as LocalDay, zone).start);
    },
  );
  it('shifts months across years', () => {
    for (let count = -30; count <= 30; count++)
      expect(shiftMonth('2026-01', count)).toBe(addMonths('2026-01' as BillingMonth, count));
    expect(daysOf('2028-02')).toEqual({ first: '2028-02-01', last: '2028-02-29' });
  });
});

describe('R-USE-05 ranges', () => {
  it.each<[string, string, 'from' | 'to', string | undefined]>([
    ['2026-08-01', '2026-10-31', 'to', undefined],
    ['2026-10-31', '2026-10-31', 'to', undefined],
    ['2026-11-01', '2026-10-31', 'from', 'range.start_after_end'],
    ['2026-11-01', '2026-10-31', 'to', 'range.end_before_start'],
    ['2026-08-01', '2026-11-01', 'to', undefined],
    ['2026-08-01', '2026-11-02', 'to', 'range.too_long'],
    ['2026-11-30', '2027-02-28', 'to', undefined],
    ['2026-11-30', '2027-03-01', 'to', 'range.too_long'],
    ['', '2027-03-01', 'to', undefined],
  ])('%s to %s (%s changed): %s', (from, to, changed, expected) => {
    expect(rangeProblem(from, to, changed)).toBe(expected);
  });
});
