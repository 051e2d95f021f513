// API calls of backups: start, list, stop, download, remove.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import {
  backupsErrors,
  type Backup,
  type BackupOverview,
  type BackupPlan,
  type backups,
} from '../contract.ts';
import { nextDue } from '../rules.ts';
import { makeBackupJob } from './jobs.ts';
import { planSetting } from './settings.ts';
import {
  requestStop,
  backupById,
  backupInTheMaking,
  insertBackup,
  fileTotals,
  lastFailed,
  lastProven,
  markRemoved,
  pageOfBackups,
} from './store.ts';

async function requireBackup(ctx: Ctx, backupId: string): Promise<Backup> {
  const found = await backupById(ctx, backupId);
  if (!found) throw domainError(backupsErrors, 'backups.not_found');
  return found;
}

/** The state of backups. */
export async function backupOverview(ctx: Ctx): Promise<BackupOverview> {
  const { config } = ctx.app;
  const [plan, timeZone] = [await ctx.setting(planSetting), await ctx.setting(timeZoneSetting)];
  return {
    plan,
    timeZone,
    nextAt: plan.isOn ? nextDue(ctx.now, plan.hour, timeZone) : null,
    lastProven: (await lastProven(ctx)) ?? null,
    lastFailed: (await lastFailed(ctx)) ?? null,
    running: (await backupInTheMaking(ctx)) ?? null,
    ...(await fileTotals(ctx)),
    folder: ctx.app.backupFiles.place,
    recipient: config.backupRecipient ?? null,
    isEmbedded: config.databaseUrl === undefined,
  };
}

export function listBackups(
  ctx: Ctx,
  input: In<typeof backups.listBackups>,
): Promise<Out<typeof backups.listBackups>> {
  return pageOfBackups(ctx, input);
}

export function getBackup(ctx: Ctx, { backupId }: In<typeof backups.getBackup>): Promise<Backup> {
  return requireBackup(ctx, backupId);
}

/** Starts a backup, or returns the one that is in progress. */
export async function makeBackup(ctx: Ctx): Promise<Backup> {
  const backupId = await insertBackup(ctx, 'person', person(ctx).userId);
  if (backupId === undefined) {
    const running = await backupInTheMaking(ctx);
    // Without one, it has ended since.
    return running ?? makeBackup(ctx);
  }
  await ctx.enqueue(makeBackupJob.name, { backupId }, backupId);
  ctx.audit('backups.make', backupId);
  return requireBackup(ctx, backupId);
}

export async function stopBackup(ctx: Ctx, { backupId }: In<typeof backups.stopBackup>): Promise<null> {
  await requireBackup(ctx, backupId);
  if (!(await requestStop(ctx, backupId))) throw domainError(backupsErrors, 'backups.not_running');
  return null;
}

/** Downloads a backup. The audit log names the downloading Admin before the first byte is sent. */
export async function downloadBackup(
  ctx: Ctx,
  { backupId }: In<typeof backups.downloadBackup>,
): Promise<FileAnswer> {
  const { fileName, sizeBytes, removedAt } = await requireBackup(ctx, backupId);
  const body =
    fileName === null || sizeBytes === null || removedAt !== null
      ? undefined
      : await ctx.app.backupFiles.read(fileName);
  if (!body || fileName === null) throw domainError(backupsErrors, 'backups.not_there');
  const { actor, language, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) =>
    unit.audit('backups.download', backupId, { fileName }),
  );
  return { fileName, mediaType: 'application/octet-stream', body };
}

/** Removes a backup's file; the newest verified backup cannot be removed. */
export async function deleteBackup(ctx: Ctx, { backupId }: In<typeof backups.deleteBackup>): Promise<null> {
  const { actor, language, requestId } = ctx;
  const fileName = await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) => {
    const found = await requireBackup(unit, backupId);
    if (found.state !== 'done' || found.removedAt !== null)
      throw domainError(backupsErrors, 'backups.not_there');
    if ((await lastProven(unit))?.id === backupId) throw domainError(backupsErrors, 'backups.last_proven');
    await markRemoved(unit, [backupId]);
    unit.audit('backups.deleteBackup', backupId, { fileName: found.fileName });
    return required(found.fileName, 'the file of a backup that is there');
  });
  // After the commit: if the commit failed after the file was removed, the row would refer to a missing file.
  await ctx.app.backupFiles.remove([fileName]);
  return null;
}

/** Stores the schedule of backups and their retention. */
export async function saveBackupPlan(ctx: Ctx, plan: In<typeof backups.saveBackupPlan>): Promise<BackupPlan> {
  await storeSetting(ctx.db, planSetting, plan, ctx.now, person(ctx).userId);
  ctx.audit('backups.saveBackupPlan', undefined, { plan });
  return plan;
}

/** Returns the key that decrypts backups. With an external recipient, the console does not have the key. */
export async function revealRecoveryKey(ctx: Ctx): Promise<Out<typeof backups.revealRecoveryKey>> {
  if (ctx.app.config.backupRecipient !== undefined) throw domainError(backupsErrors, 'backups.key_elsewhere');
  ctx.audit('backups.revealRecoveryKey');
  return { recoveryKey: ctx.app.secrets.backupKey };
}
