// What has been drawn stays in its place while a slow server's answers come in (ui.md: cumulative layout shift).
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import { comesToRest } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

/** performance.md, P14. */
const most = 0.02;

let journey: Journey;
test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(300_000);
  journey = await startJourney();
  await fillConsole(journey);
});
test.afterAll(async () => {
  await journey.end();
});

/** In the page: collects what moved, and which element, since the document began. */
const watch = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    shifts.push([value, sources.map(({ node }) => {
      const element = node?.nodeType === 1 ? node : node?.parentElement;
      return (element?.tagName ?? '?') + ' ' + (element?.innerText ?? '').replaceAll(/\\s+/g, ' ').slice(0, 60);
    }).join(' | ')]);
}).observe({ type: 'layout-shift', buffered: true });`;

/**
 * Answers each call of the page later than the one before it, the first after a second and a half: for two
 * seconds a page shows none of its parts.
 */
async function delayAnswers(page: Page): Promise<void> {
  let calls = 0;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) calls = 0;
  });
  await page.route(/\/api\/(?!user\/session$)/, async (route) => {
    await setTimeout(1500 + 400 * Math.min(calls++, 5));
    await route.continue().catch(() => undefined);
  });
}

/** Pages whose parts have calls of their own, and the dashboards. */
const pages = {
  User: [
    '/user/dashboard',
    '/billing/dashboard',
    '/usage/statistics',
    '/billing/management',
    '/user/notifications',
  ],
  Admin: [
    '/admin/dashboard',
    '/admin/service-management',
    '/admin/taxes',
    '/admin/dunning',
    '/admin/ledger',
    '/admin/approvals',
    '/admin/reconciliation',
    '/admin/rejected-events',
    '/admin/personal-data',
  ],
} as const;

for (const role of ['User', 'Admin'] as const)
  for (const width of [375, 768, 1440])
    test(`P14 nothing that ${role} reads in ${width} pixels moves when a slow server answers part by part`, async () => {
      test.setTimeout(300_000);
      const { page } = await journey.person({ width, height: width === 375 ? 812 : 1000 });
      await journey.openSession(people[role], page);
      await page.addInitScript(watch);
      await delayAnswers(page);
      const moved: string[] = [];
      for (const path of pages[role]) {
        await page.goto(journey.address + path);
        await page.waitForLoadState('networkidle');
        await comesToRest(page);
        const shifts = await page.evaluate<readonly (readonly [number, string])[]>('shifts');
        if (shifts.reduce((sum, [value]) => sum + value, 0) > most)
          moved.push([path, ...shifts.map(([value, what]) => `  ${value.toFixed(3)} ${what}`)].join('\n'));
      }
      expect(moved.join('\n')).toBe('');
    });
