// A service with several charges: created from a template, tried out, subscribed to, billed, and given a new
// price.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'buyer@cards.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
const panel = (name: string): Locator => page.getByRole('dialog', { name });
const row = (name: string): Locator => page.getByRole('row', { name });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.register({ ...buyer, name: '採購', organization: '好客戶' });
  page = await journey.openSession(operator);
});
test.afterAll(() => journey.end());

test('R-CAT-01 an Admin creates a service with several charges, and sees what a customer would pay', async () => {
  await page.goto(`${journey.address}/admin/service-management`);
  await page.getByRole('button', { name: '建立服務' }).first().click();
  const form = panel('建立服務');
  await form.getByRole('textbox', { name: '名稱' }).first().fill('協作空間');
  await form.getByRole('combobox', { name: /^類型/ }).fill('軟體');
  await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
  await form.getByRole('radio', { name: '多個計費項目' }).check();
  await form.getByRole('button', { name: /^席次/ }).click();
  const calculator = form.getByRole('region', { name: '客戶每月應付試算' });
  await calculator.getByRole('textbox', { name: '席次：數量' }).fill('12');
  await expect(calculator.getByRole('status')).toContainText('NT$3,480');
  await expect(calculator).toContainText('首月一次性費用：NT$2,990');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '建立服務' }).click();
  await page.getByText('已建立服務「協作空間」。').waitFor();
  await expect(row('協作空間')).toContainText('2 個計費項目');
});

test('R-CAT-03 a customer selects seats, and the running bill lists each charge', async () => {
  const own = await journey.openSession(buyer);
  await own.goto(`${journey.address}/service/overview`);
  await own.getByRole('button', { name: /^訂閱/ }).first().click();
  const dialog = own.getByRole('dialog');
  await dialog.getByRole('textbox', { name: '席次：數量' }).fill('12');
  await dialog.getByText('每月約 NT$3,480').waitFor();
  await expect(dialog).toContainText('首月一次性費用：NT$2,990');
  expect(await axeFindings(own)).toEqual([]);
  await dialog.getByRole('button', { name: '確認訂閱' }).click();
  await dialog.getByText('請先勾選這一項。').waitFor();
  await expect(dialog.getByRole('checkbox')).toBeFocused();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: '確認訂閱' }).click();
  await own.getByRole('dialog').getByRole('link', { name: '管理' }).waitFor();
  await own.goto(`${journey.address}/billing/management`);
  await expect(own.getByRole('row', { name: /^[^：]+：開通費/ })).toContainText('NT$2,990');
  await expect(own.getByRole('row', { name: /^[^：]+：席次/ })).toContainText('12');
});

test('R-CAT-07 a customer changes the seats after a preview of the next bills, and is charged for them', async () => {
  const own = await journey.openSession(buyer);
  await own.goto(`${journey.address}/cloud-service/management`);
  await own.getByRole('button', { name: '協作空間', exact: true }).click();
  await own.getByRole('dialog').getByRole('button', { name: '變更方案' }).click();
  const dialog = own.getByRole('dialog', { name: '變更「協作空間」的方案' });
  const seats = dialog.getByRole('textbox', { name: '席次：數量' });
  await expect(seats).toHaveValue('12');
  await seats.fill('0x');
  await expect(seats).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByRole('button', { name: '立即變更' })).toBeDisabled();
  await seats.fill('20');
  await expect(dialog.getByRole('region', { name: '費用預覽' })).toContainText(
    '10 × NT$300 + 10 × NT$240NT$5,400',
  );
  await dialog.getByRole('button', { name: '立即變更' }).click();
  await own.getByText('已變更為「協作空間」。').waitFor();
  await own.goto(`${journey.address}/billing/management`);
  await expect(own.getByRole('row', { name: /^[^：]+：席次/ })).toContainText('20');
  // The set-up fee stays, although the first quantity lasted less than a day.
  await expect(own.getByRole('row', { name: /^[^：]+：開通費/ })).toContainText('NT$2,990');
});

test('R-CAT-04 a stored charge keeps its periods, and its price changes', async () => {
  await row('協作空間')
    .getByRole('button', { name: /^協作空間/ })
    .click();
  const form = panel('協作空間');
  await form.getByRole('button', { name: /^開通費/ }).click();
  await expect(form).toContainText('類型、計量項目與週期不能更改');
  await form.getByRole('textbox', { name: /^金額/ }).fill('1990');
  await form.getByRole('button', { name: '儲存變更' }).click();
  await page.getByText('「協作空間」的變更已儲存。').waitFor();
  await page.reload();
  await expect(row('協作空間')).toContainText('NT$1,990');
});

