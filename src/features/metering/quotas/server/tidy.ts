// Expired reservations: reads ignore them from the moment they expire; this job marks them as expired and
// notifies users if the quota recovered as a result.
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { checkStanding } from './check-quota.ts';
import { requireStanding } from './standing.ts';
import { lockMonth } from './store.ts';
import { expireReservations, deleteEnded, overdueMonths } from './store-reservations.ts';

const actor = { kind: 'system', name: 'quotas' } as const;
const atOnce = 500;
/** How many days ended reservations are kept, so that a repeated commit is recognized. */
const retentionDays = 30;

export const tidyReservationsJob: Job = job({
  name: 'quotas.tidy',
  schedule: '*/5 * * * *',
  run: async (app) => {
    const due = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => overdueMonths(ctx, atOnce));
    for (const { subscriptionId, month } of due) {
      await unitOfWork(app, { actor }, async (ctx) => {
        await lockMonth(ctx, subscriptionId, month);
        await expireReservations(ctx, subscriptionId, month);
        const standing = await requireStanding(ctx, subscriptionId, null);
        if (standing.row.month === month) await checkStanding(ctx, standing);
        ctx.publish(`org/${standing.row.organizationId}/usage`, { kind: 'usage' });
      });
    }
    await unitOfWork(app, { actor }, (ctx) =>
      deleteEnded(ctx, new Date(ctx.now.getTime() - retentionDays * dayMs)),
    );
  },
});
