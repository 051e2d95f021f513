// Stops the database server that a killed console left behind, and nothing else.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../../log.ts';
import type { PostgresProgram } from './postgres-program.ts';
import { socketFolder } from './socket-path.ts';
import { StartRefused } from '../../start-refused.ts';
import { hasCode } from '../../system-error.ts';

const run = promisify(execFile);

const fastShutdownWithinMs = 20_000;
const immediateShutdownWithinMs = 5_000;
// The end of a process that is not our child can only be polled, not awaited.
const askEveryMs = 20;

/** The server's socket file is `<cluster>/.s.PGSQL.<port>`; without TCP the number never changes. */
export const socketPort = 5432;
export const socketNameBytes = '.s.PGSQL.5432.lock'.length;

/**
 * Makes sure that no server runs on `clusterDir`, and that no lock file of a dead one prevents the next
 * start. The caller holds the console lock, so any running server belongs to a dead console.
 * @throws StartRefused when a running server is out of our reach (another container, another user).
 */
export async function endOrphan(clusterDir: string, program: PostgresProgram, log: Log): Promise<void> {
  const left = await recordedServer(clusterDir);
  if (left !== undefined && (await servesCluster(left.pid, clusterDir))) {
    log.warn({ postgresPid: left.pid }, 'stopping the database server that an earlier console left behind');
    await endServer(left.pid, clusterDir, program);
  }
  if (await keepsAnswering(clusterDir)) {
    throw new StartRefused(
      `A PostgreSQL server that this process cannot see (another container, perhaps) is using ${clusterDir}. Stop it first.`,
    );
  }
  // The process id in these files may since belong to another program or to a zombie, and PostgreSQL would
  // take either for a running server.
  for (const file of ['postmaster.pid', `.s.PGSQL.${socketPort}.lock`])
    await rm(join(clusterDir, file), { force: true });
}

/**
 * Signals the server to stop: `INT` rolls back and shuts down cleanly, `QUIT` aborts immediately (recovery at
 * the next start).
 */
export async function signalServer(
  pid: number,
  signal: 'INT' | 'QUIT',
  program: PostgresProgram,
): Promise<void> {
  if (process.platform === 'win32') {
    await program.run('pg_ctl', ['kill', signal, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

async function endServer(pid: number, clusterDir: string, program: PostgresProgram): Promise<void> {
  await signalServer(pid, 'INT', program);
  if (await waitUntilGone(pid, clusterDir, fastShutdownWithinMs)) return;
  await signalServer(pid, 'QUIT', program);
  if (await waitUntilGone(pid, clusterDir, immediateShutdownWithinMs)) return;
  throw new StartRefused(
    `The database server left behind by an earlier console (process ${pid}) does not stop. End it by hand.`,
  );
}

async function waitUntilGone(pid: number, clusterDir: string, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += askEveryMs) {
    if (!(await servesCluster(pid, clusterDir))) return true;
    await pause(askEveryMs);
  }
  return false;
}

/** Reads `postmaster.pid`, whose server may be long dead; undefined when the file does not exist. */
export async function recordedServer(
  clusterDir: string,
): Promise<{ pid: number; port: number; onTcp: boolean } | undefined> {
  try {
    const [pid = '', , , port = '', , address = ''] = (
      await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')
    ).split('\n');
    // An empty file was left by a full disk or a kill; no process has the id 0.
    return { pid: /^[1-9]\d*$/.test(pid) ? Number(pid) : 0, port: Number(port), onTcp: address !== '' };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether process `pid` is a PostgreSQL server on this very directory. */
async function servesCluster(pid: number, clusterDir: string): Promise<boolean> {
  if (pid === 0 || process.platform === 'win32') return pid !== 0 && (await hasSignalPipe(pid));
  if (process.platform !== 'linux') return commandLineNames(pid, clusterDir);
  try {
    // The server's working directory is its data directory; a folder has the same inode under every name.
    const [ownDir, processDir] = await Promise.all([stat(clusterDir), stat(`/proc/${pid}/cwd/`)]);
    return ownDir.dev === processDir.dev && ownDir.ino === processDir.ino;
  } catch (error) {
    // A zombie has no working directory.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return false;
    if (hasCode(error, 'EACCES', 'EPERM')) return commandLineNames(pid, clusterDir);
    throw error;
  }
}

async function commandLineNames(pid: number, clusterDir: string): Promise<boolean> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.includes('postgres') && stdout.includes(clusterDir);
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return false;
    throw error;
  }
}

/** Windows: every PostgreSQL process, and nothing else, listens for signals on a pipe of this name. */
async function hasSignalPipe(pid: number): Promise<boolean> {
  return isAnswered(`\\\\.\\pipe\\pgsignal_${pid}`);
}

/** Whether a server keeps answering: a child that a killed server had just forked holds its socket until it notices. */
async function keepsAnswering(clusterDir: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < immediateShutdownWithinMs; waitedMs += askEveryMs) {
    if (!(await answersOnSocket(clusterDir))) return false;
    await pause(askEveryMs);
  }
  return true;
}

async function answersOnSocket(clusterDir: string): Promise<boolean> {
  if (process.platform === 'win32' || !existsSync(clusterDir)) return false;
  const folder = await socketFolder(clusterDir, socketNameBytes);
  try {
    return await isAnswered(join(folder.path, `.s.PGSQL.${socketPort}`));
  } finally {
    await folder.release();
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (hasCode(error, 'ECONNREFUSED', 'ENOENT')) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
