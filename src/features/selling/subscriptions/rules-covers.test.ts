// The months that a fee is for.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod, daysBetween, type Period } from '#kernel/time.ts';
import { coveredMonths } from './rules-covers.ts';
import { lengthOf, periodUnitsOf } from './rules-fees.ts';

const zone = 'Asia/Taipei';
const day = (text: string): Date => dayPeriod(text as LocalDay, zone).start;
const periodOf = (from: string, to: string): Period => ({ start: day(from), end: day(to) });

describe('T-DEFER: the months of a period', () => {
  const year = periodOf('2026-11-15', '2027-11-15');
  const units = periodUnitsOf(year, 'day', zone);

  test('begin and end with their own days', () => {
    const covered = coveredMonths(year, units, [[0, units.whole]], zone);
    expect([covered.length, covered.at(0), covered.at(3), covered.at(-1)]).toEqual([
      13,
      { month: '2026-11', units: 16, whole: 30 },
      { month: '2027-02', units: 28, whole: 28 },
      { month: '2027-11', units: 14, whole: 30 },
    ]);
  });

  test('exclude uncharged time, and months without any', () => {
    const spans = [
      [units.at(day('2026-12-10')), units.at(day('2026-12-12'))],
      [units.at(day('2027-02-28')), units.at(day('2027-03-02'))],
    ] as const;
    expect(coveredMonths(year, units, spans, zone)).toEqual([
      { month: '2026-12', units: 2, whole: 31 },
      { month: '2027-02', units: 1, whole: 28 },
      { month: '2027-03', units: 1, whole: 31 },
    ]);
  });

  test('a period that ends at midnight of the first does not include that month', () => {
    const quarter = periodOf('2026-10-01', '2027-01-01');
    const inDays = periodUnitsOf(quarter, 'day', zone);
    expect(coveredMonths(quarter, inDays, [[0, inDays.whole]], zone).map(({ month }) => month)).toEqual([
      '2026-10',
      '2026-11',
      '2026-12',
    ] satisfies string[] as BillingMonth[]);
  });

  test('a skipped hour makes no day shorter, except when counting seconds', () => {
    const spring = { start: new Date('2026-03-01T05:00:00Z'), end: new Date('2026-06-01T04:00:00Z') };
    const [days, seconds] = (['day', 'second'] as const).map((unit) =>
      periodUnitsOf(spring, unit, 'America/New_York'),
    );
    const of = (counted: typeof days) =>
      counted &&
      coveredMonths(spring, counted, [[0, counted.whole]], 'America/New_York').map((each) => [
        each.units,
        each.whole,
      ]);
    const twice = (lengths: readonly number[]) => lengths.map((length) => [length, length]);
    expect(of(days)).toEqual(twice([31, 30, 31]));
    expect(of(seconds)).toEqual(twice([31 * 86_400 - 3600, 30 * 86_400, 31 * 86_400]));
  });

  test('together cover everything charged, for any spans', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(365), { maxLength: 8 }), (cuts) => {
        const edges = [...new Set(cuts)].toSorted((a, b) => a - b);
        const spans = edges.flatMap((from, index) => {
          const to = edges[index + 1];
          return index % 2 === 0 && to !== undefined ? [[from, to] as const] : [];
        });
        const covered = coveredMonths(year, units, spans, zone);
        expect(covered.reduce((sum, each) => sum + each.units, 0)).toBe(lengthOf(spans));
        expect(daysBetween('2026-11-15' as LocalDay, '2027-11-15' as LocalDay)).toBe(units.whole);
      }),
    );
  });
});
