// A commitment in a real browser: an Admin creates one after an error at its field, the customer reads it,
// and the Admin ends it early.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const [owner, reader] = ['owner@commitment.example', 'reader@commitment.example'];
let journey: Journey;
let admin: Page;
let customer: Page;
let pageErrors: readonly string[][];

const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });
const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(journey.address + path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const user = await journey.register({ account: owner, password, name: '客戶管理者', organization: '晨光' });
  await journey.call(
    'POST',
    '/admin/users',
    { account: reader, name: '唯讀', role: 'ReadOnly', organizationId: user.organizationId, password },
    token,
  );
  const [first, second] = [await journey.person(), await journey.person()];
  [admin, customer] = [first.page, second.page];
  pageErrors = [first.pageErrors, second.pageErrors];
  await journey.openSession(operator, admin);
  await journey.openSession({ account: owner, password }, customer);
});
test.afterAll(() => journey.end());

test.describe('commitments (T-CMT)', () => {
  test('a page without any does not mention them', async () => {
    await open(customer, '/billing/credits', '額度與優惠');
    await expect(customer.getByRole('heading', { name: '我的額度' })).toBeVisible();
    await expect(customer.getByRole('heading', { name: '承諾消費' })).toHaveCount(0);
  });

  test('one is created after errors at their fields, and summarized in a sentence', async () => {
    await open(admin, '/admin/commitments', '承諾消費');
    await admin.getByRole('button', { name: '建立承諾消費' }).first().click();
    const form = admin.getByRole('dialog', { name: '建立承諾消費' });
    await form.getByRole('combobox', { name: /^組織/ }).fill('晨');
    await admin.getByRole('option', { name: /^晨光/ }).click();
    await field(form, /^中文名稱/).fill('年度承諾');
    await field(form, /^英文名稱/).fill('Annual commitment');
    await field(form, /^期間/).fill('10');
    await field(form, /^每季金額/).fill('0');
    await field(form, /^承諾內計價/).fill('80');
    await field(form, /^超過的計價/).fill('1001');
    await form.getByRole('button', { name: '建立' }).click();
    await expect(form.getByText('期間必須是 3 個月的倍數，請重新輸入。')).toBeVisible();
    await expect(form.getByText('請輸入大於零的金額，小數位數不可超過該幣別。')).toBeVisible();
    await expect(form.getByText('請輸入大於 0、最多 1000 的百分比，小數最多 4 位。')).toBeVisible();
    await field(form, /^期間/).fill('12');
    await field(form, /^每季金額/).fill('300,000');
    await field(form, /^超過的計價/).fill('90');
    await expect(form.getByRole('status').first()).toContainText(
      '每季至少 NT$300,000，以定價的 80% 計，超過的部分以 90% 計',
    );
    // A ramp: an empty field continues with the previous amount.
    await form.getByRole('checkbox', { name: '各期金額不同' }).check();
    await field(form, /^第 3 期/).fill('450000');
    await expect(form.getByRole('status').first()).toContainText(
      '每季至少 NT$300,000，逐期調整至 NT$450,000',
    );
    expect(await axeFindings(admin)).toEqual([]);
    await form.getByRole('button', { name: '建立' }).click();
    const panel = admin.getByRole('dialog', { name: '年度承諾' });
    await expect(panel.getByText('預估補差額 NT$300,000')).toBeVisible();
    await expect(panel.getByRole('listitem').filter({ hasText: '第 3 期' })).toContainText('NT$450,000');
    await expect(panel.getByRole('listitem').filter({ hasText: '第 4 期' })).toContainText('NT$450,000');
    expect(await axeFindings(admin)).toEqual([]);
    await admin.reload();
    await expect(panel.getByText('以定價的 80% 計，超過的部分以 90% 計')).toBeVisible();
  });

  test('the customer reads it without a reload, and so does a ReadOnly member', async () => {
    const section = customer.locator('section', {
      has: customer.getByRole('heading', { level: 2, name: '承諾消費' }),
    });
    await expect(section.getByText('已使用 NT$0／NT$300,000')).toBeVisible();
    await expect(section.getByText('預估補差額 NT$300,000')).toBeVisible();
    await section.getByRole('button', { name: '顯示各期紀錄' }).click();
    await expect(section.getByRole('listitem').filter({ hasText: '第 3 期' }).last()).toContainText(
      'NT$450,000',
    );
    expect(await axeFindings(customer)).toEqual([]);
    const { page } = await journey.person();
    await journey.openSession({ account: reader, password }, page);
    await open(page, '/billing/credits', '額度與優惠');
    await expect(page.getByText('已使用 NT$0／NT$300,000')).toBeVisible();
  });

  test('it is filtered by risk, renamed, and ended early with a preview of the charge', async () => {
    await open(admin, '/admin/commitments', '承諾消費');
    await admin.getByRole('combobox', { name: '進度' }).selectOption('behind');
    await admin.getByRole('button', { name: /^晨光/ }).click();
    const panel = admin.getByRole('dialog', { name: '年度承諾' });
    await panel.getByRole('button', { name: '編輯名稱與備註' }).click();
    const edit = admin.getByRole('dialog', { name: '編輯名稱與備註' });
    await field(edit, /^中文名稱/).fill('雲端年約');
    await edit.getByRole('button', { name: '儲存' }).click();
    const renamed = admin.getByRole('dialog', { name: '雲端年約' });
    await renamed.getByRole('button', { name: '提前結束' }).click();
    const dialog = admin.getByRole('dialog', { name: '提前結束「雲端年約」' });
    const months = dialog.getByRole('combobox', { name: /^最後月份/ });
    // The first option is the month before it begins.
    await expect(dialog.getByText('這筆承諾消費不會適用於任何帳單。')).toBeVisible();
    await months.selectOption({ index: 1 });
    await dialog.getByRole('combobox', { name: /^本期應達的金額/ }).selectOption('prorated');
    await expect(dialog.getByText('應達 NT$100,000', { exact: true })).toBeVisible();
    await expect(dialog.getByText(/的帳單將補收最多 NT\$100,000/)).toBeVisible();
    await dialog.getByRole('button', { name: '結束承諾消費' }).click();
    await expect(dialog.getByText('請填寫原因')).toBeVisible();
    await field(dialog, /^原因/).fill('客戶改約');
    expect(await axeFindings(admin)).toEqual([]);
    await dialog.getByRole('button', { name: '結束承諾消費' }).click();
    await expect(renamed.getByText('客戶改約')).toBeVisible();
    await expect(renamed.getByText('應達 NT$100,000')).toBeVisible();
    await expect(renamed.getByRole('button', { name: '提前結束' })).toHaveCount(0);
    // The customer’s page updates.
    await expect(customer.getByText('預估補差額 NT$100,000')).toBeVisible();
    await expect(customer.getByRole('heading', { name: '雲端年約' })).toBeVisible();
    expect(pageErrors.flat()).toEqual([]);
  });
});
