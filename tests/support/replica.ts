// A PostgreSQL with a streaming replica, for the calling test file.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { openDatabase } from '#platform/server/database/db.ts';
import { silentLog } from '#platform/server/log.ts';
import { freePort } from './ports.ts';
import { atFileEnd } from './clean-up.ts';
import type { TestDatabase } from './database.ts';
import { serverPrograms, unprivileged } from './postgres-programs.ts';

export const hasPostgresPrograms = existsSync(join(serverPrograms, 'pg_basebackup'));
const password = 'a password of the tests';
const addressOf = (port: number, database = 'postgres'): string =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(serverPrograms, program), args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', PGPASSWORD: password },
    cwd: tmpdir(),
    ...unprivileged(),
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

/** Starts a server without durability, and waits until it responds. */
async function startServer(dataDir: string, port: number): Promise<void> {
  const settings = ['fsync=off', 'jit=off', 'listen_addresses=127.0.0.1', 'max_connections=100'];
  const child = spawn(
    join(serverPrograms, 'postgres'),
    ['-D', dataDir, '-p', String(port), '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    {
      stdio: 'ignore',
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TMPDIR: tmpdir() },
      ...unprivileged(),
    },
  );
  atFileEnd(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  });
  await vi.waitFor(async () => query(addressOf(port), 'select 1'), { timeout: 30_000, interval: 50 });
}

async function query(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export type Replicated = {
  /** The primary, with an empty database. */
  readonly database: TestDatabase;
  /** The address of the replica. */
  readonly url: string;
  /** An address of another database of the replica, and one with a wrong password. */
  readonly otherDatabaseUrl: string;
  readonly wrongPasswordUrl: string;
  /** The replica keeps receiving the primary's changes, but does not apply them until {@link resume}. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
};

/** Starts both. */
export async function startReplicated(): Promise<Replicated> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-replica-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const [first, second] = ['primary', 'replica'].map((name) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    const user = unprivileged();
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  }) as [string, string];
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  run('initdb', [
    '-D',
    first,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  const [port, replicaPort] = [await freePort(), await freePort()];
  await startServer(first, port);
  run('pg_basebackup', [
    '-D',
    second,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'postgres',
    '-R',
    '-c',
    'fast',
    '--no-sync',
  ]);
  await startServer(second, replicaPort);
  const connection = addressOf(port);
  const opened = await openDatabase(connection, { max: 10, log: silentLog() });
  atFileEnd(() => opened.close());
  const url = addressOf(replicaPort);
  return {
    database: { ...opened, connection, drop: () => Promise.resolve() },
    url,
    otherDatabaseUrl: addressOf(replicaPort, 'template1'),
    wrongPasswordUrl: url.replace(/:[^:@]*@/, ':wrong@'),
    pause: () => query(url, 'select pg_wal_replay_pause()'),
    resume: () => query(url, 'select pg_wal_replay_resume()'),
  };
}
