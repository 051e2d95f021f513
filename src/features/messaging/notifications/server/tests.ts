// Test messages: they take the same path as every notification, and their result is read from the outbox.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { renderLetter } from '#platform/server/mail/mail-letter.ts';
import {
  notificationsErrors,
  notificationsPaths,
  type Channel,
  type notifications,
  type TestResult,
} from '../contract.ts';
import { kinds } from '../rules-kinds.ts';
import { channelHandlers, type ChannelMessage } from './channels.ts';
import { brandsOfUsers } from '#features/access/identity/server/index.ts';
import { letterOf } from './letters.ts';
import { postToUsers } from './post.ts';
import { callerOf } from './preferences.ts';
import { testState } from './store-deliveries.ts';

const rule = kinds['system.test'];
const textKey = 'notifications.test_message';
const keyOf = (userId: string, testId: string, channel: Channel): string =>
  `test ${userId} ${testId} ${channel}`;

/**
 * Sends a test immediately, regardless of quiet hours and preferences, because the user is waiting for it.
 */
export async function sendTest(
  ctx: Ctx,
  { channel }: In<typeof notifications.sendTest>,
): Promise<Out<typeof notifications.sendTest>> {
  const { self, given } = await callerOf(ctx);
  const testId = ctx.newId('out');
  const message = ctx.text(textKey, {}, self.language);
  if (channel === 'inApp') {
    await postToUsers(ctx, [self.id], {
      kind: 'system.test',
      type: 'info',
      category: 'system',
      subject: testId,
      period: '',
      textKey,
      params: {},
      link: null,
    });
    return { testId, message, to: null, letter: null };
  }
  const problem = channelHandlers[channel].problem(given, self);
  if (problem) throw domainError(notificationsErrors, `notifications.${problem}`);
  const testMessage: ChannelMessage = {
    person: self,
    key: keyOf(self.id, testId, channel),
    rule,
    message,
    link: notificationsPaths[self.role],
    dueAt: null,
  };
  await channelHandlers[channel].send(ctx, [testMessage]);
  return {
    testId,
    message,
    to: channelHandlers[channel].to(given, self),
    letter:
      channel === 'email'
        ? renderLetter(letterOf(ctx, (await brandsOfUsers(ctx, [self.id]))(self.id), testMessage))
        : null,
  };
}

/**
 * Returns the state of one of the caller's tests. A message to several browsers counts as sent when one of
 * them accepted it.
 */
export async function getTest(ctx: Ctx, { testId }: In<typeof notifications.getTest>): Promise<TestResult> {
  const { userId } = person(ctx);
  const row = await testState(ctx, userId, testId, keyOf);
  if (!row) throw domainError(notificationsErrors, 'notifications.test_not_found');
  const { sentAt, attempts, lastError: reason } = row;
  if (sentAt)
    return {
      state: 'sent',
      attempts,
      sentAt,
      tookMs: sentAt.getTime() - row.createdAt.getTime(),
      nextAt: null,
      reason: null,
    };
  if (row.parkedAt) return { state: 'failed', attempts, sentAt: null, tookMs: null, nextAt: null, reason };
  return {
    state: reason === null ? 'waiting' : 'retrying',
    attempts,
    sentAt: null,
    tookMs: null,
    nextAt: reason === null ? null : row.dueAt,
    reason,
  };
}
