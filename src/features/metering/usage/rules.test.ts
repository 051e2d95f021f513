// Events count once they can be read unambiguously; their sums are exact (R-USE-01, R-USE-03, R-USE-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { decimalTexts } from '#tests/support/arbitraries.ts';
import { aggregations } from '#features/selling/meters/contract.ts';
import {
  cumulativeQuantities,
  isRejection,
  project,
  quantityOf,
  rangeMistake,
  readEvent,
  restOfDay,
  trendOf,
  type Rollup,
} from './rules.ts';

const now = new Date('2026-11-20T05:43:12Z');
const event = {
  specversion: '1.0',
  id: 'b1946ac9',
  source: '/gateways/tpe-1',
  type: 'com.example.api.call',
  subject: 'sub_1',
  time: '2026-11-20T05:40:00Z',
  datacontenttype: 'application/json',
  data: { value: '3', region: 'tpe' },
};
const reasonOf = (raw: unknown): string | undefined => {
  const read = readEvent(raw, now);
  return isRejection(read) ? read.code : undefined;
};
const valueOf = (value: unknown): string | undefined => {
  const read = readEvent({ ...event, data: { value } }, now);
  return isRejection(read) ? undefined : read.value;
};
const timeOf = (time: unknown): string | undefined => {
  const read = readEvent({ ...event, time }, now);
  return isRejection(read) ? undefined : read.time.toISOString();
};
const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

