// SQL of the days and hours of a month that saw a value first: what each adds to a distinct count.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

const placeOf = (grain: 'day' | 'hour', zone: string): RawBuilder<unknown> =>
  grain === 'day'
    ? sql`to_char(first at time zone ${zone}, 'YYYY-MM-DD')`
    : sql`(extract(epoch from first) * 1000)::bigint::text`;

/**
 * Counts the values that occurred first at each place of some subscriptions' months, by `${subscriptionId}
 * ${place}`; a place is a day, or the milliseconds at which an hour begins. `start` must be the start of a
 * month.
 */
export async function firstSeen(
  ctx: Ctx,
  query: { subscriptionIds: readonly string[]; grain: 'day' | 'hour'; zone: string; start: Date; end: Date },
): Promise<ReadonlyMap<string, bigint>> {
  if (query.subscriptionIds.length === 0) return new Map();
  const { rows } = await sql<{
    key: string;
    count: bigint;
  }>`select subscription_id || ' ' || ${placeOf(query.grain, query.zone)} as key, count(*) as count from (
      select subscription_id, value, min(hour) as first from usage_distinct_hour where subscription_id = any(${[...query.subscriptionIds]}::text[]) and meter = '' and hour >= ${query.start} and hour < ${query.end}
      group by subscription_id, to_char(hour at time zone ${query.zone}, 'YYYY-MM'), value) as seen group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.key, row.count]));
}

/** What a day or an hour adds to a distinct count; without a cell, over all cells together. */
export type FirstSeen = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly cell: string | null;
  readonly place: string;
  readonly count: bigint;
};

/** A part [from, to) of a subscription's price period; parts with the same `period` are one. */
export type SeenPart = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly period: string;
  readonly from: Date;
  readonly to: Date;
};

/**
 * The same as {@link firstSeen} for any meter and for price periods, in each cell and over all together: a new
 * price counts a value again, as bills do.
 */
export async function firstSeenInCells(
  ctx: Ctx,
  query: {
    parts: readonly SeenPart[];
    grain: 'day' | 'hour';
    zone: string;
    end: Date;
  },
): Promise<FirstSeen[]> {
  const { parts } = query;
  if (parts.length === 0) return [];
  const { rows } = await sql<FirstSeen>`
    select subscription_id as "subscriptionId", meter, cell, ${placeOf(query.grain, query.zone)} as place, count(*) as count from (
      select d.subscription_id, d.meter, d.cell, min(d.hour) as first
      from unnest(${parts.map((each) => each.subscriptionId)}::text[], ${parts.map((each) => each.meter)}::text[], ${parts.map((each) => each.period)}::text[], ${parts.map((each) => each.from)}::timestamptz[], ${parts.map((each) => each.to)}::timestamptz[]) as p (subscription_id, meter, period, from_at, to_at)
      join usage_distinct_hour d on d.subscription_id = p.subscription_id and d.meter = p.meter and d.hour >= p.from_at and d.hour < p.to_at and d.hour < ${query.end}
      group by grouping sets ((d.subscription_id, d.meter, p.period, d.value, d.cell), (d.subscription_id, d.meter, p.period, d.value))
    ) as seen group by 1, 2, 3, 4`.execute(ctx.db);
  return rows;
}
