// The primary PostgreSQL dies while events arrive and a month is closed: its standby takes over, and users
// notice only a pause.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { allServe, startBalancer } from '../support/balancer.ts';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import { freePort } from '../support/ports.ts';
import { countsOf, fill, rightCounts } from '../support/closing-many.ts';
import { billed, close, type Query } from '../support/closing.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { caller, mustSucceed } from '../support/console.ts';
import { RawClient } from '../support/live.ts';
import { lackedForFailover, startCluster, type Cluster } from '../support/patroni.ts';
import {
  expectStoredOnce,
  meteredCustomer,
  sendEvents,
  type MeteredCustomer,
} from '../support/process-metering.ts';
import {
  makeDataDir,
  processApi as api,
  processPassword,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';
import { signin } from '#features/access/signin/contract.ts';

// `npm run faults` runs many more rounds. In every second one the primary hangs instead of dying.
const rounds = roundsOr(1);
const organizations = 400;
const months = Array.from(
  { length: rounds },
  (_, index) => `${2010 + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`,
);
const reconnectWithinMs = 10_000;

/** The unexpected responses that people and programs got. */
type Refusals = Map<string, number>;

/** Requests pages like people do until the test ends, and records rejected requests. */
async function read(
  address: string,
  session: { readonly token: string },
  refusals: Refusals,
  isOver: () => boolean,
): Promise<void> {
  const paths = ['/bills', '/user/profile', '/together?get=/budgets&get=/usage/quotas'];
  for (let number = 0; !isOver(); number++) {
    try {
      const answer = await fetch(`${address}/api${paths[number % paths.length]}`, {
        headers: { authorization: `Bearer ${session.token}` },
      });
      const text = await answer.text();
      if (answer.status !== 200) {
        const { code = 'no code' } = JSON.parse(text) as { code?: string };
        const when = answer.headers.has('retry-after') ? 'come again' : 'for ever';
        count(refusals, `${answer.status} ${code} ${when}`);
      }
    } catch (error) {
      count(refusals, `no answer that can be read: ${String(error)}`);
    }
    await pause(20);
  }
}

const count = (refusals: Refusals, what: string): void =>
  void refusals.set(what, (refusals.get(what) ?? 0) + 1);

/** Closes a month like an Admin who presses the button again when it did not work. */
async function closeWhole(console: ProcessConsole, admin: string, month: string): Promise<void> {
  await expect
    .poll(async () => (await close(console, admin, month))?.parked, { timeout: 60_000, interval: 300 })
    .toBe(0);
}

if (lackedForFailover !== undefined)
  process.stderr.write(`the tests of failover are left out: this machine has no ${lackedForFailover}\n`);

describe.skipIf(lackedForFailover !== undefined)('when the primary of two PostgreSQL servers is lost', () => {
  let cluster: Cluster;
  let together: ProcessConsole;
  let customer: MeteredCustomer;
  let admin: string;
  let db: Query;

  beforeAll(async () => {
    cluster = await startCluster();
    const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const address = `http://127.0.0.1:${port}`;
    const consoles = await Promise.all(
      ports.slice(0, 2).map((each) =>
        startProcess(makeDataDir(), cluster.url, {
          SECRET_KEY: 'the-secret-key-of-two-consoles-9f3b1a',
          PUBLIC_URL: address,
          TRUST_PROXY: '127.0.0.1',
          PORT: String(each),
        }),
      ),
    );
    startBalancer(port, ports);
    await allServe(address, consoles.length);
    const [first] = consoles;
    if (first === undefined) throw new Error('no console');
    together = { ...first, address };
    customer = await meteredCustomer(together);
    admin = await signIn(together);
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
    pool.on('error', () => undefined);
    atFileEnd(() => pool.end());
    db = pool;
    await fill(db, together, admin, { organizations, months });
  }, 120_000);

  it(
    'every acknowledged event is stored once, the close bills everybody, consoles recover within 10 s, and no request gets an internal error',
    async () => {
      const call = caller(together.address);
      const { token, user } = await mustSucceed(call)(signin.login, {
        account: 'owner@one.example',
        password: processPassword,
      });
      const person = { token, userId: user.id, organizationId: user.organizationId ?? '' };
      const topic = `org/${person.organizationId}/usage`;
      // Waits as long as it takes, without an error message of its own.
      const page = await RawClient.connect(
        { address: together.address, ok: mustSucceed(call) },
        person,
        [topic],
        0,
      );
      const session = { token };

      const sent: string[] = [];
      const acknowledged = new Set<string>();
      const refusals: Refusals = new Map();
      const took: Record<string, number>[] = [];
      let isOver = false;
      let lastAcknowledged = 0;
      const callers = Array.from({ length: 6 }, async (_, place) => {
        const size = place === 0 ? 100 : 1;
        for (let number = 0; !isOver; number++) {
          const ids = Array.from({ length: size }, (_item, index) => `${place}-${number}-${index}`);
          sent.push(...ids);
          try {
            await sendEvents(together, customer, ids);
            for (const id of ids) acknowledged.add(id);
            lastAcknowledged = performance.now();
          } catch (error) {
            const what = error instanceof Error ? error.message : String(error);
            refusals.set(`event ${what}`, (refusals.get(`event ${what}`) ?? 0) + 1);
            await pause(50);
          }
        }
      });
      const reading = read(together.address, session, refusals, () => isOver);

      for (const [round, month] of months.entries()) {
        const { primary, standby } = await cluster.roles();
        admin = await signIn(together);
        session.token = await signIn(together, 'owner@one.example');
        const before = acknowledged.size;
        await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 300);
        const closing = close(together, admin, month);
        await expect.poll(() => billed(db, month), { interval: 5 }).toBeGreaterThan(0);
        const lostAt = performance.now();
        if (round % 2 === 1) primary.freeze();
        else await primary.kill();
        await expect.poll(() => standby.is('primary'), { timeout: 60_000, interval: 20 }).toBe(true);
        const newPrimaryAt = performance.now();
        await expect
          .poll(() => lastAcknowledged, { timeout: 60_000, interval: 10 })
          .toBeGreaterThan(newPrimaryAt);
        took.push({
          untilNewPrimary: Math.round(newPrimaryAt - lostAt),
          untilAcknowledged: Math.round(lastAcknowledged - newPrimaryAt),
        });
        // The server that hung must not continue as primary.
        if (round % 2 === 1) await primary.kill();
        primary.start();
        // Live updates recover, too: each console listens again.
        const heard = page.news().length;
        await expect.poll(() => page.news().length, { timeout: 30_000 }).toBeGreaterThan(heard);
        await closing;
        await closeWhole(together, admin, month);
        expect(await countsOf(db, month)).toEqual(rightCounts(organizations));
      }
      await cluster.roles();
      isOver = true;
      await Promise.all([...callers, reading]);
      if (isLong) process.stdout.write(`${JSON.stringify({ took, refusals: [...refusals] })}\n`);

      // They were told to retry. The balancer itself answers requests for which it has no console.
      const unexpected = [...refusals.keys()].filter((what) => !/^event 503$/.test(what));
      expect(unexpected.filter((what) => what !== '503 platform.database_unavailable come again')).toEqual(
        [],
      );
      for (const { untilAcknowledged } of took) expect(untilAcknowledged).toBeLessThan(reconnectWithinMs);

      await expectStoredOnce(together, customer, { sent, acknowledged });
      // The customers’ usage was created without events, which the checker reports; it reports nothing
      // else.
      await api(together, 'POST', '/admin/ledger/checks', {}, admin);
      type Check = { readonly id: string; readonly verdict: string; readonly found: number };
      await expect
        .poll(
          async () => {
            const { items } = await api<{ items: { finishedAt: string | null; checks: Check[] }[] }>(
              together,
              'GET',
              '/admin/ledger/checks',
              undefined,
              admin,
            );
            if (items[0]?.finishedAt === null) return undefined;
            return items[0]?.checks.flatMap(({ id, verdict, found }) =>
              verdict === 'passed' ? [] : [{ id, found }],
            );
          },
          { timeout: 60_000, interval: 200 },
        )
        .toEqual([{ id: 'usage-months', found: organizations * months.length }]);
      const faults = await db.query('select source, place, message from fault');
      expect(faults.rows).toEqual([]);
    },
    120_000 + rounds * 60_000,
  );
});
