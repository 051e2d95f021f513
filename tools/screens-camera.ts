// Takes pictures one by one, and checks each page meanwhile.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, ConsoleMessage, Page } from '@playwright/test';
import { namespaces } from '../src/app/locales/namespaces.ts';
import type { Credentials } from '#tests/support/browser/journey.ts';
import type { Visit } from '#tests/support/browser/visits.ts';

export type Looks = {
  readonly out: string;
  readonly widths: readonly number[];
  readonly modes: readonly string[];
  readonly languages: readonly string[];
  readonly sidebar: boolean;
  readonly full: boolean;
  readonly axe: boolean;
};
/**
 * Kinds of faults: reported by axe-core, a page wider than its window, an error in the console or the
 * network, a key without its text, a heading that differs from the page's title.
 */
export type FindingKind = 'axe' | 'sideways' | 'error' | 'key' | 'title';
export type Finding = { readonly kind: FindingKind; readonly what: string };
/** `file` is empty when no picture was taken: at width 320 only overflow is checked. */
export type Picture = {
  readonly visit: Visit;
  readonly file: string;
  readonly width: number;
  readonly mode: string;
  readonly language: string;
  readonly findings: readonly Finding[];
};
type Order = {
  readonly browser: Browser;
  readonly address: string;
  readonly visits: readonly Visit[];
  readonly looks: Looks;
  readonly who?: Credentials;
};

const heights: Readonly<Record<number, number>> = { 1440: 900, 768: 1024, 375: 812, 320: 640 };
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const narrowest = 320;
const patienceMs = 15_000;
const keyPattern = `^(${[...new Set(Object.values(namespaces).flatMap((each) => Object.keys(each.enUS).map((key) => key.split('.')[0])))].join('|')})(\\.[a-z_0-9-]+)+$|\\{\\{\\w+\\}\\}`;

/** Settled: nothing is being fetched or moving, and there is no skeleton. Endless animations are ignored. */
const isStill = `document.querySelector('h1') !== null && document.querySelector('[aria-busy=true], .MuiSkeleton-root') === null && document.getAnimations().every((one) => one.effect?.getComputedTiming().iterations === Infinity || one.playState === 'finished')`;
const lookAround = `(() => {
  const pattern = new RegExp(${JSON.stringify(keyPattern)});
  const texts = [...document.body.querySelectorAll('*')].filter((one) => one.closest('code') === null).flatMap((one) => [...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()), one.getAttribute('aria-label'), one.getAttribute('title'), one.getAttribute('placeholder')]);
  const headings = [...document.querySelectorAll('h1')].map((one) => one.innerText.trim());
  return { wide: document.documentElement.scrollWidth - document.documentElement.clientWidth, keys: [...new Set(texts.filter((text) => text && pattern.test(text)))], headings, title: document.title };
})()`;
type Around = {
  readonly wide: number;
  readonly keys: readonly string[];
  readonly headings: readonly string[];
  readonly title: string;
};

let axe: string | undefined;

/** Takes pictures of all visits in all requested looks, signed in as one person or not at all. */
export async function takePictures({
  browser,
  address,
  visits,
  looks,
  who,
}: Order): Promise<readonly Picture[]> {
  axe ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const pictures: Picture[] = [];
  let session: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  for (const width of looks.widths) {
    const context = await browser.newContext({
      viewport: { width, height: heights[width] ?? 900 },
      baseURL: address,
      hasTouch: width < 600,
      reducedMotion: 'reduce',
      ...(session && { storageState: session }),
    });
    if (who && session === undefined) await signIn(context, who);
    const page = await context.newPage();
    for (const mode of looks.modes) {
      for (const language of looks.languages) {
        // Waits for all responses: an interrupted one would lose the session's next cookie.
        await page.goto('/404', { waitUntil: 'networkidle' });
        await page.evaluate(
          ([theme, lang, sidebar]) => {
            localStorage.setItem('themeStore', theme ?? 'light');
            localStorage.setItem('language', lang ?? 'zhTW');
            localStorage.setItem(
              'layoutStore',
              JSON.stringify({ state: { sidebarShow: sidebar === 'true' }, version: 0 }),
            );
          },
          [mode, language, String(looks.sidebar)],
        );
        for (const visit of visits)
          pictures.push(await takePicture(page, visit, { looks, width, mode, language }));
      }
    }
    session = await context.storageState();
    await context.close();
  }
  return pictures;
}

