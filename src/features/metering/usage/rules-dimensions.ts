// The dimensions of usage: the API key that sent an event, and the properties of its data.
import { byKey } from '#kernel/order.ts';
import type { MeteredEvent } from './rules.ts';
import { deltasOf, type Delta } from './rules-deltas.ts';
import { ownKey, wholeCell, type StreamEvents } from './rules-streams.ts';

/** The dimension of API keys. */
export const keyDimension = 'key';
const propertyPrefix = 'data.';
/** The dimension of a property of events' data. */
export const propertyDimension = (property: string): string => `${propertyPrefix}${property}`;
/**
 * The group of all values beyond the limit. It is not valid JSON, so it never equals a property's value,
 * which is stored as JSON text.
 */
export const otherValue = 'other';

/** The increment of a batch to one hour of one subscription for one value of a dimension. */
export type DimensionDelta = Delta & {
  readonly hour: Date;
  readonly dimension: string;
  readonly value: string;
};

/**
 * The maximum number of values of a property that are counted separately in a month; a property with more
 * (such as request ids) forms no useful groups.
 */
export const maxValues = 200;
/** The maximum number of properties of an event that become dimensions. */
export const maxProperties = 20;
const longestValue = 100;
const longestProperty = 60;

/** Returns the properties of an event that usage can be grouped by, with the JSON text of each value. */
export function dimensionsOf(
  properties: MeteredEvent['properties'],
): (readonly [dimension: string, value: string])[] {
  if (properties === null) return [];
  return Object.entries(properties).flatMap(([property, value]): (readonly [string, string])[] => {
    if (
      property.length > longestProperty ||
      (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    )
      return [];
    const text = JSON.stringify(value);
    // Numbers with an exponent count as `other`: PostgreSQL formats them differently from JavaScript, so the
    // recount after a correction would find a different value.
    return [
      [
        propertyDimension(property),
        text.length > longestValue || (typeof value === 'number' && text.includes('e')) ? otherValue : text,
      ],
    ];
  });
}

/** Events of services' own meters, by subscription. */
const ownStreams = (events: readonly MeteredEvent[]): StreamEvents[] =>
  [...Map.groupBy(events, (event) => event.subscriptionId)].map(([subscriptionId, own]) => ({
    subscriptionId,
    meter: ownKey,
    cell: wholeCell,
    events: own,
  }));

type KeyedEvent = MeteredEvent & { readonly keyId: string | null };
type HourDelta = Delta & { readonly hour: Date };

/**
 * Splits the hourly increments of events by dimension value, in key order. `hours` are the total increments;
 * `carried` returns the values of an event's properties.
 */
export function dimensionDeltas<E extends KeyedEvent>(
  events: readonly E[],
  hours: readonly HourDelta[],
  zoneOf: (subscriptionId: string) => string,
  carried: (event: E) => readonly (readonly [dimension: string, value: string])[],
): DimensionDelta[] {
  // Most batches come from one key, whose hours are then the batch's hours.
  const keyId = events[0]?.keyId ?? null;
  const isOfOneKey = events.every((event) => event.keyId === keyId);
  const groups = new Map<string, { dimension: string; value: string; events: E[] }>();
  const add = (event: E, dimension: string, value: string): void => {
    const key = `${dimension}\n${value}`;
    const group = groups.get(key);
    if (group) group.events.push(event);
    else groups.set(key, { dimension, value, events: [event] });
  };
  for (const event of events) {
    if (!isOfOneKey && event.keyId !== null) add(event, keyDimension, event.keyId);
    for (const [dimension, value] of carried(event)) add(event, dimension, value);
  }
  const under = (hourDeltas: readonly HourDelta[], dimension: string, value: string): DimensionDelta[] =>
    hourDeltas.map((hour) => ({ ...hour, dimension, value }));
  const all = [...groups.values()].flatMap((group) =>
    under(
      group.events.length === events.length ? hours : deltasOf(ownStreams(group.events), zoneOf).hours,
      group.dimension,
      group.value,
    ),
  );
  if (isOfOneKey && keyId !== null) all.push(...under(hours, keyDimension, keyId));
  const orderOf = (each: DimensionDelta): string =>
    `${each.subscriptionId}\n${each.dimension}\n${each.hour.toISOString()}\n${each.value}`;
  return all
    .map((each) => [orderOf(each), each] as const)
    .toSorted(byKey)
    .map(([, each]) => each);
}
