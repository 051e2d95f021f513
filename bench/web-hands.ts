// How long a page takes to answer a hand (INP: from the touch to the next picture), on a processor four times slower.
import type { Page } from '@playwright/test';
import type { people } from '#tests/support/browser/filled-console.ts';

type Step = readonly [name: string, path: string | undefined, act: (page: Page) => Promise<void>];
const click =
  (name: string, role: 'button' | 'link' | 'tab' | 'switch' = 'button') =>
  (page: Page) =>
    page.getByRole(role, { name, exact: true }).first().click();
const key =
  (...keys: readonly string[]) =>
  async (page: Page) => {
    for (const one of keys) await page.keyboard.press(one);
  };

const steps: Readonly<Partial<Record<keyof typeof people, readonly Step[]>>> = {
  User: [
    ['opens the menu', '/user/dashboard', click('開啟選單')],
    ['closes the menu', undefined, click('關閉選單')],
    [
      'opens the palette',
      undefined,
      async (page) => {
        await key('Control+k')(page);
        // The palette's code is loaded at its first use, and keys pressed before that go to the page.
        await page.getByRole('combobox').first().waitFor();
      },
    ],
    ['types into the palette', undefined, key('b', 'i', 'l', 'l')],
    ['closes the palette', undefined, key('Escape')],
    ['opens the settings', undefined, click('設定')],
    ['closes the settings', undefined, key('Escape')],
    [
      'moves in a chart',
      '/usage/statistics',
      async (page) => {
        await page
          .getByRole('application')
          .or(page.locator('svg[tabindex="0"], [role="img"][tabindex="0"]'))
          .first()
          .focus();
        await key('ArrowRight', 'ArrowRight')(page);
      },
    ],
    [
      'opens a bill’s line',
      '/billing/management',
      (page) => page.getByRole('button', { expanded: false }).last().click(),
    ],
    [
      'searches the services',
      '/service/overview',
      (page) => page.getByRole('searchbox').first().pressSequentially('資料'),
    ],
  ],
  Admin: [
    [
      'sorts the users',
      '/admin/user-management',
      (page) => page.getByRole('columnheader').getByRole('button').first().click(),
    ],
    [
      'selects a user',
      undefined,
      (page) => page.locator('tbody input[type=checkbox]:enabled').first().click(),
    ],
    ['opens a user', undefined, (page) => page.getByRole('row').nth(2).getByRole('button').first().click()],
    ['closes the user', undefined, key('Escape')],
    [
      'searches the users',
      undefined,
      (page) => page.getByRole('searchbox').first().pressSequentially('owner'),
    ],
  ],
};

/**
 * Milliseconds of the slowest interaction of each step, from the browser's event timing, in units of 8 ms.
 */
export async function interactions(
  page: Page,
  address: string,
  who: keyof typeof people,
): Promise<readonly (readonly [string, number])[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const took: (readonly [string, number])[] = [];
  for (const [name, path, act] of steps[who] ?? []) {
    if (path) await page.goto(address + path, { waitUntil: 'networkidle' });
    await page.evaluate(
      "window.longest = 0; window.watching?.disconnect(); window.watching = new PerformanceObserver((list) => { for (const one of list.getEntries()) if (one.interactionId) window.longest = Math.max(window.longest, one.duration); }); window.watching.observe({ type: 'event', durationThreshold: 16 })",
    );
    await act(page);
    // Waits for the next frame and the work queued behind it.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))))',
    );
    took.push([name, await page.evaluate<number>('window.longest')]);
  }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return took;
}
