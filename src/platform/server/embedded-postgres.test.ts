import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endLeftBehind, findRunningPostgres, startEmbeddedPostgres, type DatabaseConnection, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { endEverything, endOf, isAlive, killConsole, spawnConsole, startConsole } from './fixtures/console-processes.ts';
import { createLog, silentLog } from './log.ts';

let root: string;
let dataDir: string;
let warnings: string;
const running = new Set<EmbeddedPostgres>();

// Made once and lent to one test after the other, for making a database is by far the slowest part.
let lendable: string;
let isLent: boolean;

beforeAll(async () => {
  lendable = await mkdtemp(join(tmpdir(), 'embedded-lendable-'));
  const made = await startEmbeddedPostgres({ dataDir: lendable, log: silentLog(), onExit: () => {} });
  await made.stop();
});

afterAll(async () => {
  await rm(lendable, { recursive: true, force: true });
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'embedded-'));
  dataDir = join(root, 'data');
  warnings = '';
  isLent = false;
});

afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  running.clear();
  await endEverything();
  if (isLent) {
    await endLeftBehind(dataDir, silentLog());
    await rename(join(dataDir, 'postgres'), join(lendable, 'postgres'));
  }
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test('makes a database that only its owner can enter, keeps what was committed over a stop, and is PostgreSQL as we want it', async () => {
  const first = await start();
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  await query(first.connection, 'create table note (text text)');
  await query(first.connection, `insert into note values ('雲端服務')`);
  expect(await setting(first.connection, 'fsync')).toBe('on');
  expect(await setting(first.connection, 'synchronous_commit')).toBe('on');
  expect(await setting(first.connection, 'data_checksums')).toBe('on');
  expect(await setting(first.connection, 'listen_addresses')).toBe('');
  expect(await setting(first.connection, 'server_encoding')).toBe('UTF8');
  expect(await setting(first.connection, 'TimeZone')).toBe('UTC');
  await first.stop();
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await start();
  expect(await query(second.connection, 'select text from note')).toEqual([{ text: '雲端服務' }]);
});

test('the console is no superuser: no statement reads files or starts programs', async () => {
  await borrowDatabase();
  const { connection } = await start();
  expect(await query(connection, 'select rolsuper, rolcreatedb from pg_roles where rolname = current_user')).toEqual([{ rolsuper: false, rolcreatedb: true }]);
  await expect(query(connection, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission denied/);
});

test('Chinese words can be searched by their parts, and case folds beyond ASCII', async () => {
  await borrowDatabase();
  const { connection } = await start();
  await query(connection, 'create extension pg_trgm');
  expect(await query(connection, `select '雲端運算服務' % '雲端運算' as is_alike, lower('ÀÉ') as lower`)).toEqual([{ is_alike: true, lower: 'àé' }]);
});

test('F12 a second console on the same directory ends at once, says why, and touches nothing', async () => {
  await borrowDatabase();
  const first = await startConsole(dataDir);
  const before = await traces();
  const second = await endOf(spawnConsole(dataDir));
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`Another console (process ${first.process.pid}) is using the data directory ${dataDir}.`);
  expect(await traces()).toEqual(before);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of consoles started at the same moment on a new directory exactly one runs', async () => {
  const consoles = [spawnConsole(dataDir), spawnConsole(dataDir), spawnConsole(dataDir)];
  const outcomes = await Promise.all(consoles.map(async (child) => Promise.race([once(child.stdout!, 'data').then(() => 'ready'), endOf(child).then(({ status }) => status)])));
  expect(outcomes.toSorted()).toEqual([1, 1, 'ready']);
  const winner = consoles[outcomes.indexOf('ready')];
  winner?.kill('SIGTERM');
  if (winner !== undefined) expect((await endOf(winner)).status).toBe(0);
});

