// Runs one backup from start to end: makes, verifies and reports it, then removes expired backups.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { BackupMade, BackupOrder } from '#platform/server/backup/backup-make.ts';
import { BackupBusy } from '#platform/server/backup/backup-make.ts';
import type { BackupManifest, BackupProgress, OnProgress } from '#platform/server/backup/backup-manifest.ts';
import type { Actor, Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { ProgressReporter, Stopped } from '#platform/server/jobs/progress-reporter.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { version } from '#platform/server/version.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { postToAdmins } from '#features/messaging/notifications/server/index.ts';
import { BackupContent } from '../contract.ts';
import { fileNameOf, overdue } from '../rules.ts';
import { backupOrder } from './backup-order.ts';
import { planSetting } from './settings.ts';
import { beginBackup, endBackup, markEnded, existingBackups, markRemoved, storeProgress } from './store.ts';

export const actor: Actor = { kind: 'system', name: 'backup' };
type Maker = (order: BackupOrder, onProgress: OnProgress, signal: AbortSignal) => Promise<BackupMade>;

/** The facts of a manifest that are stored in the backup's row. */
export function contentOf({ version: madeBy, postgres, tables, totals }: BackupManifest): BackupContent {
  return z.parse(BackupContent, {
    version: madeBy,
    postgres,
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    totals,
  });
}

/**
 * Makes a waiting backup with `maker`. A backup that has ended or that another process has started is
 * skipped. Errors of the backup are not thrown, but stored and reported to the Admins.
 */
export async function runBackup(
  app: App,
  backupId: Id<'bak'>,
  maker: Maker,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const madeAt = app.clock.now();
  const fileName = fileNameOf(madeAt, version, backupId.slice(-6));
  if (!(await unitOfWork(app, { actor }, (ctx) => beginBackup(ctx, backupId, fileName)))) return;
  const reporter = new ProgressReporter<BackupProgress>(app.log, signal, (news) =>
    unitOfWork(app, { actor }, (ctx) => storeProgress(ctx, backupId, news)),
  );
  try {
    const order = await backupOrder(app.config, app, {
      where: app.database.where,
      fileName,
      sources: app.migrations,
      madeAt,
    });
    const made = await maker(
      order,
      (progress) => {
        reporter.update(progress);
        onProgress(progress);
      },
      reporter.signal,
    );
    await reporter.end();
    await recordOutcome(app, backupId, made);
  } catch (error) {
    await reporter.end();
    // A bucket that denied the backup also denies this; the original failure must still be reported.
    await app.backupFiles
      .remove([fileName])
      .catch((again: unknown) => app.log.warn({ err: again, fileName }, 'a part of a backup was left'));
    await storeFailure(app, backupId, reporter.isStopped ? undefined : error, signal);
    return;
  }
  await removeOverdue(app);
}

async function recordOutcome(app: App, backupId: Id<'bak'>, made: BackupMade): Promise<void> {
  const isThere = await unitOfWork(app, { actor }, async (ctx) => {
    ctx.audit('backups.made', backupId, { bytes: made.bytes, proof: made.proof.outcome });
    if (made.proof.outcome === 'different') await notifyAdmins(ctx, backupId, 'backups.notice_different');
    return endBackup(ctx, backupId, {
      bytes: made.bytes,
      content: contentOf(made.manifest),
      proof: made.proof,
    });
  });
  if (!isThere) throw new Stopped();
}

async function storeFailure(
  app: App,
  backupId: Id<'bak'>,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const problem = error === undefined ? null : problemOf(error, signal);
  if (problem !== null) app.log.error({ err: error, backupId }, 'a backup could not be made');
  await unitOfWork(app, { actor }, async (ctx) => {
    await markEnded(ctx, backupId, problem === null ? 'stopped' : 'failed', problem);
    ctx.audit(
      problem === null ? 'backups.stopped' : 'backups.failed',
      backupId,
      problem === null ? {} : { problem },
    );
    if (problem !== null) await notifyAdmins(ctx, backupId, 'backups.notice_failed');
  });
}

async function notifyAdmins(ctx: Ctx, backupId: string, textKey: string): Promise<void> {
  await postToAdmins(ctx, {
    kind: 'system.backup_failed',
    type: 'warning',
    category: 'system',
    subject: backupId,
    period: '',
    textKey,
    params: {},
    link: '/admin/backups',
  });
}

// used as: 'backups.problem_*'
function problemOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'backups.problem_interrupted';
  // Error codes of the file system, and of PostgreSQL.
  if (hasCode(error, 'ENOSPC', '53100', 'EDQUOT')) return 'backups.problem_no_space';
  if (hasCode(error, 'EACCES', 'EROFS', 'EPERM', 'ENOTDIR')) return 'backups.problem_folder';
  if (hasCode(error, 'FILES')) return 'backups.problem_bucket';
  if (error instanceof BackupBusy || hasCode(error, 'BUSY')) return 'backups.problem_busy';
  return error instanceof StartRefused || hasCode(error, 'REFUSED')
    ? 'backups.problem_changed'
    : 'backups.problem_failed';
}

/** Removes the files of expired backups. */
export async function removeOverdue(app: App): Promise<void> {
  const names = await unitOfWork(app, { actor }, async (ctx) => {
    const existing = await existingBackups(ctx);
    const overdueIds = new Set(
      overdue(existing, await ctx.setting(planSetting), await ctx.setting(timeZoneSetting), ctx.now),
    );
    if (overdueIds.size === 0) return [];
    await markRemoved(ctx, [...overdueIds]);
    ctx.audit('backups.removed', undefined, { count: overdueIds.size });
    return existing.filter((one) => overdueIds.has(one.id)).map((one) => one.fileName);
  });
  await app.backupFiles.remove(names);
}
