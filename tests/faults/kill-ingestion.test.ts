// Acknowledged means durable: a console, or its database, that is killed while events arrive loses none of
// them and counts none twice.
import { expect, it } from 'vitest';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import { expectStoredOnce, meteredCustomer, sendEvents } from '../support/process-metering.ts';
import { killItsDatabase, killProcess, makeDataDir, startProcess } from '../support/process.ts';

const dataDir = makeDataDir();
// `npm run faults` runs many more rounds.
const rounds = roundsOr(2);
/** Events that are acknowledged in each round before the kill. */
const perRound = isLong ? 1500 : 800;

it(
  'R-USE-03, F2: killed while events arrive, a console or its database keeps every acknowledged event exactly once',
  async () => {
    let console = await startProcess(dataDir);
    const sender = await meteredCustomer(console);
    const sent: string[] = [];
    const acknowledged = new Set<string>();
    const ends = Array.from({ length: Math.max(2, rounds) }, (_, round) =>
      round % 2 === 0 ? killProcess : killItsDatabase,
    );
    for (const [round, end] of ends.entries()) {
      let dying: Promise<void> | undefined;
      // Single events, which are recorded in groups, and batches at the same time.
      const callers = Array.from({ length: 12 }, async (_, caller) => {
        const size = caller === 0 ? 250 : 1;
        for (let number = 0; dying === undefined; number++) {
          const ids = Array.from({ length: size }, (_item, index) => `${round}-${caller}-${number}-${index}`);
          sent.push(...ids);
          const answer = await sendEvents(console, sender, ids).catch(() => undefined);
          if (answer) for (const id of ids) acknowledged.add(id);
          if (acknowledged.size > (round + 1) * perRound) dying ??= end(console);
        }
      });
      await Promise.all(callers);
      await dying;
      console = await startProcess(dataDir);
      expect(acknowledged.size).toBeGreaterThan((round + 1) * perRound);
      await expectStoredOnce(console, sender, { sent, acknowledged });
      for (const id of sent) acknowledged.add(id);
    }
  },
  180_000 + rounds * 20_000,
);
