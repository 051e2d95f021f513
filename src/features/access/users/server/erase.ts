// Erases deleted users once they can no longer be restored: everything except the name, which bills, the
// audit log and histories need.
import type { Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import { restoreDays } from '#features/access/identity/rules.ts';
import type { Actor, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { forgetRuns } from './store-batch.ts';
import { deleteAndErase, eraseRows, forgetAllOf } from './store-erase.ts';

/** These users were erased: features must delete the personal data that they store about them. */
export const usersErased = domainEvent<{ readonly userIds: readonly string[] }>('users.erased');

const actor: Actor = { kind: 'system', name: 'users-erase' };
const chunkSize = 500;
/** How many days finished batches and imports are kept for viewing and undoing. */
const runRetentionDays = 30;

/** Erases the next due users; returns how many. */
async function eraseSome(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.now.getTime() - restoreDays * dayMs);
  const userIds = await eraseRows(ctx, before, chunkSize);
  if (userIds.length === 0) return 0;
  await forgetAllOf(ctx, userIds);
  await ctx.emit(usersErased, { userIds });
  ctx.audit('users.erase', undefined, { userIds });
  return userIds.length;
}

/**
 * Erases people at once, deleted or not, because an Admin decided to erase an organization's data. Their
 * actions keep their id; `nameOf` returns the name that replaces theirs.
 */
export async function eraseNow(
  ctx: Ctx,
  userIds: readonly Id<'usr'>[],
  nameOf: (userId: string) => string,
): Promise<void> {
  await deleteAndErase(ctx, userIds, userIds.map(nameOf));
  await forgetAllOf(ctx, userIds);
  await ctx.emit(usersErased, { userIds });
  ctx.audit('users.erase', undefined, { userIds });
}

export const eraseUsersJob = job({
  name: 'users-erase',
  schedule: '50 3 * * *',
  run: async (app, _payload: object, abort) => {
    while ((await unitOfWork(app, { actor }, eraseSome)) === chunkSize) abort.throwIfAborted();
    await unitOfWork(app, { actor }, (ctx) =>
      forgetRuns(ctx, new Date(ctx.now.getTime() - runRetentionDays * dayMs)),
    );
  },
});
