// The aggregation of events by meters: exact, in whatever order they arrive (R-USAGE-02).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { quantities } from '#tests/support/arbitraries.ts';
import { averageOf, percentileOf, quantityOfEvents, type Aggregate } from './rules-aggregate.ts';

const quantity = (meter: Aggregate, ...values: readonly string[]): string =>
  decimalText(
    quantityOfEvents(
      meter,
      values.map((value) => ({ value: decimal(value) })),
    ),
  );

describe('aggregations of a few events', () => {
  test.each<[Aggregate['aggregation'], string]>([
    ['sum', '10'],
    ['count', '4'],
    ['max', '5'],
    ['min', '-2'],
    ['avg', '2.5'],
    ['latest', '4'],
    ['time_weighted_average', '2.5'],
  ])('%s of 3, 5, -2, 4 is %s', (aggregation, expected) => {
    expect(quantity({ aggregation } as Aggregate, '3', '5', '-2', '4')).toBe(expected);
    expect(quantity({ aggregation } as Aggregate)).toBe('0');
  });
  test('distinct values of a property count once each; events without it do not count', () => {
    const events = ['a', 'b', 'a', undefined].map((property) => ({ value: decimal('1'), property }));
    expect(decimalText(quantityOfEvents({ aggregation: 'unique_count', property: 'user' }, events))).toBe(
      '2',
    );
  });
  test('an average has twelve digits, rounded half away from zero', () => {
    expect(decimalText(averageOf(decimal('2'), 3n))).toBe('0.666666666667');
    expect(decimalText(averageOf(decimal('-2'), 3n))).toBe('-0.666666666667');
    expect(decimalText(averageOf(decimal('2'), 0n))).toBe('0');
  });
});

describe('percentiles', () => {
  const values = (...texts: readonly string[]) => texts.map(decimal);
  test('of 8,640 samples the 432 highest are dropped and the next one counts', () => {
    const samples = Array.from({ length: 8640 }, (_, index) => decimal(BigInt(index + 1)));
    expect(decimalText(percentileOf(samples, 8640, 95))).toBe(String(8640 - 432));
  });
  test.each<[string, string[], number, number, string]>([
    ['samples without events are zero', ['9', '8'], 100, 95, '0'],
    ['they do not displace values above the dropped ones', ['9', '8', '7', '6', '5', '4'], 100, 95, '4'],
    ['p = 100 is the highest', ['3', '9', '1'], 10, 100, '9'],
    ['p = 50 of four drops two', ['4', '3', '2', '1'], 4, 50, '2'],
    ['a fraction of a sample is not dropped', ['4', '3', '2'], 3, 50, '3'],
    ['negative samples are below the empty ones', ['5', '-1', '-2'], 4, 50, '-1'],
    ['no samples', [], 0, 95, '0'],
  ])('%s', (_name, texts, count, p, expected) => {
    expect(decimalText(percentileOf(values(...texts), count, p))).toBe(expected);
  });
  test('equals the sorted list with its zeros, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(quantities, { maxLength: 30 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 100 }),
        (texts, silent, p) => {
          const count = texts.length + silent;
          const all = [...texts.map(decimal), ...Array.from({ length: silent }, () => decimal('0'))];
          const sorted = all.toSorted((a, b) => b.cmp(a));
          const expected = sorted[Math.floor((count * (100 - p)) / 100)] ?? decimal('0');
          expect(decimalText(percentileOf(values(...texts), count, p))).toBe(decimalText(expected));
          expect(decimalText(percentileOf(values(...texts.toReversed()), count, p))).toBe(
            decimalText(expected),
          );
        },
      ),
    );
  });
});
