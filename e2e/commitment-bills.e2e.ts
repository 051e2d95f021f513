// A commitment on bills, in a real browser: its rate, the shortfall at the end of its period, and the
// explanation.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  creditBill,
  monthName,
  named,
  startTerms,
  twd,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

/** The last closed month, in Taipei. */
const month = monthName(-1);
let terms: Terms;
let customer: Customer;
let page: Page;
let own: Page;

test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney());
  const { call, serviceId } = terms;
  customer = await terms.customer('晨光科技', 'owner@committed.example', -1);
  const { organizationId } = customer;
  await call('POST', '/admin/commitments', {
    organizationId,
    name: named('每月承諾', 'Monthly commitment'),
    startsOn: month,
    months: 12,
    period: 'month',
    amounts: [twd('12000')],
    committedPercent: '90',
  });
  // For the fee of another service only, so nothing of it is used before it ends.
  await call('POST', '/admin/credit-grants', {
    organizationId,
    kind: 'promotional',
    name: named('試用額度', 'Trial credit'),
    amount: twd('800'),
    scope: { services: [serviceId], usageOnly: true },
    startsOn: month,
    expiresOn: `${month}-15`,
  });
  ({ page } = terms);
  own = await terms.journey.openSession(customer);
});
test.afterAll(async () => {
  await terms.journey.end();
});

test('T-COMMIT: the running month forecasts a true-up, and the customer sees its amount', async () => {
  await own.goto(`${terms.journey.address}/billing/credits`);
  await expect(own.getByText('預估補差額 NT$3,000')).toBeVisible();
});

test('T-COMMIT: the month is closed; its bill shows the rate and the shortfall, with explanations', async () => {
  await terms.closeMonth(month, 1);
  await terms.openBills(own, month);
  // 10,000 at 90 %, 3,000 to 12,000, and 600 of tax.
  await expect(own.getByText('NT$12,600').first()).toBeVisible();
  const rate = await terms.why(own, '每月承諾');
  await expect(rate).toContainText('承諾金額用完前，以下項目按折扣後價格的 90% 計費');
  await expect(rate).toContainText('-1,000');
  await rate.getByRole('button', { name: '關閉' }).click();
  const missing = await terms.why(own, '每月承諾', 1);
  await expect(missing).toContainText('承諾消費補差額');
  await expect(missing.getByRole('row', { name: /承諾金額.*12,000/ })).toBeVisible();
  await expect(missing.getByRole('row', { name: /已計入承諾.*9,000/ })).toBeVisible();
  await expect(missing.getByRole('row', { name: /小計.*3,000/ })).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
});

test('T-COMMIT: an Admin opens the same explanation in the bill’s panel', async () => {
  await terms.openBill(customer, month);
  await terms.why(page, '每月承諾');
  const why = page.getByRole('dialog', { name: '這個項目怎麼算' });
  await expect(why).toContainText('承諾金額用完前，以下項目按折扣後價格的 90% 計費');
  await expect(why).toContainText('-1,000');
});

test('T-COMMIT: the shortfall is refunded by a credit note, and unused credit expires', async () => {
  const corrections = await terms.openBill(customer, month);
  await creditBill(
    page,
    corrections,
    { lines: { 每月承諾: '1000' } },
    '協議退回',
    'NT$1,050',
    async (dialog) => {
      await expect(dialog.getByRole('row', { name: /未使用的額度與承諾/ })).toContainText('NT$1,000');
    },
  );
  await own.goto(`${terms.journey.address}/billing/credits`);
  await own.getByRole('button', { name: '顯示已結束的 1 筆' }).click();
  const ended = own.getByRole('list', { name: '已結束的額度' });
  await expect(ended).toContainText('試用額度');
  await expect(ended).toContainText('已到期');
});

test('T-COMMIT: a void bill returns what it used; its replacement uses it again, and the books are right', async () => {
  await page.goto(`${terms.journey.address}/admin/commitments`);
  await page.getByRole('button', { name: /^晨光科技/ }).click();
  const panel = page.getByRole('dialog', { name: '每月承諾' });
  await expect(panel).toContainText('補差額 NT$3,000');
  const { items } = await terms.call<{ items: { id: string }[] }>('GET', `/admin/bills?month=${month}`);
  await terms.call('POST', `/admin/bills/${items[0]?.id}/reissue`, { reason: '重開' });
  await terms.openBills(own, month);
  await expect(own.getByText('NT$12,600').first()).toBeVisible();
  await terms.checkBooks();
  await page.getByRole('row', { name: /承諾期末補足的金額正確.*正確/ }).waitFor();
});
