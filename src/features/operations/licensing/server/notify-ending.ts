// Notifies of licenses that expire soon: 30 and 3 days before, once each, to the Admins who renew them and to
// the users of the organization (R-NOTE-04, R-ADM-04).
import { dayOf, daysBetween } from '#kernel/time.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  postToAdmins,
  postToOrganizations,
  type Notice,
} from '#features/messaging/notifications/server/index.ts';
import { expiringDays } from '../rules.ts';
import { licencesEnding, type EndingLicence } from './store-ending.ts';

const actor = { kind: 'system', name: 'licences' } as const;
const daysAhead = [expiringDays, 3];
const atOnce = 200;

/** Posts a notification for every license that expires soon. */
async function notifyEnding(app: App, signal?: AbortSignal): Promise<void> {
  for (const days of daysAhead)
    await inPages((after) => unitOfWork(app, { actor }, (ctx) => notifyPage(ctx, days, after)), signal);
}

async function notifyPage(ctx: Ctx, days: number, after: string): Promise<string | undefined> {
  const licences = await licencesEnding(ctx, days, after, atOnce);
  const noticeOf = (
    { id, expiresAt, timeZone, organization, service, machine }: EndingLicence,
    scope: 'own' | 'all',
  ): Notice => {
    const date = dayOf(expiresAt, timeZone);
    return {
      kind: 'system.licence_ends',
      type: 'warning',
      category: 'system',
      subject: id,
      period: `${expiresAt.toISOString()}/${days}`,
      textKey: scope === 'own' ? 'licensing.notice_ends' : 'licensing.notice_ends_admin',
      params: {
        service,
        machine,
        days: daysBetween(dayOf(ctx.now, timeZone), date),
        date,
        ...(scope === 'all' && { organization }),
      },
      link: scope === 'own' ? '/cloud-service/management' : `/admin/licenses?q=${id}`,
    };
  };
  await postToOrganizations(
    ctx,
    licences.map((licence) => ({ organizationId: licence.organizationId, notice: noticeOf(licence, 'own') })),
  );
  for (const licence of licences) await postToAdmins(ctx, noticeOf(licence, 'all'));
  return licences.length === atOnce ? licences.at(-1)?.id : undefined;
}

export const endingLicencesJob = job({
  name: 'licensing.ending',
  schedule: '23 * * * *',
  run: (app, _payload, signal) => notifyEnding(app, signal),
});
