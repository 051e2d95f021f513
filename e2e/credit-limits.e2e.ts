// A credit limit in a real browser: set on an organization’s panel, explained to its customer when it is
// reached, and resolved by a top-up.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'limit@customer.example', password: 'another long passphrase' };
let journey: Journey;
let admin: string;
let organizationId: string;

const service = (name: string, baseFee: string) =>
  journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name,
      type: '網路',
      category: '平台',
      pricing: { model: 'flat', currency: 'TWD', baseFee },
      meter: { eventType: 'none', aggregation: 'count', unit: 'times' },
    },
    admin,
  );
const sectionOf = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: '信用額度', exact: true }) });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  admin = await journey.setUp();
  const user = await journey.register({ ...buyer, name: '採購', organization: '額度公司' });
  organizationId = user.organizationId;
  const { id: serviceId } = await service('專線', '100000');
  await service('備援', '500');
  await journey.call('POST', '/admin/subscriptions', { organizationId, serviceId }, admin);
});
test.afterAll(() => journey.end());

test('T-CREDITLIMIT: an Admin sets a limit on an organization’s panel and sees what counts', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/organizations?organization=${organizationId}`);
  const part = sectionOf(page);
  await expect(part).toContainText('這個組織沒有信用額度。');
  await part.getByRole('button', { name: '設定信用額度' }).click();
  const dialog = page.getByRole('dialog', { name: '設定信用額度' });
  await dialog.getByRole('textbox', { name: '額度（含稅）' }).fill('0');
  await dialog.getByRole('button', { name: '儲存信用額度' }).click();
  await expect(dialog).toContainText('請輸入大於 0 的金額。');
  await dialog.getByRole('textbox', { name: '額度（含稅）' }).fill('1000');
  await dialog.getByRole('button', { name: '儲存信用額度' }).click();
  await expect(part).toContainText('已達額度');
  await expect(part).toContainText('未付帳單NT$0');
  await page.goto(`${journey.address}/admin/organizations?credit=reached`);
  await expect(page.getByRole('row', { name: /額度公司/ })).toContainText('已達信用額度');
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(`${journey.address}/admin/payments`);
  await expect(page.getByRole('table', { name: '信用額度' })).toContainText('額度公司');
  expect(await axeFindings(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('T-CREDITLIMIT: the customer is warned, then told why something new is rejected, and a top-up resolves it', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(buyer, page);
  await page.goto(`${journey.address}/user/dashboard`);
  await expect(page.getByRole('alert').filter({ hasText: '已達信用額度' })).toContainText(
    '使用中的服務不受影響',
  );
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: '付款或儲值' }).click();
  await page.getByRole('button', { name: '計算方式', exact: true }).click();
  await expect(page.getByText('還可使用')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', buyer);
  const { id: serviceId } = await service('加購', '500');
  await expect(journey.call('POST', '/subscriptions', { serviceId }, token)).rejects.toThrow(
    /已達信用額度|Credit limit/,
  );
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/billing/top-ups',
    { amount: { amount: '200000', currency: 'TWD' } },
    token,
  );
  await journey.call('POST', `/admin/payments/${id}/confirm`, {}, admin);
  await journey.call('POST', '/subscriptions', { serviceId }, token);
  await page.goto(`${journey.address}/user/dashboard`);
  await expect(page.getByRole('heading', { name: '儀表板', level: 1 })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: '已達信用額度' })).toHaveCount(0);
  expect(pageErrors).toEqual([]);
});
