// A console within a network, over plain http: browsers restrict such a page more than one on this machine.
import type { Page } from '@playwright/test';
import type { Journey } from '#tests/support/browser/journey.ts';
import { fillSetUpForm } from '#tests/support/browser/set-up-form.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let journey: Journey;
let page: Page;
let pageErrors: string[];
let address: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  address = journey.address.replace('127.0.0.1', 'console.test');
  ({ page, pageErrors } = await journey.person({ elsewhere: [address] }));
});
test.afterAll(() => journey.end());

test('R-AUTH-21 can be set up in three steps', async () => {
  await page.goto(journey.setupAddress.replace('127.0.0.1', 'console.test'));
  expect(await page.evaluate('isSecureContext')).toBe(false);
  await fillSetUpForm(page);
});

test('R-NOTE-03 receives live updates', async () => {
  // A page connects once it is complete: the awaited connection must not be the previous page’s.
  await page.goto('about:blank');
  const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(`${address}/admin/api-keys`);
  await live;
});

test('creates an API key, whose secret is copied from the dialog that shows it once', async () => {
  await page.getByRole('button', { name: '建立金鑰' }).first().click();
  const form = page.getByRole('form', { name: '建立金鑰' });
  await form.getByLabel(/^名稱/).fill('閘道');
  await page.getByRole('dialog').getByRole('button', { name: /^建立/ }).click();
  const shown = page
    .getByRole('dialog')
    .locator('code')
    .filter({ hasText: /^skytally_/ });
  const secret = await shown.innerText();
  const copy = page.getByRole('button', { name: '複製金鑰' });
  await copy.click();
  await page.getByText('已複製').first().waitFor({ state: 'attached' });
  await expect(copy).toBeFocused();
  await page.getByRole('button', { name: '完成' }).click();
  await page.goto(`${address}/admin/user-management`);
  const search = page.getByRole('searchbox').first();
  await search.focus();
  await page.keyboard.press('Control+v');
  await expect(search).toHaveValue(secret);
  expect(pageErrors).toEqual([]);
});
