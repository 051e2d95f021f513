// Usage by dimension: counts the values of events' properties separately, per hour.
import { LRUCache } from 'lru-cache';
import { oncePer } from '#kernel/once.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { monthOfTime } from '../rules-deltas.ts';
import {
  dimensionDeltas,
  dimensionsOf,
  maxProperties,
  maxValues,
  otherValue,
  type DimensionDelta,
} from '../rules-dimensions.ts';
import { addDimensionValues, dimensionValues, type DimensionValue } from './store-dimensions.ts';
import type { NumberedEvent } from './store-events.ts';
import type { Deltas } from './store-rollups.ts';

type Known = Map<string, Set<string>>;
const cacheSize = 5000;
const cacheOf = oncePer((_app: App) => new LRUCache<string, Known>({ max: cacheSize }));
const keyOf = (each: { subscriptionId: string; month: string }): string =>
  `${each.subscriptionId} ${each.month}`;

/**
 * Splits the hourly increments of events by dimension; `hours` are the total increments. Values that are new
 * in a month are stored; beyond the limit of values per dimension they count as "other". Two server processes
 * that store values concurrently may exceed the limit by a few.
 */
export async function dimensionsIn(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  hours: Deltas['hours'],
  zoneOf: (subscriptionId: string) => string,
): Promise<DimensionDelta[]> {
  const carrying = events.filter((event) => event.properties !== null);
  if (carrying.length === 0) return dimensionDeltas(events, hours, zoneOf, () => []);
  const monthOf = (event: NumberedEvent): BillingMonth =>
    monthOfTime(event.time, zoneOf(event.subscriptionId));
  const values = await knownValues(
    ctx,
    carrying.map((event) => ({ subscriptionId: event.subscriptionId, month: monthOf(event) })),
  );
  const fresh: DimensionValue[] = [];
  const placed = new Map(
    carrying.map((event) => {
      const month = monthOf(event);
      return [
        event,
        dimensionsOf(event.properties).flatMap(([dimension, value]) => {
          const countedAs = place(values(event.subscriptionId, month), dimension, value, () =>
            fresh.push({ subscriptionId: event.subscriptionId, month, dimension, value }),
          );
          return countedAs === undefined ? [] : [[dimension, countedAs] as const];
        }),
      ] as const;
    }),
  );
  if (fresh.length > 0) {
    await addDimensionValues(ctx, fresh);
    // The transaction may still roll back, so new values are cached only once a later transaction has read
    // them.
    for (const each of fresh) cacheOf(ctx.app).delete(keyOf(each));
  }
  return dimensionDeltas(events, hours, zoneOf, (event) => placed.get(event) ?? []);
}

/** The value under which an event's value is counted; undefined if there are too many dimensions. */
function place(values: Known, dimension: string, value: string, onNew: () => void): string | undefined {
  let knownValues = values.get(dimension);
  if (!knownValues) {
    if (values.size >= maxProperties) return undefined;
    values.set(dimension, (knownValues = new Set()));
  }
  if (value === otherValue || knownValues.has(value)) return value;
  if (knownValues.size >= maxValues) return otherValue;
  knownValues.add(value);
  onNew();
  return value;
}

async function knownValues(
  ctx: Ctx,
  wanted: readonly { subscriptionId: string; month: BillingMonth }[],
): Promise<(subscriptionId: string, month: BillingMonth) => Known> {
  const cache = cacheOf(ctx.app);
  const all = new Map(wanted.map((each) => [keyOf(each), each]));
  const missing = [...all].filter(([key]) => !cache.has(key)).map(([, each]) => each);
  if (missing.length > 0) {
    const found = Map.groupBy(await dimensionValues(ctx, missing), keyOf);
    for (const each of missing)
      cache.set(
        keyOf(each),
        new Map(
          [...Map.groupBy(found.get(keyOf(each)) ?? [], (one) => one.dimension)].map(([dimension, list]) => [
            dimension,
            new Set(list.map((one) => one.value)),
          ]),
        ),
      );
  }
  const copies = new Map<string, Known>();
  return (subscriptionId, month) => {
    const key = keyOf({ subscriptionId, month });
    const existing =
      copies.get(key) ??
      new Map([...(cache.get(key) ?? [])].map(([dimension, values]) => [dimension, new Set(values)]));
    copies.set(key, existing);
    return existing;
  };
}
