// A service with several charges: made from a template, tried out, subscribed to, billed, and given a new price.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'buyer@cards.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
const panel = (name: string): Locator => page.getByRole('dialog', { name });
const row = (name: string): Locator => page.getByRole('row', { name });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.call('POST', '/user/register', {
    email: buyer.account,
    name: '採購',
    password: buyer.password,
    organization: '好客戶',
    agreeToTerms: true,
  });
  page = await journey.openSession(operator);
});
test.afterAll(async () => {
  await journey.end();
});

test('R-CAT-01 an Admin makes a service with several charges, and sees what a customer would pay', async () => {
  await page.goto(`${journey.address}/admin/service-management`);
  await page.getByRole('button', { name: '新增服務' }).first().click();
  const form = panel('新增服務');
  await form.getByRole('textbox', { name: '名稱' }).first().fill('協作空間');
  await form.getByRole('combobox', { name: /^類型/ }).fill('軟體');
  await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
  await form.getByRole('radio', { name: '多個計費項目' }).check();
  await form.getByRole('button', { name: /^席次/ }).click();
  const calculator = form.getByRole('region', { name: '客戶每月應付試算' });
  await calculator.getByRole('textbox', { name: '席次：數量' }).fill('12');
  await expect(calculator.getByRole('status')).toContainText('NT$3,480');
  await expect(calculator).toContainText('首月一次性費用：NT$2,990');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '建立服務' }).click();
  await page.getByText('已建立服務「協作空間」。').waitFor();
  await expect(row('協作空間')).toContainText('2 個計費項目');
});

test('R-SUB-01 a customer chooses seats, and the running bill names each charge', async () => {
  const own = await journey.openSession(buyer);
  await own.goto(`${journey.address}/service/overview`);
  await own.getByRole('button', { name: /^訂閱/ }).first().click();
  const dialog = own.getByRole('dialog');
  await dialog.getByRole('textbox', { name: '席次：數量' }).fill('12');
  await dialog.getByText('每月約 NT$3,480').waitFor();
  await expect(dialog).toContainText('首月一次性費用：NT$2,990');
  expect(await axeFindings(own)).toEqual([]);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: '確認訂閱' }).click();
  await own.getByRole('dialog').getByRole('link', { name: '管理' }).waitFor();
  await own.goto(`${journey.address}/billing/management`);
  await expect(own.getByRole('row', { name: /協作空間：開通費/ })).toContainText('NT$2,990');
  await expect(own.getByRole('row', { name: /協作空間：席次/ })).toContainText('12');
});

test('R-CAT-07 a customer changes the seats, sees the next bills first, and is charged for them', async () => {
  const own = await journey.openSession(buyer);
  await own.goto(`${journey.address}/cloud-service/management`);
  await own.getByRole('button', { name: '協作空間', exact: true }).click();
  await own.getByRole('dialog').getByRole('button', { name: '變更方案' }).click();
  const dialog = own.getByRole('dialog', { name: '變更「協作空間」的方案' });
  const seats = dialog.getByRole('textbox', { name: '席次：數量' });
  await expect(seats).toHaveValue('12');
  await seats.fill('0x');
  await expect(seats).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByRole('button', { name: '立即變更' })).toBeDisabled();
  await seats.fill('20');
  await expect(dialog.getByRole('region', { name: '費用預覽' })).toContainText(
    '10 × NT$300 + 10 × NT$240NT$5,400',
  );
  await dialog.getByRole('button', { name: '立即變更' }).click();
  await own.getByText('已變更為「協作空間」。').waitFor();
  await own.goto(`${journey.address}/billing/management`);
  await expect(own.getByRole('row', { name: /協作空間：席次/ })).toContainText('20');
});

test('R-CAT-04 a stored charge keeps its periods, and its price changes', async () => {
  await row('協作空間')
    .getByRole('button', { name: /^協作空間/ })
    .click();
  const form = panel('協作空間');
  await form.getByRole('button', { name: /^開通費/ }).click();
  await expect(form).toContainText('類型、計量項目與週期不能更改');
  await form.getByRole('textbox', { name: /^金額/ }).fill('1990');
  await form.getByRole('button', { name: '儲存變更' }).click();
  await page.getByText('「協作空間」的變更已儲存。').waitFor();
  await page.reload();
  await expect(row('協作空間')).toContainText('NT$1,990');
});
