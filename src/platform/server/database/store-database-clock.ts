// The database's clock, which all of its consoles follow, so that a machine with a wrong clock dates and
// decides nothing differently.
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const everyMs = 10_000;
/** Smaller differences are within measurement error and would only make the clock jitter. */
const leastDifferenceMs = 200;
/** A slower response does not tell the time precisely enough. */
const mostRoundTripMs = 1000;

export type DatabaseClock = Clock & { readonly stop: () => Promise<void> };

/**
 * The machine's clock, corrected by its offset from the database's clock: measured at once, and every ten
 * seconds thereafter.
 */
export async function databaseClock(machine: Clock, pool: pg.Pool, log: Log): Promise<DatabaseClock> {
  let aheadMs = 0;
  const ask = async (): Promise<void> => {
    try {
      const before = machine.now().getTime();
      const began = performance.now();
      const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
      const roundTripMs = performance.now() - began;
      const now = rows[0]?.now.getTime();
      if (now === undefined || roundTripMs > mostRoundTripMs) return;
      const measuredMs = Math.round(before + roundTripMs / 2 - now);
      if (Math.abs(measuredMs - aheadMs) < leastDifferenceMs) return;
      log.warn(
        { aheadMs: measuredMs },
        'the clock of this machine differs from the database’s, which counts; let the machine set its clock (NTP)',
      );
      aheadMs = measuredMs;
    } catch (error) {
      log.debug({ err: error }, 'the database could not be asked for the time');
    }
  };
  await ask();
  let asking = Promise.resolve();
  const timer = setInterval(() => {
    asking = ask();
  }, everyMs);
  timer.unref();
  return {
    now: () => new Date(machine.now().getTime() - aheadMs),
    stop: async () => {
      clearInterval(timer);
      await asking;
    },
  };
}
