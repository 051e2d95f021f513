// A service that requires prepaid credit, in a real browser: an Admin enables that, a customer is stopped,
// buys credit, and is stopped again when it is used up.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = 'owner@prepaid.example';
const twd = (amount: string) => ({ amount, currency: 'TWD' });
/** The job runs every 15 seconds; the page then updates without a reload. */
const withinOneLook = { timeout: 40_000 };
let journey: Journey;
let admin: Page;
let customer: Page;
let pageErrors: readonly string[][];
let token: string;
let subscriptionId: string;
let count = 0;

const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(journey.address + path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};
const panel = (): Locator => customer.getByRole('dialog', { name: '訂閱內容' });
/** Sends one event; returns the reason of its rejection, if it was rejected. */
async function use(value: string): Promise<string | undefined> {
  const { rejected } = await journey.call<{ rejected: { message: string }[] }>(
    'POST',
    '/usage/events',
    {
      specversion: '1.0',
      id: `e${++count}`,
      source: 'gateway',
      type: 'render',
      subject: subscriptionId,
      time: new Date().toISOString(),
      data: { value },
    },
    token,
    'application/cloudevents+json',
  );
  return rejected[0]?.message;
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const session = await journey.setUp();
  await journey.register({ account: owner, password, name: '客戶管理者', organization: '晨光' });
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '影像算圖',
      type: '運算',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'render', aggregation: 'sum', unit: '次' },
    },
    session,
  );
  await journey.call(
    'PUT',
    '/admin/credit-offer',
    { isOn: true, services: null, usageOnly: false, months: 12 },
    session,
  );
  ({ secret: token } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: 'gateway', scope: 'metering' },
    session,
  ));
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/billing/top-ups',
    { amount: twd('1000') },
    (await journey.call<{ token: string }>('POST', '/user/login', { account: owner, password })).token,
  );
  await journey.call('POST', `/admin/payments/${id}/confirm`, {}, session);
  const [first, second] = [await journey.person(), await journey.person()];
  [admin, customer] = [first.page, second.page];
  pageErrors = [first.pageErrors, second.pageErrors];
  await journey.openSession(operator, admin);
  await journey.openSession({ account: owner, password }, customer);
});
test.afterAll(() => journey.end());

test.describe('a service that requires prepaid credit (T-STOP)', () => {
  test('is configured by an Admin in its form, and is still so after a reload', async () => {
    await open(admin, '/admin/service-management', '服務管理');
    await admin
      .getByRole('button', { name: /^影像算圖/ })
      .first()
      .click();
    const form = admin.getByRole('dialog', { name: '影像算圖' });
    await form.getByRole('button', { name: /^更多設定.*預付額度/ }).click();
    const field = form.getByRole('switch', { name: /^需要預付額度/ });
    await field.check();
    await form.getByRole('button', { name: '儲存變更' }).click();
    await expect(form).toHaveCount(0);
    await admin.reload();
    await admin
      .getByRole('button', { name: /^影像算圖/ })
      .first()
      .click();
    await expect(field).toBeChecked();
    expect(await axeFindings(admin)).toEqual([]);
  });

  test('shows that to a customer before subscribing, and is stopped from the start', async () => {
    await open(customer, '/service/overview', '服務總覽');
    await customer.getByRole('button', { name: '訂閱「影像算圖」' }).click();
    const dialog = customer.getByRole('dialog', { name: '訂閱「影像算圖」' });
    await expect(dialog.getByText('用完即停止計量')).toBeVisible();
    await dialog.getByLabel('我已閱讀價格，同意依此計費').check();
    await dialog.getByRole('button', { name: '確認訂閱' }).click();
    await customer.getByRole('dialog', { name: '訂閱完成' }).getByRole('link', { name: '管理' }).click();
    await expect(panel().getByText('已停止計量')).toBeVisible();
    subscriptionId = new URL(customer.url()).searchParams.get('subscription') ?? '';
    expect(await use('1')).toContain('可用於「影像算圖」的預付額度已用完');
    expect(await axeFindings(customer)).toEqual([]);
  });

  test('resumes immediately after buying credit from the notice, without a reload', async () => {
    await panel().getByRole('link', { name: '購買額度' }).click();
    const notice = customer.getByText('已停止計量：影像算圖');
    await expect(notice).toBeVisible();
    expect(await axeFindings(customer)).toEqual([]);
    await customer.getByRole('alert').getByRole('button', { name: '購買額度' }).click();
    const dialog = customer.getByRole('dialog', { name: '購買額度' });
    await dialog.getByRole('textbox', { name: /^金額/ }).fill('105');
    await dialog.getByRole('button', { name: '購買額度' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(notice).toHaveCount(0);
    expect(await use('90')).toBeUndefined();
  });

  test('notifies at four fifths and at the end, on the open page', async () => {
    await customer.goto(`${journey.address}/cloud-service/management?subscription=${subscriptionId}`);
    await expect(panel().getByText('這項服務的預付額度已使用 80% 以上，用完即停止計量。')).toBeVisible(
      withinOneLook,
    );
    expect(await use('10')).toBeUndefined();
    await expect(panel().getByText('已停止計量')).toBeVisible(withinOneLook);
    expect(await use('1')).toContain('請購買額度');
    await customer.reload();
    await expect(panel().getByText('已停止計量')).toBeVisible();
    await open(admin, '/admin/rejected-events', '被拒絕的事件');
    await expect(admin.getByText('預付額度已用完').first()).toBeVisible();
    expect(await axeFindings(admin)).toEqual([]);
  });

  test('lists the stopped customer among what needs attention, with the service', async () => {
    await open(admin, '/admin/dashboard', '系統儀表板');
    await admin.getByRole('link', { name: /1 個客戶的預付額度已用完，停止計量中/ }).click();
    const customerPanel = admin.getByRole('dialog', { name: /晨光/ });
    await customerPanel.getByText(/「影像算圖」的預付額度已用完，自 .* 起停止計量。/).waitFor();
    expect(await axeFindings(admin)).toEqual([]);
    await customerPanel.getByRole('link', { name: '查看額度' }).click();
    await admin.getByRole('heading', { level: 1, name: '預付與贈送額度' }).waitFor();
    await open(admin, '/admin/organizations?metering=stopped', '組織管理');
    await admin.getByRole('row', { name: /晨光.*停止計量/ }).waitFor();
    expect(await axeFindings(admin)).toEqual([]);
    expect(pageErrors.flat()).toEqual([]);
  });
});
