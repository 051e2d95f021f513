// The seven templates of rate cards: made in the form, used by three customers, closed, explained and paid; every screen says the same.
import type { Page } from '@playwright/test';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

type Service = {
  readonly id: string;
  readonly name: string;
  readonly charges: readonly { readonly key: string; readonly kind: string; readonly model: string }[];
};
type Use = { readonly type: string; readonly value: string; readonly data?: object; readonly at?: number };
type Sold = {
  readonly service: string;
  /** How many of each charge that has a quantity, in their order. */
  readonly quantities?: readonly string[];
  readonly uses: readonly Use[];
};
type Customer = {
  readonly account: string;
  readonly organization: string;
  readonly sold: readonly Sold[];
  readonly net: string;
  readonly total: string;
  /** A charge of the bill, and arithmetic that its explanation has. */
  readonly explained: readonly [charge: string, arithmetic: string];
};

const password = 'another long passphrase';
/** The template's button, the service's name. */
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
    // 2,628 + 55 of machines, 900 of disk, 540 of traffic, 360 of IPs, 590 once; 1,000 of storage, 1.5 for a package of requests.
    net: 'NT$6,075',
    total: 'NT$6,379',
    explained: ['主機', '2,190 × NT$1.2'],
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
    // 2,200 of the cluster, 5,256 of vCPUs, 2,803.2 of memory, 1,080 of load balancers; 34,800 of bandwidth, 1,500 of requests.
    net: 'NT$47,639',
    total: 'NT$50,021',
    explained: ['頻寬', '1,000 × NT$30'],
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
    // 4,275 of tokens; 3,480 of seats and 2,990 once; 900 of support and 8,000 of its share.
    net: 'NT$19,645',
    total: 'NT$20,627',
    explained: ['權杖', '20 × NT$95'],
  },
];

let journey: Journey;
let page: Page;
let token: string;
/** The last month that is over, in Taipei. */
let month: string;
let begin: Date;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const now = new Date(Date.now() + 8 * 60 * minuteMs);
  begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) - 8 * 60 * minuteMs);
  month = new Date(begin.getTime() + 8 * 60 * minuteMs).toISOString().slice(0, 7);
  page = await journey.openSession(operator);
});
test.afterAll(async () => {
  await journey.end();
});

test('R-CAT-01 an Admin makes a service from each of the seven templates', async () => {
  await page.goto(`${journey.address}/admin/service-management`);
  for (const [template, name] of templates) {
    await page.getByRole('button', { name: '新增服務' }).first().click();
    const form = page.getByRole('dialog', { name: '新增服務' });
    await form.getByRole('textbox', { name: '名稱' }).first().fill(name);
    await form.getByRole('combobox', { name: /^類型/ }).fill('雲端');
    await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
    await form.getByRole('radio', { name: '多個計費項目' }).check();
    await form.getByRole('button', { name: template }).click();
    await form.getByRole('list', { name: '計費項目' }).getByRole('listitem').first().waitFor();
    await form.getByRole('button', { name: '建立服務' }).click();
    await page.getByText(`已建立服務「${name}」。`).waitFor();
  }
});

test('R-USE-03 three customers use them', async () => {
  const { items } = await journey.call<{ items: readonly Service[] }>(
    'GET',
    '/admin/services?limit=20',
    undefined,
    token,
  );
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: 'gateway' },
    token,
  );
  for (const { account, organization, sold } of customers) {
    const { user } = await journey.call<{ user: { organizationId: string } }>('POST', '/user/register', {
      email: account,
      name: '採購',
      password,
      organization,
      agreeToTerms: true,
    });
    for (const { service, quantities = [], uses } of sold) {
      const found = items.find(({ name }) => name === service);
      const counted = found?.charges.filter(({ kind, model }) => kind !== 'usage' && model !== 'flat') ?? [];
      const { id } = await journey.call<{ id: string }>(
        'POST',
        '/admin/subscriptions',
        {
          organizationId: user.organizationId,
          serviceId: found?.id,
          startedAt: begin.toISOString(),
          quantities: Object.fromEntries(counted.map(({ key }, index) => [key, quantities[index] ?? '1'])),
        },
        token,
      );
      const events = uses.map(({ type, value, data = {}, at = 24 * 60 * minuteMs }, index) => ({
        specversion: '1.0',
        id: `${id} ${index}`,
        source: '/gateway',
        type,
        subject: id,
        time: new Date(begin.getTime() + at).toISOString(),
        data: { value, ...data },
      }));
      if (events.length > 0)
        expect(
          await journey.call('POST', '/usage/events', events, secret, 'application/cloudevents-batch+json'),
        ).toMatchObject({ accepted: events.length, rejected: [] });
    }
  }
});

