// What storing and deduplicating events costs by itself: the console on a database that drops the rollup
// rows.
import type pg from 'pg';

const rollups = ['usage_hour', 'usage_day', 'usage_month', 'usage_dimension_hour'];

/** Runs `run` while no rollups are written. The console still computes them; only the rows are dropped. */
export async function withoutRollups<T>(pool: pg.Pool, run: () => Promise<T>): Promise<T> {
  await pool.query(
    `create or replace function bench_drop() returns trigger language plpgsql as 'begin return null; end'`,
  );
  for (const table of rollups)
    await pool.query(
      `create trigger bench_drop before insert on ${table} for each row execute function bench_drop()`,
    );
  try {
    return await run();
  } finally {
    await pool.query('drop function bench_drop cascade');
  }
}
