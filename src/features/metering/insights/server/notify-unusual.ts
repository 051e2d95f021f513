// Notifies users of days with unusual usage, once, on the following day, unless a user has already marked the
// day as expected.
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { loadMeteredOf } from './metered-usage.ts';
import { meteredOrganizations } from './store.ts';
import { unusualIn } from './unusual.ts';

const actor = { kind: 'system', name: 'insights' } as const;

/** Checks yesterday for every organization with any usage since the day before. */
async function notifyUnusual(app: App, signal: AbortSignal): Promise<void> {
  const since = new Date(app.clock.now().getTime() - 2 * dayMs);
  for (const organizationId of await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
    meteredOrganizations(ctx, since),
  )) {
    if (signal.aborted) return;
    await unitOfWork(app, { actor }, (ctx) => notifyOrganization(ctx, organizationId));
  }
}

/** Two digits suffice in a notice. */
const rounded = (figure: string): string => decimalText(decimal(figure).round(2));

async function notifyOrganization(ctx: Ctx, organizationId: Id<'org'>): Promise<void> {
  const loaded = await loadMeteredOf(ctx, organizationId);
  const yesterday = addDays(dayOf(ctx.now, loaded.zone), -1);
  const days = await unusualIn(ctx, loaded, { from: yesterday, to: yesterday });
  await postToOrganizations(
    ctx,
    days
      .filter((each) => each.verdict === null)
      .map(({ subscriptionId, serviceName, unit, day, quantity, low, high }) => ({
        organizationId,
        notice: {
          kind: 'usage.unusual' as const,
          type: 'warning' as const,
          category: 'usage' as const,
          subject: subscriptionId,
          period: day,
          textKey: 'insights.notice_unusual',
          params: {
            service: serviceName,
            day,
            used: rounded(quantity),
            low: rounded(low),
            high: rounded(high),
            unit,
          },
          link: '/usage/statistics',
        },
      })),
  );
}

/** Every six hours, because yesterday ends at different times in different time zones. */
export const notifyUnusualJob = job({
  name: 'insights.unusual',
  schedule: '47 */6 * * *',
  run: (app, _payload, signal) => notifyUnusual(app, signal),
});
