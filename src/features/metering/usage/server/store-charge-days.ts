// SQL of the days and hours of rate cards' meters.
import { sql, type RawBuilder } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, daysBetween } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CellPlaces, RollupLists } from '../rules-place-cells.ts';
import type { StreamMeter } from '../rules-streams.ts';

/** A meter of a subscription, with what it makes of events. */
export type MeterOfSubscription = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly aggregation: StreamMeter['aggregation'];
};
/**
 * What an aggregation reads of a rollup, as text; null for one that reads its count, or no rollup. A smallest value that was not noted
 * is nothing: a null would be missing from the list.
 */
const readBy = (aggregation: RawBuilder<unknown>, rollup: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case ${aggregation} when 'sum' then ${rollup}.sum when 'avg' then ${rollup}.sum when 'max' then ${rollup}.max when 'min' then coalesce(${rollup}.min, 0) when 'latest' then ${rollup}.last_value end::text`;

/** Rollups as columns of {@link RollupLists}. When last values came costs as much as all the rest, so it is read if a meter asks for it. */
export const listColumns = (
  aggregation: RawBuilder<unknown>,
  rollup: RawBuilder<unknown>,
  withLast: boolean,
): RawBuilder<unknown> =>
  sql`string_agg(${rollup}.event_count::text, ',') as counts, string_agg(${readBy(aggregation, rollup)}, ',') as values, ${
    withLast
      ? sql`json_agg(extract(epoch from ${rollup}.last_at) * 1000) filter (where ${aggregation} = 'latest') as "lastAts", json_agg(${rollup}.last_event) filter (where ${aggregation} = 'latest') as "lastEvents"`
      : sql`null as "lastAts", null as "lastEvents"`
  }`;
/** Lists of texts without commas, as {@link listColumns} writes them. */
export type ListTexts = Pick<RollupLists, 'lastAts' | 'lastEvents'> & {
  readonly counts: string;
  readonly values: string | null;
};
/** Reads {@link listColumns}. */
export const readLists = ({ counts, values, lastAts, lastEvents }: ListTexts): RollupLists => ({
  counts: counts.split(','),
  values: values?.split(',') ?? null,
  lastAts,
  lastEvents,
});
/** Whether an aggregation reads when last values came. */
export const readsLast = ({ aggregation }: Pick<MeterOfSubscription, 'aggregation'>): boolean =>
  aggregation === 'latest';

type CellRow = ListTexts & { readonly meter: bigint; readonly cell: string; readonly places: string };

/** A table with the places of cells: which of them are asked for, and how each is written and named. */
type PlaceTable = {
  readonly statement: string;
  readonly table: RawBuilder<unknown>;
  readonly isWithin: RawBuilder<unknown>;
  readonly place: RawBuilder<unknown>;
  readonly nameOf: (place: string) => string;
};

/** The places of the cells of each meter. */
async function cellsOf(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  { statement, table, isWithin, place, nameOf }: PlaceTable,
): Promise<CellPlaces[][]> {
  const found = meters.map((): CellPlaces[] => []);
  if (meters.length === 0) return found;
  const withLast = meters.some(readsLast);
  // One row for each cell, with lists: a row for each of its places would cost several times as much to send and to read.
  const { rows } =
    await sql<CellRow>`--hot ${sql.raw(withLast ? `${statement}-last` : statement)}\n select p.meter, d.cell, string_agg(${place}::text, ',') as places, ${listColumns(sql`p.aggregation`, sql`d`, withLast)}
    from unnest(${meters.map((each) => each.subscriptionId)}::text[], ${meters.map((each) => each.meter)}::text[], ${meters.map((each) => each.aggregation)}::text[]) with ordinality as p (subscription_id, key, aggregation, meter)
    join ${table} d on d.subscription_id = p.subscription_id and d.meter = p.key and ${isWithin} where d.event_count > 0 group by 1, 2`.execute(
      ctx.db,
    );
  for (const { meter, cell, places, ...lists } of rows)
    found[Number(meter) - 1]?.push({ cell, places: places.split(',').map(nameOf), ...readLists(lists) });
  return found;
}

/** The days of each of some meters by cell, the last one included. */
export async function daysOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  from: LocalDay,
  to: LocalDay,
): Promise<CellPlaces[][]> {
  const names = Array.from(
    { length: daysBetween(from, to) + 1 },
    (_, index) => addDays(from, index) as string,
  );
  return cellsOf(ctx, meters, {
    statement: 'usage-cell-day-numbers',
    table: sql`usage_day`,
    isWithin: sql`d.day between ${from}::date and ${to}::date`,
    // A number of one or two digits is written and sent in half of the time of a date.
    place: sql`(d.day - ${from}::date)`,
    nameOf: (number) => names[Number(number)] ?? '',
  });
}

/** The hours of each of some meters by cell in [start, end), named by the milliseconds at which they begin. */
export async function hoursOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  start: Date,
  end: Date,
): Promise<CellPlaces[][]> {
  return cellsOf(ctx, meters, {
    statement: 'usage-cell-hours',
    table: sql`usage_hour`,
    isWithin: sql`d.hour >= ${start} and d.hour < ${end}`,
    place: sql`(extract(epoch from d.hour) * 1000)::bigint`,
    nameOf: (milliseconds) => milliseconds,
  });
}
