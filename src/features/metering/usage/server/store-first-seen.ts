// Which days and hours of a month saw a value first: what each adds to a count of different ones.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/**
 * How many values occurred first at each place of some subscriptions' months, by `${subscriptionId}
 * ${place}`; a place is a day, or the milliseconds at which an hour begins. `start` must begin a month.
 */
export async function firstSeen(
  ctx: Ctx,
  query: { subscriptionIds: readonly string[]; grain: 'day' | 'hour'; zone: string; start: Date; end: Date },
): Promise<ReadonlyMap<string, bigint>> {
  if (query.subscriptionIds.length === 0) return new Map();
  const place: RawBuilder<unknown> =
    query.grain === 'day'
      ? sql`to_char(first at time zone ${query.zone}, 'YYYY-MM-DD')`
      : sql`(extract(epoch from first) * 1000)::bigint::text`;
  const { rows } = await sql<{
    key: string;
    count: bigint;
  }>`select subscription_id || ' ' || ${place} as key, count(*) as count from (
      select subscription_id, value, min(hour) as first from usage_distinct_hour where subscription_id = any(${[...query.subscriptionIds]}::text[]) and meter = '' and hour >= ${query.start} and hour < ${query.end}
      group by subscription_id, to_char(hour at time zone ${query.zone}, 'YYYY-MM'), value) as seen group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.key, row.count]));
}
