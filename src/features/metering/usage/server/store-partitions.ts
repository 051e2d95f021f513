// SQL of the monthly partitions of raw events.
import { sql, type Kysely } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

const prefix = 'usage_event_';
/** The name of a month's partition. */
export const partitionName = (month: BillingMonth): string => `${prefix}${month.replace('-', '')}`;

/** Creates the partition of a month in UTC unless it exists; returns whether it existed. */
export async function makePartition(db: Kysely<unknown>, month: BillingMonth): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select usage_partition(${`${month}-01`}::date) as there`.execute(db);
  return rows[0]?.there ?? false;
}

/** Lists the months that have a partition, earliest first. */
export async function partitionMonths(db: Kysely<unknown>): Promise<BillingMonth[]> {
  const { rows } = await sql<{
    name: string;
  }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_event'::regclass order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => `${name.slice(prefix.length, -2)}-${name.slice(-2)}` as BillingMonth);
}

/** Drops a month's events; their rollups and known ids are kept. */
export async function dropPartition(db: Kysely<unknown>, month: BillingMonth): Promise<void> {
  await sql`drop table ${sql.ref(partitionName(month))}`.execute(db);
}

/** The source number and the id of a known event. */
export type KnownId = { readonly sourceId: number; readonly id: string };

const idsAtOnce = 20_000;

/**
 * Scans the next known events after one, and deletes those that were sent with a time before `since`.
 * @returns the last event scanned; undefined when there are no more
 */
export async function forgetIds(
  ctx: Ctx,
  since: Date,
  after: KnownId | undefined,
): Promise<{ readonly last: KnownId | undefined }> {
  const { rows } = await sql<KnownId>`with looked as materialized (
      select source_id, event_id, time from usage_key where ${after ? sql`(source_id, event_id) > (${after.sourceId}, ${after.id})` : sql`true`} order by source_id, event_id limit ${idsAtOnce}
    ), gone as (
      delete from usage_key k using looked l where k.source_id = l.source_id and k.event_id = l.event_id and l.time < ${since}
    )
    select source_id as "sourceId", event_id as id from looked order by source_id desc, event_id desc limit 1`.execute(
    ctx.db,
  );
  return { last: rows[0] };
}
