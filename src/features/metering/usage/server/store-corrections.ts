// SQL of corrections: the events they cancel, and the hours recomputed from events.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Delta } from '../rules-deltas.ts';
import { allKey, ownKey } from '../rules-streams.ts';
import type { SeenValue } from './store-distinct.ts';
import type { NumberedEvent } from './store-events.ts';
import { monthColumns, type MonthRollup } from './store-rollups.ts';

/** An event that a correction refers to; `sourceId` is the number of its source. */
export type VoidTarget = {
  readonly sourceId: number;
  readonly id: string;
  readonly subscriptionId: string;
  readonly time: Date;
  readonly value: string;
  readonly properties: Readonly<Record<string, unknown>> | null;
  /** The type stored with it; null: the type of the service's own meter. */
  readonly storedType: string | null;
  readonly isTakenBack: boolean;
};

/**
 * Returns the given events that the database still has. Corrections are never among them, because they are
 * stored at the time of the event they cancel, not at their own.
 */
export async function voidTargets(
  ctx: Ctx,
  wanted: readonly { sourceId: number; id: string; subscriptionId: string }[],
): Promise<VoidTarget[]> {
  const { rows } =
    await sql<VoidTarget>`select e.source_id as "sourceId", e.event_id as id, e.subscription_id as "subscriptionId", e.time, e.value, e.properties, e.type as "storedType", exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id) as "isTakenBack"
    from unnest(${wanted.map((each) => each.sourceId)}::int[], ${wanted.map((each) => each.id)}::text[], ${wanted.map((each) => each.subscriptionId)}::text[]) as w (source_id, event_id, subscription_id)
    join usage_key k on k.source_id = w.source_id and k.event_id = w.event_id
    join usage_event e on e.subscription_id = w.subscription_id and e.time = k.time and e.source_id = k.source_id and e.event_id = k.event_id
    where e.voided_event_id is null`.execute(ctx.db);
  return rows;
}

/** A correction recorded as known, with the event that it cancels. */
export type Correction = { readonly event: NumberedEvent; readonly target: VoidTarget };

/**
 * Cancels events: each correction is stored at the time of the event that it cancels, with the opposite sign.
 * Returns the corrections that were the first to cancel their event; another transaction may have canceled it
 * before.
 */
export async function storeCorrections(
  ctx: Ctx,
  corrections: readonly Correction[],
): Promise<ReadonlySet<Correction>> {
  const { rows } = await sql<{ index: number }>`with c as materialized (
      select * from unnest(${corrections.map((_, index) => index)}::int[], ${corrections.map(({ event }) => event.sourceId)}::int[], ${corrections.map(({ event }) => event.id)}::text[], ${corrections.map(({ event }) => event.keyId)}::text[],
        ${corrections.map(({ target }) => target.sourceId)}::int[], ${corrections.map(({ target }) => target.id)}::text[], ${corrections.map(({ target }) => target.subscriptionId)}::text[], ${corrections.map(({ target }) => target.time)}::timestamptz[]
      ) as c (index, source_id, event_id, key_id, target_source_id, target_event_id, subscription_id, time)
    ), first as (
      insert into usage_void (source_id, event_id, by_source_id, by_event_id) select target_source_id, target_event_id, source_id, event_id from c order by 1, 2
      on conflict do nothing returning by_source_id, by_event_id
    ), stored as (
      insert into usage_event (source_id, event_id, subscription_id, time, value, received_at, key_id, type, voided_source_id, voided_event_id)
      select c.source_id, c.event_id, c.subscription_id, c.time, -e.value, ${ctx.now}, c.key_id, e.type, c.target_source_id, c.target_event_id
      from c join first f on f.by_source_id = c.source_id and f.by_event_id = c.event_id
      join usage_event e on e.subscription_id = c.subscription_id and e.time = c.time and e.source_id = c.target_source_id and e.event_id = c.target_event_id and e.voided_event_id is null
    )
    select c.index from c join first f on f.by_source_id = c.source_id and f.by_event_id = c.event_id`.execute(
    ctx.db,
  );
  return new Set(rows.flatMap(({ index }) => corrections[index] ?? []));
}

