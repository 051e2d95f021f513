// The calculator’s request for typed values, and the samples of templates.
import { describe, expect, it } from 'vitest';
import { currencyCodes } from '#kernel/money.ts';
import { NewMeter } from '#features/selling/meters/contract.ts';
import { definitionIssue, isMeterKey } from '#features/selling/meters/rules.ts';
import { unknownDimension } from '#features/selling/rating/rules.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { chargeOf, pricedCharge } from './charge-fields.ts';
import { cardOfTemplate, chargeTemplates, withMeterKeys, type ChargeTemplate } from './charge-templates.ts';
import { estimateInputOf, quantityOf, sample, usualSamples } from './samples.ts';

const textsOf = (key: string) => ({ zhTW: `zh ${key}`, enUS: key });
const templates = Object.keys(chargeTemplates) as ChargeTemplate[];

describe('a quantity', () => {
  it.each([
    ['3 × 730', '2190'],
    ['3*730*0.5', '1095'],
    ['2 x 1.5', '3'],
    [' 12 ', '12'],
    ['0', '0'],
    ['', undefined],
    ['3 ×', undefined],
    ['-1', undefined],
    ['1,5', undefined],
    ['1e3', undefined],
    ['0.000001 × 0.0000001', undefined],
  ])('%j is %s', (typed, expected) => expect(quantityOf(typed)).toBe(expected));
});

describe('the calculator’s request', () => {
  const name = { zhTW: '項', enUS: 'Item' };
  const usage = { name, kind: 'usage', meter: 'm' } as const;
  const matrix: Charge = {
    ...usage,
    key: 'c0',
    model: 'matrix',
    rates: [{ when: { size: 'm' }, unitPrice: '1' }],
  };
  const perUnit: Charge = { ...usage, key: 'c1', model: 'per_unit', unitPrice: '1' };
  const seats: Charge = { key: 'c2', name, kind: 'recurring', model: 'per_unit', unitPrice: '1' };
  const flat: Charge = { key: 'c3', name, kind: 'recurring', model: 'flat', amount: '1' };
  it('has rows for a matrix, a number otherwise, and nothing for a flat fee', () =>
    expect(
      estimateInputOf([
        { charge: matrix, samples: [sample('3 × 2', { size: 'm', region: '' }), sample('?', { size: 'l' })] },
        { charge: perUnit, samples: [sample('5')] },
        { charge: seats, samples: [sample('?')] },
        { charge: flat, samples: [] },
      ]),
    ).toEqual({
      quantities: { c2: '0' },
      usage: { c0: [{ value: '6', dimensions: { size: 'm' } }], c1: '5' },
    }));
  it.each([
    [undefined, 1],
    ['', 1],
    ['3', 3],
    [' 2 ', 2],
    ['0', 0],
    ['x', 0],
    ['-1', 0],
    ['1.5', 0],
    ['999999', 0],
  ])('%j events of 50 for a percentage are %i', (count, events) => {
    const share: Charge = { ...usage, key: 'c4', model: 'percentage', ratePercent: '2', fixedPerEvent: '1' };
    const asked = { ...sample('50'), ...(count !== undefined && { count }) };
    expect(estimateInputOf([{ charge: share, samples: [asked, sample('7')] }]).usage['c4']).toEqual([
      ...Array.from({ length: events }, () => ({ value: '50', dimensions: {} })),
      { value: '7', dimensions: {} },
    ]);
    // The sum of a matrix does not depend on the number of events.
    expect(estimateInputOf([{ charge: matrix, samples: [asked] }]).usage['c0']).toHaveLength(1);
  });
  it('starts with one of the first rate', () =>
    expect(usualSamples(matrix)).toMatchObject([{ when: { size: 'm' }, value: '1' }]));
});

describe.each(templates)('R-CAT-05 the template %s', (template) => {
  it.each(currencyCodes)('is complete in %s, with meters for its prices', (currency) => {
    const { charges, meters } = cardOfTemplate(template, currency, 'enUS', textsOf);
    for (const meter of meters) {
      expect(NewMeter.safeParse(meter).error).toBeUndefined();
      expect(definitionIssue({ ...meter, dimensions: meter.dimensions ?? [] })).toBeUndefined();
      expect(isMeterKey(meter.key)).toBe(true);
    }
    expect(new Set(charges.map(({ key }) => key)).size).toBe(charges.length);
    for (const fields of charges) {
      const charge = chargeOf(fields);
      expect(charge && pricedCharge(fields, 'c0')).toBeDefined();
      if (charge?.kind !== 'usage') continue;
      const meter = meters.find(({ key }) => key === charge.meter);
      expect(meter).toBeDefined();
      expect(unknownDimension(charge, meter?.dimensions ?? [])).toBeUndefined();
      for (const { value, when } of fields.samples) {
        expect(quantityOf(value)).toBeDefined();
        expect(Object.keys(when).every((name) => meter?.dimensions?.includes(name))).toBe(true);
      }
    }
  });
});

it('a template uses existing meters, and other keys where they differ', () => {
  const card = cardOfTemplate('virtualMachine', 'TWD', 'zhTW', textsOf);
  const other = withMeterKeys(
    card,
    new Map([
      ['vm_hours', { key: 'hours', isThere: true }],
      ['egress_gb', { key: 'egress_gb_2', isThere: false }],
    ]),
  );
  expect(other.charges.flatMap(({ kind, meter }) => (kind === 'usage' ? meter : []))).toEqual([
    'hours',
    'vm_disk_gb',
    'egress_gb_2',
  ]);
  expect(other.meters.map(({ key }) => key)).toEqual(['vm_disk_gb', 'egress_gb_2']);
});
