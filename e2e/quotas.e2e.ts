// Quotas and budgets in a real browser: a limit increase requested, granted, and shown live; a budget that
// follows usage and notifies.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const [owner, reader] = ['owner@customer.example', 'reader@customer.example'];
let journey: Journey;
let metering: string;
let subscriptionId: string;
let count = 0;

const meter = (value: string) =>
  journey.call(
    'POST',
    '/usage/events',
    [
      {
        specversion: '1.0',
        id: String(++count),
        source: '/gateway',
        type: 'call',
        subject: subscriptionId,
        data: { value },
      },
    ],
    metering,
    'application/cloudevents-batch+json',
  );

/** A customer with NT$2 per call and a limit of 100 calls a month, of which 90 are used. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '推論',
      type: 'API',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      quota: { type: 'hard', limit: '100' },
    },
    token,
  );
  const user = await journey.register({ account: owner, password, name: '客戶管理者', organization: '晨光' });
  await journey.call(
    'POST',
    '/admin/users',
    { account: reader, name: '唯讀', role: 'ReadOnly', organizationId: user.organizationId, password },
    token,
  );
  subscriptionId = (
    await journey.call<{ id: string }>(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId },
      token,
    )
  ).id;
  metering = (await journey.call<{ secret: string }>('POST', '/admin/api-keys', { name: 'gateway' }, token))
    .secret;
  await meter('90');
});
test.afterAll(() => journey.end());

test.describe('R-USE-04 a limit increase', () => {
  test('is requested by a user, granted by an Admin in one click, and shown immediately without a reload', async () => {
    const page = await journey.openSession({ account: owner, password });
    await page.goto(`${journey.address}/billing/dashboard`);
    await page.getByText('90／100 calls', { exact: true }).waitFor();
    await page.getByRole('button', { name: '申請提高：推論' }).click();
    const dialog = page.getByRole('dialog', { name: '提高「推論」的配額' });
    expect(await dialog.getByLabel(/^新的配額/).inputValue()).toBe('150');
    await dialog.getByRole('button', { name: '送出申請' }).click();
    await dialog.getByText('請填寫用途說明。').waitFor();
    await dialog.getByLabel(/^用途說明/).fill('月底的活動');
    await dialog.getByRole('button', { name: '送出申請' }).click();
    await page.getByRole('button', { name: '已申請 150 calls：推論' }).waitFor();

    const operator = await journey.openSession(admin);
    await operator.goto(`${journey.address}/admin/dashboard`);
    await operator.getByRole('link', { name: /1 筆配額申請等待回覆.*前往回覆/ }).click();
    await operator.getByRole('heading', { name: '等待回覆（1）' }).waitFor();
    await operator.getByText('目前已用 90／100 calls').waitFor();
    expect(await axeFindings(operator)).toEqual([]);
    await operator.getByRole('button', { name: '核准晨光的推論配額 150 calls' }).click();
    await operator.getByText('沒有等待回覆的申請').waitFor();
    await operator.getByRole('row', { name: /晨光.*已核准/ }).waitFor();

    await page.getByText('90／150 calls', { exact: true }).waitFor();
    await page.getByRole('button', { name: '申請提高：推論' }).waitFor();
    await page.getByRole('button', { name: /通知/ }).click();
    const inbox = page.getByRole('dialog', { name: '通知' });
    await inbox.getByText('「推論」的配額已提高為 150 calls。').waitFor();
    await inbox.getByText('「推論」用量已回到配額的 60%（90／150 calls）。').waitFor();
  });
});

test.describe('a reservation', () => {
  test('is listed with the creator’s reference, and released by a user', async () => {
    await journey.call(
      'POST',
      `/usage/entitlements/${subscriptionId}/reservations`,
      { quantity: '20', ttlSeconds: 3600, reference: '批次 7' },
      metering,
    );
    const page = await journey.openSession({ account: owner, password });
    await page.goto(`${journey.address}/billing/dashboard`);
    await page.getByRole('button', { name: '另預留 20 calls：推論' }).click();
    const dialog = page.getByRole('dialog', { name: '「推論」的預留' });
    await dialog
      .getByRole('listitem')
      .filter({ hasText: '批次 7' })
      .filter({ hasText: '20 calls' })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '釋放 20 calls 批次 7' }).click();
    await dialog.getByText('目前沒有預留。').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /另預留/ }).waitFor({ state: 'detached' });
  });
});

test.describe('a budget', () => {
  test('is set, follows usage live, and its thresholds are notified', async () => {
    const page = await journey.openSession({ account: owner, password });
    await page.goto(`${journey.address}/billing/dashboard`);
    await page.getByText('還沒有預算').waitFor();
    await page.getByRole('button', { name: '建立預算' }).click();
    const dialog = page.getByRole('dialog', { name: '建立預算' });
    await dialog.getByLabel(/^名稱/).fill('全公司');
    await dialog.getByLabel(/^每月金額/).fill('1,000');
    await dialog.getByRole('button', { name: '建立預算' }).click();
    const bar = page.getByRole('meter', { name: '預算「全公司」' });
    await bar.waitFor();
    await expect(bar).toHaveAttribute('aria-valuetext', /已使用 18%/);
    await meter('160');
    await page.getByText('NT$500／NT$1,000（50%）').waitFor();
    await expect(bar).toHaveAttribute('aria-valuenow', '50');
    await page.getByRole('button', { name: /通知/ }).click();
    const inbox = page.getByRole('dialog', { name: '通知' });
    await inbox.getByText('預算「全公司」：本月費用 NT$500，已達預算 NT$1,000 的 50%。').waitFor();
    await page.keyboard.press('Escape');
    await inbox.waitFor({ state: 'detached' });
    await page.getByText('已通知實際費用達 50%').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: '變更預算「全公司」' }).click();
    const change = page.getByRole('dialog', { name: '預算「全公司」' });
    await change.getByLabel(/^每月金額/).fill('400');
    await change.getByLabel(/^通知門檻/).fill('80、100');
    await change.getByRole('button', { name: '儲存預算' }).click();
    await page.getByText('NT$500／NT$400（125%）').waitFor();
    await page.getByText('超出預算', { exact: true }).waitFor();
  });

  test('is visible to a ReadOnly member without buttons, and deleted by its creator', async () => {
    const look = await journey.openSession({ account: reader, password });
    await look.goto(`${journey.address}/dashboard`);
    await look.getByText('NT$500／NT$400（125%）').waitFor();
    await look.getByText('250／150 calls', { exact: true }).waitFor();
    expect(await look.getByRole('button', { name: /預算|申請/ }).count()).toBe(0);
    const page = await journey.openSession({ account: owner, password });
    await page.goto(`${journey.address}/billing/dashboard`);
    await page.getByRole('button', { name: '刪除預算「全公司」' }).click();
    await page
      .getByRole('alertdialog', { name: '刪除預算「全公司」？' })
      .getByRole('button', { name: '刪除預算' })
      .click();
    await page.getByText('還沒有預算').waitFor();
    await look.getByText('設定後會顯示在這裡').waitFor();
  });
});
