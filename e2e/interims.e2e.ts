// Interim bills in a real browser: an Admin sets the amount with a mistake on the way, usage passes it, the customer sees the
// bill without reloading, reads why, pays it, and the running month takes it off.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@interim.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
let own: Page;
let subscriptionId: string;
let metering: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const { user } = await journey.call<{ user: { organizationId: string } }>('POST', '/user/register', {
    email: owner.account,
    name: '採購',
    password: owner.password,
    organization: '晨光科技',
    agreeToTerms: true,
  });
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '物件儲存',
      type: '儲存',
      category: '自有',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '300', unitPrice: '2' },
      meter: { eventType: 'com.example.storage', aggregation: 'sum', unit: 'GB' },
    },
    token,
  );
  ({ id: subscriptionId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId },
    token,
  ));
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: '計量' },
    token,
  );
  metering = secret;
  page = await journey.openSession(operator);
  own = await journey.openSession(owner);
});
test.afterAll(async () => {
  await journey.end();
});

const use = (id: string, value: string) =>
  journey.call(
    'POST',
    '/usage/events',
    {
      specversion: '1.0',
      id,
      source: 'storage',
      type: 'com.example.storage',
      subject: subscriptionId,
      data: { value },
    },
    metering,
    'application/cloudevents+json',
  );

test.describe('T-INTERIM: interim bills', () => {
  test('an Admin sets the amount for all organizations, and reads the mistake at its field', async () => {
    await page.goto(`${journey.address}/admin/billing?view=interim`);
    await page.getByRole('button', { name: '設定門檻' }).click();
    const form = page.getByRole('dialog', { name: '設定門檻' });
    await form.getByRole('textbox', { name: /^門檻（未稅）/ }).fill('0');
    await form.getByRole('button', { name: '儲存門檻' }).click();
    await expect(form).toContainText('請輸入大於 0 的金額。');
    await form.getByRole('textbox', { name: /^門檻（未稅）/ }).fill('5000');
    await form.getByRole('button', { name: '儲存門檻' }).click();
    await page.getByText('已儲存門檻').first().waitFor();
    const row = page.getByRole('row', { name: /所有組織/ });
    await expect(row).toContainText('NT$5,000');
    await page.reload();
    await expect(row).toContainText('NT$5,000');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the customer’s usage passes it: the bill is there without a reload, and says what it is of', async () => {
    await own.goto(`${journey.address}/billing/management`);
    await own
      .getByRole('heading', { level: 2, name: /年\d+月$/ })
      .first()
      .waitFor();
    await use('a', '2400');
    // 4,800 of usage, not yet enough.
    await expect(own.getByRole('row', { name: /^用量.*4,800/ })).toBeVisible();
    await expect(own.getByText('期中帳單')).toHaveCount(0);
    await use('b', '150');
    await expect(own.getByRole('heading', { name: /期中帳單$/ })).toBeVisible();
    await expect(own.getByRole('row', { name: /減去期中帳單.*5,100/ })).toBeVisible();
    await own.getByRole('button', { name: /截至.*的用量/ }).click();
    const why = own.getByRole('dialog');
    await expect(why).toContainText('本月至今用量');
    await expect(why).toContainText('5,100');
    expect(await axeFindings(own)).toEqual([]);
  });
});
