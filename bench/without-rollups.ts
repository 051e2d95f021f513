// What storing and recognising events takes by itself: the console as it is, on a database that drops the rows it would add up in.
import type pg from 'pg';

const rollups = ['usage_hour', 'usage_day', 'usage_month', 'usage_dimension_hour'];

/** Runs `run` while nothing is added up. What the console computes for it, it still computes: only the rows are not written. */
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
