// Migrates the database schema: every migration is applied exactly once and atomically, even when several
// processes start at the same time.
import type pg from 'pg';
import { asError } from '#kernel/errors.ts';
import type { Log } from '../log.ts';
import { StartRefused } from '../start-refused.ts';
import { hasCode } from '../system-error.ts';
import { readMigrations, type Migration, type MigrationSource } from './migration-files.ts';

/** A migration as recorded in the database. */
export type AppliedMigration = { readonly name: string; readonly checksum: string };

// An arbitrary constant, the same in every console; no other code of ours uses it.
const advisoryLock = 7_301_120_261;
const missingTable = '42P01';
const createMigrationTable = `create table if not exists schema_migration (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

/**
 * Applies the missing migrations in order, each file in its own transaction under a lock, and returns the
 * names applied. When nothing is missing, this is a single query.
 * @throws StartRefused when an applied file has changed, when the database has migrations unknown to this
 * release (a newer console has used it), when a file name is invalid, or when a migration fails; that one has
 * been rolled back completely.
 */
export async function migrate(pool: pg.Pool, sources: MigrationSource[], log: Log): Promise<string[]> {
  const migrations = await readMigrations(sources);
  const done: string[] = [];
  const applied = await readApplied(pool);
  if (missingOf(migrations, applied).length === 0) return done;
  // On a new database, all of them at once are one event, and a first start should be readable in a terminal.
  const isNew = applied.length === 0;

  const client = await pool.connect();
  try {
    for (
      let name = await applyNext(client, migrations);
      name !== undefined;
      name = await applyNext(client, migrations)
    ) {
      log[isNew ? 'debug' : 'info']({ migration: name }, 'migration applied');
      done.push(name);
    }
    if (isNew) log.info({ migrations: done.length }, 'the tables of the new database are made');
    client.release();
  } catch (error) {
    // The transaction may still be open, so this connection must not be reused.
    client.release(true);
    throw error;
  }
  return done;
}

/**
 * In one transaction: waits for the lock, determines again what is missing, and applies the first of it.
 * Returns its name.
 */
async function applyNext(client: pg.PoolClient, migrations: Migration[]): Promise<string | undefined> {
  // Read committed, whatever the server's default: changes committed while we waited for the lock must be
  // visible.
  await client.query('begin isolation level read committed');
  // Neither a long migration nor the wait for another console's may time out.
  await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLock]);
  await client.query(createMigrationTable);
  const [next] = missingOf(migrations, await readApplied(client));
  if (next) await apply(client, next);
  await client.query('commit');
  return next?.name;
}

async function apply(client: pg.PoolClient, { name, checksum, sql }: Migration): Promise<void> {
  try {
    await client.query(sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
  } catch (error) {
    const reason = asError(error).message;
    throw new StartRefused(
      `The migration ${name} failed${lineOf(error, sql)}: ${reason}. The database is as it was before it.`,
      { cause: error },
    );
  }
}

/** PostgreSQL reports the character position of an error; people look for lines. */
function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof Error) || !('position' in error) || typeof error.position !== 'string') return '';
  return ` at line ${sql.slice(0, Number(error.position)).split('\n').length}`;
}

/** The migrations to apply, in order. Rejects a database that is not at an earlier or the same state of ours. */
function missingOf(migrations: Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new StartRefused(
      `A newer console has changed this database (${unknown.sort().join(', ')}). Start that release, or restore a backup made before it.`,
    );
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed)
    throw new StartRefused(
      `The migration ${changed.name} has been applied to this database in another form. Put the file back as it was; what is new belongs into a new file.`,
    );
  return migrations.filter(({ name }) => !checksums.has(name));
}

/** What `migrate` would apply, in order: everything on a new database. @throws StartRefused as `migrate` does. */
export async function missingMigrations(pool: pg.Pool, sources: MigrationSource[]): Promise<string[]> {
  return missingOf(await readMigrations(sources), await readApplied(pool)).map(({ name }) => name);
}

/**
 * The applied migrations, in one query. Not for use in a transaction in which the table may be missing: see
 * {@link appliedMigrations}.
 */
async function readApplied(db: pg.Pool | pg.PoolClient): Promise<AppliedMigration[]> {
  try {
    return (await db.query<AppliedMigration>('select name, checksum from schema_migration')).rows;
  } catch (error) {
    if (hasCode(error, missingTable)) return [];
    throw error;
  }
}

/** The applied migrations; safe within a transaction. Empty for a database that was never migrated. */
export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migration') is not null as exists`,
  );
  if (!rows[0]?.exists) return [];
  return (
    await client.query<AppliedMigration>(
      'select name, checksum from schema_migration order by applied_at, name',
    )
  ).rows;
}

/**
 * Creates the schema that a database had when exactly `wanted` had been applied, on an empty database in the
 * caller's transaction. The table that records migrations stays empty.
 * @throws StartRefused when this release lacks one of them, or has it with different content.
 */
export async function applyMigrationsExactly(
  client: pg.ClientBase,
  sources: MigrationSource[],
  wanted: readonly AppliedMigration[],
): Promise<void> {
  const migrations = await readMigrations(sources);
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const unknown = wanted.find(({ name, checksum }) => known.get(name) !== checksum);
  if (unknown)
    throw new StartRefused(
      `This was made by another release, whose migration ${unknown.name} this one does not have${known.has(unknown.name) ? ' in the same form' : ''}. Use that release (or a later one) to restore it.`,
    );
  await client.query(createMigrationTable);
  const names = new Set(wanted.map(({ name }) => name));
  for (const { name, sql } of migrations) {
    if (!names.has(name)) continue;
    await client.query(sql);
    // Runs deferred constraint checks now: while they are pending, the next migration could not alter the
    // same table.
    await client.query('set constraints all immediate');
    await client.query('set constraints all deferred');
  }
}
