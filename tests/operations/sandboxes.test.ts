// Sandboxes on real databases: months compared with a console at the same time; nothing leaves a sandbox,
// nothing gets in, and it recovers when the process that works on it ends.
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { request } from 'node:http';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { createLog } from '#platform/server/log.ts';
import { OutsideUnavailable } from '#platform/server/files/outside/outside-files.ts';
import { writeOutside } from '#platform/server/files/outside/outside-bucket.ts';
import { fetchJson } from '#platform/server/outbound/outbound.ts';
import { postPinned } from '#platform/server/outbound/outbound-pinned.ts';
import { withCallsClosed } from '#platform/server/outbound/closed-calls.ts';
import { administer, withClient } from '#platform/server/database/other-database.ts';
import { sandboxCallOf } from '#app/sandboxes/serve-sandboxes.ts';
import { txtRecords } from '#features/access/providers/server/index.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { sandboxes, type Sandbox } from '#features/operations/sandboxes/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import {
  adminAccount,
  caller,
  createTestConsole,
  mustSucceed,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { asSuperuser, partsOf } from '../support/database.ts';
import { isLong } from '../support/fault-rounds.ts';
import { freePort } from '../support/ports.ts';

const start = new Date('2024-01-01T00:00:00Z');
/** A quarter with a leap day; `npm run faults` runs the whole year. */
const months = isLong ? 12 : 3;
let console: TestConsole;
let token: string;
let sandbox: Sandbox;
let key: string;
let meteringKey: string;
let heard = 0;
const logged: string[] = [];
let outside: Server;
let port: number;

type Caller = Pick<TestConsole, 'ok' | 'call'>;
const within = (address: string): Caller => ({
  ok: mustSucceed(caller(address)),
  call: caller(address),
});
const get = (of = sandbox) => console.ok(sandboxes.getSandbox, { sandboxId: of.id }, { token });
const db = () => console.app.database.kysely;
const create = (name: string) =>
  console.ok(sandboxes.createSandbox, { name, startAt: start, copyCatalogue: false }, { token });

/** The databases of sandboxes that this console's database has. */
const databases = () => required(console.app.sandboxes, 'the host').databases();
const rowOf = async ({
  id,
}: Sandbox): Promise<{ database: string; state: string; next: string | null } | undefined> =>
  (
    await sql<{
      database: string;
      state: string;
      next: string | null;
    }>`select database_name as database, state, next_database as next from sandbox where id = ${id}`.execute(
      db(),
    )
  ).rows[0];

/** Waits for the end of a move. */
async function stands(of = sandbox): Promise<Sandbox> {
  await vi.waitFor(async () => expect((await get(of)).move?.state).not.toBe('running'), {
    timeout: 270_000,
    interval: 100,
  });
  return get(of);
}

async function addServices(to: Caller, admin: string): Promise<void> {
  const common = { type: 'API', category: 'Own' };
  await to.ok(
    catalogue.createService,
    {
      ...common,
      name: 'Calls',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.25' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
}

/** A customer with a monthly fee, and calls in January. */
async function addCustomer(to: Caller, address: string, admin: string, metering: string): Promise<void> {
  const file = {
    skytallyOrganizations: 1 as const,
    organizations: [{ ref: 'crm-1', name: 'One', billingEmail: 'bills@one.example' }],
  };
  const { planId } = await to.ok(identity.planOrganizations, { file }, { token: admin });
  await to.ok(identity.applyOrganizations, { file, planId }, { token: admin });
  const [organization] = (await to.ok(identity.listOrganizations, {}, { token: admin })).items;
  const organizationId = required(organization, 'the customer').id as Id<'org'>;
  for (const { id: serviceId, name } of (await to.ok(catalogue.adminListServices, {}, { token: admin }))
    .items) {
    const { id } = await to.ok(
      subscriptions.adminSubscribe,
      { organizationId, serviceId, startedAt: start },
      { token: admin },
    );
    if (name === 'Calls') await report(address, metering, id, start, 7);
  }
}

async function report(address: string, bearer: string, subject: string, at: Date, value: number) {
  const answer = await fetch(`${address}/api/usage/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({
      specversion: '1.0',
      id: `e-${at.getTime()}`,
      source: 'test',
      type: 'call',
      subject,
      time: at.toISOString(),
      data: { value: String(value) },
    }),
  });
  expect(answer.status).toBe(202);
}

const Fee = {
  name: 'Line',
  type: 'Network',
  category: 'Own',
  currency: 'TWD',
  charges: [
    { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '100' },
  ],
};
async function addFee(address: string, admin: string): Promise<void> {
  const answer = await fetch(`${address}/api/admin/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify(Fee),
  });
  expect(answer.status).toBe(201);
}

/** The content of every table of the console, except those that log external calls. */
async function contents(): Promise<Record<string, string>> {
  const marks = [
    'sandbox',
    'audit_log',
    'audit_head',
    'rate_window',
    'last_write',
    'console_process',
    'idempotency_key',
  ];
  const { rows } = await sql<{
    name: string;
  }>`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all(${marks}::text[]) order by 1`.execute(
    db(),
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: sums } = await sql<{
      sum: string;
    }>`select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${sql.table(name)} t`.execute(
      db(),
    );
    found[name] = sums[0]?.sum ?? '';
  }
  return found;
}

