// The seven rate card templates: created in the form, subscribed to by three customers, used, closed,
// explained and paid; each figure is the same on every screen and in every file.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { operator, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { pdfPages } from '#tests/support/pdf.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

type Use = { readonly type: string; readonly value: string; readonly data?: object; readonly at?: number };
type Sold = {
  readonly service: string;
  /** The quantities of the charges that have one, in their order. */
  readonly quantities?: readonly string[];
  readonly uses: readonly Use[];
};
/** A line of the bill in NT$, and the calculation in its explanation. */
type Line = readonly [service: string, charge: string, amount: string, arithmetic: string];
type Customer = {
  readonly account: string;
  readonly organization: string;
  readonly sold: readonly Sold[];
  /** Computed by hand from the templates’ prices. */
  readonly lines: readonly Line[];
  readonly net: string;
  readonly tax: string;
  readonly total: string;
};
type Letter = { readonly to: string; readonly subject: string; readonly text: string };

const password = 'another long passphrase';
/** The template’s button, the service’s name. */
const templates: readonly (readonly [template: RegExp, name: string])[] = [
  [/^虛擬主機/, '主機服務'],
  [/^物件儲存/, '儲存服務'],
  [/^Kubernetes/, '叢集服務'],
  [/^CDN/, '加速服務'],
  [/^AI 模型/, '模型服務'],
  [/^席次/, '協作服務'],
  [/^支援方案/, '支援服務'],
];
const minuteMs = 60_000;
const customers: readonly Customer[] = [
  {
    account: 'one@seven.example',
    organization: '甲公司',
    sold: [
      {
        service: '主機服務',
        quantities: ['3'],
        uses: [
          { type: 'vm.hours', value: '2190', data: { size: 'm', region: 'tpe' } },
          { type: 'vm.hours', value: '100', data: { size: 's', region: 'khh' } },
          { type: 'vm.disk', value: '300', at: 0 },
          { type: 'network.egress', value: '300' },
        ],
      },
      {
        service: '儲存服務',
        uses: [
          { type: 'storage.size', value: '1500', at: 0 },
          { type: 'storage.request', value: '1' },
        ],
      },
    ],
    // Machines: 2,190 × 1.2 + 100 × 0.55. A package of requests costs 1.5, which its line rounds.
    lines: [
      ['主機服務', '固定 IP', '360', '3 × NT$120'],
      ['主機服務', '開通費', '590', 'NT$590'],
      ['主機服務', '主機', '2683', '2,190 × NT$1.2'],
      ['主機服務', '磁碟', '900', '× NT$3'],
      ['主機服務', '流量', '540', '200 × NT$2.7'],
      ['儲存服務', '儲存空間', '1000', '1,000 × NT$0.7'],
      ['儲存服務', '請求', '2', 'NT$1.5'],
    ],
    net: '6075',
    tax: '304',
    total: '6379',
  },
  {
    account: 'two@seven.example',
    organization: '乙公司',
    sold: [
      {
        service: '叢集服務',
        quantities: ['1', '2'],
        uses: [
          { type: 'kubernetes.vcpu', value: '5840' },
          { type: 'kubernetes.memory', value: '23360' },
        ],
      },
      {
        service: '加速服務',
        uses: [
          // More than 5 % of a month's samples of five minutes, so that the percentile is among them.
          ...Array.from({ length: 450 }, (_, index) => ({
            type: 'cdn.bandwidth',
            value: '1200',
            at: index * 5 * minuteMs,
          })),
          { type: 'cdn.requests', value: '50000000' },
        ],
      },
    ],
    lines: [
      ['叢集服務', '叢集', '2200', 'NT$2,200'],
      ['叢集服務', 'vCPU', '5256', '5,840 × NT$0.9'],
      ['叢集服務', '記憶體', '2803', '23,360 × NT$0.12'],
      ['叢集服務', '負載平衡器', '1080', '2 × NT$540'],
      ['加速服務', '頻寬', '34800', '1,000 × NT$30'],
      ['加速服務', '請求', '1500', '5,000 × NT$0.3'],
    ],
    net: '47639',
    tax: '2382',
    total: '50021',
  },
  {
    account: 'three@seven.example',
    organization: '丙公司',
    sold: [
      {
        service: '模型服務',
        uses: [
          { type: 'llm.tokens', value: '20', data: { model: 'large', direction: 'input' } },
          { type: 'llm.tokens', value: '5', data: { model: 'large', direction: 'output' } },
        ],
      },
      { service: '協作服務', quantities: ['12'], uses: [] },
      { service: '支援服務', uses: [{ type: 'platform.spend', value: '80000' }] },
    ],
    lines: [
      ['模型服務', '權杖', '4275', '20 × NT$95'],
      ['協作服務', '席次', '3480', '10 × NT$300'],
      ['協作服務', '開通費', '2990', 'NT$2,990'],
      ['支援服務', '技術支援', '900', 'NT$900'],
      ['支援服務', '消費抽成', '8000', '80,000'],
    ],
    net: '19645',
    tax: '982',
    total: '20627',
  },
];

