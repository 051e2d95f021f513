// SQL of monitoring: the database itself, messages and jobs.
import { sql } from 'kysely';
import { required } from '#kernel/assert.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { JobState, MessageQueue, Monitoring } from '../contract.ts';

const biggestTables = 8;

/** Returns the current state of the database; `answerMs` is the duration of the simplest query. */
export async function databaseNow(
  ctx: Ctx,
): Promise<Omit<Monitoring['database'], 'verdict' | 'isEmbedded' | 'replica'>> {
  const began = performance.now();
  await sql`select 1`.execute(ctx.db);
  const answerMs = Math.round((performance.now() - began) * 10) / 10;
  const { rows } = await sql<{
    version: string;
    bytes: bigint;
    connections: number;
    mostConnections: number;
    longestSeconds: number;
    cachePercent: number | null;
    migrations: number;
    lastMigration: string;
  }>`
    select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections, current_setting('max_connections')::int as "mostConnections",
      coalesce((select extract(epoch from max(clock_timestamp() - xact_start))::float8 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'), 0) as "longestSeconds",
      (select round(1000.0 * blks_hit / nullif(blks_hit + blks_read, 0))::float8 / 10 from pg_stat_database where datname = current_database()) as "cachePercent",
      (select count(*)::int from schema_migration) as migrations, (select name from schema_migration order by applied_at desc, name desc limit 1) as "lastMigration"`.execute(
    ctx.db,
  );
  const { rows: tables } = await sql<{ name: string; bytes: bigint; rows: number }>`
    select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::int8 as bytes, sum(greatest(c.reltuples, 0))::float8 as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname in ('public', 'job') group by 1 order by 2 desc limit ${biggestTables}`.execute(
    ctx.db,
  );
  const row = required(rows[0], 'the database’s figures');
  return {
    ...row,
    bytes: Number(row.bytes),
    longestSeconds: Math.max(0, Math.round(row.longestSeconds)),
    answerMs,
    tables: tables.map((table) => ({ ...table, bytes: Number(table.bytes) })),
  };
}

/**
 * Returns the kinds of messages with waiting or failed ones; each count uses its own index, so sent messages
 * cost nothing.
 */
export async function messageQueueStates(ctx: Ctx): Promise<Omit<MessageQueue, 'verdict'>[]> {
  const { rows } = await sql<{
    kind: string;
    waiting: number;
    oldestDueAt: Date | null;
    failing: number;
    lastError: string | null;
    parked: number;
  }>`
    select kind, count(*) filter (where not is_parked)::int as waiting, min(due_at) filter (where not is_parked) as "oldestDueAt",
      count(*) filter (where not is_parked and attempts > 0)::int as failing, max(last_error) filter (where attempts > 0) as "lastError", count(*) filter (where is_parked)::int as parked
    from (select kind, due_at, attempts, last_error, false as is_parked from outbox where sent_at is null and parked_at is null and kind <> 'live' and due_at <= ${ctx.now}
      union all select kind, due_at, attempts, last_error, false from outbox where kind = 'live' and sent_at is null and parked_at is null
      union all select kind, due_at, attempts, last_error, true from outbox where parked_at is not null and sent_at is null) as open group by kind`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns the state of jobs. pg-boss keeps them in its own schema, finished ones for days. */
export async function jobsNow(
  ctx: Ctx,
): Promise<Map<string, Omit<JobState, 'verdict' | 'schedule' | 'name'>>> {
  // pg-boss uses the database's clock.
  const { rows } = await sql<{
    name: string;
    waiting: number;
    active: number;
    waitedSeconds: number;
    lastDoneAt: Date | null;
    lastFailedAt: Date | null;
    failed: number;
  }>`
    select name, count(*) filter (where state < 'active' and start_after <= now())::int as waiting, count(*) filter (where state = 'active')::int as active,
      coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)::int as "waitedSeconds",
      max(completed_on) filter (where state = 'completed') as "lastDoneAt", max(completed_on) filter (where state = 'failed') as "lastFailedAt",
      count(*) filter (where state = 'failed' and completed_on > now() - make_interval(secs => ${dayMs / 1000}))::int as failed
    from job.job group by name`.execute(ctx.db);
  return new Map(rows.map(({ name, ...job }) => [name, job]));
}

/** Counts the unexpected errors within the last 24 hours. */
export async function countUnexpectedErrors(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from fault where at > ${new Date(ctx.now.getTime() - dayMs)}`.execute(
    ctx.db,
  );
  return rows[0]?.count ?? 0;
}
