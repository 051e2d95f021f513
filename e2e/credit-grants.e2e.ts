// Credit in a real browser: an Admin grants it after an error at its field, the customer sees it and buys
// more, and the Admin withdraws it.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { machineOfTwoCharges } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const [owner, reader] = ['owner@credit.example', 'reader@credit.example'];
const twd = (amount: string) => ({ amount, currency: 'TWD' });
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
  await journey.call('POST', '/admin/services', machineOfTwoCharges, token);
  const [first, second] = [await journey.person(), await journey.person()];
  [admin, customer] = [first.page, second.page];
  pageErrors = [first.pageErrors, second.pageErrors];
  await journey.openSession(operator, admin);
  await journey.openSession({ account: owner, password }, customer);
});
test.afterAll(() => journey.end());

test.describe('credit (T-GRANT)', () => {
  test('is granted after an error at its field', async () => {
    await open(admin, '/admin/credit-grants', '預付與贈送額度');
    await admin.getByRole('button', { name: '給予額度' }).first().click();
    const form = admin.getByRole('dialog', { name: '給予額度' });
    await form.getByRole('combobox', { name: /^組織/ }).fill('晨');
    await admin.getByRole('option', { name: /^晨光/ }).click();
    await field(form, /^金額/).fill('0');
    await field(form, /^中文名稱/).fill('迎新額度');
    await field(form, /^英文名稱/).fill('Welcome credit');
    await form.getByLabel(/^到期日/).fill('2020-01-01');
    await form.getByRole('button', { name: '給予額度' }).click();
    await expect(form.getByText('請輸入大於零的金額，小數位數不可超過該幣別。')).toBeVisible();
    await field(form, /^金額/).fill('3,000');
    await form.getByRole('button', { name: '給予額度' }).click();
    // Errors that only the server detects are at their field, too.
    await expect(form.getByText('到期日不得早於起始月份，請選擇較晚的日期。').last()).toBeVisible();
    await form.getByLabel(/^到期日/).fill('2099-12-31');
    await expect(form.getByText('可用於 2099年12月（含）以前的帳單')).toBeVisible();
    await form.getByRole('button', { name: '給予額度' }).click();
    const panel = admin.getByRole('dialog', { name: '迎新額度' });
    await expect(panel.getByText('+NT$3,000')).toBeVisible();
    expect(await axeFindings(admin)).toEqual([]);
    await admin.reload();
    await expect(panel.getByText('可用於 2099年12月（含）以前的帳單')).toBeVisible();
  });

  test('is visible to the customer, who buys more with the balance', async () => {
    const login = async (who: object): Promise<string> =>
      (await journey.call<{ token: string }>('POST', '/user/login', who)).token;
    const token = await login(operator);
    await open(customer, '/billing/credits', '額度與優惠');
    await expect(customer.getByText('剩餘 NT$3,000／NT$3,000')).toBeVisible();
    await expect(customer.getByRole('button', { name: '購買額度' })).toHaveCount(0);
    await open(admin, '/admin/credit-grants', '預付與贈送額度');
    await admin.getByRole('button', { name: '額度銷售設定' }).click();
    const offer = admin.getByRole('dialog', { name: '額度銷售設定' });
    await offer.getByRole('switch', { name: '開放客戶購買額度' }).check();
    await offer.getByRole('combobox', { name: '適用服務' }).click();
    await admin.getByRole('option', { name: '主機' }).click();
    await offer.getByRole('combobox', { name: '計費項目' }).click();
    await admin.getByRole('option', { name: '磁碟' }).click();
    await field(offer, /^可使用的月數/).fill('12');
    await offer.getByRole('button', { name: '儲存設定' }).click();
    await expect(offer).toHaveCount(0);
    await admin.getByRole('button', { name: '額度銷售設定' }).click();
    await expect(offer.getByRole('button', { name: '磁碟' })).toBeVisible();
    await offer.getByRole('button', { name: '關閉' }).first().click();
    const { id } = await journey.call<{ id: string }>(
      'POST',
      '/billing/top-ups',
      { amount: twd('500') },
      await login({ account: owner, password }),
    );
    await journey.call('POST', `/admin/payments/${id}/confirm`, {}, token);
    await customer.reload();
    await customer.getByRole('button', { name: '購買額度' }).click();
    const dialog = customer.getByRole('dialog', { name: '購買額度' });
    await field(dialog, /^金額/).fill('600');
    await dialog.getByRole('button', { name: '購買額度' }).click();
    await expect(dialog.getByText(/還差 NT\$100/).first()).toBeVisible();
    await field(dialog, /^金額/).fill('500');
    await dialog.getByRole('button', { name: '購買額度' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(customer.getByText('剩餘 NT$500／NT$500')).toBeVisible();
    await expect(customer.getByText(/磁碟/).first()).toBeVisible();
    await expect(customer.getByRole('row', { name: /給予.*預付額度/ })).toBeVisible();
    expect(await axeFindings(customer)).toEqual([]);
  });

  test('is visible to a ReadOnly member, who cannot buy', async () => {
    const { page } = await journey.person();
    await journey.openSession({ account: reader, password }, page);
    await open(page, '/billing/credits', '額度與優惠');
    await expect(page.getByText('剩餘 NT$500／NT$500')).toBeVisible();
    await expect(page.getByRole('button', { name: '購買額度' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /自動購買/ })).toHaveCount(0);
  });

  test('is withdrawn with a preview of where the money goes, and the customer sees it without a reload', async () => {
    await open(admin, '/admin/credit-grants', '預付與贈送額度');
    await admin
      .getByRole('row', { name: /預付額度/ })
      .getByRole('button', { name: /^晨光/ })
      .click();
    await admin.getByRole('dialog').getByRole('button', { name: '收回額度' }).click();
    const dialog = admin.getByRole('dialog', { name: /^收回「/ });
    await expect(dialog.getByText('剩餘的 NT$500 退回「晨光」的預付餘額。')).toBeVisible();
    await field(dialog, /^原因/).fill('客戶要求');
    await dialog.getByRole('button', { name: '收回額度' }).click();
    await expect(admin.getByRole('dialog').getByText('客戶要求')).toBeVisible();
    await expect(customer.getByRole('row', { name: /收回/ })).toBeVisible();
    await expect(customer.getByText('NT$500').first()).toBeVisible();
    expect(pageErrors.flat()).toEqual([]);
  });
});
