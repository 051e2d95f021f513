// What every journey is written with: Playwright Test, a browser for each worker, and consoles to start.
import { expect, test as base } from '@playwright/test';
import { launchChromium } from '../../../tools/chromium.ts';
import { atFileEnd, closeWhatWasOpened } from '../clean-up.ts';
import { startJourney, type Journey } from './journey.ts';

/** Names the data directory that the run's set-up made for all journeys to copy. */
export const emptyConsoleVariable = 'JOURNEYS_EMPTY_CONSOLE';

type WorkerFixtures = {
  /** Starts a console of the calling file's own, as {@link startJourney} does, on an empty database; its people sit at the worker's browser. Whoever starts it ends it after the last test; after a failure it is ended in any case. */
  startJourney: (
    environment?: Readonly<Record<string, string>>,
    prepare?: (dataDir: string) => void,
  ) => Promise<Journey>;
};

export const test = base.extend<object, WorkerFixtures>({
  // The one that npm brings, with its own arguments, in the place of the one that Playwright would download.
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
