// What an Admin should look at now, most urgent first.
import type { AdminDashboard } from '../../console/contract.ts';

/** R-ADM-01 */
export const diskAlarmPercent = 90;
/** Messages are normally sent within seconds, so a longer wait means that sending has stalled. */
const stuckOutboxSeconds = 60;
const stuckJobSeconds = 300;

/** Backups are made daily, so after two days one is missing. */
const oldBackupHours = 48;

const countedKinds = [
  'parked',
  'disputes',
  'refused',
  'payments',
  'approvals',
  'stopped',
  'raises',
  'rejected',
  'connectors',
  'unbilled',
  'ghosts',
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

export type AttentionInput = Pick<
  AdminDashboard,
  | 'disk'
  | 'parkedBills'
  | 'disputes'
  | 'refusedPaymentEvents'
  | 'pendingPayments'
  | 'approvals'
  | 'openRaises'
  | 'stoppedCustomers'
  | 'rejectedEvents'
  | 'failingConnectors'
  | 'reconciliation'
  | 'outboxWaiting'
  | 'outboxLagSeconds'
  | 'outboxParked'
  | 'jobsWaiting'
  | 'jobLagSeconds'
  | 'faults'
  | 'adminsWithoutFactor'
  | 'backup'
>;

/**
 * Whether a backup failed and was not repeated, none exists although backups are enabled, or backups are
 * disabled.
 */
function isBackupDue({ hasFailed, ageHours, isOn, lastProvenAt }: AttentionInput['backup']): boolean {
  return (
    hasFailed ||
    (isOn
      ? ageHours !== null && ageHours > oldBackupHours
      : lastProvenAt === null || (ageHours ?? 0) > oldBackupHours)
  );
}

/** `hasStepsAbove`: the first steps stand above and ask for two-step verification and a first backup, so these are left out. */
export function attentionOf(dashboard: AttentionInput, hasStepsAbove = false): readonly Attention[] {
  const isFirstBackup = dashboard.backup.lastProvenAt === null && !dashboard.backup.hasFailed;
  const counts: Readonly<Record<(typeof countedKinds)[number], number>> = {
    parked: dashboard.parkedBills,
    disputes: dashboard.disputes.open,
    refused: dashboard.refusedPaymentEvents,
    payments: dashboard.pendingPayments,
    approvals: dashboard.approvals,
    stopped: dashboard.stoppedCustomers.count,
    raises: dashboard.openRaises,
    rejected: dashboard.rejectedEvents,
    connectors: dashboard.failingConnectors,
    unbilled: dashboard.reconciliation.unbilled,
    ghosts: dashboard.reconciliation.ghosts,
    outbox: dashboard.outboxLagSeconds > stuckOutboxSeconds ? dashboard.outboxWaiting : 0,
    given_up: dashboard.outboxParked,
    jobs: dashboard.jobLagSeconds > stuckJobSeconds ? dashboard.jobsWaiting : 0,
    faults: dashboard.faults,
    backup: isBackupDue(dashboard.backup) && !(hasStepsAbove && isFirstBackup) ? 1 : 0,
    factor: hasStepsAbove ? 0 : dashboard.adminsWithoutFactor,
  };
  return [
    ...(dashboard.disk.percent > diskAlarmPercent
      ? [{ kind: 'disk', percent: dashboard.disk.percent } as const]
      : []),
    ...countedKinds.flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : [])),
  ];
}
