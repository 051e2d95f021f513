import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog, silentLog } from '../log.ts';
import { migrate } from './migrate.ts';
import { migrationSources } from './migration-files.ts';
import { StartRefused } from '../start-refused.ts';
import { createTestDatabase } from '#tests/support/database.ts';

const { pool, connection } = await createTestDatabase({ isEmpty: true });
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'migrate-'));
  await pool.query('drop schema public cascade; create schema public');
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

test('a new database is one line of the log, an upgrade one line for each file', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const messages = (): unknown[] =>
    lines.splice(0).map(({ msg, migration, migrations }) => [msg, migration ?? migrations]);
  await write('identity', '20260201-0900-users.sql', 'create table users (id int primary key)');
  await write('identity', '20260301-0900-name.sql', 'alter table users add name text');
  await migrate(pool, sources(), log);
  expect(messages()).toEqual([['the tables of the new database are made', 2]]);
  await write('identity', '20260401-0900-email.sql', 'alter table users add email text');
  await migrate(pool, sources(), log);
  expect(messages()).toEqual([['migration applied', 'identity/20260401-0900-email.sql']]);
});

test('applies files by the time in their names whatever the feature, equal times by feature, each once; without new files it runs one query', async () => {
  await write(
    'billing',
    '20260301-0900-bill.sql',
    `create table bill (id int primary key, user_id int references users); insert into trail values (3)`,
  );
  await write(
    'identity',
    '20260401-0900-email.sql',
    'alter table bill add email text; insert into trail values (4)',
  );
  await write(
    'identity',
    '20260301-0900-more.sql',
    'alter table users add name text; insert into trail values (2)',
  );
  await write(
    'identity',
    '20260201-0900-users.sql',
    'create table users (id int primary key); create table trail (step int); insert into trail values (1)',
  );
  expect(await run()).toEqual([
    'identity/20260201-0900-users.sql',
    'identity/20260301-0900-more.sql',
    'billing/20260301-0900-bill.sql',
    'identity/20260401-0900-email.sql',
  ]);
  expect((await pool.query('select step from trail')).rows).toEqual([
    { step: 1 },
    { step: 2 },
    { step: 3 },
    { step: 4 },
  ]);

  const questions: unknown[] = [];
  const recordingPool: typeof pool = Object.create(pool, {
    query: {
      value: (text: string) => {
        questions.push(text);
        return pool.query(text);
      },
    },
    connect: {
      value: () => {
        throw new Error('no transaction is needed');
      },
    },
  });
  expect(await migrate(recordingPool, sources(), silentLog())).toEqual([]);
  expect(questions).toHaveLength(1);
});

test('a new file of an earlier feature is applied on upgrade, although later ones were already applied', async () => {
  await write('identity', '20260101-0900-users.sql', 'create table users (id int)');
  await write('billing', '20260401-0900-bill.sql', 'create table bill (id int)');
  await run();
  await write('identity', '20260201-0900-email.sql', 'alter table users add email text');
  expect(await run()).toEqual(['identity/20260201-0900-email.sql']);
});

test('a failing migration is rolled back and reported with its name and line; earlier ones stay', async () => {
  await write('identity', '20260101-0900-users.sql', 'create table users (id int)');
  await write(
    'identity',
    '20260102-0900-broken.sql',
    'create table half (id int);\n\ninsert into nowhere values (1);',
  );
  await expect(run()).rejects.toThrow(
    /The migration identity\/20260102-0900-broken\.sql failed at line 3: relation "nowhere" does not exist/,
  );
  expect(await tables()).toEqual(['schema_migration', 'users']);
  await write('identity', '20260102-0900-broken.sql', 'create table half (id int)');
  expect(await run()).toEqual(['identity/20260102-0900-broken.sql']);
});

test('a changed checksum is rejected by name, before anything is applied; line ends do not matter', async () => {
  await write('identity', '20260101-0900-users.sql', 'create table users (\n id int\n)');
  await run();
  await write('identity', '20260101-0900-users.sql', 'create table users (\r\n id int\r\n)');
  expect(await run()).toEqual([]);
  await write('identity', '20260101-0900-users.sql', 'create table users (\n id bigint\n)');
  await write('identity', '20260201-0900-more.sql', 'create table more (id int)');
  await expect(run()).rejects.toThrow(StartRefused);
  await expect(run()).rejects.toThrow(
    /identity\/20260101-0900-users\.sql has been applied to this database in another form/,
  );
  expect(await tables()).toEqual(['schema_migration', 'users']);
});

