// Exchange rates in a real browser: a manual rate, the European Central Bank’s file, and revenue of two
// currencies in one.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

test.describe.configure({ mode: 'serial' });

let journey: Journey;
const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);

/** 遠山 is billed 30 US dollars for last month. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  const user = await journey.register({
    account: 'owner@dollars.example',
    password: 'another long password',
    name: '客戶',
    organization: '遠山',
  });
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '海外主機',
      type: 'VM',
      category: '平台',
      pricing: { model: 'flat', currency: 'USD', baseFee: '30' },
      meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
    },
    admin,
  );
  const [year, month] = today.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, month - 2, 1) - 8 * 3_600_000);
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId, startedAt: last.toISOString() },
    admin,
  );
  const name = new Date(last.getTime() + 8 * 3_600_000).toISOString().slice(0, 7);
  await journey.call('POST', '/admin/billing/close', { month: name }, admin);
});
test.afterAll(() => journey.end());

test.describe('T-FX exchange rates', () => {
  test('a missing rate is named, with a link to where it is set', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/finance?view=consolidated`);
    await page.getByText('缺少匯率，無法換算：USD').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: '設定匯率' }).click();
    await page.getByRole('heading', { name: '匯率', level: 1 }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '手動輸入匯率' }).click();
    const dialog = page.getByRole('dialog', { name: '手動輸入匯率' });
    await dialog.getByRole('textbox', { name: '匯率' }).fill('32.5');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '儲存' }).click();
    await page.getByRole('row', { name: /1 USD = 32\.5 TWD.*手動輸入/ }).waitFor();

    await page.goto(`${journey.address}/admin/finance?view=consolidated`);
    const revenue = page.getByRole('table', { name: '各月認列收入' });
    await revenue.getByRole('row', { name: /US\$30\.00.*32\.5.*手動輸入.*NT\$975/ }).waitFor();
    await revenue.getByRole('row', { name: /合計.*NT\$975/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the bank’s file is imported, and its rates are listed with their source', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/exchange-rates`);
    await page.getByRole('button', { name: '匯入歐洲央行匯率' }).click();
    const dialog = page.getByRole('dialog', { name: '匯入歐洲央行匯率' });
    const upload = async (text: string) => {
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'eurofxref-hist.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await dialog.getByRole('button', { name: '匯入匯率', exact: true }).click();
    };
    await upload('Day;Dollar\n1;2\n');
    await dialog.getByText('這不是歐洲中央銀行的匯率檔').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await upload(`Date,USD,JPY,\n${today},1.0473,160.43,\n`);
    await page.getByText('新增 2 個匯率，涵蓋 1 天').waitFor();
    await page.getByRole('row', { name: /1 EUR = 160\.43 JPY.*歐洲中央銀行/ }).waitFor();
    await page.getByRole('combobox', { name: '報表幣別' }).selectOption('EUR');
    await page.getByText('已變更報表幣別').waitFor();
    await page.goto(`${journey.address}/admin/finance?view=consolidated`);
    // 30 / 1.0473
    await page
      .getByRole('table', { name: '各月認列收入' })
      .getByRole('row', { name: /US\$30\.00.*€28\.65/ })
      .waitFor();
  });
});
