// Brings up the database for a test run: an embedded one, or the server that TEST_DATABASE_URL names.
import type { TestProject } from 'vitest/node';
import { columns } from '../src/app/columns.ts';
import { migrationSources } from '../src/platform/server/migrate.ts';
import type {} from '../src/platform/server/test-database.ts';
import { startTestServer } from '../src/platform/server/test-server.ts';

/** Vitest calls it before the first test file; what it returns is called after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, template, stop } = await startTestServer(
    migrationSources(columns),
    process.env['TEST_DATABASE_URL'],
  );
  project.provide('testServer', { server, template });
  return stop;
}
