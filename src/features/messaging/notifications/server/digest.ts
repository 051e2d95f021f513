// The daily e-mail: each reader's collected notifications are sent as one mail, exactly once, however often
// the job runs and wherever it is interrupted.
import { momentFormat } from '#kernel/format-date.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sendMail } from '#platform/server/mail/mail.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { brandsOfUsers } from '#features/access/identity/server/index.ts';
import { readable } from '../rules.ts';
import { reachSettingsOf, channelHandlers } from './channels.ts';
import { digestKey } from './delivery-keys.ts';
import { digestLetter } from './letters.ts';
import { mayStillRead } from './readers.ts';
import { dropDigests, takeDue } from './store-digest.ts';
import { peopleOf } from './store-reach.ts';

const actor = { kind: 'system', name: 'digest' } as const;
const readersAtOnce = 200;
const maxListed = 40;

/** Sends every daily e-mail that is due. */
export async function sendDigests(app: App, signal?: AbortSignal): Promise<void> {
  for (let taken = 1; taken > 0 && !signal?.aborted;)
    taken = await unitOfWork(app, { actor }, (ctx) => sendDueDigests(ctx));
}

async function sendDueDigests(ctx: Ctx): Promise<number> {
  // Two concurrent runs could lock the same rows in different orders and deadlock.
  await lockUntilEnd(ctx, 'notifications.digest');
  const due = await takeDue(ctx, readersAtOnce);
  const people = await peopleOf(ctx, [...new Set(due.map((each) => each.userId))]);
  const brandOfUser = await brandsOfUsers(ctx, [...people.keys()]);
  const given = await reachSettingsOf(ctx, [...people.keys()]);
  // Somebody’s role may have been narrowed since the notification, or they may have moved.
  const { listed = [], left = [] } = Object.groupBy(due, (item) => {
    const person = people.get(item.userId);
    return !item.isRead && person && mayStillRead(ctx.app, person, item) ? 'listed' : 'left';
  });
  // The sender withdraws an e-mail of which anything may not be read any more; these are not in it.
  await dropDigests(
    ctx,
    left.map((item) => item.id),
  );
  for (const [key, items] of Map.groupBy(listed, (each) => digestKey(each.userId, each.dueAt))) {
    const person = people.get(items[0]?.userId ?? '');
    // Readers who have turned off e-mails or left in the meantime get none.
    if (!person?.wantsEmail || channelHandlers.email.problem(given, person) !== null) continue;
    const brand = brandOfUser(person.id);
    const lines = items.slice(0, maxListed).map(({ textKey, params, link, createdAt }) => ({
      text: ctx.text(textKey, readable(params, person.language), person.language),
      note: momentFormat(person.language, person.timeZone).dateTime(createdAt),
      ...(link !== null && { link: `${brand.address}${link}` }),
    }));
    sendMail(ctx, key, digestLetter(ctx, brand, person, lines, items.length - lines.length));
  }
  return due.length;
}

/**
 * Every five minutes, because days start at different times in each time zone, and quiet hours may end at any
 * minute.
 */
export const digestJob = job({
  name: 'notifications.digest',
  schedule: '*/5 * * * *',
  run: (app, _payload, signal) => sendDigests(app, signal),
});
