// Keeps metrics as the bills are: what changes bills marks their months (by triggers, see the migration), and a job works these out again within seconds.
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { monthNumber } from '../rules.ts';
import { isDue, markAllStale, storeProof, storeRevenue, storeSums, takeStale } from './store-refresh.ts';

const actor = { kind: 'system', name: 'metrics' } as const;

/** Works out what changed since the last time; nothing when nothing did. Safe to repeat, and at once. */
export async function refreshMetrics(ctx: Ctx): Promise<boolean> {
  const months = await takeStale(ctx);
  if (months.length === 0) return false;
  for (const month of months) await storeRevenue(ctx, month);
  await storeSums(ctx, months.map(monthNumber));
  await storeProof(ctx);
  ctx.publish('system/billing', { kind: 'metrics' });
  return true;
}

/** Works all months out again, from the bills alone: for when somebody doubts what is kept. */
export async function rebuildMetrics(ctx: Ctx): Promise<void> {
  await markAllStale(ctx);
  ctx.audit('metrics.rebuild', undefined, {});
}

export const refreshMetricsJob: Job = job({
  name: 'metrics.refresh',
  everySeconds: 5,
  keepsFigures: true,
  run: async (app) => {
    // Asked without a transaction, because nearly always there is nothing.
    if (await unitOfWork(app, { actor, mode: 'read' }, isDue))
      await unitOfWork(app, { actor, keepsCachedReads: true }, refreshMetrics);
  },
});
