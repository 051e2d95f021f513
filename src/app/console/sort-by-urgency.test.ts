// The order of subscriptions on the dashboard.
import { expect, test } from 'vitest';
import type { QuotaState } from '#features/metering/quotas/contract.ts';
import type { Subscription } from '#features/selling/subscriptions/contract.ts';
import { sortByUrgency } from './sort-by-urgency.ts';

// Only these fields matter here.
const subscription = (id: string, usage = '0', monthlyFee = '0') =>
  ({ id, usage, monthlyFee }) as Subscription;
const quota = (subscriptionId: string, status: QuotaState['status']) =>
  ({ subscriptionId, status }) as QuotaState;

test('R-BILL-03: critical quotas first, then warnings, other quotas, services with usage or a fee; idle ones last, each group in its order', () => {
  const all = [
    subscription('idle'),
    subscription('used', '0.5'),
    subscription('fee', '0.00', '12'),
    subscription('normal'),
    subscription('warning'),
    subscription('idle too', '0.000'),
    subscription('critical'),
  ];
  const rows = sortByUrgency(all, [
    quota('critical', 'Critical'),
    quota('warning', 'Warning'),
    quota('normal', 'Normal'),
  ]);
  expect(rows.map((row) => row.id)).toEqual([
    'critical',
    'warning',
    'normal',
    'used',
    'fee',
    'idle',
    'idle too',
  ]);
});
