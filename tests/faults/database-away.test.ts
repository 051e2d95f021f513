// What people, programs and jobs are told while the database restarts or another server takes over, and that
// everything continues afterwards.
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import { openDatabase, type Database } from '#platform/server/database/db.ts';
import { DatabaseUnavailable, isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import { job, JobRunner } from '#platform/server/jobs/jobs.ts';
import { silentLog } from '#platform/server/log.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { importBooks } from '../support/backups.ts';
import { atFileEnd } from '../support/clean-up.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { createTestDatabase, partsOf, type TestDatabase } from '../support/database.ts';
import { startGate, type Gate } from '../support/gate.ts';
import { publish, RawClient } from '../support/live.ts';

/** The only connection of a console. */
async function createConsolePool(database: TestDatabase): Promise<Database> {
  const opened = await openDatabase(database.connection, { max: 1, log: silentLog() });
  atFileEnd(() => opened.close());
  return opened;
}

const actor = { kind: 'system', name: 'test' } as const;

describe('while the database is away', () => {
  let database: TestDatabase;
  let gate: Gate;
  let console: TestConsole;
  let admin: string;
  let user: { token: string; userId: string; organizationId: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    gate = await startGate(database.connection);
    console = await createTestConsole(undefined, {}, { ...database, connection: gate.connection });
    admin = await setUp(console);
    user = await registerUser(console, 'owner@one.example', 'One');
  });

  const get = (path: string, language = 'en-US'): Promise<Response> =>
    fetch(`${console.address}${path}`, {
      headers: { authorization: `Bearer ${user.token}`, 'accept-language': language },
    });
  const isBack = (): Promise<void> =>
    expect.poll(async () => (await get('/readyz')).status, { interval: 20 }).toBe(200);

  it('every call is answered with 503, Retry-After and a message, none counts as an internal error, and then all continue', async () => {
    const page = await RawClient.connect(console, user, [`org/${user.organizationId}/usage`]);
    const { ticket } = await console.ok(identity.liveTicket, {}, { token: user.token });
    gate.close();
    for (const path of ['/api/bills', '/api/user/profile', '/api/together?get=/budgets&get=/usage/quotas']) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '2']);
      expect(await answer.json()).toMatchObject({
        isSuccess: false,
        code: 'platform.database_unavailable',
        message: 'The service is recovering from an interruption. Try again in a moment.',
      });
    }
    expect(await (await get('/api/bills', 'zh-TW')).json()).toMatchObject({
      message: '服務中斷，正在恢復，請稍後再試一次。',
    });
    const login = await console.call(signin.login, { account: 'owner@one.example', password: userPassword });
    expect([login.status, login.envelope.code]).toEqual([503, 'platform.database_unavailable']);
    expect([(await get('/readyz')).status, (await get('/healthz')).status]).toEqual([503, 200]);
    // A device that is told its key is wrong (4) would never reconnect; 3 means that the server is
    // unavailable.
    const device = await RawClient.open(console);
    expect(await device.sendConnect(user.userId, ticket, `${user.userId}-device`)).toBe(3);

    gate.open();
    await isBack();
    expect((await get('/api/user/profile')).status).toBe(200);
    await expect
      .poll(async () => {
        await publish(console, `org/${user.organizationId}/usage`, { kind: 'usage' });
        return page.news().length;
      })
      .toBeGreaterThan(0);
    await console.ok(signin.login, { account: 'owner@one.example', password: userPassword });
    const { rows } = await database.pool.query('select place, message from fault');
    expect(rows).toEqual([]);
  });

  it('a job starts again as soon as the database is back, and fails in the end if it always loses it', async () => {
    const ran: string[] = [];
    const runner = new JobRunner(
      database.connection,
      [
        job({
          name: 'loses-it-once',
          run: async (app) => {
            ran.push('begins');
            if (ran.length === 1) gate.close();
            if (ran.length === 1) setImmediate(() => gate.open());
            await sql`select 1`.execute(app.database.kysely);
            ran.push('ends');
          },
        }),
        job({
          name: 'always-loses-it',
          retryLimit: 0,
          run: async (app) => {
            ran.push('kills');
            await sql`select pg_terminate_backend(pg_backend_pid())`.execute(app.database.kysely);
          },
        }),
      ],
      silentLog(),
    );
    await runner.start(console.app);
    atFileEnd(() => runner.stop());
    const db = {
      executeSql: (text: string, values?: unknown[]) => database.pool.query(text, values ?? []),
    };
    await runner.send('loses-it-once', {}, db);
    await expect.poll(() => ran).toEqual(['begins', 'begins', 'ends']);
    await runner.send('always-loses-it', {}, db);
    const states = async () =>
      (
        await database.pool.query<{ state: string }>(
          `select state::text from job.job where name = 'always-loses-it'`,
        )
      ).rows;
    await expect.poll(states).toEqual([{ state: 'failed' }]);
    expect(ran.filter((each) => each === 'kills')).toHaveLength(4);
  });

  it('no organization is parked in a close because of it: the close ends with 503, and the next one bills all', async () => {
    await importBooks(console, admin);
    await database.pool.query(`
      create function lose_it() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return new; end $$;
      create trigger lose_it before insert on bill for each row execute function lose_it()`);
    const close = () =>
      console.call(billing.closeMonth, { month: '2024-09' as BillingMonth }, { token: admin });
    const { status, envelope } = await close();
    expect([status, envelope.code]).toEqual([503, 'platform.database_unavailable']);
    const { rows } = await database.pool.query(
      'select (select count(*)::int from bill_parked) as parked, (select count(*)::int from bill) as bills',
    );
    expect(rows).toEqual([{ parked: 0, bills: 0 }]);
    await database.pool.query('drop trigger lose_it on bill');
    expect((await close()).data).toMatchObject({ issued: 67, parked: 0 });
  });
});

