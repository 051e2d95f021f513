// The single row that says which secrets belong to this database.
import type pg from 'pg';

/**
 * `sealed` holds the secrets, encrypted with SECRET_KEY; null when they are in files, which `fingerprint`
 * identifies.
 */
export type StoredSecrets = { readonly fingerprint: string; readonly sealed: Buffer | null };
/** The name of the table. */
export const secretsTable = 'installation_secrets';
type Connection = Pick<pg.ClientBase, 'query'>;

/** Whether the migration that created the table of secrets was applied. */
export async function hasSecretsTable(db: Connection): Promise<boolean> {
  const { rows } = await db.query<{ yes: boolean }>(
    `select to_regclass('public.${secretsTable}') is not null as yes`,
  );
  return rows[0]?.yes === true;
}

/** The stored secrets; undefined when there are none, including before that migration. */
export async function storedSecrets(db: Connection): Promise<StoredSecrets | undefined> {
  if (!(await hasSecretsTable(db))) return undefined;
  const { rows } = await db.query<StoredSecrets>('select fingerprint, sealed from installation_secrets');
  return rows[0];
}

/** Stores the first secrets of a database; existing ones are kept. */
export async function insertSecrets(
  db: Connection,
  { fingerprint, sealed }: StoredSecrets,
  now: Date,
): Promise<void> {
  await db.query(
    'insert into installation_secrets (fingerprint, sealed, changed_at) values ($1, $2, $3) on conflict do nothing',
    [fingerprint, sealed, now],
  );
}

/** Stores secrets, replacing any existing ones. */
export async function replaceSecrets(
  db: Connection,
  { fingerprint, sealed }: StoredSecrets,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into installation_secrets (fingerprint, sealed, changed_at) values ($1, $2, $3)
     on conflict (is_only) do update set fingerprint = excluded.fingerprint, sealed = excluded.sealed, changed_at = excluded.changed_at`,
    [fingerprint, sealed, now],
  );
}
