// Runs axe-core on a page once it is settled.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
let script: string | undefined;

// Components that are still loading may replace a screen once more, and its heading with it.
const isStill =
  "document.querySelector('h1') !== null && document.querySelector('[aria-busy=true], .MuiSkeleton-root') === null && document.getAnimations().every((one) => one.effect?.getComputedTiming().iterations === Infinity || one.playState === 'finished')";

/** Waits until nothing is being fetched or moving. */
export async function comesToRest(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate<boolean>(isStill), { message: 'the page is still', intervals: [50] })
    .toBe(true);
}

/** Scrolls to the top first: elements half covered by the bar at the top would be reported as too small a target. */
const fromItsTop = (run: string): string =>
  `(async () => { const at = scrollY; scrollTo(0, 0); try { return await ${run}; } finally { scrollTo(0, at); } })()`;

/** The rules that a page may newly violate when only its colors change. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** Switches the open page to a theme as if another tab had chosen it: in place, and stored for later pages. */
export async function setTheme(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await page.evaluate(
    `localStorage.setItem('themeStore', '${mode}'); dispatchEvent(new StorageEvent('storage', { key: 'themeStore', newValue: '${mode}' }))`,
  );
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(mode);
}

/**
 * One line per violation, with the rule and the first element; empty when there is none. Waits until nothing
 * is moving or being fetched, because half-faded text has too little contrast. `only` restricts the check to
 * these rules.
 */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<string[]> {
  const found = await judge(page, only);
  // An animation may have started during the check; real violations are still there once the page is settled
  // again.
  return found.length === 0 ? found : judge(page, only);
}

async function judge(page: Page, only?: readonly string[]): Promise<string[]> {
  script ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await comesToRest(page);
  // A document that was checked before still has the script: half a megabyte to send and to compile.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(script);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    fromItsTop(`axe.run({ runOnly: ${JSON.stringify(only ?? rules)}, resultTypes: ['violations'] })`),
  );
  return violations.map((one) => `${one.id}: ${one.nodes[0]?.html.slice(0, 160)}`);
}
