// The database's clock, which all consoles on it go by: a machine whose own clock is wrong dates and judges nothing differently.
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const everyMs = 10_000;
/** Less is what asking takes and what machines differ by; the clock would only tremble. */
const leastDifferenceMs = 200;
/** An answer that took longer does not say well enough what time it is. */
const mostRoundTripMs = 1000;

export type DatabaseClock = Clock & { readonly stop: () => Promise<void> };

/** The machine's clock, corrected by how far it is off the database's: at once, and every ten seconds from then on. */
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