test('R-BILL-05 the month is closed: three bills', async () => {
  await page.goto(`${journey.address}/admin/billing?month=${month}`);
  await page.getByRole('button', { name: /^結清/ }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 3 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  for (const { organization, total } of customers)
    await page
      .getByRole('row', { name: new RegExp(`${organization}.*${total.replace('$', '\\$')}`) })
      .first()
      .waitFor();
});

type Line = {
  readonly subscriptionId: string;
  readonly serviceName: string;
  readonly charge: string;
  readonly total: { readonly amount: string };
};
const dollars = (amount: string): string => `NT$${Number(amount).toLocaleString('en-US')}`;
/** The lines of a customer's bill of the month. */
async function linesOfMonth(customer: string): Promise<readonly Line[]> {
  const { items } = await journey.call<{ items: readonly { id: string }[] }>(
    'GET',
    `/bills?month=${month}`,
    undefined,
    customer,
  );
  const { lines } = await journey.call<{
    lines: readonly (Omit<Line, 'charge'> & {
      readonly charge?: { readonly name: { readonly zhTW: string } };
    })[];
  }>('GET', `/bills/${items[0]?.id}`, undefined, customer);
  return lines.map((line) => ({ ...line, charge: line.charge?.name.zhTW ?? '' }));
}

for (const { account, organization, net, total, explained } of customers)
  test(`R-BILL-01, R-BILL-04 ${organization} reads the same amount everywhere, sees where it comes from, and pays`, async () => {
    const own = await journey.openSession({ account, password });
    await own.goto(`${journey.address}/billing/management?month=${month}`);
    await expect(own.getByRole('row', { name: /^含稅總額/ })).toContainText(total);
    await expect(own.getByRole('row', { name: /^未稅金額/ })).toContainText(net);
    await own.getByRole('button', { name: new RegExp(`：${explained[0]}：查看計算方式$`) }).click();
    await expect(own.getByRole('dialog')).toContainText(explained[1]);
    await own.keyboard.press('Escape');
    const { token: customer } = await journey.call<{ token: string }>('POST', '/user/login', {
      account,
      password,
    });
    const lines = await linesOfMonth(customer);
    // Every line of the bill has its amount on the bill,
    for (const { serviceName, charge, total: ofLine } of lines)
      await expect(
        own
          .getByRole('row', { name: new RegExp(`^${serviceName}：${charge}`) })
          .filter({ hasText: dollars(ofLine.amount) })
          .first(),
      ).toBeVisible();
    // on the page of its subscription,
    for (const [subscriptionId, same] of Map.groupBy(lines, (line) => line.subscriptionId)) {
      await own.goto(`${journey.address}/cloud-service/management?subscription=${subscriptionId}`);
      const panel = own.getByRole('dialog', { name: '訂閱' });
      for (const { charge, total: ofLine } of same) {
        await expect(panel).toContainText(charge);
        await expect(panel).toContainText(dollars(ofLine.amount));
      }
    }
    // and in the statistics by charge; services there add up to the net amount, too.
    await own.goto(`${journey.address}/usage/statistics?month=${month}`);
    await expect(own.getByText(net, { exact: true }).first()).toBeVisible();
    for (const [serviceName, same] of Map.groupBy(lines, (line) => line.serviceName)) {
      const ofService = dollars(String(same.reduce((sum, line) => sum + Number(line.total.amount), 0)));
      await expect(
        own.getByText(ofService, { exact: true }).first(),
        `${serviceName} ${ofService}`,
      ).toBeVisible();
    }
    const amount = total.replace(/[^\d]/g, '');
    const { id } = await journey.call<{ id: string }>(
      'POST',
      '/billing/top-ups',
      { amount: { currency: 'TWD', amount } },
      customer,
    );
    await journey.call('POST', `/admin/payments/${id}/confirm`, {}, token);
    await own.goto(`${journey.address}/billing/management?month=${month}`);
    await own
      .getByRole('button', { name: /^立即付款/ })
      .first()
      .click();
    await own.getByRole('dialog').getByRole('button', { name: /^支付/ }).click();
    await own.getByText('付款完成').first().waitFor();
    await own.reload();
    await own.getByText('已付款').first().waitFor();
    await own.context().close();
  });
