// Usage statistics in a real browser: explored and compared, down to the events, explained, exported, live,
// and right the next morning.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { startLiveGate } from '#tests/support/browser/live-gate.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
const reader = { account: 'reader@customer.example', password: 'another long passphrase' };
const dayMs = 86_400_000;
let journey: Journey;
let gateway: string;
let calls: string;
let page: Page;
let pageErrors: string[];
let sent = 0;

const send = (events: readonly { at: number; value: number; zone?: string; subject?: string }[]) =>
  journey.call(
    'POST',
    '/usage/events',
    events.map(({ at, value, zone, subject = calls }) => ({
      specversion: '1.0',
      id: `e${++sent}`,
      source: '/gateway',
      type: 'call',
      subject,
      time: new Date(at).toISOString(),
      data: { value, ...(zone !== undefined && { zone }) },
    })),
    gateway,
    'application/cloudevents-batch+json',
  );
const began = Date.now();
/**
 * The day in Taipei, which is eight hours ahead all year, on which these tests began, and earlier days: a day
 * that ends meanwhile would be one more without usage.
 */
const dayBefore = (count: number): string =>
  new Date(began + 8 * 3_600_000 - count * dayMs).toISOString().slice(0, 10);
/** Noon of such a day. */
const noonOf = (count: number): number => Date.parse(`${dayBefore(count)}T04:00:00Z`);
const open = (search = ''): Promise<unknown> => page.goto(`${journey.address}/usage/statistics${search}`);
const groups = () => page.getByRole('table', { name: '各組用量' });

