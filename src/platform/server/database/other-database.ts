// Connects to other databases of the same server, and runs statements that cannot be in a transaction.
import pg from 'pg';
import type { DatabaseConnection } from './embedded/listen-address.ts';

/** The driver's connection settings. */
export const connectionConfig = (where: DatabaseConnection | string): pg.ClientConfig =>
  typeof where === 'string' ? { connectionString: where } : where;

/** A connection to another database of the same server. */
export function connectionTo(
  server: DatabaseConnection | string,
  database: string,
): DatabaseConnection | string {
  if (typeof server !== 'string') return { ...server, database };
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement in the server's default database, outside any transaction. */
export async function administer(server: DatabaseConnection | string, statement: string): Promise<void> {
  await withClient(server, (client) => client.query(statement));
}

/** Runs `run` on a dedicated connection. `options` are session options, as `-c name=value`. */
export async function withClient<T>(
  where: DatabaseConnection | string,
  run: (client: pg.Client) => Promise<T>,
  options?: string,
): Promise<T> {
  const client = new pg.Client({
    ...connectionConfig(where),
    application_name: 'skytally',
    keepAlive: true,
    options,
  });
  // If the connection is lost between two statements, the next statement fails and reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
