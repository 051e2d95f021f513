// Databases of sandboxes on the server, and whose they are.
import type pg from 'pg';

const mark = 'skytally sandbox of ';

/** What is noted at a database of a sandbox: the database of the console that has it. */
export async function madeBy(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return `${mark}${rows[0]?.name ?? ''}`;
}

/** The databases of sandboxes of this console's database, and those of consoles' databases that are no more. */
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

/** The role that the connection is of, as SQL writes it. */
export async function ownRole(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select quote_ident(current_user) as role');
  return rows[0]?.role ?? '';
}
