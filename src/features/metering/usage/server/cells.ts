// Limits how many combinations of dimension values a meter counts separately in a month; an event that would
// exceed the limit is rejected.
import { LRUCache } from 'lru-cache';
import { oncePer } from '#kernel/once.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { monthOfTime } from '../rules-deltas.ts';
import { cellOf, countingMeters, type StreamMeter } from '../rules-streams.ts';
import type { AuthorizedEvent } from './incoming-events.ts';
import { targetOf, targetsAt, type Targets } from './rating-context.ts';
import { cellsOfMonths, type MeterMonth } from './store-cells.ts';

/** The maximum number of combinations of dimension values per meter in a subscription's month. */
export const maxCells = 1000;

const cacheSize = 2000;
const cacheOf = oncePer((_app: App) => new LRUCache<string, ReadonlySet<string>>({ max: cacheSize }));
const keyOf = ({ subscriptionId, meter, month }: MeterMonth): string =>
  `${subscriptionId}\n${meter}\n${month}`;

type Place = MeterMonth & { readonly of: StreamMeter; readonly cell: string };

/**
 * Marks events that would exceed {@link maxCells} as rejected. The combinations of a month are read once and
 * cached; two server processes that add new ones concurrently may exceed the limit by a few.
 */
export async function boundCells(
  ctx: Ctx,
  events: readonly AuthorizedEvent[],
  targets: Targets,
): Promise<readonly AuthorizedEvent[]> {
  if ([...targets.values()].every(({ meters }) => meters.every(({ dimensions }) => dimensions.length === 0)))
    return events;
  const placed = events.map((each) => ({ each, places: each.rejection ? [] : placesOf(each, targets) }));
  const cellsOf = await knownCells(
    ctx,
    placed.flatMap(({ places }) => places),
  );
  return placed.map(({ each, places }) => {
    const fresh = places.filter((place) => !cellsOf(place).has(place.cell));
    const full = fresh.find((place) => cellsOf(place).size >= maxCells);
    if (full)
      return {
        ...each,
        rejection: {
          code: 'usage.too_many_values',
          id: each.event.id,
          params: { meter: full.meter, most: maxCells, dimensions: full.of.dimensions.join(', ') },
        },
      };
    for (const place of fresh) {
      cellsOf(place).add(place.cell);
      // The transaction may still roll back, so new cells are cached only once a later transaction has read
      // them.
      cacheOf(ctx.app).delete(keyOf(place));
    }
    return each;
  });
}

function placesOf({ event }: AuthorizedEvent, targets: Targets): Place[] {
  return targetsAt(targetOf(targets, event), event.time).flatMap(({ meters, subscription }) =>
    countingMeters(meters, event).flatMap((of): Place[] =>
      of.dimensions.length === 0
        ? []
        : [
            {
              subscriptionId: subscription.id,
              meter: of.key,
              month: monthOfTime(event.time, subscription.timeZone),
              of,
              cell: cellOf(of, event.properties),
            },
          ],
    ),
  );
}

/** Returns the cells of some months as sets that the caller may add to. */
async function knownCells(ctx: Ctx, wanted: readonly MeterMonth[]): Promise<(of: MeterMonth) => Set<string>> {
  const cache = cacheOf(ctx.app);
  const all = new Map(wanted.map((each) => [keyOf(each), each]));
  const missing = [...all].filter(([key]) => !cache.has(key)).map(([, each]) => each);
  if (missing.length > 0) {
    const found = Map.groupBy(await cellsOfMonths(ctx, missing), keyOf);
    for (const each of missing)
      cache.set(keyOf(each), new Set((found.get(keyOf(each)) ?? []).map(({ cell }) => cell)));
  }
  const copies = new Map<string, Set<string>>();
  return (of) => {
    const key = keyOf(of);
    const copy = copies.get(key) ?? new Set(cache.get(key));
    copies.set(key, copy);
    return copy;
  };
}
