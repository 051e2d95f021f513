// A month of an accountant and a chief executive, using only the console: rates, close, cards, bank
// statement, overdue bills, reports that add up to the ledger, journals, and then the resulting figures.
// Actions of customers are set up over the API; those of the two are done in the browser.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from '@playwright/test';
import { FakeStripe, stripeSecret } from '../tests/support/stripe.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Credentials } from '#tests/support/browser/journey.ts';
import {
  monthBegin,
  monthName,
  named,
  noonOf,
  startTerms,
  withMovableClock,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const stripe = new FakeStripe();
const password = 'another long passphrase';
/** The month of the journey: it begins after the running one. Its bills are issued in the month after it. */
const month = monthName(1);
const issueMonth = monthName(2);
const inWords = (name: string): string => `${name.slice(0, 4)}年${Number(name.slice(5))}月`;
const dayText = (months: number, day: number): string =>
  `${monthName(months)}-${String(day).padStart(2, '0')}`;
const lastDay = (months: number): string =>
  new Date(monthBegin(months + 1).getTime() - 1000 + 8 * 3_600_000).toISOString().slice(0, 10);
const nt = (amount: number): string => `NT$${amount.toLocaleString('en-US')}`;

/**
 * A fee of 12,000 for the year from the first of the month. By hand: the year is twelve whole months, 12,000
 * / 12 = 1,000 each, whatever their lengths, without a remainder for the last. One month is revenue with its
 * bill; eleven, 11,000, are deferred.
 */
const ofMonth = 1000;
const monthsOfYear = Array.from({ length: 12 }, (_, index) => monthName(1 + index));

let terms: Terms;
let accountant: Page;
let chief: Page;
const accountants = { account: 'accountant@cloud.example', password };
const chiefs = { account: 'chief@cloud.example', password };
let star: Customer;
let mountain: Customer;
let coast: Customer;
let slow: Customer;
let old: Customer;
let ocean: Customer;
let group: Customer;
let branch: Customer;
let costSource: string;

async function runJob(job: string): Promise<void> {
  await terms.journey.call('POST', '/debug/jobs', { job });
}
/** Signs in for the day’s work, because an earlier session has expired. */
async function comes(page: Page, who: Credentials, months: number, day: number): Promise<void> {
  await page.clock.setSystemTime(noonOf(months, day));
  await terms.journey.openSession(who, page);
  await page.goto(`${terms.journey.address}/admin/dashboard`);
  const opener = page.getByRole('button', { name: '開啟選單' });
  const menu = page.getByRole('navigation', { name: '主選單' });
  await opener.or(menu).first().waitFor({ timeout: 60_000 });
  if (!(await menu.isVisible())) await opener.click();
}
async function accountantComes(months: number, day: number): Promise<void> {
  await terms.moveToMonth(months, day);
  await comes(accountant, accountants, months, day);
}
const service = async (name: string, currency: string, charge: object): Promise<string> =>
  (
    await terms.call<{ id: string }>('POST', '/admin/services', {
      name,
      type: '運算',
      category: '自有',
      currency,
      charges: [{ key: 'fee', name: named(name, name), ...charge }],
      meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
    })
  ).id;
const monthly = (amount: string) => ({ kind: 'recurring', model: 'flat', amount });
/** From the beginning of a month. */
const subscribe = (who: Customer, serviceId: string, from: number): Promise<{ id: string }> =>
  terms.call('POST', '/admin/subscriptions', {
    organizationId: who.organizationId,
    serviceId,
    startedAt: monthBegin(from).toISOString(),
  });
/** The terms of a customer until the end of the running month. */
async function subscribeUntilNext(who: Customer, serviceId: string, from: number): Promise<void> {
  const { id } = await subscribe(who, serviceId, from);
  await terms.callAs(who, 'POST', `/subscriptions/${id}/cancel`, { when: 'end' });
}
/** Pays all open bills of a customer from a balance bought for it. */
async function payFromBalance(who: Customer, amount: number, currency = 'TWD'): Promise<void> {
  const { id } = await terms.callAs<{ id: string }>(who, 'POST', '/billing/top-ups', {
    amount: { amount: String(amount), currency },
  });
  await terms.call('POST', `/admin/payments/${id}/confirm`, {});
  await terms.callAs(who, 'PUT', '/billing/automatic-payment', { isOn: true, isPartial: false });
  await terms.callAs(who, 'PUT', '/billing/automatic-payment', { isOn: false, isPartial: false });
}
/** Imports the cost of a cloud in a month, and resells it. */
async function importCost(months: number, cost: number): Promise<void> {
  const header =
    'BilledCost,EffectiveCost,ListCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory,ProviderName,SubAccountId,ServiceName,Tags';
  const of = [dayText(months, 1), dayText(months + 1, 1), `${dayText(months, 1)}T00:00:00Z`].join(',');
  const { token } = await terms.journey.call<{ token: string }>('POST', '/user/login', operator);
  const { id } = await terms.journey.call<{ id: string }>(
    'POST',
    `/admin/cost-sources/${costSource}/files?name=${monthName(months)}.csv`,
    `${header}\n${cost},${cost},${cost},TWD,${of},Usage,AWS,mountain,EC2,\n`,
    token,
    'application/octet-stream',
  );
  const reaches = (state: string) =>
    expect
      .poll(
        async () =>
          (
            await terms.call<{ items: { id: string; state: string }[] }>(
              'GET',
              `/admin/cost-sources/${costSource}/imports`,
            )
          ).items.find((one) => one.id === id)?.state,
        { timeout: 30_000 },
      )
      .toBe(state);
  await reaches('ready');
  await terms.call('POST', `/admin/cost-imports/${id}/apply`);
  await reaches('applied');
}

test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(180_000);
  await stripe.start();
  terms = await startTerms(
    await startJourney({
      ...withMovableClock,
      STRIPE_SECRET_KEY: 'sk_test',
      STRIPE_WEBHOOK_SECRET: stripeSecret,
      STRIPE_API_BASE: stripe.address,
    }),
  );
  const { call } = terms;
  await call('PATCH', '/admin/settings', { dueDays: 14 });
  await call('PUT', '/admin/collection', { firstDay: 'issue', daysBefore: 1, retryDays: [1, 3] });
  const person = async (who: typeof accountants, name: string, permissions: readonly string[]) => {
    const { id } = await call<{ id: string }>('POST', '/admin/roles', {
      name,
      description: '',
      baseRole: 'Admin',
      permissions,
    });
    await call('POST', '/admin/users', { ...who, name, role: 'Admin', customRoleId: id });
    return (await terms.journey.person()).page;
  };
  accountant = await person(accountants, '會計', [
    'billing:read',
    'billing:write',
    'payments:read',
    'payments:write',
    'reports:read',
    'reports:write',
    'customers:read',
  ]);
  chief = await person(chiefs, '執行長', ['reports:read', 'billing:read', 'customers:read']);

  star = await terms.customer('晨星科技', 'star@customer.example');
  mountain = await terms.customer('遠山數據', 'mountain@customer.example');
  coast = await terms.customer('海岸物流', 'coast@customer.example');
  slow = await terms.customer('慢步工作室', 'slow@customer.example');
  old = await terms.customer('舊雨書店', 'old@customer.example');
  ocean = await terms.customer('Pacific Trading', 'ocean@customer.example');
  group = await terms.customer('群島集團', 'group@customer.example', 0);
  branch = await terms.customer('群島台北', 'branch@customer.example');

  const basic = await service('主機 3000', 'TWD', monthly('3000'));
  const small = await service('主機 2000', 'TWD', monthly('2000'));
  const more = await service('備份', 'TWD', monthly('500'));
  const tiny = await service('信箱', 'TWD', monthly('600'));
  const middle = await service('主機 5000', 'TWD', monthly('5000'));
  const dollars = await service('海外主機', 'USD', monthly('100'));
  const licence = await service('年度授權', 'TWD', {
    kind: 'recurring',
    model: 'flat',
    amount: '12000',
    cycle: 'year',
    anchor: 'anniversary',
  });
  await subscribe(coast, basic, -11);
  await subscribe(slow, small, -11);
  await subscribeUntilNext(slow, more, -11);
  await subscribeUntilNext(old, tiny, -11);
  await subscribe(ocean, dollars, 0);
  await subscribe(branch, middle, 0);
  const cloud = await call<{ serviceId: string }>('POST', '/admin/cost-template', {
    name: '轉售雲端',
    currency: 'TWD',
  });
  const { id: resold } = await subscribe(mountain, cloud.serviceId, 0);
  costSource = (
    await call<{ id: string }>('POST', '/admin/cost-sources', {
      name: '雲端成本',
      place: { kind: 'upload' },
      rules: [{ field: 'subAccount', tag: '', value: 'mountain', subscriptionId: resold }],
      selling: {
        costBasis: 'billed',
        sellBasis: 'cost',
        passesCredits: false,
        markUps: [
          { organizationId: null, subscriptionId: null, service: '', percent: '25', minimumFee: null },
        ],
      },
    })
  ).id;
  await importCost(0, 640);
  await call('PUT', '/admin/payers', {
    organizationId: branch.organizationId,
    payerId: group.organizationId,
    from: monthName(0),
  });
  await call('PUT', '/admin/payers/billing', {
    organizationId: group.organizationId,
    isConsolidated: true,
    from: monthName(0),
  });
  for (let back = 11; back > 0; back--)
    await call('POST', '/admin/billing/close', { month: monthName(-back) });

  // 遠山數據 saves a card at Stripe, and has bills charged to it.
  const { url } = await terms.callAs<{ url: string }>(mountain, 'POST', '/billing/cards', {
    consents: true,
    language: 'zhTW',
  });
  const { body, headers } = stripe.signed(
    stripe.event('checkout.session.completed', stripe.cards.enter(url, { last4: '4242' })),
    new Date(),
  );
  const response = await fetch(`${terms.journey.address}/api/payments/webhooks/stripe`, {
    method: 'POST',
    body,
    headers,
  });
  expect(response.status).toBe(200);

  // The previous month is closed and paid, and new customers of the month begin.
  await terms.moveToMonth(1);
  await terms.call('POST', '/admin/billing/close', { month: monthName(0) });
  // With 5 % tax, twelve months each.
  await payFromBalance(coast, 12 * 3150);
  await payFromBalance(slow, 12 * 2625);
  await payFromBalance(old, 12 * 630);
  await payFromBalance(group, 10_500 + 5250);
  await payFromBalance(mountain, 840);
  await payFromBalance(ocean, 105, 'USD');
  await subscribe(star, licence, 1);
  await subscribe(coast, more, 1);
  await importCost(1, 800);
  await terms.callAs(mountain, 'PUT', '/billing/collection', { isOn: true });
});
test.afterAll(async () => {
  await terms.journey.end();
  await stripe.stop();
});

