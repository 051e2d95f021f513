// SQL of distinct values, for meters that count them.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** A value that an event of a meter that counts different ones carries. */
export type SeenValue = {
  readonly subscriptionId: string;
  readonly month: string;
  readonly hour: Date;
  readonly value: string;
};

/** Remembers values by hour and month, and answers how many different ones the months have that got new ones, by `${subscriptionId} ${month}`. */
export async function rememberValues(
  ctx: Ctx,
  values: readonly SeenValue[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ key: string; count: bigint }>`with v as materialized (
      select * from unnest(${values.map((each) => each.subscriptionId)}::text[], ${values.map((each) => each.month)}::bpchar[], ${values.map((each) => each.hour)}::timestamptz[], ${values.map((each) => each.value)}::text[]) as v (subscription_id, month, hour, value)
    ), hours as (
      insert into usage_distinct_hour (subscription_id, hour, value) select distinct subscription_id, hour, value from v order by 1, 2, 3 on conflict do nothing
    ), fresh as (
      insert into usage_distinct (subscription_id, month, value) select distinct subscription_id, month, value from v order by 1, 2, 3 on conflict do nothing returning subscription_id, month
    )
    update usage_month m set distinct_count = m.distinct_count + f.count from (select subscription_id, month, count(*) as count from fresh group by 1, 2) as f
      where m.subscription_id = f.subscription_id and m.month = f.month returning m.subscription_id || ' ' || m.month as key, m.distinct_count as count`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.key, row.count]));
}
