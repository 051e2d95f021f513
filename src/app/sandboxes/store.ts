// The databases of sandboxes on the server, and which console they belong to.
import type pg from 'pg';

const mark = 'skytally sandbox of ';

/** The mark of a sandbox's database: the name of the database of the console that owns it. */
export async function madeBy(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return `${mark}${rows[0]?.name ?? ''}`;
}

/** The databases of this console's sandboxes, and of consoles whose database no longer exists. */
export async function sandboxDatabases(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_database d, shobj_description(d.oid, 'pg_database') as said
      where d.datname like 'skytally\\_sandbox\\_%' and starts_with(said, $1)
        and (substr(said, length($1) + 1) = current_database() or not exists (select from pg_database own where own.datname = substr(said, length($1) + 1)))
      order by d.datname`,
    [mark],
  );
  return rows.map(({ name }) => name);
}

/** The role of the connection, quoted for SQL. */
export async function ownRole(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select quote_ident(current_user) as role');
  return rows[0]?.role ?? '';
}
