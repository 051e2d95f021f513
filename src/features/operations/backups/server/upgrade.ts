// A backup before a schema change: made when a newer release starts, and recorded after the migration. Until
// then, a small file next to it keeps its data, because the process may end in between.
import * as z from 'zod/mini';
import { asError } from '#kernel/errors.ts';
import type { Clock } from '#platform/server/clock.ts';
import type { Config } from '#platform/server/config.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Database } from '#platform/server/database/db.ts';
import type { Log } from '#platform/server/log.ts';
import { BackupBusy, makeBackup } from '#platform/server/backup/backup-make.ts';
import { readText, writeText, type FileStore } from '#platform/server/files/store/file-store.ts';
import type { Secrets } from '#platform/server/security/secrets.ts';
import { missingMigrations } from '#platform/server/database/migrate.ts';
import type { MigrationSource } from '#platform/server/database/migration-files.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { version } from '#platform/server/version.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { BackupContent } from '../contract.ts';
import { fileNameOf } from '../rules.ts';
import { backupOrder } from './backup-order.ts';
import { actor, contentOf, removeOverdue } from './run.ts';
import { beginBackup, endBackup, insertBackup, hasUsers, isRecorded, type Finished } from './store.ts';

/** A backup that was made before the migration, when the table to record it may not exist. */
export type UpgradeBackup = Finished & { readonly fileName: string };

type UpgradeParts = {
  readonly sources: MigrationSource[];
  readonly clock: Clock;
  readonly log: Log;
  /** The secrets of the existing installation; undefined when there is none yet. */
  readonly secrets: Secrets | undefined;
} & Pick<App, 'files' | 'backupFiles'>;

/**
 * Makes a backup before migrations run on a database with an installation; undefined when there is nothing to
 * migrate.
 * @throws StartRefused when it cannot be made or verified; the database is then unchanged.
 */
export async function backupBeforeUpgrade(
  config: Config,
  database: Database,
  { sources, clock, log, secrets, files, backupFiles }: UpgradeParts,
): Promise<UpgradeBackup | undefined> {
  const missing = await missingMigrations(database.pool, sources);
  if (missing.length === 0 || !(await hasUsers(database.pool))) return undefined;
  if (!config.backupBeforeUpgrade) {
    log.warn(
      { migrations: missing.length },
      'the database is changed without a backup, as BACKUP_BEFORE_UPGRADE=skip says',
    );
    return undefined;
  }
  log.info({ migrations: missing.length }, 'the database has to be changed; a backup is made first');
  const madeAt = clock.now();
  const fileName = fileNameOf(madeAt, version, 'before-upgrade');
  if (secrets === undefined)
    throw new StartRefused(
      'The database has to be changed for this release, and a backup before it needs the secrets of its installation. Start once with the DATA_DIR that the former release has used, and without SECRET_KEY.',
    );
  const order = await backupOrder(
    config,
    { secrets, files },
    { where: database.where, fileName, sources, madeAt },
  );
  const made = await makeBackup(order, () => undefined, new AbortController().signal).catch(
    (cause: unknown) => {
      if (cause instanceof BackupBusy)
        throw new StartRefused(
          'Another process is making a backup of this database. Start again when it is done.',
          { cause },
        );
      throw new StartRefused(
        `The database has to be changed for this release, but the backup before it could not be made: ${asError(cause).message}. Nothing was changed. Mend the reason (often: room on the disk), or start with BACKUP_BEFORE_UPGRADE=skip if you have a backup of your own.`,
        { cause },
      );
    },
  );
  if (made.proof.outcome === 'different')
    throw new StartRefused(
      `The backup before the change of the database could not be restored to the same (${made.proof.differences
        .map(({ what }) => what)
        .slice(0, 3)
        .join(
          ', ',
        )}). Nothing was changed. Start the former release and look at docs/operator/troubleshooting.md.`,
    );
  if (made.proof.outcome === 'not_allowed')
    log.warn('the backup is not proven: the database user may not create databases (alter role … createdb)');
  log.info(
    { file: fileName, place: backupFiles.place, bytes: made.bytes, proof: made.proof.outcome },
    'the backup before the change is made',
  );
  const upgrade = { fileName, bytes: made.bytes, content: contentOf(made.manifest), proof: made.proof };
  await writeText(backupFiles, unrecordedFile, JSON.stringify(upgrade));
  return upgrade;
}

const unrecordedFile = 'upgrade-backup.json';
const Unrecorded = z.object({
  fileName: z.string(),
  bytes: z.number(),
  content: BackupContent,
  proof: z.object({ outcome: z.enum(['proven', 'not_allowed']), differences: z.array(z.never()) }),
});

/**
 * Returns the backup of an upgrade whose process ended after the migration and before the backup was
 * recorded.
 */
export async function unrecordedUpgradeBackup(backupFiles: FileStore): Promise<UpgradeBackup | undefined> {
  const text = await readText(backupFiles, unrecordedFile);
  return text === undefined ? undefined : z.parse(Unrecorded, JSON.parse(text));
}

/** Records the backup once, when the new schema exists. */
export async function recordUpgradeBackup(app: App, made: UpgradeBackup): Promise<void> {
  await unitOfWork(app, { actor }, async (ctx) => {
    if (await isRecorded(ctx, made.fileName)) return;
    const backupId = await insertBackup(ctx, 'upgrade', 'upgrade');
    // Another backup is running, so no row can be added; the file still exists.
    if (backupId === undefined) return;
    await beginBackup(ctx, backupId, made.fileName);
    await endBackup(ctx, backupId, made);
    ctx.audit('backups.made', backupId, { bytes: made.bytes, proof: made.proof.outcome });
  });
  await app.backupFiles.remove([unrecordedFile]);
  await removeOverdue(app);
}
