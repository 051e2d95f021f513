// The keys of a notification's deliveries in the outbox.
import { mailKind } from '#platform/server/mail/mail.ts';
import { pushKind } from '#features/messaging/push/server/index.ts';
import { smsKind } from '#features/messaging/sms/server/index.ts';
import type { Channel } from '../contract.ts';

/** The outbox kind of each channel. */
export const channelKinds: Readonly<Record<Channel, string>> = {
  email: mailKind,
  sms: smsKind,
  push: pushKind,
};

/** The outbox key of a notification's delivery by a channel. */
export const deliveryKey = (notificationId: string, channel: Channel): string =>
  `${notificationId} ${channel}`;

/** The notification that a key belongs to; undefined for every other message. */
export const notificationOf = (key: string): string | undefined => /^(ntf_\S+) /.exec(key)?.[1];

const digestWord = 'digest';
/** The outbox key of a reader's daily e-mail; the same text is made in SQL (store-digest.ts). */
export const digestKey = (userId: string, dueAt: Date): string =>
  `${digestWord} ${userId} ${dueAt.toISOString().slice(0, 16)}`;
export const isDigestKey = (key: string): boolean => key.startsWith(`${digestWord} `);
