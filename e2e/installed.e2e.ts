// Installed on a phone: the console’s own name and icon, and the last bill while offline (issue “Phone”).
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const customer = { account: 'owner@dawn.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
let pageErrors: string[];
let number: string;
/** In the page: the status of the stored bill. */
const keptStatus =
  "caches.open('offline-bill').then((cache) => cache.match('/offline-bill.json')).then((kept) => kept?.status)";

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const user = await journey.register({ ...customer, name: '晨光', organization: '晨光' });
  const { organizationId } = user;
  const service = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '專屬主機',
      type: 'IaaS',
      category: '運算',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '3000' },
      meter: { eventType: 'none', aggregation: 'count', unit: '次' },
    },
    token,
  );
  const today = new Date();
  const startedAt = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 5)).toISOString();
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId, serviceId: service.id, startedAt },
    token,
  );
  await journey.call('POST', '/admin/billing/close', { month: startedAt.slice(0, 7) }, token);
  ({ page, pageErrors } = await journey.person({ width: 375, height: 812 }));
  await journey.signIn(customer, page);
  const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', customer);
  const { items } = await journey.call<{ items: { number: string }[] }>('GET', '/bills', undefined, own);
  number = items[0]?.number ?? '';
});
test.afterAll(() => journey.end());

test('T-PWA: browsers can install it under the console’s own name', async () => {
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const response = await fetch(`${journey.address}${address}`);
  expect(response.headers.get('content-type')).toContain('application/manifest+json');
  const manifest = (await response.json()) as { name: string; icons: { src: string; type: string }[] };
  expect(manifest).toMatchObject({
    name: '福爾摩沙雲端 雲帳',
    short_name: '雲帳',
    display: 'standalone',
    start_url: '/',
  });
  for (const { src, type } of manifest.icons) {
    const icon = await fetch(`${journey.address}${src}`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type]);
  }
});

test('T-PWA: the last bill can be read offline on request', async () => {
  await page.getByRole('button', { name: '設定' }).click();
  const panel = page.getByRole('dialog', { name: '設定' });
  await panel.getByRole('switch', { name: '離線時可看最近一張帳單' }).click();
  await expect.poll(() => page.evaluate(keptStatus)).toBe(200);
  // The service worker answers from the next page on.
  await page.evaluate('navigator.serviceWorker.ready.then((worker) => worker.active?.state)');
  await page.goto(`${journey.address}/billing/management`);
  await expect(page.getByRole('heading', { level: 1, name: '帳單查詢' })).toBeVisible();
  expect(await page.evaluate('navigator.serviceWorker.controller?.scriptURL')).toBe(
    `${journey.address}/push-worker.js`,
  );
  await journey.stop();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: /帳單$/ })).toBeVisible();
  await expect(page.getByText(number)).toBeVisible();
  await expect(page.getByText('專屬主機')).toBeVisible();
  await expect(page.getByText('目前離線')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await journey.start();
  await page.getByRole('button', { name: /重新載入/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: '帳單查詢' })).toBeVisible();
});

test('T-PWA: nothing of it is left after sign-out', async () => {
  await page.getByRole('button', { name: '設定' }).click();
  await page.getByRole('dialog', { name: '設定' }).getByRole('button', { name: '登出' }).click();
  await page.getByText(/已登出/).waitFor();
  expect(await page.evaluate("caches.has('offline-bill')")).toBe(false);
  expect(pageErrors.filter((error) => !/Failed to fetch|NetworkError/.test(error))).toEqual([]);
});