/**
 * An hour of one subscription, starting at `hour` in its organization's time zone, and the month it belongs
 * to.
 */
export type CountedHour = {
  readonly subscriptionId: Id<'sub'>;
  readonly hour: Date;
  readonly month: BillingMonth;
  readonly zone: string;
  /** The property whose distinct values the service's own meter counts. */ readonly property: string | null;
};

const hoursOf = (hours: readonly CountedHour[]) =>
  sql`unnest(${hours.map((each) => each.subscriptionId)}::text[], ${hours.map((each) => each.hour)}::timestamptz[], ${hours.map((each) => new Date(each.hour.getTime() + hourMs))}::timestamptz[], ${hours.map((each) => each.zone)}::text[], ${hours.map((each) => each.property)}::text[], ${hours.map((each) => each.month)}::bpchar[]) as w (subscription_id, hour, until, zone, property, month)`;
// An hour's events with source and id. After a clock was set back by half an hour, two hours of the time zone
// overlap. `isOwn` selects events of the service's own meter or all others.
const eventsOfHour = (isOwn: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
      select e.value, e.time, e.key_id, e.properties, s.source || E'\\n' || e.event_id as name, e.voided_event_id is not null as is_correction,
        e.voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id) as counts
      from usage_event e join usage_source s on s.id = e.source_id
      where e.subscription_id = w.subscription_id and e.time >= w.hour and e.time < w.until and date_trunc('hour', e.time, w.zone) = w.hour and (e.type is null) = ${isOwn})`;
const ownEvents = eventsOfHour(sql`true`);
const sums = sql`count(*) as event_count, coalesce(sum(value), 0) as sum, coalesce(max(value), 0) as max, coalesce((array_agg(value order by time desc, name desc))[1], 0) as last_value,
        max(time) as last_at, coalesce((array_agg(name order by time desc, name desc))[1], '') as last_event`;

/**
 * Recomputes hours and their months from their events: a maximum, a last value or a distinct count cannot be
 * corrected by subtraction. `recountStreams` recomputes the hours of meters other than services' own, once
 * their rows are locked. Returns the recomputed months.
 */
export async function recount(
  ctx: Ctx,
  hours: readonly CountedHour[],
  recountStreams: () => Promise<void>,
): Promise<MonthRollup[]> {
  // A transaction that adds to an hour or a month holds its row lock until the commit, so these locks keep
  // the rows from changing. Months are locked first, in the same order as on ingestion.
  await sql`select from usage_month m where (m.subscription_id, m.month) in (select w.subscription_id, w.month from ${hoursOf(hours)}) order by m.subscription_id, m.meter, m.cell, m.month for update`.execute(
    ctx.db,
  );
  await sql`select from ${hoursOf(hours)} join usage_hour h on h.subscription_id = w.subscription_id and h.hour = w.hour order by h.subscription_id, h.meter, h.cell, h.hour for update of h`.execute(
    ctx.db,
  );
  const events = eventsOfHour(sql`k.is_own`);
  await sql`update usage_hour h set event_count = c.event_count, sum = c.sum, max = c.max, min = c.min, last_value = c.last_value, last_at = coalesce(c.last_at, h.hour), last_event = c.last_event, void_count = c.void_count
    from ${hoursOf(hours)} cross join (values (${ownKey}, true), (${allKey}, false)) as k (meter, is_own)
      cross join lateral (select ${sums}, coalesce(min(value), 0) as min, (select count(*) from ${events} as v where is_correction) as void_count from ${events} as e where counts) as c
    where h.subscription_id = w.subscription_id and h.meter = k.meter and h.hour = w.hour`.execute(ctx.db);
  await recountStreams();
  await recountDays(ctx, hours);
  await recountDimensions(ctx, hours);
  await recountValues(
    ctx,
    hours.filter((each) => each.property !== null),
  );
  await forgetValues(ctx, hours);
  return recountMonths(ctx, hours);
}

/**
 * Overwrites some hours of meters other than services' own: with `deltas`, and with zero where there is none.
 * Hours without a row do not get one.
 */
export async function setStreamHours(
  ctx: Ctx,
  hours: readonly CountedHour[],
  deltas: readonly (Delta & { readonly hour: Date })[],
): Promise<void> {
  await sql`update usage_hour h set event_count = coalesce(c.event_count, 0), sum = coalesce(c.sum, 0), max = coalesce(c.max, 0), min = coalesce(c.min, 0), last_value = coalesce(c.last_value, 0), last_at = coalesce(c.last_at, h.hour), last_event = coalesce(c.last_event, '')
    from usage_hour k join ${hoursOf(hours)} on k.subscription_id = w.subscription_id and k.hour = w.hour
      left join unnest(${deltas.map((each) => each.subscriptionId)}::text[], ${deltas.map((each) => each.meter)}::text[], ${deltas.map((each) => each.cell)}::text[], ${deltas.map((each) => each.hour)}::timestamptz[], ${deltas.map((each) => each.count)}::bigint[], ${deltas.map((each) => each.sum)}::numeric[], ${deltas.map((each) => each.max)}::numeric[],
        ${deltas.map((each) => each.min)}::numeric[], ${deltas.map((each) => each.lastValue)}::numeric[], ${deltas.map((each) => each.lastAt)}::timestamptz[], ${deltas.map((each) => each.lastEvent)}::text[]) as c (subscription_id, meter, cell, hour, event_count, sum, max, min, last_value, last_at, last_event)
        on c.subscription_id = k.subscription_id and c.meter = k.meter and c.cell = k.cell and c.hour = k.hour
    where k.meter not in (${ownKey}, ${allKey}) and h.subscription_id = k.subscription_id and h.meter = k.meter and h.cell = k.cell and h.hour = k.hour`.execute(
    ctx.db,
  );
}

/** Deletes the distinct values of some hours of meters other than services' own, except the given ones. */
export async function retainStreamValues(
  ctx: Ctx,
  hours: readonly CountedHour[],
  values: readonly SeenValue[],
): Promise<void> {
  await sql`delete from usage_distinct_hour d using ${hoursOf(hours)} where d.subscription_id = w.subscription_id and d.hour = w.hour and d.meter <> ${ownKey}
    and not exists (select from unnest(${values.map((each) => each.subscriptionId)}::text[], ${values.map((each) => each.meter)}::text[], ${values.map((each) => each.cell)}::text[], ${values.map((each) => each.hour)}::timestamptz[], ${values.map((each) => each.value)}::text[]) as v (subscription_id, meter, cell, hour, value)
      where (v.subscription_id, v.meter, v.cell, v.hour, v.value) = (d.subscription_id, d.meter, d.cell, d.hour, d.value))`.execute(
    ctx.db,
  );
}

// Sums only hours that have events; a day or a month without events has no maximum and no last value.
const sumsOfHours = sql`coalesce(sum(event_count), 0) as event_count, coalesce(sum(sum), 0) as sum, coalesce(max(max) filter (where event_count > 0), 0) as max, coalesce((array_agg(last_value order by last_at desc, last_event desc) filter (where event_count > 0))[1], 0) as last_value,
        case when bool_or(min is null) filter (where event_count > 0) then null else coalesce(min(min) filter (where event_count > 0), 0) end as min,
        max(last_at) filter (where event_count > 0) as last_at, coalesce((array_agg(last_event order by last_at desc, last_event desc) filter (where event_count > 0))[1], '') as last_event`;

async function recountDays(ctx: Ctx, hours: readonly CountedHour[]): Promise<void> {
  await sql`update usage_day d set event_count = c.event_count, sum = c.sum, max = c.max, min = c.min, last_value = c.last_value, last_at = coalesce(c.last_at, d.last_at), last_event = c.last_event
    from (
      select w.subscription_id, w.day, h.meter, h.cell, ${sumsOfHours}
      from (select distinct subscription_id, (hour at time zone zone)::date as day, zone from ${hoursOf(hours)}) as w
      join usage_hour h on h.subscription_id = w.subscription_id and h.hour >= w.day::timestamp at time zone w.zone and h.hour < (w.day + 1)::timestamp at time zone w.zone
      group by 1, 2, 3, 4
    ) as c where d.subscription_id = c.subscription_id and d.meter = c.meter and d.cell = c.cell and d.day = c.day`.execute(
    ctx.db,
  );
}

async function recountDimensions(ctx: Ctx, hours: readonly CountedHour[]): Promise<void> {
  // A value without a row in an hour was counted there under "other", and stays there.
  await sql`with there as materialized (
      delete from usage_dimension_hour d using ${hoursOf(hours)} where d.subscription_id = w.subscription_id and d.hour = w.hour returning d.subscription_id, d.hour, d.dimension, d.value
    ), carried as (
      select w.subscription_id, w.hour, e.value, e.time, e.name, c.dimension, c.carried from ${hoursOf(hours)} cross join lateral ${ownEvents} as e
      cross join lateral (select 'key' as dimension, e.key_id as carried where e.key_id is not null union all select 'data.' || key, value::text from jsonb_each(coalesce(e.properties, '{}'))) as c where e.counts
    ), placed as (
      select c.subscription_id, c.hour, c.dimension, coalesce(t.value, 'other') as placed, c.value, c.time, c.name from carried c
      left join there t on t.subscription_id = c.subscription_id and t.hour = c.hour and t.dimension = c.dimension and t.value = c.carried
      where exists (select from there x where x.subscription_id = c.subscription_id and x.hour = c.hour and x.dimension = c.dimension)
    )
    insert into usage_dimension_hour (subscription_id, hour, dimension, value, event_count, sum, max, last_value, last_at, last_event)
    select subscription_id, hour, dimension, placed, ${sums} from placed group by 1, 2, 3, 4`.execute(ctx.db);
}

async function recountValues(ctx: Ctx, hours: readonly CountedHour[]): Promise<void> {
  if (hours.length === 0) return;
  await sql`delete from usage_distinct_hour d using ${hoursOf(hours)} where d.subscription_id = w.subscription_id and d.meter = ${ownKey} and d.hour = w.hour
    and not exists (select from ${ownEvents} as e where counts and coalesce(e.properties ->> w.property, 'null') = d.value and e.properties ? w.property)`.execute(
    ctx.db,
  );
}

/** Deletes values of months that no hour contains any more. */
async function forgetValues(ctx: Ctx, hours: readonly CountedHour[]): Promise<void> {
  await sql`delete from usage_distinct d using (select distinct subscription_id, month, zone from ${hoursOf(hours)}) as w where d.subscription_id = w.subscription_id and d.month = w.month
    and not exists (select from usage_distinct_hour h where h.subscription_id = d.subscription_id and h.meter = d.meter and h.cell = d.cell and h.value = d.value
      and h.hour >= (w.month || '-01')::timestamp at time zone w.zone and h.hour < ((w.month || '-01')::timestamp + interval '1 month') at time zone w.zone)`.execute(
    ctx.db,
  );
}

async function recountMonths(ctx: Ctx, hours: readonly CountedHour[]): Promise<MonthRollup[]> {
  const { rows } =
    await sql<MonthRollup>`update usage_month m set event_count = c.event_count, sum = c.sum, max = c.max, min = c.min, last_value = c.last_value, last_at = coalesce(c.last_at, m.last_at), last_event = c.last_event,
      distinct_count = (select count(*) from usage_distinct d where d.subscription_id = m.subscription_id and d.meter = m.meter and d.cell = m.cell and d.month = m.month)
    from (
      select w.subscription_id, w.month, h.meter, h.cell, ${sumsOfHours}
      from (select distinct subscription_id, month, zone from ${hoursOf(hours)}) as w
      join usage_hour h on h.subscription_id = w.subscription_id and h.hour >= (w.month || '-01')::timestamp at time zone w.zone and h.hour < ((w.month || '-01')::timestamp + interval '1 month') at time zone w.zone
      group by 1, 2, 3, 4
    ) as c where m.subscription_id = c.subscription_id and m.meter = c.meter and m.cell = c.cell and m.month = c.month
    returning ${monthColumns}`.execute(ctx.db);
  return rows;
}
