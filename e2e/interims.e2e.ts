// Interim bills in a real browser: an Admin sets the threshold after an error, usage reaches it, the customer
// sees the bill without reloading and reads its explanation, and the running month deducts it; it is voided,
// the next one is credited, and the monthly bill deducts that one with an explanation.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  billRow,
  creditBill,
  monthBegin,
  monthName,
  startTerms,
  voidBill,
  withMovableClock,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const month = monthName(0);
let terms: Terms;
let customer: Customer;
let address: string;
let page: Page;
let own: Page;
let subscriptionId: string;
let metering: string;

test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney(withMovableClock));
  ({ address } = terms.journey);
  customer = await terms.customer('晨光科技', 'owner@interim.example');
  const { id: serviceId } = await terms.call<{ id: string }>('POST', '/admin/services', {
    name: '物件儲存',
    type: '儲存',
    category: '自有',
    pricing: { model: 'per_unit', currency: 'TWD', baseFee: '300', unitPrice: '2' },
    meter: { eventType: 'com.example.storage', aggregation: 'sum', unit: 'GB' },
  });
  ({ id: subscriptionId } = await terms.call<{ id: string }>('POST', '/admin/subscriptions', {
    organizationId: customer.organizationId,
    serviceId,
    startedAt: monthBegin(0).toISOString(),
  }));
  ({ secret: metering } = await terms.call<{ secret: string }>('POST', '/admin/api-keys', { name: '計量' }));
  ({ page } = terms);
  own = await terms.journey.openSession(customer);
});
test.afterAll(async () => {
  await terms.journey.end();
});

const row = (name: RegExp) => billRow(own, name);
async function whyDeducted(): Promise<Locator> {
  await row(/減去期中帳單/)
    .first()
    .getByRole('button')
    .click();
  return own.getByRole('dialog');
}
const use = (id: string, value: string) =>
  terms.journey.call(
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
  test('an Admin sets the threshold for all organizations, after an error at its field', async () => {
    await page.goto(`${address}/admin/billing?view=interim`);
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

  test('when the customer’s usage reaches it, the bill appears without a reload, with its usage', async () => {
    await own.goto(`${address}/billing/management`);
    await own
      .getByRole('heading', { level: 2, name: /年\d+月$/ })
      .first()
      .waitFor();
    await use('a', '2400');
    // 4,800 of usage, still below.
    await expect(row(/物件儲存.*4,800/)).toBeVisible();
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

  test('one is voided, its usage is on the next one, and that is credited in part', async () => {
    await voidBill(page, await terms.openBill(customer, month), '門檻設定有誤');
    await terms.openBills(own);
    await expect(row(/減去期中帳單/)).toHaveCount(0);
    await use('c', '50');
    // All usage again, and newer usage.
    await expect(row(/減去期中帳單.*5,200/)).toBeVisible();
    const why = await whyDeducted();
    await expect(why.getByRole('row', { name: /小計.*-5,200/ })).toBeVisible();
    await creditBill(page, await terms.openBill(customer, month), { percent: '10' }, '延遲補償', 'NT$546');
  });

  test('the monthly bill deducts everything charged before, the next month nothing, and the books are right', async () => {
    await terms.moveToMonth(1);
    // The interim bills, one of which is void, are not monthly bills.
    await terms.closeMonth(month, 1);
    await own.evaluate(() => localStorage.clear());
    await terms.journey.openSession(customer, own);
    await terms.openBills(own, month);
    // The fee remains, with its tax.
    const deducted = row(/減去期中帳單/).first();
    await expect(deducted).toContainText('-NT$5,200');
    await expect(row(/^含稅總額.*NT\$315/)).toBeVisible();
    const why = await whyDeducted();
    await expect(why.getByRole('row', { name: /期中帳單已計費.*-5,200/ })).toBeVisible();
    expect(await axeFindings(own)).toEqual([]);
    await terms.openBills(own);
    await expect(row(/^含稅總額/)).toContainText('NT$315');
    await expect(row(/減去期中帳單/)).toHaveCount(0);
    await terms.checkBooks();
  });
});
