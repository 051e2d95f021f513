// Metering over MQTT: messages become usage as the bodies of POST /usage/events do.
import type { Language } from '#kernel/language.ts';
import type { Ctx, World } from '#platform/server/ctx.ts';
import { work } from '#platform/server/work.ts';
import type { KeyActor } from '#features/identity/server/index.ts';
import type { Ingested } from '../contract.ts';
import { readEvent, type EventRefusal } from '../rules.ts';
import { recordUsage, type ItemResult } from './record-usage.ts';

const largestBatch = 10_000;

/** The events of one message: a structured CloudEvent, or a JSON array of them. */
function eventsOf(payload: Buffer): readonly unknown[] | EventRefusal {
  try {
    const read: unknown = JSON.parse(payload.toString('utf8'));
    if (!Array.isArray(read)) return [read];
    return read.length > largestBatch ? { code: 'usage.batch_too_large', id: null } : read;
  } catch {
    return { code: 'usage.malformed', id: null };
  }
}

/**
 * Records messages in their order, in one unit of work, and answers each; durable once it resolves. A message that cannot be
 * read is answered too: sent again it would be no better.
 */
export async function takeMessages(world: World, actor: KeyActor, payloads: readonly Buffer[], language: Language): Promise<Ingested[]> {
  const messages = payloads.map(eventsOf);
  return work(world, { actor, language }, async (ctx) => {
    const read = messages.flatMap((events) => ('code' in events ? [events] : events.map((raw) => readEvent(raw, ctx.now))));
    const results = await recordUsage(ctx, read, actor.organizationId);
    let at = 0;
    return messages.map((events) => {
      const count = 'code' in events ? 1 : events.length;
      return answerOf(ctx, results.slice(at, (at += count)));
    });
  });
}

/** What became of one message's events. */
function answerOf(ctx: Ctx, results: readonly ItemResult[]): Ingested {
  const rejected = results.flatMap((result, index) => (result.outcome === 'rejected' ? [{ index, id: result.id, code: result.code, message: ctx.text(result.code) }] : []));
  const count = (outcome: ItemResult['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { accepted: count('accepted'), duplicates: count('duplicate'), rejected };
}