describe('a server that is no longer the primary', () => {
  it('is read-only, which is answered like an outage, and its connections are replaced by new ones', async () => {
    const database = await createTestDatabase();
    const { database: name } = partsOf(database.connection);
    const becomes = async (isReadOnly: boolean): Promise<void> => {
      await database.pool.query(
        `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
      );
    };
    await becomes(true);
    const console = await createConsolePool(database);
    const write = () =>
      console.kysely
        .transaction()
        .execute((db) =>
          sql`insert into schema_migration (name, checksum) values ('test/only', '')`.execute(db),
        );
    await expect(write()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await becomes(false);
    // The connection that was answered “read only” is closed; nobody has to restart the console.
    await write();
  });

  it('is distinguished from a read-only transaction that tries to write', async () => {
    const console = await createTestConsole();
    const failure = await unitOfWork(console.app, { actor, mode: 'snapshot' }, (ctx) =>
      sql`insert into schema_migration (name, checksum) values ('x', 'y')`.execute(ctx.db),
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('may only read') as string });
    expect(isDatabaseUnavailable(failure)).toBe(false);
  });
});

describe('errors of the database', () => {
  it('report an outage as such, and keep their own message when the database rejected a statement', async () => {
    const database = await createTestDatabase({ max: 2 });
    const failing = async (statement: string): Promise<unknown> =>
      database.pool.query(statement).catch((error: unknown) => error);
    expect(await failing('select pg_terminate_backend(pg_backend_pid())')).toBeInstanceOf(
      DatabaseUnavailable,
    );
    expect(await failing('select 1/0')).toMatchObject({ code: '22012' });
    expect(await failing('select * from nothing_of_the_kind')).toMatchObject({ code: '42P01' });
    const nobody = openDatabase('postgres://someone@127.0.0.1:1/nowhere', { max: 1, log: silentLog() });
    await expect(nobody).rejects.toBeInstanceOf(DatabaseUnavailable);
    // A connection that is lost between two statements of a transaction.
    const lost = database.kysely.transaction().execute(async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await pause(100);
      await sql`select 1`.execute(db);
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
