// Makes a backup and proves it: the file is read back and restored into a scratch database, and the two are
// compared.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { required } from '#kernel/assert.ts';
import { beginMoment, dump, manifestOf } from './backup-dump.ts';
import { load, openBackup } from './backup-load.ts';
import type { BackupDifference, BackupManifest, OnProgress } from './backup-manifest.ts';
import { differences, type TotalQuery } from './backup-schema.ts';
import { copySession } from '../database/copy.ts';
import type { MigrationSource } from '../database/migration-files.ts';
import { connectionTo, withClient } from '../database/other-database.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';
import type { FileStore } from '../files/store/file-store.ts';
import { openFiles } from '../files/store/open-files.ts';
import type { FilesPlace } from '../files/store/files-place.ts';
import { readSealed, recipientOf, sealed } from '../security/sealed-file.ts';
import { hasCode } from '../system-error.ts';
import { entriesOf, tarOf } from '../files/tar.ts';

/** A backup to be made. Plain data, so that it can be sent to another process. */
export type BackupOrder = {
  readonly where: DatabaseConnection | string;
  /** Where the file is stored, and its name there. */
  readonly files: FilesPlace;
  readonly fileName: string;
  /** The private key that reads the file back; the file is encrypted for its recipient. */
  readonly identity: string;
  /** Further recipients who can decrypt it. */
  readonly recipients: readonly string[];
  readonly installation: object;
  readonly totals: readonly TotalQuery[];
  readonly sources: MigrationSource[];
  /** The clock's reading, ISO 8601. */
  readonly madeAt: string;
};

/**
 * proven: restored and identical. different: restored, but not identical. not_allowed: the database user may
 * not create databases.
 */
export type BackupProof = {
  readonly outcome: 'proven' | 'different' | 'not_allowed';
  readonly differences: readonly BackupDifference[];
};
export type BackupMade = {
  readonly bytes: number;
  readonly manifest: BackupManifest;
  readonly proof: BackupProof;
};

/** Another process is making a backup of this database. */
export class BackupBusy extends Error {
  override readonly name = 'BackupBusy';
}

const notAllowed = '42501';
const lockNotFree = '55P03';
const maxDifferences = 50;

// After a backup was stopped, its server process runs until the current statement ends; dropping the scratch
// database waits for a checkpoint.
const lockTimeoutMs = 60_000;

/**
 * Makes one backup, at most one per database at a time; waits up to `withinMs` for the lock. First removes
 * what an earlier, killed backup left behind.
 * @throws BackupBusy, and the errors of the database, the disk and the file. A file that cannot be read back
 * is removed.
 */
export async function makeBackup(
  order: BackupOrder,
  onProgress: OnProgress,
  signal: AbortSignal,
  withinMs = lockTimeoutMs,
): Promise<BackupMade> {
  const files = await openFiles(order.files);
  return withClient(order.where, async (holder) => {
    await acquireLock(holder, withinMs);
    // Only the lock holder writes backups, so every unfinished file is abandoned.
    await removeLeftovers(holder);
    await files.removeUnfinished('', () => true);
    const recipients = [await recipientOf(order.identity), ...order.recipients];
    const { bytes, manifest } = await withClient(
      order.where,
      async (client) => {
        await beginMoment(client);
        const made = await manifestOf(client, {
          madeAt: new Date(order.madeAt),
          totals: order.totals,
          onProgress,
        });
        return {
          manifest: made,
          bytes: await files.write(
            order.fileName,
            sealed(tarOf(dump(client, made, order.installation, onProgress)), recipients),
            signal,
          ),
        };
      },
      copySession,
    );
    try {
      return { bytes, manifest, proof: await proveRestorable(holder, order, files, { onProgress, signal }) };
    } catch (error) {
      await files.remove([order.fileName]);
      throw error;
    }
  });
}

/** @throws BackupBusy when another process holds the lock for longer than `withinMs`. */
async function acquireLock(holder: pg.ClientBase, withinMs: number): Promise<void> {
  await holder.query(`set lock_timeout = ${withinMs}`);
  try {
    await holder.query(`select pg_advisory_lock(hashtextextended('skytally backup', 0))`);
  } catch (cause) {
    if (hasCode(cause, lockNotFree))
      throw new BackupBusy('another backup of this database is being made', { cause });
    throw cause;
  }
  await holder.query('set lock_timeout = 0');
}

const scratchMark = '_proof_';
const dropAttempts = 6;
const dropAgainMs = 300;

/** Drops scratch databases of abandoned backups. The caller holds the lock. */
async function removeLeftovers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(datname) as name from pg_database where starts_with(datname, left(current_database(), 30) || '${scratchMark}') and pg_get_userbyid(datdba) = current_user`,
  );
  for (const { name } of rows) await dropScratch(client, name);
}

/**
 * Drops a scratch database, or leaves it to the next backup: a proven backup must not fail over this. While
 * autovacuum works in the database, an ordinary role may not use force (42501); without force, the server
 * cancels autovacuum itself, but does not end our own sessions. Hence the attempts alternate.
 */
async function dropScratch(client: pg.ClientBase, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`drop database if exists ${name}${attempt % 2 === 1 ? ' with (force)' : ''}`);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (attempt === dropAttempts) {
        process.emitWarning(`the scratch database ${name} stays until the next backup: ${error.message}`);
        return;
      }
    }
    await pause(dropAgainMs);
  }
}

async function proveRestorable(
  holder: pg.ClientBase,
  order: BackupOrder,
  files: FileStore,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<BackupProof> {
  const {
    rows: [here],
  } = await holder.query<{ name: string }>('select left(current_database(), 30) as name');
  const scratch = `${here?.name ?? ''}${scratchMark}${randomBytes(6).toString('hex')}`;
  try {
    await holder.query(`create database "${scratch}" template template0 encoding 'UTF8'`);
  } catch (error) {
    if (hasCode(error, notAllowed)) return { outcome: 'not_allowed', differences: [] };
    throw error;
  }
  try {
    const found = await withClient(
      connectionTo(order.where, scratch),
      async (client) => {
        const content = required(await files.read(order.fileName), 'the backup that was just written');
        const opened = await openBackup(entriesOf(readSealed(content, order.identity)));
        const reportProgress: OnProgress = (progress) => {
          signal.throwIfAborted();
          onProgress(progress);
        };
        // Never committed, so the restored rows cost neither WAL flushes nor waits for the disk.
        await client.query('begin');
        await load(client, opened, order.sources, reportProgress);
        const all = await differences(client, opened.manifest, order.totals, reportProgress);
        await client.query('rollback');
        return all;
      },
      copySession,
    );
    return {
      outcome: found.length === 0 ? 'proven' : 'different',
      differences: found.slice(0, maxDifferences),
    };
  } finally {
    await dropScratch(holder, `"${scratch}"`);
  }
}
