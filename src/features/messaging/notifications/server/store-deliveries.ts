// The results of notifications' deliveries, read from the outbox, the only record of what was sent.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { channels, type Channel, type Delivery } from '../contract.ts';
import { deliveryOf, type OutboxState } from '../rules-deliveries.ts';
import { readAheadSeconds } from '../rules-delivery.ts';
import { channelKinds, deliveryKey } from './delivery-keys.ts';

type NotificationChannels = {
  readonly id: string;
  readonly channels: readonly Channel[];
  readonly created_at: Date;
};

/** Returns the deliveries of some notifications, in one statement; a notification may have none. */
export async function deliveriesOf(
  ctx: Ctx,
  notifications: readonly NotificationChannels[],
): Promise<(id: string) => Delivery[]> {
  const wanted = notifications.flatMap(({ id, channels, created_at: createdAt }) =>
    channels.map((channel) => ({ id, channel, createdAt })),
  );
  if (wanted.length === 0) return () => [];
  const { rows } = await sql<
    OutboxState & { id: string; channel: Channel }
  >`select w.id, w.channel, w.created_at as "createdAt", (g.notification_id is not null) as "isDigest", g.due_at as "digestAt", g.mail_key as "mailKey",
      o.id is not null as "isThere", o.sent_at as "sentAt", o.due_at as "dueAt", o.parked_at as "parkedAt", coalesce(o.attempts, 0) as attempts, o.last_error as "lastError"
    from unnest(${wanted.map((each) => each.id)}::text[], ${wanted.map((each) => each.channel)}::text[], ${wanted.map((each) => channelKinds[each.channel])}::text[], ${wanted.map((each) => deliveryKey(each.id, each.channel))}::text[], ${wanted.map((each) => each.createdAt)}::timestamptz[]) as w (id, channel, kind, key, created_at)
      left join notification_digest g on g.notification_id = w.id and w.channel = 'email'
      -- A push is a message to each of several browsers; the one that came furthest says what became of it.
      left join lateral (select * from outbox b where b.kind = w.kind and b.key = coalesce(g.mail_key, w.key)
        union all select * from outbox b where w.channel = 'push' and b.kind = 'push' and b.key ~>=~ (w.key || ' ') and b.key ~<~ (w.key || '!')
        order by sent_at nulls last, parked_at nulls first limit 1) o on true`.execute(ctx.db);
  const found = Map.groupBy(rows, (row) => row.id);
  return (id) => (found.get(id) ?? []).map((row) => deliveryOf(row.channel, row, ctx.now));
}

/**
 * Cancels waiting deliveries, because their reader has read the notification in the console. A delivery that
 * is being sent is not canceled.
 */
export async function withdrawWaiting(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const from = new Date(ctx.now.getTime() + readAheadSeconds * 1000);
  await sql`delete from outbox o where o.sent_at is null and o.parked_at is null and o.attempts = 0 and o.due_at > ${from} and o.kind = any(${Object.values(channelKinds)}::text[])
    and split_part(o.key, ' ', 1) = any(${[...ids]}::text[])`.execute(ctx.db);
}

export type TestState = {
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly parkedAt: Date | null;
  readonly dueAt: Date;
  readonly attempts: number;
  readonly lastError: string | null;
};

/**
 * The state of a user's test in the outbox, or in the inbox if it was sent there; undefined when there is
 * none.
 */
export async function testState(
  ctx: Ctx,
  userId: string,
  testId: string,
  keyOf: (userId: string, testId: string, channel: Channel) => string,
): Promise<TestState | undefined> {
  const pushed = keyOf(userId, testId, 'push');
  const { rows } =
    await sql<TestState>`select created_at as "createdAt", sent_at as "sentAt", parked_at as "parkedAt", due_at as "dueAt", attempts, last_error as "lastError" from outbox
      where kind = any(${Object.values(channelKinds)}::text[]) and key = any(${channels.map((channel) => keyOf(userId, testId, channel))}::text[])
    union all select created_at, sent_at, parked_at, due_at, attempts, last_error from outbox where kind = 'push' and key ~>=~ ${`${pushed} `} and key ~<~ ${`${pushed}!`}
    union all select created_at, created_at, null, created_at, 1, null from notification where user_id = ${userId} and kind = 'system.test' and subject = ${testId}
    order by 2 nulls last, 3 nulls first limit 1`.execute(ctx.db);
  return rows[0];
}
