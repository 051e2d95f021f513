import { describe, expect, it } from 'vitest';
import type { UnusualDay } from '../contract.ts';
import { unusualRuns } from './unusual-runs.ts';

const day = (
  subscription: string,
  on: string,
  quantity: string,
  verdict: 'expected' | 'unexpected' | null = null,
): UnusualDay => ({
  subscriptionId: subscription as UnusualDay['subscriptionId'],
  serviceId: 'svc' as UnusualDay['serviceId'],
  serviceName: subscription,
  unit: 'GB',
  day: on as UnusualDay['day'],
  quantity,
  expected: '10',
  low: '8',
  high: '12',
  verdict: verdict && { verdict, by: null, at: new Date(0) },
});
const found = (days: readonly UnusualDay[]) =>
  unusualRuns(days).map(({ days: [first], last }) => [first.serviceName, first.day, last.day]);

describe('R-USE-01 unusual days', () => {
  it('of a stopped service are one finding; the latest comes first', () => {
    expect(
      found([
        day('db', '2026-11-03', '0'),
        day('vm', '2026-11-02', '40'),
        day('db', '2026-11-02', '0'),
        day('db', '2026-11-01', '0'),
      ]),
    ).toEqual([
      ['db', '2026-11-01', '2026-11-03'],
      ['vm', '2026-11-02', '2026-11-02'],
    ]);
  });

  it('across the end of a month are one finding', () => {
    expect(found([day('db', '2026-10-31', '0'), day('db', '2026-11-01', '0')])).toEqual([
      ['db', '2026-10-31', '2026-11-01'],
    ]);
  });

  it.each<[string, UnusualDay[]]>([
    ['with a usual day between', [day('db', '2026-11-01', '0'), day('db', '2026-11-03', '0')]],
    ['too much after too little', [day('db', '2026-11-01', '0'), day('db', '2026-11-02', '90')]],
    [
      'explained and unexplained ones',
      [day('db', '2026-11-01', '0', 'expected'), day('db', '2026-11-02', '0')],
    ],
  ])('%s are separate', (_, days) => {
    expect(found(days)).toHaveLength(2);
  });
});
