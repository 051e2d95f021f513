import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockConsole } from './console-lock.ts';
import { StartRefused } from '../../start-refused.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'console-lock-'));
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

test('a second console is rejected with the holder’s name, and leaves no trace', async () => {
  const lock = await lockConsole(dataDir);
  const before = await traces();
  await expect(lockConsole(dataDir)).rejects.toThrow(StartRefused);
  await expect(lockConsole(dataDir)).rejects.toThrow(
    `Another console (process ${process.pid}) is using the data directory ${dataDir}.`,
  );
  expect(await traces()).toEqual(before);
  await lock.release();
});

test('once released, it can be taken again, and releasing twice has no effect', async () => {
  const first = await lockConsole(dataDir);
  await first.release();
  const second = await lockConsole(dataDir);
  await first.release();
  await expect(lockConsole(dataDir)).rejects.toThrow(StartRefused);
  await second.release();
});

test('another path of the same folder is the same folder', async () => {
  const lock = await lockConsole(dataDir);
  await expect(lockConsole(join(dataDir, '..', dataDir.split('/').at(-1) ?? '', '.'))).rejects.toThrow(
    StartRefused,
  );
  await lock.release();
});

test('a folder too deep for a socket path is locked, too', async () => {
  const deep = join(dataDir, 'd'.repeat(100), 'd'.repeat(100));
  const lock = await lockConsole(deep);
  await expect(lockConsole(deep)).rejects.toThrow(StartRefused);
  await lock.release();
  const next = await lockConsole(deep);
  // The second release closes nothing that belongs to another process.
  await lock.release();
  await expect(lockConsole(deep)).rejects.toThrow(StartRefused);
  await next.release();
});

test('the lock does not keep a process alive', async () => {
  const source = `const { lockConsole } = await import(${JSON.stringify(new URL('console-lock.ts', import.meta.url).href)}); await lockConsole(process.argv[1]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, dataDir], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('of many concurrent attempts exactly one succeeds, in every round', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lockConsole(dataDir)));
    const holders = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(holders).toHaveLength(1);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(StartRefused);
    await holders[0]?.release();
  }
});

test('F12 of many processes exactly one holds it, also after one was killed', async () => {
  for (let round = 1; round <= 3; round += 1) {
    const processes = await Promise.all(Array.from({ length: 4 }, startLockProcess));
    const words = await Promise.all(processes.map((one) => one.tryNow()));
    expect(words.filter((word) => !word.startsWith('Another console'))).toEqual(['held']);
    // kill -9 leaves the socket files behind for the next round.
    await Promise.all(processes.map((one) => one.kill()));
    expect(await readdir(join(dataDir, 'console.lock'))).not.toEqual([]);
  }
  const lock = await lockConsole(dataDir);
  expect(await readdir(join(dataDir, 'console.lock'))).toHaveLength(1);
  await lock.release();
});

test('a later name that is still deciding is waited for: if it holds the lock, this one is rejected; if it gives up, this one succeeds', async () => {
  const winner = await stranger('zzz', (socket) => {
    socket.write('deciding');
    // Some turns later, so that the two messages arrive one by one.
    void waitTicks(20).then(() => socket.end('held'));
  });
  await expect(lockConsole(dataDir)).rejects.toThrow(StartRefused);
  await winner.leave();
  const loser = await stranger('zzz', (socket) => socket.write('deciding', () => socket.end()));
  await (await lockConsole(dataDir)).release();
  await loser.leave();
});

test('an earlier name that is still deciding has priority', async () => {
  const first = await stranger('000', (socket) => socket.write('deciding'));
  await expect(lockConsole(dataDir)).rejects.toThrow(StartRefused);
  await first.leave();
});

test('a process that accepts and disconnects silently, for lack of file descriptors, counts as running', async () => {
  const exhausted = await stranger('zzz', (socket) => socket.destroy());
  await expect(lockConsole(dataDir)).rejects.toThrow(StartRefused);
  await exhausted.leave();
});

async function waitTicks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((next) => setImmediate(next));
}

/** Another console’s socket under `name`, which responds as `answer` does. */
async function stranger(name: string, answer: (socket: Socket) => void): Promise<{ leave(): Promise<void> }> {
  await mkdir(join(dataDir, 'console.lock'), { recursive: true });
  const server = createServer(answer).listen(join(dataDir, 'console.lock', name));
  await once(server, 'listening');
  return { leave: async () => void (await new Promise((closed) => server.close(closed))) };
}

async function startLockProcess() {
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../../../../../tests/support/fixtures/lock-process.ts', import.meta.url)),
      dataDir,
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    tryNow: async () => {
      const answer = once(lines, 'line');
      child.stdin.write('now\n');
      return String((await answer)[0]);
    },
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Everything below the data directory with its times. */
async function traces(): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['.', ...(await readdir(dataDir, { recursive: true }))]) {
    const { mtimeNs, ctimeNs, ino } = await stat(join(dataDir, name), { bigint: true });
    found.push(`${name} ${ino} ${mtimeNs} ${ctimeNs}`);
  }
  return found.sort();
}
