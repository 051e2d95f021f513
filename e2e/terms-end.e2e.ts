// How each term is granted, used up, ended, returned and explained, in a real browser: customers side by side
// in one running month, which is closed after the console’s clock has moved into the next one; then a
// separate process checks the books.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  billRow,
  creditBill,
  monthName,
  named,
  reissueBill,
  startTerms,
  twd,
  voidBill,
  withMovableClock,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const before = monthName(-1);
const month = monthName(0);
let terms: Terms;
let page: Page;
let own: Page;
let address: string;
/** Each customer has different terms. */
let discounted: Customer, coded: Customer, late: Customer, minimal: Customer;
let gifted: Customer, committed: Customer, overpaid: Customer;

test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney(withMovableClock));
  ({ page } = terms);
  ({ address } = terms.journey);
  const { call } = terms;
  discounted = await terms.customer('晨光', 'owner@discounted.example', -1);
  coded = await terms.customer('青山', 'owner@coded.example', 0);
  late = await terms.customer('海灣', 'owner@late.example');
  minimal = await terms.customer('大樹', 'owner@minimal.example', 0);
  gifted = await terms.customer('流星', 'owner@gifted.example', 0);
  committed = await terms.customer('遠航', 'owner@committed.example', 0);
  overpaid = await terms.customer('小河', 'owner@overpaid.example', 0);
  const discount = (zhTW: string, enUS: string, more: object) =>
    call<{ id: string }>('POST', '/admin/discounts', {
      name: named(zhTW, enUS),
      reduction: { kind: 'percent', percent: '10' },
      scope: null,
      ...more,
    });
  const { id } = await discount('單月優惠', 'One month', { duration: { kind: 'months', months: 1 } });
  await call('POST', `/admin/discounts/${id}/redemptions`, {
    organizationId: discounted.organizationId,
    fromMonth: before,
  });
  await discount('首單九折', 'First bill', {
    duration: { kind: 'once' },
    code: 'FIRST-10',
    maxRedemptions: 1,
  });
  await discount('本月限定', 'This month alone', {
    duration: { kind: 'forever' },
    code: 'THIS-MONTH',
    redeemableUntil: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10),
  });
  await call('POST', '/admin/commitments', {
    organizationId: committed.organizationId,
    name: named('單月承諾', 'One month’s commitment'),
    startsOn: month,
    months: 1,
    period: 'month',
    amounts: [twd('6000')],
    committedPercent: '80',
    overagePercent: '120',
  });
  await call('POST', '/admin/billing/close', { month: before });
  own = await terms.journey.openSession(coded);
});
test.afterAll(async () => {
  await terms.journey.end();
});

/**
 * Signs another customer in at the customers’ browser, and opens the page of credit and discounts, or the
 * bills.
 */
async function asCustomer(who: Customer, bills?: { readonly of: string | undefined }): Promise<void> {
  // Nothing of the previous customer stays: an open page, or one that knows another user, returns to the
  // start.
  await own.evaluate(() => localStorage.clear());
  await own.goto('about:blank');
  await terms.journey.openSession(who, own);
  await (bills ? terms.openBills(own, bills.of) : own.goto(`${address}/billing/credits`));
}
/** For {@link asCustomer}: the running month. */
const running = { of: undefined };
const closed = { of: month };
const row = (name: RegExp) => billRow(own, name);
const discounts = () => own.getByRole('list', { name: '我的折扣' });

test('T-DISC: a code for one customer is redeemed, and the next customer sees that it is used up', async () => {
  await own.goto(`${address}/billing/credits`);
  const enter = async (code: string) => {
    await own.getByRole('button', { name: '輸入優惠碼' }).first().click();
    const dialog = own.getByRole('dialog', { name: '優惠碼' });
    await dialog.getByRole('textbox', { name: /^優惠碼/ }).fill(code);
    await dialog.getByRole('button', { name: '套用' }).click();
    return dialog;
  };
  const dialog = await enter('first-10');
  await expect(dialog).toContainText('折抵 10%，限一期帳單');
  await dialog.getByRole('button', { name: '使用優惠碼' }).click();
  await expect(discounts()).toContainText('下一期帳單');
  await asCustomer(late);
  await expect(await enter('first-10')).toContainText('這項折扣的使用次數已滿，請改用其他折扣。');
  expect(await axeFindings(own)).toEqual([]);
});

