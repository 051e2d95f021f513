// Makes a backup from the command line, in its own process.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { makeBackup } from '#platform/server/backup/backup-make.ts';
import type { BackupManifest, OnProgress } from '#platform/server/backup/backup-manifest.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Backup } from '../contract.ts';
import { actor, runBackup } from './run.ts';
import { backupById, backupInTheMaking, stopAll, insertBackup } from './store.ts';

/** Makes a backup in this process and returns the result; undefined when another process is making one. */
export async function askForBackup(
  app: App,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Backup | undefined> {
  const backupId = await unitOfWork(app, { actor }, async (ctx): Promise<Id<'bak'> | undefined> =>
    (await backupInTheMaking(ctx)) ? undefined : insertBackup(ctx, 'command', 'cli'),
  );
  if (backupId === undefined) return undefined;
  await runBackup(app, backupId, makeBackup, signal, onProgress);
  return unitOfWork(app, { actor, mode: 'read' }, async (ctx) =>
    required(await backupById(ctx, backupId), 'the backup that was just made'),
  );
}

/**
 * Records that this database was restored. Backups that were running when this backup was made are marked as
 * abandoned.
 */
export async function recordRestored(ctx: Ctx, { madeAt, version }: BackupManifest): Promise<void> {
  await stopAll(ctx);
  ctx.audit('backups.restored', undefined, { madeAt, version });
}
