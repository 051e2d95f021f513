// Deletes rejected events that stay open beyond the retention period.
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { rejectedEventDays } from './settings.ts';
import { forgetRejected } from './store-upsert.ts';

export const rejectionsJobs: readonly Job[] = [
  job({
    name: 'rejections-tidy',
    schedule: '25 3 * * *',
    run: (app) =>
      unitOfWork(app, { actor: { kind: 'system', name: 'rejections-tidy' } }, async (ctx) =>
        forgetRejected(ctx, new Date(ctx.now.getTime() - (await ctx.setting(rejectedEventDays)) * dayMs)),
      ),
  }),
];
