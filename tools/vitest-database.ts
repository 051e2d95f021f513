// Starts the database for a test run: an embedded one, or the server that TEST_DATABASE_URL names. Also
// builds the browser application.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { featureOrder } from '../src/app/feature-order.ts';
import { migrationSources } from '../src/platform/server/database/migration-files.ts';
import { ensureWebBuild } from '../src/platform/server/http/web-build.ts';
import type {} from '../tests/support/database.ts';
import { startTestServer } from '../tests/support/server.ts';

/** Vitest calls it before the first test file; the returned function is called after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Consoles, commands and helpers that tests start as processes reuse what earlier ones compiled, as with
  // `npm start`.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  // Otherwise each console that tests start as a process would build it, all at the same time.
  await ensureWebBuild({ info: () => undefined });
  const { server, template, stop } = await startTestServer(
    migrationSources(featureOrder),
    process.env['TEST_DATABASE_URL'],
  );
  project.provide('testServer', { server, template });
  return stop;
}
