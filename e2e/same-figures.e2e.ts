// A figure is the same wherever it is shown: the month’s cost (before tax), the amount due (with tax), and a
// bill’s total.
import type { Page } from '@playwright/test';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(240_000);
  journey = await startJourney();
  await fillConsole(journey);
});
test.afterAll(() => journey.end());

const amount = /-?NT\$[\d,]+/;

/** The card with this heading, once it is loaded: its figure, and all of its text. */
async function card(
  page: Page,
  heading: string,
  said: RegExp | string = amount,
): Promise<{ figure: string; words: string }> {
  const found = page.getByRole('heading', { name: heading, exact: true, level: 2 }).locator('xpath=../..');
  // The text beside its figure may be loaded later.
  await expect(found).toContainText(amount);
  await expect(found).toContainText(said);
  const words = await found.innerText();
  return { figure: amount.exec(words)?.[0] ?? '', words };
}

test('R-USE-01 R-USE-02 R-BILL-03 the month’s cost is the same figure, before tax, on every page, and each page says so', async () => {
  const page = await journey.openSession(people.User);
  await page.goto(`${journey.address}/user/dashboard`);
  const onDashboard = await card(page, '本期費用', /與 \d+年\d+月整月相比/);
  const expected = /預估月底 (NT\$[\d,]+)/.exec(onDashboard.words)?.[1];
  await expect(page.getByText('費用為未稅，帳單為含稅')).toBeVisible();

  await page.goto(`${journey.address}/billing/dashboard`);
  expect((await card(page, '本期費用')).figure).toBe(onDashboard.figure);
  if (expected !== undefined) expect((await card(page, '預估月底費用')).figure).toBe(expected);
  await expect(page.getByText('費用皆為未稅')).toBeVisible();

  await page.goto(`${journey.address}/usage/statistics`);
  expect((await card(page, '總費用')).figure).toBe(onDashboard.figure);
  await expect(page.getByText('費用皆為未稅')).toBeVisible();

  await page.goto(`${journey.address}/billing/management`);
  await expect(page.getByText(`未稅 ${onDashboard.figure}`)).toBeVisible();

  const reader = await journey.openSession(people.ReadOnly);
  await reader.goto(`${journey.address}/dashboard`);
  expect((await card(reader, '本期費用')).figure).toBe(onDashboard.figure);
});

test('R-BILL-01 R-BILL-03 the amount due is the same figure, less credit notes, from the dashboard to the list of bills', async () => {
  const page = await journey.openSession(people.User);
  await page.goto(`${journey.address}/user/dashboard`);
  const pay = page.getByRole('link', { name: /^支付 NT\$[\d,]+：帳單/ });
  const owed = amount.exec((await pay.textContent()) ?? '')?.[0] ?? '';
  await card(page, '餘額', `尚待付款 ${owed}`);
  await expect(page.getByText(`${owed}，`, { exact: false }).first()).toBeVisible();

  await pay.click();
  await page.getByRole('button', { name: `（${owed}）` }).waitFor();
  const row = page
    .getByRole('table', { name: '歷史帳單' })
    .getByRole('row', { name: /B-\d{6}-\d{6} 待付款/ });
  await row.waitFor();
  const cells = await row.getByRole('cell').allInnerTexts();
  const [total = '', credited = '', due = ''] = cells.filter((text) => amount.test(text));
  const minor = (text: string) => Number(text.replace(/[^\d-]/g, ''));
  expect(due).toBe(owed);
  expect(minor(total) + minor(credited)).toBe(minor(due));
});

test('R-SHELL-11 R-AUTH-15 a ReadOnly member changes notification preferences in a dialog over any page, and has no notifications page', async () => {
  const reader = await journey.openSession(people.ReadOnly);
  await reader.goto(`${journey.address}/user/notifications`);
  await reader.getByRole('heading', { name: '沒有權限' }).waitFor();
  await reader.goto(`${journey.address}/usage/statistics`);
  await reader.getByRole('button', { name: /^通知/ }).click();
  await reader.getByRole('button', { name: '通知偏好設定' }).click();
  const dialog = reader.getByRole('dialog', { name: '通知偏好設定' });
  await dialog.getByRole('switch', { name: '設定勿擾時段' }).check();
  await dialog.getByRole('button', { name: '儲存變更' }).click();
  await reader.getByText('通知偏好已儲存。').first().waitFor();
  // The link in e-mails opens the same over a page of that role.
  await reader.goto(`${journey.address}/dashboard?preferences=notifications`);
  await expect(dialog.getByRole('switch', { name: '設定勿擾時段' })).toBeChecked();
});
