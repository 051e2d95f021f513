// What usage asks the database about levels: meters whose value stays until the next report says otherwise.
import { sql, type Kysely } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { Tables } from '#platform/server/tables.ts';

/** An hour of one subscription, begun at `hour` in its organization's zone. */
export type LevelHour = { readonly subscriptionId: string; readonly hour: Date };

const hourMs = 3_600_000;

/**
 * Works hours out anew from their events. Whoever changes an hour holds its row of usage_hour by then, so of two at once the
 * second one sees the first one's events.
 */
export async function keepLevels(ctx: Ctx, hours: readonly LevelHour[]): Promise<void> {
  await sql`insert into usage_level_hour (subscription_id, hour, first_at, area, last_value, last_at)
    select h.subscription_id, h.hour, l.* from unnest(${hours.map((each) => each.subscriptionId)}::text[], ${hours.map((each) => each.hour)}::timestamptz[], ${hours.map((each) => new Date(each.hour.getTime() + hourMs))}::timestamptz[]) as h (subscription_id, hour, until)
    cross join lateral (
      select min(time), coalesce(sum(value * (extract(epoch from next_at) - extract(epoch from time)) * 1000), 0), (array_agg(value order by time desc, source desc, event_id desc))[1], max(time)
      from (select *, lead(time) over (order by time, source, event_id) as next_at from usage_event where subscription_id = h.subscription_id and time >= h.hour and time < h.until) as event) as l
    order by 1, 2
    on conflict (subscription_id, hour) do update set first_at = excluded.first_at, area = excluded.area, last_value = excluded.last_value, last_at = excluded.last_at`.execute(ctx.db);
}

/** A stretch of time of one subscription; several may carry one key and add up. */
export type LevelSpan = { readonly key: string; readonly subscriptionId: string; readonly from: Date; readonly to: Date };

/**
 * What levels come to over stretches of time, by key: value × milliseconds, exact. A level that was reported before a stretch
 * goes on into it; an hour's reports belong to the stretch in which the first one lies.
 */
export async function levelAreas(db: Kysely<Tables>, spans: readonly LevelSpan[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ key: string; area: string }>`select s.key, sum(case when h.first_at >= s.from_at then h.area else 0 end
      + h.last_value * greatest(0, (extract(epoch from least(coalesce(h.next_at, s.to_at), s.to_at)) - extract(epoch from greatest(h.last_at, s.from_at))) * 1000)) as area
    from unnest(${spans.map((span) => span.key)}::text[], ${spans.map((span) => span.subscriptionId)}::text[], ${spans.map((span) => span.from)}::timestamptz[], ${spans.map((span) => span.to)}::timestamptz[]) as s (key, subscription_id, from_at, to_at)
    cross join lateral (
      select first_at, area, last_value, last_at, lead(first_at) over (order by hour) as next_at from usage_level_hour l
      where l.subscription_id = s.subscription_id and l.first_at < s.to_at and l.hour < s.to_at and l.hour >= coalesce((select b.hour from usage_level_hour b
        where b.subscription_id = s.subscription_id and b.hour < s.from_at and b.first_at < s.from_at order by b.hour desc limit 1), '-infinity')) as h
    group by s.key`.execute(db);
  return new Map(rows.map((row) => [row.key, trimDecimal(row.area)]));
}
