// The console's app without its HTTP server and jobs: for commands that do what the API does, whether or not
// the console is running.
import { allTexts } from '#platform/server/http/locales-http.ts';
import { createTranslator } from '#kernel/translate.ts';
import { systemClock } from '#platform/server/clock.ts';
import type { Config } from '#platform/server/config.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { openDatabase } from '#platform/server/database/db.ts';
import { JobSender } from '#platform/server/jobs/jobs.ts';
import { createLog } from '#platform/server/log.ts';
import { missingMigrations } from '#platform/server/database/migrate.ts';
import { migrationSources } from '#platform/server/database/migration-files.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { findSecrets, type Secrets } from '#platform/server/security/secrets.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { atDatabase } from './database.ts';
import { Vitals } from '#platform/server/monitoring/vitals.ts';
import { resellerBrands } from '#features/selling/resale/server/index.ts';
import { featureOrder } from '../feature-order.ts';
import { eventHandlers } from '../event-handlers.ts';
import { languageFolders } from '../language-packs.ts';
import { namespaces } from '../locales/namespaces.ts';
import { mayOpen } from '../menu.ts';
import { pageAreas } from '../page-areas.ts';

/** The actor of what a command does. */
export const cliActor = { kind: 'system', name: 'cli' } as const;

/**
 * Runs `run` with the console's app. Messages and jobs that it leaves are handled by the running console, or
 * by its next start.
 */
export async function withApp<T>(config: Config, run: (app: App) => Promise<T>): Promise<T> {
  return atDatabase(config, (where) => inAppAt(where, config, run));
}

/**
 * Runs `run` with the app on a given database, with the secrets of the data directory unless others are
 * given. @throws StartRefused when its schema is not that of this release.
 */
export async function inAppAt<T>(
  where: DatabaseConnection | string,
  config: Config,
  run: (app: App) => Promise<T>,
  secrets?: Secrets,
): Promise<T> {
  const log = createLog({ level: 'warn', destination: process.stderr });
  const database = await openDatabase(where, { max: 4, log });
  const jobs = new JobSender(where);
  try {
    const migrations = migrationSources(featureOrder);
    const missing = await missingMigrations(database.pool, migrations);
    if (missing.length > 0)
      throw new StartRefused(
        'This release has not changed the database yet. Start the console once, so that it backs up and upgrades it.',
      );
    const address = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const clock = systemClock();
    const known = secrets ?? (await findSecrets(database.pool, config));
    if (known === undefined)
      throw new StartRefused('The console has not been started on this database yet. Start it once.');
    return await run({
      config,
      address: () => address,
      log,
      clock,
      database,
      migrations,
      secrets: known,
      files: await openFiles(config.files),
      backupFiles: await openFiles(config.backupFiles),
      jobs,
      eventHandlers,
      translate: createTranslator(allTexts(namespaces, languageFolders)),
      brands: resellerBrands,
      pageAreas,
      mayOpen,
      vitals: new Vitals(config.dataDir, clock, log),
      wakeOutbox: () => undefined,
    });
  } finally {
    await jobs.stop();
    await database.close();
  }
}
