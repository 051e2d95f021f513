// SQL of the usage of rate card charges, for many periods of many subscriptions in one statement.
import { sql, type RawBuilder } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { Period } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeteredEvent } from '../rules.ts';
import type { CellRollup } from '../rules-charge-usage.ts';
import { rollupOf } from '../rules-place-cells.ts';
import type { StreamMeter } from '../rules-streams.ts';
import { listColumns, readLists, readsLastValues, type ListTexts } from './store-charge-days.ts';

/** A part [from, to) of a subscription's month, counted by one meter; parts with the same key add up. */
export type StreamPart = {
  readonly key: string;
  readonly subscriptionId: string;
  readonly meter: string;
  readonly from: Date;
  readonly to: Date;
};
/** A whole month of a subscription, counted by one meter. */
export type StreamMonth = Pick<StreamPart, 'key' | 'subscriptionId' | 'meter'> & {
  readonly month: string;
  readonly aggregation: StreamMeter['aggregation'];
};
/** A cell's usage under the key of its request. */
export type KeyedCell = CellRollup & { readonly key: string; readonly meter: string };

const monthColumns = (months: readonly StreamMonth[]): RawBuilder<unknown> =>
  sql`unnest(${months.map((each) => each.key)}::text[], ${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.meter)}::text[], ${months.map((each) => each.month)}::bpchar[]) as p (key, subscription_id, meter, month)`;
/** The columns of parts, for `unnest`. */
export const partColumns = (parts: readonly StreamPart[]): RawBuilder<unknown> =>
  sql`${parts.map((each) => each.key)}::text[], ${parts.map((each) => each.subscriptionId)}::text[], ${parts.map((each) => each.meter)}::text[], ${parts.map((each) => each.from)}::timestamptz[], ${parts.map((each) => each.to)}::timestamptz[]`;

type CellsOfMonth = ListTexts & {
  readonly month: bigint;
  readonly cells: readonly string[];
  readonly distincts: readonly string[];
};

/** Returns the cells of whole months, with the values that their meters' aggregations read. */
export async function cellsOfWholeMonths(ctx: Ctx, months: readonly StreamMonth[]): Promise<KeyedCell[]> {
  if (months.length === 0) return [];
  const withLast = months.some(readsLastValues);
  const { rows } =
    await sql<CellsOfMonth>`--hot ${sql.raw(withLast ? 'usage-cell-months-last' : 'usage-cell-months')}\n select p.place as month, json_agg(m.cell) as cells, json_agg(m.distinct_count::text) as distincts, ${listColumns(sql`p.aggregation`, sql`m`, withLast)}
    from unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.meter)}::text[], ${months.map((each) => each.month)}::bpchar[], ${months.map((each) => each.aggregation)}::text[]) with ordinality as p (subscription_id, meter, month, aggregation, place)
    join usage_month m on m.subscription_id = p.subscription_id and m.meter = p.meter and m.month = p.month group by 1`.execute(
      ctx.db,
    );
  return rows.flatMap(({ month, cells, distincts, ...texts }) => {
    const of = required(months[Number(month) - 1], 'a month that was asked for');
    const lists = readLists(texts);
    return cells.map((cell, at) => ({
      key: of.key,
      meter: of.meter,
      ...rollupOf(of, cell, lists, at),
      distinct: BigInt(distincts[at] ?? '0'),
    }));
  });
}

