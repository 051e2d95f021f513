// Brings the database's schema up to date: every migration once, whole or not at all, whoever starts at the same time.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { StartRefused } from '../start-refused.ts';
import { hasCode } from '../system-error.ts';

/** A feature's migrations: `directory` holds its `YYYYMMDD-HHMM-name.sql` files and may be missing. */
export type MigrationSource = { feature: string; directory: string };

type Migration = { name: string; checksum: string; sql: string };
type Applied = Map<string, string>;

const fileName = /^\d{8}-\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;
// Any fixed number, the same in every console; nothing else of ours takes it.
const advisoryLock = 7_301_120_261;
const missingTable = '42P01';
const createMemory = `create table if not exists schema_migration (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

/**
 * The platform's migrations and those of each feature, named by its path below src/features (`invoicing/billing`). Databases
 * remember a migration under the feature's own name, so that features may move between groups.
 */
export function migrationSources(features: readonly string[]): MigrationSource[] {
  const source = fileURLToPath(new URL('../../../', import.meta.url));
  return [
    { feature: 'platform', directory: join(source, 'platform', 'server', 'database', 'migrations') },
    ...features.map((path) => ({
      feature: path.slice(path.lastIndexOf('/') + 1),
      directory: join(source, 'features', path, 'server', 'migrations'),
    })),
  ];
}

/**
 * Applies what is missing by the time in its name (of one time: in the order of `sources`), each file in a transaction of its own
 * under a lock, and returns the names applied. So a feature may build on tables that another one made before, on either side of it.
 * When nothing is missing, this is one query.
 * @throws StartRefused when a file already applied has changed, when the database knows migrations this release does
 *   not (a newer console has been here), when a file is badly named, or when one fails; that one has then left no trace.
 */
export async function migrate(pool: pg.Pool, sources: MigrationSource[], log: Log): Promise<string[]> {
  const migrations = await readMigrations(sources);
  if (await isUpToDate(pool, migrations)) return [];

  const client = await pool.connect();
  const done: string[] = [];
  try {
    for (
      let name = await applyNext(client, migrations);
      name !== undefined;
      name = await applyNext(client, migrations)
    ) {
      log.info({ migration: name }, 'migration applied');
      done.push(name);
    }
    client.release();
  } catch (error) {
    // The transaction may be half open: this connection must not serve anybody else.
    client.release(true);
    throw error;
  }
  return done;
}

/** A migration as a database remembers it. */
export type AppliedMigration = { readonly name: string; readonly checksum: string };

/** What `migrate` would apply, in order: everything on a database that has had nothing yet. @throws StartRefused as `migrate` does. */
export async function missingMigrations(db: pg.Pool, sources: MigrationSource[]): Promise<string[]> {
  const migrations = await readMigrations(sources);
  const applied = await readApplied(db).catch((error: unknown): Applied => {
    if (hasCode(error, missingTable)) return new Map();
    throw error;
  });
  firstMissing(migrations, applied);
  return migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
}

/** The names of all migrations of this release, in order. */
export async function migrationNames(sources: MigrationSource[]): Promise<string[]> {
  return (await readMigrations(sources)).map(({ name }) => name);
}

/** What a database has had applied; empty for one that nobody has migrated. */
export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const {
    rows: [there],
  } = await client.query<{ yes: boolean }>(
    `select to_regclass('public.schema_migration') is not null as yes`,
  );
  if (!there?.yes) return [];
  return (
    await client.query<AppliedMigration>(
      'select name, checksum from schema_migration order by applied_at, name',
    )
  ).rows;
}

/**
 * Makes the schema that a database had when exactly `wanted` had been applied, on an empty one, in the caller's transaction.
 * What remembers them stays empty.
 * @throws StartRefused when this release does not have all of them, in this very form.
 */
export async function applyExactly(
  client: pg.ClientBase,
  sources: MigrationSource[],
  wanted: readonly AppliedMigration[],
): Promise<void> {
  const migrations = await readMigrations(sources);
  const known = new Map(migrations.map(({ name, checksum: sum }) => [name, sum]));
  const [unknown] = wanted.filter(({ name, checksum: sum }) => known.get(name) !== sum);
  if (unknown)
    throw new StartRefused(
      `This was made by another release, whose migration ${unknown.name} this one does not have${known.has(unknown.name) ? ' in the same form' : ''}. Use that release (or a later one) to restore it.`,
    );
  await client.query(createMemory);
  const names = new Set(wanted.map(({ name }) => name));
  for (const migration of migrations) {
    if (!names.has(migration.name)) continue;
    await client.query(migration.sql);
    // What is checked at a commit must not wait while the next one changes the same table.
    await client.query('set constraints all immediate');
    await client.query('set constraints all deferred');
  }
}

async function readMigrations(sources: MigrationSource[]): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const { feature, directory } of sources) {
    if (!existsSync(directory)) continue;
    for (const file of (await readdir(directory)).sort()) {
      if (!fileName.test(file)) {
        throw new StartRefused(
          `${join(directory, file)} is not named like a migration (YYYYMMDD-HHMM-name.sql).`,
        );
      }
      const sql = await readFile(join(directory, file), 'utf8');
      if (/^\s*(begin|commit|rollback|start\s+transaction)\s*;/im.test(sql)) {
        throw new StartRefused(
          `${join(directory, file)} begins or ends a transaction; a migration is one transaction already.`,
        );
      }
      migrations.push({ name: `${feature}/${file}`, checksum: checksum(sql), sql });
    }
  }
  const time = ({ name }: Migration): string => name.slice(name.indexOf('/') + 1, name.indexOf('/') + 14);
  return migrations.toSorted((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0));
}

/** Line ends do not count: git may write them differently on another machine. */
function checksum(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

async function isUpToDate(pool: pg.Pool, migrations: Migration[]): Promise<boolean> {
  try {
    return firstMissing(migrations, await readApplied(pool)) === undefined;
  } catch (error) {
    if (hasCode(error, missingTable)) return false;
    throw error;
  }
}

async function readApplied(db: pg.Pool | pg.PoolClient): Promise<Applied> {
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** What to apply next, if anything; refuses a database that is not an earlier or the same state of ours. */
function firstMissing(migrations: Migration[], applied: Applied): Migration | undefined {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new StartRefused(
      `A newer console has changed this database (${unknown.sort().join(', ')}). Start that release, or restore a backup made before it.`,
    );
  }
  for (const { name, checksum: expected } of migrations) {
    if (applied.has(name) && applied.get(name) !== expected) {
      throw new StartRefused(
        `The migration ${name} has been applied to this database in another form. Put the file back as it was; what is new belongs into a new file.`,
      );
    }
  }
  return migrations.find(({ name }) => !applied.has(name));
}

/** One transaction: waits for its turn, looks again what is missing, and applies the first of it. Returns its name. */
async function applyNext(client: pg.PoolClient, migrations: Migration[]): Promise<string | undefined> {
  // Read committed, whatever the server's default: what others did while we waited for the lock must be seen.
  await client.query('begin isolation level read committed');
  // Neither a long migration nor the wait for another console's may be cut off.
  await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLock]);
  await client.query(createMemory);
  const next = firstMissing(migrations, await readApplied(client));
  if (next !== undefined) await apply(client, next);
  await client.query('commit');
  return next?.name;
}

async function apply(client: pg.PoolClient, { name, checksum: sum, sql }: Migration): Promise<void> {
  try {
    await client.query(sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, sum]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const line = lineOf(error, sql);
    throw new StartRefused(
      `The migration ${name} failed${line}: ${reason}. The database is as it was before it.`,
      { cause: error },
    );
  }
}

/** PostgreSQL tells the character at which it stumbled; people look for lines. */
function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof Error) || !('position' in error) || typeof error.position !== 'string') return '';
  return ` at line ${sql.slice(0, Number(error.position)).split('\n').length}`;
}
