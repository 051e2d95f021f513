// SQL of the days and hours of rate cards' meters.
import { sql, type RawBuilder } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CellPlaces } from '../rules-place-cells.ts';
import type { StreamMeter } from '../rules-streams.ts';

/** A meter of a subscription, with what it makes of events. */
export type MeterOfSubscription = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly aggregation: StreamMeter['aggregation'];
};
/** The usage of one cell of a meter of a subscription by day or hour; an hour is named by the milliseconds at which it begins. */
export type CellSeries = CellPlaces & { readonly subscriptionId: string; readonly meter: string };

/** What an aggregation reads of a rollup, as text; null for one that reads its count, or no rollup. */
export const readBy = (aggregation: RawBuilder<unknown>, rollup: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case ${aggregation} when 'sum' then ${rollup}.sum when 'avg' then ${rollup}.sum when 'max' then ${rollup}.max when 'min' then ${rollup}.min when 'latest' then ${rollup}.last_value end::text`;

// One row for each cell, with lists: a row for each of its places would cost several times as much to send and to read.
const cellRows = (
  meters: readonly MeterOfSubscription[],
  place: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
  isWithin: RawBuilder<unknown>,
  hot: RawBuilder<unknown>,
): RawBuilder<CellSeries> => sql<CellSeries>`${hot}select p.subscription_id as "subscriptionId", p.meter, d.cell, json_agg(${place}) as places, json_agg(d.event_count::text) as counts,
      json_agg(${readBy(sql`p.aggregation`, sql`d`)}) as values,
      json_agg(extract(epoch from d.last_at) * 1000) filter (where p.aggregation = 'latest') as "lastAts", json_agg(d.last_event) filter (where p.aggregation = 'latest') as "lastEvents"
    from unnest(${meters.map((each) => each.subscriptionId)}::text[], ${meters.map((each) => each.meter)}::text[], ${meters.map((each) => each.aggregation)}::text[]) as p (subscription_id, meter, aggregation)
    join ${table} d on d.subscription_id = p.subscription_id and d.meter = p.meter and ${isWithin} where d.event_count > 0 group by 1, 2, 3`;

/** The days of some meters by cell, the last one included. */
export async function daysOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  from: LocalDay,
  to: LocalDay,
): Promise<CellSeries[]> {
  if (meters.length === 0 || from > to) return [];
  const { rows } = await cellRows(
    meters,
    sql`d.day`,
    sql`usage_day`,
    sql`d.day between ${from}::date and ${to}::date`,
    sql`--hot usage-cell-days\n`,
  ).execute(ctx.db);
  return rows;
}

/** The hours of some meters by cell in [start, end). */
export async function hoursOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  start: Date,
  end: Date,
): Promise<CellSeries[]> {
  if (meters.length === 0) return [];
  const { rows } = await cellRows(
    meters,
    sql`(extract(epoch from d.hour) * 1000)::bigint::text`,
    sql`usage_hour`,
    sql`d.hour >= ${start} and d.hour < ${end}`,
    sql``,
  ).execute(ctx.db);
  return rows;
}
