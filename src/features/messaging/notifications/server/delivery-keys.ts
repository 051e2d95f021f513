// Where the outbox keeps a notification's ways out.
import { mailKind } from '#platform/server/mail/mail.ts';
import { pushKind } from '#features/messaging/push/server/index.ts';
import { smsKind } from '#features/messaging/sms/server/index.ts';
import type { Channel } from '../contract.ts';

/** The outbox's kind of each way. */
export const channelKinds: Readonly<Record<Channel, string>> = {
  email: mailKind,
  sms: smsKind,
  push: pushKind,
};

/** What the outbox knows a notification's way out by. */
export const deliveryKey = (notificationId: string, channel: Channel): string =>
  `${notificationId} ${channel}`;
