// Sends messages to browsers: encrypted for each of them, signed with the console's key, through the outbox.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { Undeliverable, type Sender, type StoredMessage } from '#platform/server/live/outbox.ts';
import { postPinned, type PinnedOutcome } from '#platform/server/outbound/outbound-pinned.ts';
import { shortened } from '../rules.ts';
import { addressOf, devicesOfMany, forgetDevice, storeResult, type Address } from './store.ts';
import { vapidKeys } from './vapid.ts';

/** Outbox messages of this kind are pushed to a browser. */
export const pushKind = 'push';

/**
 * One message to all browsers of a user. `key` is permanently unique, and on the screen the message replaces
 * an earlier one with the same key; `link` is a path of the console.
 */
export type PushMessage = {
  readonly userId: string;
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly link: string | null;
  readonly dueAt?: Date | undefined;
};

const PushPayload = z.strictObject({
  deviceId: z.string(),
  userId: z.string(),
  title: z.string(),
  body: z.string(),
  link: z.nullable(z.string()),
  tag: z.string(),
});
type PushPayload = z.output<typeof PushPayload>;

/** How many seconds a push service keeps a message for an offline browser. */
const ttlSeconds = 24 * 3600;
/** The encrypted message must fit into 4096 bytes (RFC 8030, section 7.2). */
const maxTitle = 120;
const maxBody = 800;

/**
 * Queues one message for each browser of each user, in one statement for all messages. A user without
 * browsers gets none.
 */
export async function sendPush(ctx: Ctx, messages: readonly PushMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const devices = Map.groupBy(
    await devicesOfMany(ctx, [...new Set(messages.map(({ userId }) => userId))]),
    ({ userId }) => userId,
  );
  for (const { userId, key, title, body, link, dueAt } of messages) {
    for (const { id } of devices.get(userId) ?? [])
      ctx.send(
        pushKind,
        `${key} ${id}`,
        { deviceId: id, userId, title, body, link, tag: key } satisfies PushPayload,
        dueAt,
      );
  }
}

/** Returns how many browsers each of these users has; users without any are omitted. */
export async function pushReachOf(
  ctx: Ctx,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const devices = await devicesOfMany(ctx, userIds);
  return new Map(
    [...Map.groupBy(devices, ({ userId }) => userId)].map(([userId, all]) => [userId, all.length]),
  );
}

/** The outbox's sender of pushes. */
export function pushSender(app: App): Sender {
  return { atOnce: 16, send: (message) => send(app, message) };
}

async function send(app: App, message: StoredMessage): Promise<void> {
  const pushed = z.parse(PushPayload, message.payload);
  const { kysely } = app.database;
  const address = await addressOf(kysely, pushed.deviceId);
  // The browser may belong to another user by now, who must not see the first user's message.
  if (address?.userId !== pushed.userId) throw new Undeliverable('the browser is not registered any more');
  const outcome = await post(app, address, pushed);
  const reason = reasonOf(outcome);
  if (outcome.status === 404 || outcome.status === 410) {
    await forgetDevice(kysely, pushed.deviceId);
    throw new Undeliverable(`${reason}: the browser has withdrawn its permission`);
  }
  await storeResult(kysely, pushed.deviceId, app.clock.now(), reason);
  if (reason === '') return;
  const isFinal =
    outcome.failure === 'address_refused' ||
    outcome.failure === 'not_public' ||
    (outcome.status !== null &&
      outcome.status >= 400 &&
      outcome.status < 500 &&
      outcome.status !== 429 &&
      outcome.status !== 408);
  throw isFinal ? new Undeliverable(reason) : new Error(reason);
}

/** Why a message was rejected; empty when it was accepted. The push service's own text is not passed on. */
function reasonOf({ status, failure, detail }: PinnedOutcome): string {
  if (status !== null && status >= 200 && status < 300 && failure === null) return '';
  return status === null ? `${failure}${detail === '' ? '' : `: ${detail}`}` : `answered ${status}`;
}

async function post(
  app: App,
  { endpoint, p256dh, auth }: Address,
  pushed: PushPayload,
): Promise<PinnedOutcome> {
  // Loaded with the first message, because most consoles send none.
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = vapidKeys(app);
  const text = JSON.stringify({
    title: shortened(pushed.title, maxTitle),
    body: shortened(pushed.body, maxBody),
    link: pushed.link,
    tag: pushed.tag,
  });
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    vapidDetails: { subject: subjectOf(app), publicKey, privateKey },
    TTL: ttlSeconds,
    urgency: 'normal',
    contentEncoding: 'aes128gcm',
    // A push service keeps only the newest waiting message of a topic; a topic has at most 32 characters.
    topic: createHash('sha256').update(pushed.tag).digest('base64url').slice(0, 32),
  });
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return postPinned(endpoint, {
    headers: plain,
    body: body ?? Buffer.alloc(0),
    loopback: app.config.mode !== 'production',
  });
}

/**
 * The contact for push services in case of problems with this console: its address, or the sender of its
 * e-mails.
 */
function subjectOf({ config, address }: App): string {
  if (address().startsWith('https:')) return address();
  return `mailto:${/[^\s<>]+@[^\s<>]+/.exec(config.mailFrom)?.[0] ?? 'no-reply@localhost'}`;
}
