// Meters in a real browser: one is created after an error at its field, viewed, changed, kept while a service
// uses it, and deleted.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let journey: Journey;
let page: Page;
let pageErrors: string[];

const listed = (): Promise<void> =>
  page
    .goto(`${journey.address}/admin/meters`)
    .then(() => page.getByRole('heading', { level: 1, name: '計量項目' }).waitFor());
const row = (name: string): Locator => page.getByRole('row', { name });
const panel = (name: string): Locator => page.getByRole('dialog', { name });
const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });
const open = (name: string): Promise<void> =>
  row(name)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '物件儲存',
      type: '儲存',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.2' },
      meter: { eventType: 'com.example.stored', aggregation: 'sum', unit: 'GB' },
    },
    token,
  );
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test.describe('meters (R-CAT-05)', () => {
  test('are created after an error at its field', async () => {
    await listed();
    await page.getByRole('button', { name: '建立計量項目' }).click();
    const form = panel('建立計量項目');
    await field(form, /^名稱/).fill('頻寬');
    await field(form, /^代碼/).fill('band width');
    await field(form, /^事件類型/).fill('com.example.sample');
    await field(form, /^計量單位/).fill('Mbit/s');
    await form.getByRole('combobox', { name: /^彙總方式/ }).selectOption({ label: '百分位數' });
    await field(form, /^取樣長度/).fill('7');
    await field(form, /^維度/).fill('region，size');
    await field(form, /^篩選條件/).fill('port：wan, peering');
    await form.getByRole('button', { name: '建立計量項目' }).click();
    await form.getByText(/^代碼為 1 至 60 個英文字母/).waitFor();
    await form.getByText(/^取樣長度必須能整除一天/).waitFor();
    expect(await field(form, /^代碼/).getAttribute('aria-invalid')).toBe('true');
    expect(await axeFindings(page)).toEqual([]);
    await field(form, /^取樣長度/).fill('5');
    // The key of the meter that the service has created: only the server knows that it is taken.
    await field(form, /^代碼/).fill('com.example.stored');
    await form.getByRole('button', { name: '建立計量項目' }).click();
    await form
      .getByText('代碼「com.example.stored」已由其他計量項目使用，請改用別的代碼。')
      .first()
      .waitFor();
    await field(form, /^代碼/).fill('bandwidth');
    await form.getByRole('button', { name: '建立計量項目' }).click();
    await page.getByText('已建立計量項目「頻寬」。').waitFor();
    await expect(row('頻寬')).toContainText('第 95 百分位數，每 5 分鐘取樣');
    await expect(row('頻寬')).toContainText('region, size');
    await expect(row('com.example.stored')).toContainText('1 項');
  });

  test('are found by key, and show what they measure with an example event', async () => {
    await page.getByRole('searchbox', { name: '搜尋名稱、代碼、事件類型' }).fill('bandw');
    await expect.poll(() => row('com.example.stored').count()).toBe(0);
    await open('頻寬');
    const shown = panel('頻寬');
    await shown.getByText('port：peering, wan').waitFor();
    const event: unknown = JSON.parse(await shown.locator('pre').first().innerText());
    expect(event).toMatchObject({
      type: 'com.example.sample',
      data: { value: '1', region: '<region>', size: '<size>', port: 'peering' },
    });
    await shown.getByRole('button', { name: '複製事件' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('are changed, and a concurrent change is detected', async () => {
    await panel('頻寬').getByRole('button', { name: '編輯' }).click();
    const form = panel('編輯計量項目');
    await field(form, /^名稱/).fill('對外頻寬');
    await field(form, /^篩選條件/).fill('port: wan');
    await form.getByRole('button', { name: '儲存變更' }).click();
    await page.getByText('「對外頻寬」的變更已儲存。').waitFor();
    const shown = panel('對外頻寬');
    await shown.getByText('port：wan', { exact: true }).waitFor();
    await shown.getByRole('button', { name: '編輯' }).click();
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', admin);
    const { items } = await journey.call<{ items: { id: string }[] }>(
      'GET',
      '/admin/meters?q=bandwidth',
      undefined,
      token,
    );
    await journey.call('PATCH', `/admin/meters/${items[0]?.id}`, { name: '別人的名稱' }, token);
    await field(form, /^名稱/).fill('我的名稱');
    await form.getByRole('button', { name: '儲存變更' }).click();
    await form.getByText('「別人的名稱」在您編輯時已由別人變更，請重新載入後再改。').waitFor();
    await form.getByRole('button', { name: '重新載入' }).click();
    await expect.poll(() => field(form, /^名稱/).inputValue()).toBe('別人的名稱');
    await form.getByRole('button', { name: '取消' }).click();
    await panel('別人的名稱').getByRole('button', { name: '關閉' }).click();
  });

  test('in use have a fixed definition and cannot be deleted', async () => {
    await listed();
    await open('com.example.stored');
    const shown = panel('com.example.stored');
    await expect(shown.getByRole('link', { name: '物件儲存' })).toHaveAttribute(
      'href',
      /^\/admin\/service-management\?service=svc_/,
    );
    await shown.getByRole('button', { name: '編輯' }).click();
    const form = panel('編輯計量項目');
    await form.getByText(/^有 1 項服務使用這個計量項目，計量內容不能變更。/).waitFor();
    expect(await field(form, /^事件類型/).count()).toBe(0);
    await field(form, /^名稱/).fill('儲存量');
    await form.getByRole('button', { name: '儲存變更' }).click();
    await page.getByText('「儲存量」的變更已儲存。').waitFor();
    await panel('儲存量').getByRole('button', { name: '刪除' }).click();
    const question = page.getByRole('alertdialog', { name: '刪除計量項目「儲存量」？' });
    await question.getByRole('button', { name: '刪除計量項目' }).click();
    await question.getByText(/^有 1 項服務使用「儲存量」，無法刪除。/).waitFor();
    await question.getByRole('button', { name: '取消' }).click();
    await panel('儲存量').getByRole('link', { name: '物件儲存' }).click();
    await panel('物件儲存').waitFor();
  });

  test('not in use can be deleted', async () => {
    await listed();
    await open('別人的名稱');
    await panel('別人的名稱').getByRole('button', { name: '刪除' }).click();
    const question = page.getByRole('alertdialog', { name: '刪除計量項目「別人的名稱」？' });
    expect(await axeFindings(page)).toEqual([]);
    await question.getByRole('button', { name: '刪除計量項目' }).click();
    await page.getByText('已刪除計量項目「別人的名稱」。').waitFor();
    await expect.poll(() => row('別人的名稱').count()).toBe(0);
    await row('儲存量').waitFor();
    expect(pageErrors).toEqual([]);
  });
});
