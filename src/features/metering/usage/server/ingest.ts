// POST /usage/events: CloudEvents over HTTP, one or a batch.
import type { Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RawInput, Reply } from '#platform/server/unit-of-work/feature.ts';
import { ownTurn } from '#platform/server/jobs/own-turn.ts';
import { usageErrors, type usage } from '../contract.ts';
import { eventOfHeaders, isBinaryMode } from '../rules.ts';
import type { Via } from './arrivals.ts';
import { takeEvents } from './intake.ts';
import { answerOf, readBatch, readJson, type Unreadable } from './payload.ts';

/** Reading so many bytes is a step of its own. */
const longBody = 32 * 1024;

/** The events of a request in whichever content mode: binary has one, structured one, batched any number. */
function eventsOf({ bytes, mediaType, headers }: RawInput): readonly unknown[] | Unreadable {
  if (!isBinaryMode(headers, mediaType)) return readBatch(bytes);
  if (bytes.length === 0) return [eventOfHeaders(headers, undefined)];
  const body = readJson(bytes);
  return 'code' in body ? body : [eventOfHeaders(headers, body.value)];
}

/** Records the events of a request body. The answer comes after the commit, so what it counts is durable. */
export async function ingest(ctx: Ctx, _input: object, reply: Reply): Promise<Out<typeof usage.ingest>> {
  if (!reply.raw) throw domainError(usageErrors, 'usage.malformed');
  if (reply.raw.bytes.length >= longBody) await ownTurn();
  const batch = eventsOf(reply.raw);
  if ('code' in batch) throw domainError(usageErrors, batch.code, batch.params);
  const via: Via =
    ctx.actor.kind === 'apiKey'
      ? { organizationId: ctx.actor.organizationId, keyId: ctx.actor.keyId }
      : { organizationId: null, keyId: null };
  return answerOf(await takeEvents(ctx.app, batch, via), ctx.text);
}
