// A newcomer’s way to a first bill with the demo data: the guide on the dashboard, the customer’s view, then
// restarted and removed.
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  await journey.call('POST', '/admin/imports/demo', {}, admin);
});
test.afterAll(() => journey.end());

test('T-DEMO: the guide leads to a bill as its customer sees it, and restarts in one click', async () => {
  // Two imports of a minute each at most, and a close.
  test.setTimeout(240_000);
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/dashboard`);
  await page.getByText(/68 個組織、34 項服務、198/).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: '前往結清' }).click();
  await page.getByRole('button', { name: /結清 2024年9月/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 67 張').first().waitFor();
  await page.goto(`${journey.address}/admin/dashboard`);
  // Completed steps have no button any more.
  await page.getByText('結清 2024年9月').first().waitFor();
  await expect(page.getByRole('link', { name: '前往結清' })).toHaveCount(0);
  await page.getByRole('button', { name: '以客戶身分查看' }).click();
  await page.waitForURL(/\/billing\/management\?month=/);
  const { items } = await journey.call<{ items: { number: string }[] }>(
    'GET',
    '/admin/bills?sort=-total&limit=1',
    undefined,
    (await journey.call<{ token: string }>('POST', '/user/login', operator)).token,
  );
  await page
    .getByText(items[0]?.number ?? 'no bill')
    .first()
    .waitFor();
  // An Admin who views as the customer cannot pay.
  expect(await page.getByText('示範客戶').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: '結束檢視' }).first().click();
  await page.goto(`${journey.address}/admin/dashboard`);
  await page.getByRole('button', { name: '重新開始' }).click();
  const dialog = page.getByRole('alertdialog', { name: '移除並重新匯入示範資料？' });
  await dialog.getByText(/張帳單、所有付款與分類帳也會移除/).waitFor();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: '重新開始' }).click();
  await page.getByText('示範資料已匯入。').waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: '前往結清' }).waitFor();
  await page.getByRole('button', { name: '移除示範資料' }).click();
  const ask = page.getByRole('alertdialog', { name: '移除全部示範資料？' });
  await ask.getByRole('checkbox').check();
  await ask.getByRole('button', { name: '移除示範資料' }).click();
  await page.getByText('示範資料已移除。').waitFor();
  await expect(page.getByRole('heading', { name: '示範資料' })).toHaveCount(0);
  await page.reload();
  await page.getByRole('heading', { name: '開始營運前' }).waitFor();
  await expect(page.getByRole('heading', { name: '示範資料' })).toHaveCount(0);
  expect(pageErrors).toEqual([]);
});
