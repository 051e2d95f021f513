import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '#platform/web/form/test-problems.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import {
  chargeIssues,
  chargeOf,
  copyOf,
  emptyCharge,
  emptyTier,
  fieldsOfCharge,
  freeKey,
  keyOfName,
  modelsOf,
  pricedCharge,
  type ChargeFields,
} from './charge-fields.ts';
import { emptyRate } from './rate-fields.ts';
import { sample } from './samples.ts';
import { emptyFields, fieldNamed, pricingOf, samePrice, serviceFields } from './service-fields.ts';

const name = { zhTW: '席次', enUS: 'Seats' };
const fee = { key: 'seats', name, kind: 'recurring' } as const;
const usage = { key: 'traffic', name, kind: 'usage', meter: 'traffic' } as const;
const charges: readonly Charge[] = [
  { ...fee, model: 'flat', amount: '900', cycle: 'quarter', timing: 'arrears', prorate: 'none' },
  { ...fee, model: 'per_unit', unitPrice: '300', included: '3', anchor: 'anniversary', taxCategory: 'saas' },
  { ...fee, kind: 'one_time', model: 'package', packageSize: '10', packagePrice: '5', rounding: 'down' },
  {
    ...usage,
    model: 'graduated',
    minimum: '5',
    maximum: '500',
    tierScope: 'per_value',
    tiers: [
      { upTo: '1000', unitPrice: '0.5' },
      { upTo: null, unitPrice: '0.2', flatFee: '30' },
    ],
  },
  { ...usage, model: 'volume', tiers: [{ upTo: null, unitPrice: '1' }] },
  {
    ...usage,
    model: 'percentage',
    ratePercent: '2.9',
    fixedPerEvent: '0.3',
    freeEvents: '10',
    freeAmount: '100',
    minPerEvent: '1',
    maxPerEvent: '20',
  },
  {
    ...usage,
    model: 'graduated_percentage',
    tiers: [
      { upTo: '10000', ratePercent: '10' },
      { upTo: null, ratePercent: '7', flatFee: '1' },
    ],
  },
  { ...usage, model: 'dynamic' },
  { ...usage, model: 'matrix', rates: [{ when: { region: 'tpe' }, unitPrice: '1' }], unmatched: 'reject' },
  {
    ...usage,
    model: 'matrix',
    rates: [
      { when: { region: 'tpe', size: 'm' }, unitPrice: '1.2' },
      { when: { region: 'khh' }, tiers: [{ upTo: null, unitPrice: '1' }], tierModel: 'volume' },
      { when: {}, package: { packageSize: '10', packagePrice: '9' } },
    ],
  },
];

describe('R-CAT-05 the form of a charge', () => {
  it.each(charges.map((charge) => [charge.model, charge] as const))(
    '%s is unchanged after a round trip',
    (_model, charge) => expect(chargeOf(fieldsOfCharge(charge))).toEqual(charge),
  );

  it.each<[string, Partial<ChargeFields>, unknown]>([
    ['a flat fee', {}, []],
    ['no English name', { name: { zhTW: '席次', enUS: ' ' } }, [['name', 'enUS']]],
    ['an invalid amount', { amount: '1e3' }, [['amount']]],
    ['a key with a space', { key: 'my seats' }, [['key']]],
    ['usage without a meter', { kind: 'usage' }, [['meter']]],
    ['a percentage for a fee', { model: 'percentage', ratePercent: '2' }, [['model']]],
    ['a maximum below the minimum', { minimum: '5', maximum: '4' }, [['maximum']]],
    ['an empty package', { model: 'package', packageSize: '0', packagePrice: '1' }, [['packageSize']]],
    [
      'tiers that do not rise',
      {
        model: 'graduated',
        tiers: [
          { ...emptyTier, upTo: '10', unitPrice: '1' },
          { ...emptyTier, upTo: '10', unitPrice: '1' },
          { ...emptyTier, unitPrice: '1' },
        ],
      },
      [['tiers', 1, 'upTo']],
    ],
    [
      'a matrix without a price',
      { kind: 'usage', meter: 'm', model: 'matrix', rates: [emptyRate({ when: { region: 'tpe' } })] },
      [['rates', 0, 'unitPrice']],
    ],
    [
      'a matrix without a rule for other values',
      {
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [emptyRate({ when: { region: 'tpe' }, unitPrice: '1' })],
      },
      [['unmatched']],
    ],
    [
      'a matrix that rejects other values',
      {
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [emptyRate({ when: { region: 'tpe' }, unitPrice: '1' })],
        unmatched: 'reject',
      },
      [],
    ],
    [
      'a matrix with a default row, which leaves nothing to reject',
      {
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [emptyRate({ unitPrice: '1' })],
        unmatched: 'reject',
      },
      [],
    ],
    [
      'two rates for the same values',
      {
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [
          emptyRate({ when: { region: 'tpe', size: '' }, unitPrice: '1' }),
          emptyRate({ when: { region: 'tpe ' }, unitPrice: '2' }),
        ],
      },
      [['rates', 1, 'when']],
    ],
  ])('%s', (_what, change, expected) =>
    expect(
      chargeIssues([{ ...emptyCharge(), key: 'seats', name, amount: '900', ...change }]).map(({ path }) =>
        path.slice(2),
      ),
    ).toEqual(expected),
  );

  it('names a duplicate key, and a violated rule', () => {
    const seats = { ...emptyCharge(), key: 'seats', name, amount: '9' };
    expect(chargeIssues([seats, { ...seats, minimum: '2', maximum: '1' }])).toEqual([
      { path: ['charges', 1, 'maximum'], code: 'rating.maximum_below_minimum' },
      { path: ['charges', 1, 'key'], code: 'rating.key_twice' },
    ]);
    expect(chargeIssues([])).toEqual([{ path: ['charges'], code: 'catalogue.charges_none' }]);
  });

  it('can be priced by the calculator before it has names, key or meter', () => {
    expect(pricedCharge({ ...emptyCharge('usage'), unitPrice: '2' }, 'c0')).toMatchObject({
      key: 'c0',
      unitPrice: '2',
    });
    expect(pricedCharge(emptyCharge('usage'), 'c0')).toBeUndefined();
  });

  it('offers usage models for usage only', () => {
    expect(modelsOf('recurring')).not.toContain('matrix');
    expect(modelsOf('usage')).toContain('matrix');
  });
});

