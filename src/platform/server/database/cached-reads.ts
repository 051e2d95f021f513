// Answers of the database that many requests need within the same moment: asked for in one statement, and used again for a tenth of a second.
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { App } from '../unit-of-work/ctx.ts';

// What another console changes is seen after this time at the latest.
const ttl = 100;
const max = 1000;

const epochs = new WeakMap<App, object>();

function epochOf(app: App): object {
  const epoch = epochs.get(app) ?? {};
  epochs.set(app, epoch);
  return epoch;
}

/** Forgets all cached reads of this process; called when a unit of work ends, before its caller is answered. */
export function invalidateCachedReads(app: App): void {
  epochs.delete(app);
}

/**
 * Makes one object for each time between two changes. A read that began before a change stores its answer in the object of that time,
 * which nothing uses any more, so a change that was answered holds for the next request.
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

/** A cache for answers that may be some seconds old: no change clears it, so it costs a busy console nothing. */
export function secondsCache<V extends NonNullable<unknown>>(
  seconds: number,
): (app: App) => LRUCache<string, V> {
  const caches = new WeakMap<App, LRUCache<string, V>>();
  return (app) => {
    const cache = caches.get(app) ?? new LRUCache<string, V>({ max, ttl: seconds * 1000 });
    caches.set(app, cache);
    return cache;
  };
}

/** A loader whose answers are cached; `load` answers each key at its own place. */
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
 * A loader that reads in one statement what is asked for within the same moment, and keeps nothing: what is asked for
 * after the statement began is read anew.
 */
export function batchedReads<V>(
  load: (app: App, keys: readonly string[]) => Promise<readonly V[]>,
): (app: App) => DataLoader<string, V> {
  const loaders = new WeakMap<App, DataLoader<string, V>>();
  return (app) => {
    const known = loaders.get(app);
    if (known) return known;
    const loader: DataLoader<string, V> = new DataLoader(
      (keys: readonly string[]) => {
        loader.clearAll();
        return load(app, keys);
      },
      { batchScheduleFn: waitForBatch },
    );
    loaders.set(app, loader);
    return loader;
  };
}

/** Runs `dispatch` after the sockets that are ready have been read, so that their requests are one batch. */
export function waitForBatch(dispatch: () => void): void {
  setImmediate(dispatch);
}
