// What usage asks the database: events in, rollups out.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { plainArray, textArray } from '#platform/server/array-literal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { Tables } from '#platform/server/tables.ts';
import type { Delta, MeteredEvent, Rollup } from '../rules.ts';

/** A month's rollup of one subscription. */
export type MonthRollup = Rollup & { readonly subscriptionId: Id<'sub'>; readonly month: BillingMonth };
export type DayRollup = Rollup & { readonly subscriptionId: Id<'sub'>; readonly day: LocalDay };

/** What events add to hours and months. */
export type Deltas = { readonly hours: readonly (Delta & { hour: Date })[]; readonly months: readonly (Delta & { month: BillingMonth })[] };

/** The two upserts that add deltas, as parts of a WITH; `guard` holds them back. Rows come in key order, so that two batches that touch the same ones wait instead of deadlocking. */
function upserts({ hours, months }: Deltas, guard: RawBuilder<unknown>): RawBuilder<unknown> {
  const columnsOf = (deltas: readonly Delta[]) => sql`${plainArray(deltas.map((each) => each.subscriptionId))}::text[], ${plainArray(deltas.map((each) => each.count))}::bigint[], ${plainArray(deltas.map((each) => each.sum))}::numeric[],
    ${plainArray(deltas.map((each) => each.max))}::numeric[], ${plainArray(deltas.map((each) => each.lastValue))}::numeric[], ${plainArray(deltas.map((each) => each.lastAt.toISOString()))}::timestamptz[]`;
  const merge = sql`event_count = r.event_count + excluded.event_count, sum = r.sum + excluded.sum, max = greatest(r.max, excluded.max),
    last_value = case when excluded.last_at >= r.last_at then excluded.last_value else r.last_value end, last_at = greatest(r.last_at, excluded.last_at)`;
  return sql`hours as (
      insert into usage_hour as r (subscription_id, event_count, sum, max, last_value, last_at, hour)
      select * from unnest(${columnsOf(hours)}, ${plainArray(hours.map((each) => each.hour.toISOString()))}::timestamptz[]) where ${guard}
      on conflict (subscription_id, hour) do update set ${merge}
    ), months as (
      insert into usage_month as r (subscription_id, event_count, sum, max, last_value, last_at, month)
      select * from unnest(${columnsOf(months)}, ${plainArray(months.map((each) => each.month))}::text[]) where ${guard}
      on conflict (subscription_id, month) do update set ${merge}
      returning subscription_id, month, event_count, sum, max, last_value
    )`;
}
const monthsJson = sql`(select jsonb_agg(jsonb_build_object('subscriptionId', subscription_id, 'month', month, 'eventCount', event_count::text, 'sum', sum::text, 'max', max::text, 'lastValue', last_value::text)) from months)`;
const readMonths = (months: readonly MonthRollup[] | null): MonthRollup[] => (months ?? []).map((month) => ({ ...month, eventCount: BigInt(month.eventCount) }));

/**
 * Stores events that are not there yet and, when all of them are new, adds `deltas` to their hours and months: one statement.
 * Answers how many were new, and the months that changed as they are now; when some were known nothing was added,
 * and the caller adds what the others make.
 */
export async function insertEvents(ctx: Ctx, events: readonly MeteredEvent[], deltas: Deltas): Promise<{ accepted: number; months: MonthRollup[] }> {
  // Ids of subscriptions and sources repeat through a batch: they travel once, and each event carries their place.
  const subscriptions = placesOf(events.map((event) => event.subscriptionId));
  const sources = placesOf(events.map((event) => event.source));
  // unnest fills what is missing with null.
  const properties = events.some((event) => event.properties !== null) ? events.map((event) => (event.properties ? JSON.stringify(event.properties) : null)) : [];
  const { rows } = await sql<{ accepted: bigint; months: MonthRollup[] | null }>`
    with accepted as (
      insert into usage_event (source, event_id, subscription_id, time, value, received_at, properties)
      select (${sources.values}::text[])[source_place], event_id, (${subscriptions.values}::text[])[subscription_place], time, value, ${ctx.now}, properties::jsonb
      from unnest(${plainArray(sources.places)}::int[], ${textArray(events.map((event) => event.id))}::text[], ${plainArray(subscriptions.places)}::int[], ${plainArray(events.map((event) => event.time.toISOString()))}::timestamptz[],
        ${plainArray(events.map((event) => event.value))}::numeric[], ${properties}::text[]) as g (source_place, event_id, subscription_place, time, value, properties)
      on conflict (source, event_id) do nothing
      returning 1
    ), ${upserts(deltas, sql`(select count(*) from accepted) = ${events.length}`)}
    select (select count(*) from accepted) as accepted, ${monthsJson} as months`.execute(ctx.db);
  return { accepted: Number(rows[0]?.accepted ?? 0n), months: readMonths(rows[0]?.months ?? null) };
}

/**
 * Of events that this transaction has just tried to store, the indices of those that were there before,
 * and whether their stored data is another one. Rows of this transaction carry its id.
 */
