// POST /usage/events: CloudEvents over HTTP, one or a batch.
import { isUtf8 } from 'node:buffer';
import type { Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { RawInput, Reply } from '#platform/server/feature.ts';
import { usageErrors, type usage } from '../contract.ts';
import { eventOfHeaders, isBinaryMode, refusalText } from '../rules.ts';
import type { Via } from './arrivals.ts';
import { takeEvents } from './intake.ts';

const largestBatch = 10_000;

/** JSON is UTF-8: what is not would be read as other letters than were sent. */
function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw refuse(usageErrors, 'usage.malformed');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw refuse(usageErrors, 'usage.malformed');
  }
}

/** The events of a request in whichever content mode: binary has one, structured one, batched any number. */
function eventsOf({ bytes, mediaType, headers }: RawInput): unknown[] {
  if (isBinaryMode(headers, mediaType)) return [eventOfHeaders(headers, bytes.length === 0 ? undefined : parse(bytes))];
  const body = parse(bytes);
  return Array.isArray(body) ? body : [body];
}

/** Records the events of a request body. The answer comes after the commit, so what it counts is durable. */
export async function ingest(ctx: Ctx, _input: object, reply: Reply): Promise<Out<typeof usage.ingest>> {
  if (!reply.raw) throw refuse(usageErrors, 'usage.malformed');
  const batch = eventsOf(reply.raw);
  if (batch.length > largestBatch) throw refuse(usageErrors, 'usage.batch_too_large', { largest: largestBatch });
  const via: Via = ctx.actor.kind === 'apiKey' ? { organizationId: ctx.actor.organizationId, keyId: ctx.actor.keyId } : { organizationId: null, keyId: null };
  const results = await takeEvents(ctx.world, batch, via);
  let accepted = 0;
  let duplicates = 0;
  const rejected: Out<typeof usage.ingest>['rejected'] = [];
  for (const [index, result] of results.entries()) {
    if (result.outcome === 'accepted') accepted++;
    else if (result.outcome === 'duplicate') duplicates++;
    else rejected.push({ index, id: result.id, code: result.code, message: refusalText(ctx.text, result.code, result.params) });
  }
  return { accepted, duplicates, rejected };
}