/** Opens a page through the menu. */
async function open(page: Page, link: string): Promise<void> {
  await page
    .getByRole('navigation', { name: '主選單' })
    .getByRole('link', { name: link, exact: true })
    .click();
  await page.getByRole('heading', { name: link, level: 1 }).waitFor();
}
const openView = (page: Page, view: string): Promise<void> =>
  page.getByRole('tab', { name: view, exact: true }).click();
const says = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
const row = (page: Page, table: string | RegExp, name: RegExp): Promise<void> =>
  page.getByRole('table', { name: table }).getByRole('row', { name }).first().waitFor();
const amountOf = (text: string): number => Number(text.replace(/[^\d.-]/g, ''));
/** Debits less credits of each account and currency of the trial balance at the end of a day. */
async function trialBalance(page: Page, day: string): Promise<Map<string, number>> {
  await page.getByLabel('截至').fill(day);
  await page.waitForURL(new RegExp(`asOf=${day}`));
  const table = page.getByRole('table', { name: '試算表' });
  await page.getByRole('button', { name: '回到目前' }).waitFor();
  // Until the day’s balances are loaded, the previous ones are shown.
  await expect(table).toHaveAttribute('aria-busy', 'false');
  const sums = new Map<string, number>();
  let currency = 'TWD';
  for (const each of await table.getByRole('row').all()) {
    const heads = await each.getByRole('rowheader').allInnerTexts();
    const cells = await each.getByRole('cell').allInnerTexts();
    const [account = ''] = heads;
    if (/^[A-Z]{3}$/.test(account)) currency = account;
    else if (cells.length === 2 && account !== '')
      sums.set(`${account} ${currency}`, amountOf(cells[0] ?? '') - amountOf(cells[1] ?? ''));
  }
  // The next day is one that was not selected yet.
  await page.getByRole('button', { name: '回到目前' }).click();
  await page.getByRole('button', { name: '回到目前' }).waitFor({ state: 'detached' });
  return sums;
}
const setRate = async (day: string, rate: string): Promise<void> => {
  await accountant.getByRole('button', { name: '手動輸入匯率' }).click();
  const dialog = accountant.getByRole('dialog', { name: '手動輸入匯率' });
  await dialog.getByLabel('日期').fill(day);
  await dialog.getByRole('textbox', { name: '匯率' }).fill(rate);
  await dialog.getByRole('button', { name: '儲存' }).click();
  await dialog.waitFor({ state: 'detached' });
  await accountant
    .getByRole('row', { name: new RegExp(`1 USD = ${rate} TWD.*手動輸入`) })
    .first()
    .waitFor();
};

