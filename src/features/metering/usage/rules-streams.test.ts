// Which meters count an event, in which cell, and the results of samples and levels (R-USE-03).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { PlanPrice } from '#features/selling/subscriptions/rules.ts';
import type { MeteredEvent } from './rules.ts';
import { joinCells, type CellRollup } from './rules-charge-usage.ts';
import { levelOfHour } from './rules-levels.ts';
import { partsByMonth, rateRejection } from './rules-rates.ts';
import { countSamples, sampleDeltas, sampleStart } from './rules-samples.ts';
import {
  cellOf,
  countingMeters,
  dimensionRejection,
  dimensionsOfCell,
  isOwnMeter,
  storedType,
  type StreamMeter,
} from './rules-streams.ts';

const meter = (more: Partial<StreamMeter> = {}): StreamMeter => ({
  key: 'm',
  chargedAs: 'm',
  eventType: 't',
  aggregation: 'sum',
  unit: 'units',
  dimensions: [],
  ...more,
});
const eventAt = (time: string, value: string, id = time): MeteredEvent => ({
  source: 'a',
  id,
  type: 't',
  subscriptionId: 'sub_1',
  time: new Date(time),
  value,
  properties: null,
  isTimed: true,
});

describe('a meter counts', () => {
  test.each<[string, StreamMeter['filter'], MeteredEvent['properties'], boolean]>([
    ['everything without a filter', undefined, null, true],
    ['a text', { size: ['l'] }, { size: 'l' }, true],
    ['a number by its text', { size: ['3'] }, { size: 3 }, true],
    ['a boolean by its text', { on: ['true'] }, { on: true }, true],
    ['not another text', { size: ['l'] }, { size: 's' }, false],
    ['not a missing property', { size: ['l'] }, null, false],
    ['not null', { size: ['null'] }, { size: null }, false],
    ['not a list', { size: ['l'] }, { size: ['l'] }, false],
    ['not an inherited property', { constructor: ['x'] }, {}, false],
    ['only with all of its properties', { size: ['l'], on: ['1'] }, { size: 'l' }, false],
  ])('%s', (_what, filter, properties, counts) => {
    expect(countingMeters([meter({ filter })], { type: 't', properties })).toHaveLength(counts ? 1 : 0);
    expect(countingMeters([meter({ filter })], { type: 'u', properties })).toHaveLength(0);
  });
  test('the service’s own meter is another meter with the same definition', () => {
    const own = { eventType: 't', aggregation: 'sum', unit: 'units' } as const;
    expect(isOwnMeter(own, meter())).toBe(true);
    expect(isOwnMeter(own, meter({ dimensions: ['a'] }))).toBe(false);
    expect(isOwnMeter(own, meter({ filter: { a: ['b'] } }))).toBe(false);
    expect(isOwnMeter(own, meter({ unit: 'other' }))).toBe(false);
    expect([storedType([meter({ key: '' })], 't'), storedType([meter()], 't')]).toEqual([null, 't']);
  });
});

describe('a cell', () => {
  const of = meter({ dimensions: ['region', 'size'] });
  test.each<[MeteredEvent['properties'], string, Record<string, string>]>([
    [{ region: 'tpe', size: 'l' }, '["tpe","l"]', { region: 'tpe', size: 'l' }],
    [{ size: 4, region: true }, '["true","4"]', { region: 'true', size: '4' }],
    [null, '[null,null]', {}],
    [{ region: null, size: '' }, '[null,""]', { size: '' }],
  ])('%j', (properties, cell, dimensions) => {
    expect(cellOf(of, properties)).toBe(cell);
    expect(dimensionsOfCell(of, cell)).toEqual(dimensions);
    expect(dimensionRejection(of, { id: 'x', properties })).toBeUndefined();
  });
  test.each([[['a']], [{}], ['x'.repeat(101)], [Number.POSITIVE_INFINITY]])('is rejected for %j', (value) => {
    expect(dimensionRejection(of, { id: 'x', properties: { size: value } })).toEqual({
      code: 'usage.dimension_value',
      id: 'x',
      params: { property: 'size', most: 100 },
    });
  });
  test('a meter without dimensions has one', () => {
    expect([cellOf(meter(), { a: 1 }), dimensionsOfCell(meter(), '')]).toEqual(['', {}]);
  });
});

