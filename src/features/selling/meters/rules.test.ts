// Which definitions can be measured, which changes alter what is measured, and events that meters count.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meterAggregations, type Definition } from './contract.ts';
import {
  changedDefinition,
  definitionIssue,
  differingFields,
  dividesDay,
  exampleEvent,
  isMeterKey,
  normalized,
  schemaOf,
} from './rules.ts';

const plain: Definition = { eventType: 'e', aggregation: 'sum', unit: 'GB', dimensions: [] };
const percentile: Definition = { ...plain, aggregation: 'percentile', p: 95 };

const definitions: fc.Arbitrary<Definition> = fc
  .record(
    {
      eventType: fc.constantFrom('e', 'com.example.e'),
      aggregation: fc.constantFrom(...meterAggregations),
      unit: fc.constantFrom('GB', '小時'),
      dimensions: fc.uniqueArray(fc.constantFrom('region', 'size', 'zone'), { maxLength: 3 }),
      property: fc.constantFrom('user', 'host'),
      p: fc.integer({ min: 1, max: 100 }),
      sampleMinutes: fc.constantFrom(1, 5, 60),
      filter: fc.dictionary(
        fc.constantFrom('tier', 'host'),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
      ),
    },
    { requiredKeys: ['eventType', 'aggregation', 'unit', 'dimensions'] },
  )
  .map(({ p, sampleMinutes, ...rest }) => ({
    ...rest,
    ...(rest.aggregation === 'percentile' && {
      p: p ?? 95,
      ...(sampleMinutes !== undefined && { sampleMinutes }),
    }),
  }));

describe('valid definitions of a meter', () => {
  it.each<[string, Definition, unknown]>([
    ['a sum', plain, undefined],
    [
      'distinct values without a property',
      { ...plain, aggregation: 'unique_count' },
      ['meters.property_needed', 'property'],
    ],
    ['different values', { ...plain, aggregation: 'unique_count', property: 'user' }, undefined],
    [
      'a percentile without a number',
      { ...plain, aggregation: 'percentile' },
      ['meters.percentile_needed', 'p'],
    ],
    ['the 95th of samples as long as usual', percentile, undefined],
    ['samples of 7 minutes', { ...percentile, sampleMinutes: 7 }, ['meters.samples_uneven', 'sampleMinutes']],
    ['samples of a day', { ...percentile, sampleMinutes: 1440 }, undefined],
    ['a percentile of a sum', { ...plain, p: 95 }, ['meters.percentile_only', 'p']],
    ['samples of a sum', { ...plain, sampleMinutes: 5 }, ['meters.percentile_only', 'sampleMinutes']],
    [
      'a duplicate dimension',
      { ...plain, dimensions: ['region', 'region'] },
      ['meters.dimensions_repeat', 'dimensions'],
    ],
    [
      'the value as a dimension',
      { ...plain, dimensions: ['value'] },
      ['meters.value_reserved', 'dimensions'],
    ],
    ['the value as a filter', { ...plain, filter: { value: ['1'] } }, ['meters.value_reserved', 'filter']],
    [
      'different numbers',
      { ...plain, aggregation: 'unique_count', property: 'value' },
      ['meters.value_reserved', 'property'],
    ],
    ['a filter of ten properties', { ...plain, filter: filterOf(10) }, undefined],
    ['a filter of eleven', { ...plain, filter: filterOf(11) }, ['meters.filter_too_wide', 'filter']],
  ])('%s', (_what, definition, expected) => {
    const fault = definitionIssue(definition);
    expect(fault && [fault.code, fault.field]).toEqual(expected);
  });

  function filterOf(properties: number) {
    return Object.fromEntries(Array.from({ length: properties }, (_, index) => [`p${index}`, ['x']]));
  }

  it('a sample length is valid exactly when whole samples fill a day', () =>
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 3000 }), (minutes) => {
        let filled = 0;
        if (minutes > 0) while (filled < 1440) filled += minutes;
        expect(dividesDay(minutes)).toBe(filled === 1440);
      }),
    ));

  it.each([
    ['api-calls', true],
    ['com.example.api_call', true],
    ['a'.repeat(60), true],
    ['a'.repeat(61), false],
    ['', false],
    ['Api', true],
    ['a b', false],
    ['用量', false],
    ['a\n', false],
  ])('%j is a key: %s', (key, expected) => expect(isMeterKey(key)).toBe(expected));
});

