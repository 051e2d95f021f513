// A backup that the command line makes itself, in its own process.
import { mustHave } from '#kernel/must.ts';
import type { Id } from '#kernel/ids.ts';
import { makeBackup } from '#platform/server/backup/backup-make.ts';
import type { BackupManifest, OnProgress } from '#platform/server/backup/backup-manifest.ts';
import type { Ctx, World } from '#platform/server/unit-of-work/ctx.ts';
import { work } from '#platform/server/unit-of-work/work.ts';
import type { Backup } from '../contract.ts';
import { actor, runBackup } from './run.ts';
import { backupById, backupInTheMaking, giveUpAll, insertBackup } from './store.ts';

/** Makes a backup here and now and answers what came of it; undefined when another process is making one. */
export async function askForBackup(
  world: World,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Backup | undefined> {
  const backupId = await work(world, { actor }, async (ctx): Promise<Id<'bak'> | undefined> =>
    (await backupInTheMaking(ctx)) ? undefined : insertBackup(ctx, 'command', 'cli'),
  );
  if (backupId === undefined) return undefined;
  await runBackup(world, backupId, makeBackup, signal, onProgress);
  return work(world, { actor, mode: 'read' }, async (ctx) =>
    mustHave(await backupById(ctx, backupId), 'the backup that was just made'),
  );
}

/** Writes down that this database is a restored one. What was being made when the backup was is nobody's work any more. */
export async function noteRestored(ctx: Ctx, { madeAt, version }: BackupManifest): Promise<void> {
  await giveUpAll(ctx);
  ctx.note('backups.restored', undefined, { madeAt, version });
}
