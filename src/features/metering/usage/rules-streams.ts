// Streams: the usage of one meter on one subscription, separate for each combination of dimension values. An
// event belongs to every stream whose meter counts it.
import { oncePer } from '#kernel/once.ts';
import type { Meter as OwnMeter } from '#features/selling/catalogue/contract.ts';
import type { Meter, MeterAggregation } from '#features/selling/meters/contract.ts';
import type { EventRejection, MeteredEvent } from './rules.ts';
import { propertyOf, textOf, unmetProperty } from './rules-filters.ts';
import { allKey, ownKey, wholeCell } from './rules-stream-keys.ts';

export { propertyOf } from './rules-filters.ts';
export { allKey, ownKey, wholeCell } from './rules-stream-keys.ts';

/** A meter as metering uses it. `key` names it in rollups: '' is the service's own meter. */
export type StreamMeter = {
  readonly key: string;
  /** The key by which charges name the meter; undefined for a service's own meter that no charge names. */
  readonly chargedAs?: string;
  readonly eventType: string;
  readonly aggregation: MeterAggregation;
  readonly property?: string | undefined;
  readonly p?: number | undefined;
  readonly sampleMinutes?: number | undefined;
  readonly unit: string;
  readonly dimensions: readonly string[];
  readonly filter?: Meter['filter'];
  readonly dataSchema?: Meter['dataSchema'];
};

/** The usage of one meter on one subscription with the same dimension values. */
export type Stream = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly cell: string;
};
export type StreamEvents<E extends MeteredEvent = MeteredEvent> = Stream & { readonly events: readonly E[] };

/** The meter of a service with a single price. */
export const ownMeter = (meter: OwnMeter): StreamMeter => ({ ...meter, key: ownKey, dimensions: [] });

/** Whether a meter measures the same as a service's own meter; both are then one stream. */
export const isOwnMeter = (own: OwnMeter, meter: StreamMeter): boolean =>
  own.eventType === meter.eventType &&
  own.aggregation === meter.aggregation &&
  own.property === meter.property &&
  own.unit === meter.unit &&
  meter.dimensions.length === 0 &&
  meter.filter === undefined;

/**
 * Returns the meter that a charge names by its key: one by which the service counts, or one of `named`, which
 * starts to count when a price that names it is published. The service's own meter has always counted,
 * whatever its key.
 */
export function chargedMeter(
  key: string,
  own: OwnMeter,
  meters: readonly StreamMeter[],
  named: ReadonlyMap<string, StreamMeter>,
): StreamMeter | undefined {
  const counting = meters.find(({ chargedAs }) => chargedAs === key);
  if (counting) return counting;
  const meter = named.get(key);
  const ownStream = meters.find((each) => each.key === ownKey);
  return meter && ownStream && isOwnMeter(own, meter) ? ownStream : meter;
}

type Properties = MeteredEvent['properties'];

/** Returns the JSON texts of all values with this text: `5` is the text of a number and of a string. */
export function jsonOfText(text: string): string[] {
  const number = Number(text);
  const isSame = text === 'true' || text === 'false' || (Number.isFinite(number) && String(number) === text);
  return [JSON.stringify(text), ...(isSame ? [text] : [])];
}

/** The first property because of which a meter's filter excludes an event; undefined if the event counts. */
export const unmetFilter = ({ filter }: StreamMeter, properties: Properties): string | undefined =>
  unmetProperty(filter, properties);

/** The meters that count an event. */
export const countingMeters = (
  meters: readonly StreamMeter[],
  { type, properties }: Pick<MeteredEvent, 'type' | 'properties'>,
): readonly StreamMeter[] =>
  meters.filter((meter) => meter.eventType === type && unmetFilter(meter, properties) === undefined);

/** The maximum length of a dimension value, in characters. */
export const longestDimension = 100;

/** Why the values of a meter's dimensions cannot be counted separately; undefined if they can. */
export function dimensionRejection(
  { dimensions }: StreamMeter,
  { id, properties }: Pick<MeteredEvent, 'id' | 'properties'>,
): EventRejection | undefined {
  for (const property of dimensions) {
    const text = textOf(propertyOf(properties, property));
    if (text === undefined || (text !== null && text.length > longestDimension))
      return { code: 'usage.dimension_value', id, params: { property, most: longestDimension } };
  }
  return undefined;
}

/** The cell of an event: the values of a meter's dimensions joined into one text. */
export const cellOf = ({ dimensions }: StreamMeter, properties: Properties): string =>
  dimensions.length === 0
    ? wholeCell
    : JSON.stringify(dimensions.map((name) => textOf(propertyOf(properties, name)) ?? null));

// A meter's cells are the same in every month and subscription, so each is parsed once while the meter is in
// use.
const readCellsOf = oncePer(
  (_dimensions: readonly string[]) => new Map<string, Readonly<Record<string, string>>>(),
);

/**
 * Returns the values of a cell by dimension, leaving out missing ones. Throws if the text is not a cell of
 * the meter.
 */
export function dimensionsOfCell(
  { dimensions }: Pick<StreamMeter, 'dimensions'>,
  cell: string,
): Readonly<Record<string, string>> {
  const known = readCellsOf(dimensions);
  const values = known.get(cell) ?? readCell(dimensions, cell);
  known.set(cell, values);
  return values;
}

function readCell(dimensions: readonly string[], cell: string): Readonly<Record<string, string>> {
  if (cell === wholeCell) return {};
  const values: unknown = JSON.parse(cell);
  if (!Array.isArray(values) || values.length !== dimensions.length)
    throw new RangeError(`${cell} has not one value for each of ${dimensions.join(', ')}`);
  return Object.fromEntries(
    dimensions.flatMap((name, place) => {
      const value: unknown = values[place];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}

/** Whether a subscription has only its service's own meter, as most do. */
export const hasOwnMeterOnly = (meters: readonly StreamMeter[]): boolean =>
  meters.length === 1 && meters[0]?.key === ownKey;

/** The type stored with an event: null for the own meter's type, which is implied. */
export const storedType = (meters: readonly StreamMeter[], type: string): string | null =>
  meters.some((meter) => meter.key === ownKey && meter.eventType === type) ? null : type;

/** Groups authorized events into streams; each stream keeps the order of its events. */
export function streamsOf<E extends MeteredEvent>(
  events: readonly E[],
  metersOf: (subscriptionId: string) => readonly StreamMeter[],
): StreamEvents<E>[] {
  return [...Map.groupBy(events, (event) => event.subscriptionId)].flatMap(([subscriptionId, own]) => {
    const meters = metersOf(subscriptionId);
    // Events of other types are counted by add-ons only.
    if (hasOwnMeterOnly(meters) && own.every(({ type }) => type === meters[0]?.eventType))
      return [{ subscriptionId, meter: ownKey, cell: wholeCell, events: own }];
    const streams = new Map<string, StreamEvents<E> & { events: E[] }>();
    const add = (meter: string, cell: string, event: E): void => {
      const key = `${meter}\n${cell}`;
      const stream = streams.get(key);
      if (stream) stream.events.push(event);
      else streams.set(key, { subscriptionId, meter, cell, events: [event] });
    };
    for (const event of own) {
      for (const meter of countingMeters(meters, event))
        add(meter.key, cellOf(meter, event.properties), event);
      if (storedType(meters, event.type) !== null) add(allKey, wholeCell, event);
    }
    return [...streams.values()];
  });
}
