// Three consoles behind a balancer, killed one after the other while events arrive: every acknowledged event
// is counted once.
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { allServe, hasHaproxy, startBalancer } from '../support/balancer.ts';
import { roundsOr } from '../support/fault-rounds.ts';
import { freePort } from '../support/ports.ts';
import { addressOf, createTestDatabase } from '../support/database.ts';
import { expectStoredOnce, meteredCustomer, sendEvents } from '../support/process-metering.ts';
import { killProcess, makeDataDir, startProcess, type ProcessConsole } from '../support/process.ts';

// `npm run faults` runs many more rounds.
const rounds = roundsOr(2);
const secretKey = 'the-secret-key-of-three-consoles-9f3b';

describe.skipIf(!hasHaproxy)('three consoles that are killed one after the other', () => {
  it(
    'keep every acknowledged event once; callers need not know which console is left',
    async () => {
      const { connection } = await createTestDatabase();
      const url = addressOf(connection);
      const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
      const address = `http://127.0.0.1:${port}`;
      const start = (place: number): Promise<ProcessConsole> =>
        startProcess(makeDataDir(), url, {
          SECRET_KEY: secretKey,
          PUBLIC_URL: address,
          TRUST_PROXY: '127.0.0.1',
          PORT: String(ports[place]),
        });
      const consoles = await Promise.all(ports.map((_port, place) => start(place)));
      startBalancer(port, ports);
      const [first] = consoles;
      if (first === undefined) throw new Error('no console');
      const together = { ...first, address };
      await allServe(address, ports.length);
      const customer = await meteredCustomer(together);

      const sent: string[] = [];
      const acknowledged = new Set<string>();
      let isOver = false;
      let [failed, calls] = [0, 0];
      const callers = Array.from({ length: 9 }, async (_, caller) => {
        const size = caller === 0 ? 100 : 1;
        for (let number = 0; !isOver; number++) {
          const ids = Array.from({ length: size }, (_item, place) => `${caller}-${number}-${place}`);
          sent.push(...ids);
          calls++;
          const answer = await sendEvents(together, customer, ids).catch(() => undefined);
          if (answer) for (const id of ids) acknowledged.add(id);
          else failed++;
        }
      });
      for (let round = 0; round < rounds; round++) {
        const place = round % consoles.length;
        const before = acknowledged.size;
        await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 500);
        const killed = consoles[place];
        if (killed === undefined) throw new Error('no console');
        await killProcess(killed);
        // The others take over its calls.
        const after = acknowledged.size;
        await expect.poll(() => acknowledged.size).toBeGreaterThan(after + 500);
        await pause(randomInt(0, 300));
        // The console that was killed last may stay down.
        if (round < rounds - 1) consoles[place] = await start(place);
      }
      isOver = true;
      await Promise.all(callers);
      expect(failed).toBeLessThan(calls / 2);

      await expectStoredOnce(together, customer, { sent, acknowledged });
    },
    120_000 + rounds * 30_000,
  );
});
