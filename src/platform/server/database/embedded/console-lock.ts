// Ensures that at most one console uses a data directory. The lock is released the moment its console is
// gone, however it ended.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { socketFolder } from './socket-path.ts';
import { StartRefused } from '../../start-refused.ts';
import { hasCode } from '../../system-error.ts';

// The kernel closes a listening socket when its process ends, even by kill -9, but its file remains. If starters
// removed a dead console's file and then bound the same name, two of them could both remove and both bind.
// Therefore no name is ever used twice: each starter listens under its own name in <dataDir>/console.lock/
// and only then looks at the others. Of two starters, the later one to appear always sees the earlier one, so
// both cannot win; while both are still deciding, the one with the smaller name goes first, so one of them wins.
//   - A name appears by rename once its socket is listening: a name that refuses connections is dead for good.
//   - A starter waits only for larger names and gives way to smaller ones, so they cannot deadlock.

/** Held from `lockConsole` until `release()`, or until the process ends. Releasing it again has no effect. */
export type ConsoleLock = { release(): Promise<void> };

type Answer = 'held' | 'deciding' | 'gone';
type Peer = { answer: Answer; decided: Promise<'held' | 'gone'>; hangUp(): void };

const lockFolderName = 'console.lock';
const longestNameBytes = 40;
// A console that accepts the connection but is too busy to answer still counts as running.
const answerWithinMs = 2_000;
const asksOfSilentPeer = 3;

/**
 * Takes the lock of `dataDir` (created, accessible to its owner only, when missing).
 * @throws StartRefused when another console holds it; nothing in the directory has been changed then.
 */
export async function lockConsole(dataDir: string): Promise<ConsoleLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return process.platform === 'win32' ? lockByPipe(dataDir) : lockBySocket(dataDir);
}

async function lockBySocket(dataDir: string): Promise<ConsoleLock> {
  const folder = join(await realpath(dataDir), lockFolderName);
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const short = await socketFolder(folder, longestNameBytes);
  try {
    await assertNotHeld(short.path, dataDir);
    const candidate = await appear(short.path, name, dataDir);
    try {
      await waitForOthers(short.path, name, dataDir);
    } catch (error) {
      await candidate.withdraw();
      throw error;
    }
    candidate.hold();
    return {
      release: async () => {
        await candidate.withdraw();
        await short.release();
      },
    };
  } catch (error) {
    await short.release();
    throw error;
  }
}

/** A first check, before anything is written. */
async function assertNotHeld(folder: string, dataDir: string): Promise<void> {
  for (const other of await readdir(folder)) {
    if (other.startsWith('.')) continue;
    const peer = await askPeer(join(folder, other));
    peer.hangUp();
    if (peer.answer === 'held') throw inUseError(dataDir, other);
  }
}

type Candidate = { hold(): void; withdraw(): Promise<void> };

async function appear(folder: string, name: string, dataDir: string): Promise<Candidate> {
  const waiting = new Set<Socket>();
  let held = false;
  const server = createServer((socket) => {
    waiting.add(socket);
    // Starters that connected and went away do not matter.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => waiting.delete(socket));
    if (held) socket.end('held');
    else socket.write('deciding');
  });
  // The lock alone must not keep the process alive.
  server.unref();
  await listen(server, join(folder, `.${name}`));
  try {
    await rename(join(folder, `.${name}`), join(folder, name));
  } catch (error) {
    server.close();
    // A winner found our socket not listening yet and removed it.
    if (hasCode(error, 'ENOENT')) throw inUseError(dataDir, '');
    throw error;
  }
  return {
    hold: () => {
      held = true;
      for (const socket of waiting) socket.end('held');
    },
    withdraw: async () => {
      await rm(join(folder, name), { force: true });
      for (const socket of waiting) socket.destroy();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
}

async function waitForOthers(folder: string, name: string, dataDir: string): Promise<void> {
  const dead: string[] = [];
  for (const other of await readdir(folder)) {
    if (other === name) continue;
    const peer = await askPeer(join(folder, other));
    try {
      // A starter that has not appeared yet will look at the others after us, and then sees us.
      if (other.startsWith('.') && peer.answer !== 'gone') continue;
      if (peer.answer === 'held') throw inUseError(dataDir, other);
      if (peer.answer === 'deciding' && other < name) throw inUseError(dataDir, other);
      if ((await peer.decided) === 'held') throw inUseError(dataDir, other);
    } finally {
      peer.hangUp();
    }
    dead.push(other);
  }
  // Only the winner removes dead sockets. A starter caught here between bind and listen loses its file, and
  // is refused because we hold the lock.
  for (const other of dead) await rm(join(folder, other), { force: true });
}

/**
 * Asks the socket at `path` which process holds it. Never rejects: a peer that accepts but does not answer
 * counts as 'held'.
 */
async function askPeer(path: string): Promise<Peer> {
  // Both a console that has run out of file descriptors and one that has just released the lock accept and
  // hang up; only the latter is gone when asked again.
  for (let attempt = 1; attempt < asksOfSilentPeer; attempt += 1) {
    const peer = await askOnce(path);
    if (peer !== 'hung up') return peer;
  }
  const peer = await askOnce(path);
  return peer === 'hung up' ? { answer: 'held', decided: Promise.resolve('held'), hangUp: () => {} } : peer;
}

function askOnce(path: string): Promise<Peer | 'hung up'> {
  const socket = connect(path);
  const hangUp = () => socket.destroy();
  return new Promise((resolve) => {
    let heard = '';
    const decided = new Promise<'held' | 'gone'>((decide) => {
      const decideAs = (answer: 'held' | 'gone') => {
        clearTimeout(bound);
        decide(answer);
        resolve({ answer, decided, hangUp });
      };
      const bound = setTimeout(() => decideAs('held'), answerWithinMs);
      socket.on('data', (bytes) => {
        heard += bytes.toString('latin1');
        if (heard.includes('held')) decideAs('held');
        else if (heard === 'deciding') resolve({ answer: 'deciding', decided, hangUp });
      });
      socket.on('error', (error) => {
        if (hasCode(error, 'ECONNREFUSED', 'ENOENT')) decideAs('gone');
        // A reset counts as a hang-up, reported by 'close'; any other error means that the peer may be alive.
        else if (!hasCode(error, 'ECONNRESET', 'EPIPE')) decideAs('held');
      });
      socket.on('close', () => {
        if (heard === '') resolve('hung up');
        decideAs('gone');
      });
    });
  });
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

/** Windows: the first instance of a named pipe is exclusive and disappears with its process. */
async function lockByPipe(dataDir: string): Promise<ConsoleLock> {
  const identity = createHash('sha256')
    .update((await realpath(dataDir)).toLowerCase())
    .digest('hex')
    .slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  server.unref();
  try {
    await listen(server, `\\\\.\\pipe\\skytally-${identity}`);
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) throw inUseError(dataDir, '');
    throw error;
  }
  return {
    release: async () => {
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
}

function inUseError(dataDir: string, name: string): StartRefused {
  const pid = /^(\d+)-/.exec(name)?.[1];
  const holder = pid === undefined ? 'Another console' : `Another console (process ${pid})`;
  return new StartRefused(
    `${holder} is using the data directory ${dataDir}. Stop it first, or give this one another data directory.`,
  );
}
