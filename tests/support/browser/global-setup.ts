// Once before all journeys: the browser side is built as `npm start` builds it, the browser is unpacked, and an empty console is made for them to copy.
import { rm } from 'node:fs/promises';
import { ensureWebBuild } from '#platform/server/http/web-build.ts';
import { unpackChromium } from '../../../tools/chromium.ts';
import { makeEmptyConsole } from './console-process.ts';
import { emptyConsoleVariable } from './test.ts';

/** Playwright calls it before the first file; what it returns is called after the last. */
export default async function setup(): Promise<() => Promise<void>> {
  await Promise.all([ensureWebBuild({ info: () => undefined }), unpackChromium()]);
  // A server named from outside has its own databases.
  if (process.env['DATABASE_URL'] !== undefined) return () => Promise.resolve();
  const emptyConsole = await makeEmptyConsole();
  // Workers are given the environment, and nothing else.
  process.env[emptyConsoleVariable] = emptyConsole;
  return () => rm(emptyConsole, { recursive: true, force: true });
}
