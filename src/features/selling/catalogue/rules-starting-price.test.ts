import { describe, expect, it } from 'vitest';
import type { Charge } from '#features/selling/rating/contract.ts';
import { unmetered } from './rules.ts';
import { startingPrice, type StartingPrice } from './rules-starting-price.ts';

const named = (more: object): Charge =>
  ({ key: 'a', name: { zhTW: '甲', enUS: 'A' }, meter: 'traffic', ...more }) as Charge;
const fee = (amount: string, cycle = 'month') => named({ kind: 'recurring', model: 'flat', amount, cycle });
const use = (unitPrice: string) => named({ kind: 'usage', model: 'per_unit', unitPrice });
const meterUnits = { traffic: 'GB', calls: '次' };
const card = (charges: Charge[]) => ({
  charges,
  pricing: { model: 'rate_card', currency: 'TWD', charges } as const,
  meter: unmetered,
  meterUnits,
});
const usage = (amount: string, more: object = {}): StartingPrice => ({
  kind: 'usage',
  amount,
  size: null,
  unit: 'GB',
  isAll: false,
  ...more,
});

describe('R-CAT-02 the starting price of a service', () => {
  it.each<[string, Charge[], StartingPrice]>([
    ['one fee', [fee('990')], { kind: 'recurring', amount: '990', cycle: 'month', isAll: true }],
    [
      'fees together, usage besides',
      [fee('990'), fee('10'), use('2')],
      { kind: 'recurring', amount: '1000', cycle: 'month', isAll: false },
    ],
    [
      'the shorter cycle first',
      [fee('990', 'year'), fee('10')],
      { kind: 'recurring', amount: '10', cycle: 'month', isAll: false },
    ],
    [
      'a seat',
      [named({ kind: 'recurring', model: 'per_unit', unitPrice: '30' })],
      { kind: 'recurring', amount: '30', cycle: 'month', isAll: true },
    ],
    ['a fee of zero is ignored', [fee('0'), use('2')], usage('2')],
    ['a single usage price', [use('1.2')], usage('1.2', { isAll: true })],
    ['the lowest that is not free', [use('0'), use('0.09'), use('0.02')], usage('0.02')],
    [
      'tiers',
      [
        named({
          kind: 'usage',
          model: 'graduated',
          tiers: [
            { upTo: '10', unitPrice: '0' },
            { upTo: '500', unitPrice: '1.5' },
            { upTo: null, unitPrice: '1' },
          ],
        }),
      ],
      usage('1'),
    ],
    [
      'a matrix',
      [
        named({
          kind: 'usage',
          model: 'matrix',
          rates: [
            { when: { size: 'm' }, unitPrice: '3' },
            { when: {}, tiers: [{ upTo: null, unitPrice: '2' }] },
          ],
        }),
      ],
      usage('2'),
    ],
    [
      'a package is priced whole',
      [named({ kind: 'usage', model: 'package', packageSize: '100', packagePrice: '5' })],
      usage('5', { size: '100', isAll: true }),
    ],
    [
      'a share of amounts',
      [named({ kind: 'usage', model: 'percentage', ratePercent: '2' })],
      { kind: 'other' },
    ],
    ['nothing', [fee('0')], { kind: 'free' }],
    [
      'a one-time fee is ignored',
      [named({ kind: 'one_time', model: 'flat', amount: '500' }), use('2')],
      usage('2'),
    ],
  ])('%s', (_, charges, expected) => {
    expect(startingPrice(card(charges))).toEqual(expected);
  });

  it('has the unit of the meter that its lowest price counts', () => {
    const calls = named({ kind: 'usage', model: 'per_unit', unitPrice: '0.5', meter: 'calls' });
    expect(startingPrice(card([use('2'), calls]))).toEqual(usage('0.5', { unit: '次' }));
  });

  it('of a single price has the unit of the service’s own meter', () => {
    const meter = { eventType: 'gb', aggregation: 'sum', unit: 'GB' } as const;
    const pricing = { model: 'per_unit', currency: 'TWD', unitPrice: '2' } as const;
    const charges = [named({ kind: 'usage', model: 'per_unit', unitPrice: '2', meter: 'gb' })];
    expect(startingPrice({ charges, pricing, meter, meterUnits: {} })).toEqual(usage('2', { isAll: true }));
  });
});
