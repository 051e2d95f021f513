// Sends due announcements in chunks: each is posted and recorded in one transaction, so that an interrupted
// run continues where it stopped.
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import type { Sender } from '#platform/server/live/outbox.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToUsers, type Notice } from '#features/messaging/notifications/server/index.ts';
import type { Announcement } from '../contract.ts';
import { lockDue, recordSent } from './store.ts';
import { countPeople, peopleAfter } from './store-audience.ts';

const sendName = 'announcements.send';
const actor = { kind: 'system', name: 'announcements' } as const;
const atOnce = 1000;

/** Sends all due announcements. */
export async function sendDue(app: App, signal?: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal?.aborted;) isMore = await unitOfWork(app, { actor }, sendChunk);
}

/** Posts the announcement that has been due longest to its next recipients; false when none is due. */
async function sendChunk(ctx: Ctx): Promise<boolean> {
  const due = await lockDue(ctx);
  if (!due) return false;
  const { announcement, sentThrough } = due;
  const people = await peopleAfter(ctx, announcement.audience, sentThrough, atOnce);
  const expected = announcement.expected ?? (await countPeople(ctx, announcement.audience));
  await postToUsers(ctx, people, noticeOf(announcement));
  const isDone = people.length < atOnce;
  await recordSent(ctx, announcement.id, {
    through: people.at(-1) ?? sentThrough,
    people: people.length,
    expected,
    isDone,
  });
  if (isDone)
    ctx.audit('announcements.sent', announcement.id, { reached: announcement.reached + people.length });
  ctx.publish('system/billing', { kind: 'announcement' });
  return true;
}

/** The notification with its texts in both languages; `readable` in notifications selects the reader's. */
function noticeOf({ id, severity, link, words: { zhTW, enUS } }: Announcement): Notice {
  return {
    kind: 'announcement',
    type: severity,
    category: 'system',
    subject: id,
    period: '',
    textKey: 'announcements.notice',
    params: { title_zhTW: zhTW.title, text_zhTW: zhTW.text, title_enUS: enUS.title, text_enUS: enUS.text },
    link,
  };
}

/** Queued for the time when an announcement is due; the hourly run sends whatever was missed. */
export const sendJob = job({
  name: sendName,
  schedule: '11 * * * *',
  run: (app, _payload, signal) => sendDue(app, signal),
});

/** Outbox messages of this kind wait until an announcement is due and then queue the job. */
export const announcementKind = 'announcement';
export const announcementSender = (app: App): Sender => ({
  atOnce: 1,
  send: () => unitOfWork(app, { actor }, (ctx) => ctx.enqueue(sendName, {})),
});
