import { defineConfig } from '@playwright/test';
import { isEveryChange, mainJourneys } from './tools/test-sets.ts';

const isCi = Boolean(process.env['CI']);

/** Whole journeys in a browser, three at a time: each file has a console of its own and often waits, and its tests stand on each other. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: isEveryChange ? mainJourneys.map((name) => `**/${name}.e2e.ts`) : '**/*.e2e.ts',
  globalSetup: './tests/support/browser/global-setup.ts',
  outputDir: '.playwright',
  workers: 3,
  forbidOnly: isCi,
  // After a few that fail, the others say nothing.
  maxFailures: 5,
  // Bounds for what hangs, not expectations: machines may be busy.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // The report for programs goes where PLAYWRIGHT_JSON_OUTPUT_NAME says.
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['list'], ['json']] : [['list']],
  // What fails is tried once more, with a trace of what each page was at each step: tracing every journey would take a fifth of the time again. What then passes has failed all the same.
  retries: 1,
  failOnFlakyTests: true,
  use: { trace: { mode: 'on-first-retry', screenshots: false } },
});
