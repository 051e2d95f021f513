// SQL of levels: meters whose value persists until the next report.
import { sql, type Kysely } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Stream } from '../rules-streams.ts';
import type { LevelHour as Reports } from '../rules-levels.ts';

/** An hour of one subscription, starting at `hour` in its organization's time zone. */
export type LevelHour = { readonly subscriptionId: string; readonly hour: Date; readonly zone: string };

/**
 * Recomputes hours of services' own meters from their events. A transaction that changes an hour already
 * holds the lock of its usage_hour row, so the second of two concurrent transactions sees the first one's
 * events.
 */
export async function storeLevels(ctx: Ctx, hours: readonly LevelHour[]): Promise<void> {
  const wanted = sql`unnest(${hours.map((each) => each.subscriptionId)}::text[], ${hours.map((each) => each.hour)}::timestamptz[], ${hours.map((each) => new Date(each.hour.getTime() + hourMs))}::timestamptz[], ${hours.map((each) => each.zone)}::text[]) as h (subscription_id, hour, until, zone)`;
  // Corrections may leave an hour without reports.
  await sql`delete from usage_level_hour l using ${wanted} where l.subscription_id = h.subscription_id and l.meter = '' and l.hour = h.hour`.execute(
    ctx.db,
  );
  await sql`insert into usage_level_hour (subscription_id, hour, first_at, area, last_value, last_at)
    select h.subscription_id, h.hour, l.* from ${wanted}
    cross join lateral (
      select min(time), coalesce(sum(value * (extract(epoch from next_at) - extract(epoch from time)) * 1000), 0), (array_agg(value order by time desc, name desc))[1], max(time)
      from (
        select e.value, e.time, s.source || E'\\n' || e.event_id as name, lead(e.time) over (order by e.time, s.source || E'\\n' || e.event_id) as next_at
        from usage_event e join usage_source s on s.id = e.source_id
        where e.subscription_id = h.subscription_id and e.time >= h.hour and e.time < h.until and date_trunc('hour', e.time, h.zone) = h.hour
          and e.type is null and e.voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id)) as event
      having count(*) > 0) as l
    order by 1, 2`.execute(ctx.db);
}

/** An hour of a meter other than services' own, with the totals of its reports by meter and cell. */
export type StreamLevel = Stream & Reports & { readonly hour: Date };

/**
 * Replaces hours of some meters with all their cells; the caller holds the locks of the hours' rows, see
 * {@link storeLevels}.
 */
export async function replaceLevels(
  ctx: Ctx,
  hours: readonly { readonly subscriptionId: string; readonly meter: string; readonly hour: Date }[],
  levels: readonly StreamLevel[],
): Promise<void> {
  await sql`delete from usage_level_hour l using unnest(${hours.map((each) => each.subscriptionId)}::text[], ${hours.map((each) => each.meter)}::text[], ${hours.map((each) => each.hour)}::timestamptz[]) as h (subscription_id, meter, hour)
    where l.subscription_id = h.subscription_id and l.meter = h.meter and l.hour = h.hour`.execute(ctx.db);
  if (levels.length === 0) return;
  await sql`insert into usage_level_hour (subscription_id, meter, cell, hour, first_at, area, last_value, last_at)
    select * from unnest(${levels.map((each) => each.subscriptionId)}::text[], ${levels.map((each) => each.meter)}::text[], ${levels.map((each) => each.cell)}::text[], ${levels.map((each) => each.hour)}::timestamptz[], ${levels.map((each) => each.firstAt)}::timestamptz[],
      ${levels.map((each) => each.area)}::numeric[], ${levels.map((each) => each.lastValue)}::numeric[], ${levels.map((each) => each.lastAt)}::timestamptz[])`.execute(
    ctx.db,
  );
}

/** A period of one stream; several may share a key and add up. */
export type LevelSpan = Stream & {
  readonly key: string;
  readonly from: Date;
  readonly to: Date;
};

/**
 * Returns the sum of levels over periods, by key: value × milliseconds, exact. A level reported before a
 * period continues into it; an hour's reports belong to the period that contains the first of them.
 */
export async function levelAreas(
  db: Kysely<unknown>,
  spans: readonly LevelSpan[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{
    key: string;
    area: string;
  }>`select s.key, sum(case when h.first_at >= s.from_at then h.area else 0 end
      + h.last_value * greatest(0, (extract(epoch from least(coalesce(h.next_at, s.to_at), s.to_at)) - extract(epoch from greatest(h.last_at, s.from_at))) * 1000)) as area
    from unnest(${spans.map((span) => span.key)}::text[], ${spans.map((span) => span.subscriptionId)}::text[], ${spans.map((span) => span.meter)}::text[], ${spans.map((span) => span.cell)}::text[], ${spans.map((span) => span.from)}::timestamptz[], ${spans.map((span) => span.to)}::timestamptz[]) as s (key, subscription_id, meter, cell, from_at, to_at)
    cross join lateral (
      select first_at, area, last_value, last_at, lead(first_at) over (order by hour) as next_at from usage_level_hour l
      where l.subscription_id = s.subscription_id and l.meter = s.meter and l.cell = s.cell and l.first_at < s.to_at and l.hour < s.to_at and l.hour >= coalesce((select b.hour from usage_level_hour b
        where b.subscription_id = s.subscription_id and b.meter = s.meter and b.cell = s.cell and b.hour < s.from_at and b.first_at < s.from_at order by b.hour desc limit 1), '-infinity')) as h
    group by s.key`.execute(db);
  return new Map(rows.map((row) => [row.key, trimDecimal(row.area)]));
}