/** Returns the cells of parts: the hours that begin in one of them. */
export async function cellsOfParts(ctx: Ctx, parts: readonly StreamPart[]): Promise<KeyedCell[]> {
  if (parts.length === 0) return [];
  const latest = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(array_agg(${column} order by h.last_at desc, h.last_event desc))[1]`;
  const { rows } =
    await sql<KeyedCell>`select p.key, h.meter, h.cell, sum(h.event_count)::bigint as "eventCount", sum(h.sum) as sum, max(h.max) as max, min(h.min) as min, ${latest(sql`h.last_value`)} as "lastValue", max(h.last_at) as "lastAt", ${latest(sql`h.last_event`)} as "lastEvent"
    from unnest(${partColumns(parts)}) as p (key, subscription_id, meter, from_at, to_at)
    join usage_hour h on h.subscription_id = p.subscription_id and h.meter = p.meter and h.hour >= p.from_at and h.hour < p.to_at and h.event_count > 0
    group by 1, 2, 3`.execute(ctx.db);
  return rows;
}

/** A number of distinct values; without a cell, over all cells together. */
export type ValueCount = {
  readonly key: string;
  readonly meter: string;
  readonly cell: string | null;
  readonly count: bigint;
};

/** Counts the distinct values of whole months over all cells together. */
export async function valuesOfWholeMonths(ctx: Ctx, months: readonly StreamMonth[]): Promise<ValueCount[]> {
  if (months.length === 0) return [];
  const { rows } = await sql<ValueCount>`select p.key, p.meter, null as cell, count(distinct d.value) as count
    from ${monthColumns(months)} join usage_distinct d on d.subscription_id = p.subscription_id and d.meter = p.meter and d.month = p.month group by 1, 2`.execute(
    ctx.db,
  );
  return rows;
}

/** Counts the distinct values of parts, in each cell and over all together. */
export async function valuesOfParts(ctx: Ctx, parts: readonly StreamPart[]): Promise<ValueCount[]> {
  if (parts.length === 0) return [];
  const { rows } =
    await sql<ValueCount>`select p.key, p.meter, d.cell, count(distinct d.value) as count from unnest(${partColumns(parts)}) as p (key, subscription_id, meter, from_at, to_at)
    join usage_distinct_hour d on d.subscription_id = p.subscription_id and d.meter = p.meter and d.hour >= p.from_at and d.hour < p.to_at
    group by grouping sets ((p.key, p.meter, d.cell), (p.key, p.meter))`.execute(ctx.db);
  return rows;
}

/** Returns all cells that some meters ever had: a level persists through months without events. */
export async function cellsOfMeters(
  ctx: Ctx,
  meters: readonly { readonly subscriptionId: string; readonly meter: string }[],
): Promise<{ subscriptionId: string; meter: string; cell: string }[]> {
  if (meters.length === 0) return [];
  const { rows } = await sql<{
    subscriptionId: string;
    meter: string;
    cell: string;
  }>`select distinct m.subscription_id as "subscriptionId", m.meter, m.cell
    from unnest(${meters.map((each) => each.subscriptionId)}::text[], ${meters.map((each) => each.meter)}::text[]) as p (subscription_id, meter)
    join usage_month m on m.subscription_id = p.subscription_id and m.meter = p.meter`.execute(ctx.db);
  return rows;
}

/** One sample's sum; without a cell, over all cells together. */
export type Sample = {
  readonly key: string;
  readonly meter: string;
  readonly cell: string | null;
  readonly sum: string;
};

/**
 * Returns the samples that determine a percentile, in each cell and over all together: per key the `most`
 * highest, and the negative ones.
 */
export async function highestSamples(
  ctx: Ctx,
  parts: readonly (StreamPart & { readonly most: number })[],
): Promise<Sample[]> {
  if (parts.length === 0) return [];
  const { rows } = await sql<Sample>`select key, meter, cell, sum from (
      select p.key, p.meter, s.cell, sum(s.sum) as sum, max(p.most) as most, row_number() over (partition by p.key, p.meter, s.cell, grouping(s.cell) order by sum(s.sum) desc) as place
      from unnest(${partColumns(parts)}, ${parts.map((each) => each.most)}::int[]) as p (key, subscription_id, meter, from_at, to_at, most)
      join usage_sample s on s.subscription_id = p.subscription_id and s.meter = p.meter and s.start >= p.from_at and s.start < p.to_at
      group by grouping sets ((p.key, p.meter, s.start, s.cell), (p.key, p.meter, s.start))
    ) as sample where place <= most or sum < 0`.execute(ctx.db);
  return rows;
}

/**
 * Returns the events of a part at times in [start, end), limited to the meter's type, without corrections and
 * the events they canceled; in no order, at most `limit`.
 */
export async function eventsWithin(
  ctx: Ctx,
  { subscriptionId, from, to }: StreamPart,
  {
    meter,
    ownType,
    zone,
  }: { readonly meter: { readonly eventType: string }; readonly ownType: string; readonly zone: string },
  { start, end }: Period,
  limit: number | null,
): Promise<MeteredEvent[]> {
  const { rows } = await sql<
    Omit<MeteredEvent, 'type' | 'isTimed'>
  >`select s.source, e.event_id as id, e.subscription_id as "subscriptionId", e.time, e.value, e.properties
    from usage_event e join usage_source s on s.id = e.source_id
    where e.subscription_id = ${subscriptionId} and e.time >= ${start} and e.time < ${end}
      and date_trunc('hour', e.time, ${zone}) >= ${from} and date_trunc('hour', e.time, ${zone}) < ${to} and coalesce(e.type, ${ownType}) = ${meter.eventType}
      and e.voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id)
    limit ${limit}`.execute(ctx.db);
  return rows.map((event) => ({ ...event, type: meter.eventType, isTimed: true }));
}