test('F21 an older console rejects a database that a newer one has changed', async () => {
  await write('identity', '20260101-0900-users.sql', 'create table users (id int)');
  await write('identity', '20260201-0900-newer.sql', 'alter table users add name text');
  await run();
  await rm(join(root, 'identity', '20260201-0900-newer.sql'));
  await expect(run()).rejects.toThrow(
    /A newer console has changed this database \(identity\/20260201-0900-newer\.sql\)/,
  );
});

test('a badly named file, and one that ends its transaction, are rejected before the database is touched', async () => {
  await write('identity', '2026-users.sql', 'select 1');
  await expect(run()).rejects.toThrow(/2026-users\.sql is not named like a migration/);
  await rm(join(root, 'identity', '2026-users.sql'));
  await write('identity', '20260101-0900-users.sql', 'create table users (id int);\nCOMMIT;\n');
  await expect(run()).rejects.toThrow(/begins or ends a transaction/);
  expect(await tables()).toEqual([]);
});

test('functions with their own bodies do not count as transactions', async () => {
  await write(
    'identity',
    '20260101-0900-guard.sql',
    'create function guard() returns trigger language plpgsql as $$\nbegin\n  return new;\nend;\n$$;',
  );
  expect(await run()).toHaveLength(1);
});

test('F21 three consoles that start at the same moment apply each migration once', async () => {
  for (let step = 1; step <= 5; step += 1) {
    // None of these can be applied twice.
    await write(
      'platform',
      `20260101-090${step}-step.sql`,
      `create table step_${step} (id int); select pg_sleep(0.02)`,
    );
  }
  const processes = await Promise.all([startProcess(), startProcess(), startProcess()]);
  const answers = await Promise.all(processes.map((one) => one.go()));
  const applied = answers.flatMap((answer) => JSON.parse(answer) as string[]);
  expect(applied.toSorted()).toEqual([1, 2, 3, 4, 5].map((step) => `platform/20260101-090${step}-step.sql`));
});

test('F21 killed at any statement: the old schema or the new one, nothing in between; the next start completes it', async () => {
  await write('platform', '20260101-0900-first.sql', 'create table first_table (id int)');
  await write(
    'platform',
    '20260102-0900-second.sql',
    'create table left_half (id int);\nselect pg_advisory_lock(77);\ncreate table right_half (id int)',
  );
  const blocker = await pool.connect();
  await blocker.query('select pg_advisory_lock(77)');
  const victim = await startProcess();
  void victim.go();
  // It is in the middle of the second file now.
  await expect
    .poll(
      async () =>
        (
          await blocker.query(
            `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and objid = 77 and not granted`,
          )
        ).rows,
    )
    .toEqual([{ waiting: 1 }]);
  const ended = once(victim.child, 'exit');
  victim.child.kill('SIGKILL');
  await ended;
  await blocker.query('select pg_advisory_unlock(77)');
  blocker.release();

  expect(
    await migrate(pool, [{ feature: 'platform', directory: join(root, 'platform') }], silentLog()),
  ).toEqual(['platform/20260102-0900-second.sql']);
  expect(await tables()).toEqual(['first_table', 'left_half', 'right_half', 'schema_migration']);
});

test('the console’s own migrations: the platform first, missing directories skipped', async () => {
  const own = migrationSources(['access/identity', 'access/no-such-feature']);
  expect(own.map(({ feature }) => feature)).toEqual(['platform', 'identity', 'no-such-feature']);
  await migrate(pool, own, silentLog());
  expect(await migrate(pool, own, silentLog())).toEqual([]);
});

function sources() {
  return ['platform', 'identity', 'billing'].map((feature) => ({ feature, directory: join(root, feature) }));
}

async function run(): Promise<string[]> {
  return migrate(pool, sources(), silentLog());
}

async function write(feature: string, file: string, sql: string): Promise<void> {
  await mkdir(join(root, feature), { recursive: true });
  await writeFile(join(root, feature, file), sql);
}

async function tables(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function startProcess(): Promise<{ child: ChildProcess; go(): Promise<string> }> {
  const program = fileURLToPath(
    new URL('../../../../tests/support/fixtures/migrate-process.ts', import.meta.url),
  );
  const child = spawn(process.execPath, [program, JSON.stringify(connection), join(root, 'platform')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: Interface = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    child,
    go: async () => {
      const answer = once(lines, 'line');
      child.stdin.write('now\n');
      return String((await answer)[0]);
    },
  };
}