const hourMs = 60 * minuteMs;
const taipeiMs = 8 * hourMs;
const today = new Date(Date.now() + taipeiMs);
/**
 * The begin of a later month, in Taipei. Not an earlier one: a browser keeps no session that has expired by
 * its own clock.
 */
const monthsAhead = (count: number): Date =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + count, 1) - taipeiMs);
const [begin, end] = [monthsAhead(1), monthsAhead(2)];
const month = new Date(begin.getTime() + taipeiMs).toISOString().slice(0, 7);
const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms);
/** So late in the month that time-weighted averages equal those of the whole month. */
const lateInMonth = later(end, -10 * minuteMs);
const afterMonth = later(end, 10 * hourMs);

let journey: Journey;
let token: string;
/** The subscriptions by the names of their services: each is sold once. */
const subscribed = new Map<string, { readonly id: string; readonly startedAt: string }>();

/** Moves the console’s clock, which continues from there, as development mode allows. */
const moveTo = (at: Date): Promise<unknown> =>
  journey.call('POST', '/debug/clock', { now: at.toISOString() });
/** A browser whose clock is the console’s. */
async function signInAt(at: Date, who: Credentials): Promise<Page> {
  const { page } = await journey.person();
  await page.context().clock.setSystemTime(at);
  return journey.openSession(who, page);
}
const tokenOf = async (account: string, secret = password): Promise<string> =>
  (await journey.call<{ token: string }>('POST', '/user/login', { account, password: secret })).token;
const letters = async (): Promise<readonly Letter[]> =>
  (await journey.call<{ letters: readonly Letter[] }>('GET', '/debug/mail')).letters;

const dollars = (amount: string): string => `NT$${Number(amount).toLocaleString('en-US')}`;
/** An amount by itself: NT$1,000 must not match NT$1,000.5 or NT$11,000. */
const exactly = (amount: string): RegExp =>
  new RegExp(String.raw`${dollars(amount).replace('$', String.raw`\$`)}(?!\d|[.,]\d)`);
const sumOf = (lines: readonly Line[]): string =>
  String(lines.reduce((total, [, , amount]) => total + Number(amount), 0));
const byService = (lines: readonly Line[]): (readonly [service: string, lines: readonly Line[]])[] => [
  ...Map.groupBy(lines, ([service]) => service),
];

/** Expects a row that begins with a name and has an amount. */
const expectRow = (within: Page | Locator, name: string, amount: string): Promise<void> =>
  expect(
    within.getByRole('row', { name: new RegExp(`^${name}.*${exactly(amount).source}`) }).first(),
    `${name} ${dollars(amount)}`,
  ).toBeVisible();

