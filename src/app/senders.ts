// What sends the messages of the outbox.
import type { Sender } from '#platform/server/live/outbox.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { pushFeature } from '#features/messaging/push/server/index.ts';
import { smsFeature } from '#features/messaging/sms/server/index.ts';
import { webhooksFeature } from '#features/messaging/webhooks/server/index.ts';
import { features } from './features.ts';

/** The senders of all kinds of messages that features leave. */
export function featureSenders(app: App): Readonly<Record<string, Sender>> {
  const made = features.flatMap(({ senders }) =>
    Object.entries(senders).map(([kind, make]) => [kind, make(app)] as const),
  );
  return Object.fromEntries(made.flatMap(([kind, sender]) => (sender ? [[kind, sender]] : [])));
}

/** Kinds that go to people and programs elsewhere, besides e-mail. */
export const outwardKinds: readonly string[] = [pushFeature, smsFeature, webhooksFeature].flatMap(
  ({ senders }) => Object.keys(senders),
);
