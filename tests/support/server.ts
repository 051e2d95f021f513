// Starts a PostgreSQL server for tests and tools, with a template database migrated once, and leaves nothing
// behind.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#platform/server/database/db.ts';
import {
  endLeftBehind,
  startEmbeddedPostgres,
} from '#platform/server/database/embedded/embedded-postgres.ts';
import { silentLog } from '#platform/server/log.ts';
import { migrate } from '#platform/server/database/migrate.ts';
import type { MigrationSource } from '#platform/server/database/migration-files.ts';
import { administer, connectionTo } from '#platform/server/database/other-database.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { hasCode } from '#platform/server/system-error.ts';

/** What the test run's setup passes to the test files; plain data, because it crosses processes. */
export type TestServer = { server: DatabaseConnection | string; template: string };

/**
 * The name of a second template, in which a console has created its queues; the first test file that needs it
 * creates it.
 */
export const withQueuesName = (template: string): string => `${template}_queues`;

const folderPrefix = 'skytally-test-';

/**
 * For the setup of a test run: a server (`outsideUrl`, as a superuser, or else an embedded one in a temporary
 * folder) with a migrated template database. `stop()` removes all of it.
 */
export async function startTestServer(
  sources: MigrationSource[],
  outsideUrl: string | undefined,
): Promise<TestServer & { stop(): Promise<void> }> {
  const { server, end } =
    outsideUrl === undefined ? await embeddedServer() : { server: outsideUrl, end: async () => {} };
  const template = `skytally_test_${randomBytes(6).toString('hex')}`;
  const stop = async () => {
    for (const name of [template, withQueuesName(template)])
      await administer(server, `drop database if exists ${name} with (force)`);
    await end();
  };
  try {
    await administer(server, `create database ${template} template template0 encoding 'UTF8'`);
    const database = await openDatabase(connectionTo(server, template), { max: 1, log: silentLog() });
    try {
      await migrate(database.pool, sources, silentLog());
    } finally {
      await database.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { server, template, stop };
}

async function embeddedServer(): Promise<{ server: DatabaseConnection; end(): Promise<void> }> {
  await removeForsaken();
  const dataDir = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog(),
    durable: false,
    onExit: (end) => {
      throw new Error(`the server of the tests ended by itself (${JSON.stringify(end)})`);
    },
  });
  const end = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { server: postgres.connection, end };
}

/** A killed test run leaves its server running; the next run stops it, as a console does with its own. */
async function removeForsaken(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const dataDir = join(tmpdir(), name);
    try {
      await endLeftBehind(dataDir, silentLog());
    } catch (error) {
      // Another run is removing it at the same time.
      if (error instanceof StartRefused) continue;
      throw error;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}
