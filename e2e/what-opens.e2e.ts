// Every button that opens a dialog or a menu declares it (aria-haspopup), on every route, and no other button
// does. Each is pressed: nothing is changed, because only reads reach the console. In what opens, no two
// controls that do different things have one name.
import type { Page, Request } from '@playwright/test';
import { comesToRest } from '#tests/support/browser/axe.ts';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { sameNames } from '#tests/support/browser/same-names.ts';
import { everyVisit } from '#tests/support/browser/visits.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const visitors = ['Admin', 'User'] as const;
/**
 * It presses about a thousand buttons, which takes three minutes: EVERY_BUTTON=1 npx playwright test
 * e2e/what-opens.e2e.ts. EVERY_BUTTON=/admin/a,/admin/b presses those of the routes that begin so.
 */
const wanted = process.env['EVERY_BUTTON'];
const isWanted = wanted !== undefined;
const starts = wanted?.startsWith('/') === true ? wanted.split(',') : [''];
/**
 * Also the buttons of every dialog that opens, which takes a quarter of an hour: EVERY_BUTTON=1
 * EVERY_DIALOG=1.
 */
const isDeep = process.env['EVERY_DIALOG'] !== undefined;
let journey: Journey;

test.skip(!isWanted, 'EVERY_BUTTON=1 presses every button');
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await fillConsole(journey);
});
test.afterAll(() => journey.end());

/**
 * Runs in the page: the buttons to press. Excluded are those whose role says what they do (tabs, toggles,
 * disclosure buttons, submit buttons), and of the rows of a list all but the first of each kind.
 */
const buttons = `(() => {
  const seen = new Set();
  for (const one of document.querySelectorAll('[data-walked]')) one.removeAttribute('data-walked');
  const root = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document.querySelector('main');
  const kindOf = (one) => (one.closest('tr, li, .MuiCard-root') ? [...one.classList].at(-1) + (one.closest('table, ul, .MuiCard-root')?.getAttribute('aria-label') ?? '') + (one.closest('td, th')?.cellIndex ?? '') + (one.getAttribute('aria-label') ? '' : one.innerText.replaceAll(/[\\d,.]+/g, '0').slice(0, one.closest('th') ? 0 : 20)) : one.innerText + one.ariaLabel);
  return [...root.querySelectorAll('button')].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled || one.type === 'submit' || one.matches('[role=tab], [role=switch], [role=radio], [aria-pressed], [aria-expanded]:not([aria-haspopup])')) return false;
    const kind = kindOf(one);
    return !seen.has(kind) && seen.add(kind);
  }).map((one) => { one.setAttribute('data-walked', kindOf(one)); return { kind: kindOf(one), name: (one.getAttribute('aria-label') || one.innerText).trim().slice(0, 50), says: one.getAttribute('aria-haspopup') }; });
})()`;
type Found = { readonly kind: string; readonly name: string; readonly says: string | null };

/** The dialogs and menus over the page. */
const opened = (page: Page) => page.locator('[role=dialog], [role=alertdialog], [role=menu]');
/** Opens only after the console’s response to a change, which is blocked here. */
const afterChange = ['Show recovery key'];

type Walk = {
  readonly page: Page;
  /** Waits until no code is loading, as for a dialog when it opens, and nothing moves. */
  readonly rest: () => Promise<void>;
};

function walkOf(page: Page): Walk {
  const running = new Set<Request>();
  page.on('request', (request) => {
    if (request.isNavigationRequest()) running.clear();
    else if (request.resourceType() === 'script') running.add(request);
  });
  page.on('requestfinished', (request) => running.delete(request));
  page.on('requestfailed', (request) => running.delete(request));
  const rest = async (): Promise<void> => {
    await comesToRest(page);
    await expect.poll(() => running.size, { message: 'no code is fetched', intervals: [20] }).toBe(0);
    await comesToRest(page);
  };
  return { page, rest };
}

/**
 * Presses a button; returns whether something has opened. A button that declares it gets the time that its
 * code takes to load.
 */
