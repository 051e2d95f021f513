// Figures are kept in memory as long as nothing changes that they follow from: they are asked for again whenever a page is opened, and by
// every open page after each burst of events, while most subscriptions and all past months stay as they are.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

/** Figures, and which rows of the database they were made of. */
type Kept<V> = { readonly version: string; readonly figures: V };

type KeptFigures<V> = {
  /** Whether figures of one of some keys are kept, whatever they were made of. */
  readonly isAny: (app: App, keys: Iterable<string>) => boolean;
  /** The figures of a key if they were made of just the rows that `version` names. */
  readonly find: (app: App, key: string, version: string) => V | undefined;
  /** Keeps figures; they must have been made of rows that were read in one moment with their version. */
  readonly keep: (app: App, key: string, version: string, figures: V) => void;
};

// A replica that took over without having seen all commits numbers its rows anew; what might be taken for the same row is forgotten.
const keptForMs = 10 * 60_000;

/**
 * A place for figures of one kind, of all subscriptions together.
 * @param most how many parts are kept, of which figures have `sizeOf`
 */
export function keptFigures<V>(most: number, sizeOf: (figures: V) => number): KeptFigures<V> {
  const caches = new WeakMap<App, LRUCache<string, Kept<V>>>();
  const cacheOf = (app: App): LRUCache<string, Kept<V>> => {
    const known = caches.get(app);
    if (known) return known;
    const made = new LRUCache<string, Kept<V>>({
      maxSize: most,
      ttl: keptForMs,
      sizeCalculation: ({ figures }) => sizeOf(figures),
    });
    caches.set(app, made);
    return made;
  };
  return {
    isAny: (app, keys) => {
      const cache = caches.get(app);
      return cache !== undefined && [...keys].some((key) => cache.has(key));
    },
    find: (app, key, version) => {
      const found = caches.get(app)?.get(key);
      return found?.version === version ? found.figures : undefined;
    },
    keep: (app, key, version, figures) => {
      cacheOf(app).set(key, { version, figures });
    },
  };
}

/** The key of figures that follow from `inputs`, which must be JSON, and from rows of the database alone. */
export const keyOfInputs = (inputs: unknown): string => hash('sha256', JSON.stringify(inputs), 'base64');
