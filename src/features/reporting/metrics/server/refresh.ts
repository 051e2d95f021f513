// Keeps metrics in sync with bills: triggers mark the months of changed bills as stale (see the migration),
// and a job recomputes these within seconds.
import { monthNumber } from '#kernel/time.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isDue, markAllStale, storeProof, storeRevenue, storeSums, takeStale } from './store-refresh.ts';

const actor = { kind: 'system', name: 'metrics' } as const;

/**
 * Recomputes what has changed since the last time; does nothing without changes. Safe to repeat, and to run
 * concurrently.
 */
export async function refreshMetrics(ctx: Ctx): Promise<boolean> {
  const months = await takeStale(ctx);
  if (months.length === 0) return false;
  for (const month of months) await storeRevenue(ctx, month);
  await storeSums(ctx, months.map(monthNumber));
  await storeProof(ctx);
  ctx.publish('system/billing', { kind: 'metrics' });
  return true;
}

/** Recomputes all months from the bills, for when somebody doubts the stored figures. */
export async function rebuildMetrics(ctx: Ctx): Promise<void> {
  await markAllStale(ctx);
  ctx.audit('metrics.rebuild', undefined, {});
}

export const refreshMetricsJob: Job = job({
  name: 'metrics.refresh',
  everySeconds: 5,
  keepsFigures: true,
  run: async (app) => {
    // Checked without a transaction, because there is nearly always nothing to do.
    if (await unitOfWork(app, { actor, mode: 'read' }, isDue))
      await unitOfWork(app, { actor, keepsCachedReads: true }, refreshMetrics);
  },
});
