// The stacked chart does not lose a cent: series beyond the top ones are added to the rest.
import { describe, expect, test } from 'vitest';
import type { DailyUsage } from '../contract.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { stackDaily } from './daily-series.ts';
import { sumTexts } from './cost-texts.ts';

const days = ['2026-11-01', '2026-11-02'] as LocalDay[];
const one = (index: number, costs: string[], currency: 'USD' | 'TWD' = 'USD'): DailyUsage['series'][number] =>
  ({
    subscriptionId: `sub_${index}`,
    serviceId: `svc_${index}`,
    serviceName: `Service ${index}`,
    unit: 'GB',
    currency,
    quantities: ['1', '1'],
    costs,
  }) as DailyUsage['series'][number];

describe('R-USE-02: daily usage stacked by service', () => {
  test('six services keep their names, the others become one', () => {
    const stacked = stackDaily(
      { days, series: Array.from({ length: 9 }, (_, index) => one(index, [`0.${index}1`, '0'])) },
      'USD',
      'Other',
    );
    expect(stacked.series.map((each) => each.key)).toEqual([
      'svc_8',
      'svc_7',
      'svc_6',
      'svc_5',
      'svc_4',
      'svc_3',
      'other',
    ]);
    expect(stacked.series.at(-1)).toMatchObject({ label: 'Other', costs: ['0.33', '0'] });
  });

  test('the parts of a day add up to its total, to the last digit', () => {
    const stacked = stackDaily(
      { days, series: Array.from({ length: 9 }, (_, index) => one(index, ['0.000000000001', `${index}.1`])) },
      'USD',
      'Other',
    );
    expect(stacked.totals).toEqual(['0.000000000009', '36.9']);
    expect(days.map((_, day) => sumTexts(stacked.series.map((each) => each.costs[day] ?? '0')))).toEqual(
      stacked.totals,
    );
  });

  test('two subscriptions of one service are one series; other currencies are excluded and counted', () => {
    const stacked = stackDaily(
      { days, series: [one(1, ['1', '2']), one(1, ['3', '4']), one(2, ['9', '9'], 'TWD')] },
      'USD',
      'Other',
    );
    expect(stacked.series).toEqual([{ key: 'svc_1', label: 'Service 1', costs: ['4', '6'], total: '10' }]);
    expect(stacked.leftOut).toBe(1);
  });
});
