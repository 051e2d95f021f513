// A console that is killed while it moves the clock of a sandbox: another one continues, and each month is
// billed once.
import { expect, it, vi } from 'vitest';
import pg from 'pg';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { administer, connectionTo } from '#platform/server/database/other-database.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { sandboxes, type Sandbox } from '#features/operations/sandboxes/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { databaseOfProcesses, runNow, type Query } from '../support/closing.ts';
import { caller, mustSucceed } from '../support/console.ts';
import {
  killProcess,
  makeDataDir,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

const start = new Date('2024-01-30T00:00:00Z');
/** After the close of January, which begins on the fourth in Taipei. */
const to = new Date('2024-02-05T00:00:00Z');
const customers = ['One', 'Two', 'Three'];
const callsOf = (address: string) => mustSucceed(caller(address));

/** Customers of a sandbox with a monthly fee. */
async function fill({ address }: Sandbox, key: string): Promise<void> {
  const call = callsOf(address);
  const { id: serviceId } = await call(
    catalogue.createService,
    {
      name: 'Line',
      type: 'Network',
      category: 'Own',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: key },
  );
  const file = {
    skytallyOrganizations: 1 as const,
    organizations: customers.map((name) => ({
      ref: name,
      name,
      billingEmail: `bills@${name.toLowerCase()}.example`,
    })),
  };
  const { planId } = await call(identity.planOrganizations, { file }, { token: key });
  await call(identity.applyOrganizations, { file, planId }, { token: key });
  for (const { id } of (await call(identity.listOrganizations, {}, { token: key })).items)
    await call(
      subscriptions.adminSubscribe,
      { organizationId: id as Id<'org'>, serviceId, startedAt: start },
      { token: key },
    );
}

/** Another console continues a move that was idle for half a minute; the time is moved back here. */
const silent = (db: Query) =>
  db.query(`update sandbox set alive_at = now() - interval '1 minute' where move_state = 'running'`);

it('T-SANDBOX: killed in the middle of a month close, a moving clock is continued by the next console, and nobody is billed twice', async () => {
  const { db, url } = await databaseOfProcesses();
  const dataDir = makeDataDir();
  const first = await startProcess(dataDir, url);
  const token = await setUpProcess(first);
  const { sandbox, key } = await callsOf(`${first.address}`)(
    sandboxes.createSandbox,
    { name: 'Killed', startAt: start, copyCatalogue: false },
    { token },
  );
  const inside = required(key ?? undefined, 'the key of the sandbox');
  await fill(sandbox, inside);
  const { rows } = await db.query<{ name: string }>('select database_name as name from sandbox');
  const database = required(rows[0], 'its row').name;
  atFileEnd(() => administer(url, `drop database if exists ${database} with (force)`));
  const gate = new pg.Client(connectionTo(url, database) as string);
  await gate.connect();
  try {
    // The close pauses where the first bill is to be stored.
    await gate.query('begin');
    await gate.query('lock table bill in exclusive mode');
    await callsOf(first.address)(sandboxes.moveClock, { sandboxId: sandbox.id, to }, { token });
    await vi.waitFor(
      async () => {
        const waiting = await gate.query(
          `select 1 from pg_locks where relation = 'bill'::regclass and not granted`,
        );
        expect(waiting.rowCount).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 20 },
    );
    await killProcess(first);
    await gate.query('rollback');
    await silent(db);
    const second = await startProcess(dataDir, url);
    await runNow(db, 'sandboxes-mend');
    // Now it is killed as soon as somebody has a bill.
    await vi.waitFor(
      async () => {
        const issued = await gate.query('select 1 from bill');
        expect(issued.rowCount).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 5 },
    );
    await killProcess(second);
    await silent(db);
    const third = await startProcess(dataDir, url);
    await runNow(db, 'sandboxes-mend');
    const again = await signIn(third);
    const moved = await vi.waitFor(
      async () => {
        const now = await callsOf(third.address)(
          sandboxes.getSandbox,
          { sandboxId: sandbox.id },
          { token: again },
        );
        expect(now.move?.state).toBe('done');
        return now;
      },
      { timeout: 90_000, interval: 200 },
    );
    expect(moved.clockAt).toEqual(to);
    const { items } = await callsOf(moved.address)(billing.adminListBills, {}, { token: inside });
    expect(items.map((bill) => `${bill.organization} ${bill.month}`).toSorted()).toEqual(
      customers.map((name) => `${name} 2024-01`).toSorted(),
    );
    const { rows: booked } = await gate.query<{ count: string }>(
      `select count(*) as count from ledger_transaction where kind = 'bill' group by reference`,
    );
    expect(booked.map(({ count }) => count)).toEqual(customers.map(() => '1'));
  } finally {
    await gate.end();
  }
}, 240_000);
