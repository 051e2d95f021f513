// SQL of rollups: the totals of events by hour, day and month.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Rollup } from '../rules.ts';
import type { Delta } from '../rules-deltas.ts';
import type { DimensionDelta } from '../rules-dimensions.ts';
import { allKey, ownKey, wholeCell, type Stream } from '../rules-streams.ts';

/** A month's rollup of one stream. */
export type MonthRollup = Rollup &
  Stream & { readonly subscriptionId: Id<'sub'>; readonly month: BillingMonth };
export type DayRollup = Rollup & { readonly subscriptionId: Id<'sub'>; readonly day: LocalDay };

/** What events add to hours, days, months and hours by dimension. */
export type Deltas = {
  readonly hours: readonly (Delta & { hour: Date })[];
  readonly days: readonly (Delta & { day: LocalDay })[];
  readonly months: readonly (Delta & { month: BillingMonth })[];
  readonly dimensions: readonly DimensionDelta[];
};

const columnsOf = (
  deltas: readonly Delta[],
): RawBuilder<unknown> => sql`${deltas.map((each) => each.subscriptionId)}::text[], ${deltas.map((each) => each.count)}::bigint[], ${deltas.map((each) => each.sum)}::numeric[],
    ${deltas.map((each) => each.max)}::numeric[], ${deltas.map((each) => each.lastValue)}::numeric[], ${deltas.map((each) => each.lastAt)}::timestamptz[], ${deltas.map((each) => each.lastEvent)}::text[]`;
const summed = sql`subscription_id, event_count, sum, max, last_value, last_at, last_event`;
/**
 * Meters and cells are sent only if there are others than services' own: unnest fills missing elements with
 * null.
 */
const streamColumns = (deltas: readonly Delta[]): RawBuilder<unknown> => {
  const isOwn = deltas.every(({ meter }) => meter === ownKey);
  return sql`${deltas.map((each) => each.min)}::numeric[], ${isOwn ? [] : deltas.map((each) => each.meter)}::text[], ${isOwn ? [] : deltas.map((each) => each.cell)}::text[]`;
};
const streamed = sql`${summed}, min, meter, cell`;
const streamedValues = sql`${summed}, min, coalesce(meter, ''), coalesce(cell, '')`;
// A row that corrections left without events has no maximum and no last value.
const merge = sql`event_count = r.event_count + excluded.event_count, sum = r.sum + excluded.sum, max = case when r.event_count = 0 then excluded.max else greatest(r.max, excluded.max) end,
    last_value = case when r.event_count = 0 or (excluded.last_at, excluded.last_event) >= (r.last_at, r.last_event) then excluded.last_value else r.last_value end,
    last_event = case when r.event_count = 0 or (excluded.last_at, excluded.last_event) >= (r.last_at, r.last_event) then excluded.last_event else r.last_event end,
    last_at = case when r.event_count = 0 then excluded.last_at else greatest(r.last_at, excluded.last_at) end`;

// A minimum that was not recorded stays unknown as long as there are events.
const mergeStream = sql`${merge}, min = case when r.event_count = 0 then excluded.min when r.min is null then null else least(r.min, excluded.min) end`;

/**
 * The upserts that add deltas, as parts of a WITH. Rows come in key order, so that two batches that touch the
 * same rows wait instead of deadlocking. Months go first, because the statement's result reads them, but not
 * before `when`.
 */
export function upserts(
  { hours, days, months, dimensions }: Deltas,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const byDimension = sql`, dimensions as (
      insert into usage_dimension_hour as r (${summed}, hour, dimension, value)
      select * from unnest(${columnsOf(dimensions)}, ${dimensions.map((each) => each.hour)}::timestamptz[], ${dimensions.map((each) => each.dimension)}::text[], ${dimensions.map((each) => each.value)}::text[])
      on conflict (subscription_id, dimension, hour, value) do update set ${merge}
    )`;
  return sql`hours as (
      insert into usage_hour as r (${streamed}, hour)
      select ${streamedValues}, hour from unnest(${columnsOf(hours)}, ${streamColumns(hours)}, ${hours.map((each) => each.hour)}::timestamptz[]) as d (${streamed}, hour)
      on conflict (subscription_id, meter, hour, cell) do update set ${mergeStream}
    ), days as (
      insert into usage_day as r (${streamed}, day)
      select ${streamedValues}, day from unnest(${columnsOf(days)}, ${streamColumns(days)}, ${days.map((each) => each.day)}::date[]) as d (${streamed}, day)
      on conflict (subscription_id, meter, day, cell) do update set ${mergeStream}
    ), months as (
      insert into usage_month as r (${streamed}, month)
      select ${streamedValues}, month from unnest(${columnsOf(months)}, ${streamColumns(months)}, ${months.map((each) => each.month)}::text[]) as d (${streamed}, month) where ${condition}
      on conflict (subscription_id, meter, month, cell) do update set ${mergeStream}
      returning subscription_id, meter, cell, month, event_count, sum, max, min, last_value, distinct_count
    )${dimensions.length > 0 ? byDimension : sql``}`;
}

