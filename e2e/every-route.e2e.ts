// Every route in the pseudo-locale: text outside its brackets was not translated, and text that does not fit
// would not fit in German either. It also checks every tab stop: each has a name, and an icon without text
// shows it as a tooltip. No two controls that do different things have one name.
import type { Page } from '@playwright/test';
import { namespaces } from '../src/app/locales/namespaces.ts';
import { writePseudoLocale } from '../tools/pseudo-locale.ts';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { sameNames } from '#tests/support/browser/same-names.ts';
import { everyVisit, type Visitor } from '#tests/support/browser/visits.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const visitors: readonly Visitor[] = ['nobody', 'Admin', 'User', 'ReadOnly'];
/**
 * Only narrow windows are tested by default, because they have the least room; the others are for changes of
 * the layout: EVERY_WIDTH=1 npx playwright test e2e/every-route.e2e.ts.
 */
const widths = process.env['EVERY_WIDTH'] ? [1440, 768, 375] : [375];
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(240_000);
  journey = await startJourney({}, writePseudoLocale);
  await fillConsole(journey);
});
test.afterAll(() => journey.end());

/**
 * Data and formats that are not translated: names, addresses, identifiers, units, dates, and the names of
 * languages in themselves.
 */
const data = [
  /Mozilla\/\S.*/g,
  /\bPAY-[0-9A-Z]{8}\b/g,
  /\b[0-9a-f]{16}\b/g,
  /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  /\b(no-subject|no-number|storage|db-01|tpe-1)\b/g,
  // In notifications, which the console writes; short compounds stay whole, and stand in an element of their own.
  /\btop-up\b/g,
  // Meters are named after the type of their events.
  /^(database|inference|quantum|server)$/g,
  /\bOperator\b/g,
  /\bMaintenance(: Closed on Saturday from two to four in the morning\.)?/g,
  /\b((just )?now|yesterday|tomorrow|(in )?\d+ (second|minute|hour|day|week|month|year)s?( ago)?)\b/g,
  /\b\d[\d.,]*\s?([KMGTP]?B|[KMBT]|px|ms|h|s|d|%)?\b/g,
  /\bGB\b/g,
  /\b(NT|US)\$/g,
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December)\b/g,
  /\bEnglish\b/g,
  /\b(Chrome|Linux|node)\b/g,
  /[\w.+-]+@[\w-]+(\.[\w-]+)+/g,
  /\bhttps?:\/\/\S+/g,
  /(\/[\w.:{}-]+)+\/?/g,
  /\b[a-z]{3}_[0-9a-z…]+/g,
  /\b[\w-]+(\.[\w-]+)+\b/g,
  /\bB-\d{6}-\d+/g,
];
/**
 * Messages of the server, which the browser does not translate. A message without fixed words would match
 * everything, so it is excluded.
 */
const messages = Object.values(namespaces)
  .flatMap((each) => Object.values(each.enUS))
  .filter((sentence) => (sentence.replace(/\{\{\w+\}\}/g, '').match(/\p{L}/gu) ?? []).length > 5)
  .map(
    (sentence) =>
      new RegExp(
        `^${sentence
          .split(/\{\{\w+\}\}/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.+')}$`,
        'su',
      ),
  );

/** Runs in the page: every visible text and name, and every text that is cut off. */
const inspect = `(() => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('svg, code, pre, kbd, samp, [aria-hidden=true], [lang]:not(html)');
  const texts = [], clipped = [];
  for (const one of document.body.querySelectorAll('*')) {
    if (!isSeen(one)) continue;
    // An address that may break is one text, and so is a sentence with parts that may not.
    if (one.querySelector(':scope > wbr, :scope > [data-whole]')) texts.push(one.textContent.trim());
    else for (const node of one.childNodes) if (node.nodeType === 3 && node.data.trim() !== '') texts.push(node.data.trim());
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) if (one.hasAttribute(name)) texts.push(one.getAttribute(name));
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const style = getComputedStyle(one);
    const hides = (way) => way === 'hidden' || way === 'clip';
    if (!own || one.clientWidth <= 1 || one.clientHeight <= 1) continue;
    const isWide = hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
    const isHigh = hides(style.overflowY) && one.scrollHeight > one.clientHeight + 2;
    const isTold = one.closest('[title], [aria-label]') !== null;
    if ((isWide || isHigh) && !isTold) clipped.push(one.tagName.toLowerCase() + '.' + [...one.classList].filter((name) => !name.startsWith('css-')).slice(-1) + ': ' + one.innerText.trim().slice(0, 60));
  }
  return { texts: [...new Set(texts)], clipped: [...new Set(clipped)], wide: document.documentElement.scrollWidth - document.documentElement.clientWidth };
})()`;

function outsideBrackets(text: string): boolean {
  let rest = text;
  for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replace(/［[^［］]*］/gu, ' ')];
  if (messages.some((sentence) => sentence.test(text.trim()))) return false;
  for (const pattern of data) rest = rest.replace(pattern, ' ');
  return /[A-Za-z]{2,}/.test(rest);
}

