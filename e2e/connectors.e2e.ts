// Connectors in a real browser, against a real Prometheus: one is created after an error at its field, its
// usage is previewed, read from yesterday on, assigned to a customer who is subscribed with the same click,
// is still there after a reload, and is billed with the previous month.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { hasPrometheus, startPrometheus } from '#tests/support/prometheus.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });
test.skip(!hasPrometheus, 'needs Prometheus at /usr/bin/prometheus (Debian: apt install prometheus)');

let journey: Journey;
let page: Page;
let pageErrors: string[];
let token: string;
let source: string;

const password = 'another long passphrase';
const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });
const panel = (name: string): Locator => page.getByRole('dialog', { name });

const dayMs = 86_400_000;
const zoneMs = 8 * 3_600_000;
/** Days in Taipei. */
const dayAt = (at: number): string => new Date(at + zoneMs).toISOString().slice(0, 10);
const today = dayAt(Date.now());
/** The begin of this month there, and the name of the previous month. */
const monthStart = Date.parse(`${today.slice(0, 7)}-01T00:00:00Z`) - zoneMs;
const lastMonth = dayAt(monthStart - dayMs).slice(0, 7);
const lastMonthStart = Date.parse(`${lastMonth}-01T00:00:00Z`) - zoneMs;

/** Two machines whose counters rose by 60 every five minutes since the day before the previous month. */
function samples(): string {
  const step = 300;
  const last = Math.floor(Date.now() / 1000 / step) * step;
  const count = Math.floor((last * 1000 - lastMonthStart + dayMs) / (step * 1000));
  const lines = ['vm-1', 'vm-2'].flatMap((vm) =>
    Array.from({ length: count }, (_, place) => {
      const project = vm === 'vm-1' ? 'acme' : 'beta';
      return `bytes_total{vm="${vm}",project="${project}"} ${place * 60} ${last - (count - 1 - place) * step}`;
    }),
  );
  return `# TYPE bytes counter\n${lines.join('\n')}\n`;
}

test.beforeAll(async ({ startJourney }) => {
  source = await startPrometheus(samples());
  journey = await startJourney({ PRIVATE_HOSTS: '127.0.0.1' });
  token = await journey.setUp();
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '流量',
      type: '網路',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'traffic', aggregation: 'sum', unit: 'KB' },
    },
    token,
  );
  for (const [account, organization] of [
    ['owner@chenguang.example', '晨光'],
    ['owner@yuansheng.example', '遠昇'],
  ] as const) {
    const user = await journey.register({ account, password, name: '王小明', organization });
    // The other one is subscribed in the browser.
    if (organization === '晨光')
      await journey.call(
        'POST',
        '/admin/subscriptions',
        {
          organizationId: user.organizationId,
          serviceId,
          startedAt: new Date(`${lastMonth}-01T00:00:00+08:00`).toISOString(),
        },
        token,
      );
  }
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test('T-CONN: an internal address is rejected at its field, and corrected', async () => {
  await page.goto(`${journey.address}/admin/connectors`);
  await page.getByRole('heading', { level: 1, name: '連接器' }).waitFor();
  await page.getByRole('button', { name: '新增連接器' }).first().click();
  const form = panel('新增連接器');
  await field(form, /^名稱$/).fill('機房監控');
  await field(form, /^網址/).fill('http://10.0.0.9:9090');
  await field(form, /^資源名稱的標籤/).fill('vm');
  await field(form, /^查詢/).fill('bytes_total');
  await field(form, /^事件類型/).fill('traffic');
  await field(form, /^除以/).fill('1000');
  await form.getByRole('button', { name: '新增規則' }).click();
  await field(form, /^欄位/).fill('labels.project');
  await field(form, /^值/).fill('acme');
  await form.getByRole('combobox', { name: /^訂閱/ }).fill('晨光');
  await page.getByRole('option', { name: /晨光/ }).click();
  expect(await axeFindings(page)).toEqual([]);
  const save = form.getByRole('button', { name: '新增連接器' });
  await save.click();
  await form.getByText('請使用 https。只有列在 PRIVATE_HOSTS 的主機可以使用 http。').first().waitFor();
  await field(form, /^網址/).fill(source);
  await save.click();
  await panel('機房監控').waitFor();
});

test('T-CONN: the source is checked, and a preview shows what its responses would create', async () => {
  const opened = panel('機房監控');
  await opened.getByRole('button', { name: '檢查來源' }).click();
  await opened.getByText('來源有回應：上一個時段有 2 筆資料。').waitFor();
  await opened.getByRole('button', { name: '編輯' }).click();
  const form = panel('編輯「機房監控」');
  await form.getByRole('button', { name: '預覽' }).click();
  await form.getByText('2 項資源，其中 1 項尚未對應').waitFor();
  await form.getByText('符合 1 項資源').waitFor();
  const rows = form.getByRole('table').getByRole('row');
  await expect(rows.nth(1)).toContainText('vm-2');
  await expect(rows.nth(1)).toContainText('沒有符合的規則');
  // Twelve increases of 60 in an hour, by 1000.
  await expect(rows.nth(2)).toContainText('0.72 traffic');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '取消' }).click();
});

