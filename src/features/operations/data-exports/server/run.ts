// Runs one export from start to end: writes, publishes and reports it, then removes expired files.
import type { Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { ProgressReporter, Stopped } from '#platform/server/jobs/progress-reporter.ts';
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { postToAdmins } from '#features/messaging/notifications/server/index.ts';
import type { Failure } from '../contract.ts';
import { dueAttempt, folderOf, tablesOf } from '../rules.ts';
import { failureOf, openDestination, placeOf, type Destination } from './destination.ts';
import { planSetting } from './settings.ts';
import {
  beginRun,
  endRun,
  eventsTaken,
  insertRun,
  lastScheduled,
  markEnded,
  markRemoved,
  mayEnd,
  overdueRuns,
  storeProgress,
  type RunProgress,
} from './store.ts';
import { publishRun, writeFiles } from './write-files.ts';

const actor: Actor = { kind: 'system', name: 'data-exports' };

/**
 * Makes a waiting export. An export that has ended already, or that another process has started, is skipped.
 */
export const makeDataExportJob = job({
  name: 'data-export',
  retryLimit: 0,
  run: async (app: App, { exportId }: { exportId: Id<'dxp'> }, signal) => {
    const folder = folderOf(app.clock.now(), exportId);
    const begun = await unitOfWork(app, { actor }, async (ctx) => {
      const plan = await ctx.setting(planSetting);
      const place = placeOf(app, plan);
      const run = await beginRun(ctx, exportId, { place, folder });
      return run && { ...run, plan, eventsAfter: await eventsTaken(ctx, place) };
    });
    if (!begun) return;
    const { plan, eventsAfter, attempt } = begun;
    const reporter = new ProgressReporter<RunProgress>(app.log, signal, (news) =>
      unitOfWork(app, { actor, keepsCachedReads: true }, (ctx) => storeProgress(ctx, exportId, news)),
    );
    let destination: Destination | undefined;
    try {
      const to = (destination = openDestination(app, plan));
      const order = { folder, tables: tablesOf(plan), eventsAfter, signal: reporter.signal };
      // A replica may cancel long queries, so a retry reads from the primary.
      const written = await unitOfWork(app, { actor, mode: 'snapshot', mayBeLate: attempt === 1 }, (ctx) =>
        writeFiles(ctx, to, { ...order, onProgress: (news) => reporter.update(news) }),
      );
      failPoint(app, 'data-export: manifest');
      await reporter.end();
      // An export that was stopped, or was silent for so long that it was marked as interrupted, must not be
      // published.
      if (!(await unitOfWork(app, { actor, mode: 'read' }, (ctx) => mayEnd(ctx, exportId))))
        throw new Stopped();
      await publishRun(to, folder, written);
      await unitOfWork(app, { actor }, async (ctx) => {
        ctx.audit('dataexports.made', exportId, { rows: written.run.rowsDone, bytes: written.run.bytes });
        await endRun(ctx, exportId, written.run);
      });
      await removeOverdue(app, to);
    } catch (error) {
      await reporter.end();
      const isStopped = reporter.isStopped || error instanceof Stopped;
      await storeFailure(app, exportId, attempt, isStopped ? null : whyOf(error, signal), error);
      if (destination) await tidyAfterFailure(app, destination);
    } finally {
      destination?.close();
    }
  },
});

function whyOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { code: 'interrupted', detail: '' };
  return failureOf(error) ?? { code: 'failed', detail: '' };
}

async function storeFailure(
  app: App,
  exportId: Id<'dxp'>,
  attempt: number,
  failure: Failure | null,
  error: unknown,
): Promise<void> {
  if (failure) app.log.error({ err: error, exportId }, 'a nightly export could not be made');
  await unitOfWork(app, { actor }, async (ctx) => {
    await markEnded(ctx, exportId, failure);
    ctx.audit(
      failure ? 'dataexports.failed' : 'dataexports.stopped',
      exportId,
      failure ? { ...failure } : {},
    );
    // Failed exports are retried; only the first failure of a night is notified.
    if (failure && attempt === 1)
      await postToAdmins(ctx, {
        kind: 'system.export_failed',
        type: 'warning',
        category: 'system',
        subject: exportId,
        period: '',
        textKey: 'dataexports.notice_failed',
        params: {},
        link: '/admin/data-exports',
      });
  });
}

/** Removes what a failed run left. If the destination denies it, the next successful run removes it. */
async function tidyAfterFailure(app: App, destination: Destination): Promise<void> {
  try {
    await removeOverdue(app, destination);
  } catch (error) {
    app.log.warn({ err: error }, 'parts of a nightly export were left');
  }
}

/** Removes the files of runs that have expired or were not completed. */
async function removeOverdue(app: App, { store, base, place }: Destination): Promise<void> {
  const overdue = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
    const { keepDays } = await ctx.setting(planSetting);
    return overdueRuns(ctx, place, new Date(ctx.now.getTime() - keepDays * dayMs));
  });
  for (const { id, folder } of overdue) {
    const found = (await store.list(`${base}runs/${folder}`)).map(({ name }) => name);
    // The manifest is removed first, so that nobody mistakes the rest for a complete run.
    const manifests = found.filter((name) => name.endsWith('/manifest.json'));
    await store.remove([...manifests, ...found.filter((name) => !manifests.includes(name))]);
    await store.removeUnfinished(`${base}runs/${folder}`, () => true);
    await unitOfWork(app, { actor }, (ctx) => markRemoved(ctx, [id]));
  }
}

/** Requests the night's export, once, and again after a failure. */
export const dueDataExportJob = job({
  name: 'data-export-due',
  schedule: '*/5 * * * *',
  run: async (app: App) => {
    // Test data needs no export.
    if (app.config.sandboxId !== undefined) return;
    await unitOfWork(app, { actor, keepsCachedReads: true }, async (ctx) => {
      const plan = await ctx.setting(planSetting);
      const attempt = dueAttempt(ctx.now, plan, {
        since: new Date(plan.since),
        zone: await ctx.setting(timeZoneSetting),
        last: await lastScheduled(ctx),
      });
      if (attempt === undefined) return;
      const exportId = await insertRun(ctx, { cause: 'schedule', by: 'schedule', attempt });
      if (exportId !== undefined) await ctx.enqueue(makeDataExportJob.name, { exportId }, exportId);
    });
  },
});