/** The bills of a console as a customer reads them, without values that always differ. */
async function billsOf(to: Caller, admin: string): Promise<readonly unknown[]> {
  const { items } = await to.ok(billing.adminListBills, { limit: 50 }, { token: admin });
  const all: unknown[] = [];
  for (const { id } of items) {
    const bill = z.encode(
      billing.adminGetBill.output,
      await to.ok(billing.adminGetBill, { billId: id }, { token: admin }),
    );
    all.push(
      JSON.parse(
        JSON.stringify(bill, (name, value: unknown) =>
          /^(id|.*Id|ref|externalRef|createdAt|proof|verification.*)$/.test(name) ? undefined : value,
        ).replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, 'id'),
      ),
    );
  }
  return all;
}

beforeAll(async () => {
  port = await freePort();
  outside = createServer((socket) => {
    heard += 1;
    socket.destroy();
  }).listen(port, '127.0.0.1');
  const names = createSocket('udp4', () => void (heard += 1));
  names.bind(port, '127.0.0.1');
  atFileEnd(() => {
    outside.close();
    names.close();
  });
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMS_GATEWAY_URL: `http://127.0.0.1:${port}/sms`,
    VIES_API_BASE: `http://127.0.0.1:${port}/vies`,
    PRIVATE_HOSTS: `127.0.0.1:${port}`,
    WEBHOOK_LOOPBACK: 'allow',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    DNS_SERVERS: `127.0.0.1:${port}`,
  };
  const log = createLog({ level: 'info', destination: { write: (line) => void logged.push(line) } });
  console = await createTestConsole(new Date('2026-11-20T00:00:00Z'), environment, undefined, { log });
  await stopRepeating(console.app);
  token = await setUp(console);
  await addServices(console, token);
  await addFee(console.address, token);
  const made = await console.ok(
    sandboxes.createSandbox,
    { name: 'Partner', startAt: start, copyCatalogue: true },
    { token },
  );
  sandbox = made.sandbox;
  key = made.key ?? '';
  meteringKey = made.meteringKey ?? '';
  atFileEnd(async () => {
    for (const { id } of (await console.ok(sandboxes.listSandboxes, {}, { token })).items)
      await console.ok(sandboxes.deleteSandbox, { sandboxId: id }, { token });
  });
}, 60_000);

