// SQL of corrections: the events they cancel, and hours recomputed from their events.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { NumberedEvent } from './store-events.ts';
import { monthColumns, type MonthRollup } from './store-rollups.ts';

/** An event that a correction means; `sourceId` is its source's number. */
export type VoidTarget = {
  readonly sourceId: number;
  readonly id: string;
  readonly subscriptionId: string;
  readonly time: Date;
  readonly isTakenBack: boolean;
};

/**
 * The given events, as far as the database still has them. A correction is never among them, because it is
 * stored at the time of the event that it cancels, not at its own.
 */
export async function voidTargets(
  ctx: Ctx,
  wanted: readonly { sourceId: number; id: string; subscriptionId: string }[],
): Promise<VoidTarget[]> {
  const { rows } =
    await sql<VoidTarget>`select e.source_id as "sourceId", e.event_id as id, e.subscription_id as "subscriptionId", e.time, exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id) as "isTakenBack"
    from unnest(${wanted.map((each) => each.sourceId)}::int[], ${wanted.map((each) => each.id)}::text[], ${wanted.map((each) => each.subscriptionId)}::text[]) as w (source_id, event_id, subscription_id)
    join usage_key k on k.source_id = w.source_id and k.event_id = w.event_id
    join usage_event e on e.subscription_id = w.subscription_id and e.time = k.time and e.source_id = k.source_id and e.event_id = k.event_id
    where e.voided_event_id is null`.execute(ctx.db);
  return rows;
}

/** A correction that is recorded as known, with the event that it cancels. */
export type Correction = { readonly event: NumberedEvent; readonly target: VoidTarget };

/**
 * Cancels events: each correction is stored at the time of the event that it cancels, with the opposite sign.
 * Answers the corrections that cancelled an event first; another transaction may have cancelled it before.
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
      insert into usage_event (source_id, event_id, subscription_id, time, value, received_at, key_id, voided_source_id, voided_event_id)
      select c.source_id, c.event_id, c.subscription_id, c.time, -e.value, ${ctx.now}, c.key_id, c.target_source_id, c.target_event_id
      from c join first f on f.by_source_id = c.source_id and f.by_event_id = c.event_id
      join usage_event e on e.subscription_id = c.subscription_id and e.time = c.time and e.source_id = c.target_source_id and e.event_id = c.target_event_id and e.voided_event_id is null
    )
    select c.index from c join first f on f.by_source_id = c.source_id and f.by_event_id = c.event_id`.execute(
    ctx.db,
  );
  return new Set(rows.flatMap(({ index }) => corrections[index] ?? []));
}

/** An hour of one subscription, begun at `hour` in its organization's zone, and the month that it belongs to. */
export type CountedHour = {
  readonly subscriptionId: Id<'sub'>;
  readonly hour: Date;
  readonly month: BillingMonth;
  readonly zone: string;
  /** What a meter counts the different values of. */ readonly property: string | null;
};

const hourMs = 3_600_000;
const hoursOf = (hours: readonly CountedHour[]) =>
  sql`unnest(${hours.map((each) => each.subscriptionId)}::text[], ${hours.map((each) => each.hour)}::timestamptz[], ${hours.map((each) => new Date(each.hour.getTime() + hourMs))}::timestamptz[], ${hours.map((each) => each.zone)}::text[], ${hours.map((each) => each.property)}::text[], ${hours.map((each) => each.month)}::bpchar[]) as w (subscription_id, hour, until, zone, property, month)`;
// An hour's events with source and id. After a clock was set back by half an hour, two hours of the time zone
// share some of the time.
const eventsOfHour = sql`(
      select e.value, e.time, e.key_id, e.properties, s.source || E'\\n' || e.event_id as name, e.voided_event_id is not null as is_correction,
        e.voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id) as counts
      from usage_event e join usage_source s on s.id = e.source_id
      where e.subscription_id = w.subscription_id and e.time >= w.hour and e.time < w.until and date_trunc('hour', e.time, w.zone) = w.hour)`;
const sums = sql`count(*) as event_count, coalesce(sum(value), 0) as sum, coalesce(max(value), 0) as max, coalesce((array_agg(value order by time desc, name desc))[1], 0) as last_value,
      max(time) as last_at, coalesce((array_agg(name order by time desc, name desc))[1], '') as last_event`;

/**
 * Recomputes hours, and the months they belong to, from their events: a maximum, a last value or a number of
 * different values cannot be corrected by subtraction. Answers the recomputed months.
 */
