// Terms of a customer, in a real browser: granted, on the bill, explained, withdrawn and returned; and a
// separate process checks the books.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  billRow,
  monthName,
  named,
  reissueBill,
  startTerms,
  twd,
  voidBill,
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
  customer = await terms.customer('晨光科技', 'owner@terms.example', -1);
  ({ page } = terms);
  own = await terms.journey.openSession(customer);
});
test.afterAll(async () => {
  await terms.journey.end();
});

const row = (name: RegExp) => billRow(own, name);

test('R-BILL-05 an Admin grants a discount from the last month on', async () => {
  await terms.call('POST', '/admin/discounts', {
    name: named('開幕優惠', 'Opening offer'),
    reduction: { kind: 'percent', percent: '20' },
    maximum: twd('1500'),
    duration: { kind: 'months', months: 3 },
    scope: null,
  });
  await page.goto(`${terms.journey.address}/admin/discounts`);
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
  const { organizationId } = customer;
  await terms.topUp(customer, '20000');
  for (const [kind, amount, name] of [
    ['promotional', '2000', named('迎新額度', 'Welcome credit')],
    ['paid', '5000', named('預付方案', 'Prepaid plan')],
  ] as const)
    await terms.call('POST', '/admin/credit-grants', {
      organizationId,
      kind,
      name,
      amount: twd(amount),
      startsOn: month,
    });
  await terms.call('POST', '/admin/one-off-charges', {
    organizationId,
    name: named('資料搬遷', 'Data migration'),
    kind: 'charge',
    quantity: '3',
    unitPrice: '800',
    currency: 'TWD',
    chargeOn: `${month}-20`,
  });
  await terms.openBills(own);
  await own.getByRole('link', { name: '額度與優惠' }).click();
  await own.getByRole('heading', { level: 1, name: '額度與優惠' }).waitFor();
  await expect(own.getByRole('list', { name: '額度' }).first()).toContainText('迎新額度');
  await expect(own.getByText('開幕優惠').first()).toBeVisible();
  await expect(own.getByText('資料搬遷').first()).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
});

test('R-BILL-01 the month is closed; each term is on the bill with its calculation', async () => {
  await terms.closeMonth(month, 1);
  await terms.openBills(own, month);
  // 10,000 and 2,400, less 1,500 (20 % would be 2,480) and 2,000: 8,900 and 445 of tax.
  await expect(row(/^資料搬遷/)).toContainText('NT$2,400');
  await expect(row(/^開幕優惠/)).toContainText('-NT$1,500');
  await expect(row(/^迎新額度/)).toContainText('-NT$2,000');
  await expect(row(/^未稅金額/)).toContainText('NT$8,900');
  await expect(row(/^含稅總額/)).toContainText('NT$9,345');
  await expect(own.getByText('NT$4,345').first()).toBeVisible();
  const why = await terms.why(own, '開幕優惠');
  await expect(why).toContainText('以下各項目的 20%，每月最多 NT$1,500。');
  // Distributed by what each line would have reduced: 2,000 and 480 of 2,480.
  await expect(why).toContainText('主機：月費');
  await expect(why).toContainText('-1,210');
  await expect(why).toContainText('-290');
  expect(await axeFindings(own)).toEqual([]);
});

test('R-BILL-05 a void bill returns all of it, and its replacement uses it again', async () => {
  const corrections = await terms.openBill(customer, month);
  await voidBill(page, corrections, '品項有誤', async (ask) => {
    await expect(ask.getByRole('row', { name: /遞延收入/ })).toContainText('NT$5,000');
    await expect(ask.getByText('退回預付額度')).toBeVisible();
  });
  await own.goto(`${terms.journey.address}/billing/credits`);
  const grants = own.getByRole('list', { name: '額度' }).first();
  await expect(grants).toContainText('NT$5,000');
  await expect(grants).toContainText('NT$2,000');
  await reissueBill(page, corrections);
  await terms.openBills(own, month);
  await expect(row(/^含稅總額/).first()).toContainText('NT$9,345');
  await expect(own.getByText(/^B-\d{6}-000001$/).first()).toBeVisible();
});

test('R-BILL-03 the rest after credit is paid, and a separate process finds the books right', async () => {
  await own
    .getByRole('button', { name: /^立即付款/ })
    .first()
    .click();
  await own.getByRole('dialog').getByRole('button', { name: '支付 NT$4,345' }).click();
  await own.getByText('付款完成').first().waitFor();
  await terms.checkBooks();
  await page.getByRole('row', { name: /額度餘額等於異動合計.*正確/ }).waitFor();
});