export async function knownEvents(ctx: Ctx, events: readonly MeteredEvent[]): Promise<Map<number, { differs: boolean }>> {
  const { rows } = await sql<{ index: number; differs: boolean }>`select g.index, ((e.subscription_id, e.time, e.value) is distinct from (g.subscription_id, g.time, g.value) or e.properties is distinct from g.properties::jsonb) as differs
    from unnest(${events.map((_, index) => index)}::int[], ${events.map((event) => event.source)}::text[], ${events.map((event) => event.id)}::text[], ${events.map((event) => event.subscriptionId)}::text[],
      ${events.map((event) => event.time.toISOString())}::timestamptz[], ${events.map((event) => event.value)}::numeric[], ${events.map((event) => (event.properties ? JSON.stringify(event.properties) : null))}::text[]) as g (index, source, event_id, subscription_id, time, value, properties)
    join usage_event e using (source, event_id) where e.xmin <> pg_current_xact_id()::xid`.execute(ctx.db);
  return new Map(rows.map((row) => [row.index, { differs: row.differs }]));
}

/** Adds deltas to hours and months and answers the months as they are now. */
export async function addDeltas(ctx: Ctx, deltas: Deltas): Promise<MonthRollup[]> {
  const { rows } = await sql<{ months: MonthRollup[] | null }>`with ${upserts(deltas, sql`true`)} select ${monthsJson} as months`.execute(ctx.db);
  return readMonths(rows[0]?.months ?? null);
}

/** The different values of a list, and for each entry its value's place among them, from 1. */
function placesOf(list: readonly string[]): { values: string[]; places: number[] } {
  const places = new Map<string, number>();
  const all = list.map((value) => {
    const there = places.get(value);
    if (there !== undefined) return there;
    places.set(value, places.size + 1);
    return places.size;
  });
  return { values: [...places.keys()], places: all };
}

/** Remembers values for meters that count different ones; answers nothing, counts are read with the month. */
export async function insertDistinct(ctx: Ctx, values: readonly { subscriptionId: string; month: string; value: string }[]): Promise<void> {
  await sql`insert into usage_distinct (subscription_id, month, value) select distinct * from unnest(${values.map((each) => each.subscriptionId)}::text[], ${values.map((each) => each.month)}::text[], ${values.map((each) => each.value)}::text[]) as v (subscription_id, month, value)
    order by 1, 2, 3 on conflict do nothing`.execute(ctx.db);
}

/** Months of some subscriptions; the count of different values only where `withDistinct` asks for it. */
export async function monthRollups(db: Kysely<Tables>, subscriptionIds: readonly string[], months: readonly string[], withDistinct: readonly string[] = []): Promise<MonthRollup[]> {
  const { rows } = await sql<MonthRollup>`select m.subscription_id as "subscriptionId", m.month, m.event_count as "eventCount", m.sum, m.max, m.last_value as "lastValue",
      case when m.subscription_id = any(${withDistinct as string[]}::text[]) then (select count(*) from usage_distinct d where d.subscription_id = m.subscription_id and d.month = m.month) end as distinct
    from usage_month m where m.subscription_id = any(${subscriptionIds as string[]}::text[]) and m.month = any(${months as string[]}::bpchar[])`.execute(db);
  return rows.map((row) => ({ ...row, distinct: row.distinct ?? 0n }));
}

/** Days of some subscriptions in their organization's zone, from hours in [start, end). */
export async function dayRollups(db: Kysely<Tables>, subscriptionIds: readonly string[], zone: string, start: Date, end: Date): Promise<DayRollup[]> {
  const { rows } = await sql<DayRollup>`select subscription_id as "subscriptionId", to_char(hour at time zone ${zone}, 'YYYY-MM-DD') as day, sum(event_count)::bigint as "eventCount", sum(sum) as sum, max(max) as max,
      (array_agg(last_value order by last_at desc))[1] as "lastValue"
    from usage_hour where subscription_id = any(${subscriptionIds as string[]}::text[]) and hour >= ${start} and hour < ${end} group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** Events of one subscription in [start, end), the newest first. */
export async function eventsOf(ctx: Ctx, query: { subscriptionId: string; start: Date | null; end: Date | null; limit: number; after: { time: Date; source: string; id: string } | null }): Promise<{ source: string; id: string; subscriptionId: Id<'sub'>; time: Date; value: string; receivedAt: Date }[]> {
  const { rows } = await sql<{ source: string; id: string; subscriptionId: Id<'sub'>; time: Date; value: string; receivedAt: Date }>`select source, event_id as id, subscription_id as "subscriptionId", time, value, received_at as "receivedAt" from usage_event
    where subscription_id = ${query.subscriptionId} and (${query.start}::timestamptz is null or time >= ${query.start}) and (${query.end}::timestamptz is null or time < ${query.end})
      and (${query.after?.time ?? null}::timestamptz is null or (time, source, event_id) < (${query.after?.time ?? null}, ${query.after?.source ?? null}, ${query.after?.id ?? null}))
    order by time desc, source desc, event_id desc limit ${query.limit}`.execute(ctx.db);
  return rows;
}

/** How many events a subscription has in [start, end): from the hours, never from the events. */
export async function countEvents(ctx: Ctx, subscriptionId: string, start: Date | null, end: Date | null): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select coalesce(sum(event_count), 0)::bigint as total from usage_hour where subscription_id = ${subscriptionId} and (${start}::timestamptz is null or hour >= ${start}) and (${end}::timestamptz is null or hour < ${end})`.execute(ctx.db);
  return Number(rows[0]?.total ?? 0n);
}

/** Months in which some subscriptions have usage, the newest first. */
export async function monthsWithUsage(ctx: Ctx, subscriptionIds: readonly string[]): Promise<BillingMonth[]> {
  const { rows } = await sql<{ month: BillingMonth }>`select distinct month from usage_month where subscription_id = any(${subscriptionIds as string[]}::text[]) order by month desc`.execute(ctx.db);
  return rows.map((row) => row.month);
}
