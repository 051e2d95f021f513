// How terms end, in a real browser: a discount for one bill is used up, monthly and prepaid credit expires, a bill with terms is credited,
// issued again after its credit expired, and a minimum spend says what it adds.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@course.example', password: 'another long passphrase' };
const hourMs = 3_600_000;
const twd = (amount: string) => ({ amount, currency: 'TWD' });
const named = (zhTW: string, enUS: string) => ({ zhTW, enUS });
let journey: Journey;
let page: Page;
let own: Page;
let token: string;
let organizationId: string;
/** The last month that is over, in Taipei. */
let month: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const now = new Date(Date.now() + 8 * hourMs);
  const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) - 8 * hourMs);
  month = new Date(begin.getTime() + 8 * hourMs).toISOString().slice(0, 7);
  ({
    user: { organizationId },
  } = await journey.call<{ user: { organizationId: string } }>('POST', '/user/register', {
    email: owner.account,
    name: '採購',
    password: owner.password,
    organization: '晨光科技',
    agreeToTerms: true,
  }));
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '主機',
      type: '運算',
      category: '自有',
      currency: 'TWD',
      charges: [
        { key: 'fee', name: named('月費', 'Fee'), kind: 'recurring', model: 'flat', amount: '10000' },
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
  const { id: discountId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/discounts',
    {
      name: named('首期優惠', 'First bill'),
      reduction: { kind: 'percent', percent: '10' },
      duration: { kind: 'once' },
      scope: null,
    },
    token,
  );
  await journey.call(
    'POST',
    `/admin/discounts/${discountId}/redemptions`,
    { organizationId, fromMonth: month },
    token,
  );
  const { token: customer } = await journey.call<{ token: string }>('POST', '/user/login', owner);
  const { id: paymentId } = await journey.call<{ id: string }>(
    'POST',
    '/billing/top-ups',
    { amount: twd('3000') },
    customer,
  );
  await journey.call('POST', `/admin/payments/${paymentId}/confirm`, {}, token);
  const give = (more: object) =>
    journey.call('POST', '/admin/credit-grants', { organizationId, startsOn: month, ...more }, token);
  await give({
    kind: 'paid',
    name: named('短期預付', 'Short plan'),
    amount: twd('3000'),
    expiresOn: `${month}-15`,
    scope: { services: null, usageOnly: true },
  });
  await give({
    kind: 'promotional',
    name: named('每月贈送', 'Monthly gift'),
    amount: twd('400'),
    recurring: { rollover: false },
  });
  await journey.call(
    'POST',
    '/admin/one-off-charges',
    {
      organizationId,
      name: named('資料搬遷', 'Data migration'),
      kind: 'charge',
      quantity: '3',
      unitPrice: '800',
      currency: 'TWD',
      chargeOn: `${month}-20`,
    },
    token,
  );
  page = await journey.openSession(operator);
  own = await journey.openSession(owner);
});
test.afterAll(async () => {
  await journey.end();
});

/** The row of a bill's line, by what it is called. */
const row = (name: RegExp) => own.getByRole('row', { name });
const openBill = () => own.goto(`${journey.address}/billing/management?month=${month}`);
async function openGrant(name: RegExp) {
  await page.goto(`${journey.address}/admin/credit-grants`);
  await page.getByRole('row', { name }).first().click();
  return page.getByRole('dialog', { name });
}

test('R-BILL-05 the bill uses up a discount for one bill and the month’s credit, and explains a one-off charge', async () => {
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page.getByRole('button', { name: /^結清/ }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 1 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  await openBill();
  // 10,000 and 2,400 less 10 % is 11,160; less 400 it is 10,760, and 538 of tax.
  await expect(row(/^首期優惠/)).toContainText('-NT$1,240');
  await expect(row(/^每月贈送/)).toContainText('-NT$400');
  await expect(row(/^含稅總額/)).toContainText('NT$11,298');
  await own.getByRole('button', { name: '資料搬遷：查看計算方式' }).click();
  const why = own.getByRole('dialog');
  await expect(why).toContainText('2,400');
  await expect(why).toContainText('800');
  await own.goto(`${journey.address}/billing/credits`);
  await expect(own.getByRole('list', { name: '我的折扣' })).toContainText('已用完');
  expect(await axeFindings(own)).toEqual([]);
});

test('T-GRANT: prepaid credit whose month is closed expires, and its history says so', async () => {
  const panel = await openGrant(/短期預付/);
  await expect(panel).toContainText('到期');
  await expect(panel).toContainText('-NT$3,000');
  await page.goto(`${journey.address}/admin/ledger`);
  await page.getByRole('tab', { name: '查核' }).click();
  await page.getByRole('button', { name: '查核帳務' }).click();
  await page.getByText('帳務全部正確。').waitFor();
});

test('R-BILL-05 a credit note takes back what was charged after the discount', async () => {
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page
    .getByRole('row', { name: /晨光科技/ })
    .first()
    .click();
  await page.getByRole('group', { name: '更正帳單' }).getByRole('button', { name: '開立折讓單' }).click();
  const dialog = page.getByRole('dialog', { name: /^折讓帳單/ });
  await dialog.getByRole('combobox', { name: '折讓方式' }).selectOption('percent');
  await dialog.getByRole('textbox', { name: /百分比|比例/ }).fill('50');
  await dialog.getByLabel(/^原因/).fill('服務中斷');
  // Half of 10,760 and of its tax.
  await dialog.getByRole('button', { name: '開立 NT$5,649 的折讓單' }).click();
  await expect(page.getByRole('list', { name: '折讓單' })).toContainText('服務中斷');
});

test('T-GRANT: a voided bill gives the month’s credit and the discount back, and the bill in its place uses them again', async () => {
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    `/admin/bills?month=${month}`,
    undefined,
    token,
  );
  await journey.call('POST', `/admin/bills/${items[0]?.id}/reissue`, { reason: '重開' }, token);
  await openBill();
  await expect(row(/^含稅總額/).first()).toContainText('NT$11,298');
  const panel = await openGrant(/每月贈送/);
  await expect(panel).toContainText('帳單作廢退回');
});

test('T-ONEOFF: a minimum spend is on the running month, and its panel says what it added to bills', async () => {
  await journey.call('POST', '/admin/minimum-spends', { organizationId, amount: twd('50000') }, token);
  await own.goto(`${journey.address}/billing/management`);
  // 50,000 less the fee of 10,000.
  await expect(row(/補足每月最低消費/).first()).toContainText('40,000');
  await page.goto(`${journey.address}/admin/one-off-charges`);
  await page.getByRole('row', { name: /晨光科技.*適用中.*NT\$50,000.*NT\$0/ }).waitFor();
  await page.getByRole('row', { name: /晨光科技.*適用中/ }).click();
  const panel = page.getByRole('dialog', { name: '每月最低消費' });
  await expect(panel).toContainText('還沒有帳單因為這項最低消費補足差額。');
  await page.reload();
  await expect(panel).toContainText('帳單補足總額');
  expect(await axeFindings(page)).toEqual([]);
});