async function opens({ page, rest }: Walk, { kind, says }: Found): Promise<boolean> {
  // A dialog that replaces another one has opened, too.
  await opened(page).evaluateAll((all: { dataset: Record<string, string> }[]) =>
    all.forEach((each) => (each.dataset['before'] = '')),
  );
  await page.evaluate(buttons);
  const isThere = await page.evaluate<boolean>(
    `(() => { const one = [...document.querySelectorAll('[data-walked]')].find((each) => each.getAttribute('data-walked') === ${JSON.stringify(kind)}); one?.click(); return one !== undefined; })()`,
  );
  // Another button has removed it.
  if (!isThere) return says !== null;
  const isMore = async (): Promise<boolean> =>
    (await opened(page).and(page.locator(':not([data-before])')).count()) > 0;
  if (says !== null)
    await expect
      .poll(isMore, { timeout: 20_000, intervals: [20] })
      .toBe(true)
      .catch(() => undefined);
  await rest();
  return isMore();
}

/** What a button declares and does, where the two differ. */
const differs = ({ name, says }: Found, did: boolean): readonly string[] =>
  did === (says !== null) || afterChange.includes(name)
    ? []
    : [`“${name}” ${did ? 'opens something and does not say so' : `says ${says} and opens nothing`}`];

/** Controls of one name in what a button has opened; a dialog may have two buttons that close it. */
const alikeIn = async (page: Page, { name }: Found): Promise<readonly string[]> =>
  (await sameNames(page))
    .filter((each) => !each.includes('button “Close”'))
    .map((each) => `“${name}” shows ${each}`);

/** What is wrong with the buttons of a page. */
async function walk(way: Walk, address: string): Promise<readonly string[]> {
  const { page, rest } = way;
  const wrong: string[] = [];
  const start = async (): Promise<readonly Found[]> => {
    await page.goto(address);
    await page.locator('h1').first().waitFor();
    await rest();
    return page.evaluate<Found[]>(buttons);
  };
  /** Restores the page: with Escape, or by reloading it if something stays open. */
  const back = async (before: string): Promise<void> => {
    await page.keyboard.press('Escape');
    await rest();
    if (page.url() !== before || (await opened(page).count()) > 0) await start();
  };
  const found = await start();
  for (const one of found) {
    const before = page.url();
    const did = await opens(way, one);
    wrong.push(...differs(one, did));
    if (did) wrong.push(...(await alikeIn(page, one)));
    if (did && isDeep && one.says === 'dialog')
      wrong.push(
        ...(await walkDialog(way, () => start().then(() => opens(way, one)))).map(
          (each) => `“${one.name}” › ${each}`,
        ),
      );
    if (did || page.url() !== before) await back(before);
  }
  return wrong;
}

/** What is wrong with the buttons of the open dialog; `again` opens it again. */
async function walkDialog(way: Walk, again: () => Promise<unknown>): Promise<readonly string[]> {
  const { page } = way;
  const wrong: string[] = [];
  const count = await opened(page).count();
  const found = await page.evaluate<Found[]>(buttons);
  for (const one of found) {
    const before = page.url();
    const did = await opens(way, one);
    wrong.push(...differs(one, did));
    if (did) wrong.push(...(await alikeIn(page, one)));
    if (page.url() === before && (await opened(page).count()) === count) continue;
    await again();
  }
  return wrong;
}

test.describe('buttons that open something', () => {
  // A bound against hanging: the Admin has about fifty routes with several buttons each.
  test.describe.configure({ timeout: isDeep ? 1_800_000 : 600_000 });
  for (const visitor of visitors)
    test(`declare it on every route of ${visitor}, and no others do`, async () => {
      const { page, context } = await journey.person({ locale: 'en-US' });
      await journey.openSession(people[visitor], page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.route('**/api/**', (route) =>
        ['GET', 'HEAD'].includes(route.request().method()) || /session|tickets/.test(route.request().url())
          ? route.continue()
          : route.abort(),
      );
      const way = walkOf(page);
      const wrong: string[] = [];
      for (const { path } of everyVisit().filter(
        (one) => one.visitor === visitor && starts.some((start) => one.path.startsWith(start)),
      ))
        wrong.push(...(await walk(way, journey.address + path)).map((each) => `${path}: ${each}`));
      await context.close();
      expect(wrong).toEqual([]);
    });
});
