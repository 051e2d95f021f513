// Charts without a pointer: read point by point, opened with Enter, compared, as a table, and a service with
// one color on all pages.
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
let pageErrors: string[];

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const gateway = (
    await journey.call<{ secret: string }>('POST', '/admin/api-keys', { name: 'gateway' }, token)
  ).secret;
  const user = await journey.register({ ...owner, name: '客戶管理者', organization: '客戶' });
  const startedAt = new Date(Date.now() - 75 * 86_400_000).toISOString();
  const events: object[] = [];
  for (const [index, name] of ['推論', '儲存', '網路', '資料庫'].entries()) {
    const service = await journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: '運算',
        category: '平台',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
        meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
      },
      token,
    );
    const { id } = await journey.call<{ id: string }>(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId: service.id, startedAt },
      token,
    );
    // The last service is not used in the running month, so pages show different sets of services. The days
    // about 60 days ago have almost nothing: day 40 dwarfs them.
    if (index === 0)
      for (const daysAgo of [60, 61, 62, 63])
        events.push({
          specversion: '1.0',
          id: `small-${daysAgo}`,
          source: '/gateway',
          type: 'call',
          subject: id,
          time: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
          data: { value: 1 },
        });
    for (const daysAgo of index === 3 ? [40] : [0, 40])
      events.push({
        specversion: '1.0',
        id: `${index}-${daysAgo}`,
        source: '/gateway',
        type: 'call',
        subject: id,
        time: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
        data: { value: (4 - index) * 10 },
      });
  }
  await journey.call('POST', '/usage/events', events, gateway, 'application/cloudevents-batch+json');
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(owner, page);
});
test.afterAll(() => journey.end());

const chart = (name: string): Locator => page.getByRole('application', { name });
const card = (name: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name }) });
const button = (name: string): Locator => page.getByRole('button', { name });
/** What a chart announces, once it has announced the same twice. */
async function stableTexts(ask: () => Promise<string[]>): Promise<string[]> {
  let last = await ask();
  await expect
    .poll(async () => {
      const before = last;
      last = await ask();
      return last.length > 0 && last.join() === before.join();
    })
    .toBe(true);
  return last;
}
/** Service → colour, from the legend or list of a chart's card. */
const coloursOf = (title: string): Promise<Record<string, string>> =>
  page.evaluate<Record<string, string>>(`(() => {
  const card = [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === ${JSON.stringify(title)});
  return Object.fromEntries([...(card?.querySelectorAll('li') ?? [])].flatMap((item) => {
    const swatch = item.querySelector('[data-swatch]');
    const name = ['推論', '儲存', '網路', '資料庫'].find((each) => item.textContent.includes(each));
    return swatch && name ? [[name, getComputedStyle(swatch).backgroundColor]] : [];
  }));
})()`);

