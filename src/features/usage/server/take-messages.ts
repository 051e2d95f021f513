// Metering over MQTT: messages become usage as the bodies of POST /usage/events do.
import { isUtf8 } from 'node:buffer';
import type { Language } from '#kernel/language.ts';
import { interpolate, type TextParams } from '#kernel/text.ts';
import type { World } from '#platform/server/ctx.ts';
import type { KeyActor } from '#features/identity/server/index.ts';
import type { Ingested } from '../contract.ts';
import { refusalText } from '../rules.ts';
import type { ItemResult } from './arrivals.ts';
import { takeEvents } from './intake.ts';

const largestBatch = 10_000;

/** A message that nothing can be taken of. */
type Unreadable = { readonly code: 'usage.malformed' | 'usage.batch_too_large'; readonly params: TextParams };

/** The events of one message: a structured CloudEvent, or a JSON array of them. */
function eventsOf(payload: Buffer): readonly unknown[] | Unreadable {
  try {
    if (!isUtf8(payload)) return { code: 'usage.malformed', params: {} };
    const read: unknown = JSON.parse(payload.toString('utf8'));
    if (!Array.isArray(read)) return [read];
    return read.length > largestBatch ? { code: 'usage.batch_too_large', params: { largest: largestBatch } } : read;
  } catch {
    return { code: 'usage.malformed', params: {} };
  }
}

/**
 * Records messages in their order and answers each; durable once it resolves. A message that cannot be read is answered too:
 * sent again it would be no better.
 */
export async function takeMessages(world: World, actor: KeyActor, payloads: readonly Buffer[], language: Language): Promise<Ingested[]> {
  const messages = payloads.map(eventsOf);
  const events = messages.flatMap((message) => ('code' in message ? [] : message));
  const results = events.length === 0 ? [] : await takeEvents(world, events, { organizationId: actor.organizationId, keyId: actor.keyId });
  const say = (key: string, params?: TextParams): string => interpolate(world.texts[language][key] ?? key, params);
  let at = 0;
  return messages.map((message) => {
    if ('code' in message) return { accepted: 0, duplicates: 0, rejected: [{ index: 0, id: null, code: message.code, message: say(message.code, message.params) }] };
    return answerOf(results.slice(at, (at += message.length)), say);
  });
}

/** What became of one message's events. */
function answerOf(results: readonly ItemResult[], say: (key: string, params?: TextParams) => string): Ingested {
  const rejected = results.flatMap((result, index) => (result.outcome === 'rejected' ? [{ index, id: result.id, code: result.code, message: refusalText(say, result.code, result.params) }] : []));
  const count = (outcome: ItemResult['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { accepted: count('accepted'), duplicates: count('duplicate'), rejected };
}
