// Metering over MQTT: messages are recorded like the bodies of POST /usage/events.
import type { Language } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { KeyActor } from '#features/access/identity/server/index.ts';
import type { Ingested } from '../contract.ts';
import { ingestEvents } from './ingest-events.ts';
import { answerOf, readBatch } from './payload.ts';

/** The response to a message whose key may not send (or no longer may). */
export function rejectedMessage(app: App, language: Language): Ingested {
  const code = 'usage.key_not_in_force';
  return {
    accepted: 0,
    duplicates: 0,
    rejected: [{ index: 0, id: null, code, message: app.translate(language, code) }],
  };
}

/**
 * Records messages in order and responds to each; they are durable once it resolves. An unreadable message
 * also gets a response, because sending it again would not help.
 */
export async function takeMessages(
  app: App,
  actor: KeyActor,
  payloads: readonly Buffer[],
  language: Language,
): Promise<Ingested[]> {
  const messages = payloads.map(readBatch);
  const events = messages.flatMap((message) => ('code' in message ? [] : message));
  const results =
    events.length === 0
      ? []
      : await ingestEvents(app, events, { organizationId: actor.organizationId, keyId: actor.keyId });
  const translate = (key: string, params?: TextParams): string => app.translate(language, key, params);
  let at = 0;
  return messages.map((message) => {
    if ('code' in message)
      return {
        accepted: 0,
        duplicates: 0,
        rejected: [
          { index: 0, id: null, code: message.code, message: translate(message.code, message.params) },
        ],
      };
    return answerOf(results.slice(at, (at += message.length)), translate);
  });
}
