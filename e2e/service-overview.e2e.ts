// The service overview in a real browser: opened by its address, compared, estimated by keyboard, and
// subscribed to.
import type { Locator, Page } from '@playwright/test';
import { grouped } from '../src/kernel/format-money.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'owner@customer.example', password: 'another long passphrase' };
const gb = { eventType: 'storage.gb', aggregation: 'sum', unit: 'GB' };
/** A bound against hanging, not an expectation. */
const bound = { timeout: 20_000 };
let journey: Journey;
let page: Page;
let pageErrors: string[];
let token: string;
const services: Record<string, string> = {};

async function make(name: string, more: object): Promise<void> {
  services[name] = (
    await journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: '儲存',
        category: '平台',
        family: '儲存',
        pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '2' },
        meter: gb,
        ...more,
      },
      token,
    )
  ).id;
}
const open = async (query = ''): Promise<void> => {
  await page.goto(`${journey.address}/service/overview${query}`);
  await page.getByRole('heading', { level: 1, name: '服務總覽' }).waitFor();
};
const names = (): Promise<string[]> =>
  page.getByRole('list', { name: '服務總覽' }).getByRole('heading', { level: 2 }).allInnerTexts();
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  await make('物件儲存', { popular: true, features: ['三份副本'], trialDays: 14 });
  await make('大容量儲存', {
    pricing: {
      model: 'graduated',
      currency: 'TWD',
      tiers: [
        { upTo: '500', unitPrice: '1.5' },
        { upTo: null, unitPrice: '1' },
      ],
    },
    quota: { type: 'soft', limit: '5000' },
  });
  await make('吃到飽儲存', {
    pricing: { model: 'flat', currency: 'TWD', baseFee: '990' },
    releaseState: 'Beta',
    trialDays: 14,
  });
  await make('量子運算', { type: '運算', family: '', releaseState: 'Coming Soon' });
  await make('短命服務', { type: '運算', family: '', recommended: true });
  const user = await journey.register({ ...buyer, name: '採購', organization: '好客戶' });
  // Last month in the buyer’s calendar, with 820 GB.
  const today = new Date(Date.now() + 8 * 3_600_000);
  const last = (day: number): string =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, day, 4)).toISOString();
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId: services['物件儲存'], startedAt: last(1) },
    token,
  );
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: '閘道' },
    token,
  );
  await journey.call(
    'POST',
    '/usage/events',
    [
      {
        specversion: '1.0',
        id: '1',
        source: '/s',
        type: 'storage.gb',
        subject: id,
        time: last(10),
        data: { value: '820' },
      },
    ],
    secret,
    'application/cloudevents-batch+json',
  );
  const person = await journey.person();
  ({ page, pageErrors } = person);
  await person.context.request.post(`${journey.address}/api/user/login`, { data: buyer });
});
test.afterAll(() => journey.end());

