// Discounts in a real browser: an Admin creates one after an error at its field, a customer subscribes with
// its code and sees the reduced price, and the Admin removes it.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const customer: Credentials = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let operator: Page;
let owner: Page;
let pageErrors: readonly string[][];

const panel = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '異地備份',
      type: '儲存',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '500', unitPrice: '1.5' },
      meter: { eventType: 'com.example.backup', aggregation: 'sum', unit: 'GB' },
    },
    token,
  );
  await journey.register({ ...customer, name: '王小明', organization: '範例股份有限公司' });
  const [first, second] = [await journey.person(), await journey.person()];
  operator = first.page;
  owner = second.page;
  pageErrors = [first.pageErrors, second.pageErrors];
  await journey.openSession(admin, operator);
  await journey.openSession(customer, owner);
});
test.afterAll(() => journey.end());

test.describe('T-DISC: discounts', () => {
  test('an Admin creates one after an error at its field, with a live summary', async () => {
    await operator.goto(`${journey.address}/admin/discounts`);
    await operator.getByRole('heading', { level: 1, name: '折扣與優惠碼' }).waitFor();
    await operator.getByRole('button', { name: '建立折扣' }).first().click();
    const form = panel(operator, '建立折扣');
    await field(form, /^中文名稱/).fill('春季優惠');
    await field(form, /^英文名稱/).fill('Spring sale');
    await field(form, /^百分比/).fill('110');
    await field(form, /^優惠碼/).fill('spring-26');
    await expect(form.getByRole('form').getByRole('status')).toContainText('填寫折扣內容後');
    await form.getByRole('button', { name: '建立折扣' }).click();
    await expect(form).toContainText('請輸入大於 0、不超過 100 的百分比，小數最多 4 位。');
    await field(form, /^百分比/).fill('20');
    await field(form, /^每月上限/).fill('150');
    await expect(form.getByRole('form').getByRole('status')).toContainText(
      '折抵 20%（每月最多 NT$150），為期 3 個月；適用於所有費用',
    );
    await form.getByRole('button', { name: '建立折扣' }).click();
    const made = panel(operator, '春季優惠');
    await expect(made).toContainText('SPRING-26');
    expect(await axeFindings(operator)).toEqual([]);
  });

  test('a customer sees why a code is rejected, then subscribes with one and sees the savings', async () => {
    await owner.goto(`${journey.address}/service/overview`);
    await owner.getByRole('button', { name: /^訂閱/ }).first().click();
    const dialog = panel(owner, '訂閱「異地備份」');
    await field(dialog, /^預計每月用量/).fill('200');
    await field(dialog, /^優惠碼/).fill('autumn');
    await dialog.getByRole('button', { name: '套用' }).click();
    await expect(dialog).toContainText('沒有適用於貴組織的這個優惠碼。');
    await field(dialog, /^優惠碼/).fill('Spring-26');
    await dialog.getByRole('button', { name: '套用' }).click();
    await expect(dialog.locator('dd', { hasText: 'NT$800' })).toBeVisible();
    // 20 % of 800 is more than the maximum.
    await expect(dialog.locator('dd', { hasText: 'NT$650' })).toBeVisible();
    await field(dialog, /^預計每月用量/).fill('0');
    await expect(dialog.locator('dd', { hasText: 'NT$400' })).toBeVisible();
    await dialog.getByRole('checkbox').last().check();
    await dialog.getByRole('button', { name: '確認訂閱' }).click();
    await expect(owner.getByRole('dialog')).toContainText('已訂閱「異地備份」');
    await owner.goto(`${journey.address}/billing/credits`);
    const own = owner.getByRole('list', { name: '我的折扣' });
    await expect(own).toContainText('折抵 20%（每月最多 NT$150），為期 3 個月');
    await expect(own).toContainText('有效');
  });

  test('the Admin removes it, and both see that without reloading', async () => {
    const made = panel(operator, '春季優惠');
    await expect(made).toContainText('範例股份有限公司');
    await made.getByRole('button', { name: '從「範例股份有限公司」收回' }).click();
    await operator.getByRole('alertdialog').getByRole('button', { name: '收回折扣' }).click();
    await expect(made).toContainText('已收回');
    await expect(owner.getByRole('list', { name: '我的折扣' })).toContainText('已收回');
    await operator.reload();
    await expect(panel(operator, '春季優惠')).toContainText('已收回');
    expect(pageErrors.flat()).toEqual([]);
  });
});
