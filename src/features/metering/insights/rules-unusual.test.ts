// Unusual days: robust against single outliers, tolerant for steady usage, strict for changes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import { median, unusualDays, usualOf, type Day } from './rules-unusual.ts';

const list = (values: readonly number[]) => values.map((value) => decimal(String(value)));
const zero = decimal('0');
/** Monday, 2 September 2024, and the days after it. */
const series = (values: readonly number[]): Day[] =>
  values.map((value, index) => ({
    day: addDays('2024-09-02' as LocalDay, index),
    quantity: decimal(String(value)),
  }));
const weeks = (week: readonly number[], count: number): number[] =>
  Array.from({ length: count }, () => week).flat();
const last = '2024-12-31' as LocalDay;
const found = (
  values: readonly number[],
  { today = last, leftOut = [] }: { today?: LocalDay; leftOut?: string[] } = {},
) =>
  unusualDays(series(values), '2024-09-02' as LocalDay, today, new Set(leftOut)).map(
    (each) => `${each.day} ${decimalText(each.quantity)}`,
  );

it.each([
  [[3, 1, 2], '2'],
  [[4, 1, 2, 3], '2.5'],
  [[7], '7'],
])('the median of %j is %s', (values, middle) =>
  expect(decimalText(median(list(values)) ?? zero)).toBe(middle),
);

describe('the usual value of a weekday', () => {
  it.each([
    // Median 100, deviations 0 1 1 2 → 1; 3.5 × 1.4826 = 5.1891, but a twentieth of the usual day is more:
    // 3.5 × 5.
    ['a steady weekday', [98, 99, 100, 101, 100], ['82.5', '100', '117.5']],
    // Median 100, deviations 20 10 0 10 20 → 10; 3.5 × 14.826.
    ['a varying weekday', [80, 90, 100, 110, 120], ['48.109', '100', '151.891']],
    ['one with an outlier is the same', [80, 90, 100, 110, 9000], ['48.109', '100', '151.891']],
    ['fewer than four values are not enough', [100, 100, 100], undefined],
  ] as const)('%s', (_, values, expected) => {
    const usual = usualOf(list(values), decimal('100'));
    expect(usual && [usual.low, usual.expected, usual.high].map(decimalText)).toEqual(expected);
  });

  it('on an idle weekday, an ordinary day of the week sets the threshold', () => {
    expect(decimalText(usualOf(list([0, 0, 0, 0]), decimal('100'))?.high ?? zero)).toBe('17.5');
    expect(usualOf(list([0, 0, 0, 0]), zero)).toBeUndefined();
  });
});

describe('the unusual days of a series', () => {
  const week = [100, 110, 105, 95, 100, 20, 10];

  it('include a Saturday like a Monday, but not a Monday like a Monday', () => {
    expect(found([...weeks(week, 5), 100, 110, 105, 95, 100, 100, 10])).toEqual(['2024-10-12 100']);
  });

  it('include an outage, except today', () => {
    expect(found([...weeks(week, 5), 3])).toEqual(['2024-10-07 3']);
    expect(found([...weeks(week, 5), 3], { today: '2024-10-07' as LocalDay })).toEqual([]);
    expect(found([...weeks(week, 5), 300], { today: '2024-10-07' as LocalDay })).toEqual(['2024-10-07 300']);
  });

  it('exclude confirmed unusual days from later comparisons', () => {
    const values = [100, 100, 100, 300, 300, 300, 300].flatMap((monday) => [
      monday,
      110,
      105,
      95,
      100,
      20,
      10,
    ]);
    // By the sixth week half of the earlier Mondays are high, so a high value would count as usual without
    // the confirmations.
    expect(found(values)).toEqual(['2024-09-30 300', '2024-10-07 300']);
    expect(found(values, { leftOut: ['2024-09-23', '2024-09-30'] })).toEqual(['2024-10-14 300']);
  });

  it('are none in a constant series', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(10_000), { minLength: 7, maxLength: 7 }),
        fc.integer({ min: 5, max: 12 }),
        (any, count) => {
          expect(found(weeks(any, count))).toEqual([]);
        },
      ),
    );
  });

  it('are the same in another unit: a thousand times all values flags the same days', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 35, maxLength: 70 }), (values) => {
        const days = (factor: number) =>
          found(values.map((value) => value * factor)).map((each) => each.slice(0, 10));
        expect(days(1000)).toEqual(days(1));
      }),
    );
  });
});