describe('R-USE-03: reading an event', () => {
  test('accepts known attributes and keeps the rest of its data', () => {
    expect(readEvent(event, now)).toEqual({
      source: '/gateways/tpe-1',
      id: 'b1946ac9',
      type: 'com.example.api.call',
      subscriptionId: 'sub_1',
      time: new Date('2026-11-20T05:40:00Z'),
      value: '3',
      properties: { region: 'tpe' },
      isTimed: true,
      data: event.data,
    });
  });
  test('without a time uses the time of receipt, without data counts one', () => {
    const { time: _time, data: _data, ...bare } = event;
    expect(readEvent(bare, now)).toMatchObject({ time: now, value: '1', properties: null, isTimed: false });
  });

  test.each<[string, unknown, string]>([
    ['no object', 'x', 'usage.event_malformed'],
    ['nothing', null, 'usage.event_malformed'],
    ['a list', [event], 'usage.event_malformed'],
    ['a number', 1, 'usage.event_malformed'],
    ['another version', { ...event, specversion: '0.3' }, 'usage.event_malformed'],
    ['a version that is a number', { ...event, specversion: 1.0 }, 'usage.event_malformed'],
    ['no id', { ...event, id: undefined }, 'usage.event_malformed'],
    ['an empty id', { ...event, id: '' }, 'usage.event_malformed'],
    ['an id that is a number', { ...event, id: 7 }, 'usage.event_malformed'],
    ['an id that is too long', { ...event, id: 'x'.repeat(301) }, 'usage.event_malformed'],
    ['an id with NUL', { ...event, id: 'a\u0000' }, 'usage.event_malformed'],
    ['an id with half a surrogate pair', { ...event, id: 'a\ud800' }, 'usage.event_malformed'],
    ['no source', { ...event, source: undefined }, 'usage.event_malformed'],
    ['a source that is a list', { ...event, source: ['x'] }, 'usage.event_malformed'],
    ['no type', { ...event, type: '' }, 'usage.event_malformed'],
    ['no subject', { ...event, subject: undefined }, 'usage.subscription_unknown'],
    [
      'a subject that is not a text',
      { ...event, subject: { toString: () => 'sub_1' } },
      'usage.event_malformed',
    ],
    ['data that is a text', { ...event, data: '3' }, 'usage.value_no_decimal'],
    ['data that is a list', { ...event, data: [3] }, 'usage.value_no_decimal'],
    ['data that is null', { ...event, data: null }, 'usage.value_no_decimal'],
    ['data with NUL', { ...event, data: { value: '1', note: 'a\u0000' } }, 'usage.event_malformed'],
    ['a name in the data with NUL', { ...event, data: { 'a\u0000': 1 } }, 'usage.event_malformed'],
    [
      'half a surrogate pair deep in the data',
      { ...event, data: { list: [{ note: '\udfff' }] } },
      'usage.event_malformed',
    ],
    ['six minutes ahead', { ...event, time: '2026-11-20T05:49:12Z' }, 'usage.time_in_future'],
  ])('rejects %s', (_what, raw, code) => {
    expect(reasonOf(raw)).toBe(code);
  });
  test('names the event it rejects, if it has an id', () => {
    expect(readEvent({ ...event, time: 'yesterday' }, now)).toEqual({
      code: 'usage.event_malformed',
      id: 'b1946ac9',
      params: { attribute: 'time', rule: 'time' },
    });
    expect(readEvent({ ...event, id: 'a\u0000' }, now)).toEqual({
      code: 'usage.event_malformed',
      id: null,
      params: { attribute: 'id', rule: 'characters' },
    });
  });
  test('keeps data nested to a generous depth and rejects deeper data', () => {
    expect(reasonOf({ ...event, data: nested(10_000) })).toBe('usage.event_malformed');
    expect(readEvent({ ...event, data: nested(15) }, now)).toMatchObject({
      properties: nested(15) as object,
    });
  });

  test.each<[unknown, string | undefined]>([
    ['3', '3'],
    ['0', '0'],
    ['-2.5', '-2.5'],
    ['0.000000000001', '0.000000000001'],
    ['123456789012345678901234.123456789012', '123456789012345678901234.123456789012'],
    [3, '3'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [-1e-12, '-0.000000000001'],
    [9007199254740991, '9007199254740991'],
    [123456789.012345, '123456789.012345'],
    [-0, '0'],
    [undefined, '1'],
    ['', undefined],
    [' 3', undefined],
    ['3 ', undefined],
    ['1e3', undefined],
    ['+3', undefined],
    ['0x10', undefined],
    ['1,000', undefined],
    ['１', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['.5', undefined],
    ['5.', undefined],
    ['1\n', undefined],
    ['0.0000000000001', undefined],
    [1e-13, undefined],
    [9007199254740992, undefined],
    [1e21, undefined],
    [123456789.12345679, undefined],
    [1e24, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [null, undefined],
    [true, undefined],
    [['3'], undefined],
    [{ toString: () => '3' }, undefined],
  ])('reads the value %j as %s', (value, text) => {
    expect(valueOf(value)).toBe(text);
  });

  test.each<[unknown, string | undefined]>([
    ['2026-11-20T05:40:00Z', '2026-11-20T05:40:00.000Z'],
    ['2026-11-20T13:40:00+08:00', '2026-11-20T05:40:00.000Z'],
    ['2026-11-20T05:40:00.123456789Z', '2026-11-20T05:40:00.123Z'],
    ['2026-11-20t05:40:00z', '2026-11-20T05:40:00.000Z'],
    ['2028-02-29T00:00:00Z', undefined /* ahead */],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2026-11-20T05:48:12Z', '2026-11-20T05:48:12.000Z'],
    ['2026-11-20T05:48:12.001Z', undefined],
    ['2026-02-30T00:00:00Z', undefined],
    ['2025-02-29T00:00:00Z', undefined],
    ['2026-04-31T12:00:00Z', undefined],
    ['2026-11-19T24:00:00Z', undefined],
    ['2026-11-19T23:59:60Z', undefined],
    ['2026-11-19T23:60:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-11-20', undefined],
    ['2026-11-20 05:40:00Z', undefined],
    ['2026-11-20T05:40:00', undefined],
    ['2026-11-20T05:40Z', undefined],
    ['20 Nov 2026 05:40:00 GMT', undefined],
    ['0001-01-01T00:00:00Z', undefined],
    ['+002026-11-20T05:40:00Z', undefined],
    ['2026-11-20T05:40:00+25:00', undefined],
    ['', undefined],
    [1_763_617_200_000, undefined],
    [null, now.toISOString()],
  ])('reads the time %j as %s', (time, moment) => {
    expect(timeOf(time)).toBe(moment);
  });
  test('reads every time as written, to the millisecond', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: now, noInvalidDate: true }),
        (moment) => {
          expect(timeOf(moment.toISOString())).toBe(moment.toISOString());
        },
      ),
    );
  });

  test('any input is read or rejected, never an error, and a read event is valid', () => {
    const hostile = fc.record(
      {
        specversion: fc.constantFrom('1.0', 1, null),
        id: fc.anything(),
        source: fc.anything(),
        type: fc.anything(),
        subject: fc.anything(),
        time: fc.anything(),
        data: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const near = fc.record({
      specversion: fc.constant('1.0'),
      id: fc.string({ minLength: 1, unit: 'binary' }),
      source: fc.constant('s'),
      type: fc.constant('t'),
      subject: fc.constant('sub_1'),
      data: fc.dictionary(fc.string({ unit: 'binary' }), fc.anything()),
    });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), hostile, near), (raw) => {
        const read = readEvent(raw, now);
        if (isRejection(read)) return;
        expect(read.value).toMatch(/^-?\d{1,24}(\.\d{1,12})?$/);
        expect(JSON.stringify(read.properties)).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/);
      }),
    );
  });
});

