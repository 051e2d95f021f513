// What an Admin should look at now, the most pressing first.
import type { AdminDashboard } from '../../console/contract.ts';
import type { MetricHistory } from './metric-history.ts';

/** R-ADM-01 */
export const diskAlarmPercent = 90;

export type Attention =
  | { readonly kind: 'disk'; readonly percent: number }
  | { readonly kind: 'parked' | 'payments' | 'raises' | 'rejected' | 'outbox'; readonly count: number };

/** An outbox that is not empty at two readings in a row is stuck, not busy. */
export function attentionOf(now: Pick<AdminDashboard, 'disk' | 'parkedBills' | 'pendingPayments' | 'openRaises' | 'rejectedEvents' | 'outboxWaiting'>, history: MetricHistory): readonly Attention[] {
  const isStuck = history.length > 1 && history.slice(-2).every((reading) => reading.outboxWaiting > 0);
  return [
    ...(now.disk.percent > diskAlarmPercent ? [{ kind: 'disk', percent: now.disk.percent } as const] : []),
    ...(now.parkedBills > 0 ? [{ kind: 'parked', count: now.parkedBills } as const] : []),
    ...(now.pendingPayments > 0 ? [{ kind: 'payments', count: now.pendingPayments } as const] : []),
    ...(now.openRaises > 0 ? [{ kind: 'raises', count: now.openRaises } as const] : []),
    ...(now.rejectedEvents > 0 ? [{ kind: 'rejected', count: now.rejectedEvents } as const] : []),
    ...(isStuck ? [{ kind: 'outbox', count: now.outboxWaiting } as const] : []),
  ];
}
