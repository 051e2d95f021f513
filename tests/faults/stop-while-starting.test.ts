// A console that is told to stop while it starts, or cannot start: it ends at once, whatever it was doing, and
// its database ends with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres } from '#platform/server/database/embedded/embedded-postgres.ts';
import { silentLog } from '#platform/server/log.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { makeDataDir, startProcess, stopProcess } from '../support/process.ts';
import { query } from '../support/fixtures/embedded-lab.ts';

const root = resolve(import.meta.dirname, '../..');

type Starting = { readonly child: ChildProcess; readonly output: () => string };

/** Starts a console in a process group of its own, without waiting for anything. */
function start(
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
  [command, ...words] = [
    process.execPath,
    '--import',
    './tools/require-node.mjs',
    'src/app/cli/start.ts',
    'start',
  ] as [string, ...string[]],
  cwd = root,
): Starting {
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(command, words, {
    cwd,
    env: { ...environment, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'debug', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString('utf8');
    });
  return { child, output: () => output };
}

function processesThat(match: (folder: string) => boolean): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return match(`/proc/${name}`);
    } catch (error) {
      // It ended meanwhile, or is another user's.
      if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) return false;
      throw error;
    }
  });
}

/** The processes that work in the data directory: database servers, and programs that make a database. */
const processesIn = (dataDir: string): string[] =>
  processesThat((folder) => readlinkSync(`${folder}/cwd`).startsWith(join(dataDir, 'postgres')));

/** The processes that were started with this data directory in their environment. */
const processesOf = (dataDir: string): string[] =>
  processesThat((folder) => readFileSync(`${folder}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}`));

/** Resolves when the starting console has printed such a text. */
async function printed({ output }: Starting, text: string): Promise<void> {
  await vi.waitFor(() => expect(output()).toContain(text), { timeout: 60_000, interval: 5 });
}

/** Resolves when the data directory holds a file or folder of such a name. */
async function made(dataDir: string, name: RegExp): Promise<void> {
  await vi.waitFor(
    () =>
      expect(readdirSync(dataDir, { recursive: true }).some((path) => name.test(String(path)))).toBe(true),
    { timeout: 60_000, interval: 5 },
  );
}