test('T-CONN: yesterday is read, readings without a customer wait, and one dialog subscribes the customer and assigns them', async () => {
  const opened = panel('機房監控');
  const yesterday = dayAt(Date.now() - dayMs);
  await opened.getByRole('button', { name: '回補' }).click();
  await panel('回補')
    .getByLabel(/^從何時重新讀取/)
    .fill(yesterday);
  await panel('回補').getByRole('button', { name: '開始回補' }).click();
  await expect(opened.getByRole('row', { name: /vm-2/ })).toContainText('待處理', { timeout: 40_000 });
  await expect(opened.getByRole('row', { name: /vm-1/ })).toContainText('晨光 · 流量');
  await expect(opened.getByText(/^尚餘/)).toHaveCount(0, { timeout: 60_000 });
  expect(await axeFindings(page)).toEqual([]);
  await opened.getByRole('button', { name: '指定「vm-2」' }).click();
  const dialog = panel('「vm-2」由誰付費？');
  await dialog.getByRole('combobox', { name: '處理方式' }).selectOption('new');
  await dialog.getByRole('combobox', { name: /^客戶/ }).fill('遠昇');
  await page.getByRole('option', { name: /遠昇/ }).click();
  await dialog.getByRole('combobox', { name: /^服務/ }).fill('流量');
  await page.getByRole('option', { name: /流量/ }).click();
  await dialog.getByLabel(/^開始日期/).fill(`${lastMonth}-01`);
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: '儲存' }).click();
  await expect(opened.getByRole('row', { name: /vm-2/ })).toContainText('已對應', { timeout: 30_000 });
  await page.reload();
  await expect(opened.getByRole('row', { name: /vm-2/ })).toContainText('遠昇 · 流量');
  // Both machines rose alike, so both customers get the same number of events with the same quantity, once
  // all windows being read or retried are done.
  await expect
    .poll(async () => {
      const [first = 0, second] = await Promise.all(
        ['owner@chenguang.example', 'owner@yuansheng.example'].map(counted),
      );
      return first >= 24 && first === second;
    })
    .toBe(true);
});

test('T-CONN: the whole previous month is read and closed, and both customers have their bill', async () => {
  // A month of windows takes a minute to read, and several on a busy machine.
  test.setTimeout(300_000);
  const opened = panel('機房監控');
  await opened.getByRole('button', { name: '回補' }).click();
  await panel('回補')
    .getByLabel(/^從何時重新讀取/)
    .fill(dayAt(lastMonthStart));
  await panel('回補').getByRole('button', { name: '開始回補' }).click();
  await panel('回補').waitFor({ state: 'detached' });
  // Later windows of this month may still be read while the previous month is closed.
  await expect
    .poll(
      async () => {
        const { items } = await journey.call<{ items: { backfill: { from: string } | null }[] }>(
          'GET',
          '/admin/connectors',
          undefined,
          token,
        );
        return Date.parse(items[0]?.backfill?.from ?? today);
      },
      { timeout: 240_000 },
    )
    .toBeGreaterThanOrEqual(monthStart);
  await page.goto(`${journey.address}/admin/billing?month=${lastMonth}`);
  await page.getByRole('button', { name: /^結清/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 2 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  for (const customer of ['晨光', '遠昇']) {
    await page.getByRole('row', { name: new RegExp(customer) }).click();
    const bill = page.getByRole('dialog');
    // Each hour of the month 0.72 at NT$1, rounded once.
    const hours = (monthStart - lastMonthStart) / 3_600_000;
    const exact = (hours * 0.72).toFixed(2).replace(/0$/, '');
    await expect(bill.getByText(exact).first()).toBeVisible();
    await expect(bill.getByText(`NT$${Math.round(hours * 0.72)}`, { exact: true }).first()).toBeVisible();
    await bill.getByRole('button', { name: '關閉' }).first().click();
    await bill.waitFor({ state: 'detached' });
  }
  expect(pageErrors).toEqual([]);
});

async function counted(account: string): Promise<number> {
  const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', { account, password });
  const { items } = await journey.call<{ items: { id: string }[] }>('GET', '/subscriptions', undefined, own);
  const { total } = await journey.call<{ total: number }>(
    'GET',
    `/usage/events?subscriptionId=${items[0]?.id}&limit=1`,
    undefined,
    own,
  );
  return total;
}
