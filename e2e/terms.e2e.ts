// What is agreed with a customer, in a real browser: given, on the bill, explained, taken back and given back; and the
// books are checked by a process of their own.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@terms.example', password: 'another long passphrase' };
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
  const { user } = await journey.call<{ user: { organizationId: string } }>('POST', '/user/register', {
    email: owner.account,
    name: '採購',
    password: owner.password,
    organization: '晨光科技',
    agreeToTerms: true,
  });
  ({ organizationId } = user);
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
  page = await journey.openSession(operator);
  own = await journey.openSession(owner);
});
test.afterAll(async () => {
  await journey.end();
});

/** The row of a bill's line, by what it is called. */
const row = (name: RegExp) => own.getByRole('row', { name });
const openBill = () => own.goto(`${journey.address}/billing/management?month=${month}`);

test('R-BILL-05 an Admin gives a discount from the last month on', async () => {
  await journey.call(
    'POST',
    '/admin/discounts',
    {
      name: named('開幕優惠', 'Opening offer'),
      reduction: { kind: 'percent', percent: '20' },
      maximum: twd('1500'),
      duration: { kind: 'months', months: 3 },
      scope: null,
    },
    token,
  );
  await page.goto(`${journey.address}/admin/discounts`);
  await page.getByRole('row', { name: /開幕優惠/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '給予組織' }).click();
  const form = page.getByRole('dialog', { name: /給予/ }).last();
  await form.getByRole('combobox', { name: /^組織/ }).fill('晨光');
  await page.getByRole('option', { name: /^晨光科技/ }).click();
  await form.getByRole('combobox', { name: '從哪個月的帳單開始' }).selectOption(month);
  await form.getByRole('button', { name: /給予/ }).click();
  await page.getByText('「晨光科技」已擁有「開幕優惠」。').first().waitFor();
});

test('R-BILL-05 credit, a one-off charge and a minimum spend are agreed', async () => {
  const { token: customer } = await journey.call<{ token: string }>('POST', '/user/login', owner);
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/billing/top-ups',
    { amount: twd('20000') },
    customer,
  );
  await journey.call('POST', `/admin/payments/${id}/confirm`, {}, token);
  for (const [kind, amount, name] of [
    ['promotional', '2000', named('迎新額度', 'Welcome credit')],
    ['paid', '5000', named('預付方案', 'Prepaid plan')],
  ] as const)
    await journey.call(
      'POST',
      '/admin/credit-grants',
      { organizationId, kind, name, amount: twd(amount), startsOn: month },
      token,
    );
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
  await own.goto(`${journey.address}/billing/management`);
  await own.getByRole('link', { name: '額度與優惠' }).click();
  await own.getByRole('heading', { level: 1, name: '額度與優惠' }).waitFor();
  await expect(own.getByRole('list', { name: '額度' }).first()).toContainText('迎新額度');
  await expect(own.getByText('開幕優惠').first()).toBeVisible();
  await expect(own.getByText('資料搬遷').first()).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
});

test('R-BILL-01 the month is closed; each is on the bill and says how it comes about', async () => {
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page.getByRole('button', { name: /^結清/ }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 1 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  await openBill();
  // 10,000 and 2,400, less 1,500 (20 % would be 2,480) and 2,000: 8,900 and 445 of tax.
  await expect(row(/^資料搬遷/)).toContainText('NT$2,400');
  await expect(row(/^開幕優惠/)).toContainText('-NT$1,500');
  await expect(row(/^迎新額度/)).toContainText('-NT$2,000');
  await expect(row(/^未稅金額/)).toContainText('NT$8,900');
  await expect(row(/^含稅總額/)).toContainText('NT$9,345');
  await expect(own.getByText('NT$4,345').first()).toBeVisible();
  await own.getByRole('button', { name: '開幕優惠：查看計算方式' }).click();
  const why = own.getByRole('dialog');
  await expect(why).toContainText('以下各項目的 20%，每月最多 NT$1,500。');
  // Spread by what each line would have given: 2,000 and 480 of 2,480.
  await expect(why).toContainText('主機：月費');
  await expect(why).toContainText('-1,210');
  await expect(why).toContainText('-290');
  expect(await axeFindings(own)).toEqual([]);
});

test('R-BILL-05 a void bill gives all of it back, and the one in its place uses it again', async () => {
  await openBill();
  const number = /^B-\d{6}-000001$/;
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page
    .getByRole('row', { name: /晨光科技/ })
    .first()
    .click();
  const corrections = page.getByRole('group', { name: '更正帳單' });
  await corrections.getByRole('button', { name: '作廢' }).click();
  const ask = page.getByRole('dialog', { name: /^作廢帳單/ });
  await expect(ask.getByRole('row', { name: /遞延收入/ })).toContainText('NT$5,000');
  await expect(ask.getByText('退回預付額度')).toBeVisible();
  await ask.getByLabel(/^原因/).fill('品項有誤');
  await ask.getByRole('button', { name: /^作廢/ }).click();
  await page.getByText(/此帳單已於.*作廢：品項有誤/).waitFor();
  await own.goto(`${journey.address}/billing/credits`);
  const grants = own.getByRole('list', { name: '額度' }).first();
  await expect(grants).toContainText('NT$5,000');
  await expect(grants).toContainText('NT$2,000');
  await corrections.getByRole('button', { name: '重新開立' }).click();
  const anew = page.getByRole('dialog', { name: /^重新開立帳單/ });
  await anew.getByRole('button', { name: /重新開立/ }).click();
  await page.getByText(/^取代已作廢的帳單/).waitFor();
  await openBill();
  await expect(row(/^含稅總額/).first()).toContainText('NT$9,345');
  await expect(own.getByText(number).first()).toBeVisible();
});

test('R-BILL-03 what credit leaves is paid, and a process of its own finds the books in order', async () => {
  await own
    .getByRole('button', { name: /^立即付款/ })
    .first()
    .click();
  await own.getByRole('dialog').getByRole('button', { name: '支付 NT$4,345' }).click();
  await own.getByText('付款完成').first().waitFor();
  await page.goto(`${journey.address}/admin/ledger`);
  await page.getByRole('tab', { name: '查核' }).click();
  await page.getByRole('button', { name: '查核帳務' }).click();
  await page.getByText('帳務全部正確。').waitFor();
  await page.getByRole('row', { name: /額度餘額等於異動合計.*正確/ }).waitFor();
});
