// SQL of distinct values, for meters that count them.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Stream } from '../rules-streams.ts';

/** A value carried by an event of a meter that counts distinct values. */
export type SeenValue = Stream & {
  readonly month: string;
  readonly hour: Date;
  readonly value: string;
};

/** Returns the key of a stream's month. */
export const monthKey = ({
  subscriptionId,
  meter,
  cell,
  month,
}: Stream & { readonly month: string }): string => `${subscriptionId}\n${meter}\n${cell}\n${month}`;

/**
 * Stores values by hour and month, and returns the distinct counts of the months that got new values, by
 * {@link monthKey}.
 */
export async function rememberValues(
  ctx: Ctx,
  values: readonly SeenValue[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<Stream & { month: string; count: bigint }>`with v as materialized (
      select * from unnest(${values.map((each) => each.subscriptionId)}::text[], ${values.map((each) => each.meter)}::text[], ${values.map((each) => each.cell)}::text[], ${values.map((each) => each.month)}::bpchar[], ${values.map((each) => each.hour)}::timestamptz[], ${values.map((each) => each.value)}::text[]) as v (subscription_id, meter, cell, month, hour, value)
    ), hours as (
      insert into usage_distinct_hour (subscription_id, meter, cell, hour, value) select distinct subscription_id, meter collate "C", cell collate "C", hour, value from v order by 1, 2, 3, 4, 5 on conflict do nothing
    ), fresh as (
      insert into usage_distinct (subscription_id, meter, cell, month, value) select distinct subscription_id, meter collate "C", cell collate "C", month, value from v order by 1, 2, 3, 4, 5 on conflict do nothing returning subscription_id, meter, cell, month
    )
    update usage_month m set distinct_count = m.distinct_count + f.count from (select subscription_id, meter, cell, month, count(*) as count from fresh group by 1, 2, 3, 4) as f
      where m.subscription_id = f.subscription_id and m.meter = f.meter and m.cell = f.cell and m.month = f.month
      returning m.subscription_id as "subscriptionId", m.meter, m.cell, m.month, m.distinct_count as count`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [monthKey(row), row.count]));
}