describe('T-SANDBOX: months in a sandbox', () => {
  let before: Record<string, string>;

  it('are closed with the same bills as on a console at that time', async () => {
    const inside = within(sandbox.address);
    await addCustomer(inside, sandbox.address, key, meteringKey);
    before = await contents();
    const began = performance.now();
    const to = new Date(Date.UTC(2024, months, 5));
    const move = await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, to }, { token });
    expect(move.move).toEqual({ from: start, to, state: 'running' });
    const after = await stands();
    process.stdout.write(`${months} months took ${Math.round((performance.now() - began) / 1000)} s\n`);
    expect(after).toMatchObject({ clockAt: to, customers: 1, bills: months, move: { state: 'done' } });

    const reference = await createTestConsole(start);
    await stopRepeating(reference.app);
    const admin = await setUp(reference);
    await addServices(reference, admin);
    await addFee(reference.address, admin);
    const { secret } = await reference.ok(identity.createApiKey, { name: 'meter' }, { token: admin });
    await addCustomer(reference, reference.address, admin, secret);
    for (let month = 1; month <= months; month++) {
      // The grace time of three days ends at midnight in Taipei; the month-close job runs five minutes later.
      reference.clock.set(new Date(Date.UTC(2024, month, 3, 16, 5)));
      await runFeatureJob(reference.app, 'close-month');
    }
    reference.clock.set(to);
    const expected = await billsOf(
      reference,
      await signIn(reference, adminAccount.account, adminAccount.password),
    );
    expect(expected).toHaveLength(months);
    expect(await billsOf(inside, key)).toEqual(expected);
    await reference.end();
  }, 290_000);

  it('change no table of the console', async () => {
    expect(await contents()).toEqual(before);
  });

  it('keep their e-mails inside, and nothing is sent outside', async () => {
    const owner = {
      email: 'owner@two.example',
      name: 'Owner',
      password: userPassword,
      organization: 'Two',
      agreeToTerms: true as const,
    };
    await within(sandbox.address).ok(signin.register, owner);
    const mails = await console.ok(
      sandboxes.listSandboxMails,
      { sandboxId: sandbox.id, q: owner.email },
      { token },
    );
    expect(mails.total).toBeGreaterThan(0);
    expect(mails.items[0]).toMatchObject({ to: owner.email });
    expect(mails.items[0]?.text).toContain(`${sandbox.address}/`);
    expect(heard).toBe(0);
  });

  it('make no connection to any address', async () => {
    const address = `http://127.0.0.1:${port}/`;
    const options = { headers: {}, body: '{}', loopback: true };
    const refused = await withCallsClosed(() => postPinned(address, options));
    expect(refused).toMatchObject({ failure: 'address_refused', detail: 'sandbox' });
    await expect(withCallsClosed(() => fetchJson(address))).rejects.toThrow(/sandbox/);
    // Even a DNS lookup would reveal something; an IP address needs no lookup.
    await expect(withCallsClosed(() => txtRecords(console.app, 'proof.one.example'))).rejects.toMatchObject({
      code: 'providers.dns_sandbox',
      status: 409,
    });
    const bucket = {
      kind: 's3' as const,
      bucket: 'files',
      prefix: '',
      region: 'eu-1',
      endpoint: `http://127.0.0.1:${port}`,
      keys: { accessKeyId: 'x', secretAccessKey: 'y' },
    };
    const write = () =>
      writeOutside(
        bucket,
        [`127.0.0.1:${port}`],
        [{ name: 'a', content: Buffer.from('x'), type: 'text/plain' }],
        AbortSignal.timeout(5000),
      );
    await expect(withCallsClosed(write)).rejects.toMatchObject({ failure: 'address', detail: 'sandbox' });
    expect(heard).toBe(0);
    await postPinned(address, options);
    expect(heard).toBe(1);
    await expect(write()).rejects.toBeInstanceOf(OutsideUnavailable);
    expect(heard).toBeGreaterThan(1);
  });
});

describe('T-SANDBOX: access', () => {
  it('a key works only on the console that created it', async () => {
    const list = identity.listOrganizations;
    const inside = within(sandbox.address);
    expect((await console.call(list, {}, { token: key })).status).toBe(401);
    expect((await inside.call(list, {}, { token })).status).toBe(401);
    expect((await inside.call(list, {})).status).toBe(401);
    expect((await inside.call(list, {}, { token: meteringKey })).status).toBe(403);
    const other = within(`${console.address}/sandbox/sbx_${'0'.repeat(26)}`);
    expect((await other.call(list, {}, { token: key })).status).toBe(404);
    const own = await inside.call(sandboxes.listSandboxes, {}, { token: key });
    expect(own.data).toMatchObject({ total: 0 });
    expect(
      (
        await inside.call(
          sandboxes.createSandbox,
          { name: 'x', startAt: start, copyCatalogue: false },
          { token: key },
        )
      ).envelope.code,
    ).toBe('sandboxes.inside');
  });

  it('responses name the sandbox and set no cookie; a cookie signs nobody in', async () => {
    const answer = await fetch(`${sandbox.address}/api/admin/organizations`, {
      headers: { authorization: `Bearer ${key}`, cookie: 'session=1' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-sandbox')).toBe(sandbox.id);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const foreign = await fetch(`${sandbox.address}/api/admin/services`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        origin: 'https://evil.example',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(foreign.status).toBe(403);
  });

  it('too large requests are rejected as on the console', async () => {
    const answer = await fetch(`${sandbox.address}/api/admin/services`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(1_100_000) }),
    });
    expect(answer.status).toBe(413);
  });

  it('no path leads out of a sandbox', async () => {
    const id = sandbox.id;
    for (const path of [
      `/sandbox/${id}/../../api/admin/organizations`,
      `/sandbox/${id}/api/../api/admin/organizations`,
      `/sandbox/${id}/api/%2e%2e/admin/organizations`,
      `/sandbox/${id}%2fapi/admin/organizations`,
      `/sandbox/${id}/api%2fadmin/organizations`,
      `/sandbox/${id}/api//admin/organizations`,
      `/sandbox//${id}/api/admin/organizations`,
      `/sandbox/${id}/api\\admin\\organizations`,
      `/sandbox/${id}/api`,
      `/sandbox/${id}/metrics`,
      `/sandbox/${id}/healthz`,
      `/sandbox/${id}/`,
      `/sandbox/${id.toUpperCase()}/api/admin/organizations`,
      `/sandbox/x/api/admin/organizations`,
    ]) {
      expect(sandboxCallOf(path), path).toBeUndefined();
      // A client that does not normalize the path, as fetch would.
      const status = await new Promise<number>((resolve, reject) => {
        request(
          {
            host: '127.0.0.1',
            port: new URL(console.address).port,
            path,
            headers: { authorization: `Bearer ${key}` },
          },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          },
        )
          .on('error', reject)
          .end();
      });
      expect([400, 401, 404], path).toContain(status);
    }
    expect(sandboxCallOf(`/sandbox/${id}/api/bills?limit=1&q=a/../b`)).toEqual({
      id,
      url: '/api/bills?limit=1&q=a/../b',
    });
  });
});

