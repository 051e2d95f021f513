// Runs once before all journeys: builds the browser application as `npm start` does, unpacks the browser, and
// creates an empty console for them to copy.
import { rm } from 'node:fs/promises';
import { ensureWebBuild } from '#platform/server/http/web-build.ts';
import { unpackChromium } from '../../../tools/chromium.ts';
import { makeEmptyConsole } from './console-process.ts';
import { emptyConsoleVariable } from './test.ts';

/** Playwright calls it before the first file; the returned function is called after the last. */
export default async function setup(): Promise<() => Promise<void>> {
  await Promise.all([ensureWebBuild({ info: () => undefined }), unpackChromium()]);
  // An external server has its own databases.
  if (process.env['DATABASE_URL'] !== undefined) return () => Promise.resolve();
  const emptyConsole = await makeEmptyConsole();
  // Only the environment is passed to workers.
  process.env[emptyConsoleVariable] = emptyConsole;
  return () => rm(emptyConsole, { recursive: true, force: true });
}
