// An add-on: created by an Admin, added to a subscription until a day, counted by that subscription’s usage,
// billed, and ended.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'buyer@add-ons.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
let own: Page;
let metering: string;
let machineId: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.register({ ...buyer, name: '採購', organization: '好客戶' });
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '主機',
      type: '運算',
      category: '自有',
      family: '運算主機',
      currency: 'TWD',
      charges: [
        { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '600' },
      ],
    },
    token,
  );
  metering = (await journey.call<{ secret: string }>('POST', '/admin/api-keys', { name: 'gateway' }, token))
    .secret;
  page = await journey.openSession(operator);
  own = await journey.openSession(buyer);
});
test.afterAll(() => journey.end());

test('R-CAT-05 an Admin creates a service that is an add-on to a plan family', async () => {
  await page.goto(`${journey.address}/admin/service-management`);
  await page.getByRole('button', { name: '建立服務' }).first().click();
  const form = page.getByRole('dialog', { name: '建立服務' });
  await form.getByRole('textbox', { name: '名稱' }).first().fill('AI 推論');
  await form.getByRole('combobox', { name: /^類型/ }).fill('模型');
  await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
  await form.getByRole('button', { name: /^更多設定.*加購/ }).click();
  await form.getByRole('combobox', { name: '加購於方案系列' }).click();
  await page.getByRole('option', { name: '運算主機' }).click();
  await form.getByRole('radio', { name: '多個計費項目' }).check();
  await form.getByRole('button', { name: /^AI 模型/ }).click();
  await form.getByRole('button', { name: /^權杖/ }).waitFor();
  await form.getByRole('button', { name: '建立服務' }).click();
  await page.getByText('已建立服務「AI 推論」。').waitFor();
});

test('R-CAT-03 a customer finds it on the subscription that it can be added to, not in the catalog', async () => {
  await own.goto(`${journey.address}/service/overview`);
  await own.getByText('訂閱「運算主機」後即可加購').waitFor();
  await own.getByRole('button', { name: '訂閱「主機」' }).click();
  const dialog = own.getByRole('dialog');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: '確認訂閱' }).click();
  await dialog.getByRole('link', { name: '管理' }).waitFor();
  await own.goto(`${journey.address}/service/overview`);
  await own.getByRole('link', { name: '將「AI 推論」加到訂閱' }).click();
  const panel = own.getByRole('dialog', { name: '訂閱' });
  await panel.getByRole('button', { name: '加購「AI 推論」' }).click();
  const add = own.getByRole('dialog', { name: '加購「AI 推論」' });
  // One million at the first rate to begin with; then 20.
  await expect(add.getByRole('status').first()).toContainText('每月約 NT$95');
  await add.getByRole('textbox', { name: '用量' }).fill('20');
  await expect(add.getByRole('status').first()).toContainText('每月約 NT$1,900');
  await add.getByRole('combobox', { name: 'model' }).fill('huge');
  await expect(add).toContainText('這個組合沒有價格');
  await add.getByRole('combobox', { name: 'model' }).fill('large');
  await add.getByRole('radio', { name: '到指定日期' }).check();
  await add.getByRole('checkbox').check();
  // A past day is rejected at its field.
  await add.getByLabel('最後一天').fill('2020-01-01');
  await add.getByRole('button', { name: '確認加購' }).click();
  await expect(add.getByLabel('最後一天')).toHaveAttribute('aria-invalid', 'true');
  await expect(add).toContainText('結束時間不可早於現在');
  await add.getByLabel('最後一天').fill('2099-12-31');
  expect(await axeFindings(own)).toEqual([]);
  await add.getByRole('button', { name: '確認加購' }).click();
  await own.getByText('已為「主機」加購「AI 推論」。').waitFor();
  await own.reload();
  const list = panel.getByRole('list', { name: '加購項目' });
  await expect(list).toContainText('AI 推論');
  await expect(list).toContainText('2099年12月31日');
  await expect(panel.getByRole('button', { name: '加購「AI 推論」' })).toHaveCount(0);
  expect(await axeFindings(own)).toEqual([]);
  machineId = new URL(own.url()).searchParams.get('subscription') ?? '';
});

