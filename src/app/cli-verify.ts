// `npm run verify`: finds the database as the console would, running or not, and lets the independent checker look at it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { ConfigError, childEnvironment, readConfig } from '#platform/server/config.ts';
import { startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLog } from '#platform/server/log.ts';
import { findRunningPostgres, type DatabaseConnection } from '#platform/server/postgres-place.ts';
import { StartRefused } from '#platform/server/start-refused.ts';

const checker = resolve(import.meta.dirname, '../../verify/verify.ts');
const couldNotLook = 2;

/** Runs the checker on a month pack, which needs no database. */
async function lookAtPack(): Promise<number> {
  const child = spawn(process.execPath, [checker, ...process.argv.slice(2)], { env: childEnvironment(), stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? couldNotLook;
}

/** Runs the checker on a database and answers how it ended: 0 all is right, 1 something is not, 2 it could not look. */
async function look(where: DatabaseConnection | string): Promise<number> {
  const place: Record<string, string> = typeof where === 'string' ? { DATABASE_URL: where }
    : { PGHOST: where.host, PGPORT: String(where.port), PGUSER: where.user, PGDATABASE: where.database, ...(where.password !== undefined && { PGPASSWORD: where.password }) };
  const child = spawn(process.execPath, [checker, ...process.argv.slice(2)], { env: { ...childEnvironment(), ...place }, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? couldNotLook;
}

/** Whether a server answers there: after a crash its file remains and nobody does. */
async function answers(connection: DatabaseConnection): Promise<boolean> {
  const client = new pg.Client(connection);
  return client.connect().then(() => client.end().then(() => true), () => false);
}

/** The embedded database: that of the running console, or, when none runs, its own start of the server and its end. */
async function lookAtEmbedded(dataDir: string): Promise<number> {
  if (!existsSync(join(dataDir, 'postgres'))) throw new StartRefused(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the console.`);
  const running = await findRunningPostgres(dataDir);
  try {
    if (running && (await answers(running.connection))) return await look(running.connection);
  } finally {
    await running?.release();
  }
  const server = await startEmbeddedPostgres({ dataDir, log: createLog({ level: 'error' }), onExit: () => process.exit(couldNotLook) });
  try {
    return await look(server.connection);
  } finally {
    await server.stop();
  }
}

try {
  if (process.argv.includes('--pack')) process.exit(await lookAtPack());
  const config = readConfig();
  process.exitCode = config.databaseUrl === undefined ? await lookAtEmbedded(config.dataDir) : await look(config.databaseUrl);
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof StartRefused ? `\n  ${error.message}\n` : error);
  process.exitCode = couldNotLook;
}
