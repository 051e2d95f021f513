// Toasts in a real browser: how many are shown, for how long, and that people who read or act get enough time
// (R-SHELL-15).
import type { Locator, Page } from '@playwright/test';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
let results: Locator;
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  const { organizationId } = await journey.register({ ...owner, name: '採購', organization: '好客戶' });
  for (let n = 1; n <= 9; n++)
    await journey.call('POST', '/admin/api-keys', { name: `第 ${n} 把`, organizationId }, admin);
  ({ page } = await journey.person());
  await page.clock.install();
  await journey.openSession(owner, page);
  await page.goto(`${journey.address}/user/notifications`);
  results = page.getByRole('region', { name: '操作結果' });
});
test.afterAll(() => journey.end());

/** Deletes the first notification of the list; its toast offers undo. */
async function deleteOne(): Promise<void> {
  const buttons = page.getByRole('button', { name: /^刪除：/ });
  await buttons.first().waitFor();
  const before = await buttons.count();
  await buttons.first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: '刪除通知', exact: true }).click();
  await expect.poll(() => buttons.count()).toBe(before - 1);
}
const undo = (): Locator => results.getByRole('button', { name: '復原' });

test.describe('toasts (R-SHELL-15)', () => {
  test('stay while the pointer or the focus is on them, and disappear after five seconds', async () => {
    await deleteOne();
    await undo().hover();
    await page.clock.runFor(20_000);
    expect(await undo().count(), 'under the pointer').toBe(1);
    await page.mouse.move(700, 20);
    await page.clock.runFor(6000);
    await expect.poll(() => undo().count()).toBe(0);

    await deleteOne();
    await undo().focus();
    await page.clock.runFor(20_000);
    expect(await undo().count(), 'with the focus').toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => undo().count()).toBe(0);
  });

  test('undo what they report', async () => {
    await deleteOne();
    await undo().click();
    await results.getByText('通知已復原。').waitFor();
  });

  test('are at most three, including the newest', async () => {
    await page.mouse.move(700, 20);
    await page.clock.runFor(10_000);
    await expect.poll(() => results.getByRole('button').count()).toBe(0);
    for (let n = 0; n < 4; n++) {
      await deleteOne();
      await undo().last().waitFor();
      expect(await undo().count()).toBeLessThanOrEqual(3);
    }
  });

  test('are not duplicated', async () => {
    await page.route('**/api/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    const mark = page.getByRole('button', { name: /^標為已讀：/ }).first();
    for (let n = 0; n < 3; n++) {
      const failed = page.waitForEvent('requestfailed');
      await mark.click();
      await failed;
    }
    const lost = results.getByRole('alert');
    await lost.first().waitFor();
    expect(await lost.count()).toBe(1);
  });
});
