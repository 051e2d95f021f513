// Personal data in a real browser: a customer exports and downloads their data, and an Admin sees why an open
// organization cannot be erased yet.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;
let page: Page;
let pageErrors: string[];

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test('T-PDATA: an Admin opens the page, and an export without an organization is rejected at its field', async () => {
  await page.goto(`${journey.address}/admin/personal-data`);
  await page.getByRole('heading', { level: 1, name: '個人資料' }).waitFor();
  await page.getByText('還沒有匯出').waitFor();
  await page.getByText('還沒有抹除').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: '匯出組織資料' }).click();
  const panel = page.getByRole('dialog', { name: '匯出組織資料' });
  await panel.getByRole('button', { name: '開始匯出' }).click();
  await expect(panel.getByRole('combobox', { name: /^組織/ })).toHaveAttribute('aria-invalid', 'true');
  await panel.getByRole('button', { name: '取消' }).click();

  await page.getByRole('button', { name: '抹除個人資料' }).click();
  const erase = page.getByRole('dialog', { name: '抹除個人資料' });
  await erase.getByRole('combobox', { name: /^對象/ }).selectOption('person');
  await erase.getByRole('textbox', { name: /^使用者 ID/ }).fill('nobody');
  await erase.getByRole('button', { name: '查看會發生什麼' }).click();
  await erase.getByText('請貼上使用者 ID，以 usr_ 開頭').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await erase.getByRole('button', { name: '取消' }).click();
  expect(pageErrors).toEqual([]);
});

test('T-PDATA: the retention of books can be changed', async () => {
  await page.getByRole('textbox', { name: /^憑證（年）/ }).fill('99');
  await page.getByRole('button', { name: '儲存' }).click();
  await page.getByText('請輸入 1 到 30 的整數').first().waitFor();
  await page.getByRole('textbox', { name: /^憑證（年）/ }).fill('7');
  await page.getByRole('button', { name: '儲存' }).click();
  await page.getByText('已儲存。').waitFor();
  expect(pageErrors).toEqual([]);
});
