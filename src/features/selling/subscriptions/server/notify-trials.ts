// Notifies of trials that end soon: three days before, once per end, so that the fee is no surprise
// (R-NOTE-04).
import { dayMs } from '#kernel/durations.ts';
import { dayOf, daysBetween } from '#kernel/time.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { trialsEnding } from './store-trials.ts';

const actor = { kind: 'system', name: 'trials' } as const;
const aheadMs = 3 * dayMs;
const atOnce = 500;

/** Posts a notice for every trial that ends soon. */
async function notifyTrials(app: App, signal?: AbortSignal): Promise<void> {
  await inPages((after) => unitOfWork(app, { actor }, (ctx) => notifyPage(ctx, after)), signal);
}

async function notifyPage(ctx: Ctx, after: string): Promise<string | undefined> {
  const trials = await trialsEnding(ctx, new Date(ctx.now.getTime() + aheadMs), after, atOnce);
  await postToOrganizations(
    ctx,
    trials.map(({ id, organizationId, service, endsAt, timeZone }) => {
      const date = dayOf(endsAt, timeZone);
      return {
        organizationId,
        notice: {
          kind: 'system.trial_ends',
          type: 'info',
          category: 'system',
          subject: id,
          period: endsAt.toISOString(),
          textKey: 'subscriptions.notice_trial_ends',
          params: { service, days: daysBetween(dayOf(ctx.now, timeZone), date), date },
          link: '/cloud-service/management',
        },
      };
    }),
  );
  return trials.length === atOnce ? trials.at(-1)?.id : undefined;
}

export const trialsJob = job({
  name: 'subscriptions.trials',
  schedule: '17 * * * *',
  run: (app, _payload, signal) => notifyTrials(app, signal),
});
