// What a backup of this console consists of, as an order that any process can carry out.
import type { BackupOrder } from '#platform/server/backup/backup-make.ts';
import type { Config } from '#platform/server/config.ts';
import { readInstallation } from '#platform/server/installation.ts';
import type { MigrationSource } from '#platform/server/database/migration-files.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { newIdentity } from '#platform/server/security/sealed-file.ts';
import { loadBackupKey } from '#platform/server/security/secrets.ts';
import { pathOf } from './files.ts';
import { totalQueries } from './store-totals.ts';

/**
 * The order for one backup. With an external recipient the backup is encrypted for that recipient and for a
 * temporary key that exists only during the verification: afterwards this console cannot decrypt it.
 */
export async function backupOrder(
  config: Config,
  {
    where,
    fileName,
    sources,
    madeAt,
  }: { where: DatabaseConnection | string; fileName: string; sources: MigrationSource[]; madeAt: Date },
): Promise<BackupOrder> {
  const own = await loadBackupKey(config.dataDir);
  return {
    where,
    path: pathOf(config, fileName),
    sources,
    madeAt: madeAt.toISOString(),
    totals: totalQueries,
    installation: readInstallation(config.dataDir),
    identity: config.backupRecipient === undefined ? own : await newIdentity(),
    recipients: config.backupRecipient === undefined ? [] : [config.backupRecipient],
  };
}
