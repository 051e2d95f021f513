// SQL of the monthly partitions of raw events.
import { sql, type Kysely } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Tables } from '#platform/server/database/tables.ts';

const prefix = 'usage_event_';
const nameOf = (month: BillingMonth): string => `${prefix}${month.replace('-', '')}`;

/** Creates the partition of a month in UTC unless it exists; answers whether it existed. */
export async function makePartition(db: Kysely<Tables>, month: BillingMonth): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select usage_partition(${`${month}-01`}::date) as there`.execute(db);
  return rows[0]?.there ?? false;
}

/** The months that have a partition, the earliest first. */
export async function partitionMonths(db: Kysely<Tables>): Promise<BillingMonth[]> {
  const { rows } = await sql<{
    name: string;
  }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_event'::regclass order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => `${name.slice(prefix.length, -2)}-${name.slice(-2)}` as BillingMonth);
}

/** Drops a month's events; their rollups, and the fact that they are known, stay. */
export async function dropPartition(db: Kysely<Tables>, month: BillingMonth): Promise<void> {
  await sql`drop table ${sql.ref(nameOf(month))}`.execute(db);
}