test.describe('charts (R-USE-02, R-SHELL-16)', () => {
  test('can be read with the arrow keys, and Enter lists the day', async () => {
    await page.goto(`${journey.address}/billing/dashboard`);
    const daily = chart('每日用量趨勢');
    await daily.focus();
    await page.keyboard.press('End');
    await daily
      .getByRole('status')
      .filter({ hasText: /推論 NT\$80/ })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    const list = page.getByRole('region', { name: /的用量費用$/ });
    await list.getByRole('row', { name: /推論/ }).waitFor();
    await expect(list.getByRole('row')).toHaveCount(5);
    await page.getByRole('button', { name: '顯示所有日期' }).click();
    await list.waitFor({ state: 'detached' });
  });

  test('show the previous period as outlines, and in the table', async () => {
    const daily = card('每日用量趨勢');
    await daily.getByRole('switch', { name: '與前一期比較' }).check();
    await daily.getByRole('button', { name: '前一期' }).waitFor();
    await daily.getByRole('button', { name: '以表格檢視' }).click();
    await daily.getByRole('columnheader', { name: '前一期' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await daily.getByRole('button', { name: '以圖表檢視' }).click();
  });

  test('can be read slice by slice in a ring; Enter opens the events of one, like a click', async () => {
    const ring = chart('服務分布');
    await ring.focus();
    await page.keyboard.press('ArrowRight');
    await ring
      .getByRole('status')
      .filter({ hasText: /推論: NT\$80, 44/ })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('End');
    await ring.getByRole('status').filter({ hasText: /網路/ }).waitFor({ state: 'attached' });
    const events = page.getByRole('dialog', { name: '用量事件' });
    await page.keyboard.press('Enter');
    await events.getByText('20 次').first().waitFor();
    await page.goBack();
    await card('服務分布').getByRole('listitem').filter({ hasText: '推論' }).click();
    await events.getByText('40 次').first().waitFor();
    await page.goBack();
  });

  test('give a service one color on all pages, whatever is beside it', async () => {
    await expect.poll(() => coloursOf('服務分布').then((found) => Object.keys(found).length)).toBe(3);
    const shares = await coloursOf('服務分布');
    const days = await coloursOf('每日用量趨勢');
    const from = new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10);
    const to = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    await page.goto(`${journey.address}/usage/statistics?from=${from}&to=${to}`);
    const explored = card('每日用量');
    await explored.getByRole('listitem').filter({ hasText: '資料庫' }).waitFor();
    const all = await coloursOf('每日用量');
    expect(all).toMatchObject(shares);
    expect(all).toMatchObject(days);
    expect(new Set(Object.values(all)).size).toBe(4);
  });

  test('show a window of many days, cut off a day that dwarfs the others or use a log scale, and are saved as pictures', async () => {
    const from = new Date(Date.now() - 70 * 86_400_000).toISOString().slice(0, 10);
    const to = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    await page.goto(`${journey.address}/usage/statistics?from=${from}&to=${to}`);
    const daily = card('每日用量');
    const plot = chart('每日用量');
    const days = () =>
      plot
        .locator('svg text')
        .filter({ hasText: /^\d+\/\d+$/ })
        .allTextContents();
    const all = button('顯示全部');
    // It is drawn when it is scrolled near.
    await plot.scrollIntoViewIfNeeded();
    const before = await stableTexts(days);
    // Selected by dragging with the pointer.
    const box = await plot.boundingBox();
    if (!box) throw new Error('The chart has no place.');
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 100, { steps: 4 });
    await page.mouse.up();
    await all.waitFor();
    await expect.poll(async () => (await days()).join() || before.join()).not.toBe(before.join());
    await all.click();
    await expect.poll(days).toEqual(before);
    // The same with keys, and data outside comes into the window.
    await plot.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('+');
    await all.waitFor();
    await expect.poll(async () => (await days())[0] ?? before[0]).not.toBe(before[0]);
    await page.keyboard.press('Home');
    await expect.poll(days).toContain(before[0]);
    await page.keyboard.press('0');
    await expect.poll(days).toEqual(before);

    const ticks = () => plot.locator('svg text').filter({ hasText: 'NT$' }).allTextContents();
    await daily.getByText('遠高於其他日子的長條已截短').waitFor();
    const cut = await stableTexts(ticks);
    await daily.getByRole('button', { name: '完整長條' }).click();
    await expect.poll(ticks).not.toEqual(cut);
    const linear = await stableTexts(ticks);
    expect(linear).toContain('NT$0');
    await daily.getByRole('button', { name: '對數刻度' }).click();
    await expect.poll(ticks).toEqual(['NT$1', 'NT$10', 'NT$100', 'NT$1,000']);
    await daily.getByText('長條的高度不成比例').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await daily.getByRole('button', { name: '完整長條' }).click();
    await expect.poll(ticks).toEqual(linear);

    for (const title of ['每日用量', '服務用量分布']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        card(title).getByRole('button', { name: '存成 PNG 圖片' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${title}.png`);
      const { width, height } = await sharp(await download.path()).metadata();
      expect([width, height]).toEqual([2400, 1280]);
    }
  });

  test('can be read axis by axis in a radar chart, and have a table each', async () => {
    await page.goto(`${journey.address}/usage/statistics`);
    const radar = chart('服務用量分布');
    await radar.focus();
    await page.keyboard.press('ArrowRight');
    await radar
      .getByRole('status')
      .filter({ hasText: /推論: / })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: '用量事件' }).getByText('40 次').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.getByRole('application').count()).toBe(
      await page.getByRole('button', { name: '以表格檢視' }).count(),
    );
    expect(pageErrors).toEqual([]);
  });
});