describe('samples', () => {
  const taipei = 'Asia/Taipei';
  test('begin at midnight in the organization’s time zone', () => {
    expect(sampleStart(new Date('2026-11-20T05:43:12Z'), taipei, 5)).toEqual(
      new Date('2026-11-20T05:40:00Z'),
    );
    expect(sampleStart(new Date('2026-11-20T05:43:12Z'), taipei, 1440)).toEqual(
      new Date('2026-11-19T16:00:00Z'),
    );
    expect(sampleStart(new Date('2026-11-20T18:40:00Z'), 'Asia/Kolkata', 60)).toEqual(
      new Date('2026-11-20T18:30:00Z'),
    );
  });
  const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
  const november = span('2026-10-31T16:00:00Z', '2026-11-30T16:00:00Z');
  test.each([
    ['a month of 30 days', [november], november, 5, 8640],
    ['half a sample counts as one', [span('2026-11-01T00:02:00Z', '2026-11-01T00:04:00Z')], november, 5, 1],
    [
      'two spans in one sample',
      [
        span('2026-11-01T00:00:00Z', '2026-11-01T00:01:00Z'),
        span('2026-11-01T00:02:00Z', '2026-11-01T00:11:00Z'),
      ],
      november,
      5,
      3,
    ],
    ['nothing served', [], november, 5, 0],
    [
      'a sample that began before the part',
      [november],
      span('2026-11-10T00:07:00Z', '2026-11-10T00:20:00Z'),
      5,
      2,
    ],
  ] as const)('%s', (_what, spans, part, minutes, count) => {
    expect(
      countSamples(
        spans.filter((each) => each.to > part.from),
        part,
        taipei,
        minutes,
      ),
    ).toBe(count);
  });
  test('a day of 23 hours has fewer', () => {
    const day = span('2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z');
    expect(countSamples([day], day, 'America/New_York', 60)).toBe(23);
  });
  test('parts of a month contain all its samples, each once', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 30 * 1440 - 1 }), { maxLength: 6 }),
        fc.constantFrom(5, 7, 60, 720),
        (cuts, minutes) => {
          const at = [0, ...cuts.toSorted((a, b) => a - b), 30 * 1440].map(
            (minute) => new Date(november.from.getTime() + minute * 60_000),
          );
          const counts = at.slice(1).map((to, place) => {
            const part = { from: at[place]!, to };
            return countSamples([part], part, taipei, minutes);
          });
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
            countSamples([november], november, taipei, minutes),
          );
        },
      ),
    );
  });
  test('add up the values within them', () => {
    const events = [
      eventAt('2026-11-20T00:04:59Z', '1.5'),
      eventAt('2026-11-20T00:05:00Z', '2'),
      eventAt('2026-11-20T00:00:00Z', '-0.5'),
    ];
    expect(
      sampleDeltas({ subscriptionId: 'sub_1', meter: 'm', cell: '', events }, taipei, 5).map(
        ({ start, sum }) => [start.toISOString(), sum],
      ),
    ).toEqual([
      ['2026-11-20T00:00:00.000Z', '1'],
      ['2026-11-20T00:05:00.000Z', '2'],
    ]);
  });
});

