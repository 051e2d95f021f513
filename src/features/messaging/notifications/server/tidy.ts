// Housekeeping: permanently deletes notifications a day after their deletion, and adds search texts to old
// ones.
import { hourMs } from '#kernel/durations.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { folded } from '../rules-search.ts';
import { readable } from '../rules.ts';
import { forgetDeleted, putSearchTexts, withoutSearchText } from './store.ts';

const actor = { kind: 'system', name: 'notifications' } as const;
const restorableHours = 24;
const atOnce = 2000;

/** Deletes what is due and adds missing search texts. */
export async function cleanUpNotifications(app: App): Promise<void> {
  await unitOfWork(app, { actor }, (ctx) =>
    forgetDeleted(ctx, new Date(ctx.now.getTime() - restorableHours * hourMs)),
  );
  for (let count = atOnce; count === atOnce;) {
    count = await unitOfWork(app, { actor }, async (ctx) => {
      const rows = await withoutSearchText(ctx, atOnce);
      await putSearchTexts(
        ctx,
        rows.map(({ id, textKey, params }) => ({
          id,
          searchText: folded(
            `${ctx.text(textKey, readable(params, 'zhTW'), 'zhTW')}\n${ctx.text(textKey, readable(params, 'enUS'), 'enUS')}`,
          ),
        })),
      );
      return rows.length;
    });
  }
}

export const tidyNotificationsJob = job({
  name: 'notifications.tidy',
  schedule: '41 * * * *',
  run: (app) => cleanUpNotifications(app),
});