/** Seventy days of ten calls at NT$2 in one zone and five in another; three days ago a hundred more. Storage beside them. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const service = (name: string, unitPrice: string, unit: string, tags: string[], more: object = {}) =>
    journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: '運算',
        category: '平台',
        tags,
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice, ...more },
        meter: { eventType: 'call', aggregation: 'sum', unit },
      },
      token,
    );
  gateway = (await journey.call<{ secret: string }>('POST', '/admin/api-keys', { name: 'gateway' }, token))
    .secret;
  const user = await journey.register({ ...owner, name: '客戶管理者', organization: '客戶' });
  const { organizationId } = user;
  await journey.call(
    'POST',
    '/admin/users',
    { account: reader.account, name: '唯讀', role: 'ReadOnly', organizationId, password: reader.password },
    token,
  );
  const startedAt = new Date(noonOf(75)).toISOString();
  const subscribe = async (serviceId: string) =>
    (
      await journey.call<{ id: string }>(
        'POST',
        '/admin/subscriptions',
        { organizationId, serviceId, startedAt },
        token,
      )
    ).id;
  calls = await subscribe((await service('推論', '2', '次', ['gpu'])).id);
  const store = await subscribe((await service('儲存', '1', 'GB', [], { included: '20' })).id);
  const days = Array.from({ length: 70 }, (_, index) => 70 - index);
  await send(
    days.flatMap((count) => [
      { at: noonOf(count), value: 10, zone: 'tpe' },
      { at: noonOf(count) + 3_600_000, value: 5, zone: 'khh' },
      { at: noonOf(count), value: 3, subject: store },
    ]),
  );
  await send([{ at: noonOf(3), value: 100, zone: 'tpe' }]);
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(owner, page);
});
test.afterAll(() => journey.end());

const week = (): string => `?from=${dayBefore(7)}&to=${dayBefore(1)}`;

test.describe('usage statistics', () => {
  test('R-USE-01: group, granularity and comparison are in the address; the same link shows the same', async () => {
    await open(week());
    await groups().getByRole('row', { name: /推論/ }).waitFor();
    await page.getByLabel('分組方式').selectOption({ label: '屬性：zone' });
    await groups()
      .getByRole('row', { name: /tpe 170 次/ })
      .waitFor();
    await page.getByRole('switch', { name: '與前一期比較' }).click();
    await page.getByRole('table', { name: '變化最大' }).getByRole('row', { name: /tpe/ }).waitFor();
    const address = page.url();
    expect(new URL(address).search).toBe(`${week()}&by=property%3Azone&compare=previous`);
    await page.goto(address);
    await groups()
      .getByRole('row', { name: /khh 35 次/ })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('R-USE-05: more than fourteen days by hour are not requested; one click shows the last fourteen', async () => {
    await open(`?from=${dayBefore(30)}&to=${dayBefore(1)}&grain=hour`);
    await page.getByText('以小時檢視時，期間最多 14 天。').waitFor();
    await page.getByRole('button', { name: '顯示最後 14 天' }).click();
    await page.getByRole('heading', { name: '每小時用量' }).waitFor();
    await groups().getByRole('row', { name: /推論/ }).waitFor();
  });

  test('the dates show which rule they violate, and nothing is applied', async () => {
    await open(week());
    await page.getByLabel('起', { exact: true }).fill(dayBefore(0));
    await page.getByText('開始日期不得晚於結束日期。').waitFor();
    expect(await page.getByRole('button', { name: '套用' }).isDisabled()).toBe(true);
  });

  test('every chart has a table, too, and its bars are read with the arrow keys; Enter opens exactly the events of the day', async () => {
    await open(week());
    const chart = page.getByRole('application', { name: '每日用量' });
    await chart.focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowRight');
    await page
      .getByText(/推論.*NT\$230.*異常用量日 推論/)
      .first()
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: '用量事件' });
    await panel.getByText('100 次').waitFor();
    await expect(panel.getByRole('row')).toHaveCount(4);
    await panel.getByLabel('服務').selectOption({ label: '儲存' });
    await panel.getByText('3 GB').waitFor();
    await expect(panel.getByRole('row')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: '用量探索' }).getByRole('button', { name: '以表格檢視' }).click();
    await page
      .getByRole('region', { name: '每日用量' })
      .getByRole('row', { name: /NT\$230/ })
      .waitFor();
  });

  test('R-USE-02: the dashboard’s days continue with the month’s forecast and its range', async () => {
    test.skip(
      dayBefore(0).endsWith('-01') || dayBefore(-1).endsWith('-01'),
      'On its first day nobody could say, on its last nothing is left.',
    );
    await page.goto(`${journey.address}/billing/dashboard`);
    const daily = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: '每日用量趨勢' }) });
    await daily.getByRole('button', { name: '預估' }).waitFor();
    await daily.getByRole('button', { name: '以表格檢視' }).click();
    await daily.getByRole('columnheader', { name: '預估' }).waitFor();
    await daily
      .getByText(/^NT\$[\d.,]+ \(NT\$[\d.,]+ – NT\$[\d.,]+\)$/)
      .last()
      .waitFor();
    // Below them stands how the days lead to the month's bill.
    await daily.getByRole('row').last().getByText('合計（折扣與稅前）').waitFor();
  });

  test('a group’s row opens its events only', async () => {
    await open(`${week()}&by=property%3Azone&only=`);
    await groups().getByRole('button', { name: 'khh' }).click();
    const panel = page.getByRole('dialog', { name: '用量事件' });
    await panel.getByText('zone: khh').first().waitFor();
    await expect(panel.getByRole('row')).toHaveCount(8);
  });

  test('an unusual day is explained; that stays after a reload and can be withdrawn', async () => {
    await open(week());
    const row = page.getByRole('table', { name: '異常用量日' }).getByRole('row', { name: /推論/ });
    await row.getByRole('button', { name: /^非預期/ }).click();
    await row.getByText(/客戶管理者/).waitFor();
    await page.reload();
    await row.getByText('非預期').waitFor();
    await row.getByRole('button', { name: /^復原/ }).click();
    await row.getByRole('button', { name: /^預期內/ }).waitFor();
  });

  test('a ReadOnly member sees the same but cannot explain days', async () => {
    const other = await journey.person();
    await journey.openSession(reader, other.page);
    await other.page.goto(`${journey.address}/usage/statistics${week()}`);
    await other.page.getByRole('table', { name: '異常用量日' }).getByRole('row', { name: /推論/ }).waitFor();
    expect(await other.page.getByRole('button', { name: /^(預期內|非預期)/ }).count()).toBe(0);
    expect(other.pageErrors).toEqual([]);
  });

  test('the table is exported as CSV, and every charge as FOCUS', async () => {
    await open(week());
    const take = async (kind: RegExp): Promise<string[][]> => {
      await page.getByRole('button', { name: '匯出' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: kind }).click(),
      ]);
      return parse((await readFile(await download.path(), 'utf8')).replace(/^\uFEFF/, '')) as string[][];
    };
    const csv = await take(/^CSV/);
    expect(csv[0]).toEqual(['日期', '分組', '用量', '單位', '費用', '幣別']);
    // In the first week of a month, rows named after the month follow.
    expect(csv.filter(([day = '']) => day.length === 10)).toHaveLength(14);
    const focus = await take(/^FOCUS 1\.2/);
    expect(focus[0]?.slice(0, 3)).toEqual(['BilledCost', 'BillingAccountId', 'BillingAccountName']);
  });
});

test.describe('a page that stays open', () => {
  test('shows a batch that was just ingested', async () => {
    await open(`?from=${dayBefore(1)}&to=${dayBefore(1)}`);
    await groups()
      .getByRole('row', { name: /推論 15 次/ })
      .waitFor();
    await send([{ at: noonOf(1) + 7_200_000, value: 1 }]);
    await groups()
      .getByRole('row', { name: /推論 16 次/ })
      .waitFor();
  });

  test('reloads everything after the connection was lost', async () => {
    let isCut = false;
    const gate = await startLiveGate(journey.address);
    const other = await journey.person({ elsewhere: [gate.address] });
    await other.page.route('**/api/**', (route) => (isCut ? route.abort() : route.continue()));
    await journey.openSession(owner, other.page);
    await other.page.goto(`${gate.address}/usage/statistics?from=${dayBefore(1)}&to=${dayBefore(1)}`);
    const row = other.page.getByRole('table', { name: '各組用量' }).getByRole('row', { name: /推論 16 次/ });
    await row.waitFor();
    isCut = true;
    gate.close();
    await send([{ at: noonOf(1) + 7_200_000, value: 1 }]);
    await row.waitFor();
    isCut = false;
    gate.open();
    await other.page
      .getByRole('table', { name: '各組用量' })
      .getByRole('row', { name: /推論 17 次/ })
      .waitFor({ timeout: 60_000 });
  });

  test('changes day and month at its organization’s midnight, without a reload', async () => {
    // The month of the latest usage is shown if the one before the current has none. On a month's first day, all
    // usage is of the month before until this event.
    await send([{ at: Date.now(), value: 1 }]);
    const other = await journey.person();
    await journey.openSession(owner, other.page);
    // Half a minute before this month ends in Taipei.
    const month = dayBefore(0).slice(0, 7);
    const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1));
    await other.page.clock.install({ time: new Date(next.getTime() - 8 * 3_600_000 - 30_000) });
    await other.page.goto(`${journey.address}/usage/statistics`);
    const [last, first] = [new Date(next.getTime() - dayMs), next].map((each) =>
      each.toISOString().slice(0, 10),
    );
    const to = other.page.getByLabel('迄', { exact: true });
    await to.waitFor();
    expect([await to.inputValue(), await other.page.getByLabel('起', { exact: true }).inputValue()]).toEqual([
      last,
      `${month}-01`,
    ]);
    await other.page.clock.runFor(65_000);
    await expect.poll(() => to.inputValue()).toBe(first);
    expect(await other.page.getByLabel('起', { exact: true }).inputValue()).toBe(first);
    await other.page
      .getByRole('button', { name: new RegExp(`${next.getUTCFullYear()}年 ?${next.getUTCMonth() + 1}月`) })
      .first()
      .waitFor();
    expect(pageErrors).toEqual([]);
  });
});
