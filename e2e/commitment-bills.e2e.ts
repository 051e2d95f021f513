// A commitment on bills, in a real browser: its rate and what is missing at the end of its period, and why.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@committed.example', password: 'another long passphrase' };
const hourMs = 3_600_000;
let journey: Journey;
let page: Page;
let own: Page;
let token: string;
/** The last month that is over, in Taipei. */
let month: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const now = new Date(Date.now() + 8 * hourMs);
  const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) - 8 * hourMs);
  month = new Date(begin.getTime() + 8 * hourMs).toISOString().slice(0, 7);
  const { user } = await journey.call<{ user: { organizationId: string } }>('POST', '/user/register', {
    email: owner.account,
    name: '採購',
    password: owner.password,
    organization: '晨光科技',
    agreeToTerms: true,
  });
  const { organizationId } = user;
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '主機',
      type: '運算',
      category: '自有',
      currency: 'TWD',
      charges: [
        {
          key: 'fee',
          name: { zhTW: '月費', enUS: 'Fee' },
          kind: 'recurring',
          model: 'flat',
          amount: '10000',
        },
      ],
    },
    token,
  );
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId, serviceId, startedAt: begin.toISOString() },
    token,
  );
  await journey.call(
    'POST',
    '/admin/commitments',
    {
      organizationId,
      name: { zhTW: '每月承諾', enUS: 'Monthly commitment' },
      startsOn: month,
      months: 12,
      period: 'month',
      amounts: [{ amount: '12000', currency: 'TWD' }],
      committedPercent: '90',
    },
    token,
  );
  // For the fee of another service alone, so nothing of it is used before it ends.
  await journey.call(
    'POST',
    '/admin/credit-grants',
    {
      organizationId,
      kind: 'promotional',
      name: { zhTW: '試用額度', enUS: 'Trial credit' },
      amount: { amount: '800', currency: 'TWD' },
      scope: { services: [serviceId], usageOnly: true },
      startsOn: month,
      expiresOn: `${month}-15`,
    },
    token,
  );
  page = await journey.openSession(operator);
  own = await journey.openSession(owner);
});
test.afterAll(async () => {
  await journey.end();
});

test('T-COMMIT: the running month is on its way to a true-up, and the customer sees how much', async () => {
  await own.goto(`${journey.address}/billing/credits`);
  await expect(own.getByText('預計補差額 NT$3,000')).toBeVisible();
});

test('T-COMMIT: the month is closed; its bill has the rate and what is missing, and says why', async () => {
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page.getByRole('button', { name: /^結清/ }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 1 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  await own.goto(`${journey.address}/billing/management?month=${month}`);
  // 10,000 at 90 %, 3,000 to 12,000, and 600 of tax.
  await expect(own.getByText('NT$12,600').first()).toBeVisible();
  await own
    .getByRole('button', { name: /^每月承諾：查看計算方式/ })
    .first()
    .click();
  const rate = own.getByRole('dialog');
  await expect(rate).toContainText('承諾金額用完前，以下項目按折扣後價格的 90% 計費');
  await expect(rate).toContainText('-1,000');
  await rate.getByRole('button', { name: '關閉' }).click();
  await own
    .getByRole('button', { name: /^每月承諾：查看計算方式/ })
    .last()
    .click();
  const missing = own.getByRole('dialog');
  await expect(missing).toContainText('承諾消費補差額');
  await expect(missing.getByRole('row', { name: /承諾金額.*12,000/ })).toBeVisible();
  await expect(missing.getByRole('row', { name: /已計入承諾.*9,000/ })).toBeVisible();
  await expect(missing.getByRole('row', { name: /小計.*3,000/ })).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
});

test('T-COMMIT: what is missing is refunded by a credit note, and credit that nobody used is over', async () => {
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page
    .getByRole('row', { name: /晨光科技/ })
    .first()
    .click();
  await page.getByRole('group', { name: '更正帳單' }).getByRole('button', { name: '開立折讓單' }).click();
  const dialog = page.getByRole('dialog', { name: /^折讓帳單/ });
  await dialog.getByRole('combobox', { name: '折讓方式' }).selectOption('lines');
  await dialog
    .getByRole('row', { name: /^每月承諾/ })
    .getByRole('textbox')
    .fill('1000');
  await expect(dialog.getByRole('row', { name: /未使用的額度與承諾/ })).toContainText('NT$1,000');
  await dialog.getByLabel(/^原因/).fill('協議退回');
  await dialog.getByRole('button', { name: '開立 NT$1,050 的折讓單' }).click();
  await expect(page.getByRole('list', { name: '折讓單' })).toContainText('協議退回');
  await own.goto(`${journey.address}/billing/credits`);
  await own.getByRole('button', { name: '顯示已結束的 1 筆' }).click();
  const ended = own.getByRole('list', { name: '已結束的額度' });
  await expect(ended).toContainText('試用額度');
  await expect(ended).toContainText('已到期');
});

test('T-COMMIT: a void bill gives back what it drew; the one in its place draws it again, and the books are right', async () => {
  await page.goto(`${journey.address}/admin/commitments`);
  await page.getByRole('button', { name: /^晨光科技/ }).click();
  const panel = page.getByRole('dialog', { name: '每月承諾' });
  await expect(panel).toContainText('補差額 NT$3,000');
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    `/admin/bills?month=${month}`,
    undefined,
    token,
  );
  await journey.call('POST', `/admin/bills/${items[0]?.id}/reissue`, { reason: '重開' }, token);
  await own.goto(`${journey.address}/billing/management?month=${month}`);
  await expect(own.getByText('NT$12,600').first()).toBeVisible();
  await page.goto(`${journey.address}/admin/ledger`);
  await page.getByRole('tab', { name: '查核' }).click();
  await page.getByRole('button', { name: '查核帳務' }).click();
  await page.getByText('帳務全部正確。').waitFor();
  await page.getByRole('row', { name: /承諾期末補足的金額正確.*正確/ }).waitFor();
});
