// What a start settles before it serves anything: whether files are accessible, a backup before the database
// changes, the schema, and the installation's secrets.
import type { Clock } from '#platform/server/clock.ts';
import type { Config } from '#platform/server/config.ts';
import type { Database } from '#platform/server/database/db.ts';
import { migrate } from '#platform/server/database/migrate.ts';
import type { MigrationSource } from '#platform/server/database/migration-files.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import type { FilesPlace } from '#platform/server/files/store/files-place.ts';
import type { Log } from '#platform/server/log.ts';
import { findSecrets, openSecrets } from '#platform/server/security/secrets.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import {
  assertClickhouse,
  EventStoreUnavailable,
  hasArchives,
} from '#features/metering/usage/server/index.ts';
import {
  backupBeforeUpgrade,
  hasUsers,
  recordUpgradeBackup,
  unrecordedUpgradeBackup,
} from '#features/operations/backups/server/index.ts';

/** What the rest of the start builds on. */
export type Prepared = Pick<App, 'files' | 'backupFiles' | 'secrets'> & {
  /**
   * Call it once when the console is running: adds a backup that was made before the schema changed to the
   * list of backups.
   */
  readonly recordUpgrade: (app: App) => Promise<void>;
};

/**
 * @throws StartRefused when the settings do not fit the database or the bucket, or the backup before a change
 * cannot be made.
 */
export async function prepare(
  config: Config,
  database: Database,
  { sources, clock, log }: { sources: MigrationSource[]; clock: Clock; log: Log },
): Promise<Prepared> {
  await assertUsable(config.files, log);
  await assertEventStore(config, log);
  const [files, backupFiles] = [await openFiles(config.files), await openFiles(config.backupFiles)];
  const upgrade = await backupBeforeUpgrade(config, database, {
    sources,
    clock,
    log,
    secrets: await findSecrets(database.pool, config),
    files,
    backupFiles,
  });
  await migrate(database.pool, sources, log);
  if (config.eventsUrl === undefined && (await hasArchives(database.kysely, 'clickhouse')))
    throw new StartRefused(
      'Past usage events of this installation are in ClickHouse. Set EVENTS_URL to it; or, to do without it, set EVENTS_URL once more and run: npm run cli -- usage-archive move --to files',
    );
  const secrets = await openSecrets(database.pool, config, {
    now: clock.now(),
    isFilled: () => hasUsers(database.pool),
  });
  return {
    files,
    backupFiles,
    secrets,
    recordUpgrade: async (app) => {
      try {
        const toRecord = upgrade ?? (await unrecordedUpgradeBackup(backupFiles));
        if (toRecord) await recordUpgradeBackup(app, toRecord);
      } catch (error) {
        if (!hasCode(error, 'FILES')) throw error;
        // The bucket does not respond; the next start tries again.
        log.error({ err: error }, 'whether a backup before an upgrade is to be recorded is not known');
      }
    },
  };
}

/**
 * A ClickHouse that refuses is a configuration error. One that does not respond may come back; until then
 * events stay in the database.
 */
async function assertEventStore({ eventsUrl }: Config, log: Log): Promise<void> {
  if (eventsUrl === undefined) return;
  try {
    await assertClickhouse(eventsUrl);
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable)) throw error;
    if (error.isRefused)
      throw new StartRefused(
        `EVENTS_URL: ClickHouse cannot be used (${error.message}). Make the database and the user, or correct EVENTS_URL.`,
        { cause: error },
      );
    log.error(
      { err: error },
      'ClickHouse does not answer; past usage events in it cannot be shown until it does',
    );
  }
}

/**
 * A bucket that refuses is a configuration error. One that does not respond may come back: the console runs,
 * and reports what it cannot do.
 */
async function assertUsable(place: FilesPlace, log: Log): Promise<void> {
  if (place.kind === 'folder') return;
  const { assertBucket, FilesUnavailable } = await import('#platform/server/files/store/s3-store.ts');
  try {
    await assertBucket(place);
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    if (error.status !== undefined && error.status < 500)
      throw new StartRefused(
        `FILES_URL: the bucket cannot be used (${error.message}). Make the bucket, or correct FILES_URL and the access keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).`,
        { cause: error },
      );
    log.error(
      { err: error },
      'the bucket of FILES_URL does not answer; backups and month packs fail until it does',
    );
  }
}