describe('T-SANDBOX: the clock of a sandbox', () => {
  it('rejects going back, too far, and contradictory requests', async () => {
    const codes = [];
    for (const wanted of [
      {},
      { days: 1, months: 1 },
      { to: start },
      { to: new Date('2028-01-01T00:00:00Z') },
    ])
      codes.push(
        (await console.call(sandboxes.moveClock, { sandboxId: sandbox.id, ...wanted }, { token })).envelope
          .code,
      );
    expect(codes).toEqual([
      'sandboxes.clock_one',
      'sandboxes.clock_one',
      'sandboxes.clock_back',
      'sandboxes.clock_far',
    ]);
  });

  it('stops when canceled, rejects another move meanwhile, and continues', async () => {
    const before = await get();
    await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, months: 12 }, { token });
    await vi.waitFor(async () => expect((await get()).clockAt > before.clockAt).toBe(true), {
      timeout: 20_000,
    });
    const again = await console.call(sandboxes.moveClock, { sandboxId: sandbox.id, days: 1 }, { token });
    expect(again.envelope.code).toBe('sandboxes.moving');
    await console.ok(sandboxes.cancelMove, { sandboxId: sandbox.id }, { token });
    const cancelled = await stands();
    expect(cancelled.move?.state).toBe('cancelled');
    expect(cancelled.clockAt < new Date(Date.UTC(2024, months + 11))).toBe(true);
    const late = await console.call(sandboxes.cancelMove, { sandboxId: sandbox.id }, { token });
    expect(late.envelope.code).toBe('sandboxes.not_moving');
    const to = new Date(Math.max(cancelled.clockAt.getTime() + 86_400_000, Date.UTC(2024, months + 1, 4)));
    await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, to }, { token });
    expect(await stands()).toMatchObject({ clockAt: to, move: { state: 'done' } });
    expect((await get()).bills).toBe((to.getUTCFullYear() - 2024) * 12 + to.getUTCMonth());
  }, 60_000);

  it('charges a saved card with the test provider', async () => {
    const inside = within(sandbox.address);
    const one = (await inside.ok(identity.listOrganizations, { q: 'One' }, { token: key })).items[0];
    const account = 'payer@one.example';
    await inside.ok(
      identity.createUser,
      {
        account,
        name: 'Payer',
        role: 'User',
        organizationId: required(one, 'the customer').id as Id<'org'>,
        password: userPassword,
      },
      { token: key },
    );
    const { token: payer } = await inside.ok(signin.login, { account, password: userPassword });
    await inside.ok(collection.addCard, { consents: true, language: 'enUS' }, { token: payer });
    await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, days: 1 }, { token });
    await stands();
    const again = (await inside.ok(signin.login, { account, password: userPassword })).token;
    expect(await inside.ok(collection.listCards, {}, { token: again })).toMatchObject({
      cards: [{ brand: 'visa', last4: '4242', isDefault: true }],
    });
    await inside.ok(collection.setCollection, { isOn: true }, { token: again });
    await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, days: 1 }, { token });
    await stands();
    const { items } = await inside.ok(billing.adminListBills, { limit: 50 }, { token: key });
    expect(items.filter(({ state }) => state === 'paid').length).toBeGreaterThan(0);
  }, 60_000);

  it('is moved on by another console when the first one ends', async () => {
    const before = await get();
    let turns = 0;
    armFailPoints(console.app, (point) => {
      if (point === 'sandboxes: clock noted' && ++turns === 5) throw new Error('killed');
    });
    const to = new Date(before.clockAt.getTime() + 3 * 86_400_000);
    await console.ok(sandboxes.moveClock, { sandboxId: sandbox.id, to }, { token });
    await vi.waitFor(() => expect(turns).toBeGreaterThanOrEqual(5), { timeout: 20_000 });
    armFailPoints(console.app, undefined);
    // The sandbox is taken over only after it was released, and this test checks once.
    await expect
      .poll(async () => {
        const { rows } = await sql<{
          mover: string | null;
        }>`select mover from sandbox where id = ${sandbox.id}`.execute(db());
        return rows[0]?.mover;
      })
      .toBeNull();
    expect((await get()).clockAt < to).toBe(true);
    await runFeatureJob(console.app, 'sandboxes-mend');
    expect(await stands()).toMatchObject({ clockAt: to, move: { state: 'done' } });
  }, 60_000);
});

