// The form of a meter: its validation, and the resulting requests.
import { describe, expect, it } from 'vitest';
import { problemsOf } from '#platform/web/form/test-problems.ts';
import type { Meter } from '../contract.ts';
import { changesOf, fieldsOf, filterOf, listOf, meterFields, newMeterOf } from './meter-fields.ts';

const good = { ...fieldsOf(undefined), name: 'API calls', key: 'api-calls', eventType: 'e', unit: 'calls' };
const meter: Meter = {
  id: 'mtr_0000000000000000000000000a' as Meter['id'],
  key: 'bandwidth',
  name: 'Bandwidth',
  eventType: 'e',
  aggregation: 'percentile',
  p: 95,
  sampleMinutes: 5,
  unit: 'Mbit/s',
  dimensions: ['region'],
  filter: { port: ['a, b', 'c'] },
  usedBy: 0,
  version: 1,
  createdAt: new Date(0),
};

describe('errors', () => {
  it.each<[string, object, unknown]>([
    ['none', {}, 'fine'],
    ['no key', { key: '' }, { key: 'form.required' }],
    ['a key with a space', { key: 'A P' }, { key: 'meters.key_wrong' }],
    ['no property to count', { aggregation: 'unique_count' }, { property: 'form.required' }],
    ['a percentile of 0', { aggregation: 'percentile', p: '0' }, { p: 'form.invalid' }],
    ['a percentile of 99.9', { aggregation: 'percentile', p: '99.9' }, { p: 'form.invalid' }],
    [
      'samples of 7 minutes',
      { aggregation: 'percentile', sampleMinutes: '7' },
      { sampleMinutes: 'meters.samples_uneven' },
    ],
    ['a percentile of another aggregation', { p: 'x' }, 'fine'],
    ['six dimensions', { dimensions: 'a,b,c,d,e,f' }, { dimensions: 'form.invalid' }],
    ['a filter without values', { filter: 'region' }, { filter: 'meters.filter_form' }],
    ['a filter with a duplicate property', { filter: 'a: x\na: y' }, { filter: 'meters.filter_form' }],
    [
      'a filter of eleven properties',
      { filter: Array.from({ length: 11 }, (_, index) => `p${index}: x`).join('\n') },
      { filter: 'meters.filter_too_wide?most=10' },
    ],
    ['a schema that is not JSON', { dataSchema: '{' }, { dataSchema: 'form.invalid' }],
  ])('%s', (_what, change, expected) =>
    expect(problemsOf(meterFields, { ...good, ...change }) ?? 'fine').toEqual(expected),
  );
});

describe('typed input', () => {
  it('accepts the formats of both languages', () => {
    expect(listOf(' region，size、 region ,')).toEqual(['region', 'size']);
    expect(filterOf('region: tpe, khh\n\n size：m')).toEqual({ region: ['tpe', 'khh'], size: ['m'] });
    expect(filterOf('')).toEqual({});
    expect(filterOf(': x')).toBeUndefined();
  });
  it('becomes a meter without fields of other aggregations', () => {
    expect(newMeterOf({ ...good, property: 'left over' })).toEqual({
      key: 'api-calls',
      name: 'API calls',
      eventType: 'e',
      aggregation: 'sum',
      unit: 'calls',
      dimensions: [],
    });
    expect(newMeterOf({ ...good, aggregation: 'percentile', filter: 'a: x' })).toMatchObject({
      p: 95,
      sampleMinutes: 5,
      filter: { a: ['x'] },
    });
  });
});

describe('a change', () => {
  const before = fieldsOf(meter);
  it('keeps what was not changed, including what the form cannot edit', () =>
    expect(changesOf(meter, before, { ...before, name: 'Traffic' })).toEqual({
      name: 'Traffic',
      eventType: 'e',
      aggregation: 'percentile',
      p: 95,
      sampleMinutes: 5,
      unit: 'Mbit/s',
    }));
  it('removes a filter, a list and a schema', () =>
    expect(
      changesOf({ ...meter, dataSchema: {} }, fieldsOf({ ...meter, dataSchema: {} }), {
        ...before,
        filter: '',
        dimensions: '',
        dataSchema: '',
      }),
    ).toMatchObject({ filter: null, dimensions: [], dataSchema: null }));
  it('of a used meter contains only its name and schema', () =>
    expect(changesOf({ ...meter, usedBy: 1 }, before, { ...before, name: 'Traffic' })).toEqual({
      name: 'Traffic',
    }));
});
