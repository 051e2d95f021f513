import { describe, expect, it } from 'vitest';
import type { Pricing, Service } from '../contract.ts';
import { problemsOf } from '#platform/web/form/test-problems.ts';
import {
  commas,
  emptyFields,
  fieldNamed,
  fieldsOf,
  lines,
  listOf,
  meterOf,
  pricingOf,
  quotaOf,
  serviceFields,
} from './service-fields.ts';

const good = {
  ...emptyFields('TWD'),
  name: 'Object storage',
  type: 'Storage',
  category: 'Own',
  eventType: 'com.example.stored',
  unit: 'GB',
  unitPrice: '0.0000004',
};
const problems = (change: object) => {
  return problemsOf(serviceFields, { ...good, ...change }) ?? 'fine';
};

describe('R-CAT-05 the form of a service', () => {
  it.each<[string, object, unknown]>([
    ['a price per unit with many digits', {}, 'fine'],
    ['no unit price', { unitPrice: '' }, { unitPrice: 'form.required' }],
    ['a unit price that is no number', { unitPrice: '1e-7' }, { unitPrice: 'form.invalid' }],
    ['a flat price without a fee', { model: 'flat' }, { baseFee: 'form.required' }],
    [
      'an empty package',
      { model: 'package', packageSize: '0', packagePrice: '5' },
      { packageSize: 'form.invalid' },
    ],
    [
      'tiers that do not rise',
      {
        model: 'volume',
        tiers: [
          { upTo: '100', unitPrice: '1', flatFee: '' },
          { upTo: '100', unitPrice: '1', flatFee: '' },
          { upTo: '', unitPrice: '1', flatFee: '' },
        ],
      },
      { 'tiers.1.upTo': 'form.invalid' },
    ],
    [
      'a tier without a price',
      {
        model: 'graduated',
        tiers: [
          { upTo: '100', unitPrice: '', flatFee: 'x' },
          { upTo: '', unitPrice: '1', flatFee: '' },
        ],
      },
      { 'tiers.0.unitPrice': 'form.required', 'tiers.0.flatFee': 'form.invalid' },
    ],
    ['a quota of zero', { quotaType: 'hard', quotaLimit: '0' }, { quotaLimit: 'form.invalid' }],
    ['a maximum below the minimum', { minimum: '10', maximum: '9.99' }, { maximum: 'form.invalid' }],
    ['an invalid included quantity', { included: '-1' }, { included: 'form.invalid' }],
    ['a trial of years', { trialDays: '731' }, { trialDays: 'form.invalid' }],
    ['a price without a start date', { beginsOn: '2026-02-30' }, { beginsOn: 'form.invalid' }],
    ['a schema that is not JSON', { dataSchema: '{' }, { dataSchema: 'form.invalid' }],
    ['a schema that is not an object', { dataSchema: '[]' }, { dataSchema: 'form.invalid' }],
    ['distinct values without a property', { aggregation: 'unique_count' }, { property: 'form.required' }],
  ])('%s', (_what, change, expected) => expect(problems(change)).toEqual(expected));
});

describe('the request of the form', () => {
  const pricings: readonly Pricing[] = [
    { model: 'flat', currency: 'TWD', baseFee: '100' },
    {
      model: 'per_unit',
      currency: 'USD',
      minimum: '5',
      maximum: '50',
      included: '10',
      unitPrice: '0.0000004',
    },
    {
      model: 'graduated',
      currency: 'TWD',
      baseFee: '10',
      tiers: [
        { upTo: '1000', unitPrice: '0.5' },
        { upTo: null, unitPrice: '0.2', flatFee: '30' },
      ],
    },
    { model: 'volume', currency: 'TWD', tiers: [{ upTo: null, unitPrice: '1' }] },
    { model: 'package', currency: 'TWD', packageSize: '1000', packagePrice: '5', freeUnits: '100' },
  ];
  it.each(pricings.map((pricing) => [pricing.model, pricing] as const))(
    '%s is unchanged after a round trip',
    (_model, pricing) => {
      const service = {
        ...good,
        features: ['a', 'b'],
        tags: ['x'],
        pricing,
        meter: {
          eventType: 'e',
          aggregation: 'unique_count',
          property: 'user',
          unit: 'users',
          dataSchema: { required: ['user'] },
        },
        quota: { type: 'soft', limit: '10' },
      } as unknown as Service;
      const fields = fieldsOf(service);
      expect([
        pricingOf(fields),
        meterOf(fields),
        quotaOf(fields),
        listOf(fields.features, lines),
        listOf(fields.tags, commas),
      ]).toEqual([pricing, service.meter, service.quota, service.features, service.tags]);
    },
  );
  it('has no price while something is missing', () => {
    expect(pricingOf({ ...good, unitPrice: '' })).toBeUndefined();
    expect(pricingOf({ ...good, model: 'flat' })).toBeUndefined();
    expect(pricingOf({ ...good, model: 'package', packageSize: '0', packagePrice: '1' })).toBeUndefined();
  });
  it('accepts the number formats of both languages', () =>
    expect(listOf('快，便宜、 快, new', commas)).toEqual(['快', '便宜', 'new']));
});

describe('fields named by the server', () => {
  it.each([
    ['pricing.tiers.2.upTo', 'tiers.2.upTo'],
    ['pricing.currency', 'currency'],
    ['meter.property', 'property'],
    ['quota.limit', 'quotaLimit'],
    ['effectiveFrom', 'beginsOn'],
    ['name', 'name'],
  ])('%s is at %s', (field, own) => expect(fieldNamed(field)).toBe(own));
});
