// The senders of outbox messages.
import type { Sender } from '#platform/server/live/outbox.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { mailKind } from '#platform/server/mail/mail.ts';
import { senderForReaders } from '#features/messaging/notifications/server/index.ts';
import { pushFeature } from '#features/messaging/push/server/index.ts';
import { smsFeature } from '#features/messaging/sms/server/index.ts';
import { webhooksFeature } from '#features/messaging/webhooks/server/index.ts';
import { features } from './features.ts';

const readersKinds: readonly string[] = [
  mailKind,
  ...[pushFeature, smsFeature].flatMap(({ senders }) => Object.keys(senders)),
];

/** Makes the senders of messages to people check whether their reader may still read them. */
export const sendersForReaders = (
  app: App,
  senders: Readonly<Record<string, Sender>>,
): Readonly<Record<string, Sender>> =>
  Object.fromEntries(
    Object.entries(senders).map(([kind, sender]) => [
      kind,
      readersKinds.includes(kind) ? senderForReaders(app, sender) : sender,
    ]),
  );

/** The senders for all kinds of messages that features store. */
export function featureSenders(app: App): Readonly<Record<string, Sender>> {
  const made = features.flatMap(({ senders }) =>
    Object.entries(senders).map(([kind, make]) => [kind, make(app)] as const),
  );
  return Object.fromEntries(made.flatMap(([kind, sender]) => (sender ? [[kind, sender]] : [])));
}

/** Kinds that leave the console, besides e-mail: to people's devices and to programs. */
export const outwardKinds: readonly string[] = [pushFeature, smsFeature, webhooksFeature].flatMap(
  ({ senders }) => Object.keys(senders),
);
