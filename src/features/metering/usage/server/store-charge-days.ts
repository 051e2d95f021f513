// SQL of the days and hours of rate cards' meters.
import { sql, type RawBuilder } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { emptyCell } from '../rules-charge-costs.ts';
import type { CellRollup } from '../rules-charge-usage.ts';
import type { StreamMeter } from '../rules-streams.ts';

/** A meter of a subscription, with what it makes of events. */
export type MeterOfSubscription = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly aggregation: StreamMeter['aggregation'];
};
/** The usage of one cell of a meter on a day, or in an hour, which is named by the milliseconds at which it begins. */
export type CellAtPlace = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly place: string;
  /** Holds what the meter's aggregation reads, and how many events there were. */
  readonly rollup: CellRollup;
};

type Place = readonly [
  place: string,
  count: string,
  value: string | null,
  lastAt: number | null,
  lastEvent: string | null,
];
type CellRow = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly aggregation: StreamMeter['aggregation'];
  readonly cell: string;
  readonly places: readonly Place[];
};

// One row for each cell: a row for each of its places would cost several times as much to send and to read.
const cellRows = (
  meters: readonly MeterOfSubscription[],
  place: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
  isWithin: RawBuilder<unknown>,
  hot: RawBuilder<unknown>,
): RawBuilder<CellRow> => sql<CellRow>`${hot}select p.subscription_id as "subscriptionId", p.meter, p.aggregation, d.cell, json_agg(json_build_array(${place}, d.event_count::text,
      case p.aggregation when 'sum' then d.sum when 'avg' then d.sum when 'max' then d.max when 'min' then d.min when 'latest' then d.last_value end::text,
      case p.aggregation when 'latest' then extract(epoch from d.last_at) * 1000 end, case p.aggregation when 'latest' then d.last_event end)) as places
    from unnest(${meters.map((each) => each.subscriptionId)}::text[], ${meters.map((each) => each.meter)}::text[], ${meters.map((each) => each.aggregation)}::text[]) as p (subscription_id, meter, aggregation)
    join ${table} d on d.subscription_id = p.subscription_id and d.meter = p.meter and ${isWithin} where d.event_count > 0 group by 1, 2, 3, 4`;

const placesOf = ({ subscriptionId, meter, aggregation, cell, places }: CellRow): CellAtPlace[] => {
  const empty = emptyCell(cell);
  const field = aggregation === 'latest' ? 'lastValue' : aggregation === 'avg' ? 'sum' : aggregation;
  return places.map(([place, count, value, lastAt, lastEvent]) => ({
    subscriptionId,
    meter,
    place,
    rollup: {
      ...empty,
      eventCount: BigInt(count),
      ...(value !== null && { [field]: value }),
      ...(lastAt !== null && { lastAt: new Date(lastAt), lastEvent: lastEvent ?? '' }),
    },
  }));
};

/** The days of some meters by cell, the last one included. */
export async function daysOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  from: LocalDay,
  to: LocalDay,
): Promise<CellAtPlace[]> {
  if (meters.length === 0 || from > to) return [];
  const { rows } = await cellRows(
    meters,
    sql`d.day`,
    sql`usage_day`,
    sql`d.day between ${from}::date and ${to}::date`,
    sql`--hot usage-cell-days\n`,
  ).execute(ctx.db);
  return rows.flatMap(placesOf);
}

/** The hours of some meters by cell in [start, end). */
export async function hoursOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  start: Date,
  end: Date,
): Promise<CellAtPlace[]> {
  if (meters.length === 0) return [];
  const { rows } = await cellRows(
    meters,
    sql`(extract(epoch from d.hour) * 1000)::bigint::text`,
    sql`usage_hour`,
    sql`d.hour >= ${start} and d.hour < ${end}`,
    sql``,
  ).execute(ctx.db);
  return rows.flatMap(placesOf);
}