describe('the stored form of a definition', () => {
  it('is stable', () =>
    fc.assert(
      fc.property(definitions, (definition) => {
        const once = normalized(definition);
        expect(normalized(once)).toEqual(once);
        expect(differingFields(once, normalized(definition))).toEqual([]);
        expect(definitionIssue(once)).toEqual(definitionIssue(definition));
      }),
    ));
  it('does not depend on the order of filters, their values and dimensions', () => {
    const one = normalized({
      ...plain,
      dimensions: ['a', 'b'],
      filter: { zone: ['y', 'x', 'y'], tier: ['1'] },
    });
    const other = normalized({ ...plain, dimensions: ['b', 'a'], filter: { tier: ['1'], zone: ['x', 'y'] } });
    expect(differingFields(one, other)).toEqual([]);
    expect(one.filter).toEqual({ tier: ['1'], zone: ['x', 'y'] });
  });
  it('has five minutes by default for a percentile, and no empty filter', () => {
    expect(normalized(percentile).sampleMinutes).toBe(5);
    expect(normalized({ ...plain, filter: {} })).toEqual(plain);
  });
});

describe('changing a meter', () => {
  it.each<[string, Definition, Parameters<typeof changedDefinition>[1], Definition, string[]]>([
    ['of nothing', percentile, {}, percentile, []],
    ['of the unit', plain, { unit: 'TB' }, { ...plain, unit: 'TB' }, ['unit']],
    ['to the same', plain, { eventType: 'e', filter: null, dimensions: [] }, plain, []],
    ['that removes a filter', { ...plain, filter: { a: ['x'] } }, { filter: null }, plain, ['filter']],
    [
      'from a percentile, which removes its fields',
      { ...percentile, sampleMinutes: 5 },
      { aggregation: 'max' },
      { ...plain, aggregation: 'max' },
      ['aggregation', 'p', 'sampleMinutes'],
    ],
    [
      'to another aggregation with a property of its own',
      { ...plain, aggregation: 'unique_count', property: 'user' },
      { aggregation: 'percentile', p: 90 },
      { ...percentile, p: 90 },
      ['aggregation', 'property', 'p'],
    ],
  ])('%s', (_what, before, change, after, fields) => {
    expect(changedDefinition(before, change)).toEqual(after);
    expect(differingFields(before, after)).toEqual(fields);
  });
  it('to another definition results in that one', () =>
    fc.assert(
      fc.property(definitions, definitions, (before, wanted) => {
        const whole = { property: null, p: null, sampleMinutes: null, filter: null, ...wanted };
        expect(normalized(changedDefinition(before, whole))).toEqual(normalized(wanted));
      }),
    ));
});

describe('an example event', () => {
  const at = new Date('2026-11-25T07:00:00.123Z');
  it('has the type, the filter’s values, and placeholders for the rest', () => {
    const meter = {
      ...plain,
      key: 'vm',
      dimensions: ['region', 'size'],
      filter: { size: ['m', 's'], billed: ['yes'] },
    };
    expect(JSON.parse(exampleEvent(meter, at))).toMatchObject({
      specversion: '1.0',
      type: 'e',
      time: '2026-11-25T07:00:00Z',
      data: { value: '1', region: '<region>', size: 'm', billed: 'yes' },
    });
  });
  it.each<[Definition, unknown]>([
    [{ ...plain, aggregation: 'count' }, {}],
    [{ ...plain, aggregation: 'unique_count', property: 'user' }, { user: '<user>' }],
    [percentile, { value: '1' }],
  ])('%#: data as the aggregation needs it', (definition, data) =>
    expect(JSON.parse(exampleEvent({ ...definition, key: 'k' }, at))).toMatchObject({ data }),
  );
});

it.each([
  ['', null],
  [' \n', null],
  ['{', undefined],
  ['[]', undefined],
  ['{"type":"object"}', { type: 'object' }],
])('the schema of %j', (written, expected) => expect(schemaOf(written)).toEqual(expected));
