// R-CAT-03: services are compared by the cost of a quantity at their cheapest and most expensive rates, not
// at the first one.
import { describe, expect, test } from 'vitest';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { estimateFor } from '#features/selling/catalogue/rules-estimate.ts';
import { estimateRange, everyRate, pricedDimensions } from './estimate-range.ts';

const named = (key: string) => ({ key, name: { zhTW: key, enUS: key } });
const fee: Charge = { ...named('fee'), kind: 'recurring', model: 'flat', amount: '100' };
const calls: Charge = { ...named('calls'), kind: 'usage', meter: 'calls', model: 'per_unit', unitPrice: '2' };
const hours: Charge = {
  ...named('hours'),
  kind: 'usage',
  meter: 'hours',
  model: 'matrix',
  rates: [
    { when: { region: 'tpe', size: 's' }, unitPrice: '5' },
    {
      when: { region: 'tpe', size: 'm' },
      tiers: [
        { upTo: '10', unitPrice: '20' },
        { upTo: null, unitPrice: '1' },
      ],
    },
    { when: { region: 'nrt' }, package: { packageSize: '100', packagePrice: '600' } },
    { when: {}, unitPrice: '7' },
  ],
};
const card = (...charges: Charge[]): Pricing => ({ model: 'rate_card', currency: 'TWD', charges });
const rangeOf = (pricing: Pricing, quantity: string): string[] => {
  const { least, most } = estimateRange(
    pricing,
    quantity,
    estimateFor(pricing, everyRate(pricing, quantity)),
  );
  return [least, most].map((input) => estimateFor(pricing, input).exact);
};

describe('the range from the cheapest rate to the most expensive', () => {
  test.each([
    // 10 × 5, or a whole package.
    ['10', ['150', '700']],
    // 1,000 × 1 and 10 × 19 more, or 1,000 × 7.
    ['1000', ['1290', '7100']],
    ['0', ['100', '100']],
  ])('%s', (quantity, range) => {
    expect(rangeOf(card(fee, hours), quantity)).toEqual(range);
  });
  test('uses each matrix’s own rates, and the same other charges', () => {
    const disk: Charge = {
      ...named('disk'),
      kind: 'usage',
      meter: 'disk',
      model: 'matrix',
      rates: [
        { when: { tier: 'ssd' }, unitPrice: '3' },
        { when: { tier: 'hdd' }, unitPrice: '1' },
      ],
    };
    expect(rangeOf(card(fee, calls, hours, disk), '10')).toEqual(['180', '750']);
    expect(pricedDimensions(card(fee, calls, hours, disk))).toEqual(['region', 'size', 'tier']);
  });
  test('is one figure if no price depends on values', () => {
    expect(rangeOf(card(fee, calls), '10')).toEqual(['120', '120']);
    expect(pricedDimensions(card(fee, calls))).toEqual([]);
    expect(estimateRange({ model: 'flat', currency: 'TWD', baseFee: '1' }, '3', {})).toEqual({
      least: { quantity: '3' },
      most: { quantity: '3' },
    });
  });
});
