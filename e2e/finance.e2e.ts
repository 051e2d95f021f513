// The operator’s finance home in a real browser: the figures of a small history equal hand-computed ones, and
// each opens to its parts.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

test.describe.configure({ mode: 'serial' });

let journey: Journey;
const zone = 8 * 3_600_000;
/** The month that was `back` months ago in Taipei, and when it began. */
function monthAgo(back: number): { name: string; begins: Date } {
  const [year, month] = new Date(Date.now() + zone).toISOString().slice(0, 7).split('-').map(Number) as [
    number,
    number,
  ];
  const begins = new Date(Date.UTC(year, month - 1 - back, 1) - zone);
  return { name: new Date(begins.getTime() + zone).toISOString().slice(0, 7), begins };
}
const inWords = (name: string): string => `${name.slice(0, 4)}年${Number(name.slice(5))}月`;

/**
 * 晨光 pays 1000 a month for four months; 遠山 600, whose third payment is credited; 新芽 300 since the third
 * month.
 */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  const customer = async (name: string, fee: string, since: number): Promise<string> => {
    const user = await journey.register({
      account: `owner${fee}@customer.example`,
      password: 'another long password',
      name: '客戶',
      organization: name,
    });
    const { id: serviceId } = await journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name: `主機 ${fee}`,
        type: 'VM',
        category: '平台',
        pricing: { model: 'flat', currency: 'TWD', baseFee: fee },
        meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
      },
      admin,
    );
    await journey.call(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId, startedAt: monthAgo(since).begins.toISOString() },
      admin,
    );
    return user.organizationId;
  };
  await customer('晨光', '1000', 4);
  const far = await customer('遠山', '600', 4);
  await customer('新芽', '300', 2);
  for (const back of [4, 3, 2, 1])
    await journey.call('POST', '/admin/billing/close', { month: monthAgo(back).name }, admin);
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    `/admin/bills?organizationId=${far}&month=${monthAgo(2).name}`,
    undefined,
    admin,
  );
  await journey.call(
    'POST',
    `/admin/bills/${items[0]?.id}/credit-notes`,
    { reason: '停機一個月', what: { kind: 'rest' } },
    admin,
  );
});
test.afterAll(() => journey.end());

test.describe('T-MET the finance page', () => {
  test('shows hand-computed figures, and opens each to its customers, lines and bill', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/finance`);
    await page.getByRole('heading', { name: '財務總覽', level: 1 }).waitFor();
    const last = inWords(monthAgo(1).name);
    const movements = page.getByRole('table', { name: `${last}的變動` });
    // A job computes the figures within seconds.
    await movements.getByRole('row', { name: /期初.*NT\$1,300/ }).waitFor({ timeout: 30_000 });
    await movements.getByRole('row', { name: /回流.*1.*\+NT\$600/ }).waitFor();
    await movements.getByRole('row', { name: /期末.*3.*NT\$1,900/ }).waitFor();
    await page.getByText(`期初加變動為 NT$1,900，${last}的 MRR 為 NT$1,900，兩者相符。`).waitFor();
    // 4 × 1000 + 3 × 600 + 2 × 300
    await page.getByText(/收入為 NT\$6,400，總帳中同一批帳單為 NT\$6,400，兩者相符/).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const third = inWords(monthAgo(2).name);
    await page.getByRole('combobox', { name: '月份' }).selectOption(monthAgo(2).name);
    const before = page.getByRole('table', { name: `${third}的變動` });
    await before.getByRole('row', { name: /新客戶.*1.*\+NT\$300/ }).waitFor();
    await before.getByRole('row', { name: /流失.*1.*-NT\$600/ }).waitFor();
    await before.getByRole('button', { name: '流失' }).click();
    await page.getByRole('table', { name: 'MRR 變動' }).getByRole('button', { name: '遠山' }).waitFor();
    await before.getByRole('button', { name: '新客戶' }).click();
    await page.getByRole('table', { name: 'MRR 變動' }).getByRole('button', { name: '新芽' }).click();
    const panel = page.getByRole('dialog', { name: third });
    await panel.getByRole('row', { name: /主機 300.*經常性.*NT\$300/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('link').first().click();
    await page.waitForURL(/\/admin\/billing\?bill=bil_/);
  });

  test('equals the ledger in receivables, receipts and tax', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/finance?view=receivables`);
    // (4000 + 1800 + 600) with 5 % tax; nothing is paid.
    await page.getByText('帳單合計 NT$6,720，總帳的應收帳款為 NT$6,720，兩者相符。').waitFor();
    await page
      .getByRole('table', { name: '應收帳款帳齡' })
      .getByRole('row', { name: /晨光.*NT\$4,200/ })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: '稅額' }).click();
    await page.getByText('稅額合計 NT$320，總帳的稅額科目變動為 NT$320，兩者相符。').waitFor();
    await page.getByRole('tab', { name: '收款' }).click();
    await page.getByText('款項合計 NT$0，總帳的現金變動為 NT$0，兩者相符。').waitFor();
    await page.getByRole('tab', { name: '同期群' }).click();
    await page
      .getByRole('row', {
        name: new RegExp(`${inWords(monthAgo(4).name)}.*NT\\$1,600.*100.*100.*62\\.5.*100`),
      })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: '客戶' }).click();
    await page.getByRole('row', { name: /晨光.*NT\$1,000.*52\.6%/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('shows the revenue without known cost, and the months that a forecast needs', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/finance?view=margin`);
    const margins = page.getByRole('table', { name: '毛利' });
    await margins.getByRole('row', { name: /晨光.*NT\$1,000.*成本不明/ }).waitFor();
    await page.getByRole('combobox', { name: '彙總方式' }).selectOption('service');
    await margins.getByRole('button', { name: '主機 600' }).click();
    // A service opens to its customers, and these to their lines.
    await margins.getByRole('button', { name: '遠山' }).click();
    const panel = page.getByRole('dialog', { name: inWords(monthAgo(1).name) });
    await panel.getByRole('row', { name: /主機 600.*成本不明.*NT\$600/ }).waitFor();
    await panel.getByText('這段期間沒有匯入成本。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${journey.address}/admin/finance?view=forecast`);
    await page.getByText('結清滿 6 個月後才能預測').waitFor();
    await page.getByText('目前有 4 個月。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