describe('T-SANDBOX: the database server', () => {
  it('whose role may not create databases is reported with advice, nothing is left behind, and then it works', async () => {
    const { database } = console.app;
    const { where } = database;
    const role = `no_databases_${randomBytes(4).toString('hex')}`;
    const asRole = { ...partsOf(where), user: role, password: 'x' };
    // The console's own role later drops what this one has created.
    await administer(
      asSuperuser(where),
      `create role ${role} login nocreatedb password 'x'; grant ${role} to ${partsOf(where).user}`,
    );
    atFileEnd(() => administer(asSuperuser(where), `drop role if exists ${role}`));
    const before = (await console.ok(sandboxes.listSandboxes, {}, { token })).total;
    const attempt = async () => {
      database.where = asRole;
      try {
        return await console.call(
          sandboxes.createSandbox,
          { name: 'Refused', startAt: start, copyCatalogue: false },
          { token },
        );
      } finally {
        database.where = where;
      }
    };
    const { status, envelope } = await attempt();
    expect([status, envelope.code]).toEqual([409, 'sandboxes.no_database']);
    expect(envelope.message).toContain(`ALTER ROLE ${role} CREATEDB`);
    expect((await console.ok(sandboxes.listSandboxes, {}, { token })).total).toBe(before);
    await administer(asSuperuser(where), `alter role ${role} createdb`);
    const { data } = await attempt();
    expect(data.sandbox.state).toBe('ready');
    await console.ok(sandboxes.deleteSandbox, { sandboxId: data.sandbox.id }, { token });
  }, 60_000);

  it('on which another console dropped a sandbox: its process stops without repeated errors', async () => {
    const { sandbox: gone } = await create('Gone');
    const { database } = required(await rowOf(gone), 'its row');
    logged.length = 0;
    await administer(console.app.database.where, `drop database ${database} with (force)`);
    const about = () => logged.filter((line) => line.includes(gone.id));
    // It checks once a second: the first check that finds the database missing is the last.
    await vi.waitFor(() => expect(about().filter((line) => line.includes('it stops here'))).toHaveLength(1), {
      timeout: 20_000,
      interval: 50,
    });
    expect(about().filter((line) => line.includes('could not look for the jobs')).length).toBeLessThan(2);
    await console.ok(sandboxes.deleteSandbox, { sandboxId: gone.id }, { token });
  }, 60_000);
});

