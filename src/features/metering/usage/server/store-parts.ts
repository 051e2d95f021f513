// SQL of usage by services' own meters in parts of months, for many parts in one statement.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Rollup } from '../rules.ts';

type Part = {
  readonly key: string;
  readonly from: Date;
  readonly to: Date;
  readonly subscription: { readonly id: string };
};
const columnsOf = (parts: readonly Part[]): RawBuilder<unknown> =>
  sql`${parts.map((part) => part.key)}::text[], ${parts.map((part) => part.subscription.id)}::text[], ${parts.map((part) => part.from)}::timestamptz[], ${parts.map((part) => part.to)}::timestamptz[]`;

/** Returns the rollup of each key's parts; keys without usage are left out. */
export async function partRollups(
  db: Kysely<unknown>,
  parts: readonly Part[],
): Promise<ReadonlyMap<string, Rollup>> {
  const { rows } = await sql<
    Rollup & { key: string }
  >`select p.key, sum(h.event_count)::bigint as "eventCount", sum(h.sum) as sum, max(h.max) as max, (array_agg(h.last_value order by h.last_at desc, h.last_event desc))[1] as "lastValue"
    from unnest(${columnsOf(parts)}) as p (key, subscription_id, from_at, to_at) join usage_hour h on h.subscription_id = p.subscription_id and h.meter = '' and h.hour >= p.from_at and h.hour < p.to_at and h.event_count > 0
    group by p.key`.execute(db);
  return new Map(rows.map(({ key, ...rollup }) => [key, rollup]));
}

/** Counts the distinct values in each part's hours, by key. */
export async function partDistincts(
  db: Kysely<unknown>,
  parts: readonly Part[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{
    key: string;
    count: bigint;
  }>`select p.key, count(distinct d.value) as count from unnest(${columnsOf(parts)}) as p (key, subscription_id, from_at, to_at)
    join usage_distinct_hour d on d.subscription_id = p.subscription_id and d.meter = '' and d.hour >= p.from_at and d.hour < p.to_at group by p.key`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.key, row.count]));
}
