// Runs the PostgreSQL from the npm package as a child process: one data directory, one console, one server.
import type { ChildProcess } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { lockConsole } from './console-lock.ts';
import type { Log } from '../../log.ts';
import { makeCluster } from './postgres-cluster.ts';
import { endOrphan, signalServer } from './postgres-orphan.ts';
import { freePort, listenAddress, type DatabaseConnection } from './listen-address.ts';
import { findPostgres, type PostgresProgram } from './postgres-program.ts';
import { StartRefused } from '../../start-refused.ts';
import { unlessStopped } from '../../stop-signal.ts';
import { withWriteAdvice } from '../../write-advice.ts';

export type EmbeddedPostgres = {
  connection: DatabaseConnection;
  /** The server's process id. */
  pid: number;
  /** Shuts down the server (at most about 15 s), then frees the directory for another console. May be called twice. */
  stop(): Promise<void>;
};

/** How the server ended: with an exit status or by a signal. */
type End = { status: number | null; signal: string | null };

export type EmbeddedPostgresOptions = {
  /** Created when missing. The database is in `<dataDir>/postgres`. */
  dataDir: string;
  log: Log;
  /** Called once when the server ends without a call of `stop()`. The lock stays held until `stop()`. */
  onExit(end: End): void;
  /** false gives up durability on power loss; for tests only. */
  durable?: boolean;
  /** 'tcp' listens on a free port of 127.0.0.1 with a password; on Windows it is the default and the only option. */
  transport?: 'socket' | 'tcp';
  /** Stops the start: what was started ends, and the start rejects with the signal's reason. */
  stop?: AbortSignal | undefined;
};

const fastShutdownWithinMs = 10_000;
const immediateShutdownWithinMs = 5_000;
// Children of a server killed by SIGKILL exit within moments; until then they hold its shared memory.
const leftoversEndWithinAttempts = 50;
const leftoversAskEveryMs = 100;

/**
 * Creates the database if there is none, stops a server that a killed console left behind, and starts its
 * own. Resolves when the server accepts connections (after a crash: when recovery is complete, however long
 * that takes).
 * @throws StartRefused with a message for the operator; before anything else, when another console uses the
 * directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const lock = await lockConsole(options.dataDir);
  try {
    return await startLocked(options, () => lock.release());
  } catch (error) {
    await lock.release();
    // Ctrl-C reaches initdb, too, whose end is then no reason to report.
    options.stop?.throwIfAborted();
    throw withWriteAdvice(error, options.dataDir);
  }
}

/**
 * Stops what a killed console left running in `dataDir` without starting anything, so that the directory can
 * be removed.
 * @throws StartRefused when a console is running there.
 */
export async function endLeftBehind(dataDir: string, log: Log): Promise<void> {
  const lock = await lockConsole(dataDir);
  try {
    const clusterDir = join(await realpath(dataDir), 'postgres');
    await endOrphan(clusterDir, await findPostgres(clusterDir), log);
  } finally {
    await lock.release();
  }
}

async function startLocked(
  options: EmbeddedPostgresOptions,
  unlock: () => Promise<void>,
): Promise<EmbeddedPostgres> {
  const dataDir = await realpath(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const program = await findPostgres(clusterDir, options.stop);
  await endOrphan(clusterDir, program, options.log);
  options.stop?.throwIfAborted();
  await makeCluster(dataDir, program, { durable: options.durable ?? true, log: options.log });

  const transport = options.transport ?? (process.platform === 'win32' ? 'tcp' : 'socket');
  const place = await listenAddress(
    clusterDir,
    transport === 'tcp' ? { tcpPort: await freePort() } : 'socket',
  );
  try {
    const { child, pid, ended } = await startServer(clusterDir, program, place.settings, options);
    let isStopping = false;
    let stopped: Promise<void> | undefined;
    void ended.then((end) => {
      if (!isStopping) options.onExit(end);
    });
    const stop = async () => {
      isStopping = true;
      await endChild(child, program, ended);
      await place.release();
      await unlock();
    };
    return { connection: place.connection, pid, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await place.release();
    throw error;
  }
}

/** Settings for a small machine shared with the console: little idle memory, few processes, no parallel plans. */
function serverSettings(durable: boolean): string[] {
  return [
    // In tests one server serves several consoles.
    'shared_buffers=128MB',
    `max_connections=${durable ? 60 : 200}`,
    'work_mem=8MB',
    'effective_cache_size=512MB',
    'random_page_cost=1.1',
    'jit=off',
    'io_method=sync',
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'wal_level=minimal',
    'max_wal_senders=0',
    'max_logical_replication_workers=0',
    'timezone=UTC',
    'log_timezone=UTC',
    'logging_collector=off',
    'log_destination=stderr',
    'log_line_prefix=',
    'log_checkpoints=off',
    // Statements and rows may hold personal data, so they stay out of the log; the console reports its own
    // failures.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
}

async function startServer(
  clusterDir: string,
  program: PostgresProgram,
  placeSettings: string[],
  options: EmbeddedPostgresOptions,
): Promise<{ child: ChildProcess; pid: number; ended: Promise<End> }> {
  const settings = [...serverSettings(options.durable ?? true), ...placeSettings].flatMap((setting) => [
    '-c',
    setting,
  ]);
  for (let attempt = 1; ; attempt += 1) {
    const child = program.startServer(['-D', clusterDir, ...settings]);
    const ended = new Promise<End>((resolve) =>
      child.once('exit', (status, signal) => resolve({ status, signal })),
    );
    const failure = await unlessStopped(options.stop, readiness(child, options.log), () =>
      endChild(child, program, ended),
    );
    if (failure === undefined && child.pid !== undefined) return { child, pid: child.pid, ended };
    if (attempt === leftoversEndWithinAttempts || !failure?.includes('is still in use')) {
      throw new StartRefused(`The database server in ${clusterDir} did not start. ${failure ?? ''}`);
    }
    await pause(leftoversAskEveryMs);
  }
}

/**
 * Forwards the server's output to our log for as long as it runs. Resolves with undefined when the server is
 * ready, or with its last lines when it ended.
 */
function readiness(child: ChildProcess, log: Log): Promise<string | undefined> {
  return new Promise((resolve) => {
    const errorLines: string[] = [];
    if (child.stderr !== null) {
      createInterface({ input: child.stderr }).on('line', (line) => {
        logLine(line, log);
        if (line.includes('ready to accept connections')) resolve(undefined);
        else errorLines.push(line);
        if (errorLines.length > 20) errorLines.shift();
      });
    }
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(errorLines.join(' ')));
  });
}

function logLine(line: string, log: Log): void {
  // An ERROR is a failed statement, which its client reports; the others concern the server itself.
  if (/^(WARNING|FATAL|PANIC):/.test(line)) log.warn({ from: 'postgres' }, line);
  else log.debug({ from: 'postgres' }, line);
}

async function endChild(
  child: ChildProcess,
  program: PostgresProgram,
  ended: Promise<unknown>,
): Promise<void> {
  const { pid } = child;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  if (pid === undefined || !isRunning()) return;
  await signalServer(pid, 'INT', program);
  await Promise.race([ended, timeout(fastShutdownWithinMs)]);
  if (!isRunning()) return;
  await signalServer(pid, 'QUIT', program);
  await Promise.race([ended, timeout(immediateShutdownWithinMs)]);
  if (isRunning()) child.kill('SIGKILL');
  await ended;
}

/** A timeout that does not keep the process alive. */
function timeout(milliseconds: number): Promise<void> {
  return pause(milliseconds, undefined, { ref: false });
}