test('T-ONEOFF: a minimum spend is set, and the running month explains its shortfall', async () => {
  await page.goto(`${address}/admin/one-off-charges`);
  await page.getByRole('button', { name: '設定最低消費' }).click();
  const dialog = page.getByRole('dialog', { name: '設定最低消費' });
  await dialog.getByRole('combobox', { name: /^組織/ }).fill('大');
  await page.getByRole('option', { name: /^大樹/ }).click();
  await dialog.getByLabel(/^每月最低金額/).fill('50,000');
  await dialog.getByRole('button', { name: '設定最低消費', exact: true }).click();
  await page.getByRole('row', { name: /大樹.*適用中.*NT\$50,000/ }).waitFor();
  await asCustomer(minimal, running);
  await expect(row(/^補足每月最低消費/)).toContainText('NT$40,000');
  const why = await terms.why(own, '補足每月最低消費');
  await expect(why.getByRole('row', { name: /約定的每月最低消費.*50,000/ })).toBeVisible();
  await expect(why.getByRole('row', { name: /本月已計費.*-10,000/ })).toBeVisible();
  await expect(why.getByRole('row', { name: /小計.*40,000/ })).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
});

test('T-ONEOFF: a credit larger than the bill is created, and shows where the rest goes', async () => {
  await page.getByRole('button', { name: '建立單次費用' }).first().click();
  const dialog = page.getByRole('dialog', { name: '建立單次費用' });
  await dialog.getByRole('combobox', { name: /^組織/ }).fill('小');
  await page.getByRole('option', { name: /^小河/ }).click();
  await dialog.getByLabel(/^類別/).selectOption({ label: '折抵' });
  await dialog.getByText('若整張帳單因此低於零，差額會轉入組織的餘額。').waitFor();
  await dialog.getByLabel(/^中文名稱/).fill('中斷補償');
  await dialog.getByLabel(/^英文名稱/).fill('Outage credit');
  await dialog.getByLabel(/^單價/).fill('15,000');
  await dialog.getByRole('button', { name: '建立折抵' }).click();
  await page.getByRole('row', { name: /中斷補償.*待出帳/ }).waitFor();
});

test('T-GRANT: monthly credit is granted with and without rollover, and the running month explains its use', async () => {
  const give = async (fields: Readonly<Record<string, string>>, recurring: string) => {
    await page.goto(`${address}/admin/credit-grants`);
    await page.getByRole('button', { name: '給予額度' }).first().click();
    const form = page.getByRole('dialog', { name: '給予額度' });
    await form.getByRole('combobox', { name: /^組織/ }).fill('流');
    await page.getByRole('option', { name: /^流星/ }).click();
    await form.getByRole('combobox', { name: '發放方式' }).selectOption({ label: recurring });
    for (const [label, value] of Object.entries(fields))
      await form.getByLabel(new RegExp(`^${label}`)).fill(value);
    await form.getByRole('button', { name: '給予額度' }).click();
    const made = page.getByRole('dialog', { name: fields['中文名稱'] ?? '' });
    await expect(made.getByText('可使用').first()).toBeVisible();
  };
  const welcome = { 金額: '500', 中文名稱: '迎新額度', 英文名稱: 'Welcome credit', 優先順序: '10' };
  await give(welcome, '一次');
  // Nothing of it is left for the next month.
  const monthly = { 每月金額: '12,000', 中文名稱: '每月額度', 英文名稱: 'Monthly credit', 優先順序: '20' };
  await give({ ...monthly, 到期日: `${month}-28` }, '每月發放');
  const growing = { 每月金額: '3,000', 中文名稱: '累積額度', 英文名稱: 'Growing credit', 優先順序: '30' };
  await give(growing, '每月發放，可累積');
  await asCustomer(gifted, running);
  await expect(row(/^迎新額度/)).toContainText('-NT$500');
  await expect(row(/^每月額度/)).toContainText('-NT$9,500');
  await expect(row(/^累積額度/)).toHaveCount(0);
  await expect(row(/^含稅總額/)).toContainText('NT$0');
  const why = await terms.why(own, '每月額度');
  await expect(why.getByRole('row', { name: /主機：月費.*-9,500/ })).toBeVisible();
});

