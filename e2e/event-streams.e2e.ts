// Event streams in a real browser, against a real nats-server: one is created after an error at its field,
// its messages are previewed, it is started, rejected messages are corrected and retried, and everything is
// still there after a reload.
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { hasNats, startNats } from '#tests/support/brokers.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });
test.skip(!hasNats, 'needs nats-server at /usr/sbin/nats-server (Debian: apt install nats-server)');

let journey: Journey;
let page: Page;
let pageErrors: string[];
let token: string;
let port: number;
let connection: NatsConnection;
let client: JetStreamClient;
let subscriptionId: string;

const password = 'another long passphrase';
const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });
const panel = (name: string): Locator => page.getByRole('dialog', { name });
const send = (order: string, more: object = {}) =>
  client.publish('orders.tw', JSON.stringify({ order, customer: subscriptionId, kb: 12.5, ...more }));

test.beforeAll(async ({ startJourney }) => {
  ({ port } = await startNats());
  connection = await connect({ servers: `127.0.0.1:${port}` });
  await (await jetstreamManager(connection)).streams.add({ name: 'ORDERS', subjects: ['orders.>'] });
  client = jetstream(connection);
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
  const user = await journey.register({
    account: 'owner@chenguang.example',
    password,
    name: '王小明',
    organization: '晨光',
  });
  ({ id: subscriptionId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/subscriptions',
    {
      organizationId: user.organizationId,
      serviceId,
      startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString(),
    },
    token,
  ));
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(async () => {
  await journey.end();
  await connection.close();
});

test('T-STREAM: an internal address is rejected at its field, and corrected', async () => {
  await page.goto(`${journey.address}/admin/event-streams`);
  await page.getByRole('heading', { level: 1, name: '事件串流' }).waitFor();
  await page.getByRole('button', { name: '新增事件串流' }).first().click();
  const form = panel('新增事件串流');
  await field(form, /^名稱/).fill('訂單');
  await field(form, /^位址/).fill('nats://10.0.0.9:4222');
  await field(form, /^串流/).fill('ORDERS');
  await form.getByRole('combobox', { name: /^內容/ }).selectOption('mapped');
  const save = form.getByRole('button', { name: '新增事件串流' });
  await save.click();
  await expect(field(form, /^運算式/)).toHaveAttribute('aria-invalid', 'true');
  await field(form, /^運算式/).fill(
    '{ "subject": who, "type": "traffic", "id": order, "data": { "value": kb } }',
  );
  await save.click();
  await form.getByText('請使用 TLS。只有列在 PRIVATE_HOSTS 的主機可以不加密。').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await field(form, /^位址/).fill(`nats://127.0.0.1:${port}`);
  await save.click();
  await expect(panel('訂單').getByText('已暫停')).toBeVisible();
});

test('T-STREAM: a preview shows the next messages with their events, and helps to correct a mapping', async () => {
  await send('A-1');
  await send('A-2', { kb: 7.5 });
  await client.publish('orders.tw', 'no json');
  const opened = panel('訂單');
  await opened.getByRole('button', { name: '預覽下一批訊息' }).click();
  await expect(opened.getByRole('listitem')).toHaveCount(3);
  await expect(opened.getByRole('listitem').nth(2)).toContainText('不是 UTF-8 的 JSON。');
  await opened.getByRole('button', { name: '編輯' }).click();
  const form = panel('編輯「訂單」');
  await field(form, /^運算式/).fill(
    '{ "subject": customer, "type": "traffic", "id": order, "data": { "value": kb } }',
  );
  await form.getByRole('button', { name: '預覽下一批訊息' }).click();
  await expect(form.getByRole('listitem').first()).toContainText(subscriptionId);
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '儲存' }).click();
  await panel('訂單').waitFor();
});

test('T-STREAM: once started it reads, rejected messages are shown, retried and discarded, and a reload shows the same', async () => {
  const opened = panel('訂單');
  await send('A-3', { customer: 'nobody' });
  await opened.getByRole('button', { name: '開始讀取' }).click();
  await expect(opened.getByText('讀取中')).toBeVisible({ timeout: 20_000 });
  const rows = opened.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(3, { timeout: 20_000 });
  expect(await axeFindings(page)).toEqual([]);
  await opened.getByRole('row', { name: /nobody/ }).click();
  await expect(panel('ORDERS/4').getByText('"customer": "nobody"')).toBeVisible();
  await panel('ORDERS/4').getByRole('button', { name: '關閉' }).last().click();
  await opened.getByRole('button', { name: '全部重試' }).click();
  await page.getByText('已計入 0 則，仍有 2 則被拒絕。').waitFor();
  await opened.getByRole('button', { name: '全部捨棄' }).click();
  const ask = page.getByRole('alertdialog', { name: '捨棄所有被拒絕的訊息？' });
  expect(await axeFindings(page)).toEqual([]);
  await ask.getByRole('button', { name: '全部捨棄' }).click();
  await page.getByText('已捨棄 2 則訊息。').waitFor();
  await expect(opened.getByText('沒有被拒絕的訊息')).toBeVisible();
  // New messages appear on the open page by themselves.
  await send('A-4', { kb: 80 });
  await expect(opened.getByText('5', { exact: true })).toBeVisible({ timeout: 20_000 });
  await page.reload();
  await expect(panel('訂單').getByText('讀取中')).toBeVisible();
  await expect(panel('訂單').getByText('5', { exact: true })).toBeVisible();
  const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', {
    account: 'owner@chenguang.example',
    password,
  });
  const { items } = await journey.call<{ items: { value: string }[] }>(
    'GET',
    `/usage/events?subscriptionId=${subscriptionId}&limit=10`,
    undefined,
    own,
  );
  expect(items.map(({ value }) => Number(value)).toSorted((a, b) => a - b)).toEqual([7.5, 12.5, 80]);
  expect(pageErrors).toEqual([]);
});