async function signIn(context: BrowserContext, login: Credentials): Promise<void> {
  const answer = await context.request.post('/api/user/login', { data: login });
  if (!answer.ok()) throw new Error(`Sign-in failed: ${answer.status()} ${await answer.text()}`);
}

/**
 * Waits until the page is settled twice in a row: a chart is redrawn once its size is known. Polls from
 * outside the page: polling inside would need eval, which its content security policy forbids.
 */
async function comesToRest(page: Page): Promise<boolean> {
  let times = 0;
  for (
    const until = performance.now() + patienceMs;
    times < 2 && performance.now() < until;
    await setTimeout(100)
  )
    times = (await page.evaluate<boolean>(isStill)) ? times + 1 : 0;
  return times === 2;
}

async function takePicture(
  page: Page,
  visit: Visit,
  { looks, width, mode, language }: { looks: Looks; width: number; mode: string; language: string },
): Promise<Picture> {
  const findings: Finding[] = [];
  const complain = (what: string): void => void findings.push({ kind: 'error', what });
  const onError = (error: Error): void => complain(error.message);
  const onConsole = (message: ConsoleMessage): void =>
    void (message.type() === 'error' && complain(`${message.text()} ${message.location().url}`));
  page.on('pageerror', onError).on('console', onConsole);
  await page.goto(visit.path, { waitUntil: 'networkidle' });
  let isAtRest = await comesToRest(page);
  // Charts further down are drawn only when they are scrolled into view.
  const charts = await page.getByRole('application').all();
  for (const chart of charts) {
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('svg').first().waitFor({ state: 'attached', timeout: patienceMs });
  }
  if (charts.length > 0) {
    await page.evaluate(`scrollTo(0, 0)`);
    isAtRest = await comesToRest(page);
  }
  if (!isAtRest) complain('never comes to rest');
  const around = await page.evaluate<Around>(lookAround);
  if (visit.visitor !== 'nobody' && new URL(page.url()).pathname !== visit.path)
    complain(`led to ${new URL(page.url()).pathname}`);
  if (around.wide > 0) findings.push({ kind: 'sideways', what: `${around.wide} px wider than ${width}` });
  for (const key of around.keys) findings.push({ kind: 'key', what: key });
  // The home page's heading is the name of the system.
  if (
    around.headings.length !== 1 ||
    (visit.path !== '/' && !around.title.startsWith(around.headings[0] ?? '-'))
  )
    findings.push({
      kind: 'title',
      what: `h1 ${around.headings.join(' + ') || 'none'} / title ${around.title}`,
    });
  let file = '';
  if (width > narrowest) {
    file = `${visit.name}-${width}-${mode}-${language}.png`;
    await page.screenshot({ path: path.join(looks.out, file), fullPage: looks.full, animations: 'disabled' });
    if (looks.axe) for (const what of await axeFindings(page)) findings.push({ kind: 'axe', what });
  }
  page.off('pageerror', onError).off('console', onConsole);
  console.log(
    `${`${visit.name} ${width} ${mode} ${language}`.padEnd(64)} ${findings.map((one) => `${one.kind}: ${one.what}`).join('; ') || 'ok'}`,
  );
  return { visit, file, width, mode, language, findings };
}

/** Evaluated from outside the page, so that its content security policy can stay as it is. */
async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe ?? '');
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then((result) => result.violations.map((one) => one.id + ' ' + one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')))`,
  );
}