/** Expects the lines of a bill, its services and its totals in a table. */
async function expectBill(table: Page | Locator, { lines, net, tax, total }: Customer): Promise<void> {
  for (const [service, ofService] of byService(lines)) {
    if (ofService.length > 1) await expectRow(table, service, sumOf(ofService));
    for (const [, charge, amount] of ofService)
      await expectRow(
        table,
        ofService.length > 1 ? `(${service}：)?${charge}` : `${service}：${charge}`,
        amount,
      );
  }
  await expectRow(table, '未稅金額', net);
  await expectRow(table, '稅額', tax);
  await expectRow(table, '含稅總額', total);
}

/** Follows a link within the console, without a page load; ends when the previous page is gone. */
async function goOn(page: Page, path: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 });
  const before = await title.textContent();
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await expect(title).not.toHaveText(before ?? '');
}

/** Expects the month’s statistics to equal the bill: the total, each service, each charge. */
async function expectStatistics(page: Page, { lines, net }: Customer): Promise<void> {
  await goOn(page, `/usage/statistics?month=${month}`);
  const whole = page.getByText('總費用', { exact: true }).locator('xpath=ancestor::*[contains(., "NT$")][1]');
  await expect(whole).toContainText(exactly(net));
  const table = page.getByRole('table', { name: '各服務用量' });
  for (const [service, ofService] of byService(lines)) {
    await expectRow(table, service, sumOf(ofService));
    if (ofService.length > 1)
      for (const [, charge, amount] of ofService) await expectRow(table, charge, amount);
  }
}

/** Expects the pages of the subscriptions to show each charge of the month with its amount. */
async function expectSubscriptions(page: Page, { lines }: Customer): Promise<void> {
  await goOn(page, '/cloud-service/management');
  for (const [service, ofService] of byService(lines)) {
    await page.getByRole('button', { name: service, exact: true }).first().click();
    const panel = page.getByRole('dialog', { name: '訂閱' });
    const items = panel.getByRole('listitem');
    for (const [, charge, amount] of ofService)
      await expect(
        items
          .filter({ hasText: `${service}：${charge}` })
          .filter({ hasText: exactly(amount) })
          .first(),
        `${service} ${charge} ${amount}`,
      ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  }
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney({ NODE_ENV: 'development' });
  await moveTo(later(begin, -24 * hourMs));
  token = await journey.setUp();
});
test.afterAll(() => journey.end());

test('R-CAT-01 an Admin creates a service from each of the seven templates', async () => {
  const page = await signInAt(later(begin, -24 * hourMs), operator);
  await page.goto(`${journey.address}/admin/service-management`);
  for (const [template, name] of templates) {
    await page.getByRole('button', { name: '建立服務' }).first().click();
    const form = page.getByRole('dialog', { name: '建立服務' });
    await form.getByRole('textbox', { name: '名稱' }).first().fill(name);
    await form.getByRole('combobox', { name: /^類型/ }).fill('雲端');
    await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
    await form.getByRole('radio', { name: '多個計費項目' }).check();
    await form.getByRole('button', { name: template }).click();
    await form.getByRole('list', { name: '計費項目' }).getByRole('listitem').first().waitFor();
    await form.getByRole('button', { name: '建立服務' }).click();
    await page.getByText(`已建立服務「${name}」。`).waitFor();
  }
  await page.context().close();
});

