// What an Admin should look at now, the most pressing first.
import type { AdminDashboard } from '../../console/contract.ts';

/** R-ADM-01 */
export const diskAlarmPercent = 90;
/** Messages go within seconds and workers look every second: longer than this is stuck, not busy. */
const stuckOutboxSeconds = 60;
const stuckJobSeconds = 300;

const countedKinds = ['parked', 'payments', 'raises', 'rejected', 'outbox', 'given_up', 'jobs', 'faults', 'factor'] as const;
export type Attention =
  | { readonly kind: 'disk'; readonly percent: number }
  | { readonly kind: (typeof countedKinds)[number]; readonly count: number };

export type Watched = Pick<AdminDashboard, 'disk' | 'parkedBills' | 'pendingPayments' | 'openRaises' | 'rejectedEvents' | 'outboxWaiting' | 'outboxLagSeconds' | 'outboxParked' | 'jobsWaiting' | 'jobLagSeconds' | 'faults' | 'adminsWithoutFactor'>;

export function attentionOf(now: Watched): readonly Attention[] {
  const counts: Readonly<Record<(typeof countedKinds)[number], number>> = {
    parked: now.parkedBills, payments: now.pendingPayments, raises: now.openRaises, rejected: now.rejectedEvents,
    outbox: now.outboxLagSeconds > stuckOutboxSeconds ? now.outboxWaiting : 0, given_up: now.outboxParked,
    jobs: now.jobLagSeconds > stuckJobSeconds ? now.jobsWaiting : 0, faults: now.faults, factor: now.adminsWithoutFactor,
  };
  return [
    ...(now.disk.percent > diskAlarmPercent ? [{ kind: 'disk', percent: now.disk.percent } as const] : []),
    ...countedKinds.flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : [])),
  ];
}
