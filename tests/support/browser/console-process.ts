// A console in a separate process, started as its user starts it.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, constants, cpSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../../..');

/**
 * Starts a console on the data directory, as `npm start` does; {@link printedAddresses} waits until it is up.
 * `environment` overrides its settings.
 */
export function spawnConsole(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--import', './tools/require-node.mjs', 'src/app/cli/start.ts', 'start'],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  // Not inherited: a test runner shows only what its own process writes.
  child.stderr.on('data', (text: Buffer) => process.stderr.write(text));
  return child;
}

/** Reads what `npm start` prints for its user: the address, and the setup address until the console is set up. */
export async function printedAddresses(
  child: ChildProcess,
  isSetUp = false,
): Promise<{ address: string; setupAddress: string }> {
  const found = { address: '', setupAddress: '' };
  if (!child.stdout) throw new Error('the console prints nowhere');
  for await (const line of createInterface({ input: child.stdout })) {
    found.address ||= /Skytally\s+(http\S+)/.exec(line)?.[1] ?? '';
    found.setupAddress ||= /Set-up\s+(http\S+)/.exec(line)?.[1] ?? '';
    if (found.address && (isSetUp || found.setupAddress)) {
      child.stdout.resume();
      return found;
    }
  }
  throw new Error('the console ended before it printed its address');
}

/** Shuts down a console properly, as its operator does; does nothing when it has ended. */
export async function endConsole(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/**
 * Creates a data directory as a first start leaves it: with a migrated database, but not set up. The caller
 * removes it.
 */
export async function makeEmptyConsole(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'skytally-empty-'));
  const child = spawnConsole(dataDir);
  await printedAddresses(child);
  await endConsole(child);
  return dataDir;
}

/**
 * Copies the result of {@link makeEmptyConsole} into an empty folder. With one call, because copying its
 * 1,700 files individually takes twice as long.
 */
export function copyConsole(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  // PostgreSQL requires that only the owner has access to a data directory; a copy has default permissions.
  chmodSync(join(to, 'postgres'), 0o700);
}
