// What axe-core finds on a page once it stands still.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
let script: string | undefined;

// Parts that are still coming may take a screen away once more, and its heading with it.
const isStill =
  "document.querySelector('h1') !== null && document.querySelector('[aria-busy=true], .MuiSkeleton-root') === null && document.getAnimations().every((one) => one.effect?.getComputedTiming().iterations === Infinity || one.playState === 'finished')";

/** Waits until nothing is fetched or moves any more. */
export async function comesToRest(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate<boolean>(isStill), { message: 'the page is still', intervals: [50] })
    .toBe(true);
}

/** What is half below the bar at the top would be too small a target. */
const fromItsTop = (run: string): string =>
  `(async () => { const at = scrollY; scrollTo(0, 0); try { return await ${run}; } finally { scrollTo(0, at); } })()`;

/** What the same page may break when only its colours change. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** Gives the open page the theme that another tab of its browser has chosen: in place, and kept for the pages after it. */
export async function setTheme(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await page.evaluate(
    `localStorage.setItem('themeStore', '${mode}'); dispatchEvent(new StorageEvent('storage', { key: 'themeStore', newValue: '${mode}' }))`,
  );
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(mode);
}

/** One line a violation: the rule and the first place; none when there is nothing to find. Waits until nothing moves or is fetched: half faded in, no text has its contrast. `only`: these rules instead of all. */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<string[]> {
  const found = await judge(page, only);
  // Something may have begun to move while it was judged: what is wrong is still wrong when it stands still again.
  return found.length === 0 ? found : judge(page, only);
}

async function judge(page: Page, only?: readonly string[]): Promise<string[]> {
  script ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await comesToRest(page);
  // A document that was judged before still has it: half a megabyte to send and to compile.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(script);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    fromItsTop(`axe.run({ runOnly: ${JSON.stringify(only ?? rules)}, resultTypes: ['violations'] })`),
  );
  return violations.map((one) => `${one.id}: ${one.nodes[0]?.html.slice(0, 160)}`);
}
