// Opens the database: one connection pool to a verified server.
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { DatabaseConnection } from './embedded/listen-address.ts';
import type { Log } from '../log.ts';
import { StartRefused } from '../start-refused.ts';
import { idleInTransactionTimeoutMs, openPool, statementTimeoutMs } from './pool.ts';
import type { Replica } from './replica.ts';

export type Database = {
  /** The address for connections outside the pool. They need their own session, so they bypass any pooler. */
  where: DatabaseConnection | string;
  /** For what Kysely does not support: COPY, LISTEN, migrations. */
  pool: pg.Pool;
  kysely: Kysely<unknown>;
  /** For reads that may be stale; undefined without DATABASE_READ_URL. */
  replica?: Replica;
  /** Waits until all connections in use are returned, then closes them. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** The maximum number of connections. */
  max: number;
  log: Log;
  /** The address of a pooler (PgBouncer in transaction mode) that the pool connects through. */
  pooler?: string | undefined;
};

const oldestVersion = 15;

/**
 * Opens the database at `where`: the embedded server's connection, or the URL of an external one.
 * @throws StartRefused when the server is older than PostgreSQL 15 or not UTF-8; DatabaseUnavailable when it
 * cannot be reached.
 */
export async function openDatabase(
  where: DatabaseConnection | string,
  { max, log, pooler }: DatabaseOptions,
): Promise<Database> {
  const pool = openPool(pooler ?? where, { max, log, isPooled: pooler !== undefined });
  try {
    await assertSuitable(pool);
    if (pooler !== undefined) await assertPooledSession(pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  // Not kysely.destroy(): it closes the pool only if Kysely itself has used it.
  return { where, pool, kysely, close: () => pool.close() };
}

/**
 * The settings that a pooler must apply to each of its server connections, since it does not pass on {@link
 * sessionSettings}.
 */
const poolerConnectQuery = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set jit = off; set statement_timeout = '${statementTimeoutMs}ms'; set idle_in_transaction_session_timeout = '${idleInTransactionTimeoutMs}ms'`;

/** @throws StartRefused when a connection through the pooler has other settings than a direct one would. */
async function assertPooledSession(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ isGood: boolean }>(
    `select bool_and(setting = expected) as "isGood" from (values ('TimeZone', 'UTC'), ('DateStyle', 'ISO, YMD'), ('statement_timeout', '${statementTimeoutMs}'),
      ('idle_in_transaction_session_timeout', '${idleInTransactionTimeoutMs}')) as v (name, expected) left join pg_settings using (name)`,
  );
  if (rows[0]?.isGood !== true)
    throw new StartRefused(
      `The pooler of DATABASE_URL opens connections with other settings than the console needs. In pgbouncer.ini, add to the line of the database: connect_query='${poolerConnectQuery.replaceAll("'", "''")}' and let it reconnect.`,
    );
}

async function assertSuitable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  );
  const found = rows[0];
  const problem =
    found === undefined
      ? 'The database did not say what it is.'
      : unsuitable(Number(found.version), found.encoding);
  if (problem !== undefined) throw new StartRefused(problem);
}

/** Why a server of this `server_version_num` and encoding cannot be used, as a sentence; undefined when it can. */
export function unsuitable(versionNumber: number, encoding: string): string | undefined {
  const major = Math.floor(versionNumber / 10_000);
  if (major < oldestVersion) {
    return `The database is PostgreSQL ${major}; version ${oldestVersion} or later is needed. Upgrade it, or unset DATABASE_URL to use the one that comes with the console.`;
  }
  if (encoding !== 'UTF8') {
    return `The database's encoding is ${encoding}; UTF8 is needed. Create one with: create database skytally encoding 'UTF8' template template0`;
  }
  return undefined;
}
