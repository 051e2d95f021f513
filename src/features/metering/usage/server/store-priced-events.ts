// SQL of the events that percentage charges price one by one, or by hour where that is enough.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeteredEvent } from '../rules.ts';
import { partColumns, type StreamPart } from './store-charge-usage.ts';

/** The events of an hour that begins in a part; `min` is null if it was not recorded. */
export type HourOfEvents = {
  readonly key: string;
  readonly hour: Date;
  readonly count: bigint;
  readonly sum: string;
  readonly min: string | null;
  readonly max: string;
};

/** Returns the hours of parts that have events, in order. */
export async function hoursOfParts(ctx: Ctx, parts: readonly StreamPart[]): Promise<HourOfEvents[]> {
  if (parts.length === 0) return [];
  const { rows } =
    await sql<HourOfEvents>`select p.key, h.hour, sum(h.event_count)::bigint as count, sum(h.sum) as sum, case when bool_and(h.min is not null) then min(h.min) end as min, max(h.max) as max
    from unnest(${partColumns(parts)}) as p (key, subscription_id, meter, from_at, to_at)
    join usage_hour h on h.subscription_id = p.subscription_id and h.meter = p.meter and h.hour >= p.from_at and h.hour < p.to_at and h.event_count > 0
    group by 1, 2 order by 2`.execute(ctx.db);
  return rows;
}

/** An event that a charge prices individually. */
export type PricedEvent = Pick<MeteredEvent, 'source' | 'id' | 'time' | 'value' | 'properties'> & {
  readonly key: string;
  readonly meter: string;
};

/** A part whose events are priced one by one. */
export type PricedPart = StreamPart & {
  readonly zone: string;
  readonly eventType: string;
  readonly ownType: string;
};

const pricedColumns = (parts: readonly PricedPart[]): RawBuilder<unknown> =>
  sql`${partColumns(parts)}, ${parts.map((each) => each.zone)}::text[], ${parts.map((each) => each.eventType)}::text[], ${parts.map((each) => each.ownType)}::text[]`;
/** Event `e` is of the type of part `p`, and its hour begins there. */
const isPriced = sql`e.subscription_id = p.subscription_id and e.time >= p.from_at and e.time < p.to_at + interval '1 hour'
      and date_trunc('hour', e.time, p.zone) >= p.from_at and date_trunc('hour', e.time, p.zone) < p.to_at and coalesce(e.type, p.own_type) = p.event_type`;
const isNotCanceled = sql`e.voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id)`;

/**
 * A part whose events are counted by value: those in [countedFrom, countedTo), apart by the values of some
 * properties.
 */
export type CountedPart = PricedPart & {
  readonly countedFrom: Date;
  readonly countedTo: Date;
  readonly properties: readonly string[];
};
/** Events of a part with the same value, and the same values of the part's properties. */
export type CountedValue = Pick<MeteredEvent, 'value' | 'properties'> & {
  readonly key: string;
  readonly count: bigint;
};

/** The parts `p` with their events `e`, without canceled ones. */
const countedEvents = (parts: readonly CountedPart[]): RawBuilder<unknown> =>
  sql`from unnest(${pricedColumns(parts)}, ${parts.map((each) => each.countedFrom)}::timestamptz[], ${parts.map((each) => each.countedTo)}::timestamptz[], ${parts.map((each) => JSON.stringify(each.properties))}::jsonb[])
      as p (key, subscription_id, meter, from_at, to_at, zone, event_type, own_type, counted_from, counted_to, properties)
    join usage_event e on ${isPriced} and e.time >= p.counted_from and e.time < p.counted_to
    where ${isNotCanceled}`;
/** An event's values of the part's properties. */
const propertiesOf = (parts: readonly CountedPart[]): RawBuilder<unknown> =>
  // Building an object takes several times longer than reading the event.
  parts.every(({ properties }) => properties.length === 0)
    ? sql`null::jsonb`
    : sql`(select jsonb_object_agg(name, e.properties -> name) from jsonb_array_elements_text(p.properties) as name where e.properties ? name)`;

/** Counts the database's events of parts by value, without canceled ones. */
export async function countedValues(ctx: Ctx, parts: readonly CountedPart[]): Promise<CountedValue[]> {
  if (parts.length === 0) return [];
  const { rows } =
    await sql<CountedValue>`select p.key, e.value, ${propertiesOf(parts)} as properties, count(*) as count
    ${countedEvents(parts)} group by 1, 2, 3`.execute(ctx.db);
  return rows;
}

/** Events of an hour with the same sign, and the same values of the part's properties. */
export type HourOfSign = HourOfEvents & Pick<MeteredEvent, 'properties'>;

/** Sums the database's events of parts by hour, negative values apart, without canceled ones. */
export async function countedSigns(ctx: Ctx, parts: readonly CountedPart[]): Promise<HourOfSign[]> {
  if (parts.length === 0) return [];
  const { rows } =
    await sql<HourOfSign>`select p.key, date_trunc('hour', e.time, p.zone) as hour, ${propertiesOf(parts)} as properties, count(*) as count, sum(e.value) as sum, min(e.value) as min, max(e.value) as max
    ${countedEvents(parts)} group by 1, 2, 3, e.value < 0`.execute(ctx.db);
  return rows;
}

/** The database's events of parts, for `pricedEvents`, in its order. */
export async function eventsOfParts(ctx: Ctx, parts: readonly PricedPart[]): Promise<PricedEvent[]> {
  if (parts.length === 0) return [];
  const { rows } =
    await sql<PricedEvent>`select p.key, p.meter, s.source, e.event_id as id, e.time, e.value, e.properties
    from unnest(${pricedColumns(parts)}) as p (key, subscription_id, meter, from_at, to_at, zone, event_type, own_type)
    join usage_event e on ${isPriced} join usage_source s on s.id = e.source_id where ${isNotCanceled}
    order by e.time, s.source, e.event_id`.execute(ctx.db);
  return rows;
}
