// API keys that expire soon: their owners are notified three days before, once per expiry date (R-NOTE-04).
import { dayMs } from '#kernel/durations.ts';
import { momentFormat } from '#kernel/format-date.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { activeAdmins, keysExpiring, membersOfMany } from '#features/access/identity/server/index.ts';
import { post, type Addressed } from './post.ts';
import type { Notice } from './store.ts';

const actor = { kind: 'system', name: 'notifications' } as const;
const daysAhead = 3;
const atOnce = 500;

/** Posts a notice for every key that expires soon. */
async function notifyExpiringKeys(app: App, signal?: AbortSignal): Promise<void> {
  await inPages((after) => unitOfWork(app, { actor }, (ctx) => notifyPage(ctx, after)), signal);
}

async function notifyPage(ctx: Ctx, after: string): Promise<string | undefined> {
  const keys = await keysExpiring(ctx, new Date(ctx.now.getTime() + daysAhead * dayMs), after, atOnce);
  const admins = await activeAdmins(ctx);
  const members = Map.groupBy(
    await membersOfMany(ctx, [...new Set(keys.flatMap((key) => key.organizationId ?? []))]),
    (member) => member.organizationId,
  );
  await post(
    ctx,
    keys.flatMap(({ id, name, organizationId, expiresAt, timeZone }): Addressed[] => {
      const readers =
        organizationId === null
          ? admins
          : (members.get(organizationId) ?? [])
              .filter((member) => member.role === 'User')
              .map((member) => member.id);
      const notice: Notice = {
        kind: 'system.key_expires',
        type: 'warning',
        category: 'system',
        subject: id,
        period: expiresAt.toISOString(),
        textKey: 'notifications.key_expires',
        params: {
          name,
          days: Math.max(1, Math.ceil((expiresAt.getTime() - ctx.now.getTime()) / dayMs)),
          date: momentFormat('enUS', timeZone).dateTable(expiresAt),
        },
        link: organizationId === null ? '/admin/api-keys' : '/user/profile',
      };
      return readers.map((userId) => ({ userId, notice }));
    }),
  );
  return keys.length === atOnce ? keys.at(-1)?.id : undefined;
}

export const expiringKeysJob = job({
  name: 'notifications.expiring-keys',
  schedule: '13 * * * *',
  run: (app, _payload, signal) => notifyExpiringKeys(app, signal),
});
