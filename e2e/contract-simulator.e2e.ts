// The contract simulator in a real browser: terms and commitments on three closed months, the figures, a reload, and a customer without months.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const taipeiMs = 8 * 3_600_000;
const dayMs = 86_400_000;
let journey: Journey;
let page: Page;

/** The first moment of a month in Taipei, this many months before the running one. */
function monthBefore(count: number): Date {
  const now = new Date(Date.now() + taipeiMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1) - taipeiMs);
}
async function register(organization: string, account: string): Promise<string> {
  const user = await journey.register({ account, password, name: '採購', organization });
  return user.organizationId;
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.call(
    'POST',
    '/admin/meters',
    { key: 'space', name: '儲存空間', eventType: 'gb', aggregation: 'sum', unit: 'GB' },
    token,
  );
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '物件儲存',
      type: '儲存',
      category: '自有',
      currency: 'TWD',
      charges: [
        { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '100' },
        {
          key: 'space',
          name: { zhTW: '儲存空間', enUS: 'Storage' },
          kind: 'usage',
          meter: 'space',
          model: 'per_unit',
          unitPrice: '1',
        },
      ],
    },
    token,
  );
  const organizationId = await register('晨光', 'owner@morning.example');
  await register('新芽', 'owner@sprout.example');
  const { id: subject } = await journey.call<{ id: string }>(
    'POST',
    '/admin/subscriptions',
    { organizationId, serviceId, startedAt: monthBefore(3).toISOString() },
    token,
  );
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: 'gateway' },
    token,
  );
  const events = ['900', '100', '300'].map((value, index) => ({
    specversion: '1.0',
    id: String(index),
    source: '/gateway',
    type: 'gb',
    subject,
    time: new Date(monthBefore(3 - index).getTime() + dayMs).toISOString(),
    data: { value },
  }));
  expect(
    await journey.call('POST', '/usage/events', events, secret, 'application/cloudevents-batch+json'),
  ).toMatchObject({ accepted: 3, rejected: [] });
  for (const count of [3, 2, 1]) {
    const month = new Date(monthBefore(count).getTime() + taipeiMs).toISOString().slice(0, 7);
    await journey.call('POST', '/admin/billing/close', { month }, token);
  }
  page = await journey.openSession(operator);
});
test.afterAll(() => journey.end());

test('T-CONTRACT: an Admin proposes terms, and sees what three closed months would have cost', async () => {
  await page.goto(`${journey.address}/admin/contract-simulator`);
  await page.getByText('尚未試算').waitFor();
  const form = page.getByRole('form', { name: '合約條件' });
  await form.getByRole('button', { name: '試算合約' }).click();
  await form.getByText('請從清單選擇組織。').waitFor();
  await form.getByRole('combobox', { name: /^組織/ }).fill('晨');
  await page.getByRole('option', { name: /晨光/ }).click();
  await form.getByLabel('已結清的月份').selectOption({ label: '最近 3 個月' });
  await form.getByRole('button', { name: '新增折扣' }).click();
  const discount = form.getByRole('listitem', { name: '折扣 1' });
  await discount.getByLabel(/^百分比/).fill('120');
  await form.getByRole('button', { name: '新增額度' }).click();
  const credit = form.getByRole('listitem', { name: '額度 1' });
  await credit.getByLabel(/^金額/).fill('100');
  await credit.getByLabel('發放').selectOption({ label: '每月發放' });
  await form.getByRole('button', { name: '試算合約' }).click();
  await discount.getByText('請輸入大於 0、不超過 100 的百分比，小數最多 4 位。').waitFor();
  await discount.getByLabel(/^百分比/).fill('20');
  await form.getByRole('button', { name: '試算合約' }).click();

  // 1,050 + 210 + 420 were billed; (800 − 100) + (160 − 100) + (320 − 100) and 5 % tax are 735 + 63 + 231.
  const summary = page.getByText('套用這些條件，「晨光」3 個月會少付 NT$651（-38.8%）。');
  await summary.waitFor();
  await page.getByText('我們的營收（未稅）會減少 NT$620。').waitFor();
  const months = page.getByRole('table', { name: '各月明細' });
  await expect(months.getByRole('row').nth(1)).toContainText(
    ['NT$1,050', 'NT$735', '-NT$315', 'NT$1,000', '-NT$200', '-NT$100', 'NT$700', 'NT$35'].join(''),
  );
  await expect(months.getByRole('row').nth(4)).toContainText(
    ['合計', 'NT$1,680', 'NT$1,029', '-NT$651', 'NT$1,600', '-NT$320', '-NT$300', 'NT$980', 'NT$49'].join(''),
  );
  await expect(page.getByRole('table', { name: '額度使用情形' }).getByRole('row').nth(1)).toContainText(
    'NT$300NT$300NT$0NT$0',
  );
  expect(await axeFindings(page)).toEqual([]);

  // The address contains everything: a reload shows the same, and so does the link for somebody else.
  await expect(page).toHaveURL(/terms=/);
  await page.reload();
  await summary.waitFor();
  await expect(form.getByRole('combobox', { name: /^組織/ })).toHaveValue('晨光');
  await expect(discount.getByLabel(/^百分比/)).toHaveValue('20');

  // Other terms are simulated only on request.
  await form.getByLabel('成長率').fill('10');
  await page.getByText('條件已變更，請重新試算。').waitFor();
  await form.getByRole('button', { name: '試算合約' }).click();
  // 1,090, 210 and 430 without terms: 772, 68 and 244 with them, before tax.
  await page.getByText('我們的營收（未稅）會減少 NT$516。').waitFor();
});

