// The test function of every journey: Playwright Test with a browser per worker, and consoles on demand.
import { expect, test as base } from '@playwright/test';
import { launchChromium } from '../../../tools/chromium.ts';
import { atFileEnd, closeWhatWasOpened } from '../clean-up.ts';
import { startJourney, type Journey } from './journey.ts';

/** The variable that holds the data directory that the run's setup created for all journeys to copy. */
export const emptyConsoleVariable = 'JOURNEYS_EMPTY_CONSOLE';

type WorkerFixtures = {
  /**
   * Starts a console for the calling file, as {@link startJourney} does, on an empty database; its people use
   * the worker's browser. The caller ends it after the last test; after a failure it is ended automatically.
   */
  startJourney: (
    environment?: Readonly<Record<string, string>>,
    prepare?: (dataDir: string) => void,
  ) => Promise<Journey>;
};

export const test = base.extend<object, WorkerFixtures>({
  // The Chromium from the npm package, with its own arguments, instead of the one that Playwright would
  // download.
  browser: [
    async ({}, use) => {
      const browser = await launchChromium();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  startJourney: [
    async ({ browser }, use) => {
      await use(async (environment, prepare) => {
        const journey = await startJourney(environment, prepare, {
          browser,
          emptyConsole: process.env[emptyConsoleVariable],
        });
        atFileEnd(journey.end);
        return journey;
      });
      await closeWhatWasOpened();
    },
    { scope: 'worker' },
  ],
});

export { expect };
