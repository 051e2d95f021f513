// A subscription that another organization pays for, in a real browser: an Admin sets it after an error and
// closes the month, and both organizations read their own bills.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  billRow,
  monthBegin,
  monthName,
  named,
  startTerms,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const month = monthName(-1);
let terms: Terms;
let payer: Customer;
let branch: Customer;
let page: Page;
let own: Page;
let used: Page;

test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney());
  payer = await terms.customer('晨光集團', 'pays@payers.example', -1);
  branch = await terms.customer('晨光台南', 'uses@payers.example', -1);
  const { id: serviceId } = await terms.call<{ id: string }>('POST', '/admin/services', {
    name: '備份',
    type: '儲存',
    category: '自有',
    currency: 'TWD',
    charges: [{ key: 'fee', name: named('月費', 'Fee'), kind: 'recurring', model: 'flat', amount: '2000' }],
  });
  await terms.call('POST', '/admin/subscriptions', {
    organizationId: branch.organizationId,
    serviceId,
    startedAt: monthBegin(-1).toISOString(),
  });
  ({ page } = terms);
  own = await terms.journey.openSession(payer);
  used = await terms.journey.openSession(branch);
});
test.afterAll(async () => {
  await terms.journey.end();
});

test.describe('T-PAYER: one organization pays for a subscription of another', () => {
  test('an Admin sets its payer, reads what stays with the user, and corrects an error at its field', async () => {
    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    await page.getByRole('button', { name: '設定訂閱的付款組織' }).first().click();
    const form = page.getByRole('dialog', { name: '設定訂閱的付款組織' });
    const choose = async (field: string, name: string) => {
      await form.getByRole('combobox', { name: field, exact: true }).fill(name);
      await page.getByRole('option', { name }).first().click();
    };
    await choose('組織', branch.organization);
    await form.getByRole('combobox', { name: '訂閱', exact: true }).selectOption({ label: '備份' });
    await expect(form).toContainText('只適用於組織自己帳單上的項目');
    await choose('付款組織', branch.organization);
    await form.getByLabel('起始月份').selectOption(month);
    await form.getByRole('button', { name: '儲存' }).click();
    await expect(form).toContainText('這項訂閱由這個組織使用，請選擇其他組織付款。');
    await choose('付款組織', payer.organization);
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole('button', { name: '儲存' }).click();
    await page.getByText('已儲存付款組織').first().waitFor();
    const row = page.getByRole('row', { name: /備份/ });
    await expect(row).toContainText('晨光台南');
    await expect(row).toContainText('晨光集團');
    await page.reload();
    await expect(row).toContainText('進行中');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the running month of the user shows what is billed to itself, and what to the payer', async () => {
    await terms.openBills(used);
    await expect(used.getByText('您有訂閱由其他組織付款')).toBeVisible();
    const others = used.locator('section', {
      has: used.getByRole('heading', { name: '由其他組織付款的訂閱' }),
    });
    await expect(others).toContainText('由「晨光集團」支付');
    await expect(others).toContainText('備份');
    await expect(others).toContainText('NT$2,100');
    await expect(billRow(used, /^含稅總額.*NT\$10,500/)).toHaveCount(1);
    expect(await axeFindings(used)).toEqual([]);
  });

  test('the month is closed: the payer gets its own bill and that of the subscription', async () => {
    await terms.closeMonth(month, 3);
    await terms.openBills(own, month);
    await expect(own.getByText('「晨光台南」的 備份')).toBeVisible();
    await expect(own.getByRole('heading', { level: 2, name: /帳單（晨光台南）/ })).toBeVisible();
    await expect(billRow(own, /^含稅總額.*NT\$10,500/)).toHaveCount(1);
    await expect(billRow(own, /^含稅總額.*NT\$2,100/)).toHaveCount(1);
    expect(await axeFindings(own)).toEqual([]);
  });

  test('the user gets the bill of the rest, and sees what the payer’s one charges', async () => {
    await terms.openBills(used, month);
    await expect(billRow(used, /^含稅總額.*NT\$10,500/)).toHaveCount(1);
    await expect(billRow(used, /^含稅總額.*NT\$2,100/)).toHaveCount(1);
    await expect(used.getByText('由「晨光集團」支付', { exact: true })).toBeVisible();
    expect(await axeFindings(used)).toEqual([]);
    await terms.checkBooks();
  });

  test('an Admin ends it: the subscription is billed with its organization again', async () => {
    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    const row = page.getByRole('row', { name: /備份/ });
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: '改為隨組織付款' }).click();
    const form = page.getByRole('dialog', { name: '改為隨組織付款' });
    await form.getByRole('button', { name: '儲存' }).click();
    await page.getByText('已儲存付款組織').first().waitFor();
    await expect(row).toContainText('已結束');
    await terms.openBills(used);
    await expect(billRow(used, /^含稅總額.*NT\$12,600/)).toHaveCount(1);
    await expect(used.getByText('您有訂閱由其他組織付款')).toHaveCount(0);
  });
});