describe('a console killed by kill -9', () => {
  test('leaves its server behind; the next start ends it and finds every committed row', async () => {
    await borrowDatabase();
    const killed = await startConsole(dataDir);
    await query(killed.connection, 'create table entry (id int primary key)');
    const client = await connect(killed.connection);
    let acknowledged = 0;
    for (; acknowledged < 200; acknowledged += 1) await client.query('insert into entry values ($1)', [acknowledged]);
    await client.query('begin');
    await client.query('insert into entry values (-1)');
    client.on('error', () => {});
    await killConsole(killed);
    expect(isAlive(killed.postgresPid)).toBe(true);

    const next = await start();
    expect(isAlive(killed.postgresPid)).toBe(false);
    expect(warnings).toContain('stopping the database server that an earlier console left behind');
    expect(await query(next.connection, 'select count(*)::int as rows, min(id) as least from entry')).toEqual([{ rows: acknowledged, least: 0 }]);
  });

  test('together with its server: what was committed is recovered', async () => {
    await borrowDatabase();
    const killed = await startConsole(dataDir);
    await query(killed.connection, 'create table recovered as select generate_series(1, 500) as id');
    await killConsole(killed);
    process.kill(killed.postgresPid, 'SIGKILL');

    const next = await start();
    expect(await query(next.connection, 'select count(*)::int as rows from recovered')).toEqual([{ rows: 500 }]);
  });

  test('in the middle of making the database leaves nothing half made', async () => {
    const making = spawnConsole(dataDir);
    await appearance(dataDir, /^postgres\.making-[0-9a-f]+$/);
    await killConsole({ process: making });
    expect(await readdir(dataDir)).not.toContain('postgres');

    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).toSorted()).toEqual(['console.lock', 'postgres']);
  });

  test('whose server nobody here can see (another container) is not started a second time', async () => {
    await borrowDatabase();
    const killed = await startConsole(dataDir);
    await killConsole(killed);
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [String(await deadPid()), ...rest].join('\n'));
    await expect(start()).rejects.toThrow(/cannot see \(another container, perhaps\) is using/);
    expect(isAlive(killed.postgresPid)).toBe(true);
  });
});

test('a process number left behind that now belongs to another program is not taken for a server, nor harmed', async () => {
  await borrowDatabase();
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  for (const pid of [process.pid, process.ppid, await deadPid()]) {
    await writeFile(pidFile, `${pid}\n${join(dataDir, 'postgres')}\n1\n5432\n.\n\n  1  1\nready\n`);
    const { connection, stop } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
  }
  await writeFile(pidFile, '');
  await (await start()).stop();
});

test('a server that ends by itself is reported once, and can be started again at once', async () => {
  await borrowDatabase();
  let report: ((end: unknown) => void) | undefined;
  const reported = new Promise((resolve) => { report = resolve; });
  const first = await start({ onExit: (end) => report?.(end) });
  await query(first.connection, 'create table survivor as select 1 as one');
  process.kill(first.pid, 'SIGKILL');
  expect(await reported).toEqual({ status: null, signal: 'SIGKILL' });
  await first.stop();

  const second = await start();
  expect(await query(second.connection, 'select one from survivor')).toEqual([{ one: 1 }]);
});

test('a stop that was asked for is not reported as an accident', async () => {
  await borrowDatabase();
  let reports = 0;
  const postgres = await start({ onExit: () => { reports += 1; } });
  await postgres.stop();
  expect(reports).toBe(0);
});

test('Ctrl-C reaches the console alone, which still has its database while it closes', async () => {
  await borrowDatabase();
  const console = await startConsole(dataDir);
  const answer = console.nextLine();
  process.kill(-(console.process.pid ?? 0), 'SIGINT');
  expect(await answer).toBe('{"answer":"still served"}');
  expect((await endOf(console.process)).status).toBe(0);
  expect(isAlive(console.postgresPid)).toBe(false);
});

test('a console that ends without closing in order takes its server along', async () => {
  await borrowDatabase();
  const console = await startConsole(dataDir);
  console.process.kill('SIGUSR2');
  expect((await endOf(console.process)).status).toBe(3);
  await expect.poll(() => isAlive(console.postgresPid)).toBe(false);
});

test('a path of more than 100 bytes works, with and without an orphan', async () => {
  dataDir = join(root, 'deep-'.repeat(20), '深'.repeat(30), 'data');
  await borrowDatabase();
  const killed = await startConsole(dataDir);
  await query(killed.connection, 'create table deep_note as select 1 as one');
  await killConsole(killed);
  const next = await start();
  expect(await query(next.connection, 'select one from deep_note')).toEqual([{ one: 1 }]);
  const second = await endOf(spawnConsole(dataDir));
  expect(second.stderr).toContain('Another console');
});

