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
export function attentionOf(now: AttentionInput, hasStepsAbove = false): readonly Attention[] {
  const isFirstBackup = now.backup.lastProvenAt === null && !now.backup.hasFailed;
  const counts: Readonly<Record<(typeof countedKinds)[number], number>> = {
    parked: now.parkedBills,
    disputes: now.disputes.open,
    refused: now.refusedPaymentEvents,
    payments: now.pendingPayments,
    approvals: now.approvals,
    stopped: now.stoppedCustomers.count,
    raises: now.openRaises,
    rejected: now.rejectedEvents,
    connectors: now.failingConnectors,
    unbilled: now.reconciliation.unbilled,
    ghosts: now.reconciliation.ghosts,
    outbox: now.outboxLagSeconds > stuckOutboxSeconds ? now.outboxWaiting : 0,
    given_up: now.outboxParked,
    jobs: now.jobLagSeconds > stuckJobSeconds ? now.jobsWaiting : 0,
    faults: now.faults,
    backup: isBackupDue(now.backup) && !(hasStepsAbove && isFirstBackup) ? 1 : 0,
    factor: hasStepsAbove ? 0 : now.adminsWithoutFactor,
  };
  return [
    ...(now.disk.percent > diskAlarmPercent ? [{ kind: 'disk', percent: now.disk.percent } as const] : []),
    ...countedKinds.flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : [])),
  ];
}