test('T-CONTRACT: a commitment changes the months’ costs, charges a quarter’s shortfall, and leaves an open year unsettled', async () => {
  await page.goto(`${journey.address}/admin/contract-simulator`);
  const form = page.getByRole('form', { name: '合約條件' });
  await form.getByRole('combobox', { name: /^組織/ }).fill('晨');
  await page.getByRole('option', { name: /晨光/ }).click();
  await form.getByLabel('已結清的月份').selectOption({ label: '最近 3 個月' });
  await form.getByRole('button', { name: '新增承諾消費' }).click();
  const commitment = form.getByRole('listitem', { name: '承諾消費 1' });
  await commitment.getByLabel(/^每期金額/).fill('2,000\n3,000');
  await commitment.getByLabel(/^承諾內計價/).fill('120');
  await form.getByRole('button', { name: '試算合約' }).click();
  await commitment.getByText('請輸入 1 期的金額，或只輸入一個金額套用到每一期。').waitFor();
  await commitment.getByText('請輸入大於 0、最多 100 的百分比，小數最多 4 位。').waitFor();
  await commitment.getByLabel(/^每期金額/).fill('2,000');
  await commitment.getByLabel(/^承諾內計價/).fill('90');
  await form.getByRole('button', { name: '試算合約' }).click();

  // 900, 180 and 360 at 90 %, and the quarter’s shortfall of 560: 945 + 189 + 966 with tax, where 1,680 were
  // billed.
  const outcome = page.getByText('套用這些條件，「晨光」3 個月會多付 NT$420（+25%）。');
  await outcome.waitFor();
  const months = page.getByRole('table', { name: '各月明細' });
  await expect(months.getByRole('row').nth(3)).toContainText(
    ['NT$420', 'NT$966', '+NT$546', 'NT$400', '+NT$520', 'NT$920', 'NT$46'].join(''),
  );
  await expect(months.getByRole('row').nth(4)).toContainText(
    ['合計', 'NT$1,680', 'NT$2,100', '+NT$420', 'NT$1,600', '+NT$400', 'NT$2,000', 'NT$100'].join(''),
  );
  const periods = page.getByRole('table', { name: '承諾消費各期結果' });
  await expect(periods.getByRole('row').nth(1)).toContainText('1. 每季NT$2,000NT$1,440NT$560已結算');
  expect(await axeFindings(page)).toEqual([]);

  await expect(page).toHaveURL(/commitments/);
  await page.reload();
  await outcome.waitFor();
  await expect(commitment.getByLabel(/^承諾內計價/)).toHaveValue('90');

  // A year is not over after three months: no shortfall is charged.
  await commitment.getByLabel('承諾週期').selectOption({ label: '每年' });
  await form.getByRole('button', { name: '試算合約' }).click();
  await expect(periods.getByRole('row').nth(1)).toContainText(
    '1. 每年NT$2,000NT$1,440NT$0尚未結束目前還差 NT$560，未計入試算',
  );
  await page.getByText('我們的營收（未稅）會減少 NT$160。').waitFor();

  // Of the usage only: 900, 100 and 300 at 90 % are 1,170, which leaves 830.
  await commitment.getByRole('combobox', { name: '適用服務' }).click();
  await page.getByRole('option', { name: '物件儲存' }).click();
  await commitment.getByRole('combobox', { name: '計費項目' }).click();
  await page.getByRole('option', { name: '儲存空間' }).click();
  await form.getByRole('button', { name: '試算合約' }).click();
  await expect(periods.getByRole('row').nth(1)).toContainText('NT$1,170NT$0尚未結束目前還差 NT$830');
  await page.getByText('我們的營收（未稅）會減少 NT$130。').waitFor();
});

test('T-CONTRACT: a customer without a closed month has nothing to simulate, and the page says so', async () => {
  const form = page.getByRole('form', { name: '合約條件' });
  await form.getByRole('combobox', { name: /^組織/ }).fill('新');
  await page.getByRole('option', { name: /新芽/ }).click();
  await form.getByRole('button', { name: '試算合約' }).click();
  await page.getByText('「新芽」還沒有已結清的月份').waitFor();
});
