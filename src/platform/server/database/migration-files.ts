// The migrations of this release: the features' .sql files in the order in which they are applied.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartRefused } from '../start-refused.ts';

/** A feature's migrations: `directory` holds its `YYYYMMDD-HHMM-name.sql` files and may be missing. */
export type MigrationSource = { feature: string; directory: string };

/** `name` is `feature/file.sql`, as recorded in databases and backups. */
export type Migration = { name: string; checksum: string; sql: string };

const fileName = /^\d{8}-\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;
const ownTransaction = /^\s*(begin|commit|rollback|start\s+transaction)\s*;/im;

/**
 * The sources of the platform's migrations and of each feature's. Features are given by their path below
 * src/features (`invoicing/billing`); databases record migrations under the feature's own name, so that
 * features may move between groups.
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
 * All migrations ordered by the time in their names; with equal times, in the order of `sources`. So a
 * feature may build on tables that another feature created earlier, and vice versa.
 * @throws StartRefused when a file name is invalid, or a file begins or ends a transaction.
 */
export async function readMigrations(sources: readonly MigrationSource[]): Promise<Migration[]> {
  const found = (await Promise.all(sources.map(readSource))).flat();
  // The sort is stable, so equal times keep the order of sources.
  return found.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
}

async function readSource({ feature, directory }: MigrationSource): Promise<Migration[]> {
  if (!existsSync(directory)) return [];
  const files = (await readdir(directory)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const path = join(directory, file);
      if (!fileName.test(file))
        throw new StartRefused(`${path} is not named like a migration (YYYYMMDD-HHMM-name.sql).`);
      const sql = await readFile(path, 'utf8');
      if (ownTransaction.test(sql))
        throw new StartRefused(
          `${path} begins or ends a transaction; a migration is one transaction already.`,
        );
      return { name: `${feature}/${file}`, checksum: checksum(sql), sql };
    }),
  );
}

/** The `YYYYMMDD-HHMM` part of a name. */
const timeOf = ({ name }: Migration): string => name.slice(name.indexOf('/') + 1, name.indexOf('/') + 14);

/** Line endings are ignored: git may check them out differently on another machine. */
function checksum(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
