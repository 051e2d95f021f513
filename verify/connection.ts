// The checker's own database connection, and a description of the database it finds.
import pg from 'pg';
import { rowsOf, type Books } from './books.ts';

/** A connection by DATABASE_URL, else by PostgreSQL's own variables (PGHOST …). All values arrive as text. */
export function connection(environment: Readonly<Record<string, string | undefined>>): pg.Client {
  const {
    DATABASE_URL: url,
    PGHOST: host,
    PGPORT: port,
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: password,
  } = environment;
  const client = new pg.Client({
    ...(url ? { connectionString: url } : { host, port: Number(port ?? 5432), user, database, password }),
    application_name: 'skytally verify',
    connectionTimeoutMillis: 10_000,
    options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c jit=off -c work_mem=32MB',
    types: { getTypeParser: () => (value: string | Buffer) => String(value) } as pg.CustomTypesConfig,
  });
  // If the connection is lost between two queries, the next query fails and reports the error.
  client.on('error', () => undefined);
  return client;
}

/** The books as a connection's current transaction sees them. */
export async function opened(client: pg.Client, organization: string | null): Promise<Books> {
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns where table_schema = current_schema()`,
  );
  const columns = new Set(rows.map((row) => `${row.table_name}.${row.column_name}`));
  const tables = [...new Set(rows.map((row) => row.table_name))].toSorted();
  const books: Books = {
    client,
    organization,
    has: (column) => columns.has(column),
    tablesWith: (...names) =>
      tables.filter((table) => names.every((name) => columns.has(`${table}.${name}`))),
  };
  if (!books.has('ledger_entry.amount_minor') || !books.has('bill.content_hash'))
    throw new Error('the database is not a Skytally database');
  if (
    organization !== null &&
    (await rowsOf(books, 'select id from organization where id = $1', [organization])).length === 0
  )
    throw new Error(`organization ${organization} does not exist`);
  return books;
}
