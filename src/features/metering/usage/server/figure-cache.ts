// A cache of computed figures, each valid until something it depends on changes. Figures are requested
// whenever a page is opened, and by every open page after each burst of events, while most subscriptions and
// all past months stay unchanged.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { oncePer } from '#kernel/once.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

/** Figures with the version of the database rows they were computed from. */
type Versioned<V> = { readonly version: string; readonly figures: V };

type FigureCache<V> = {
  /** Whether figures are cached for any of some keys, whatever their version. */
  readonly hasAny: (app: App, keys: Iterable<string>) => boolean;
  /** Returns the figures of a key if they were computed from exactly the rows that `version` identifies. */
  readonly get: (app: App, key: string, version: string) => V | undefined;
  /** Caches figures; they must have been computed from rows read in the same snapshot as their version. */
  readonly set: (app: App, key: string, version: string, figures: V) => void;
};

// A replica promoted without all commits reuses row versions; entries expire so that such a row is not
// mistaken for a cached one.
const ttlMs = 10 * 60_000;

/**
 * Creates a cache for figures of one kind, shared by all subscriptions.
 * @param most the capacity, in units of `sizeOf`
 */
export function figureCache<V>(most: number, sizeOf: (figures: V) => number): FigureCache<V> {
  const cacheOf = oncePer(
    (_app: App) =>
      new LRUCache<string, Versioned<V>>({
        maxSize: most,
        ttl: ttlMs,
        sizeCalculation: ({ figures }) => sizeOf(figures),
      }),
  );
  return {
    hasAny: (app, keys) => {
      const cache = cacheOf(app);
      return [...keys].some((key) => cache.has(key));
    },
    get: (app, key, version) => {
      const found = cacheOf(app).get(key);
      return found?.version === version ? found.figures : undefined;
    },
    set: (app, key, version, figures) => {
      cacheOf(app).set(key, { version, figures });
    },
  };
}

/**
 * Returns the cache key of figures that depend only on `inputs`, which must be JSON, and on database rows.
 */
export const keyOfInputs = (inputs: unknown): string => hash('sha256', JSON.stringify(inputs), 'base64');
