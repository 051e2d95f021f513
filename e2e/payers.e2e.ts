// Organizations that pay for others in a real browser: an Admin sets the payer after an error and closes the
// month, the payer pays, and the child organizations see their costs and who pays.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { billRow, monthName, startTerms, type Customer, type Terms } from '#tests/support/browser/terms.ts';
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
  ({ page } = terms);
  own = await terms.journey.openSession(payer);
  used = await terms.journey.openSession(branch);
});
test.afterAll(async () => {
  await terms.journey.end();
});

test.describe('T-PAYER: one organization pays for another', () => {
  test('an Admin sets the payer, after an error at its field', async () => {
    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    await page.getByRole('button', { name: '設定付款組織' }).first().click();
    const form = page.getByRole('dialog', { name: '設定付款組織' });
    const choose = async (field: string, name: string) => {
      await form.getByRole('combobox', { name: field, exact: true }).fill(name);
      await page.getByRole('option', { name }).first().click();
    };
    await choose('組織', branch.organization);
    await choose('付款組織', branch.organization);
    await form.getByLabel('起始月份').selectOption(month);
    await form.getByRole('button', { name: '儲存' }).click();
    await expect(form).toContainText('請選擇其他組織，或改選「自行付款」。');
    await choose('付款組織', payer.organization);
    await form.getByRole('button', { name: '儲存' }).click();
    await page.getByText('已儲存付款組織').first().waitFor();
    const row = page.getByRole('row', { name: /晨光台南/ });
    await expect(row).toContainText('晨光集團');
    await page.reload();
    await expect(row).toContainText('進行中');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the month is closed: the payer gets both bills, and pays one from its balance', async () => {
    await terms.closeMonth(month, 2);
    await terms.topUp(payer, '30000');
    await terms.openBills(own, month);
    await expect(own.getByText('由您付款的組織')).toBeVisible();
    const bill = own.getByRole('heading', { level: 2, name: /帳單（晨光台南）/ });
    await expect(bill).toBeVisible();
    await expect(billRow(own, /^含稅總額.*NT\$10,500/)).toHaveCount(2);
    expect(await axeFindings(own)).toEqual([]);
    const card = own.locator('section', { has: bill });
    await card
      .getByRole('button', { name: /繳款|付款/ })
      .first()
      .click();
    await own
      .getByRole('dialog')
      .getByRole('button', { name: /支付\s*NT\$10,500/ })
      .click();
    await own.getByText('付款完成').first().waitFor();
    await own.reload();
    await expect(card).toContainText('已付款');
  });

  test('the child organizations see their costs and payer, but neither payments nor the payer’s bill', async () => {
    await terms.openBills(used, month);
    await expect(used.getByText('您的帳單由「晨光集團」支付')).toBeVisible();
    await expect(used.getByText('由「晨光集團」支付', { exact: true })).toBeVisible();
    await expect(billRow(used, /^含稅總額.*NT\$10,500/)).toHaveCount(1);
    await expect(used.getByRole('button', { name: /付款：帳單|立即付款|下載 CSV/ })).toHaveCount(0);
    await expect(used.getByRole('button', { name: '下載 PDF' })).toHaveCount(1);
    const why = await terms.why(used, '主機：月費');
    await expect(why).toContainText('10,000');
    await used.keyboard.press('Escape');
    expect(await axeFindings(used)).toEqual([]);
    await used.getByRole('tab', { name: '由其他組織支付' }).click();
    await expect(used.getByRole('row', { name: /晨光集團.*10,500/ })).toBeVisible();
    await terms.checkBooks();
  });
});
