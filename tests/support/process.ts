// A console as an operator starts it, in a separate process that tests can kill.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { atFileEnd } from './clean-up.ts';

const root = resolve(import.meta.dirname, '../..');
const setupToken = 'a token of sixteen letters or more';
export const processPassword = 'a long enough passphrase';

export type ProcessConsole = {
  readonly process: ChildProcess;
  readonly address: string;
  readonly dataDir: string;
};

/**
 * A data directory for the calling test file; removed when the file ends, after the consoles in it have
 * stopped.
 */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'skytally-kill-'));
  atFileEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/**
 * Starts a console and waits until it is ready. Without `databaseUrl` it gets its own durable database;
 * `more` is added to its environment; `folder` contains another release of it.
 */
export async function startProcess(
  dataDir: string,
  databaseUrl?: string,
  more: Readonly<Record<string, string>> = {},
  folder = root,
): Promise<ProcessConsole> {
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    SETUP_TOKEN: setupToken,
    LOG_LEVEL: 'info',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...more,
  };
  const child = spawn(
    process.execPath,
    ['--import', './tools/require-node.mjs', 'src/app/cli/start.ts', 'start'],
    {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('the console is up')) continue;
    child.stdout.resume();
    const started = { process: child, address: (JSON.parse(line) as { address: string }).address, dataDir };
    atFileEnd(() => stopProcess(started));
    return started;
  }
  throw new Error('the console did not start');
}

/** Kills a console as a power cut would, and waits until it has ended. */
export async function killProcess({ process: child }: ProcessConsole): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Kills the database's processes; the console that lost it exits by itself. */
export async function killItsDatabase({ process: child, dataDir }: ProcessConsole): Promise<void> {
  const ended = once(child, 'exit');
  process.kill(
    Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10),
    'SIGKILL',
  );
  await ended;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Kills a console, or in every second round its database, and starts it again with its stored data. */
export async function killedAndBack(
  console: ProcessConsole,
  round: number,
  environment?: Readonly<Record<string, string>>,
): Promise<ProcessConsole> {
  await (round % 2 === 1 ? killItsDatabase : killProcess)(console);
  return startProcess(console.dataDir, undefined, environment);
}

/** Stops a console as an operator does, and waits until it has exited. */
export async function stopProcess({ process: child }: ProcessConsole): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/**
 * Calls the console's API as any client does, and retries when the response says so. Throws with status and
 * message when the call is rejected.
 */
export async function processApi<T = Record<string, string>>(
  console: ProcessConsole,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<T> {
  const response = await fetch(`${console.address}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T; message: string };
  const waitSeconds = Number(response.headers.get('retry-after'));
  if (response.status === 429 && waitSeconds > 0) {
    await pause(waitSeconds * 1000);
    return processApi<T>(console, method, path, body, token);
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer.data;
}

/** Sets the console up and returns the Admin's token. */
export async function setUpProcess(console: ProcessConsole): Promise<string> {
  const basic = {
    name: 'Skytally',
    companyPrefix: '',
    currency: 'TWD',
    timeZone: 'Asia/Taipei',
    language: 'zhTW',
    taxRate: '5',
  };
  const { token } = await processApi<{ token: string }>(console, 'POST', '/system/initialization', {
    setupToken,
    basic,
    admin: { account: 'admin@cloud.example', name: 'Operator', password: processPassword },
  });
  return token;
}

/** Signs in a user who has the tests' password. */
export async function signInProcess(
  console: ProcessConsole,
  account = 'admin@cloud.example',
): Promise<string> {
  return (
    await processApi<{ token: string }>(console, 'POST', '/user/login', {
      account,
      password: processPassword,
    })
  ).token;
}
