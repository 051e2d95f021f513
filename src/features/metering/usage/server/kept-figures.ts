// What charges came to by day is kept in memory as long as nothing changes that it follows from: it is asked for again whenever a
// page is opened, and by every open page after each burst of events, while most subscriptions and all past months stay as they are.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { ChargeSeries } from './charge-days.ts';

/** Figures, and which rows of the database they were made of. */
type Kept = { readonly version: string; readonly series: readonly ChargeSeries[] };

/** How many figures are kept, of all subscriptions together: about 20 MB. */
const mostFigures = 100_000;
// Row versions are numbered anew by a replica that took over without having seen all commits; what might be taken for the same row is forgotten.
const keptForMs = 10 * 60_000;
const kept = new WeakMap<App, LRUCache<string, Kept>>();

const figuresIn = (series: readonly ChargeSeries[]): number =>
  series.reduce(
    (sum, { costs, groups }) => sum + costs.length * (3 + 2 * groups.length),
    // The texts of keys and versions.
    10,
  );

function keptOf(app: App): LRUCache<string, Kept> {
  const known = kept.get(app);
  if (known) return known;
  const made = new LRUCache<string, Kept>({
    maxSize: mostFigures,
    ttl: keptForMs,
    sizeCalculation: ({ series }) => figuresIn(series),
  });
  kept.set(app, made);
  return made;
}

/** The key of figures that follow from `inputs`, which must be JSON, and from rows of the database alone. */
export const seriesKey = (inputs: unknown): string => hash('sha256', JSON.stringify(inputs), 'base64');

/** Whether figures of one of some keys are kept, whatever they were made of. */
export const isAnyKept = (app: App, keys: Iterable<string>): boolean => {
  const cache = kept.get(app);
  return cache !== undefined && [...keys].some((key) => cache.has(key));
};

/** The figures of a key if they were made of just these rows. */
export function keptSeries(app: App, key: string, version: string): readonly ChargeSeries[] | undefined {
  const found = kept.get(app)?.get(key);
  return found?.version === version ? found.series : undefined;
}

/** Keeps figures that were made of rows which were read in one moment with their version. */
export function keepSeries(
  app: App,
  key: string,
  version: string,
  series: readonly ChargeSeries[],
): readonly ChargeSeries[] {
  keptOf(app).set(key, { version, series });
  return series;
}
