// Consolidated bills in a real browser: an Admin sets a payer to one consolidated bill and closes the month;
// the payer opens it, reads its sections and pays all of it once.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { monthName, startTerms, type Customer, type Terms } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const month = monthName(-1);
let terms: Terms;
let payer: Customer;
let branch: Customer;
let page: Page;
let own: Page;

test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney());
  payer = await terms.customer('晨光集團', 'pays@consolidated.example', -1);
  branch = await terms.customer('晨光台南', 'uses@consolidated.example', -1);
  ({ page } = terms);
  own = await terms.journey.openSession(payer);
});
test.afterAll(async () => {
  await terms.journey.end();
});

test.describe('T-CONSOLIDATED: one bill for everything that an organization pays', () => {
  test('an Admin sets the payer, and one consolidated bill for it', async () => {
    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    await page.getByRole('button', { name: '設定付款組織' }).first().click();
    const form = page.getByRole('dialog', { name: '設定付款組織' });
    for (const [field, name] of [
      ['組織', branch.organization],
      ['付款組織', payer.organization],
    ] as const) {
      await form.getByRole('combobox', { name: field, exact: true }).fill(name);
      await page.getByRole('option', { name }).first().click();
    }
    await form.getByLabel('起始月份').selectOption(month);
    await form.getByRole('button', { name: '儲存' }).click();
    await page.getByText('已儲存付款組織').first().waitFor();
    const row = page.getByRole('row', { name: /晨光台南/ });
    await expect(row).toContainText('分開');
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: '變更帳單方式' }).click();
    const billing = page.getByRole('dialog', { name: '變更帳單方式' });
    await billing.getByLabel('起始月份').selectOption(month);
    await billing.getByRole('button', { name: '儲存' }).click();
    await page.getByText('已儲存帳單方式').first().waitFor();
    await page.reload();
    await expect(row).toContainText('起合併');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the payer opens the bill of the month, reads its sections, and pays all of them once', async () => {
    await terms.closeMonth(month, 2);
    await terms.topUp(payer, '30000');
    await terms.openBills(own, month);
    const card = own.locator('section', {
      has: own.getByRole('heading', { level: 2, name: /合併帳單/ }),
    });
    await expect(card).toContainText('NT$21,000');
    await expect(card.getByRole('row', { name: /晨光集團（本組織）.*NT\$10,500/ })).toBeVisible();
    // Bills on it are not listed a second time.
    await expect(own.getByRole('heading', { level: 2, name: /帳單（晨光台南）/ })).toHaveCount(0);
    await card.getByRole('button', { name: '晨光台南', exact: true }).click();
    await expect(own.getByRole('heading', { level: 2, name: /帳單（晨光台南）/ })).toBeVisible();
    expect(await axeFindings(own)).toEqual([]);
    await card.getByRole('button', { name: /付款/ }).first().click();
    const dialog = own.getByRole('dialog');
    await expect(dialog).toContainText('共 2 張帳單');
    await dialog.getByRole('button', { name: /支付\s*NT\$21,000/ }).click();
    await own.getByText('付款完成').first().waitFor();
    await own.reload();
    await expect(card.getByText('已付款').first()).toBeVisible();
    await expect(card.getByRole('row', { name: /已付款/ })).toHaveCount(2);
    await expect(card.getByRole('button', { name: /付款：/ })).toHaveCount(0);
  });

  test('an Admin sees it among the consolidated bills, with its sections', async () => {
    await page.goto(`${terms.journey.address}/admin/billing?view=consolidated`);
    const row = page.getByRole('row', { name: /CB-.*晨光集團.*NT\$21,000/ });
    await row.getByRole('button').first().click();
    const panel = page.getByRole('dialog', { name: '合併帳單' });
    await expect(panel.getByRole('row', { name: /晨光台南.*NT\$10,500/ })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await terms.checkBooks();
  });
});
