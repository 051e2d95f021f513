// The chart’s sums do not lose a cent, and every view can be restored from its address.
import { describe, expect, it } from 'vitest';
import type { Explored, ExploredSeries } from '../contract.ts';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { commonUnit, stackExplored } from './explored-chart.ts';
import { readExplorer } from './explorer-view.ts';

const places = [1, 2].map((day) => ({
  day: `2026-11-0${day}`,
  start: new Date(),
  end: new Date(),
})) as Explored['places'];
const one = (key: string, costs: string[] | null, more: Partial<ExploredSeries> = {}): ExploredSeries => ({
  key,
  label: key,
  special: null,
  currency: 'TWD',
  unit: 'GB',
  quantities: ['1', '2'],
  quantity: '3',
  costs,
  cost: costs && decimalText(sumDecimals(costs.map((cost) => decimal(cost)))),
  previousCost: null,
  previousQuantity: null,
  subscriptionIds: [],
  ...more,
});
const stack = (series: ExploredSeries[], measure: 'cost' | 'quantity' = 'cost') =>
  stackExplored({ series, places, currency: 'TWD' }, measure, (each) => each.label, 'Rest');

describe('the stacked chart', () => {
  it('shows the six largest, and the others as one; everything adds up', () => {
    const shown = stack(Array.from({ length: 9 }, (_, index) => one(`s${index}`, [`${index}.01`, '0.1'])));
    expect(shown.series.map((each) => each.key)).toEqual(['s8', 's7', 's6', 's5', 's4', 's3', 'other']);
    expect([shown.series.at(-1)?.values, shown.series.at(-1)?.of.length, shown.totals]).toEqual([
      ['3.03', '0.3'],
      3,
      ['36.09', '0.9'],
    ]);
  });

  it('excludes other currencies and groups without costs, and counts them', () => {
    const shown = stack([one('a', ['1', '2']), one('b', ['1', '1'], { currency: 'USD' }), one('c', null)]);
    expect([shown.series.map((each) => each.key), shown.leftOut]).toEqual([['a'], 2]);
  });

  it('stacks quantities of one unit only', () => {
    expect(stack([one('a', ['1', '2']), one('b', null)], 'quantity').totals).toEqual(['2', '4']);
    expect([
      commonUnit({ series: [one('a', null), one('b', null)] }),
      commonUnit({ series: [one('a', null), one('b', null, { unit: 'h' })] }),
      commonUnit({ series: [] }),
    ]).toEqual(['GB', undefined, undefined]);
  });
});

it.each([
  ['', { groupBy: 'service', grain: 'day', isCompared: false, serviceId: undefined, measure: 'cost' }],
  [
    'by=property:zone&grain=hour&compare=previous&show=quantity',
    { groupBy: 'property:zone', grain: 'hour', isCompared: true, serviceId: undefined, measure: 'quantity' },
  ],
  [
    'by=nonsense&grain=week&compare=1&only=x&show=y',
    { groupBy: 'service', grain: 'day', isCompared: false, serviceId: undefined, measure: 'cost' },
  ],
])('the address %s', (search, view) => expect(readExplorer(new URLSearchParams(search))).toEqual(view));
