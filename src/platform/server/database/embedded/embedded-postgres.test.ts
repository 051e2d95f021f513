import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  endOf,
  isAlive,
  killConsole,
  spawnConsole,
  startConsole,
} from '#tests/support/fixtures/console-processes.ts';
import { embeddedLab, query } from '#tests/support/fixtures/embedded-lab.ts';
import { findRunningPostgres, type DatabaseConnection } from './listen-address.ts';

const lab = embeddedLab();

test('creates a database that only its owner can access, keeps committed data over a stop, and has the required PostgreSQL settings', async () => {
  const first = await lab.start();
  expect((await stat(lab.dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(lab.dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
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

  const second = await lab.start();
  expect(await query(second.connection, 'select text from note')).toEqual([{ text: '雲端服務' }]);
});

test('the console is not a superuser: no statement reads files or starts programs', async () => {
  await lab.borrowDatabase();
  const { connection } = await lab.start();
  expect(
    await query(connection, 'select rolsuper, rolcreatedb from pg_roles where rolname = current_user'),
  ).toEqual([{ rolsuper: false, rolcreatedb: true }]);
  await expect(query(connection, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission denied/);
});

test('Chinese words can be searched by their parts, and case folding works beyond ASCII', async () => {
  await lab.borrowDatabase();
  const { connection } = await lab.start();
  await query(connection, 'create extension pg_trgm');
  expect(
    await query(connection, `select '雲端運算服務' % '雲端運算' as is_alike, lower('ÀÉ') as lower`),
  ).toEqual([{ is_alike: true, lower: 'àé' }]);
});

test('F12 a second console on the same directory exits immediately with the reason, and changes nothing', async () => {
  await lab.borrowDatabase();
  const first = await startConsole(lab.dataDir);
  // The server writes to its own file that it is ready a moment after it accepts connections.
  await vi.waitUntil(
    async () => (await readFile(join(lab.dataDir, 'postgres/postmaster.pid'), 'utf8')).includes('ready'),
    { timeout: 20_000 },
  );
  const before = await traces();
  const second = await endOf(spawnConsole(lab.dataDir));
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(
    `Another console (process ${first.process.pid}) is using the data directory ${lab.dataDir}.`,
  );
  expect(await traces()).toEqual(before);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of consoles started at the same moment on a new directory exactly one runs', async () => {
  const consoles = [spawnConsole(lab.dataDir), spawnConsole(lab.dataDir), spawnConsole(lab.dataDir)];
  const outcomes = await Promise.all(
    consoles.map(async (child) =>
      Promise.race([
        once(child.stdout!, 'data').then(() => 'ready'),
        endOf(child).then(({ status }) => status),
      ]),
    ),
  );
  expect(outcomes.toSorted()).toEqual([1, 1, 'ready']);
  const winner = consoles[outcomes.indexOf('ready')];
  winner?.kill('SIGTERM');
  if (winner !== undefined) expect((await endOf(winner)).status).toBe(0);
});

test('a requested stop is not reported as a crash', async () => {
  await lab.borrowDatabase();
  let reports = 0;
  const postgres = await lab.start({
    onExit: () => {
      reports += 1;
    },
  });
  await postgres.stop();
  expect(reports).toBe(0);
});

test('Ctrl-C reaches only the console, which still has its database while it shuts down', async () => {
  await lab.borrowDatabase();
  const console = await startConsole(lab.dataDir);
  const answer = console.nextLine();
  process.kill(-(console.process.pid ?? 0), 'SIGINT');
  expect(await answer).toBe('{"answer":"still served"}');
  expect((await endOf(console.process)).status).toBe(0);
  expect(isAlive(console.postgresPid)).toBe(false);
});

test('a console that exits uncleanly stops its server, too', async () => {
  await lab.borrowDatabase();
  const console = await startConsole(lab.dataDir);
  console.process.kill('SIGUSR2');
  expect((await endOf(console.process)).status).toBe(3);
  await expect.poll(() => isAlive(console.postgresPid)).toBe(false);
});

test('a path of more than 100 bytes works, with and without an orphaned server', async () => {
  lab.dataDir = join(lab.root, 'deep-'.repeat(20), '深'.repeat(30), 'data');
  await lab.borrowDatabase();
  const killed = await startConsole(lab.dataDir);
  await query(killed.connection, 'create table deep_note as select 1 as one');
  await killConsole(killed);
  const next = await lab.start();
  expect(await query(next.connection, 'select one from deep_note')).toEqual([{ one: 1 }]);
  const second = await endOf(spawnConsole(lab.dataDir));
  expect(second.stderr).toContain('Another console');
});

test('another process of the same user finds the running server, by socket, by long path and on TCP', async () => {
  expect(await findRunningPostgres(lab.dataDir)).toBeUndefined();
  await lab.borrowDatabase();
  expect(await findRunningPostgres(lab.dataDir)).toBeUndefined();
  for (const transport of ['socket', 'tcp'] as const) {
    const postgres = await lab.start({ transport });
    const found = await findRunningPostgres(lab.dataDir);
    expect(found?.connection).toEqual(postgres.connection);
    await found?.release();
    await postgres.stop();
  }
  const deep = join(lab.root, 'deep-'.repeat(20));
  await rename(lab.dataDir, deep);
  lab.dataDir = deep;
  await startConsole(lab.dataDir);
  const found = await findRunningPostgres(lab.dataDir);
  if (found === undefined) throw new Error('not found');
  expect(await query(found.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await found.release();
});

test('on TCP it listens on 127.0.0.1 only and requires its password', async () => {
  await lab.borrowDatabase();
  const { connection } = await lab.start({ transport: 'tcp' });
  expect(connection.host).toBe('127.0.0.1');
  expect(await setting(connection, 'listen_addresses')).toBe('127.0.0.1');
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await expect(query({ ...connection, password: 'wrong' }, 'select 1')).rejects.toThrow(
    /password authentication failed/,
  );
  await expect(query({ ...connection, user: 'postgres', password: '' }, 'select 1')).rejects.toThrow();
  expect((await stat(join(lab.dataDir, 'postgres', 'console.password'))).mode & 0o777).toBe(0o600);
});

test('a folder with other content, or another version, is rejected and unchanged', async () => {
  await mkdir(join(lab.dataDir, 'postgres'), { recursive: true });
  await writeFile(join(lab.dataDir, 'postgres', 'diary.txt'), 'dear diary');
  await expect(lab.start()).rejects.toThrow(/is no PostgreSQL cluster and is not empty/);
  await writeFile(join(lab.dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(lab.start()).rejects.toThrow(
    /was made by PostgreSQL 17, and this console brings PostgreSQL 18/,
  );
  expect(await readFile(join(lab.dataDir, 'postgres', 'diary.txt'), 'utf8')).toBe('dear diary');
});

describe.runIf(process.getuid?.() === 0)('as root where user namespaces are disabled', () => {
  test('the server runs as another user when that user can reach the files', async () => {
    await chmod(lab.root, 0o711);
    const console = await startConsole(lab.dataDir, { PATH: await pathWithoutNamespaces() });
    expect((await stat(join(lab.dataDir, 'postgres'))).uid).not.toBe(0);
    expect((await stat(`/proc/${console.postgresPid}`)).uid).not.toBe(0);
    await query(console.connection, 'create table note as select 1 as one');
    await killConsole(console);

    // Where namespaces are enabled again, the cluster still belongs to that user.
    const next = await lab.start();
    expect(await query(next.connection, 'select one from note')).toEqual([{ one: 1 }]);
  });

  test('otherwise the message gives advice', async () => {
    const { status, stderr } = await endOf(
      spawnConsole(lab.dataDir, { PATH: await pathWithoutNamespaces() }),
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/The database could not be made in .*Permission denied/s);
    expect(stderr).toContain('Start the console as an ordinary user');
  });

  async function pathWithoutNamespaces(): Promise<string> {
    const folder = join(lab.root, 'programs');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'unshare'),
      '#!/bin/sh\necho "unshare: Operation not permitted" >&2\nexit 1\n',
      { mode: 0o755 },
    );
    return `${folder}:${process.env['PATH']}`;
  }
});

async function setting(connection: DatabaseConnection, name: string): Promise<unknown> {
  const [row] = await query(connection, `select current_setting('${name}') as value`);
  return typeof row === 'object' && row !== null && 'value' in row ? row.value : undefined;
}

/**
 * Everything that the console itself keeps in the data directory, with its times; the server’s own folder
 * changes as it works.
 */
async function traces(): Promise<string[]> {
  const found: string[] = [];
  for (const name of [
    '.',
    'console.lock',
    ...(await readdir(join(lab.dataDir, 'console.lock'))).map((entry) => `console.lock/${entry}`),
    'postgres',
    'postgres/postmaster.pid',
  ]) {
    const { mtimeNs, ino } = await stat(join(lab.dataDir, name), { bigint: true });
    found.push(name === 'postgres' ? `${name} ${ino}` : `${name} ${ino} ${mtimeNs}`);
  }
  return [...found, ...(await readdir(dirname(lab.dataDir)))];
}