test.describe('the service overview (R-CAT-01 to R-CAT-04)', () => {
  test('shows the search, type and tab of its address, with the count of each tab', async () => {
    await open('?type=儲存&q=儲存');
    await expect.poll(names, bound).toEqual(['吃到飽儲存', '大容量儲存', '物件儲存']);
    expect(await page.getByRole('searchbox').inputValue()).toBe('儲存');
    await page.getByRole('tab', { name: '全部 3' }).waitFor();
    await page.getByRole('tab', { name: '熱門 1' }).click();
    await expect.poll(names, bound).toEqual(['物件儲存']);
    await page.reload();
    await expect.poll(names, bound).toEqual(['物件儲存']);
    expect(new URL(page.url()).searchParams.get('tab')).toBe('popular');
    await page.getByRole('button', { name: '清除全部' }).click();
    await page.getByRole('tab', { name: '全部 5' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('remembers the list layout instead of cards', async () => {
    await page.getByRole('button', { name: '清單' }).click();
    await page.reload();
    await page.getByRole('button', { name: '清單', pressed: true }).waitFor();
    await expect.poll(names, bound).toHaveLength(5);
    await page.getByRole('button', { name: '卡片' }).click();
  });

  test('estimates by keyboard, starting with the own last month, and announces the amount', async () => {
    await page.getByRole('button', { name: '大容量儲存', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog('服務').getByText('貴組織在同系列服務「物件儲存」的實際用量，點選即可試算').waitFor();
    await dialog('服務').getByRole('button', { name: '您上個月用了 820 GB' }).click();
    // 500 at 1.5 and 320 at 1.
    const slider = dialog('服務').getByRole('slider');
    await expect.poll(() => slider.getAttribute('aria-valuetext'), bound).toBe('820 GB，每月約 NT$1,070');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext'), bound).toBe('1,000 GB，每月約 NT$1,250');
    await page.keyboard.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext'), bound).toBe('0 GB，每月約 NT$0');
    await dialog('服務').getByLabel('預計每月用量').fill('600');
    await dialog('服務').getByText('每月約 NT$850（未稅）').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('estimates on the card itself, too', async () => {
    await open();
    const slider = page.getByRole('slider', { name: '試算「大容量儲存」的月費' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'), bound)
      .toMatch(/^[\d,]+ GB，每月約 NT\$[\d,]+$/);
    const [quantity = 0, amount = 0] =
      ((await slider.getAttribute('aria-valuetext')) ?? '').replaceAll(',', '').match(/\d+/g)?.map(Number) ??
      [];
    // 500 at 1.5, the rest at 1.
    expect([quantity > 500, amount]).toEqual([true, 250 + quantity]);
    await page.getByText(`GB：每月 NT$${grouped(String(amount))}（未稅）`).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('compares at most three, and its address shows the same to anybody', async () => {
    await open();
    await page.getByRole('button', { name: '比較服務' }).click();
    // All at the same moment: none is lost, though nothing was drawn in between.
    const choices = await Promise.all(
      ['物件儲存', '大容量儲存', '吃到飽儲存'].map((name) =>
        page.getByRole('button', { name: `比較「${name}」` }).elementHandle(),
      ),
    );
    await page.evaluate(
      (buttons) => buttons.forEach((button) => (button as unknown as { click: () => void }).click()),
      choices,
    );
    await page.getByText('已選取 3／3').waitFor();
    expect(await page.getByRole('button', { name: '比較「短命服務」' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: '開始比較' }).click();
    await dialog('比較服務').getByLabel('預計每月用量').fill('1000');
    const costs = (): Promise<string[]> =>
      dialog('比較服務')
        .getByRole('row', { name: /^每月費用/ })
        .getByRole('cell')
        .allInnerTexts();
    await expect
      .poll(async () => (await costs()).map((text) => text.split('\n')[0]), bound)
      .toEqual(['NT$2,100', 'NT$1,250', 'NT$990']);
    await page.waitForURL(/quantity=1000/);
    await page.reload();
    await expect
      .poll(async () => (await costs()).map((text) => text.split('\n')[0]), bound)
      .toEqual(['NT$2,100', 'NT$1,250', 'NT$990']);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '結束比較' }).click();
    await expect.poll(() => new URL(page.url()).search, bound).toBe('');
  });

  test('has a waiting list for upcoming services, which can be left again', async () => {
    await open();
    await page.getByRole('button', { name: '「量子運算」推出時通知我' }).click();
    await page.getByRole('button', { name: '已設定通知：「量子運算」' }).waitFor();
    expect(await page.getByRole('button', { name: '訂閱「量子運算」' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: '已設定通知：「量子運算」' }).click();
    await page.getByRole('button', { name: '「量子運算」推出時通知我' }).waitFor();
  });

  test('subscribes to a Beta only after both checkboxes, shows the result, and then offers to manage it', async () => {
    // Another plan of the family was used before, so there is no trial and today is charged.
    await page.getByRole('button', { name: '訂閱「吃到飽儲存」' }).click();
    await page.getByText('首次計費').waitFor();
    expect(await page.getByText(/天免費/).count()).toBe(0);
    const fees = page.getByRole('region', { name: '費用預覽' });
    await expect(fees.getByRole('table')).toHaveCount(2);
    await expect(fees.getByRole('row', { name: /^吃到飽儲存/ }).first()).toBeVisible();
    const confirm = page.getByRole('button', { name: '確認訂閱' });
    await page.getByRole('checkbox', { name: '我已閱讀價格，同意依此計費' }).check();
    await confirm.click();
    await page.getByText('請先勾選這一項。').waitFor();
    await expect(page.getByRole('checkbox', { name: '我了解這是測試版，仍要使用' })).toBeFocused();
    await page.getByRole('checkbox', { name: '我了解這是測試版，仍要使用' }).check();
    expect(await axeFindings(page)).toEqual([]);
    await confirm.click();
    await dialog('訂閱完成').getByText('已訂閱「吃到飽儲存」，現在就可以使用。').waitFor();
    await dialog('訂閱完成').getByRole('button', { name: '關閉' }).last().click();
    await page.getByRole('link', { name: '管理「吃到飽儲存」' }).waitFor();
  });

  test('shows the agreed message if a service was withdrawn meanwhile', async () => {
    await page.getByRole('button', { name: '訂閱「短命服務」' }).click();
    await page.getByRole('checkbox', { name: '我已閱讀價格，同意依此計費' }).check();
    await journey.call(
      'POST',
      '/admin/services/batch',
      { ids: [services['短命服務']], action: 'deactivate' },
      token,
    );
    await page.getByRole('button', { name: '確認訂閱' }).click();
    const failure = page.getByRole('alertdialog', { name: '訂閱未完成' });
    await failure.getByText('無法完成訂閱，請稍後再試或聯絡客服。').waitFor();
    await failure.getByText('這項服務目前無法訂閱。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await failure.getByRole('button', { name: '關閉' }).last().click();
    expect(pageErrors).toEqual([]);
  });
});
