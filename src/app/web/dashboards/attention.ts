// What an Admin should look at now, the most pressing first.
import type { AdminDashboard } from '../../console/contract.ts';

/** R-ADM-01 */
export const diskAlarmPercent = 90;
/** Messages go within seconds and workers look every second: longer than this is stuck, not busy. */
const stuckOutboxSeconds = 60;
const stuckJobSeconds = 300;

/** Backups come daily: a proof that is older than two days has missed one. */
const oldBackupHours = 48;

const countedKinds = [
  'parked',
  'disputes',
  'refused',
  'payments',
  'raises',
  'rejected',
  'outbox',
  'given_up',
  'jobs',
  'faults',
  'backup',
  'factor',
] as const;
export type Attention =
  | { readonly kind: 'disk'; readonly percent: number }
  | { readonly kind: (typeof countedKinds)[number]; readonly count: number };

export type Watched = Pick<
  AdminDashboard,
  | 'disk'
  | 'parkedBills'
  | 'disputes'
  | 'refusedPaymentEvents'
  | 'pendingPayments'
  | 'openRaises'
  | 'rejectedEvents'
  | 'outboxWaiting'
  | 'outboxLagSeconds'
  | 'outboxParked'
  | 'jobsWaiting'
  | 'jobLagSeconds'
  | 'faults'
  | 'adminsWithoutFactor'
  | 'backup'
>;

/** One that failed and was not made good, one that is missing where they are on, and none at all where they are off. */
function isBackupDue({ hasFailed, ageHours, isOn, lastProvenAt }: Watched['backup']): boolean {
  return (
    hasFailed ||
    (isOn
      ? ageHours !== null && ageHours > oldBackupHours
      : lastProvenAt === null || (ageHours ?? 0) > oldBackupHours)
  );
}

export function attentionOf(now: Watched): readonly Attention[] {
  const counts: Readonly<Record<(typeof countedKinds)[number], number>> = {
    parked: now.parkedBills,
    disputes: now.disputes.open,
    refused: now.refusedPaymentEvents,
    payments: now.pendingPayments,
    raises: now.openRaises,
    rejected: now.rejectedEvents,
    outbox: now.outboxLagSeconds > stuckOutboxSeconds ? now.outboxWaiting : 0,
    given_up: now.outboxParked,
    jobs: now.jobLagSeconds > stuckJobSeconds ? now.jobsWaiting : 0,
    faults: now.faults,
    backup: isBackupDue(now.backup) ? 1 : 0,
    factor: now.adminsWithoutFactor,
  };
  return [
    ...(now.disk.percent > diskAlarmPercent ? [{ kind: 'disk', percent: now.disk.percent } as const] : []),
    ...countedKinds.flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : [])),
  ];
}
