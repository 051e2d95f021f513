// A test that is honest: it goes the way of every other notification, and what is answered of it is what the outbox knows.
import { sql } from 'kysely';
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import { person, type Ctx } from '#platform/server/ctx.ts';
import { renderMail } from '#platform/server/mail.ts';
import { channels, notificationsErrors, notificationsPaths, type Channel, type notifications, type TestResult } from '../contract.ts';
import { kinds } from '../rules-kinds.ts';
import { ways, type Told } from './channels.ts';
import { channelKinds } from './delivery-keys.ts';
import { letterOf } from './letters.ts';
import { postToUsers } from './post.ts';
import { callerOf } from './preferences.ts';

const rule = kinds['system.test'];
const textKey = 'notifications.test_message';
const keyOf = (userId: string, testId: string, channel: Channel): string => `test ${userId} ${testId} ${channel}`;

/** Sends a test at once, whatever the hour and the wishes: whoever asks is there to see it. */
export async function sendTest(ctx: Ctx, { channel }: In<typeof notifications.sendTest>): Promise<Out<typeof notifications.sendTest>> {
  const { self, given } = await callerOf(ctx);
  const testId = ctx.newId('out');
  const message = ctx.text(textKey, {}, self.language);
  if (channel === 'inApp') {
    await postToUsers(ctx, [self.id], { kind: 'system.test', type: 'info', category: 'system', subject: testId, period: '', textKey, params: {}, link: null });
    return { testId, message, to: null, letter: null };
  }
  const problem = ways[channel].problem(given, self);
  if (problem) throw refuse(notificationsErrors, `notifications.${problem}`);
  const told: Told = { person: self, key: keyOf(self.id, testId, channel), rule, message, link: notificationsPaths[self.role], dueAt: null };
  await ways[channel].send(ctx, [told]);
  return { testId, message, to: ways[channel].to(given, self), letter: channel === 'email' ? renderMail(await letterOf(ctx, told)) : null };
}

type Row = { createdAt: Date; sentAt: Date | null; parkedAt: Date | null; dueAt: Date; attempts: number; lastError: string | null };

/** Where one of the own tests stands. A message to several devices counts as sent when one of them took it. */
export async function getTest(ctx: Ctx, { testId }: In<typeof notifications.getTest>): Promise<TestResult> {
  const { userId } = person(ctx);
  const keys = channels.map((channel) => keyOf(userId, testId, channel));
  const { rows } = await sql<Row>`select created_at as "createdAt", sent_at as "sentAt", parked_at as "parkedAt", due_at as "dueAt", attempts, last_error as "lastError" from outbox
      where kind = any(${Object.values(channelKinds)}::text[]) and (key = any(${keys}::text[]) or (key ~>=~ ${`${keyOf(userId, testId, 'push')} `} and key ~<~ ${`${keyOf(userId, testId, 'push')}!`}))
    union all select created_at, created_at, null, created_at, 1, null from notification where user_id = ${userId} and kind = 'system.test' and subject = ${testId}
    order by 2 nulls last, 3 nulls first limit 1`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw refuse(notificationsErrors, 'notifications.test_not_found');
  const { sentAt, attempts, lastError: reason } = row;
  if (sentAt) return { state: 'sent', attempts, sentAt, tookMs: sentAt.getTime() - row.createdAt.getTime(), nextAt: null, reason: null };
  if (row.parkedAt) return { state: 'failed', attempts, sentAt: null, tookMs: null, nextAt: null, reason };
  return { state: reason === null ? 'waiting' : 'retrying', attempts, sentAt: null, tookMs: null, nextAt: reason === null ? null : row.dueAt, reason };
}
