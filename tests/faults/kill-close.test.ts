// A month close that is killed, repeated and run by several consoles at once bills everybody once, to the
// cent, without gaps in the numbers (R-BILL-05).
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { findRunningPostgres } from '#platform/server/database/embedded/listen-address.ts';
import { billed, close, databaseOfProcesses, type Query } from '../support/closing.ts';
import { countsOf, fill, rightCounts } from '../support/closing-many.ts';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import {
  killItsDatabase,
  killProcess,
  makeDataDir,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

// `npm run faults` runs many more rounds.
const rounds = roundsOr(2);
// A close begins with a chunk of 100 and continues with up to 500: three commits, or seven with `npm run
// faults`.
const organizations = isLong ? 2600 : 800;
const right = rightCounts(organizations);
// A month closes within a round or two; then the next one is killed.
const months = Array.from(
  { length: Math.ceil(rounds / 2) },
  (_, index) => `${2010 + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`,
);

/** A moment of the close that issues the next bills: before or after its first commit. */
async function someMoment(db: Query, month: string, round: number): Promise<void> {
  const before = await billed(db, month);
  while (round % 2 === 1 && before < organizations && (await billed(db, month)) === before) await pause(5);
  await pause(randomInt(Math.ceil(organizations / 6.5)));
}

describe('F1, F12: consoles on one database', () => {
  let url: string;
  let db: Query;
  beforeAll(async () => {
    ({ db, url } = await databaseOfProcesses());
  });

  it(
    'that close the same month, killed one after the other, issue the same bills as an undisturbed close',
    async () => {
      const dataDir = makeDataDir();
      const start = () => startProcess(dataDir, url);
      let [one, other] = await Promise.all([start(), start()]);
      await fill(db, one, await setUpProcess(one), { organizations, months });
      const moments: string[] = [];
      for (const [index, month] of months.entries()) {
        for (let round = 0; round < 2; round++) {
          const tokens = [await signIn(one), await signIn(other)];
          const closing = [one, other].map((console, place) => close(console, tokens[place] ?? '', month));
          await someMoment(db, month, round);
          await Promise.all(
            (index + round) % 3 === 2 ? [killProcess(one)] : [killProcess(one), killProcess(other)],
          );
          await Promise.all(closing);
          await killProcess(other);
          moments.push(`${month}: ${await billed(db, month)}`);
          // What is committed is complete: bills are issued in chunks, each with its lines, ledger entries
          // and number.
          expect(await countsOf(db, month)).toMatchObject({
            misplaced: '0',
            unbooked: '0',
            owed_wrong: '0',
            unbalanced: '0',
            parked: '0',
          });
          // After the last kill one close is enough.
          const isLast = round === 1 && index === months.length - 1;
          [one, other] = await Promise.all([start(), isLast ? other : start()]);
        }
      }
      const token = await signIn(one);
      for (const month of months) {
        await close(one, token, month);
        expect(await countsOf(db, month), `bills after each kill: ${moments.join(', ')}`).toEqual(right);
        expect(await close(one, token, month)).toMatchObject({ issued: 0, parked: 0 });
      }
    },
    180_000 + rounds * 8000,
  );
});

describe('F1: a console with its embedded database', () => {
  it(
    'keeps what was acknowledged after a kill of either process, and continues',
    async () => {
      const dataDir = makeDataDir();
      let console = await startProcess(dataDir);
      const admin = await setUpProcess(console);
      await withDatabase(dataDir, (db) => fill(db, console, admin, { organizations, months }));
      for (const [index, month] of months.entries()) {
        const closing = close(console, await signIn(console), month);
        await withDatabase(dataDir, (db) => someMoment(db, month, index + 1));
        await (index % 2 === 0 ? killItsDatabase : killProcess)(console);
        await closing;
        console = await startProcess(dataDir);
      }
      const token = await signIn(console);
      for (const month of months) {
        await close(console, token, month);
        expect(await withDatabase(dataDir, (db) => countsOf(db, month))).toEqual(right);
      }
    },
    180_000 + rounds * 8000,
  );
});

async function withDatabase<T>(dataDir: string, run: (db: Query) => Promise<T>): Promise<T> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the database is not running');
  const client = new pg.Client(running.connection);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
    await running.release();
  }
}
