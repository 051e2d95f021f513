// What usage is told apart by: the API key that brought it, and the properties that events carry.
import { deltasOf, type Delta, type MeteredEvent } from './rules.ts';

/** The dimension of API keys. */
export const keyDimension = 'key';
const propertyPrefix = 'data.';
/** The dimension of a property of events' data. */
export const propertyDimension = (property: string): string => `${propertyPrefix}${property}`;
/** Stands for all values beyond the most that are kept apart; no JSON text, so no value is called that. */
export const otherValue = 'other';

/** What a batch adds to one hour of one subscription under one value of a dimension. */
export type DimensionDelta = Delta & {
  readonly hour: Date;
  readonly dimension: string;
  readonly value: string;
};

/** More different values of a property in a month are counted together: they are names of single things, not groups. */
export const mostValues = 200;
/** More properties than these are not told apart. */
export const mostProperties = 20;
const longestValue = 100;
const longestProperty = 60;

/** The properties of an event that usage can be grouped by, with the JSON text of each value. */
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
    // A number with an exponent is written in another way by the database, which counts anew when something is corrected.
    return [
      [
        propertyDimension(property),
        text.length > longestValue || (typeof value === 'number' && text.includes('e')) ? otherValue : text,
      ],
    ];
  });
}

type Brought = MeteredEvent & { readonly keyId: string | null };
type HourDelta = Delta & { readonly hour: Date };

/**
 * What events add to hours under each value that they carry, in key order; `hours` is what they add altogether, `carried` answers the
 * values of an event's properties.
 */
export function dimensionDeltas<E extends Brought>(
  events: readonly E[],
  hours: readonly HourDelta[],
  zoneOf: (subscriptionId: string) => string,
  carried: (event: E) => readonly (readonly [dimension: string, value: string])[],
): DimensionDelta[] {
  // A batch mostly comes by one key: its hours are the batch's.
  const keyId = events[0]?.keyId ?? null;
  const isOfOneKey = events.every((event) => event.keyId === keyId);
  const groups = new Map<string, { dimension: string; value: string; events: E[] }>();
  const add = (event: E, dimension: string, value: string): void => {
    const key = `${dimension}\n${value}`;
    const there = groups.get(key);
    if (there) there.events.push(event);
    else groups.set(key, { dimension, value, events: [event] });
  };
  for (const event of events) {
    if (!isOfOneKey && event.keyId !== null) add(event, keyDimension, event.keyId);
    for (const [dimension, value] of carried(event)) add(event, dimension, value);
  }
  const under = (some: readonly HourDelta[], dimension: string, value: string): DimensionDelta[] =>
    some.map((hour) => ({ ...hour, dimension, value }));
  const all = [...groups.values()].flatMap((group) =>
    under(
      group.events.length === events.length ? hours : deltasOf(group.events, zoneOf).hours,
      group.dimension,
      group.value,
    ),
  );
  if (isOfOneKey && keyId !== null) all.push(...under(hours, keyDimension, keyId));
  const orderOf = (each: DimensionDelta): string =>
    `${each.subscriptionId}\n${each.dimension}\n${each.hour.toISOString()}\n${each.value}`;
  return all
    .map((each) => [orderOf(each), each] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}
