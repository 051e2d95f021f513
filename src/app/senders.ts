// The senders of outbox messages.
import type { Sender } from '#platform/server/live/outbox.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { pushFeature } from '#features/messaging/push/server/index.ts';
import { smsFeature } from '#features/messaging/sms/server/index.ts';
import { webhooksFeature } from '#features/messaging/webhooks/server/index.ts';
import { features } from './features.ts';

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