export async function recount(ctx: Ctx, hours: readonly CountedHour[]): Promise<MonthRollup[]> {
  // A transaction that adds to an hour or a month holds its row lock until the commit, so with these locks
  // the rows cannot change. Months first, in the same order as when events come in.
  await sql`select from usage_month m where (m.subscription_id, m.month) in (select w.subscription_id, w.month from ${hoursOf(hours)}) order by m.subscription_id, m.month for update`.execute(
    ctx.db,
  );
  await sql`select from ${hoursOf(hours)} join usage_hour h on h.subscription_id = w.subscription_id and h.hour = w.hour order by h.subscription_id, h.hour for update of h`.execute(
    ctx.db,
  );
  await sql`update usage_hour h set event_count = c.event_count, sum = c.sum, max = c.max, last_value = c.last_value, last_at = coalesce(c.last_at, h.hour), last_event = c.last_event, void_count = c.void_count
    from ${hoursOf(hours)} cross join lateral (select ${sums}, (select count(*) from ${eventsOfHour} as v where is_correction) as void_count from ${eventsOfHour} as e where counts) as c
    where h.subscription_id = w.subscription_id and h.hour = w.hour`.execute(ctx.db);
  await recountDays(ctx, hours);
  await recountDimensions(ctx, hours);
  await recountValues(
    ctx,
    hours.filter((each) => each.property !== null),
  );
  return recountMonths(ctx, hours);
}

// Only from hours that have events; a day or a month without events has no maximum and no last value.
const sumsOfHours = sql`coalesce(sum(event_count), 0) as event_count, coalesce(sum(sum), 0) as sum, coalesce(max(max) filter (where event_count > 0), 0) as max, coalesce((array_agg(last_value order by last_at desc, last_event desc) filter (where event_count > 0))[1], 0) as last_value,
        max(last_at) filter (where event_count > 0) as last_at, coalesce((array_agg(last_event order by last_at desc, last_event desc) filter (where event_count > 0))[1], '') as last_event`;

async function recountDays(ctx: Ctx, hours: readonly CountedHour[]): Promise<void> {
  await sql`update usage_day d set event_count = c.event_count, sum = c.sum, max = c.max, last_value = c.last_value, last_at = coalesce(c.last_at, d.last_at), last_event = c.last_event
    from (select distinct subscription_id, (hour at time zone zone)::date as day, zone from ${hoursOf(hours)}) as w
    cross join lateral (select ${sumsOfHours} from usage_hour h where h.subscription_id = w.subscription_id and h.hour >= w.day::timestamp at time zone w.zone and h.hour < (w.day + 1)::timestamp at time zone w.zone) as c
    where d.subscription_id = w.subscription_id and d.day = w.day`.execute(ctx.db);
}

async function recountDimensions(ctx: Ctx, hours: readonly CountedHour[]): Promise<void> {
  // A value without a row in an hour was counted there under "other", and stays there.
  await sql`with there as materialized (
      delete from usage_dimension_hour d using ${hoursOf(hours)} where d.subscription_id = w.subscription_id and d.hour = w.hour returning d.subscription_id, d.hour, d.dimension, d.value
    ), carried as (
      select w.subscription_id, w.hour, e.value, e.time, e.name, c.dimension, c.carried from ${hoursOf(hours)} cross join lateral ${eventsOfHour} as e
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
  await sql`delete from usage_distinct_hour d using ${hoursOf(hours)} where d.subscription_id = w.subscription_id and d.hour = w.hour
    and not exists (select from ${eventsOfHour} as e where counts and coalesce(e.properties ->> w.property, 'null') = d.value and e.properties ? w.property)`.execute(
    ctx.db,
  );
  await sql`delete from usage_distinct d using (select distinct subscription_id, month, zone from ${hoursOf(hours)}) as w where d.subscription_id = w.subscription_id and d.month = w.month
    and not exists (select from usage_distinct_hour h where h.subscription_id = d.subscription_id and h.value = d.value
      and h.hour >= (w.month || '-01')::timestamp at time zone w.zone and h.hour < ((w.month || '-01')::timestamp + interval '1 month') at time zone w.zone)`.execute(
    ctx.db,
  );
}

async function recountMonths(ctx: Ctx, hours: readonly CountedHour[]): Promise<MonthRollup[]> {
  const { rows } =
    await sql<MonthRollup>`update usage_month m set event_count = c.event_count, sum = c.sum, max = c.max, last_value = c.last_value, last_at = coalesce(c.last_at, m.last_at), last_event = c.last_event,
      distinct_count = (select count(*) from usage_distinct d where d.subscription_id = m.subscription_id and d.month = m.month)
    from (select distinct subscription_id, month, zone from ${hoursOf(hours)}) as w
    cross join lateral (
      select ${sumsOfHours}
      from usage_hour h where h.subscription_id = w.subscription_id and h.hour >= (w.month || '-01')::timestamp at time zone w.zone and h.hour < ((w.month || '-01')::timestamp + interval '1 month') at time zone w.zone
    ) as c where m.subscription_id = w.subscription_id and m.month = w.month
    returning ${monthColumns}`.execute(ctx.db);
  return rows;
}
