// Reconciliation in a real browser, with a simulated OpenStack that responds as in its API references: an
// unbilled machine is found with its cost and subscribed, and a ghost is opened and ended.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { cloudOptions, credential } from '#tests/support/clouds/console.ts';
import { startOpenStack, type FakeOpenStack } from '#tests/support/clouds/openstack.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let journey: Journey;
let page: Page;
let pageErrors: string[];
let token: string;
let cloud: FakeOpenStack;
const password = 'another long passphrase';
const hourMs = 3_600_000;
const ago = (hours: number): string =>
  new Date(Date.now() - hours * hourMs).toISOString().replace('Z', '000');

test.beforeAll(async ({ startJourney }) => {
  cloud = await startOpenStack();
  const server = (id: string, name: string, project: string) => ({
    id,
    name,
    project,
    flavor: 'm1.large',
    launchedAt: ago(2),
    terminatedAt: null,
    status: 'ACTIVE',
  });
  cloud.servers = [server('vm-web', 'web-1', 'acme'), server('vm-lost', 'build-7', 'nobody')];
  journey = await startJourney({ PRIVATE_HOSTS: '127.0.0.1' });
  token = await journey.setUp();
  const service = (name: string, pricing: object) =>
    journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: '主機',
        category: '平台',
        pricing: { currency: 'TWD', ...pricing },
        meter: { eventType: 'vm', aggregation: 'sum', unit: '小時' },
      },
      token,
    );
  const { id: hourly } = await service('雲主機', { model: 'per_unit', unitPrice: '500' });
  const { id: monthly } = await service('專屬主機', { model: 'per_unit', unitPrice: '1', baseFee: '3000' });
  const organization = async (account: string, name: string): Promise<string> =>
    (await journey.register({ account, password, name: '王小明', organization: name })).organizationId;
  await organization('owner@yuansheng.example', '遠昇');
  const { id: subscriptionId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/subscriptions',
    {
      organizationId: await organization('owner@chenguang.example', '晨光'),
      serviceId: monthly,
      startedAt: new Date(Date.now() - 3 * hourMs).toISOString(),
    },
    token,
  );
  const { id: connectorId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/connectors',
    {
      name: '機房 OpenStack',
      address: cloud.address,
      options: cloudOptions,
      credentials: credential,
      windowSeconds: 300,
      settleSeconds: 0,
      mapping: {
        subscriptionField: '',
        rules: [{ field: 'project', value: 'acme', subscriptionId }],
        measures: [
          { eventType: 'vm', quantity: 'seconds', multiplyBy: '1', divideBy: '3600', dimensions: {} },
        ],
      },
    },
    token,
  );
  // Its last hour was read, so that the machine with a customer is known to be billed.
  await journey.call(
    'POST',
    `/admin/connectors/${connectorId}/backfill`,
    { from: new Date(Date.now() - hourMs).toISOString() },
    token,
  );
  await journey.call(
    'PUT',
    '/admin/reconciliation/settings',
    {
      version: 1,
      ghostHours: 24,
      noticeAbove: null,
      prices: [{ connectorId, itemKind: 'server', serviceId: hourly }],
    },
    token,
  );
  await expect
    .poll(
      async () =>
        (
          await journey.call<{ resources: number }>(
            'GET',
            `/admin/connectors/${connectorId}`,
            undefined,
            token,
          )
        ).resources,
      { timeout: 30_000 },
    )
    .toBe(2);
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test('T-RECON: an unbilled machine is found with its cost, subscribed, and gone from the list after a reload', async () => {
  await page.goto(`${journey.address}/admin/reconciliation`);
  await page.getByRole('heading', { level: 1, name: '對帳' }).waitFor();
  await page.getByRole('button', { name: '立即比對' }).click();
  const row = page.getByRole('row', { name: /build-7/ });
  await expect(row).toContainText('未計費');
  // A decision during a running comparison is found once more by it.
  await expect(page.getByRole('row', { name: /完成 Operator/ })).toBeVisible();
  // Two hours at 500, and some minutes.
  await expect(row).toContainText(/NT\$\s?1,0\d\d/);
  await expect(page.getByRole('row', { name: /web-1/ })).toHaveCount(0);
  await row.click();
  const panel = page.getByRole('dialog', { name: 'build-7' });
  await expect(panel).toContainText('不屬於任何訂閱');
  expect(await axeFindings(page)).toEqual([]);
  await panel.getByRole('button', { name: '指定訂閱', exact: true }).click();
  const form = page.getByRole('dialog', { name: '由誰為「build-7」付費？' });
  await form.getByRole('button', { name: '指定訂閱', exact: true }).click();
  await expect(form.getByText(/請/).first()).toBeVisible();
  await form.getByRole('combobox', { name: /^客戶/ }).fill('遠昇');
  await page.getByRole('option', { name: /遠昇/ }).click();
  await expect(form.getByRole('combobox', { name: /^服務/ })).toHaveValue('雲主機');
  await form.getByRole('button', { name: '指定訂閱', exact: true }).click();
  await expect(page.getByText('「build-7」已有訂閱付費。')).toBeVisible();
  await expect(page.getByRole('row', { name: /build-7/ })).toHaveCount(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: '對帳' }).waitFor();
  // The console compares every hour. Waiting readings of build-7 are listed until the connector has retried
  // them.
  await expect(async () => {
    await page.getByRole('button', { name: '立即比對' }).click();
    await expect(page.getByText('沒有差異')).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
});

test('T-RECON: a ghost is found with its monthly cost, opened, and its subscription ended', async () => {
  cloud.servers = cloud.servers.map((each) =>
    each.id === 'vm-web'
      ? { ...each, terminatedAt: new Date(Date.now() - 60_000).toISOString().slice(0, 19) }
      : each,
  );
  await page.getByRole('button', { name: '立即比對' }).click();
  const row = page.getByRole('row', { name: /web-1/ });
  await expect(row).toContainText('已不存在');
  await expect(row).toContainText(/NT\$\s?3,000/);
  await expect(row).toContainText('晨光');
  await row.click();
  const panel = page.getByRole('dialog', { name: 'web-1' });
  await expect(panel).toContainText('仍付月費');
  await panel.getByRole('button', { name: '結束訂閱' }).click();
  const ask = page.getByRole('alertdialog', { name: '結束「web-1」的訂閱？' });
  await expect(ask).toContainText('專屬主機');
  await ask.getByRole('button', { name: '結束訂閱' }).click();
  await expect(page.getByText('已結束「web-1」的訂閱。')).toBeVisible();
  // Until the connector has retried the waiting readings of build-7, those are listed, too.
  await expect(async () => {
    await page.getByRole('button', { name: '立即比對' }).click();
    await expect(page.getByText('沒有差異')).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
  await page.reload();
  await expect(page.getByText('沒有差異')).toBeVisible();
});

test('T-RECON: revoked credentials are reported, and create no ghosts', async () => {
  cloud.secret = 'revoked';
  await page.getByRole('button', { name: '立即比對' }).click();
  await expect(page.getByText(/「機房 OpenStack」讀取失敗/)).toBeVisible();
  await expect(page.getByText('沒有差異')).toBeVisible();
  await page.goto(`${journey.address}/admin/dashboard`);
  expect(pageErrors).toEqual([]);
});