describe.runIf(process.platform === 'linux')('a console that is starting', () => {
  const moments: Readonly<Record<string, (starting: Starting, dataDir: string) => Promise<void>>> = {
    'its programs load': async () => pause(100),
    'the database is made': async (_starting, dataDir) => made(dataDir, /^postgres\.making-[0-9a-f]+$/),
    'the making is under way': async (_starting, dataDir) =>
      made(dataDir, /^postgres\.making-\w+\/base\/1\//),
    'the database server starts': async (_starting, dataDir) => made(dataDir, /^postgres\/postmaster\.pid$/),
    'the server accepts connections': async (starting) => printed(starting, 'ready to accept connections'),
    'migrations begin': async (starting) => printed(starting, 'migration applied'),
    'some migrations are done': async (starting) => printed(starting, '"migration":"webhooks/'),
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`ends with its database on ${signal}, at any moment`, { timeout: 240_000 }, async () => {
      for (const [name, moment] of Object.entries(moments)) {
        const dataDir = makeDataDir();
        const starting = start(dataDir);
        const ended = once(starting.child, 'exit');
        await moment(starting, dataDir);
        // A terminal's Ctrl-C goes to the whole group.
        process.kill((signal === 'SIGINT' ? -1 : 1) * (starting.child.pid ?? 0), signal);
        await ended;
        expect.soft(processesIn(dataDir), name).toEqual([]);
        expect(starting.output(), name).not.toContain('the console is up');
        expect(
          readdirSync(dataDir).filter((entry) => /making|superuser/.test(entry)),
          name,
        ).toEqual([]);
        expect(starting.output(), name).not.toMatch(/"level":"(error|fatal)"|\n\s+at /);
      }
    });

  it('leaves a data directory that the next start uses', { timeout: 120_000 }, async () => {
    const dataDir = makeDataDir();
    for (const text of ['database system is ready', '"migration":"billing/']) {
      const starting = start(dataDir);
      const ended = once(starting.child, 'exit');
      await printed(starting, text);
      starting.child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
    await stopProcess(await startProcess(dataDir));
    expect(processesIn(dataDir)).toEqual([]);
  });

  it('ends with npm, when npm is stopped', { timeout: 120_000 }, async () => {
    const dataDir = makeDataDir();
    const { child } = start(dataDir, {}, ['npm', 'start']);
    await made(dataDir, /^postgres\/postmaster\.pid$/);
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), { timeout: 60_000, interval: 50 });
    expect(processesIn(dataDir)).toEqual([]);
  });

  it.each([
    ['it', [process.execPath, '--import', './tools/require-node.mjs', 'src/app/cli/start.ts', 'start']],
    ['npm', ['npm', 'start']],
  ] as const)(
    'ends the build of the browser side when %s is stopped, and leaves no part of it',
    { timeout: 240_000 },
    async (_what, [command, ...words]) => {
      // As after `git clone` and `npm ci`: without a build.
      const clone = makeDataDir();
      for (const name of readdirSync(root))
        if (!['dist', 'node_modules', 'data', '.git', '.playwright', '.screens'].includes(name))
          cpSync(join(root, name), join(clone, name), { recursive: true });
      symlinkSync(realpathSync(join(root, 'node_modules')), join(clone, 'node_modules'));
      const builds = (): string[] =>
        processesThat((folder) =>
          readFileSync(`${folder}/cmdline`, 'utf8').includes(
            join(clone, 'src/platform/server/http/web-build.ts'),
          ),
        );
      const dataDir = makeDataDir();
      const { child } = start(dataDir, {}, [command, ...words], clone);
      const ended = once(child, 'exit');
      await vi.waitFor(() => expect(builds()).toHaveLength(1), { timeout: 120_000, interval: 20 });
      child.kill('SIGTERM');
      await ended;
      await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), { timeout: 60_000, interval: 50 });
      expect(builds()).toEqual([]);
      expect(existsSync(join(clone, 'dist')) ? readdirSync(join(clone, 'dist')) : []).toEqual([]);
    },
  );

  it('a command that is stopped ends the database server that it started', { timeout: 120_000 }, async () => {
    const dataDir = makeDataDir();
    await stopProcess(await startProcess(dataDir));
    const command = start(dataDir, {}, [process.execPath, 'src/app/cli/backup.ts']);
    await made(dataDir, /^postgres\/postmaster\.pid$/);
    command.child.kill('SIGTERM');
    expect(await once(command.child, 'exit')).toEqual([143, null]);
    // The server ends by itself, after the command.
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), { timeout: 30_000, interval: 20 });
  });

  it('that cannot go on says why, and leaves no database server', { timeout: 120_000 }, async () => {
    const dataDir = makeDataDir();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const taken = await refusal(dataDir, { PORT: port, HOST: '127.0.0.1' });
    other.close();
    expect(taken).toContain(`The console cannot listen on port ${port} of 127.0.0.1. Another program`);
    expect(taken).not.toContain('terminating connection');

    expect(await refusal(dataDir, { PORT: 'eighty' })).toContain('PORT');

    const database = await startEmbeddedPostgres({ dataDir, log: silentLog(), onExit: () => undefined });
    await query(database.connection, `delete from schema_migration where name like 'billing/%'; select 1`);
    await database.stop();
    expect(await refusal(dataDir, {})).toMatch(/The migration billing\/\S+ failed/);
  });
});

/** What a start prints that is expected to end by itself with a message and without a stack. */
async function refusal(dataDir: string, more: Readonly<Record<string, string>>): Promise<string> {
  const starting = start(dataDir, { LOG_LEVEL: 'info', ...more });
  expect(await once(starting.child, 'close')).toEqual([1, null]);
  expect(processesIn(dataDir)).toEqual([]);
  expect(starting.output()).not.toMatch(/\n\s+at /);
  return starting.output();
}
