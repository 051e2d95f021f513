// A console with a month of real usage, bills and payments, for tests of backups.
import { createReadStream, readFileSync } from 'node:fs';
import { inject, vi, expect } from 'vitest';
import { randomBytes } from 'node:crypto';
import type { BillingMonth } from '#kernel/shape.ts';
import { migrationSources } from '#platform/server/database/migration-files.ts';
import { silentLog } from '#platform/server/log.ts';
import { administer, connectionTo } from '#platform/server/database/other-database.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { folderStore } from '#platform/server/files/store/folder-store.ts';
import type { BackupContent, RestoreOptions } from '#platform/server/backup/restore.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { totalQueries } from '#features/operations/backups/server/index.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { featureOrder } from '#app/feature-order.ts';
import { jobs } from '#app/jobs.ts';
import { atFileEnd } from './clean-up.ts';
import type { TestConsole } from './console.ts';

const csv = readFileSync(new URL('../../demo-data/focus-sample.csv', import.meta.url), 'utf8');

/** Imports the sample file and closes its month: 68 organizations, 795 events, 67 bills. */
export async function fillBooks(console: TestConsole, admin: string): Promise<void> {
  await importBooks(console, admin);
  await console.ok(billing.closeMonth, { month: '2024-09' as BillingMonth }, { token: admin });
}

/** The customers of {@link fillBooks} and their usage, before anything is billed. */
export async function importBooks(console: TestConsole, admin: string): Promise<void> {
  const { id } = await console.ok(
    administration.importFocus,
    { fileName: 'focus.csv' },
    { token: admin, body: csv, headers: { 'content-type': 'text/csv' } },
  );
  await vi.waitFor(
    async () =>
      expect(['done', 'failed']).toContain(
        (await console.ok(administration.getImport, { importId: id }, { token: admin })).state,
      ),
    { timeout: 50_000, interval: 50 },
  );
}

/** Creates an empty database on the tests' server, dropped at the end of the file. */
export async function emptyDatabase(): Promise<DatabaseConnection | string> {
  const { server, template } = inject('testServer');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template template0 encoding 'UTF8'`);
  atFileEnd(() => administer(server, `drop database if exists ${name} with (force)`));
  return connectionTo(server, name);
}

/** Streams the bytes of a file, as a restore reads them. */
export const contentOf =
  (path: string): BackupContent =>
  async () =>
    createReadStream(path);

/** The options for restoring a backup file. */
export function restoreOf(
  { path, identity }: { readonly path: string; readonly identity: string },
  dataDir: string,
  more: Partial<RestoreOptions> = {},
): RestoreOptions {
  return {
    content: contentOf(path),
    identity,
    dataDir,
    secretKey: undefined,
    files: folderStore(dataDir),
    sources: migrationSources(featureOrder),
    totals: totalQueries,
    jobs,
    now: new Date('2024-10-06T00:00:00Z'),
    log: silentLog(),
    onProgress: () => undefined,
    look: async () => undefined,
    ...more,
  };
}