describe('keys of charges', () => {
  it.each([
    ['Set-up fee', 'set_up_fee'],
    ['  95th percentile!', 'th_percentile'],
    ['Café', 'cafe'],
    ['席次', ''],
  ])('%s is %s', (english, key) => expect(keyOfName(english)).toBe(key));

  it('are unique and valid in the API, for any name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.nat(12), (english, copies) => {
        const taken: string[] = [];
        for (let copy = 0; copy <= copies; copy++) {
          const key = freeKey(keyOfName(english), taken);
          expect(taken).not.toContain(key);
          expect(chargeOf({ ...emptyCharge(), name, amount: '1', key })?.key).toBe(key);
          taken.push(key);
        }
      }),
    ));

  it('of a copy is its own', () => {
    const stored = fieldsOfCharge({ ...fee, model: 'flat', amount: '9' });
    expect(copyOf(stored, ['seats', 'seats_2'])).toMatchObject({ key: 'seats_3', keyState: 'own' });
    expect(copyOf(stored, []).uid).not.toBe(stored.uid);
  });
});

describe('the form of a service with charges', () => {
  const service = {
    ...emptyFields('TWD'),
    name: 'Workspace',
    type: 'Software',
    category: 'Own',
    priceForm: 'card' as const,
    charges: [{ ...emptyCharge(), key: 'seats', name, amount: '900' }],
  };
  it('needs charges, but no meter of its own', () => {
    expect(problemsOf(serviceFields, service)).toBeUndefined();
    expect(problemsOf(serviceFields, { ...service, charges: [] })).toEqual({
      charges: 'catalogue.charges_none',
    });
    expect(problemsOf(serviceFields, { ...service, priceForm: 'single' })).toEqual({
      eventType: 'form.required',
      unit: 'form.required',
      unitPrice: 'form.required',
    });
  });
  it('is a rate card with monthly limits', () => {
    expect(pricingOf({ ...service, minimum: '500' })).toEqual({
      model: 'rate_card',
      currency: 'TWD',
      minimum: '500',
      charges: [{ ...fee, model: 'flat', amount: '900' }],
    });
    expect(pricingOf({ ...service, charges: [emptyCharge()] })).toBeUndefined();
  });
  it('has the same price in the calculator', () => {
    const asked = {
      ...service,
      charges: service.charges.map((each) => ({ ...each, samples: [sample('5')] })),
    };
    expect(samePrice(service, asked)).toBe(true);
  });
  it.each([
    ['charges.2.tiers.0.upTo', 'charges.2.tiers.0.upTo'],
    ['pricing.charges.1.key', 'charges.1.key'],
    ['charges.0.rates.3.when', 'charges.0.rates.3.when'],
    ['charges.0.rates.3.when.region', 'charges.0.rates.3.when'],
    ['quota', 'quotaType'],
    ['charges.0.rates.3.tiers.1.upTo', 'charges.0.rates.3.unitPrice'],
  ])('%s is the field %s', (field, own) => expect(fieldNamed(field)).toBe(own));
});
