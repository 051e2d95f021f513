// Backups' public API: their calls, the jobs that make them, and functions for the start and the command
// line.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { backups, backupsErrors } from '../contract.ts';
import {
  backupOverview,
  deleteBackup,
  downloadBackup,
  getBackup,
  listBackups,
  makeBackup,
  revealRecoveryKey,
  saveBackupPlan,
  stopBackup,
} from './backups.ts';
import { dueBackupJob, makeBackupJob } from './jobs.ts';

export const backupsFeature = feature({
  name: 'backups',
  contract: backups,
  errors: backupsErrors,
  verbs: {
    backupOverview,
    listBackups,
    makeBackup,
    getBackup,
    stopBackup,
    downloadBackup,
    deleteBackup,
    saveBackupPlan,
    revealRecoveryKey,
  },
  jobs: [makeBackupJob, dueBackupJob],
  // The file is removed after the transaction that marks it as removed.
  ownUnitOfWork: ['deleteBackup'],
});

/**
 * The state of backups for a dashboard: the last verified one, a failure since then, and the next scheduled
 * one.
 */
export async function backupState(ctx: Ctx): Promise<{
  lastProvenAt: Date | null;
  lastFailure: { at: Date; problem: string | null } | null;
  nextAt: Date | null;
}> {
  const { lastProven, lastFailed, nextAt } = await backupOverview(ctx);
  return {
    lastProvenAt: lastProven?.finishedAt ?? null,
    lastFailure: lastFailed && {
      at: lastFailed.finishedAt ?? lastFailed.askedAt,
      problem: lastFailed.problem,
    },
    nextAt,
  };
}

export { askForBackup, recordRestored } from './command-line.ts';
export { makeDueBackup } from './jobs.ts';
export { backupBeforeUpgrade, recordUpgradeBackup, unrecordedUpgradeBackup } from './upgrade.ts';
export { planSetting } from './settings.ts';
export { hasUsers } from './store.ts';
export { totalQueries } from './store-totals.ts';