test('R-CAT-03 three customers confirm their e-mail and subscribe at the beginning of a month', async () => {
  for (const { account, organization } of customers)
    await journey.register({ account, password, name: '採購', organization });
  const links = async () =>
    (await letters()).flatMap(({ to, text }) => {
      const link = /verify-email#token=([\w-]+)/.exec(text)?.[1];
      return link === undefined ? [] : [[to, link] as const];
    });
  await expect.poll(async () => (await links()).length).toBe(customers.length);
  for (const [, link] of await links()) await journey.call('POST', '/user/verify-email', { token: link });
  for (const { account, sold } of customers) {
    await moveTo(begin);
    const page = await signInAt(begin, { account, password });
    await page.goto(`${journey.address}/service/overview`);
    for (const { service, quantities = [] } of sold) {
      await page.getByRole('button', { name: `訂閱「${service}」` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox').waitFor();
      const counted = dialog.getByRole('textbox', { name: /：數量$/ });
      for (const [index, quantity] of quantities.entries()) await counted.nth(index).fill(quantity);
      await dialog.getByRole('checkbox').check();
      // Time-weighted usage begins with the subscription, so all of them begin with the month.
      await moveTo(begin);
      await dialog.getByRole('button', { name: '確認訂閱' }).click();
      await dialog.getByRole('link', { name: '管理' }).waitFor();
      await dialog.getByRole('button', { name: '關閉' }).first().click();
    }
    const { items } = await journey.call<{
      items: readonly { id: string; startedAt: string; service: { name: string } }[];
    }>('GET', '/subscriptions', undefined, await tokenOf(account));
    for (const { service, ...one } of items) subscribed.set(service.name, one);
    await page.context().close();
  }
});

test('R-USE-03 their machines use them', async () => {
  await moveTo(lateInMonth);
  token = await tokenOf(operator.account, operator.password);
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: 'gateway' },
    token,
  );
  for (const { service, uses } of customers.flatMap(({ sold }) => sold)) {
    const { id, startedAt } = subscribed.get(service) ?? { id: '', startedAt: '' };
    const events = uses.map(({ type, value, data = {}, at = 24 * hourMs }, index) => ({
      specversion: '1.0',
      id: `${id} ${index}`,
      source: '/gateway',
      type,
      subject: id,
      time: later(new Date(startedAt), at).toISOString(),
      data: { value, ...data },
    }));
    if (events.length > 0)
      expect(
        await journey.call('POST', '/usage/events', events, secret, 'application/cloudevents-batch+json'),
      ).toMatchObject({ accepted: events.length, rejected: [] });
  }
});

/** All three at once, each in a separate browser. */
const eachCustomer = (does: (customer: Customer) => Promise<void>): Promise<unknown> =>
  Promise.all(customers.map(does));

test('R-BILL-03, R-USE-01 during the month the customers see the same amounts on every screen', async () => {
  await moveTo(lateInMonth);
  await eachCustomer(async (customer) => {
    const page = await signInAt(lateInMonth, { account: customer.account, password });
    await page.goto(`${journey.address}/user/dashboard`);
    await expect(page.getByText(exactly(customer.total)).first()).toBeVisible();
    await goOn(page, '/billing/dashboard');
    await expect(page.getByText(exactly(customer.net)).first()).toBeVisible();
    for (const [, lines] of byService(customer.lines))
      await expect(page.getByText(dollars(sumOf(lines)), { exact: true }).first()).toBeVisible();
    // The bill has the same total, so there is no note about a difference.
    await expect(page.getByText('本月帳單合計')).toHaveCount(0);
    await expectStatistics(page, customer);
    await goOn(page, '/billing/management');
    await expectBill(page, customer);
    await expectSubscriptions(page, customer);
    await page.context().close();
  });
});

