// Describes a backup of this console as an order that any process can carry out.
import type { BackupOrder } from '#platform/server/backup/backup-make.ts';
import type { Config } from '#platform/server/config.ts';
import { readInstallation } from '#platform/server/installation.ts';
import type { MigrationSource } from '#platform/server/database/migration-files.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { newIdentity } from '#platform/server/security/sealed-file.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { totalQueries } from './store-totals.ts';

/**
 * The order for one backup. With an external recipient, the backup is encrypted for that recipient and for a
 * temporary key that exists only during the verification: afterwards this console cannot decrypt it.
 */
export async function backupOrder(
  config: Pick<Config, 'backupFiles' | 'backupRecipient'>,
  { secrets, files }: Pick<App, 'secrets' | 'files'>,
  {
    where,
    fileName,
    sources,
    madeAt,
  }: { where: DatabaseConnection | string; fileName: string; sources: MigrationSource[]; madeAt: Date },
): Promise<BackupOrder> {
  return {
    where,
    files: config.backupFiles,
    fileName,
    sources,
    madeAt: madeAt.toISOString(),
    totals: totalQueries,
    installation: await readInstallation(secrets, files),
    identity: config.backupRecipient === undefined ? secrets.backupKey : await newIdentity(),
    recipients: config.backupRecipient === undefined ? [] : [config.backupRecipient],
  };
}
