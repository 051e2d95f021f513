// How terms end, in a real browser: a discount for one bill is used up, monthly and prepaid credit expires, a
// bill with terms is credited and reissued after its credit expired, and a minimum spend shows what it adds.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  billRow,
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
  const { call, journey } = terms;
  customer = await terms.customer('晨光科技', 'owner@course.example', -1);
  const { organizationId } = customer;
  const { id: discountId } = await call<{ id: string }>('POST', '/admin/discounts', {
    name: named('首期優惠', 'First bill'),
    reduction: { kind: 'percent', percent: '10' },
    duration: { kind: 'once' },
    scope: null,
  });
  await call('POST', `/admin/discounts/${discountId}/redemptions`, { organizationId, fromMonth: month });
  await terms.topUp(customer, '3000');
  const give = (more: object) =>
    call('POST', '/admin/credit-grants', { organizationId, startsOn: month, ...more });
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
  await call('POST', '/admin/one-off-charges', {
    organizationId,
    name: named('資料搬遷', 'Data migration'),
    kind: 'charge',
    quantity: '3',
    unitPrice: '800',
    currency: 'TWD',
    chargeOn: `${month}-20`,
  });
  ({ page } = terms);
  own = await journey.openSession(customer);
});
test.afterAll(async () => {
  await terms.journey.end();
});

const row = (name: RegExp) => billRow(own, name);
async function openGrant(name: RegExp) {
  await page.goto(`${terms.journey.address}/admin/credit-grants`);
  await page.getByRole('row', { name }).first().click();
  return page.getByRole('dialog', { name });
}

test('R-BILL-05 the bill uses up a discount for one bill and the month’s credit, and explains a one-off charge', async () => {
  await terms.closeMonth(month, 1);
  await terms.openBills(own, month);
  // 10,000 and 2,400 less 10 % is 11,160; less 400 it is 10,760, and 538 of tax.
  await expect(row(/^首期優惠/)).toContainText('-NT$1,240');
  await expect(row(/^每月贈送/)).toContainText('-NT$400');
  await expect(row(/^含稅總額/)).toContainText('NT$11,298');
  const why = await terms.why(own, '資料搬遷');
  await expect(why).toContainText('2,400');
  await expect(why).toContainText('800');
  await own.goto(`${terms.journey.address}/billing/credits`);
  await expect(own.getByRole('list', { name: '我的折扣' })).toContainText('已用完');
  expect(await axeFindings(own)).toEqual([]);
});

test('T-GRANT: prepaid credit of a closed month expires, and its history says so', async () => {
  const panel = await openGrant(/短期預付/);
  await expect(panel).toContainText('到期');
  await expect(panel).toContainText('-NT$3,000');
  await terms.checkBooks();
});

test('R-BILL-05 a credit note returns what was charged after the discount', async () => {
  // Half of 10,760 and of its tax.
  const corrections = await terms.openBill(customer, month);
  await creditBill(page, corrections, { percent: '50' }, '服務中斷', 'NT$5,649');
});

test('T-GRANT: a voided bill returns the month’s credit and the discount, and its replacement uses them again', async () => {
  const { items } = await terms.call<{ items: { id: string }[] }>('GET', `/admin/bills?month=${month}`);
  await terms.call('POST', `/admin/bills/${items[0]?.id}/reissue`, { reason: '重開' });
  await terms.openBills(own, month);
  await expect(row(/^含稅總額/).first()).toContainText('NT$11,298');
  const panel = await openGrant(/每月贈送/);
  await expect(panel).toContainText('帳單作廢退回');
});

test('T-ONEOFF: a minimum spend is on the running month, and its panel shows what it added to bills', async () => {
  await terms.call('POST', '/admin/minimum-spends', {
    organizationId: customer.organizationId,
    amount: twd('50000'),
  });
  await terms.openBills(own);
  // 50,000 less the fee of 10,000.
  await expect(row(/補足每月最低消費/).first()).toContainText('40,000');
  await page.goto(`${terms.journey.address}/admin/one-off-charges`);
  await page.getByRole('row', { name: /晨光科技.*適用中.*NT\$50,000.*NT\$0/ }).waitFor();
  await page.getByRole('row', { name: /晨光科技.*適用中/ }).click();
  const panel = page.getByRole('dialog', { name: '每月最低消費' });
  await expect(panel).toContainText('還沒有帳單因為這項最低消費補足差額。');
  await page.reload();
  await expect(panel).toContainText('帳單補足總額');
  expect(await axeFindings(page)).toEqual([]);
});
