// Translates an outbox row into a delivery's state for its reader.
import { dayMs } from '#kernel/durations.ts';
import type { Channel, Delivery } from './contract.ts';

/** The outbox row, and the daily e-mail in which the notification is collected or was sent. */
export type OutboxState = {
  readonly createdAt: Date;
  readonly isThere: boolean;
  readonly sentAt: Date | null;
  readonly dueAt: Date | null;
  readonly parkedAt: Date | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly isDigest: boolean;
  readonly digestAt: Date | null;
  readonly mailKey: string | null;
};

/** How many days the outbox keeps sent messages. */
const rememberedDays = 14;

/** The state of one delivery. */
export function deliveryOf(channel: Channel, row: OutboxState, now: Date): Delivery {
  const delivery = (state: Delivery['state'], at: Date | null, reason: string | null = null): Delivery => ({
    channel,
    state,
    at,
    attempts: row.attempts,
    reason,
    isDigest: row.isDigest,
  });
  if (row.isDigest && row.mailKey === null) return delivery('waiting', row.digestAt);
  if (!row.isThere)
    return delivery(
      now.getTime() - row.createdAt.getTime() > rememberedDays * dayMs ? 'forgotten' : 'withdrawn',
      null,
    );
  if (row.sentAt) return delivery('sent', row.sentAt);
  if (row.parkedAt) return delivery('failed', row.parkedAt, row.lastError);
  return row.lastError === null
    ? delivery('waiting', row.dueAt)
    : delivery('retrying', row.dueAt, row.lastError);
}
