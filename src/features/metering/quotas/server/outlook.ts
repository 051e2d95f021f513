// Notifies users of quotas that will run out before the end of the month at the current pace: once a month,
// early enough to act.
import type { Id } from '#kernel/ids.ts';
import { daysBetween, dayOf, monthOf } from '#kernel/time.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { quotasOf } from './read.ts';
import { organizationsWithQuotas } from './store.ts';

const actor = { kind: 'system', name: 'quotas' } as const;
/** In the first days of a month, a single busy morning would distort the pace. */
const firstNotifiedDay = 4;

/** Checks every organization with running subscriptions. */
async function notifyOutlooks(app: App, signal?: AbortSignal): Promise<void> {
  for (const organizationId of await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
    organizationsWithQuotas(ctx),
  )) {
    if (signal?.aborted) return;
    await unitOfWork(app, { actor }, (ctx) => notifyOutlook(ctx, organizationId));
  }
}

async function notifyOutlook(ctx: Ctx, organizationId: Id<'org'>): Promise<void> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization) return;
  const today = dayOf(ctx.now, organization.timeZone);
  if (Number(today.slice(8)) < firstNotifiedDay) return;
  const { items } = await quotasOf(ctx, organizationId);
  await postToOrganizations(
    ctx,
    items.flatMap(({ subscriptionId, serviceName, runsOutOn, limit, percent }) =>
      runsOutOn === null || percent >= 100
        ? []
        : [
            {
              organizationId,
              notice: {
                kind: 'quota.runs_out' as const,
                type: 'warning' as const,
                category: 'usage' as const,
                subject: subscriptionId,
                period: `${monthOf(ctx.now, organization.timeZone)} ${limit}`,
                textKey: 'quotas.notice_runs_out',
                params: { service: serviceName, days: daysBetween(today, runsOutOn), day: runsOutOn },
                link: '/billing/dashboard',
                otherLinks: ['/dashboard', '/usage/statistics'],
              },
            },
          ],
    ),
  );
}

export const outlookJob = job({
  name: 'quotas.outlook',
  schedule: '23 */6 * * *',
  run: (app, _payload, signal) => notifyOutlooks(app, signal),
});