/** The cells of a grid of rates, row by row. */
async function ratesIn(grid: Locator): Promise<string[][]> {
  await grid.waitFor();
  const rows = await grid.locator('tbody tr').all();
  return Promise.all(
    rows.map(async (each) =>
      Promise.all((await each.locator('input').all()).map((input) => input.inputValue())),
    ),
  );
}
const wanted = [
  ['s', 'tpe', '0.7'],
  ['m', 'tpe', '1.2'],
  ['l', 'tpe', '2.4'],
  ['s', 'khh', '0.55'],
  ['m', 'khh', '1.1'],
  ['l', 'khh', '2.2'],
  ['xl', 'tpe', '4.8'],
  ['xl', 'khh', '4.4'],
  ['gpu', '', '96'],
  ['', '', '9.9'],
];

test('R-CAT-05 an Admin creates virtual machines from a template, with a matrix from a spreadsheet and new meters', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${journey.address}/admin/service-management`);
  await page.getByRole('button', { name: '建立服務' }).first().click();
  const form = panel('建立服務');
  await form.getByRole('textbox', { name: '名稱' }).first().fill('虛擬主機');
  await form.getByRole('combobox', { name: /^類型/ }).fill('運算');
  await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
  await form.getByRole('radio', { name: '多個計費項目' }).check();
  await form.getByRole('button', { name: /^虛擬主機/ }).click();
  const toMake = form.getByRole('region', { name: '儲存時會一併建立這些計量項目：' });
  await expect(toMake.getByRole('listitem')).toHaveCount(3);
  await expect(toMake).toContainText('vm_hours');
  const calculator = form.getByRole('region', { name: '客戶每月應付試算' });
  // 3 machines of size m for 730 hours, 300 GB of disk, 200 GB of traffic beyond the included, 3 IPs.
  await expect(calculator.getByRole('status')).toContainText('NT$4,428');

  await form.getByRole('button', { name: /^主機/ }).click();
  const grid = form.getByRole('table', { name: '費率' });
  const cell = (column: string, number: number): Locator =>
    grid.getByRole('textbox', { name: `第 ${number} 列：${column}` });
  // A matrix without a setting for all other values is not saved.
  const rejects = form.getByRole('checkbox', { name: '拒收不符合任何一列的事件，並說明原因' });
  await rejects.uncheck();
  await form.getByRole('button', { name: '建立服務' }).click();
  await expect(form.getByText('費率表沒有說明其他組合如何處理。')).toBeVisible();
  await rejects.check();
  await expect(form.getByText('費率表沒有說明其他組合如何處理。')).toHaveCount(0);
  await page.evaluate(
    `navigator.clipboard.writeText('size\\tregion\\t單價\\ns\\ttpe\\t0.7\\nm\\ttpe\\t1.2\\nxl\\ttpe\\t4.8\\nxl\\tkhh\\t4,4\\nxl\\tkhh\\t4.4\\n')`,
  );
  await cell('size', 1).click();
  await page.keyboard.press('ControlOrMeta+V');
  const taken = form.getByRole('status').filter({ hasText: '新增 2 列' });
  await expect(taken).toContainText('更新 1 列、相同 1 列');
  await expect(taken).toContainText('第 5 列：「4,4」含有逗號');
  // Enter below the last row adds one, and arrows move between the cells.
  await cell('size', 8).click();
  await page.keyboard.press('Enter');
  // The new row is focused a moment after it appears.
  await expect(cell('size', 9)).toBeFocused();
  await page.keyboard.type('gpu');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(cell('單價', 9)).toBeFocused();
  await page.keyboard.type('96');
  await form.getByRole('button', { name: '新增「其他一律」' }).click();
  await grid.locator('tbody tr').last().locator('input:focus').waitFor();
  await page.keyboard.type('9.9');
  await expect(form.getByText('沒有列出的組合依「其他一律」的價格計算。')).toBeVisible();
  expect(await ratesIn(grid)).toEqual(wanted);

  const hours = calculator.getByRole('group', { name: '主機：第 1 列' });
  await hours.getByRole('combobox', { name: 'size' }).fill('xl');
  await expect(calculator.getByRole('status')).toContainText('NT$12,312');
  await calculator.getByRole('button', { name: '新增一列' }).click();
  const others = calculator.getByRole('group', { name: '主機：第 2 列' });
  await others.getByRole('combobox', { name: 'size' }).fill('tiny');
  await others.getByRole('textbox', { name: '用量' }).fill('10');
  await expect(calculator.getByRole('status')).toContainText('NT$12,411');
  await calculator.getByText('主機', { exact: true }).last().click();
  await expect(calculator).toContainText('2,190 小時 × NT$4.8');

  await form.getByRole('combobox', { name: /^配額/ }).selectOption({ label: '超過時通知' });
  await expect(form.getByRole('combobox', { name: /^限制的計量項目/ })).toHaveValue('磁碟容量');
  await form.getByRole('textbox', { name: /^每月上限/ }).fill('500');
  expect(await axeFindings(page)).toEqual([]);
  // The meters are created first; when the service cannot be created they stay, and the next attempt finds
  // them.
  await page.route(
    '**/api/admin/services',
    (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()),
    { times: 1 },
  );
  await form.getByRole('button', { name: '建立服務' }).click();
  await form.getByRole('alert').first().waitFor();
  await expect(toMake).toHaveCount(0);
  await form.getByRole('button', { name: '建立服務' }).click();
  await page.getByText('已建立服務「虛擬主機」。').waitFor();

  await page.reload();
  await row('虛擬主機')
    .getByRole('button', { name: /^虛擬主機/ })
    .click();
  const stored = panel('虛擬主機');
  await stored.getByRole('button', { name: /^主機/ }).click();
  expect(await ratesIn(stored.getByRole('table', { name: '費率' }))).toEqual(wanted);
  await expect(stored).toContainText('主機時數 · 小時 · 加總 · 依 size、region 區分');
  await expect(stored.getByRole('textbox', { name: /^每月上限/ })).toHaveValue('500');
  expect(await axeFindings(page)).toEqual([]);
  // What was stored is what the form shows: there is nothing to save, so nothing is sent.
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await stored.getByRole('button', { name: '儲存變更' }).click();
  await stored.waitFor({ state: 'detached' });
  expect(sent.filter((each) => each.includes('/services'))).toEqual([]);
});

test('R-CAT-05 tiers of single rates created through the API are kept, files are imported and exported, and a meter is created in the form', async () => {
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', operator);
  const tiered = { when: { region: 'tpe' }, tierModel: 'volume', tiers: [{ upTo: null, unitPrice: '2' }] };
  const packaged = { when: { size: 'm', region: 'khh' }, package: { packageSize: '10', packagePrice: '9' } };
  const hours = {
    key: 'hours',
    name: { zhTW: '時數', enUS: 'Hours' },
    kind: 'usage',
    meter: 'vm_hours',
    model: 'matrix',
    rates: [tiered, packaged, { when: {}, unitPrice: '5' }],
    tierScope: 'per_value',
  };
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    { name: '裸機', type: '運算', category: '自有', currency: 'TWD', charges: [hours] },
    token,
  );
  await page.goto(`${journey.address}/admin/service-management?service=${id}`);
  const form = panel('裸機');
  await form.getByRole('button', { name: /^時數/ }).click();
  const grid = form.getByRole('table', { name: '費率' });
  await expect(grid).toContainText('NT$9／10');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: '下載 CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('hours.csv');
  await form.getByLabel('費率的 CSV 檔案').setInputFiles(await download.path());
  await expect(form.getByText('新增 0 列、更新 0 列、相同 3 列。')).toBeVisible();
  await form.getByLabel('費率的 CSV 檔案').setInputFiles({
    name: 'other.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('zone,unitPrice\na,1\n'),
  });
  await expect(form.getByText(/不認得的欄位：zone。計量項目的維度是：size, region。/)).toBeVisible();
  await grid.getByRole('textbox', { name: '第 3 列：單價' }).fill('6');

  await form.getByRole('button', { name: '新增計費項目' }).click();
  const added = form.getByRole('list', { name: '計費項目', exact: true }).locator('> li').last();
  await added.getByRole('textbox', { name: /^中文名稱/ }).fill('連線');
  await added.getByRole('textbox', { name: /^英文名稱/ }).fill('Connections');
  await added.getByRole('combobox', { name: /^類型/ }).selectOption({ label: '用量' });
  await added.getByRole('button', { name: '建立計量項目' }).click();
  const meter = page.getByRole('dialog', { name: '建立計量項目' });
  await meter.getByRole('textbox', { name: /^名稱/ }).fill('連線數');
  await meter.getByRole('textbox', { name: /^代碼/ }).fill('connections');
  await meter.getByRole('textbox', { name: /^事件類型/ }).fill('lb.connection');
  await meter.getByRole('textbox', { name: /^計量單位/ }).fill('條');
  await meter.getByRole('button', { name: '建立計量項目' }).click();
  await expect(meter).toHaveCount(0);
  await expect(added.getByRole('combobox', { name: /^計量項目/ })).toHaveValue('連線數');
  await added.getByRole('combobox', { name: /^計價模式/ }).selectOption({ label: '百分比' });
  await added.getByRole('textbox', { name: /^百分比/ }).fill('2.5');
  await added.getByRole('button', { name: '更多設定' }).click();
  await added.getByRole('textbox', { name: /^每筆固定費用/ }).fill('0.5');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '儲存變更' }).click();
  await page.getByText('「裸機」的變更已儲存。').waitFor();
  const { charges } = await journey.call<{ charges: unknown[] }>(
    'GET',
    `/admin/services/${id}`,
    undefined,
    token,
  );
  expect(charges).toEqual([
    { ...hours, rates: [tiered, packaged, { when: {}, unitPrice: '6' }] },
    {
      key: 'connections',
      name: { zhTW: '連線', enUS: 'Connections' },
      kind: 'usage',
      meter: 'connections',
      model: 'percentage',
      ratePercent: '2.5',
      fixedPerEvent: '0.5',
    },
  ]);
});

test('R-CAT-05 charges are added, copied, moved and removed, by mouse and by keyboard; the stored ones have that order and their own values', async () => {
  await page.goto(`${journey.address}/admin/service-management`);
  await page.getByRole('button', { name: '建立服務' }).first().click();
  const form = panel('建立服務');
  await form.getByRole('textbox', { name: '名稱' }).first().fill('叢集');
  await form.getByRole('combobox', { name: /^類型/ }).fill('運算');
  await form.getByRole('combobox', { name: /^分類/ }).fill('自有');
  await form.getByRole('radio', { name: '多個計費項目' }).check();
  await form.getByRole('button', { name: /^席次/ }).click();
  const cards = form.getByRole('list', { name: '計費項目' }).locator('> li');
  const order = async (...names: string[]): Promise<void> => {
    await expect(cards).toHaveCount(names.length);
    for (const [index, name] of names.entries()) await expect(cards.nth(index)).toHaveAccessibleName(name);
  };
  const head = (index: number): Locator => cards.nth(index).getByRole('button').first();
  await order('席次', '開通費');
  // A copy is inserted after its original, opened, and is an independent charge.
  await form.getByRole('button', { name: '複製「席次」' }).click();
  await order('席次', '席次', '開通費');
  await expect(head(1)).toBeFocused();
  await cards.nth(1).getByRole('textbox', { name: '中文名稱' }).fill('訪客席次');
  await cards.nth(1).getByRole('textbox', { name: /^單價/ }).first().fill('111');
  await order('席次', '訪客席次', '開通費');
  // By keyboard: Alt and an arrow move a charge, and the focus stays with it.
  await head(1).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await order('席次', '開通費', '訪客席次');
  await expect(head(2)).toBeFocused();
  await expect(form.getByText('「訪客席次」已移到第 3 個。')).toBeAttached();
  // The last one cannot move further.
  await page.keyboard.press('Alt+ArrowDown');
  await order('席次', '開通費', '訪客席次');
  await page.keyboard.press('Alt+ArrowUp');
  await order('席次', '訪客席次', '開通費');
  await expect(head(1)).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await order('訪客席次', '席次', '開通費');
  await expect(form.getByRole('button', { name: '將「訪客席次」上移' })).toBeDisabled();
  await form.getByRole('button', { name: '將「席次」下移' }).click();
  await order('訪客席次', '開通費', '席次');
  await form.getByRole('button', { name: '新增計費項目' }).click();
  await expect(cards).toHaveCount(4);
  await expect(head(3)).toBeFocused();
  await cards.nth(3).getByRole('button', { name: /^移除/ }).press('Enter');
  await order('訪客席次', '開通費', '席次');
  await expect(head(2)).toBeFocused();
  await form.getByRole('button', { name: '建立服務' }).click();
  await page.getByText('已建立服務「叢集」。').waitFor();
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', operator);
  type Stored = {
    readonly name: string;
    readonly charges: readonly { readonly key: string; readonly tiers?: readonly { unitPrice: string }[] }[];
  };
  const { items } = await journey.call<{ items: readonly Stored[] }>(
    'GET',
    '/admin/services?limit=50',
    undefined,
    token,
  );
  const stored = items.find(({ name }) => name === '叢集')?.charges ?? [];
  // The original kept its key and its price, the copy has its own.
  expect(stored.map(({ key }) => key)).toEqual(['seats_2', 'setup_fee', 'seats']);
  expect(stored.map(({ tiers }) => tiers?.[0]?.unitPrice)).toEqual(['111', undefined, '300']);
});
