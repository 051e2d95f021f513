// Caches database reads that many requests need at the same moment: batched into one statement, and reused
// for a tenth of a second.
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { oncePer } from '#kernel/once.ts';
import type { App } from '../unit-of-work/ctx.ts';

// In milliseconds: the longest time until a change made by another console is seen.
const ttl = 100;
const max = 1000;

const epochs = new WeakMap<App, object>();

function epochOf(app: App): object {
  const epoch = epochs.get(app) ?? {};
  epochs.set(app, epoch);
  return epoch;
}

/** Clears all cached reads of this process; called when a unit of work ends, before its caller gets the response. */
export function invalidateCachedReads(app: App): void {
  epochs.delete(app);
}

/**
 * Keeps one cache per interval between two changes. A read that began before a change stores its result in
 * the old interval's cache, which is no longer used; so once a change is acknowledged, the next request sees
 * it.
 */
function untilChange<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<object, T>();
  return (app) => {
    const epoch = epochOf(app);
    const value = made.get(epoch) ?? make(app);
    made.set(epoch, value);
    return value;
  };
}

/** A cache for values that a transaction reads itself. */
export const ttlCache = <V extends NonNullable<unknown>>(): ((app: App) => LRUCache<string, V>) =>
  untilChange(() => new LRUCache<string, V>({ max, ttl }));

/**
 * A cache for values that may be five seconds stale: changes do not clear it, so it stays effective on a
 * busy console.
 */
export const secondsCache = <V extends NonNullable<unknown>>(): ((app: App) => LRUCache<string, V>) =>
  oncePer(() => new LRUCache<string, V>({ max, ttl: 5000 }));

/** A loader with cached results; `load` returns the value of each key at the key's own position. */
export const cachedReads = <V>(
  load: (app: App, keys: readonly string[]) => Promise<readonly V[]>,
): ((app: App) => DataLoader<string, V>) =>
  untilChange(
    (app) =>
      new DataLoader((keys: readonly string[]) => load(app, keys), {
        cacheMap: new LRUCache<string, Promise<V>>({ max, ttl }),
        batchScheduleFn: waitForBatch,
      }),
  );

/**
 * A loader that batches concurrent reads into one statement without caching: reads requested after the
 * statement began are read anew.
 */
export const batchedReads = <V>(
  load: (app: App, keys: readonly string[]) => Promise<readonly V[]>,
): ((app: App) => DataLoader<string, V>) =>
  oncePer((app) => {
    const loader: DataLoader<string, V> = new DataLoader(
      (keys: readonly string[]) => {
        loader.clearAll();
        return load(app, keys);
      },
      { batchScheduleFn: waitForBatch },
    );
    return loader;
  });

/** Runs `dispatch` after all sockets that are ready have been read, so that their requests form one batch. */
export function waitForBatch(dispatch: () => void): void {
  setImmediate(dispatch);
}