test('another process of the same user finds the running server, by socket, by long path and on TCP', async () => {
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
  await borrowDatabase();
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
  for (const transport of ['socket', 'tcp'] as const) {
    const postgres = await start({ transport });
    const found = await findRunningPostgres(dataDir);
    expect(found?.connection).toEqual(postgres.connection);
    await found?.release();
    await postgres.stop();
  }
  const deep = join(root, 'deep-'.repeat(20));
  await rename(dataDir, deep);
  dataDir = deep;
  await startConsole(dataDir);
  const found = await findRunningPostgres(dataDir);
  if (found === undefined) throw new Error('not found');
  expect(await query(found.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await found.release();
});

test('on TCP it listens on 127.0.0.1 only and asks for its password', async () => {
  await borrowDatabase();
  const { connection } = await start({ transport: 'tcp' });
  expect(connection.host).toBe('127.0.0.1');
  expect(await setting(connection, 'listen_addresses')).toBe('127.0.0.1');
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await expect(query({ ...connection, password: 'wrong' }, 'select 1')).rejects.toThrow(/password authentication failed/);
  await expect(query({ ...connection, user: 'postgres', password: '' }, 'select 1')).rejects.toThrow();
  expect((await stat(join(dataDir, 'postgres', 'console.password'))).mode & 0o777).toBe(0o600);
});

test('a folder that holds something else, or another version, is refused and left alone', async () => {
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'diary.txt'), 'dear diary');
  await expect(start()).rejects.toThrow(/is no PostgreSQL cluster and is not empty/);
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, and this console brings PostgreSQL 18/);
  expect(await readFile(join(dataDir, 'postgres', 'diary.txt'), 'utf8')).toBe('dear diary');
});

describe.runIf(process.getuid?.() === 0)('as root where user namespaces are forbidden', () => {
  test('the server runs as another user when that user can reach the files', async () => {
    await chmod(root, 0o711);
    const console = await startConsole(dataDir, { PATH: await pathWithoutNamespaces() });
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    expect((await stat(`/proc/${console.postgresPid}`)).uid).not.toBe(0);
    await query(console.connection, 'create table note as select 1 as one');
    await killConsole(console);

    // Where namespaces are allowed again, the cluster stays that user's.
    const next = await start();
    expect(await query(next.connection, 'select one from note')).toEqual([{ one: 1 }]);
  });

  test('and when it cannot, the message says what to do', async () => {
    const { status, stderr } = await endOf(spawnConsole(dataDir, { PATH: await pathWithoutNamespaces() }));
    expect(status).toBe(1);
    expect(stderr).toMatch(/The database could not be made in .*Permission denied/s);
    expect(stderr).toContain('Start the console as an ordinary user');
  });

  async function pathWithoutNamespaces(): Promise<string> {
    const folder = join(root, 'programs');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'unshare'), '#!/bin/sh\necho "unshare: Operation not permitted" >&2\nexit 1\n', { mode: 0o755 });
    return `${folder}:${process.env['PATH']}`;
  }
});

/** Puts the database that was made once into `dataDir`; tests use tables of different names. */
async function borrowDatabase(): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await rename(join(lendable, 'postgres'), join(dataDir, 'postgres'));
  isLent = true;
}

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const log = createLog({ level: 'warn', destination: { write: (line) => { warnings += line; } } });
  const postgres = await startEmbeddedPostgres({ dataDir, log, onExit: () => {}, ...options });
  running.add(postgres);
  return postgres;
}

async function connect(connection: DatabaseConnection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

async function query(connection: DatabaseConnection, statement: string): Promise<unknown[]> {
  const client = await connect(connection);
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function setting(connection: DatabaseConnection, name: string): Promise<unknown> {
  const [row] = await query(connection, `select current_setting('${name}') as value`);
  return typeof row === 'object' && row !== null && 'value' in row ? row.value : undefined;
}

/** Resolves when a file of such a name is in `folder`, or appears there. */
async function appearance(folder: string, name: RegExp): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const enough = new AbortController();
  const changes = watch(folder, { signal: enough.signal });
  try {
    if ((await readdir(folder)).some((entry) => name.test(entry))) return;
    for await (const { filename } of changes) if (filename !== null && name.test(filename)) return;
  } finally {
    enough.abort();
  }
}

/** The number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawnConsole(join(root, 'nowhere'), { NODE_OPTIONS: '--bad-option' });
  await endOf(child);
  return child.pid ?? 0;
}

/** Everything the console itself keeps in the data directory, with its times; the server's own folder changes as it works. */
async function traces(): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['.', 'console.lock', ...(await readdir(join(dataDir, 'console.lock'))).map((entry) => `console.lock/${entry}`), 'postgres', 'postgres/postmaster.pid']) {
    const { mtimeNs, ino } = await stat(join(dataDir, name), { bigint: true });
    found.push(`${name} ${ino} ${mtimeNs}`);
  }
  return [...found, ...(await readdir(dirname(dataDir)))];
}