/** The changed months of {@link upserts} as one JSON value. */
export const monthsJson = sql`(select jsonb_agg(jsonb_build_object('subscriptionId', subscription_id, 'meter', meter, 'cell', cell, 'month', month, 'eventCount', event_count::text, 'sum', sum::text, 'max', max::text, 'min', min::text, 'lastValue', last_value::text, 'distinct', distinct_count::text)) from months)`;
/** Parses {@link monthsJson}. */
export const readMonths = (months: readonly MonthRollup[] | null): MonthRollup[] =>
  (months ?? []).map((month) => ({
    ...month,
    eventCount: BigInt(month.eventCount),
    distinct: BigInt(month.distinct ?? 0n),
  }));

/** The columns of a month with the names of {@link MonthRollup}; the table is `m`. */
export const monthColumns = sql`m.subscription_id as "subscriptionId", m.meter, m.cell, m.month, m.event_count as "eventCount", m.sum, m.max, m.min, m.last_value as "lastValue", m.distinct_count as "distinct"`;

/** Returns months of some subscriptions by their services' own meters. */
export async function monthRollups(
  db: Kysely<unknown>,
  subscriptionIds: readonly string[],
  months: readonly string[],
): Promise<MonthRollup[]> {
  const { rows } =
    await sql<MonthRollup>`--hot usage-months\n select ${monthColumns} from usage_month m where subscription_id = any(${subscriptionIds as string[]}::text[]) and meter = ${sql.lit(ownKey)} and month = any(${months as string[]}::bpchar[])`.execute(
      db,
    );
  return rows;
}

/**
 * Returns days of some subscriptions by their services' own meters, in their organization's time zone, the
 * last one included.
 */
export async function dayRollups(
  db: Kysely<unknown>,
  subscriptionIds: readonly string[],
  from: LocalDay,
  to: LocalDay,
): Promise<DayRollup[]> {
  const { rows } = await sql<DayRollup>`--hot usage-days
    select subscription_id as "subscriptionId", day, event_count as "eventCount", sum, max, last_value as "lastValue"
    from usage_day where subscription_id = any(${subscriptionIds as string[]}::text[]) and meter = ${sql.lit(ownKey)} and day between ${from}::date and ${to}::date and event_count > 0`.execute(
    db,
  );
  return rows;
}

/** Lists the months in which some subscriptions have usage, newest first. */
export async function monthsWithUsage(ctx: Ctx, subscriptionIds: readonly string[]): Promise<BillingMonth[]> {
  const { rows } = await sql<{
    month: BillingMonth;
  }>`select distinct month from usage_month where subscription_id = any(${subscriptionIds as string[]}::text[]) order by month desc`.execute(
    ctx.db,
  );
  return rows.map((row) => row.month);
}

/** What the rows of a subscription's month say about all its meters together. */
export type MonthRows = {
  /** The number of events, each counted once whichever of its meters count it. */
  readonly events: bigint;
  /** The version of the rows. */
  readonly version: string;
};

/**
 * Returns months of subscriptions by `${subscriptionId} ${month}`; none for one without usage. As with {@link
 * dayVersions}, the own meter's row and the row of all other events together identify the state of the whole
 * month, and of its days and hours.
 */
export async function monthRows(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  months: readonly BillingMonth[],
): Promise<ReadonlyMap<string, MonthRows>> {
  const { rows } = await sql<
    MonthRows & { key: string }
  >`--hot usage-month-rows\n select subscription_id || ' ' || month as key, sum(event_count)::bigint as events, string_agg(meter || ctid::text || xmin::text || ':' || event_count, ' ' order by meter) as version from usage_month
    where subscription_id = any(${[...subscriptionIds]}::text[]) and meter in (${sql.lit(ownKey)}, ${sql.lit(allKey)}) and cell = ${sql.lit(wholeCell)} and month = any(${[...months]}::bpchar[]) group by subscription_id, month`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}
