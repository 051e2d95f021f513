// Every route in the pseudo-locale: what stands outside its brackets was not translated, and what no longer fits would not fit in German either.
// And every stop of the Tab key there: each has a name, and what shows only an icon says it to the eye as well.
import type { Page } from '@playwright/test';
import { namespaces } from '../src/app/locales/namespaces.ts';
import { writePseudoLocale } from '../tools/pseudo-locale.ts';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { everyVisit, type Visitor } from '#tests/support/browser/visits.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const visitors: readonly Visitor[] = ['nobody', 'Admin', 'User', 'ReadOnly'];
/** Where a window is narrowest nothing has room; the others are for whoever changes the frame: EVERY_WIDTH=1 npx playwright test e2e/every-route.e2e.ts. */
const widths = process.env['EVERY_WIDTH'] ? [1440, 768, 375] : [375];
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(240_000);
  journey = await startJourney({}, writePseudoLocale);
  await fillConsole(journey);
});
test.afterAll(async () => {
  await journey.end();
});

/** What customers, machines and formats write: names, addresses, identifiers, units, dates, and the names of languages in themselves. */
const data = [
  /Mozilla\/\S.*/g,
  /\bPAY-[0-9A-Z]{8}\b/g,
  /\b[0-9a-f]{16}\b/g,
  /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  /\b(no-subject|no-number|storage|db-01)\b/g,
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
/** Sentences that the server says: they are not the browser's to translate. Without words of their own they would stand for everything. */
const said = Object.values(namespaces)
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

/** Runs in the page: every visible text and name, and what is cut off. */
const inspect = `(() => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('svg, code, pre, kbd, samp, [aria-hidden=true], [lang]:not(html)');
  const texts = [], clipped = [];
  for (const one of document.body.querySelectorAll('*')) {
    if (!isSeen(one)) continue;
    // An address that may break is one text, and so is a sentence of which some pieces may not.
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
  if (said.some((sentence) => sentence.test(text.trim()))) return false;
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

/** What is wrong with the words of the page that is open, and with their room. */
async function words(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  await waitForPage(page);
  // A page takes its new width a moment after the window has it; one that never does is told below.
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

/** Runs in the page, at each stop: what has the focus, what a screen reader calls it, and whether it shows no more than an icon. */
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
/** Runs in the page: whether the tooltip comes, a moment after the focus. Asked there, because Playwright would look only twice a second, and of every icon. */
const tooltipComes = `new Promise((done) => {
  const isThere = () => [...document.querySelectorAll('[role=tooltip], [data-hint]')].some((one) => one.checkVisibility());
  const end = (came) => (observer.disconnect(), clearTimeout(bound), done(came));
  const observer = new MutationObserver(() => isThere() && end(true));
  const bound = setTimeout(() => end(isThere()), 10_000);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  if (isThere()) end(true);
})`;
const maxStops = 200;

/** What is wrong with the stops of the page that is open: those without a name, and icons that keep theirs to themselves. What was seen on a page before, as the frame is, is not looked at again. */
async function stops(page: Page, seen: Set<string>): Promise<readonly string[]> {
  const found: string[] = [];
  // Past the frame, where it was walked through before: its first stop leads to what the page is about.
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
  // A bound for what hangs, as everywhere: the Admin alone has some fifty routes, each looked at twice.
  test.describe.configure({ timeout: 300_000 });
  for (const visitor of visitors)
    test(`is all that ${visitor} reads on every route, whole in a narrow window; every stop of the Tab key has a name, and every icon shows it`, async () => {
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
        found.push(...(await stops(page, seen)).map((one) => `${path} ${one}`));
        for (const width of widths) found.push(...(await words(page, width)).map((one) => `${path} ${one}`));
      }
      await context.close();
      expect([...new Set(found)]).toEqual([]);
    });
});