/**
 * The bills of the month in NT$, before tax: 12,000 for the year, a cloud’s cost (800) and a quarter more,
 * 3000 and 500 more, 2000, and 10,000 and 5000 of the group. All but eleven months of the year are revenue.
 */
const net = 12_000 + 1000 + 3500 + 2000 + 10_000 + 5000;
const tax = net * 0.05;
const deferred = 11 * ofMonth;
const earned = net - deferred;
const byCard = 1050;
const byBank = 12_600 + 3675 + 15_750;
/** The unpaid amount of 慢步工作室: 2000 and tax. */
const late = 2100;
/**
 * Recurring: 1000 of the year, 3500, 2000, 10,000 and 5000. The previous month: 3000, 2500, 600, 10,000 and
 * 5000.
 */
const mrrBefore = 21_100;
const mrr = ofMonth + 3500 + 2000 + 10_000 + 5000;

test.describe('T-FIN a month of an accountant', () => {
  test('sets the rate, previews the month, and closes it; cards are charged automatically', async () => {
    await accountantComes(2, 2);
    await open(accountant, '匯率');
    await setRate(lastDay(0), '31');
    await setRate(lastDay(1), '32');

    await open(accountant, '帳務管理');
    await accountant.getByRole('button', { name: '預覽', exact: true }).click();
    const preview = accountant.getByRole('table', { name: '各幣別合計' });
    await preview.getByRole('row', { name: /TWD：6 張（上月 6 張）/ }).waitFor();
    await expect(preview.getByRole('row', { name: /TWD/ })).toContainText(
      new RegExp(
        [net, tax, net + tax, 22_995].map((one) => `NT\\$${one.toLocaleString('en-US')}`).join('.*'),
      ),
    );
    await expect(preview.getByRole('row', { name: /USD：1 張/ })).toContainText('US$105.00');
    await says(accountant, '首張帳單，TWD（1）');
    await says(accountant, '本月沒有帳單，TWD（1）');
    await accountant.getByRole('button', { name: `結清 ${inWords(month)}` }).click();
    await accountant.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
    await says(accountant, '新開立 7 張、先前已開立 0 張、擱置 0 個組織。');

    await runJob('collect');
    await open(accountant, '付款管理');
    await accountant
      .getByRole('row', { name: /遠山數據.*信用卡（Stripe）.*成功.*NT\$1,050/ })
      .first()
      .waitFor();
    expect(stripe.cards.cash('twd')).toBe(byCard * 100);
    expect(await axeFindings(accountant)).toEqual([]);
  });

  test('imports the bank’s statements, and books certain matches', async () => {
    await accountantComes(2, 5);
    const { items: bills } = await terms.call<{
      items: { number: string; organizationId: string; currency: string }[];
    }>('GET', `/admin/bills?month=${month}&limit=100`);
    const numberOf = ({ organizationId }: Customer): string =>
      bills.find((bill) => bill.organizationId === organizationId)?.number ?? '';
    const { items: consolidated } = await terms.call<{ items: { number: string; month: string }[] }>(
      'GET',
      '/admin/consolidated-bills',
    );
    const ofGroup = consolidated.find((one) => one.month === month)?.number ?? '';
    const day = dayText(2, 5).replaceAll('-', '/');
    const upload = async (account: string, currency: string, rows: readonly string[]): Promise<void> => {
      await accountant.getByRole('button', { name: '上傳對帳單' }).first().click();
      const dialog = accountant.getByRole('dialog', { name: '上傳對帳單' });
      await dialog.getByLabel('CSV 檔案').setInputFiles({
        name: `${currency}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(`交易日期,摘要,支出,存入,餘額\n${rows.map((one) => `${day},${one}\n`).join('')}`),
      });
      await dialog.getByRole('textbox', { name: '帳號' }).fill(account);
      await dialog.getByRole('combobox', { name: '幣別' }).selectOption(currency);
      await dialog.getByRole('button', { name: `上傳 ${rows.length} 列` }).click();
      await dialog.getByText(`新增 ${rows.length} 筆，0 筆已存在。`).waitFor();
      await dialog.getByRole('button', { name: '關閉' }).last().click();
    };
    const bookAll = async (count: number, amount: string): Promise<void> => {
      await accountant.getByText(`${count} 筆確定符合，共 ${amount}。`).waitFor();
      await accountant.getByRole('button', { name: `全部入帳（${count}）` }).click();
      await accountant
        .getByRole('alertdialog')
        .getByRole('button', { name: `入帳 ${count} 筆，${amount}` })
        .click();
      await says(accountant, `已入帳 ${count} 筆，共 ${amount}。`);
    };
    await open(accountant, '匯率');
    await setRate(dayText(2, 5), '33');
    await open(accountant, '銀行對帳單');
    await upload('012-345-678901', 'TWD', [
      `晨星科技 ${numberOf(star)},,12600,`,
      `海岸物流 ${numberOf(coast)},,3675,`,
      `群島集團 ${ofGroup},,15750,`,
      '利息收入,,12,',
    ]);
    await bookAll(3, nt(byBank));
    await accountant
      .getByRole('row', { name: /利息收入/ })
      .getByRole('button')
      .last()
      .click();
    await accountant.getByRole('menuitem', { name: '略過' }).click();
    const ignore = accountant.getByRole('alertdialog', { name: '略過 NT$12？' });
    await ignore.getByRole('textbox', { name: '原因' }).fill('銀行利息');
    await ignore.getByRole('button', { name: '略過' }).click();
    await says(accountant, '已略過這筆交易。');
    await upload('012-345-678902', 'USD', [`PACIFIC TRADING ${numberOf(ocean)},,105,`]);
    await bookAll(1, 'US$105.00');
    expect(await axeFindings(accountant)).toEqual([]);
  });

  test('sees overdue bills, and agrees on an extension', async () => {
    await accountantComes(2, 20);
    await open(accountant, '財務總覽');
    await says(accountant, `今天已過繳費期限的金額，應收帳款共 ${nt(late)}。`);
    await openView(accountant, '應收帳款');
    await says(accountant, `帳單合計 ${nt(late)}，總帳的應收帳款為 ${nt(late)}，兩者相符。`);
    const aged = accountant.getByRole('table', { name: '應收帳款帳齡' });
    await aged.getByRole('row', { name: /慢步工作室.*–.*NT\$2,100.*–.*–.*–.*NT\$2,100/ }).waitFor();
    await aged.getByRole('row', { name: /慢步工作室/ }).click();
    await accountant.getByRole('row', { name: /慢步工作室.*已逾期.*NT\$2,100/ }).click();
    await accountant.getByRole('button', { name: '約定付款計畫' }).click();
    const dialog = accountant.getByRole('dialog', { name: /約定付款計畫/ });
    await dialog.getByRole('textbox', { name: '期數' }).fill('1');
    await dialog.getByRole('button', { name: '平均分配' }).click();
    await dialog.getByLabel('第 1 期日期').fill(dayText(2, 27));
    await expect(dialog.getByText(`合計 ${nt(late)}，與應付金額相符。`)).toBeVisible();
    await dialog.getByRole('button', { name: '儲存計畫' }).click();
    await says(accountant, new RegExp(`約定在 .*27.*前付款。`));
    expect(await axeFindings(accountant)).toEqual([]);
  });

  test('reads revenue, deferred revenue, tax and receipts, each beside the ledger', async () => {
    await accountantComes(2, 26);
    await open(accountant, '總帳');
    const table = accountant.getByRole('table', { name: '遞延收入' });
    for (const later of monthsOfYear.slice(1))
      await expect(table.getByRole('row', { name: inWords(later) })).toContainText(nt(ofMonth));
    await expect(table.getByRole('row', { name: /遞延收入合計/ })).toContainText(nt(deferred));
    await says(accountant, `遞延收入合計 ${nt(deferred)}，總帳的遞延收入為 ${nt(deferred)}，兩者相符。`);
    // The second month is over: its part is recognized automatically.
    await accountantComes(3, 2);
    await runJob('billing.recognizeRevenue');
    await open(accountant, '總帳');
    await expect(table.getByRole('row', { name: /遞延收入合計/ })).toContainText(nt(10 * ofMonth));
    await expect(table.getByRole('row', { name: inWords(issueMonth) })).toHaveCount(0);

    await open(accountant, '財務總覽');
    await openView(accountant, '收入認列');
    await accountant.getByRole('heading', { name: '各月認列收入' }).waitFor();
    // The dates stay selected in the following reports.
    await accountant.getByLabel('開始').fill(dayText(2, 1));
    await accountant.getByLabel('結束').fill(lastDay(2));
    await row(
      accountant,
      '各月認列收入',
      new RegExp(
        `${inWords(issueMonth)}.*NT\\$33,500.*-NT\\$${deferred.toLocaleString('en-US')}.*NT\\$${earned.toLocaleString('en-US')}`,
      ),
    );
    await says(
      accountant,
      new RegExp(`^認列收入合計 NT\\$${earned.toLocaleString('en-US')}，總帳的.*兩者相符。$`),
    );
    await openView(accountant, '稅額');
    await row(accountant, '各稅率稅額', /5.*NT\$33,500.*NT\$1,675/);
    await says(accountant, `稅額合計 ${nt(tax)}，總帳的稅額科目變動為 ${nt(tax)}，兩者相符。`);
    await openView(accountant, '收款');
    await row(accountant, '收款', /Stripe.*1.*NT\$1,050/);
    await row(accountant, '收款', /銀行匯款.*3.*NT\$32,025/);
    await says(
      accountant,
      `款項合計 ${nt(byCard + byBank)}，總帳的現金變動為 ${nt(byCard + byBank)}，兩者相符。`,
    );
    await openView(accountant, '匯兌損益');
    // US$105.00 were billed at 32 and paid at 33.
    await row(accountant, '已實現匯兌損益', /Pacific Trading.*US\$105\.00.*NT\$3,360.*NT\$3,465.*\+NT\$105/);
    expect(await axeFindings(accountant)).toEqual([]);
  });

  test('maps accounts and exports the month; the file’s accounts equal the trial balance’s movements', async () => {
    await open(accountant, '會計匯出');
    const missing = accountant.getByRole('alert').filter({ hasText: '以下科目還沒有對應，無法匯出' });
    await missing.getByRole('listitem').first().waitFor();
    const parts = await missing.getByRole('listitem').allInnerTexts();
    const accounts = [...new Set(parts.map((part) => part.replace(/ · .*$/, '')))];
    await missing.getByRole('link', { name: '設定科目對應' }).click();
    for (const [index, account] of accounts.entries()) {
      const code = String(1101 + index);
      await accountant
        .getByRole('row', { name: new RegExp(`^${account}.*尚未對應`) })
        .getByRole('button')
        .click();
      const dialog = accountant.getByRole('dialog', { name: `${account}的對應` });
      await dialog.getByRole('textbox', { name: '科目代號' }).fill(code);
      await dialog.getByRole('textbox', { name: '科目名稱' }).fill(account);
      await dialog.getByRole('button', { name: '儲存' }).click();
      await accountant.getByRole('row', { name: new RegExp(`${account}.*${code}`) }).waitFor();
    }
    await openView(accountant, '匯出');
    const balanced = accountant.getByText(/^TWD 借方合計 (NT\$[\d,]+)，貸方合計 \1，兩者相符。$/);
    const turnover = amountOf(/合計 (NT\$[\d,]+)/.exec(await balanced.innerText())?.[1] ?? '');
    await says(accountant, /^USD 借方合計 (US\$[\d,.]+)，貸方合計 \1，兩者相符。$/);
    await says(accountant, '每個科目都與總帳相符。');
    await accountant.getByRole('button', { name: `匯出${inWords(issueMonth)}` }).click();
    await accountant.getByRole('row', { name: new RegExp(`${inWords(issueMonth)}.*首次.*有效`) }).waitFor();
    await accountant.getByRole('button', { name: inWords(issueMonth) }).click();
    const panel = accountant.getByRole('dialog', { name: `${inWords(issueMonth)}的匯出` });
    const [download] = await Promise.all([
      accountant.waitForEvent('download'),
      panel.getByRole('button', { name: '下載CSV', exact: true }).click(),
    ]);
    const lines = parse(await readFile(await download.path()), { bom: true, columns: true }) as Record<
      string,
      string
    >[];
    await panel.getByRole('button', { name: '關閉' }).click();
    const moved = new Map<string, number>();
    const sides = new Map<string, number>();
    let debits = 0;
    for (const line of lines) {
      const change = Number(line['借方'] ?? '') - Number(line['貸方'] ?? '');
      const key = `${line['總帳科目']} ${line['幣別']}`;
      moved.set(key, (moved.get(key) ?? 0) + change);
      sides.set(line['幣別'] ?? '', (sides.get(line['幣別'] ?? '') ?? 0) + change);
      if (line['幣別'] === 'TWD') debits += Number(line['借方'] ?? '');
    }
    expect(debits).toBe(turnover);
    expect([...sides].toSorted()).toEqual([
      ['TWD', 0],
      ['USD', 0],
    ]);
    await open(accountant, '總帳');
    const before = await trialBalance(accountant, lastDay(1));
    const after = await trialBalance(accountant, lastDay(2));
    const changes = [...after]
      .map(([key, balance]) => [key, balance - (before.get(key) ?? 0)] as const)
      .filter(([key, change]) => change !== 0 && !key.startsWith('合計'));
    expect(Object.fromEntries([...moved].filter(([, change]) => change !== 0))).toEqual(
      Object.fromEntries(changes),
    );
    expect(moved.get('營業收入 TWD')).toBe(-earned);
    expect(moved.get('應收帳款 TWD')).toBe(late);
  });
});

test.describe('T-FIN a month of a chief executive', () => {
  test('sees new, expanded and lost revenue, down to the bill', async () => {
    await comes(chief, chiefs, 3, 2);
    await open(chief, '財務總覽');
    const movements = chief.getByRole('table', { name: `${inWords(month)}的變動` });
    // A job computes the figures within seconds.
    await movements
      .getByRole('row', { name: new RegExp(`期末.*5.*NT\\$${mrr.toLocaleString('en-US')}`) })
      .waitFor({ timeout: 30_000 });
    for (const [name, figure] of [
      ['期初', nt(mrrBefore)],
      ['新客戶', `+${nt(ofMonth)}`],
      ['回流', 'NT$0'],
      ['增加', '+NT$500'],
      ['減少', '-NT$500'],
      ['流失', '-NT$600'],
    ] as const)
      await expect(movements.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText(figure);
    await says(chief, `期初加變動為 ${nt(mrr)}，${inWords(month)}的 MRR 為 ${nt(mrr)}，兩者相符。`);
    // Of 3000, 2500 and 600 a year ago 3500 and 2000 are left: 5500 / 6100.
    await says(chief, '90.2%');
    // One of five customers, and 600 of 21,100.
    await says(chief, '20%');
    await says(chief, `${inWords(monthName(0))}有 MRR、現在沒有的客戶。收入流失率：2.8%。`);
    expect(await axeFindings(chief)).toEqual([]);

    await movements.getByRole('button', { name: '新客戶' }).click();
    await chief.getByRole('table', { name: 'MRR 變動' }).getByRole('button', { name: '晨星科技' }).click();
    const panel = chief.getByRole('dialog', { name: inWords(month) });
    await panel
      .getByRole('row', { name: new RegExp(`年度授權.*經常性.*${ofMonth.toLocaleString('en-US')}`) })
      .waitFor();
    await panel.getByRole('link').first().click();
    await chief.waitForURL(/\/admin\/billing\?bill=bil_/);
    // The list behind shows the same amount, and may be loaded first.
    const bill = chief.getByRole('dialog');
    await bill.getByText('NT$12,600').first().waitFor();
    await chief.keyboard.press('Escape');
    await bill.waitFor({ state: 'detached' });
    await chief.getByRole('navigation', { name: '主選單' }).waitFor();
  });

  test('sees cohorts, the largest customers, margin and forecast; a file has the same figures', async () => {
    await open(chief, '財務總覽');
    await chief.getByRole('combobox', { name: '期間' }).selectOption('24');
    await openView(chief, '同期群');
    const heat = chief.getByRole('table', { name: '同期群' });
    // Of 6100 there are 6100 for a year, then 5500; of three customers two.
    await heat
      .getByRole('row', { name: new RegExp(`${inWords(monthName(-11))}.*NT\\$6,100.*100%.*90\\.2%$`) })
      .waitFor();
    await chief.getByRole('combobox', { name: '顯示' }).selectOption('customers');
    await heat.getByRole('row', { name: new RegExp(`${inWords(monthName(-11))}.*3.*66\\.7%$`) }).waitFor();
    await openView(chief, '客戶');
    // 10,000 of 22,500: 33,500 less the 11,000 of later months.
    const share = ((10_000 / earned) * 100).toFixed(1);
    await row(chief, '各客戶收入', new RegExp(`群島集團.*NT\\$10,000.*NT\\$10,000.*${share}%`));
    await openView(chief, '毛利');
    // The revenue that the accountant recognized in the month after, when all of it was billed.
    await says(chief, nt(earned));
    // A cloud that cost 800 was sold for 1000; the cost of the others is unknown.
    await row(chief, '毛利', /遠山數據.*NT\$1,000.*100%.*NT\$800.*NT\$200.*20%/);
    await row(chief, '毛利', /群島集團.*NT\$10,000.*0%.*成本不明/);
    await says(chief, '占已知成本收入的比例，扣除成本後為 NT$200。');
    // It is computed within a minute of the close, which may be later than this.
    await runJob('metrics.plan');
    await openView(chief, '收入預測');
    // Current fees, and usage of 800 and 1000.
    const expected = ofMonth + 3500 + 2000 + 10_000 + 5000 + 900;
    const first = chief
      .getByRole('table', { name: '接下來三個月' })
      .getByRole('row', { name: inWords(issueMonth) });
    await expect(first).toContainText(nt(expected));
    const [total = '', range = ''] = await first.getByRole('cell').allInnerTexts();
    const [low = '', high = ''] = range.split('至');
    expect(amountOf(low)).toBeLessThan(expected);
    expect(amountOf(high)).toBeGreaterThan(expected);
    expect(amountOf(total)).toBe(expected);
    await openView(chief, '總覽');
    await chief.getByRole('button', { name: '匯出每月指標' }).click();
    const [download] = await Promise.all([
      chief.waitForEvent('download'),
      chief.getByRole('menuitem', { name: '下載 CSV' }).click(),
    ]);
    const months = parse(await readFile(await download.path()), { bom: true, columns: true }) as Record<
      string,
      string
    >[];
    expect(months.find((one) => one['月份'] === month)).toMatchObject({
      '期初 MRR': String(mrrBefore),
      新客戶: String(ofMonth),
      增加: '500',
      減少: '-500',
      流失: '-600',
      MRR: String(mrr),
      用量: '1000',
      客戶數: '5',
      '收入流失率 %': '2.8',
      '客戶流失率 %': '20.0',
    });
    expect(await axeFindings(chief)).toEqual([]);
  });

  test('sees all currencies in one', async () => {
    await chief.getByRole('combobox', { name: '幣別' }).selectOption('all');
    const movements = chief.getByRole('table', { name: `${inWords(month)}的變動` });
    // US$100 at 31, then at 32.
    await movements
      .getByRole('row', { name: new RegExp(`期初.*NT\\$${(mrrBefore + 3100).toLocaleString('en-US')}`) })
      .waitFor();
    await expect(movements.getByRole('row', { name: /匯率變動/ })).toContainText('+NT$100');
    await expect(movements.getByRole('row', { name: /期末/ })).toContainText(nt(mrr + 3200));
    await openView(chief, '合併報表');
    await terms.checkBooks();
  });
});
