// The jobs of connectors: pulling due windows, and deleting old pulls.
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { pullDue } from './pull.ts';
import { forgetPulls } from './store-pulls.ts';

const keptDays = 90;

export const connectorsJobs: readonly Job[] = [
  job({
    name: 'connectors',
    everySeconds: 5,
    retryLimit: 0,
    run: (app, _payload, signal) => pullDue(app, signal),
  }),
  job({
    name: 'connectors-tidy',
    schedule: '35 3 * * *',
    run: (app) =>
      unitOfWork(app, { actor: { kind: 'system', name: 'connectors-tidy' } }, (ctx) =>
        forgetPulls(ctx, new Date(ctx.now.getTime() - keptDays * dayMs)),
      ),
  }),
];
