// Gives each test file its own migrated database on a real PostgreSQL, in a few hundredths of a second.
import { randomBytes } from 'node:crypto';
import { sql, type ControlledTransaction, type Kysely } from 'kysely';
import { inject, vi } from 'vitest';
import { openDatabase, type Database } from '#platform/server/database/db.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { silentLog } from '#platform/server/log.ts';
import { administer, connectionTo } from '#platform/server/database/other-database.ts';
import { atFileEnd } from './clean-up.ts';
import type { TestServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export type TestDatabase = Database & {
  /** For tests that open the database themselves, also in another process. */
  connection: DatabaseConnection | string;
  /** Closes and drops it before the file ends. */
  drop: () => Promise<void>;
};

/** A connection as a URL. */
export function addressOf(where: DatabaseConnection | string): string {
  if (typeof where === 'string') return where;
  const { host, port, user, password, database } = where;
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  return `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/**
 * The same database for a superuser, who may turn off triggers and create roles. The consoles' own role on the
 * embedded server may not; another server's URL is that of a superuser.
 */
export const asSuperuser = (where: DatabaseConnection | string): DatabaseConnection | string =>
  typeof where === 'string' ? where : { ...where, user: 'postgres' };

/** The parts of a connection URL. */
export function partsOf(where: DatabaseConnection | string): DatabaseConnection & { password: string } {
  if (typeof where !== 'string') return { ...where, password: where.password ?? '' };
  const { hostname, port, username, password, pathname } = new URL(where);
  return {
    host: hostname,
    port: Number(port === '' ? 5432 : port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  };
}

/**
 * A new migrated database for the calling test file, dropped when the file ends. `isEmpty` leaves it without
 * any table; `from` names another database to copy.
 */
export async function createTestDatabase(
  options: { max?: number; isEmpty?: boolean; from?: string } = {},
): Promise<TestDatabase> {
  const { server, template } = inject('testServer');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(
    server,
    `create database ${name} template ${options.isEmpty === true ? `template0 encoding 'UTF8'` : (options.from ?? template)}`,
  );
  const connection = connectionTo(server, name);
  const database = await openDatabase(connection, { max: options.max ?? 10, log: silentLog() });
  let dropped: Promise<unknown> | undefined;
  const drop = async (): Promise<void> => {
    // Autovacuum may be using the database: it cannot be disconnected, but ends soon.
    dropped ??= database.close().then(() =>
      vi.waitFor(() => administer(server, `drop database ${name} with (force)`), {
        timeout: 50_000,
        interval: 100,
      }),
    );
    await dropped;
  };
  atFileEnd(drop);
  return { ...database, connection, drop };
}

/**
 * Runs `test` in a transaction that is always rolled back, so that tests of one file do not see each other's
 * rows.
 */
export async function inRollback<T>(
  database: Database,
  test: (db: ControlledTransaction<unknown>) => Promise<T>,
): Promise<T> {
  const transaction = await database.kysely.startTransaction().execute();
  try {
    return await test(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

/** How many connections to this database are waiting for a lock that another transaction holds. */
export async function waitingForLocks(db: Kysely<unknown>): Promise<bigint> {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows[0]?.count ?? 0n;
}
