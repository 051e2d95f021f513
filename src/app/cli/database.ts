// Finds the database for commands: that of the running console, or, when none is running, a server that they
// start and stop themselves.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#platform/server/config.ts';
import { startEmbeddedPostgres } from '#platform/server/database/embedded/embedded-postgres.ts';
import { createLog } from '#platform/server/log.ts';
import {
  findRunningPostgres,
  type DatabaseConnection,
} from '#platform/server/database/embedded/listen-address.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { exitOnSignals } from '#platform/server/stop-signal.ts';
import { exitFailed } from './program.ts';

/** Whether a server answers at an address: after a crash its file remains although nothing listens. */
async function answers(connection: DatabaseConnection): Promise<boolean> {
  const client = new pg.Client(connection);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

/**
 * Runs `run` on the console's database, whether or not the console is running. @throws StartRefused when
 * there is no database.
 */
export async function atDatabase<T>(
  config: Config,
  run: (where: DatabaseConnection | string) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  // A command uses only a few connections, so it needs no pooler.
  const outside = databaseDirectUrl ?? databaseUrl;
  if (outside !== undefined) return run(outside);
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartRefused(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the console.`,
    );
  const running = await findRunningPostgres(dataDir);
  try {
    if (running && (await answers(running.connection))) return await run(running.connection);
  } finally {
    await running?.release();
  }
  const signalsAsBefore = exitOnSignals();
  const server = await startEmbeddedPostgres({
    dataDir,
    log: createLog({ level: 'error', destination: process.stderr }),
    onExit: () => process.exit(exitFailed),
  });
  try {
    return await run(server.connection);
  } finally {
    await server.stop();
    signalsAsBefore();
  }
}
