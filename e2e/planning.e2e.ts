// Simulations in a real browser: an Admin simulates a price before publishing it, and a customer sees which
// plan would have cost less and switches to it.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const customers = [
  { name: '大客戶', account: 'large@customer.example', used: 400 },
  { name: '小客戶', account: 'small@customer.example', used: 10 },
] as const;
let journey: Journey;

/** The first moment of last month in Taipei, which is eight hours ahead all year. */
function lastMonth(): Date {
  const taipei = new Date(Date.now() + 8 * 3_600_000);
  return new Date(Date.UTC(taipei.getUTCFullYear(), taipei.getUTCMonth() - 1, 1) - 8 * 3_600_000);
}

/**
 * Two customers of one plan since the beginning of last month: NT$100 and NT$2 per unit, and a bigger plan of
 * the same family.
 */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const service = (name: string, baseFee: string, unitPrice: string) =>
    journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: '儲存',
        category: '平台',
        family: '儲存',
        pricing: { model: 'per_unit', currency: 'TWD', baseFee, unitPrice },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      token,
    );
  const { id } = await service('儲存 基本', '100', '2');
  await service('儲存 大量', '300', '0.5');
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: 'gateway' },
    token,
  );
  const startedAt = lastMonth();
  for (const { name, account, used } of customers) {
    const user = await journey.register({ account, password, name, organization: name });
    const { id: subject } = await journey.call<{ id: string }>(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId: id, startedAt: startedAt.toISOString() },
      token,
    );
    await journey.call(
      'POST',
      '/usage/events',
      [
        {
          specversion: '1.0',
          id: account,
          source: '/gateway',
          type: 'gb',
          subject,
          time: new Date(startedAt.getTime() + 86_400_000).toISOString(),
          data: { value: String(used) },
        },
      ],
      secret,
      'application/cloudevents-batch+json',
    );
  }
});
test.afterAll(() => journey.end());

test.describe('simulating a price', () => {
  test('shows who would have paid more or less, from real usage, and exports the list; nothing is published', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/service-management`);
    await page
      .getByRole('row', { name: /儲存 基本/ })
      .getByRole('button', { name: /^儲存 基本/ })
      .click();
    const drawer = page.getByRole('dialog', { name: '儲存 基本' });
    await drawer.getByRole('textbox', { name: /^基本費/ }).fill('130');
    await drawer.getByRole('textbox', { name: /^單價/ }).fill('1.5');
    await drawer.getByRole('button', { name: '試算影響' }).click();
    await drawer.getByText('3 個月內：1 個客戶會多付，1 個會少付，0 個不變。').waitFor();
    // 900 and 120 before; 730 and 145 with the new price.
    await drawer.getByText('-NT$145（-14.2%）').waitFor();
    await drawer.getByText('2 個客戶，2 項訂閱').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: '匯出 CSV' }).click(),
    ]);
    const rows: Record<string, string>[] = parse(await readFile(await download.path()), {
      bom: true,
      columns: true,
    });
    expect(rows.map((row) => [row['組織'], row['原價'], row['新價'], row['差額']])).toEqual([
      ['大客戶', '900', '730', '-170'],
      ['小客戶', '120', '145', '25'],
    ]);
    await page.goto(`${journey.address}/admin/service-management`);
    await page
      .getByRole('row', { name: /儲存 基本/ })
      .getByText('NT$2／GB')
      .waitFor();
  });
});

test.describe('the plan comparison', () => {
  test('shows the cost of the other plan, and one click opens its preview', async () => {
    const page = await journey.openSession({ account: customers[0].account, password });
    await page.goto(`${journey.address}/cloud-service/management`);
    await page.getByRole('button', { name: '儲存 基本', exact: true }).click();
    const panel = page.getByRole('dialog', { name: '訂閱內容' });
    // 100 + 400 × 2 against 300 + 400 × 0.5.
    await panel.getByText('若使用「儲存 大量」，平均每月可省 NT$400。').waitFor();
    await panel.getByRole('button', { name: '改用此方案：「儲存 大量」' }).click();
    const change = page.getByRole('dialog', { name: '變更「儲存 基本」的方案' });
    expect(await change.getByRole('radio', { name: /儲存 大量/ }).isChecked()).toBe(true);
    await change.getByRole('button', { name: '立即變更' }).click();
    await page.getByText('已變更為「儲存 大量」。').waitFor();
  });

  test('says if the current plan is the best', async () => {
    const page = await journey.openSession({ account: customers[1].account, password });
    await page.goto(`${journey.address}/cloud-service/management`);
    await page.getByRole('button', { name: '儲存 基本', exact: true }).click();
    await page
      .getByRole('dialog', { name: '訂閱內容' })
      .getByText('目前方案最合適，其他方案都不會更便宜。')
      .waitFor();
  });
});