/** Aggregates as hours and months keep them. */
function rollup(values: readonly string[]): Rollup | undefined {
  if (values.length === 0) return undefined;
  const exact = values.map(decimal);
  return {
    eventCount: BigInt(values.length),
    sum: decimalText(sumDecimals(exact)),
    max: decimalText(exact.reduce((a, b) => (a.gt(b) ? a : b))),
    lastValue: values.at(-1)!,
    distinct: BigInt(new Set(values).size),
  };
}

describe('quantities', () => {
  test.each([
    ['sum', '12.5'],
    ['count', '4'],
    ['max', '7'],
    ['latest', '2.5'],
    ['unique_count', '4'],
  ] as const)('by %s: %s', (aggregation, quantity) => {
    expect(decimalText(quantityOf(rollup(['1', '2', '7', '2.5']), aggregation))).toBe(quantity);
    expect(decimalText(quantityOf(undefined, aggregation))).toBe('0');
  });
  test('equal values count once for distinct counts; other aggregations have no such count', () => {
    expect(decimalText(quantityOf(rollup(['1', '1', '2']), 'unique_count'))).toBe('2');
    expect(
      decimalText(quantityOf({ eventCount: 3n, sum: '4', max: '2', lastValue: '2' }, 'unique_count')),
    ).toBe('0');
  });

  const month = fc.array(fc.array(decimalTexts(-1000n, 10n ** 9n), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 31,
  });
  test.each(aggregations.filter((each) => each !== 'unique_count'))(
    'by %s: the daily differences add up to the month',
    (aggregation) => {
      fc.assert(
        fc.property(month, (days) => {
          const cumulative = cumulativeQuantities(days.map(rollup), aggregation);
          const differences = cumulative.map((quantity, index) =>
            quantity.minus(cumulative[index - 1] ?? zero),
          );
          const whole = quantityOf(rollup(days.flat()), aggregation);
          expect(cumulative).toHaveLength(days.length);
          expect(decimalText(sumDecimals(differences))).toBe(decimalText(whole));
          for (const [index, quantity] of cumulative.entries())
            expect(decimalText(quantity)).toBe(
              decimalText(quantityOf(rollup(days.slice(0, index + 1).flat()), aggregation)),
            );
        }),
      );
    },
  );
});

const costs = (...texts: readonly (string | number)[]): Decimal[] =>
  texts.map((text) => decimal(String(text)));

describe('R-USE-01: trend', () => {
  test.each<[string, Decimal[], string, number]>([
    ['nothing', [], 'stable', 0],
    ['one month', costs(100), 'stable', 0],
    ['no costs', costs(0, 0, 0, 0, 0, 0), 'stable', 0],
    ['constant', costs(7, 7, 7, 7, 7, 7), 'stable', 0],
    ['a straight line up', costs(100, 110, 120, 130, 140, 150), 'increasing', 8],
    ['the same line down', costs(150, 140, 130, 120, 110, 100), 'decreasing', -8],
    ['exactly five percent', costs(90, 95, 100, 105, 110), 'stable', 5],
    ['slightly more than five percent', costs(89.8, 94.9, 100, 105.1, 110.2), 'increasing', 5.1],
    ['exactly five down', costs(110, 105, 100, 95, 90), 'stable', -5],
    ['slightly more down', costs(110.2, 105.1, 100, 94.9, 89.8), 'decreasing', -5.1],
    ['two months', costs(100, 200), 'increasing', 66.7],
    ['a peak in the middle', costs(0, 0, 100, 100, 0, 0), 'stable', 0],
    ['credits that grow', costs(-100, -110, -120, -130, -140, -150), 'decreasing', -8],
    ['credits that shrink', costs(-150, -140, -130, -120, -110, -100), 'increasing', 8],
  ])('%s', (_what, list, trend, percent) => {
    expect(trendOf(list)).toEqual({ trend, percent });
  });
  const list = fc.array(decimalTexts(0n, 10n ** 6n, 4), { maxLength: 6 });
  test('backwards is the opposite, and independent of the currency unit', () => {
    fc.assert(
      fc.property(list, (texts) => {
        const forward = trendOf(texts.map(decimal));
        const backward = trendOf(texts.map(decimal).toReversed());
        expect(backward.percent).toBe(forward.percent === 0 ? 0 : -forward.percent);
        expect(trendOf(texts.map((text) => decimal(text).times('1000'))).percent).toBeCloseTo(
          forward.percent,
          0,
        );
        expect(forward.trend).toBe(
          Math.abs(forward.percent) <= 5 ? 'stable' : forward.percent > 0 ? 'increasing' : 'decreasing',
        );
      }),
    );
  });
});

