// SQL of events: finding known ones, storing new ones, and listing them.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeteredEvent } from '../rules.ts';
import type { EventFilter } from '../rules-event-filter.ts';
import { allKey, ownKey } from '../rules-streams.ts';
import { meets, type EventRange } from './store-event-filter.ts';
import { monthsJson, readMonths, upserts, type Deltas, type MonthRollup } from './store-rollups.ts';

/**
 * An event with the number of its source, the key that sent it, and the type stored with it (null: the type
 * of the service's own meter).
 */
export type NumberedEvent = MeteredEvent & {
  readonly sourceId: number;
  readonly keyId: Id<'key'> | null;
  readonly storedType: string | null;
};

const batchColumns = sql`(source_id, event_id, subscription_id, time, value, key_id, properties, is_timed, type)`;
// An event sent without a time is given its arrival time, which must not be part of the digest: a repeat
// would look different.
const digest = sql`usage_digest(subscription_id, case when is_timed then time end, value, properties) # coalesce(hashtextextended(type, 0), 0)`;

/**
 * Sends events as rows. The events of a batch share few sources, subscriptions and keys, so each of those is
 * sent once and rows refer to it by index; a batch of one event needs no index.
 */
function batchRows(events: readonly NumberedEvent[]): RawBuilder<unknown> {
  const sources = placesOf(events.map((event) => event.sourceId));
  const subscriptions = placesOf(events.map((event) => event.subscriptionId));
  const keys = placesOf(events.map((event) => event.keyId ?? ''));
  // unnest fills missing elements with null.
  const properties = events.some((event) => event.properties !== null)
    ? events.map((event) => (event.properties ? JSON.stringify(event.properties) : null))
    : [];
  const timed = events.every((event) => event.isTimed) ? [] : events.map((event) => event.isTimed);
  const types = events.every((event) => event.storedType === null)
    ? []
    : events.map((event) => event.storedType);
  return sql`select (${sources.values}::int[])[coalesce(source_place, 1)], event_id, (${subscriptions.values}::text[])[coalesce(subscription_place, 1)], time, value, nullif((${keys.values}::text[])[coalesce(key_place, 1)], ''), properties::jsonb, coalesce(is_timed, true), type
    from unnest(${sources.places}::int[], ${events.map((event) => event.id)}::text[], ${subscriptions.places}::int[], ${events.map((event) => event.time)}::timestamptz[],
      ${events.map((event) => event.value)}::numeric[], ${keys.places}::int[], ${properties}::text[], ${timed}::boolean[], ${types}::text[]) as g (source_place, event_id, subscription_place, time, value, key_place, properties, is_timed, type)`;
}

/**
 * Stores events and adds `deltas` to their rollups in one statement; returns the changed months with their
 * new values. With `claim`, it also records the events as known, and fails as a whole with a unique violation
 * if one of them was known. Rollups are updated last, months first, because their row locks block other
 * transactions until the commit.
 */
export async function storeEvents(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  deltas: Deltas,
  { claim }: { readonly claim: boolean },
): Promise<MonthRollup[]> {
  const name = `usage-${claim ? 'insert' : 'store'}${deltas.dimensions.length > 0 ? '-by' : ''}`;
  const known = sql`known as (insert into usage_key (source_id, event_id, time, digest) select source_id, event_id, time, ${digest} from batch returning 1),`;
  const isStored = claim
    ? sql`(select count(*) from known) = (select count(*) from stored)`
    : sql`(select count(*) from stored) > 0`;
  const { rows } = await sql<{ months: MonthRollup[] | null }>`--hot ${sql.raw(name)}
    with batch ${batchColumns} as materialized (${batchRows(events)}), ${claim ? known : sql``}
    stored as (
      insert into usage_event (source_id, event_id, subscription_id, time, value, received_at, key_id, properties, type)
      select source_id, event_id, subscription_id, time, value, ${ctx.now}, key_id, properties, type from batch returning 1
    ), ${upserts(deltas, isStored)}
    select ${monthsJson} as months`.execute(ctx.db);
  return readMonths(rows[0]?.months ?? null);
}

// In key order, so that two transactions with the same events wait for each other instead of deadlocking.
const makeKnown = sql`insert into usage_key (source_id, event_id, time, digest) select source_id, event_id, time, ${digest} from batch order by 1, 2 on conflict do nothing returning source_id as "sourceId", event_id as id`;

/**
 * Records events as known without storing them; returns those that were not known before, by {@link
 * eventKey}.
 */