test('R-USE-03 R-BILL-03 it charges usage of its subscription, on its own lines of the bill', async () => {
  const event = {
    specversion: '1.0',
    id: '1',
    source: 'gateway',
    type: 'llm.tokens',
    subject: machineId,
    time: new Date().toISOString(),
    data: { value: '20', model: 'large', direction: 'input' },
  };
  expect(
    await journey.call('POST', '/usage/events', event, metering, 'application/cloudevents+json'),
  ).toMatchObject({ accepted: 1 });
  await own.goto(`${journey.address}/cloud-service/management`);
  await expect(own.getByRole('row', { name: /AI 推論/ })).toContainText('加購於「主機」');
  await own.goto(`${journey.address}/billing/management`);
  await expect(own.getByRole('row', { name: /^AI 推論：權杖/ })).toContainText('NT$1,900');
  await expect(own.getByRole('row', { name: /^AI 推論：權杖/ })).toContainText('20 百萬權杖');
});

test('R-CAT-07 it is ended without ending its subscription', async () => {
  await own.goto(`${journey.address}/cloud-service/management?subscription=${machineId}`);
  const panel = own.getByRole('dialog', { name: '訂閱' });
  await panel.getByRole('list', { name: '加購項目' }).getByRole('link', { name: 'AI 推論' }).click();
  await expect(panel).toContainText('加購於 主機');
  await panel.getByRole('button', { name: '立即終止' }).click();
  const ask = own.getByRole('alertdialog');
  await ask.getByRole('checkbox').check();
  await ask.getByRole('button', { name: '立即終止' }).click();
  await own.getByText('「AI 推論」已終止').waitFor();
  await own.goto(`${journey.address}/cloud-service/management?subscription=${machineId}`);
  await expect(panel.getByRole('button', { name: '加購「AI 推論」' })).toBeVisible();
  await expect(panel.getByText('使用中').first()).toBeVisible();
});

test('R-CAT-05 R-CAT-07 it is scheduled for a future day, and canceled before', async () => {
  const panel = own.getByRole('dialog', { name: '訂閱' });
  await panel.getByRole('button', { name: '加購「AI 推論」' }).click();
  const add = own.getByRole('dialog', { name: '加購「AI 推論」' });
  await add.getByRole('radio', { name: '從指定日期' }).check();
  await add.getByRole('checkbox').check();
  // A past day is rejected at its field, and so is an end before the begin.
  await add.getByLabel('第一天').fill('2020-01-01');
  await add.getByRole('button', { name: '確認加購' }).click();
  await expect(add.getByLabel('第一天')).toHaveAttribute('aria-invalid', 'true');
  await expect(add).toContainText('要從現在開始，請選擇立即開始');
  await add.getByLabel('第一天').fill('2099-03-01');
  await add.getByRole('radio', { name: '到指定日期' }).check();
  await add.getByLabel('最後一天').fill('2099-02-01');
  await add.getByRole('button', { name: '確認加購' }).click();
  await expect(add.getByLabel('最後一天')).toHaveAttribute('aria-invalid', 'true');
  await expect(add).toContainText('結束時間必須晚於開始時間');
  await add.getByLabel('最後一天').fill('2099-03-31');
  expect(await axeFindings(own)).toEqual([]);
  await add.getByRole('button', { name: '確認加購' }).click();
  await own.getByText('已為「主機」加購「AI 推論」，2099年3月1日開始。').waitFor();
  await own.reload();
  const item = panel
    .getByRole('list', { name: '加購項目' })
    .getByRole('listitem')
    .filter({ hasText: '尚未開始' });
  await expect(item).toContainText('2099年3月1日至2099年3月31日');
  await item.getByRole('link', { name: 'AI 推論' }).click();
  await expect(panel).toContainText('2099年3月1日開始，在那之前不計用量、不收費，也可以取消。');
  expect(await axeFindings(own)).toEqual([]);
  await own.goto(`${journey.address}/cloud-service/management?state=scheduled`);
  await expect(own.getByRole('row', { name: /AI 推論/ })).toContainText('2099年3月1日開始');
  // It is on no bill.
  await own.goto(`${journey.address}/billing/management`);
  await own.getByRole('row', { name: /^主機/ }).first().waitFor();
  const usage = own.getByRole('row', { name: /^AI 推論：權杖/ });
  await expect(usage).toHaveCount(1);

  await own.goto(`${journey.address}/cloud-service/management?state=scheduled`);
  await own.getByRole('button', { name: 'AI 推論', exact: true }).click();
  await panel.getByRole('button', { name: '取消加購' }).click();
  const ask = own.getByRole('alertdialog', { name: '取消尚未開始的「AI 推論」？' });
  await expect(ask).toContainText('不會開始，也不會收費。');
  await ask.getByRole('checkbox').check();
  await ask.getByRole('button', { name: '取消加購' }).click();
  await own.getByText('已取消加購「AI 推論」。').waitFor();
  await expect(panel).toContainText('開始前取消');
  await own.goto(`${journey.address}/cloud-service/management?subscription=${machineId}`);
  await expect(panel.getByRole('list', { name: '加購項目' })).toContainText('原定 2099年3月1日開始，已取消');
});

