// Other databases of the same server, and statements that no transaction may be around.
import pg from 'pg';
import type { DatabaseConnection } from './embedded/listen-address.ts';

/** What the driver connects with. */
export const connectionConfig = (where: DatabaseConnection | string): pg.ClientConfig =>
  typeof where === 'string' ? { connectionString: where } : where;

/** The same server, another database. */
export function connectionTo(
  server: DatabaseConnection | string,
  database: string,
): DatabaseConnection | string {
  if (typeof server !== 'string') return { ...server, database };
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on the server's own database, outside any transaction. */
export async function administer(server: DatabaseConnection | string, statement: string): Promise<void> {
  await withClient(server, (client) => client.query(statement));
}

/** Runs `run` on a connection of its own. `options` are the session's, as `-c name=value`. */
export async function withClient<T>(
  where: DatabaseConnection | string,
  run: (client: pg.Client) => Promise<T>,
  options?: string,
): Promise<T> {
  const client = new pg.Client({
    ...connectionConfig(where),
    application_name: 'skytally',
    keepAlive: true,
    ...(options === undefined ? {} : { options }),
  });
  // One that is lost between two statements: the next statement fails and reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