async function waitForPage(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate<boolean>(
          "document.querySelector('h1') !== null && document.querySelector('[aria-busy=true], .MuiSkeleton-root, [role=progressbar]:not([aria-valuenow])') === null",
        ),
      { message: 'the page is there', intervals: [50] },
    )
    .toBe(true);
}

/** What is wrong with the texts of the open page and their layout. */
async function words(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  await waitForPage(page);
  // A page takes its new width a moment after the window; one that never does is reported below.
  await expect
    .poll(
      () =>
        page.evaluate<boolean>(
          'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
        ),
      { timeout: 15_000, intervals: [50] },
    )
    .toBe(true)
    .catch(() => undefined);
  const { texts, clipped, wide } = await page.evaluate<{ texts: string[]; clipped: string[]; wide: number }>(
    inspect,
  );
  return [
    ...texts.filter(outsideBrackets).map((text) => `not translated: ${text}`),
    ...clipped.map((text) => `cut off at ${width} px: ${text}`),
    ...(wide > 0 ? [`${wide} px too wide for ${width} px`] : []),
  ];
}

/**
 * Runs in the page, at each tab stop: the focused element, its accessible name, and whether it shows only an
 * icon.
 */
const stop = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const of = (ids) => (ids ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
  const shown = one.innerText?.trim() ?? '';
  const name = (one.getAttribute('aria-label') ?? '') || of(one.getAttribute('aria-labelledby')) || [...(one.labels ?? [])].map((label) => label.innerText).join(' ').trim() || shown || (one.getAttribute('title') ?? '') || (one.getAttribute('alt') ?? '');
  return { what: one.outerHTML.slice(0, 120), name, isIcon: shown === '' && one.matches('button, a, [role=button]') && one.querySelector('svg') !== null, isTold: one.hasAttribute('title'), key: one.outerHTML.length + one.outerHTML.slice(0, 300) };
})()`;
type Stop = {
  readonly what: string;
  readonly name: string;
  readonly isIcon: boolean;
  readonly isTold: boolean;
  readonly key: string;
} | null;
/**
 * Runs in the page: whether the tooltip appears, a moment after the focus. It runs for every icon, and
 * Playwright would check only twice a second.
 */
const tooltipComes = `new Promise((done) => {
  const isThere = () => [...document.querySelectorAll('[role=tooltip], [data-hint]')].some((one) => one.checkVisibility());
  const end = (came) => (observer.disconnect(), clearTimeout(bound), done(came));
  const observer = new MutationObserver(() => isThere() && end(true));
  const bound = setTimeout(() => end(isThere()), 10_000);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  if (isThere()) end(true);
})`;
const maxStops = 200;

/**
 * What is wrong with the tab stops of the open page: stops without a name, and icons without a tooltip. Stops
 * that were checked on an earlier page, such as the frame’s, are skipped.
 */
async function stops(page: Page, seen: Set<string>): Promise<readonly string[]> {
  const found: string[] = [];
  // Skips the frame, which was checked before, with its link to the main content.
  if (seen.size > 0) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(`document.activeElement?.getAttribute('href') === '#main'`))
      await page.keyboard.press('Enter');
  }
  for (let presses = 0; presses < maxStops; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<Stop>(stop);
    if (at === null) return found;
    if (seen.has(at.key)) continue;
    seen.add(at.key);
    if (at.name === '') found.push(`no name: ${at.what}`);
    if (at.isIcon && !at.isTold && !(await page.evaluate<boolean>(tooltipComes)))
      found.push(`no tooltip: ${at.name}`);
  }
  return found;
}

test.describe('R-I18N-05, R-SHELL-18 the pseudo-locale', () => {
  // A bound against hanging, as everywhere: the Admin has about fifty routes, each checked twice.
  test.describe.configure({ timeout: 300_000 });
  for (const visitor of visitors)
    test(`on every route of ${visitor} translates all texts, which fit a narrow window; every tab stop has a name, no two controls are named alike, and every icon shows it`, async () => {
      const { page, context } = await journey.person({ locale: 'en-US' });
      if (visitor !== 'nobody')
        await context.request.post(`${journey.address}/api/user/login`, { data: people[visitor] });
      const found: string[] = [];
      const seen = new Set<string>();
      for (const { path } of everyVisit().filter((one) => one.visitor === visitor)) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(journey.address + path);
        await waitForPage(page);
        expect(await page.locator('h1').first().innerText(), path).toContain('［');
        found.push(...(await sameNames(page)).map((one) => `${path} ${one}`));
        found.push(...(await stops(page, seen)).map((one) => `${path} ${one}`));
        for (const width of widths) found.push(...(await words(page, width)).map((one) => `${path} ${one}`));
      }
      await context.close();
      expect([...new Set(found)]).toEqual([]);
    });
});
