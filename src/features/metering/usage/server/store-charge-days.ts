// SQL of the days and hours of rate card meters.
import { sql, type RawBuilder } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, daysBetween } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CellPlaces, RollupLists } from '../rules-place-cells.ts';
import { allKey, ownKey, wholeCell, type StreamMeter } from '../rules-streams.ts';

/** A meter of a subscription, with its aggregation. */
export type MeterOfSubscription = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly aggregation: StreamMeter['aggregation'];
};
/**
 * The value an aggregation reads from a rollup, as text; null for an aggregation that reads the count or no
 * rollup. A minimum that was not recorded becomes 0, because a null would be missing from the list.
 */
const readBy = (aggregation: RawBuilder<unknown>, rollup: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case ${aggregation} when 'sum' then ${rollup}.sum when 'avg' then ${rollup}.sum when 'max' then ${rollup}.max when 'min' then coalesce(${rollup}.min, 0) when 'latest' then ${rollup}.last_value end::text`;

/**
 * Rollups as columns of {@link RollupLists}. Reading the times of last values costs as much as everything
 * else, so they are read only if a meter needs them.
 */
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
/** Lists as texts without commas in their items, as {@link listColumns} returns them. */
export type ListTexts = Pick<RollupLists, 'lastAts' | 'lastEvents'> & {
  readonly counts: string;
  readonly values: string | null;
};
/** Parses {@link listColumns}. */
export const readLists = ({ counts, values, lastAts, lastEvents }: ListTexts): RollupLists => ({
  counts: counts.split(','),
  values: values?.split(',') ?? null,
  lastAts,
  lastEvents,
});
/** Whether an aggregation reads the times of last values. */
export const readsLastValues = ({ aggregation }: Pick<MeterOfSubscription, 'aggregation'>): boolean =>
  aggregation === 'latest';

type CellRow = ListTexts & { readonly meter: bigint; readonly cell: string; readonly places: string };
/** A row without a meter holds the version of a subscription's days. */
type VersionRow = { readonly meter: null; readonly cell: string; readonly places: string };

/** A table with the places of cells: which of them to read, and how each is written and named. */
type PlaceTable = {
  readonly statement: string;
  readonly table: RawBuilder<unknown>;
  readonly isWithin: RawBuilder<unknown>;
  readonly place: RawBuilder<unknown>;
  readonly nameOf: (place: string) => string;
  /** A query of subscription ids and versions, read in the same snapshot. */
  readonly versions?: RawBuilder<unknown>;
};
/** The places of the cells of each requested meter, and the versions of subscriptions that have any rows. */
type CellsWithVersions = {
  readonly cells: readonly (readonly CellPlaces[])[];
  readonly versions: ReadonlyMap<string, string>;
};

/** Reads the places of the cells of each meter. */
async function cellsOf(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  { statement, table, isWithin, place, nameOf, versions }: PlaceTable,
): Promise<CellsWithVersions> {
  const cells = meters.map((): CellPlaces[] => []);
  const found = new Map<string, string>();
  if (meters.length === 0) return { cells, versions: found };
  const withLast = meters.some(readsLastValues);
  // One row per cell, with lists: one row per place would cost several times as much to send and to parse.
  const { rows } = await sql<
    CellRow | VersionRow
  >`--hot ${sql.raw(withLast ? `${statement}-last` : statement)}\n select p.meter, d.cell, string_agg(${place}::text, ',') as places, ${listColumns(sql`p.aggregation`, sql`d`, withLast)}
    from unnest(${meters.map((each) => each.subscriptionId)}::text[], ${meters.map((each) => each.meter)}::text[], ${meters.map((each) => each.aggregation)}::text[]) with ordinality as p (subscription_id, key, aggregation, meter)
    join ${table} d on d.subscription_id = p.subscription_id and d.meter = p.key and ${isWithin} where d.event_count > 0 group by 1, 2
    ${versions ? sql`union all select null, v.id, v.version, null, null, null::json, null::json from (${versions}) as v` : sql``}`.execute(
    ctx.db,
  );
  for (const row of rows) {
    if (row.meter === null) {
      found.set(row.cell, row.places);
      continue;
    }
    const { meter, cell, places, ...lists } = row;
    cells[Number(meter) - 1]?.push({ cell, places: places.split(',').map(nameOf), ...readLists(lists) });
  }
  return { cells, versions: found };
}

/**
 * The versions of subscriptions' days. Every event is counted by the service's own meter or in the row of all
 * others, in the same statement as by its charges' meters, and a correction rewrites a day's rows: as long as
 * these rows are unchanged, so are all of the subscription's days. A rewritten row has a different place in
 * the table (ctid) and a different transaction (xmin). Add-ons have no such rows.
 */
const versionsOf = (
  subscriptionIds: readonly string[],
  from: LocalDay,
  to: LocalDay,
): RawBuilder<unknown> => sql`select subscription_id as id, string_agg(meter || (day - ${from}::date) || ctid::text || xmin::text || ':' || event_count, ' ' order by meter, day) as version
      from usage_day where subscription_id = any(${subscriptionIds}::text[]) and meter in (${sql.lit(ownKey)}, ${sql.lit(allKey)}) and cell = ${sql.lit(wholeCell)} and day between ${from}::date and ${to}::date group by 1`;

/**
 * Returns the versions of the days of some subscriptions, the last day included; none for a subscription
 * without usage.
 */
export async function dayVersions(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  from: LocalDay,
  to: LocalDay,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{
    id: string;
    version: string;
  }>`--hot usage-day-versions\n ${versionsOf(subscriptionIds, from, to)}`.execute(ctx.db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Returns the days of each meter by cell, the last one included, and the versions of their rows. */
export async function daysOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  from: LocalDay,
  to: LocalDay,
): Promise<CellsWithVersions> {
  const names = Array.from(
    { length: daysBetween(from, to) + 1 },
    (_, index) => addDays(from, index) as string,
  );
  return cellsOf(ctx, meters, {
    statement: 'usage-cell-days-versions',
    table: sql`usage_day`,
    isWithin: sql`d.day between ${from}::date and ${to}::date`,
    // A number of one or two digits is written and sent in half the time of a date.
    place: sql`(d.day - ${from}::date)`,
    nameOf: (number) => names[Number(number)] ?? '',
    versions: versionsOf([...new Set(meters.map(({ subscriptionId }) => subscriptionId))], from, to),
  });
}

/** Returns the hours of each meter by cell in [start, end), named by the milliseconds at which they begin. */
export async function hoursOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  start: Date,
  end: Date,
): Promise<CellsWithVersions['cells']> {
  const { cells } = await cellsOf(ctx, meters, {
    statement: 'usage-cell-hours',
    table: sql`usage_hour`,
    isWithin: sql`d.hour >= ${start} and d.hour < ${end}`,
    place: sql`(extract(epoch from d.hour) * 1000)::bigint`,
    nameOf: (milliseconds) => milliseconds,
  });
  return cells;
}
