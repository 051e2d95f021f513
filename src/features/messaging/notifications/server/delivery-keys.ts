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