test('R-CAT-07 an Admin adds it for an organization, from a past day', async () => {
  const dayMs = 86_400_000;
  const dayAgo = (days: number): string =>
    new Date(Date.now() + dayMs / 3 - days * dayMs).toISOString().slice(0, 10);
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', operator);
  const user = await journey.register({
    account: 'late@add-ons.example',
    password: buyer.password,
    name: '採購',
    organization: '晚來客戶',
  });
  const { items } = await journey.call<{ items: readonly { id: string; name: string }[] }>(
    'GET',
    '/admin/services?limit=20',
    undefined,
    token,
  );
  await journey.call(
    'POST',
    '/admin/subscriptions',
    {
      organizationId: user.organizationId,
      serviceId: items.find(({ name }) => name === '主機')?.id,
      startedAt: `${dayAgo(10)}T04:30:00Z`,
    },
    token,
  );
  await page.goto(`${journey.address}/admin/organizations`);
  await page
    .getByRole('row', { name: /晚來客戶/ })
    .getByRole('button')
    .first()
    .click();
  const panel = page.getByRole('dialog').first();
  await panel.getByRole('button', { name: '主機', exact: true }).click();
  await panel.getByRole('button', { name: '加購「AI 推論」' }).click();
  const add = page.getByRole('dialog', { name: '加購「AI 推論」' });
  await add.getByRole('radio', { name: '從指定日期' }).check();
  await add.getByLabel('第一天').fill(dayAgo(12));
  await add.getByRole('checkbox', { name: '已與客戶確認價格與起訖日期' }).check();
  await add.getByRole('button', { name: '確認加購' }).click();
  await expect(add.getByLabel('第一天')).toHaveAttribute('aria-invalid', 'true');
  await expect(add).toContainText('加購的開始時間不可早於所屬訂閱的開始時間');
  expect(await axeFindings(page)).toEqual([]);
  // It begins on the day on which the subscription began, together with it.
  await add.getByLabel('第一天').fill(dayAgo(10));
  await add.getByRole('button', { name: '確認加購' }).click();
  await page.getByText('已為「主機」加購「AI 推論」。').waitFor();
  await page.reload();
  await panel.getByRole('button', { name: '主機', exact: true }).click();
  const added = panel.getByRole('list', { name: '加購項目' });
  await expect(added).toContainText('AI 推論');
  const [year, month, day] = dayAgo(10).split('-').map(Number);
  await expect(added).toContainText(`${year}年${month}月${day}日`);
  await expect(panel.getByRole('button', { name: '加購「AI 推論」' })).toHaveCount(0);
});