test('R-BILL-01 the month is closed: each bill equals its running month', async () => {
  await asCustomer(committed, running);
  // 6,000 of it are at 80 %, so 7,500 of the price; the other 2,500 cost 3,000.
  await expect(row(/^未稅金額/)).toContainText('NT$9,000');
  const ofFee = await terms.why(own, '主機：月費');
  const split = ofFee.getByRole('table', { name: '承諾「單月承諾」' });
  // Each step is followed by its reason.
  await expect(split).toContainText(/承諾金額內\s*7,500\s*按 80% 計費/);
  await expect(split).toContainText(/超出承諾金額\s*2,500\s*按 120% 計費/);
  await ofFee.getByRole('button', { name: '關閉' }).click();
  const now = await terms.why(own, '單月承諾', 1);
  await expect(now.getByRole('row', { name: /原金額 NT\$10,000，超出承諾 NT\$2,500/ })).toBeVisible();
  await expect(now.getByRole('row', { name: /主機：月費.*500/ })).toBeVisible();
  const words = (await now.getByRole('table').innerText()).trim();

  await terms.moveToMonth(1);
  // Of the others, one has nothing to pay, and one has no service.
  await terms.closeMonth(month, 6);
  await asCustomer(committed, closed);
  await expect(row(/^未稅金額/)).toContainText('NT$9,000');
  const issued = await terms.why(own, '單月承諾', 1);
  await expect(issued).toContainText('超出承諾金額的部分');
  expect((await issued.getByRole('table').innerText()).trim()).toBe(words);
});

test('T-DISC: a discount for one month is on no later bill; its line is credited', async () => {
  await asCustomer(discounted, { of: before });
  await expect(row(/^單月優惠/)).toContainText('-NT$1,000');
  await terms.openBills(own, month);
  await expect(row(/^未稅金額/)).toContainText('NT$10,000');
  await expect(row(/^單月優惠/)).toHaveCount(0);
  const corrections = await terms.openBill(discounted, before);
  // Only the fee’s line, which cost 9,000 in the end, and its tax.
  await creditBill(page, corrections, { lines: { '主機：月費': '9000' } }, '未提供服務', 'NT$9,450');
  await own.goto(`${address}/billing/credits`);
  await expect(discounts()).toContainText('已到期');
});

test('T-DISC: a void bill returns the code’s discount, and its replacement uses it again; a late code is rejected', async () => {
  const corrections = await terms.openBill(coded, month);
  await voidBill(page, corrections, '品項有誤');
  await asCustomer(coded);
  await expect(discounts()).toContainText('有效');
  await expect(discounts()).toContainText('尚未折抵');
  await reissueBill(page, corrections);
  await own.reload();
  await expect(discounts()).toContainText('已用完');
  await expect(discounts()).toContainText('NT$1,000');
  await asCustomer(late);
  await own.getByRole('button', { name: '輸入優惠碼' }).first().click();
  const dialog = own.getByRole('dialog', { name: '優惠碼' });
  await dialog.getByRole('textbox', { name: /^優惠碼/ }).fill('this-month');
  await dialog.getByRole('button', { name: '套用' }).click();
  await expect(dialog).toContainText('這項折扣已過期，請改用其他折扣。');
});

