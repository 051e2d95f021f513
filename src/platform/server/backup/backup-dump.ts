// Dumps a backup: one snapshot of the whole database as a stream of named pieces, together with what the
// console needs besides the database.
import type pg from 'pg';
import { backupFormat, rowsIn, type BackupManifest, type OnProgress } from './backup-manifest.ts';
import {
  columnList,
  measure,
  partitionsOf,
  sequencesOf,
  tableName,
  tablesOf,
  totalsOf,
  type TotalQuery,
} from './backup-schema.ts';
import { copyOut } from '../database/copy.ts';
import { waitingJobs } from '../jobs/jobs-waiting.ts';
import { appliedMigrations } from '../database/migrate.ts';
import type { TarEntry } from '../files/tar.ts';
import { version } from '../version.ts';

export const manifestPiece = 'manifest.json';
export const installationPiece = 'installation.json';

/** The prefix of a table's pieces in a backup; they hold COPY text, cut into chunks. */
export const piecesOf = (table: string): string => `data/${table}/`;

/**
 * Starts the snapshot that a backup holds: everything committed by now, and nothing later. Locks every table
 * against schema changes until the transaction ends, so a partition that would be dropped meanwhile stays.
 */
export async function beginMoment(client: pg.ClientBase): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  const tables = [
    ...(await tablesOf(client)).map(({ name }) => name),
    ...(await partitionsOf(client)).map(({ name }) => name),
  ];
  if (tables.length > 0)
    await client.query(`lock table ${tables.map(tableName).join(', ')} in access share mode`);
}

/** Builds the manifest of the snapshot. `madeAt` is the clock's reading at its start. */
export async function manifestOf(
  client: pg.ClientBase,
  { madeAt, totals, onProgress }: { madeAt: Date; totals: readonly TotalQuery[]; onProgress: OnProgress },
): Promise<BackupManifest> {
  const tables = await tablesOf(client);
  // An estimate from the last ANALYZE, shown until the rows are counted.
  const {
    rows: [about],
  } = await client.query<{ rows: string }>(
    `select coalesce(sum(greatest(reltuples, 0)), 0)::bigint::text as rows from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  let done = 0;
  const measured = await measure(client, tables, (rows) =>
    onProgress({ phase: 'counting', done: (done += rows), total: Math.max(done, Number(about?.rows ?? 0)) }),
  );
  const {
    rows: [server],
  } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
  return {
    format: backupFormat,
    version,
    postgres: server?.version ?? '',
    madeAt: madeAt.toISOString(),
    migrations: await appliedMigrations(client),
    tables: measured,
    partitions: await partitionsOf(client),
    sequences: await sequencesOf(client),
    totals: await totalsOf(client, totals),
    jobs: await waitingJobs(client),
  };
}

/**
 * Yields all pieces in the order in which they are restored. `installation` is what a console needs besides
 * its database.
 */
export async function* dump(
  client: pg.ClientBase,
  manifest: BackupManifest,
  installation: object,
  onProgress: OnProgress,
): AsyncGenerator<TarEntry, void, void> {
  yield { name: manifestPiece, content: Buffer.from(JSON.stringify(manifest, undefined, 1)) };
  yield { name: installationPiece, content: Buffer.from(JSON.stringify(installation)) };
  const total = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  let done = 0;
  for (const { name, columns } of manifest.tables) {
    let piece = 0;
    for await (const rows of copyOut(
      client,
      `copy (select ${columnList(columns)} from ${tableName(name)}) to stdout`,
    )) {
      for (let from = 0; from < rows.length; from += maxBytes)
        yield {
          name: `${piecesOf(name)}${String(++piece).padStart(8, '0')}`,
          content: rows.subarray(from, from + maxBytes),
        };
      onProgress({ phase: 'writing', done: (done += rowsIn(rows)), total });
    }
  }
}
// A single row may exceed the piece size.
const maxBytes = 8 * 1024 * 1024;
