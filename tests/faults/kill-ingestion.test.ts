// What is acknowledged is durable: a console, or its database, that is killed while events pour in loses none of them and counts none twice.
import { expect, it } from 'vitest';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import { meteredCustomer, sendEvents } from '../support/process-metering.ts';
import {
  killItsDatabase,
  killProcess,
  makeDataDir,
  processApi as api,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

const dataDir = makeDataDir();
// `npm run faults` asks for many more rounds than a run that people wait for.
const rounds = roundsOr(2);
/** Events that are acknowledged in each round before the death. */
const perRound = isLong ? 1500 : 800;

it(
  'R-USE-03, F2: killed while events pour in, a console or its database has every acknowledged event, and each once',
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
      // Single events, which are recorded in groups, and batches beside them.
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
      // Whoever got no answer sends again; what was acknowledged is there already.
      const known = [...acknowledged];
      for (let from = 0; from < known.length; from += 1000)
        expect(await sendEvents(console, sender, known.slice(from, from + 1000))).toEqual({
          accepted: 0,
          duplicates: Math.min(1000, known.length - from),
          rejected: [],
        });
      const unanswered = sent.filter((id) => !acknowledged.has(id));
      if (unanswered.length > 0) expect((await sendEvents(console, sender, unanswered)).rejected).toEqual([]);
      for (const id of unanswered) acknowledged.add(id);
      const { total } = await api<{ total: number }>(
        console,
        'GET',
        `/usage/events?subscriptionId=${sender.subscriptionId}&limit=1`,
        undefined,
        await signIn(console, 'owner@one.example'),
      );
      expect(total).toBe(sent.length);
    }
  },
  180_000 + rounds * 20_000,
);
