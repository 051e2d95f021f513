// Restores a backup into a separate database next to the present one, compares it with the manifest, and only
// then swaps it in.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupManifest, OnProgress } from './backup-manifest.ts';
import { load, openBackup, type OpenedBackup } from './backup-load.ts';
import { differences, tableName, type TotalQuery } from './backup-schema.ts';
import { lockConsole } from '../database/embedded/console-lock.ts';
import { copySession } from '../database/copy.ts';
import { endLeftBehind, startEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts';
import {
  installationOf,
  writeChangedSentences,
  writeSecretFiles,
  type Installation,
} from '../installation.ts';
import type { Job } from '../jobs/jobs.ts';
import { enqueueForNextStart } from '../jobs/jobs-waiting.ts';
import type { Log } from '../log.ts';
import type { MigrationSource } from '../database/migration-files.ts';
import { withClient } from '../database/other-database.ts';
import { replacedPrefix } from '../database/embedded/postgres-cluster.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';
import type { FileStore } from '../files/store/file-store.ts';
import { putSecrets, secretsInFiles } from '../security/secrets.ts';
import { secretsTable } from '../security/store-secrets.ts';
import { readSealed, SealBroken } from '../security/sealed-file.ts';
import { StartRefused } from '../start-refused.ts';
import { exitOnSignals } from '../stop-signal.ts';
import { syncFolder } from '../database/embedded/sync-folder.ts';
import { entriesOf } from '../files/tar.ts';

/** Opens a backup's file. */
export type BackupContent = () => Promise<AsyncIterable<Uint8Array>>;

export type RestoreOptions = {
  /** Returns the backup's bytes, from the beginning at each call. */
  readonly content: BackupContent;
  readonly identity: string;
  readonly dataDir: string;
  /** When set, secrets are stored encrypted in the database; otherwise in files of the data directory. */
  readonly secretKey: string | undefined;
  /** Where changed sentences are stored. */
  readonly files: FileStore;
  readonly sources: MigrationSource[];
  readonly totals: readonly TotalQuery[];
  readonly jobs: readonly Job[];
  /** The clock's reading; used to name what is replaced. */
  readonly now: Date;
  readonly log: Log;
  readonly onProgress: OnProgress;
  /** Checks the restored database before it is put in place; an error aborts the restore. */
  readonly look: (where: DatabaseConnection | string, installation: Installation) => Promise<void>;
};

type RestoredInstallation = Installation & { readonly hasSealedSecrets: boolean };

const stagingPrefix = 'postgres.restoring-';

/** Reads a backup's manifest. @throws SealBroken when the key does not decrypt it, or it is not a backup. */
export async function headOf(content: BackupContent, identity: string): Promise<BackupManifest> {
  const { manifest, pieces } = await open(content, identity);
  await pieces.return?.();
  return manifest;
}

const open = async (content: BackupContent, identity: string): Promise<OpenedBackup> =>
  openBackup(entriesOf(readSealed(await content(), identity)));

/**
 * Restores into the data directory's own database. An existing database is only moved aside, and only when
 * `mayReplace`; `before` names the folder it was moved to. It is not touched until the very end.
 * @throws StartRefused when a console uses the directory, when there is a database and `mayReplace` is false,
 * or when the backup comes from a newer release.
 */
export async function restoreEmbedded(
  options: RestoreOptions,
  mayReplace: boolean,
): Promise<{ before: string | undefined }> {
  const { dataDir, now, log } = options;
  const cluster = join(dataDir, 'postgres');
  const isThere = existsSync(cluster);
  if (isThere) await endLeftBehind(dataDir, log);
  const lock = await lockConsole(dataDir);
  try {
    if (isThere && !mayReplace)
      throw new StartRefused(
        `There is a database in ${dataDir} already. Say --replace to put the backup in its place (it is kept beside it), or set DATA_DIR to a new folder.`,
      );
    for (const name of await readdir(dataDir))
      if (name.startsWith(stagingPrefix)) await removeStaging(join(dataDir, name), log);
    const staging = join(dataDir, `${stagingPrefix}${randomBytes(4).toString('hex')}`);
    await mkdir(staging, { mode: 0o700 });
    const installation = await inStaging(staging, options);
    const stamp = stampOf(now);
    await writeInstallation(installation, options);
    const before = isThere ? join(dataDir, `${replacedPrefix}${stamp}`) : undefined;
    if (before !== undefined) await rename(cluster, before);
    await rename(join(staging, 'postgres'), cluster);
    await syncFolder(dataDir);
    await rm(staging, { recursive: true, force: true });
    return { before };
  } finally {
    await lock.release();
  }
}

async function inStaging(staging: string, options: RestoreOptions): Promise<RestoredInstallation> {
  const signalsAsBefore = exitOnSignals();
  const server = await startEmbeddedPostgres({
    dataDir: staging,
    log: options.log,
    onExit: () => options.log.error('the database ended by itself'),
  });
  try {
    return await restoreInto(server.connection, options);
  } catch (error) {
    // The server must have stopped before its files are deleted.
    await server.stop();
    await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await server.stop();
    signalsAsBefore();
  }
}

/** Removes what a killed restore left; its server may still be running. */
async function removeStaging(staging: string, log: Log): Promise<void> {
  if (existsSync(join(staging, 'postgres'))) await endLeftBehind(staging, log);
  await rm(staging, { recursive: true, force: true });
}

/** Restores into an empty external database, all or nothing. @throws StartRefused when the database is not empty. */
export async function restoreOutside(
  where: DatabaseConnection | string,
  options: RestoreOptions,
): Promise<void> {
  await withClient(where, async (client) => {
    const {
      rows: [found],
    } = await client.query<{
      count: string;
    }>(`select count(*)::text as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
        and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`);
    if (found?.count !== '0')
      throw new StartRefused(
        'The database is not empty. Make a new one (createdb -T template0 -E UTF8 NAME) and name it, so that what is there stays.',
      );
  });
  await writeInstallation(await restoreInto(where, options), options);
}

const stampOf = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** Secrets also go into files when an older release made the backup: its schema has no table for them yet. */
async function writeInstallation(installation: RestoredInstallation, options: RestoreOptions): Promise<void> {
  const suffix = `before-${stampOf(options.now)}`;
  if (!installation.hasSealedSecrets) writeSecretFiles(options.dataDir, installation, suffix);
  await writeChangedSentences(options.files, installation, suffix);
}

async function restoreInto(
  where: DatabaseConnection | string,
  { content, identity, dataDir, secretKey, now, sources, totals, jobs, onProgress, look }: RestoreOptions,
): Promise<RestoredInstallation> {
  const opened = await open(content, identity);
  const installation = installationOf(opened.installation);
  const hasPlace = opened.manifest.tables.some(({ name }) => name === secretsTable);
  await withClient(
    where,
    async (client) => {
      await client.query('begin');
      await load(client, opened, sources, onProgress);
      const found = await differences(client, opened.manifest, totals, onProgress);
      if (found.length > 0)
        throw new SealBroken(
          `What was restored is not what the backup says (${found
            .slice(0, 5)
            .map(({ what }) => what)
            .join(', ')}). Take another backup; the database was left as it was.`,
        );
      // After the comparison, because this installation stores its secrets by its own settings, whatever the
      // former one did.
      if (hasPlace) await putSecrets(client, secretsInFiles(installation.files, dataDir), secretKey, now);
      await client.query('commit');
      await client.query(`analyze ${opened.manifest.tables.map(({ name }) => tableName(name)).join(', ')}`);
    },
    copySession,
  );
  await enqueueForNextStart(where, opened.manifest.jobs, jobs);
  await look(where, installation);
  return { ...installation, hasSealedSecrets: hasPlace && secretKey !== undefined };
}
