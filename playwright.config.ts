import { defineConfig } from '@playwright/test';

const isCi = Boolean(process.env['CI']);

/** Whole journeys in a browser, two at a time: each file has a console of its own and mostly waits, and its tests stand on each other. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/support/browser/global-setup.ts',
  outputDir: '.playwright',
  workers: 2,
  forbidOnly: isCi,
  // After a few that fail, the others say nothing.
  maxFailures: 5,
  // Bounds for what hangs, not expectations: machines may be busy.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // The report for programs goes where PLAYWRIGHT_JSON_OUTPUT_NAME says.
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['list'], ['json']] : [['list']],
  // What each page was at each step; no film of it.
  use: { trace: { mode: 'retain-on-failure', screenshots: false } },
});
