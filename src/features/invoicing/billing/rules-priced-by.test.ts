// With every charge model, the line states what its price depends on.
import { expect, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import type { DraftCharge } from '#features/selling/rating/contract.ts';
import { blockOf, chargePrice } from '#features/selling/rating/rules.ts';
import { pricedBy, type PricedBy } from './rules-priced-by.ts';

const usage = {
  quantity: decimal('30'),
  cells: [
    { dimensions: { region: 'tpe' }, quantity: decimal('10') },
    { dimensions: { region: 'hkg' }, quantity: decimal('20') },
  ],
  events: [blockOf(decimal('30'))],
};
const tiers = [
  { upTo: '10', unitPrice: '2' },
  { upTo: null, unitPrice: '1' },
];

test.each<[string, DraftCharge, PricedBy | undefined]>([
  [
    'a matrix with a price for each region',
    {
      model: 'matrix',
      rates: [
        { when: { region: 'tpe' }, unitPrice: '2' },
        { when: {}, unitPrice: '3' },
      ],
    },
    'rates',
  ],
  [
    'a matrix of a price and of tiers',
    {
      model: 'matrix',
      rates: [
        { when: { region: 'tpe' }, unitPrice: '2' },
        { when: {}, tiers },
      ],
    },
    'rates',
  ],
  [
    'a matrix of packages',
    { model: 'matrix', rates: [{ when: {}, package: { packageSize: '5', packagePrice: '1' } }] },
    'rates',
  ],
  ['tiers', { model: 'graduated', tiers }, 'tiers'],
  ['tiers of each value', { model: 'volume', tiers, tierScope: 'per_value' }, 'tiers'],
  ['tiers above an allowance', { model: 'graduated', tiers, included: '5' }, 'tiers'],
  ['packages', { model: 'package', packageSize: '10', packagePrice: '3' }, 'packages'],
  ['a price above an allowance', { model: 'per_unit', unitPrice: '2', included: '5' }, 'allowance'],
  [
    'a percentage',
    { model: 'percentage', ratePercent: '1.5', fixedPerEvent: '2', minPerEvent: '5' },
    'percentage',
  ],
  ['a percentage, all of it free', { model: 'percentage', ratePercent: '1.5', freeEvents: 3 }, 'percentage'],
  [
    'a graduated percentage',
    { model: 'graduated_percentage', tiers: [{ upTo: null, ratePercent: '2', flatFee: '1' }] },
    'percentage',
  ],
  ['amounts of events', { model: 'dynamic' }, 'events'],
  [
    'a matrix filled up to its minimum',
    { model: 'matrix', rates: [{ when: {}, unitPrice: '1' }], minimum: '500' },
    'rates',
  ],
])('%s: %#', (_name, charge, expected) => {
  const { steps } = chargePrice(charge, usage);
  expect(pricedBy({ kind: 'usage', unitPrice: null }, steps)).toBe(expected);
});

test('a unit price states itself; minimum, maximum and adjustment have none; a partial fee depends on its quantity', () => {
  const { steps } = chargePrice({ model: 'per_unit', unitPrice: '2' }, usage);
  expect(pricedBy({ kind: 'usage', unitPrice: '2' }, steps)).toBeUndefined();
  for (const kind of ['minimum', 'maximum', 'adjustment'] as const)
    expect(pricedBy({ kind, unitPrice: null }, steps)).toBeUndefined();
  const part = { from: null, upTo: null, quantity: '1', unitPrice: '9', amount: '9' };
  expect(pricedBy({ kind: 'base_fee', unitPrice: null }, [{ ...part, kind: 'base' }])).toBe('quantity');
});
