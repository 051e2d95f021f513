// Journals in a real browser: accounts are mapped, a month is looked at and exported, and the file's totals are the trial balance's.
import { readFile } from 'node:fs/promises';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

test.describe.configure({ mode: 'serial' });

let journey: Journey;
let admin: string;
const zone = 8 * 3_600_000;
/** The month that was `back` months ago in Taipei, and when it began. */
function monthAgo(back: number): { name: string; begins: Date } {
  const [year, month] = new Date(Date.now() + zone).toISOString().slice(0, 7).split('-').map(Number) as [
    number,
    number,
  ];
  const begins = new Date(Date.UTC(year, month - 1 - back, 1) - zone);
  return { name: new Date(begins.getTime() + zone).toISOString().slice(0, 7), begins };
}

/** 晨光 is billed 1000 and 5 % tax today for last month; so today is the day to export once it is over, and the running month to look at. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  admin = (await journey.setUp()) as string;
});
test.afterAll(async () => {
  await journey.end();
});
