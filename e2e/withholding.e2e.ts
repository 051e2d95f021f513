// Tax withheld by a customer, in a real browser: recorded on its bill, seen by the customer, reversed,
// recorded again, and in the books.
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  monthBegin,
  monthName,
  startTerms,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let journey: Journey;
let terms: Terms;
let customer: Customer;
const month = monthName(-1);

/** A customer whose last month cost NT$10,000 and NT$500 of tax. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  terms = await startTerms(journey);
  customer = await terms.customer('晨光', 'buyer@customer.example', -1);
  await terms.call('POST', '/admin/billing/close', { month });
});
test.afterAll(() => journey.end());

async function record(amount: string): Promise<void> {
  const { page } = terms;
  await terms.openBill(customer, month);
  await page.getByRole('button', { name: '登記扣繳稅款' }).click();
  const dialog = page.getByRole('dialog', { name: /^登記帳單 B-\d{6}-000001 的扣繳稅款/ });
  await dialog.getByLabel(/^扣繳金額/).fill(amount);
  await dialog.getByLabel(/^扣繳日期/).fill(monthBegin(0).toISOString().slice(0, 10));
  await dialog.getByLabel(/^扣繳憑單編號/).fill('114-0042');
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: '登記扣繳稅款' }).click();
}

test('R-BILL-05 withheld tax is no longer due; more than the amount due is rejected at its field', async () => {
  const { page } = terms;
  await record('10,501');
  await page.getByText('金額不可超過應付金額。').first().waitFor();
  await page.getByRole('button', { name: '取消' }).click();
  await record('1,000');
  await page.getByText('已登記扣繳稅款 NT$1,000。').first().waitFor();

  const own = await journey.openSession(customer);
  await own.goto(`${journey.address}/billing/management?view=payments`);
  await own
    .getByRole('row', { name: /扣繳稅款.*NT\$1,000/ })
    .first()
    .waitFor();
  await terms.openBills(own, month);
  await own
    .getByRole('button', { name: /^立即付款：帳單 .*NT\$9,500/ })
    .first()
    .waitFor();
});

test('once its payment is reversed, the bill is due again; recorded correctly, the books are right', async () => {
  const { page } = terms;
  await page.goto(`${journey.address}/admin/payments?method=withholding`);
  await page.getByRole('row', { name: /晨光/ }).getByText('扣繳稅款').click();
  const panel = page.getByRole('dialog');
  await panel.getByText('114-0042').waitFor();
  await panel.getByRole('button', { name: '撤銷扣繳' }).click();
  const ask = page.getByRole('alertdialog', { name: '撤銷晨光的扣繳稅款？' });
  await ask.getByText('帳單會重新待繳 NT$1,000，客戶會收到通知。').waitFor();
  await ask.getByLabel(/^原因/).fill('金額有誤');
  expect(await axeFindings(page)).toEqual([]);
  await ask.getByRole('button', { name: '撤銷扣繳' }).click();
  await panel.getByText('已撤銷').first().waitFor();
  await record('1,050');
  await page.getByText('已登記扣繳稅款 NT$1,050。').first().waitFor();
  await terms.checkBooks();
  await page.goto(`${journey.address}/admin/ledger`);
  await page.getByRole('row', { name: /已被扣繳稅款.*1,050/ }).waitFor();
});
