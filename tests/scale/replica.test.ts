// Reading from a replica (DATABASE_READ_URL): people see their own changes immediately, and others’ changes
// as late as the replica.
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { StartRefused } from '#platform/server/start-refused.ts';
import { required } from '#kernel/assert.ts';
import { minuteMs } from '#kernel/durations.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { runCli } from '../support/cli.ts';
import { createTestConsole, setUp, signIn, type TestConsole } from '../support/console.ts';
import { createTestDatabase, addressOf } from '../support/database.ts';
import { startGate, type Gate } from '../support/gate.ts';
import { RawClient } from '../support/live.ts';
import { hasPostgresPrograms, startReplicated, type Replicated } from '../support/replica.ts';

const now = new Date();

describe.skipIf(!hasPostgresPrograms)('two consoles that read from a replica', () => {
  let servers: Replicated;
  let gate: Gate;
  let one: TestConsole;
  let two: TestConsole;
  /** Two Admins: one makes changes, the other one reads. */
  let writer: string;
  let reader: string;
  let readerId: string;

  const start = (url: string): Promise<TestConsole> =>
    createTestConsole(
      now,
      { DATABASE_URL: addressOf(servers.database.connection), DATABASE_READ_URL: url },
      servers.database,
    );
  const replicaOf = ({ app }: TestConsole) => required(app.database.replica, 'a replica');
  const create = (console: TestConsole, name: string) =>
    console.ok(
      catalogue.createService,
      {
        name,
        type: 'API',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      { token: writer },
    );
  const names = async (console: TestConsole, token: string): Promise<string[]> => {
    const { items } = await console.ok(catalogue.adminListServices, { limit: 100 }, { token });
    return items.map(({ name }) => name);
  };
  /** Whether the replica answered the reads of `run`. */
  const isLate = async (console: TestConsole, run: () => Promise<unknown>): Promise<boolean> => {
    const before = replicaOf(console).now();
    await run();
    const after = replicaOf(console).now();
    expect(after.answered + after.passedOn).toBe(before.answered + before.passedOn + 1);
    return after.answered > before.answered;
  };
  const becomesFit = (console: TestConsole): Promise<void> =>
    expect.poll(() => replicaOf(console).now().problem, { interval: 20 }).toBeNull();

  beforeAll(async () => {
    servers = await startReplicated();
    gate = await startGate(servers.url);
    one = await start(gate.connection);
    two = await start(gate.connection);
    writer = await setUp(one);
    const { user } = await one.ok(
      identity.createUser,
      { account: 'second@cloud.example', name: 'Second', role: 'Admin' },
      { token: writer },
    );
    readerId = user.id;
    await servers.database.pool.query(
      `update app_user set password_hash = (select password_hash from app_user where account = 'admin@cloud.example') where id = $1`,
      [user.id],
    );
    reader = await signIn(one, 'second@cloud.example', 'a long enough passphrase');
    for (const console of [one, two]) console.clock.advance(minuteMs);
    // After a start nobody’s last change is known for a while.
    await servers.database.pool.query(`update last_write set at = at - interval '1 minute'`);
  });

  /** Like `isLate`, but true only where the replica was not even queried. */
  const isLateOrNot = async (console: TestConsole, token: string): Promise<boolean> => {
    const before = replicaOf(console).now().answered;
    await names(console, token);
    return replicaOf(console).now().answered > before;
  };

  it('show a change to its author immediately, and to others when the replica has it', async () => {
    await Promise.all([becomesFit(one), becomesFit(two)]);
    await create(one, 'Before');
    await expect.poll(() => isLate(two, () => names(two, writer))).toBe(true);
    await servers.pause();
    try {
      const { id } = await create(one, 'Paused');
      for (const console of [one, two]) {
        expect(
          await isLate(console, async () => expect(await names(console, writer)).toContain('Paused')),
        ).toBe(false);
        expect(
          await isLate(console, async () => expect(await names(console, reader)).not.toContain('Paused')),
        ).toBe(true);
      }
      // A row that the replica does not have may exist on the primary: a link that was sent always works.
      expect((await two.ok(catalogue.adminGetService, { serviceId: id }, { token: reader })).name).toBe(
        'Paused',
      );
    } finally {
      await servers.resume();
    }
    await expect.poll(() => isLate(two, () => names(two, writer))).toBe(true);
    expect(await names(two, reader)).toContain('Paused');
  });

  it('read from the primary for users who have just signed in, registered or accepted an invitation', async () => {
    expect(await isLateOrNot(two, reader)).toBe(true);
    const token = await signIn(one, 'second@cloud.example', 'a long enough passphrase');
    expect(await isLateOrNot(two, token)).toBe(false);
    for (const console of [one, two]) console.clock.advance(minuteMs);
    expect(await isLateOrNot(two, token)).toBe(true);
  });

  it('deliver a live message when the replica has its change', async () => {
    const page = await RawClient.connect(two, { token: reader, userId: readerId }, ['system/billing']);
    await servers.pause();
    await servers.database.pool.query(
      `insert into outbox (kind, key, payload, created_at, due_at) values ('live', null, '{"topics":["system/billing"],"message":{"kind":"progress"}}', now(), now())`,
    );
    one.app.wakeOutbox();
    await create(one, 'Told of');
    // The second check after it: enough time for a message that does not wait.
    const { lagMs } = replicaOf(two).now();
    await expect.poll(() => replicaOf(two).now().lagMs).toBeGreaterThan(lagMs + 1500);
    expect(page.news()).toEqual([]);
    await servers.resume();
    await expect.poll(() => page.news().length).toBe(1);
    expect(await names(two, reader)).toContain('Told of');
  });

  it('end sessions immediately, however far behind the replica is', async () => {
    const token = await signIn(one, 'second@cloud.example', 'a long enough passphrase');
    await servers.pause();
    await servers.database.pool.query(`update app_user set status = 'inactive' where id = $1`, [readerId]);
    const { status } = await two.call(catalogue.adminListServices, { limit: 1 }, { token });
    await servers.database.pool.query(`update app_user set status = 'active' where id = $1`, [readerId]);
    await servers.resume();
    expect(status).toBe(401);
  });

  it('read from the primary after a crash, while nobody’s last change is known', async () => {
    await servers.pause();
    try {
      await create(one, 'Forgotten');
      await servers.database.pool.query('truncate last_write');
      expect(await names(two, writer)).toContain('Forgotten');
      expect(await isLate(two, () => names(two, reader))).toBe(false);
    } finally {
      await servers.resume();
      await expect
        .poll(async () => (await servers.database.pool.query('select 1 from last_write')).rowCount)
        .toBeGreaterThan(0);
      await servers.database.pool.query(`update last_write set at = at - interval '1 minute'`);
    }
  });

  it('T-GRANTS the role of replica-grants reads the replica without secrets, and cannot write there', async () => {
    await create(one, 'For analysts');
    const { code, out, err } = await runCli(one, 'replica-grants', '--role', 'analysts');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    // As in docs/operator/data-export.md: run by the owner on the primary, with another password.
    await servers.database.pool.query(out.replace(/password '[^']*'/, `password 'of analysts'`));
    const address = new URL(servers.url);
    Object.assign(address, { username: 'analysts', password: encodeURIComponent('of analysts') });
    address.pathname = new URL(addressOf(servers.database.connection)).pathname;
    const analyst = await vi.waitFor(
      async () => {
        const client = new pg.Client(address.href);
        await client.connect();
        return client;
      },
      { timeout: 20_000 },
    );
    try {
      await vi.waitFor(
        async () => {
          const { rows } = await analyst.query(
            'select name, pg_is_in_recovery() as replica from service order by name',
          );
          expect(rows).toContainEqual({ name: 'For analysts', replica: true });
        },
        { timeout: 20_000 },
      );
      for (const statement of [
        'select password_hash from app_user',
        'select * from app_user',
        'select sealed from installation_secrets',
      ])
        await expect(analyst.query(statement), statement).rejects.toThrow(/permission denied/);
      await expect(analyst.query(`update service set name = 'x'`)).rejects.toThrow(
        /permission denied|read-only/,
      );
    } finally {
      await analyst.end();
    }
  });

  it('use the primary while the replica is down, and the replica when it is back', async () => {
    await becomesFit(two);
    gate.close();
    for (let calls = 0; calls < 5; calls++) expect(await names(two, reader)).toContain('Before');
    await expect.poll(() => replicaOf(two).now().problem).toBe('away');
    const { database } = await two.ok(monitoring.monitoring, {}, { token: reader });
    expect(database.replica).toMatchObject({ problem: 'away', verdict: 'warning' });
    gate.open();
    await becomesFit(two);
    expect(await isLate(two, () => names(two, reader))).toBe(true);
    expect((await two.ok(monitoring.monitoring, {}, { token: reader })).database.replica).toMatchObject({
      problem: null,
      verdict: 'good',
    });
  });

  it('do not read a replica that is more than ten seconds behind', async () => {
    await servers.pause();
    try {
      await create(one, 'Long ago');
      expect(await names(two, reader)).not.toContain('Long ago');
      await expect.poll(() => names(two, reader), { timeout: 20_000, interval: 200 }).toContain('Long ago');
      expect(replicaOf(two).now()).toMatchObject({ problem: 'late' });
    } finally {
      await servers.resume();
    }
    await becomesFit(two);
  });

  it('fail to start with a wrong address and an explanation; they start without a replica that does not respond', async () => {
    const another = await createTestDatabase();
    for (const [url, sentence] of [
      [addressOf(another.connection), /^DATABASE_READ_URL leads to a server that is no replica/],
      [servers.otherDatabaseUrl, /^DATABASE_READ_URL leads to a server that is no replica/],
      [servers.wrongPasswordUrl, /^DATABASE_READ_URL: the server refuses \(password authentication failed/],
    ] as const) {
      const refused = start(url);
      await expect(refused).rejects.toThrow(StartRefused);
      await expect(refused).rejects.toThrow(sentence);
    }
    const alone = await start('postgres://postgres@127.0.0.1:1/postgres');
    expect(await names(alone, reader)).toContain('Before');
    expect(replicaOf(alone).now()).toMatchObject({ problem: 'away', answered: 0 });
    await alone.end();
  });
});
