// The command line: `start` runs the console until it receives a signal to stop. Entered through start.ts.
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { ConfigError, readConfig } from '#platform/server/config.ts';
import { assertWritable } from '#platform/server/data-folder.ts';
import { createLog, type Log, type LogLevel } from '#platform/server/log.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { ensureWebBuild } from '#platform/server/http/web-build.ts';
import { prepareOutsideDatabase, startConsole, type RunningConsole } from '../server.ts';
import { isStartedByNpm, whenParentEnds } from './npm-parent.ts';
import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

const root = resolve(import.meta.dirname, '../../..');

async function start(): Promise<void> {
  const config = readConfig();
  // If everything is stored elsewhere (docs/operator/scale.md), the data directory is not used.
  if (config.databaseUrl === undefined || config.secretKey === undefined || config.files.kind === 'folder')
    assertWritable(config.dataDir);
  const log = createLog({ level: config.logLevel as LogLevel });
  const stopping = new AbortController();
  let running: RunningConsole | undefined;
  const stop = (reason: string): void => {
    if (stopping.signal.aborted) return;
    log.info({ reason }, 'stopping');
    stopping.abort();
    if (running) void exitWhenStopped(running, log);
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (isStartedByNpm(root)) whenParentEnds(() => stop('npm has ended'));
  // The build runs while the database starts; its error is handled where it is awaited. It begins at once, so what
  // ends it must be in place.
  const webDirectory = ensureWebBuild(log, stopping.signal).then(() => join(root, 'dist/web'));
  const isBuilt = webDirectory.catch(() => undefined);
  try {
    running = await startConsole(config, {
      log,
      webDirectory,
      databaseLost: () => {
        // The console can do nothing without it; a supervisor or the operator restarts the console.
        log.fatal('the database ended by itself; the console ends too');
        process.exit(1);
      },
      stop: stopping.signal,
    });
  } catch (error) {
    // A build under way would go on without the console.
    const isStopped = error === stopping.signal.reason;
    stopping.abort();
    await isBuilt;
    if (isStopped) process.exit(0);
    throw error;
  }
  if (stopping.signal.aborted) return exitWhenStopped(running, log);
  log.info({ address: running.address }, 'the console is up');
  console.log(`\n  Skytally  ${running.address}`);
  if (running.setupAddress)
    console.log(
      `  Set-up    ${running.setupAddress}\n            (one-time address; open it in a browser to make the first Admin)`,
    );
  console.log('');
  // Node writes the cache of compiled files when a process exits; a console that is killed would leave none to the next start.
  flushCompileCache();
}

async function exitWhenStopped(running: RunningConsole, log: Log): Promise<void> {
  try {
    await running.stop();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'could not stop in order');
    process.exit(1);
  }
}

process.on('unhandledRejection', (reason) => {
  console.error('Unhandled rejection, the console ends:', reason);
  process.exit(1);
});

async function migrate(): Promise<void> {
  const config = readConfig();
  const log = createLog({ level: config.logLevel as LogLevel });
  await prepareOutsideDatabase(config, log);
  log.info('the database is ready for this release');
}

async function orExit(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartRefused)
      console.error(`\n  ${error.message}\n`);
    else console.error(error);
    // What has been started already would keep the process alive.
    process.exit(1);
  }
}

process.exitCode = await runProgram(
  'npm start --',
  process.argv.slice(2),
  processTerminal,
  (program, run) => {
    program
      .command('start', { isDefault: true })
      .description('run the console (default)')
      .action(() => run(() => orExit(start)));
    program
      .command('migrate')
      .description('migrate the database of DATABASE_URL to this release, then exit')
      .action(() => run(() => orExit(migrate)));
  },
);