describe('R-USE-01: projection', () => {
  const day = (weekday: number, cost: string | number) => ({ weekday, cost: decimal(String(cost)) });
  const textsOf = (projection: ReturnType<typeof project>): string[] =>
    [projection.expected, projection.low, projection.high].map((each) => each.toFixed(2));

  test('without a complete day equals current usage', () => {
    expect(textsOf(project(decimal('5'), [], [1, 2, 3]))).toEqual(['5.00', '5.00', '5.00']);
  });
  test('a steady pace gives one figure', () => {
    expect(textsOf(project(decimal('20'), [day(1, 10), day(2, 10)], [3, 4, 5]))).toEqual([
      '50.00',
      '50.00',
      '50.00',
    ]);
  });
  test('expects cheaper weekends to be cheaper', () => {
    const past = [1, 2, 3, 4, 5].map((weekday) => day(weekday, 100)).concat([day(6, 10), day(0, 10)]);
    expect(project(decimal('520'), past, [6, 0]).expected.toFixed(0)).toBe('540');
    expect(project(decimal('520'), past, [1, 2]).expected.toFixed(0)).toBe('720');
  });
  test('uses the average day for a weekday without data', () => {
    expect(project(decimal('30'), [day(1, 10), day(2, 20)], [3]).expected.toFixed(0)).toBe('45');
  });
  test('has a range of one standard deviation of a day times the root of the remaining days; current usage is fixed', () => {
    const past = [day(1, 0), day(1, 20)];
    expect(textsOf(project(decimal('100'), past, [1, 1, 1, 1]))).toEqual(['140.00', '120.00', '160.00']);
    expect(textsOf(project(decimal('20'), past, [1]))).toEqual(['30.00', '20.00', '40.00']);
    expect(textsOf(project(decimal('25'), past, [1]))).toEqual(['35.00', '25.00', '45.00']);
    expect(textsOf(project(decimal('100'), past, []))).toEqual(['100.00', '100.00', '100.00']);
  });

  test('adds the rest of its usual value to today; usage above it is not reduced', () => {
    const past = [day(1, 10), day(2, 30), day(2, 50)];
    expect(
      [day(2, 15), day(2, 60), day(1, 0), day(3, 0)].map((today) => restOfDay(past, today).toFixed(0)),
    ).toEqual(['25', '0', '10', '30']);
    expect(restOfDay([], day(1, 5)).toFixed(0)).toBe('0');
    expect(project(decimal('105'), past, [1], day(2, 15)).expected.toFixed(0)).toBe('140');
    // The rest of one day is uncertain, too.
    expect(textsOf(project(decimal('20'), [day(1, 10), day(1, 30)], [], day(1, 5)))).toEqual([
      '35.00',
      '25.00',
      '45.00',
    ]);
  });
  test('low ≤ expected ≤ high, for any usage and corrections', () => {
    const past = fc.array(
      fc.record({
        weekday: fc.integer({ min: 0, max: 6 }),
        cost: decimalTexts(-100n, 10n ** 6n, 6).map(decimal),
      }),
      { maxLength: 31 },
    );
    fc.assert(
      fc.property(
        decimalTexts(-100n, 10n ** 6n),
        past,
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 31 }),
        (soFar, days, left) => {
          const { low, expected, high } = project(decimal(soFar), days, left);
          expect(low.lte(expected) && expected.lte(high)).toBe(true);
          if (days.every((each) => each.cost.gte(zero))) expect(low.gte(decimal(soFar))).toBe(true);
        },
      ),
    );
  });
});

test.each<[string, string, string, string | undefined]>([
  ['2026-08-01', '2026-08-01', '2026-11-01', undefined],
  ['2026-08-01', '2026-11-01', '2026-11-01', undefined],
  ['2026-08-01', '2026-11-02', '2026-11-01', 'usage.range_too_long'],
  ['2026-08-02', '2026-08-01', '2026-11-02', 'usage.start_after_end'],
])('R-USE-05: from %s to %s, three months ending on %s: %s', (from, to, last, mistake) => {
  expect(rangeMistake(from, to, last)).toBe(mistake);
});