test('R-BILL-05 the month is closed with three bills, the same for the operator and their customers', async () => {
  await moveTo(afterMonth);
  token = await tokenOf(operator.account, operator.password);
  const page = await signInAt(afterMonth, operator);
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page.getByRole('button', { name: /^結清/ }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 3 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  for (const customer of customers) {
    const bill = page.getByRole('row', { name: new RegExp(customer.organization) });
    await expect(bill.filter({ hasText: exactly(customer.total) })).toBeVisible();
    await bill.getByRole('button', { name: /^B-/ }).first().click();
    const panel = page.getByRole('dialog', { name: '帳單' });
    await expect(panel.getByText(exactly(customer.total)).first()).toBeVisible();
    await expectBill(panel, customer);
    await page.keyboard.press('Escape');
  }
  await page.goto(`${journey.address}/admin/organizations`);
  for (const { organization, total } of customers) await expectRow(page, `.*${organization}`, total);
  await page.goto(`${journey.address}/admin/ledger`);
  const all = (figure: 'net' | 'tax' | 'total'): string =>
    String(customers.reduce((total, customer) => total + Number(customer[figure]), 0));
  await expectRow(page, '應收帳款', all('total'));
  await expectRow(page, '應付稅額', all('tax'));
  await expectRow(page, '營業收入', all('net'));
  await page.getByRole('tab', { name: '科目' }).click();
  for (const { organization, total } of customers)
    await expectRow(page, `.*${organization}.*應收帳款`, total);
  await page.context().close();
});

/** Presses a button that downloads a file. */
async function take(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFile(await download.path());
}

test('R-BILL-01, R-BILL-04 after the close they see the same amounts on the bill, in its files, its e-mail and its explanations, and pay', async () => {
  await moveTo(afterMonth);
  await eachCustomer(async (customer) => {
    const { account, lines, net, tax, total } = customer;
    await expect
      .poll(async () => (await letters()).some(({ to, text }) => to === account && text.includes('的帳單')))
      .toBe(true);
    const letter = (await letters()).find(({ to, text }) => to === account && text.includes('的帳單'));
    expect(letter?.text).toMatch(exactly(total));
    expect(letter?.subject).toMatch(exactly(total));
    const page = await signInAt(afterMonth, { account, password });
    await page.goto(`${journey.address}/user/dashboard`);
    await expect(page.getByText(`支付 ${dollars(total)}`)).toBeVisible();
    await expectStatistics(page, customer);
    await expectSubscriptions(page, customer);
    await goOn(page, `/billing/management?month=${month}`);
    await expectBill(page, customer);
    for (const [service, charge, amount, arithmetic] of lines) {
      await page.getByRole('button', { name: `${service}：${charge}：查看計算方式` }).click();
      const panel = page.getByRole('dialog');
      await expect(panel).toContainText(arithmetic);
      await expect(panel).toContainText(exactly(amount));
      await page.keyboard.press('Escape');
      await expect(panel).toHaveCount(0);
    }
    const pdf = await take(page, async () => {
      await page.getByRole('button', { name: '下載 PDF' }).click();
      await page.getByRole('menuitem', { name: '繁體中文' }).click();
    });
    const text = (await pdfPages(pdf)).join(' ');
    for (const [, charge, amount] of lines)
      expect(text).toMatch(new RegExp(`${charge}.{0,80}?${exactly(amount).source}`));
    for (const amount of [net, tax, total, ...byService(lines).map(([, of]) => sumOf(of))])
      expect(text).toMatch(exactly(amount));
    const csv = await take(page, () => page.getByRole('button', { name: '下載 CSV' }).click());
    const rows = parse<Record<string, string>>(csv, { bom: true, columns: true });
    expect(rows.map((row) => `${row['服務']} ${row['金額（未稅）']}`).toSorted()).toEqual(
      lines.map(([service, charge, amount]) => `${service}：${charge} ${amount}`).toSorted(),
    );
    await page.getByRole('tab', { name: '對帳單' }).click();
    await expectRow(page.getByRole('table', { name: '應付帳款' }), '期末餘額', total);

    const { id } = await journey.call<{ id: string }>(
      'POST',
      '/billing/top-ups',
      { amount: { currency: 'TWD', amount: total } },
      await tokenOf(account),
    );
    await journey.call('POST', `/admin/payments/${id}/confirm`, {}, token);
    await page.goto(`${journey.address}/billing/management?month=${month}`);
    await page
      .getByRole('button', { name: /^立即付款/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: /^支付/ }).click();
    await page.getByText('付款完成').first().waitFor();
    await page.reload();
    await page.getByText('已付款').first().waitFor();
    await page.context().close();
  });
});
