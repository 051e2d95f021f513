// Loads a backup into an empty database in one transaction: the schema of its time, its rows, and the foreign
// keys.
import type pg from 'pg';
import * as z from 'zod/mini';
import { BackupManifest, backupFormat, rowsIn, type OnProgress } from './backup-manifest.ts';
import { installationPiece, manifestPiece, piecesOf } from './backup-dump.ts';
import { columnList, tableName, tablesOf } from './backup-schema.ts';
import { copyIn } from '../database/copy.ts';
import { applyMigrationsExactly } from '../database/migrate.ts';
import type { MigrationSource } from '../database/migration-files.ts';
import { SealBroken } from '../security/sealed-file.ts';
import { StartRefused } from '../start-refused.ts';
import { NotTar, type TarEntry } from '../files/tar.ts';

/** What a backup holds besides rows. */
export type Loaded = { readonly manifest: BackupManifest; readonly installation: unknown };

/** The header of a backup, followed by its pieces. */
export type OpenedBackup = Loaded & { readonly pieces: AsyncIterator<TarEntry, void> };

/** Reads the header. @throws SealBroken when it is not a backup; StartRefused when a newer release made it. */
export async function openBackup(entries: AsyncIterable<TarEntry>): Promise<OpenedBackup> {
  const pieces = entries[Symbol.asyncIterator]();
  const first = await next(pieces);
  if (first?.name !== manifestPiece) throw new SealBroken('This is no backup of Skytally.');
  const content: unknown = JSON.parse(Buffer.from(first.content).toString('utf8'));
  const format = z.safeParse(z.object({ format: z.string(), version: z.string() }), content);
  if (format.success && format.data.format !== backupFormat)
    throw new StartRefused(
      `This backup was made by ${format.data.version}, in a form that this release does not know. Restore it with that release.`,
    );
  const manifest = z.parse(BackupManifest, content);
  const second = await next(pieces);
  if (second?.name !== installationPiece) throw new SealBroken('This is no backup of Skytally.');
  return { manifest, installation: JSON.parse(Buffer.from(second.content).toString('utf8')), pieces };
}

async function next(pieces: AsyncIterator<TarEntry, void>): Promise<TarEntry | undefined> {
  try {
    const { value, done } = await pieces.next();
    return done ? undefined : (value ?? undefined);
  } catch (cause) {
    if (cause instanceof NotTar)
      throw new SealBroken(
        `The file is not whole (${cause.message}). Take another copy of it, or another backup.`,
        { cause },
      );
    throw cause;
  }
}

/**
 * Fills an empty database, in the caller's transaction; on failure that transaction must be rolled back. The
 * database ends up as it was when the backup was made, with the schema of that time; a later release migrates
 * it at its next start.
 * @throws StartRefused when this release lacks a migration that the backup has.
 */
export async function load(
  client: pg.ClientBase,
  { manifest, pieces }: OpenedBackup,
  sources: MigrationSource[],
  onProgress: OnProgress,
): Promise<void> {
  await applyMigrationsExactly(client, sources, manifest.migrations);
  for (const { name, parent, bound } of manifest.partitions) {
    const {
      rows: [there],
    } = await client.query<{ yes: boolean }>('select to_regclass($1) is not null as yes', [tableName(name)]);
    if (!there?.yes)
      await client.query(`create table ${tableName(name)} partition of ${tableName(parent)} ${bound}`);
  }
  await assertSameShape(client, manifest);
  const ties = await dropConstraints(client, manifest);
  await fill(client, manifest, pieces, onProgress);
  for (const { table, name, definition } of ties)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name } of manifest.tables)
    await client.query(`alter table ${tableName(name)} enable trigger user`);
  for (const { name, value, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [tableName(name), value, isCalled]);
}

async function assertSameShape(client: pg.ClientBase, manifest: BackupManifest): Promise<void> {
  const shapeOf = (tables: readonly { name: string; columns: readonly string[] }[]): string =>
    tables
      .map(({ name, columns }) => `${name}(${columns.toSorted().join(',')})`)
      .toSorted()
      .join(' ');
  if (shapeOf(await tablesOf(client)) !== shapeOf(manifest.tables))
    throw new StartRefused(
      'The tables of this backup are not those that its migrations make: somebody changed the database by hand. Restore it with the release that made it, and tell us.',
    );
}

type Constraint = { readonly table: string; readonly name: string; readonly definition: string };

/**
 * Rows arrive table by table, so nothing may depend on other tables until all are loaded: drops the foreign
 * keys (returned, to be recreated), disables triggers, and deletes the rows that migrations inserted.
 */
async function dropConstraints(client: pg.ClientBase, manifest: BackupManifest): Promise<Constraint[]> {
  const { rows } =
    await client.query<Constraint>(`select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by conrelid, conname`);
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of manifest.tables)
    await client.query(`alter table ${tableName(name)} disable trigger user`);
  if (manifest.tables.length > 0)
    await client.query(`truncate ${manifest.tables.map(({ name }) => tableName(name)).join(', ')}`);
  return rows;
}

async function fill(
  client: pg.ClientBase,
  manifest: BackupManifest,
  pieces: AsyncIterator<TarEntry, void>,
  onProgress: OnProgress,
): Promise<void> {
  const total = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  let done = 0;
  let piece = await next(pieces);
  for (const { name, columns } of manifest.tables) {
    const prefix = piecesOf(name);
    const rows = async function* (): AsyncGenerator<Uint8Array, void, void> {
      for (; piece?.name.startsWith(prefix); piece = await next(pieces)) {
        onProgress({ phase: 'restoring', done: (done += rowsIn(piece.content)), total });
        yield piece.content;
      }
    };
    if (piece?.name.startsWith(prefix))
      await copyIn(client, `copy ${tableName(name)} (${columnList(columns)}) from stdin`, rows());
  }
  if (piece) throw new SealBroken(`The backup holds ${piece.name}, which its manifest does not name.`);
}