test('an hour of a level: each report holds until the next one; of two at one moment the one with the later name counts', () => {
  expect(levelOfHour([])).toBeUndefined();
  expect(
    levelOfHour([
      eventAt('2026-11-20T00:10:00Z', '5', 'b'),
      eventAt('2026-11-20T00:00:00Z', '3'),
      eventAt('2026-11-20T00:10:00Z', '4', 'a'),
    ]),
  ).toEqual({
    firstAt: new Date('2026-11-20T00:00:00Z'),
    area: String(3 * 600_000),
    lastValue: '5',
    lastAt: new Date('2026-11-20T00:10:00Z'),
  });
});

test('cells together: additive values are added, others are given', () => {
  const cell = (of: Partial<CellRollup>): CellRollup => ({
    cell: '',
    eventCount: 1n,
    sum: '0',
    max: '0',
    min: '0',
    lastValue: '0',
    lastAt: new Date(0),
    lastEvent: '',
    ...of,
  });
  expect(
    joinCells(
      [
        cell({
          eventCount: 2n,
          sum: '-3',
          max: '-1',
          min: '-2',
          lastValue: '-1',
          lastAt: new Date(5),
          lastEvent: 'b',
        }),
        cell({
          eventCount: 1n,
          sum: '-4.5',
          max: '-4.5',
          min: '-4.5',
          lastValue: '-4.5',
          lastAt: new Date(5),
          lastEvent: 'a',
        }),
        cell({ eventCount: 0n, max: '9', min: '-9', lastAt: new Date(9) }),
      ],
      { distinct: 2n },
    ),
  ).toEqual({ eventCount: 3n, sum: '-7.5', max: '-1', min: '-4.5', lastValue: '-1', distinct: 2n });
});

describe('an event without a rate', () => {
  const matrix = (...rates: readonly object[]): Charge =>
    ({
      key: 'c',
      name: { zhTW: 'c', enUS: 'c' },
      kind: 'usage',
      meter: 'm',
      model: 'matrix',
      rates,
    }) as Charge;
  const cheap = matrix({ when: { region: 'tpe' }, unitPrice: '1' });
  const any = matrix({ when: { region: 'tpe' }, unitPrice: '1' }, { when: {}, unitPrice: '2' });
  const price = (from: string, charge: Charge): PlanPrice => ({
    id: from,
    effectiveFrom: new Date(from),
    pricing: { model: 'rate_card', currency: 'TWD', charges: [charge] },
  });
  const partsOf = partsByMonth(
    {
      startedAt: new Date('2026-01-01T00:00:00Z'),
      endsAt: null,
      trialEndsAt: null,
      phases: [{ from: new Date('2026-01-01T00:00:00Z'), serviceId: 'svc', quantity: '1', yearAnchor: null }],
      pauses: [],
    },
    () => ({
      id: 'svc',
      name: 'Service',
      billingCycle: 'monthly',
      proration: 'day',
      prices: [price('2026-01-01T00:00:00Z', cheap), price('2026-11-20T10:30:00Z', any)],
    }),
    'UTC',
  );
  const of = meter({ dimensions: ['region'] });
  const reason = (time: string, region: string, counting = of) =>
    rateRejection({ id: 'x', time: new Date(time), properties: { region } }, [counting], partsOf, 'UTC');
  test('is detected with the price at the start of its hour, as on bills', () => {
    expect(reason('2026-11-20T10:29:00Z', 'tpe')).toBeUndefined();
    expect(reason('2026-11-20T10:29:00Z', 'nrt')).toEqual({
      code: 'usage.no_rate',
      id: 'x',
      params: { charge: 'c', values: 'region: nrt' },
    });
    expect(reason('2026-11-20T10:59:00Z', 'nrt')?.code).toBe('usage.no_rate');
    expect(reason('2026-11-20T11:00:00Z', 'nrt')).toBeUndefined();
    expect(reason('2026-12-20T11:00:00Z', 'nrt')).toBeUndefined();
  });
  test('does not exist when no charge names its meter', () => {
    expect(
      reason('2026-11-01T00:00:00Z', 'nrt', meter({ chargedAs: 'other', dimensions: ['region'] })),
    ).toBeUndefined();
  });
});
