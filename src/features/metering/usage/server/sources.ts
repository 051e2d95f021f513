// Numbers event sources. A source belongs to the organization whose key sent it, or to the platform ('').
import { LRUCache } from 'lru-cache';
import { oncePer } from '#kernel/once.ts';
import { required } from '#kernel/assert.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { AuthorizedEvent, IncomingEvent } from './incoming-events.ts';
import { numberSources, sourceNumbers, type OwnedSource } from './store-sources.ts';

const largestCache = 50_000;
const cacheOf = oncePer((_app: App) => new LRUCache<string, number>({ max: largestCache }));
/**
 * Transactions that numbered a source; the number is not cached for others, because a rollback would remove
 * it.
 */
const numbering = new WeakSet<Ctx>();
const keyOf = ({ owner, source }: OwnedSource): string => `${owner}\n${source}`;

/** Assigns events the numbers of their sources; a new source is given one. */
export async function numberEventSources(
  ctx: Ctx,
  events: readonly AuthorizedEvent[],
): Promise<IncomingEvent[]> {
  const ownerOf = ({ origin }: AuthorizedEvent): string => origin.organizationId ?? '';
  const numbers = await numbersOf(
    ctx,
    events.map((each) => ({ owner: ownerOf(each), source: each.event.source })),
  );
  return events.map((each, index) => ({
    event: {
      ...each.event,
      sourceId: required(numbers[index], 'the number of a source'),
      keyId: each.origin.keyId,
      storedType: each.storedType,
    },
    owner: ownerOf(each),
    place: each.place,
    rejection: each.rejection,
  }));
}

async function numbersOf(ctx: Ctx, sources: readonly OwnedSource[]): Promise<(number | undefined)[]> {
  const cache = cacheOf(ctx.app);
  const wanted = new Map(sources.map((source) => [keyOf(source), source]));
  const numbers = new Map<string, number>();
  for (const key of wanted.keys()) {
    const number = cache.get(key);
    if (number !== undefined) numbers.set(key, number);
  }
  const missing = (): OwnedSource[] =>
    [...wanted].flatMap(([key, source]) => (numbers.has(key) ? [] : [source]));
  if (missing().length > 0)
    for (const found of await sourceNumbers(ctx.db, missing())) {
      numbers.set(keyOf(found), found.number);
      if (!numbering.has(ctx)) cache.set(keyOf(found), found.number);
    }
  if (missing().length > 0) {
    numbering.add(ctx);
    for (const made of await numberSources(ctx.db, missing())) numbers.set(keyOf(made), made.number);
  }
  return sources.map((source) => numbers.get(keyOf(source)));
}