describe('T-SANDBOX: interrupted work', () => {
  const old = (of: Sandbox) =>
    sql`update sandbox set alive_at = now() - interval '1 day' where id = ${of.id}`.execute(db());

  it('a reset starts again with new keys, and the old database is dropped', async () => {
    const { sandbox: other, key: former } = await create('Reset');
    const database = required(await rowOf(other), 'its row').database;
    const { key: next, sandbox: reset } = await console.ok(
      sandboxes.resetSandbox,
      { sandboxId: other.id },
      { token },
    );
    expect(reset).toMatchObject({ id: other.id, clockAt: start, bills: 0 });
    const inside = within(other.address);
    expect((await inside.call(identity.listOrganizations, {}, { token: former ?? '' })).status).toBe(401);
    expect((await inside.call(identity.listOrganizations, {}, { token: next ?? '' })).status).toBe(200);
    expect(await databases()).not.toContain(database);

    // A console that ended during a reset.
    const { where } = console.app.database;
    const half = `${database}_half`;
    await required(console.app.sandboxes, 'the host').createDatabase(half);
    await sql`update sandbox set next_database = ${half} where id = ${other.id}`.execute(db());
    expect(
      (await console.call(sandboxes.moveClock, { sandboxId: other.id, days: 1 }, { token })).envelope.code,
    ).toBe('sandboxes.not_ready');
    await old(other);
    await runFeatureJob(console.app, 'sandboxes-mend');
    expect(await rowOf(other)).toMatchObject({ next: null, state: 'ready' });
    expect(await databases()).not.toContain(half);

    // A console that ended during a deletion.
    armFailPoints(console.app, () => {
      throw new Error('killed');
    });
    await console.call(sandboxes.deleteSandbox, { sandboxId: other.id }, { token });
    armFailPoints(console.app, undefined);
    expect(await rowOf(other)).toMatchObject({ state: 'deleting' });
    expect((await inside.call(identity.listOrganizations, {}, { token: next ?? '' })).status).toBe(404);
    await old(other);
    await runFeatureJob(console.app, 'sandboxes-mend');
    expect(await rowOf(other)).toBeUndefined();

    // A console that ended during creation: the row exists, the database is half created.
    await sql`insert into sandbox (id, name, database_name, state, start_at, clock_at, copies_catalogue, alive_at, last_used_at, created_by, created_at)
      values (${`sbx_${'1'.repeat(26)}`}, 'Half', ${half}, 'making', now(), now(), false, now() - interval '1 hour', now(), '', now())`.execute(
      db(),
    );
    await administer(where, `create database ${half} template template0`);
    await runFeatureJob(console.app, 'sandboxes-mend');
    const { rows } = await sql`select from sandbox where name = 'Half'`.execute(db());
    expect(rows).toHaveLength(0);
    const left = await withClient(where, (client) =>
      client.query('select from pg_database where datname = $1', [half]),
    );
    expect(left.rows).toHaveLength(0);
  }, 60_000);

  it('after a restore databases without a sandbox are dropped, and sandboxes without a database deleted', async () => {
    const { sandbox: lost } = await create('Lost');
    const { sandbox: kept } = await create('Kept');
    // The state after a restore: one of its sandboxes has no database on this server, and the server has an
    // unknown database.
    const known = required(await rowOf(lost), 'its row').database;
    await administer(console.app.database.where, `drop database ${known} with (force)`);
    const unknown = required(await rowOf(kept), 'its row').database;
    await sql`delete from sandbox where id = ${kept.id}`.execute(db());
    expect(await databases()).toContain(unknown);
    await runFeatureJob(console.app, 'sandboxes-tidy');
    expect(await rowOf(lost)).toBeUndefined();
    expect(await databases()).toEqual([required(await rowOf(sandbox), 'its row').database]);
    expect((await get()).state).toBe('ready');
  }, 60_000);

  it('an unused sandbox is deleted after a notice', async () => {
    const { sandbox: unused } = await create('Unused');
    console.clock.set(new Date('2026-12-14T00:00:00Z'));
    await runFeatureJob(console.app, 'sandboxes-tidy');
    const { rows } = await sql<{
      kind: string;
    }>`select kind from notification where kind = 'system.sandbox_unused' and subject = ${unused.id}`.execute(
      db(),
    );
    expect(rows).toHaveLength(1);
    expect(await rowOf(unused)).toMatchObject({ state: 'ready' });
    console.clock.set(new Date('2026-12-21T00:00:00Z'));
    // The other one is used again in time.
    await within(sandbox.address).call(identity.listOrganizations, {}, { token: key });
    await runFeatureJob(console.app, 'sandboxes-tidy');
    expect(await rowOf(unused)).toBeUndefined();
    expect(await rowOf(sandbox)).toMatchObject({ state: 'ready' });
    console.clock.set(new Date('2026-11-20T00:00:00Z'));
  }, 60_000);
});
