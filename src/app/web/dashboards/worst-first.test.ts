// Which subscription stands on top of the dashboard.
import { expect, test } from 'vitest';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { worstFirst, type Quota } from './worst-first.ts';

// Only the ids and states matter here.
const subscription = (id: string) => ({ id }) as Subscription;
const quota = (subscriptionId: string, status: Quota['status']) => ({ subscriptionId, status }) as Quota;

test('R-BILL-03: critical ones stand first, then warnings; the others keep their order, with or without a quota', () => {
  const rows = worstFirst(['a', 'b', 'c', 'd', 'e'].map(subscription), [quota('e', 'Critical'), quota('c', 'Warning'), quota('b', 'Normal')]);
  expect(rows.map((row) => [row.subscription.id, row.quota?.status])).toEqual([['e', 'Critical'], ['c', 'Warning'], ['a', undefined], ['b', 'Normal'], ['d', undefined]]);
});
