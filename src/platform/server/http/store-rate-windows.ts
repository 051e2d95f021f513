// The counters of rate-limited calls, shared by all consoles on a database.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Ctx } from '../unit-of-work/ctx.ts';

/**
 * Counts a call of `key` and returns the number of calls in its window, and the milliseconds until the window
 * ends. The database's clock is used, since those of several consoles may differ.
 */
export async function countCall(
  pool: pg.Pool,
  key: Buffer,
  windowMs: number,
): Promise<{ calls: number; leftMs: number }> {
  const { rows } = await pool.query<{ calls: number; left_ms: number }>(
    `--hot count-call
    with quick as (select set_config('synchronous_commit', 'off', true)),
    counted as (insert into rate_window as w (key, ends_at, calls) select $1, clock_timestamp() + $2 * interval '1 ms', 1 from quick
      on conflict (key) do update set
        calls = case when w.ends_at > clock_timestamp() and w.ends_at <= clock_timestamp() + $2 * interval '1 ms' then w.calls + 1 else 1 end,
        ends_at = case when w.ends_at > clock_timestamp() and w.ends_at <= clock_timestamp() + $2 * interval '1 ms' then w.ends_at else excluded.ends_at end
      returning calls, ends_at)
    select calls, greatest(0, extract(epoch from ends_at - clock_timestamp()) * 1000)::float8 as left_ms from counted`,
    [key, windowMs],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a counted call answers its count');
  return { calls: row.calls, leftMs: row.left_ms };
}

/** Deletes expired windows. */
export async function deleteOldWindows(ctx: Ctx): Promise<void> {
  await sql`delete from rate_window where ends_at < clock_timestamp()`.execute(ctx.db);
}