test('T-ONEOFF: what the minimum added is explained, credited in part, and ended', async () => {
  await asCustomer(minimal, closed);
  const why = await terms.why(own, '補足每月最低消費');
  await expect(why.getByRole('row', { name: /小計.*40,000/ })).toBeVisible();
  const corrections = await terms.openBill(minimal, month);
  await creditBill(page, corrections, { lines: { 補足每月最低消費: '15000' } }, '合約調整', 'NT$15,750');
  await page.goto(`${address}/admin/one-off-charges`);
  const minimum = page.getByRole('row', { name: /大樹.*適用中/ });
  await minimum.click();
  const panel = page.getByRole('dialog', { name: '每月最低消費' });
  await expect(panel).toContainText('NT$25,000');
  await expect(panel).toContainText('已折讓 NT$15,000');
  await panel.getByRole('button', { name: '關閉' }).click();
  await minimum.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: '結束' }).click();
  const end = page.getByRole('dialog', { name: '結束「大樹」的最低消費' });
  await end.getByLabel(/^最後適用的月份/).selectOption({ index: 0 });
  await end.getByRole('button', { name: '結束最低消費', exact: true }).click();
  await page.getByRole('row', { name: /大樹.*已結束/ }).waitFor();
  await terms.openBills(own);
  await expect(row(/^未稅金額/)).toContainText('NT$10,000');
});

test('T-ONEOFF: the rest of the credit is in the balance; voiding the bill takes it back, and the credit is withdrawn', async () => {
  await asCustomer(overpaid, closed);
  await expect(row(/^含稅總額/)).toContainText('-NT$5,250');
  const why = await terms.why(own, '中斷補償');
  await expect(why.getByRole('row', { name: /小計.*-15,000/ })).toBeVisible();
  const corrections = await terms.openBill(overpaid, month);
  await voidBill(page, corrections, '補償有誤', async (ask) => {
    await expect(ask.getByRole('row', { name: /預付餘額/ })).toContainText('NT$5,250');
  });
  await page.goto(`${address}/admin/one-off-charges`);
  await page.getByRole('row', { name: /中斷補償.*待出帳/ }).click();
  const panel = page.getByRole('dialog', { name: '單次費用' });
  await expect(panel).toContainText('已作廢，重新等待出帳');
  await panel.getByRole('button', { name: '撤回' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^撤回 / })
    .click();
  await panel.getByText('已撤回').first().waitFor();
  await reissueBill(page, await terms.openBill(overpaid, month));
  await terms.openBills(own, month);
  await expect(row(/^含稅總額/).first()).toContainText('NT$10,500');
});

test('T-GRANT: of monthly credit one part is used, one expires and one is kept; all books are right', async () => {
  await asCustomer(gifted, closed);
  await expect(row(/^含稅總額/)).toContainText('NT$0');
  const why = await terms.why(own, '每月額度');
  await expect(why.getByRole('row', { name: /主機：月費.*-9,500/ })).toBeVisible();
  await own.goto(`${address}/billing/credits`);
  await own.getByRole('button', { name: '顯示已結束的 2 筆' }).click();
  await expect(own.getByRole('list', { name: '已結束的額度' })).toContainText('已用完');
  await page.goto(`${address}/admin/credit-grants`);
  await page
    .getByRole('row', { name: /每月額度/ })
    .first()
    .click();
  const monthly = page.getByRole('dialog', { name: '每月額度' });
  await expect(monthly.getByRole('listitem').filter({ hasText: '到期' })).toContainText('-NT$2,500');
  // Nothing of the growing one was used, so the next month has twice as much of it: 4,000 of the fee are left.
  await terms.openBills(own);
  await expect(row(/^累積額度/)).toContainText('-NT$6,000');
  await expect(row(/^每月額度/)).toHaveCount(0);
  await expect(row(/^未稅金額/)).toContainText('NT$4,000');
  expect(await axeFindings(own)).toEqual([]);
  await page.goto(`${address}/admin/commitments`);
  await page.getByRole('button', { name: /^遠航/ }).click();
  await expect(page.getByRole('dialog', { name: '單月承諾' })).toContainText('NT$6,000');
  await terms.checkBooks();
});