export async function insertKnownEvents(
  ctx: Ctx,
  events: readonly NumberedEvent[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    sourceId: number;
    id: string;
  }>`with batch ${batchColumns} as (${batchRows(events)}) ${makeKnown}`.execute(ctx.db);
  return new Set(rows.map(eventKey));
}

/** Deletes the records by which this transaction marked events as known. */
export async function forgetEvents(ctx: Ctx, events: readonly NumberedEvent[]): Promise<void> {
  await sql`delete from usage_key k using unnest(${events.map((event) => event.sourceId)}::int[], ${events.map((event) => event.id)}::text[]) as w (source_id, event_id)
    where k.source_id = w.source_id and k.event_id = w.event_id`.execute(ctx.db);
}

/** Identifies an event within its source's owner: source number and id. */
export const eventKey = (event: { readonly sourceId: number; readonly id: string }): string =>
  `${event.sourceId} ${event.id}`;

/** Known events by {@link eventKey}, and whether the known event's content differs. */
export type KnownEvents = ReadonlyMap<string, { readonly differs: boolean }>;

/** Returns the known ones among some events. */
export async function knownEvents(ctx: Ctx, events: readonly NumberedEvent[]): Promise<KnownEvents> {
  const { rows } = await sql<{
    sourceId: number;
    id: string;
    differs: boolean;
  }>`with batch ${batchColumns} as (${batchRows(events)})
    select b.source_id as "sourceId", b.event_id as id, k.digest <> b.digest as differs
    from (select source_id, event_id, ${digest} as digest from batch) as b join usage_key k on k.source_id = b.source_id and k.event_id = b.event_id`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [eventKey(row), { differs: row.differs }]));
}

/**
 * The distinct values of a list, and for each entry the 1-based index of its value; no indexes if there is
 * only one value.
 */
function placesOf<T>(list: readonly T[]): { values: T[]; places: number[] } {
  const [first] = list;
  if (first !== undefined && list.every((value) => value === first)) return { values: [first], places: [] };
  const places = new Map<T, number>();
  const all = list.map((value) => {
    const placesOfValue = places.get(value);
    if (placesOfValue !== undefined) return placesOfValue;
    places.set(value, places.size + 1);
    return places.size;
  });
  return { values: [...places.keys()], places: all };
}

/** An event as the API returns it. */
export type StoredEvent = {
  readonly source: string;
  readonly id: string;
  readonly subscriptionId: Id<'sub'>;
  readonly time: Date;
  readonly value: string;
  readonly receivedAt: Date;
  readonly keyId: Id<'key'> | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly voids: string | null;
  readonly voided: boolean;
};

/** A position in a list of events, newest first. */
export type ListPlace = { readonly time: Date; readonly source: string; readonly id: string };

/** Returns the events of one subscription in [start, end) that meet a filter, newest first. */
export async function eventsOf(
  ctx: Ctx,
  { subscriptionId, start, end, zone }: EventRange,
  filter: EventFilter,
  { limit, after }: { readonly limit: number; readonly after: ListPlace | null },
): Promise<StoredEvent[]> {
  const { rows } =
    await sql<StoredEvent>`select s.source, e.event_id as id, e.subscription_id as "subscriptionId", e.time, e.value, e.received_at as "receivedAt", e.key_id as "keyId", e.properties, e.voided_event_id as voids, v.event_id is not null as voided
    from usage_event e join usage_source s on s.id = e.source_id left join usage_void v on v.source_id = e.source_id and v.event_id = e.event_id
    where e.subscription_id = ${subscriptionId} and (${start}::timestamptz is null or e.time >= ${start}) and (${end}::timestamptz is null or e.time < ${end}) and ${meets(filter, zone)}
      and (${after?.time ?? null}::timestamptz is null or (e.time, s.source, e.event_id) < (${after?.time ?? null}, ${after?.source ?? null}, ${after?.id ?? null}))
    order by e.time desc, s.source desc, e.event_id desc limit ${limit}`.execute(ctx.db);
  return rows;
}

/**
 * Counts a subscription's events in [start, end), including corrections and canceled events; counted from the
 * hours, never from the events.
 */
export async function countEvents(
  ctx: Ctx,
  subscriptionId: string,
  start: Date | null,
  end: Date | null,
): Promise<number> {
  const { rows } = await sql<{
    total: bigint;
  }>`select coalesce(sum(event_count + 2 * void_count), 0)::bigint as total from usage_hour where subscription_id = ${subscriptionId} and meter in (${sql.lit(ownKey)}, ${sql.lit(allKey)}) and (${start}::timestamptz is null or hour >= ${start}) and (${end}::timestamptz is null or hour < ${end})`.execute(
    ctx.db,
  );
  return Number(rows[0]?.total ?? 0n);
}
