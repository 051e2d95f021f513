// The jobs of backups: the schedule, and making requested backups.
import type { Id } from '#kernel/ids.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { isDue } from '../rules.ts';
import { makeInChildProcess } from './child-process.ts';
import { actor, runBackup } from './run.ts';
import { planSetting } from './settings.ts';
import { insertBackup, lastScheduledAt } from './store.ts';

/** Makes a waiting backup. A repeated job finds it started and does nothing. */
export const makeBackupJob = job({
  name: 'backup',
  retryLimit: 0,
  run: (app: App, { backupId }: { backupId: Id<'bak'> }, signal) =>
    runBackup(app, backupId, makeInChildProcess, signal),
});

/** Requests the scheduled backup, once. While another backup is running, it tries again later. */
export async function makeDueBackup(app: App): Promise<void> {
  // Test data needs no backup.
  if (app.config.sandboxId !== undefined) return;
  await unitOfWork(app, { actor }, async (ctx) => {
    const plan = await ctx.setting(planSetting);
    if (!isDue(ctx.now, plan, await ctx.setting(timeZoneSetting), await lastScheduledAt(ctx))) return;
    const backupId = await insertBackup(ctx, 'schedule', 'schedule');
    if (backupId !== undefined) await ctx.enqueue(makeBackupJob.name, { backupId }, backupId);
  });
}

export const dueBackupJob = job({ name: 'backup-due', schedule: '*/5 * * * *', run: makeDueBackup });
