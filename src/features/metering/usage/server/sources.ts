// Who sends events: sources by number, each belonging to the organization whose key sent it, or to the platform.
import { LRUCache } from 'lru-cache';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { required } from '#kernel/assert.ts';
import { mustShare } from './alone.ts';
import { numberSources, sourceNumbers, type OwnedSource } from './store-sources.ts';

const mostKept = 50_000;
const known = new WeakMap<App, LRUCache<string, number>>();
const giving = new WeakSet<Ctx>();
const keyOf = ({ owner, source }: OwnedSource): string => `${owner}\n${source}`;

/** The numbers of sources, new ones included. */
export async function numbersOf(
  ctx: Ctx,
  sources: readonly OwnedSource[],
): Promise<(source: OwnedSource) => number> {
  const cache = known.get(ctx.app) ?? new LRUCache<string, number>({ max: mostKept });
  known.set(ctx.app, cache);
  const numbers = new Map<string, number>();
  const missing = new Map<string, OwnedSource>();
  for (const each of sources) {
    const key = keyOf(each);
    const number = cache.get(key);
    if (number === undefined) missing.set(key, each);
    else numbers.set(key, number);
  }
  if (missing.size > 0) {
    const there = await sourceNumbers(ctx.db, [...missing.values()]);
    for (const one of there) {
      missing.delete(keyOf(one));
      numbers.set(keyOf(one), one.number);
      // A number that this unit of work has given may still be taken back: the next one remembers it.
      if (!giving.has(ctx)) cache.set(keyOf(one), one.number);
    }
  }
  if (missing.size > 0) {
    mustShare(ctx);
    giving.add(ctx);
    for (const one of await numberSources(ctx.db, [...missing.values()])) numbers.set(keyOf(one), one.number);
  }
  return (source) => required(numbers.get(keyOf(source)), 'the number of a source');
}
