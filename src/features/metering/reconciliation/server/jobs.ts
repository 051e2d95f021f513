// The jobs of reconciliation: requested runs, hourly runs, and deleting old ones.
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { reconciledConnectors } from '#features/metering/connectors/server/index.ts';
import { askRun, doRun, jobName } from './run.ts';
import { forgetRuns } from './store.ts';

const by = { actor: { kind: 'system', name: 'reconciliation' } } as const;
const keptDays = 90;

export const reconciliationJobs: readonly Job[] = [
  job<{ runId: string }>({
    name: jobName,
    run: (app, { runId }, signal) => doRun(app, runId, signal),
  }),
  job({
    name: 'reconciliation-hourly',
    schedule: '17 * * * *',
    run: (app) =>
      unitOfWork(app, by, async (ctx) => {
        // Consoles without cloud inventories have no runs.
        if ((await reconciledConnectors(ctx)).some((each) => each.hasInventory && !each.isPaused))
          await askRun(ctx);
      }),
  }),
  job({
    name: 'reconciliation-tidy',
    schedule: '40 3 * * *',
    run: (app) =>
      unitOfWork(app, by, (ctx) => forgetRuns(ctx, new Date(ctx.now.getTime() - keptDays * dayMs))),
  }),
];
