// A console as its own process, as a user starts it, with the direct database access that a benchmark needs.
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '../src/platform/server/database/embedded/listen-address.ts';

const root = resolve(import.meta.dirname, '..');

export type BenchConsole = {
  readonly address: string;
  readonly dataDir: string;
  readonly pid: number;
  /** From spawn to the first 200 of /healthz, in milliseconds. */
  readonly startedInMs: number;
  readonly stop: () => Promise<void>;
};

/** Starts a console on a data directory (a new one when none is given) and waits for its first 200. */
export async function startBenchConsole(
  dataDir = mkdtempSync(join(tmpdir(), 'skytally-bench-')),
  port = 3900,
): Promise<BenchConsole> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--import',
      './tools/require-node.mjs',
      '--max-semi-space-size=16',
      '--heap-growing-percent=20',
      '--no-allocation-site-pretenuring',
      join(root, 'src/app/cli/start.ts'),
      'start',
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'] ?? '',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const address = `http://127.0.0.1:${port}`;
  await firstAnswer(`${address}/healthz`, child);
  return {
    address,
    dataDir,
    pid: child.pid ?? 0,
    startedInMs: performance.now() - began,
    stop: () => stop(child),
  };
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the console ended with ${child.exitCode}`);
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((done) => setTimeout(done, 5));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** Removes a console's data. */
export function removeData(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts the yardstick on the console's database in a separate process. */
export async function startBareProcess(
  dataDir: string,
): Promise<{ address: string; close: () => Promise<void> }> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('no database runs there');
  const child = fork(join(root, 'bench/bare-process.ts'), [JSON.stringify(running.connection)]);
  const address = await new Promise<string>((done) =>
    child.once('message', (message) => done(typeof message === 'string' ? message : '')),
  );
  return {
    address,
    close: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.disconnect();
      await ended;
      await running.release();
    },
  };
}

/** A pool on the console's own database. */
export async function openDatabaseOf(
  dataDir: string,
  max: number,
): Promise<{ pool: pg.Pool; close: () => Promise<void> }> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('no database runs there');
  const pool = new pg.Pool({ ...running.connection, max });
  // The console stops its database server after the figures, which ends connections that are still open.
  pool.on('error', () => undefined);
  return {
    pool,
    close: async () => {
      await pool.end();
      await running.release();
    },
  };
}

/** Calls the API; returns the envelope's data. */
export async function api(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  mediaType = 'application/json',
): Promise<Record<string, never>> {
  const response = await fetch(`${address}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': mediaType }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: Record<string, never>; message: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer.data;
}

/** Sets a console up and returns the Admin's token. */
export async function setUpBench({ address, dataDir }: BenchConsole): Promise<string> {
  const { setupToken } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    setupToken: string;
  };
  const { token } = await api(address, 'POST', '/system/initialization', {
    setupToken,
    basic: {
      name: 'Bench',
      companyPrefix: '',
      currency: 'TWD',
      timeZone: 'Asia/Taipei',
      language: 'zhTW',
      taxRate: '5',
    },
    admin: { account: 'admin@bench.example', name: 'Bench', password: 'a long enough passphrase' },
  });
  return token ?? '';
}

/** Resident memory of a process in megabytes (Linux). */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
