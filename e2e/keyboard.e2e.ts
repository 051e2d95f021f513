// Ten tasks without a pointer: only keys, the focus is visible at every stop, and returns to where it came
// from.
import type { Locator, Page } from '@playwright/test';
import { comesToRest } from '#tests/support/browser/axe.ts';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { keysOf } from '#tests/support/browser/keys.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const newcomer = { account: 'newcomer@harbour.example', password: 'nine golden umbrellas' };
let journey: Journey;
let page: Page;
let pageErrors: string[];
let keys: ReturnType<typeof keysOf>;

const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
const textIsShown = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
/** Enters an address, the only action outside the page. */
const open = async (path: string, title: string): Promise<void> => {
  await page.goto(journey.address + path);
  await heading(title);
  // On a slow machine parts still load above the focused element, and push it out of sight.
  await comesToRest(page);
};
const day = (before: number): string =>
  new Date(Date.now() + 8 * 3_600_000 - before * 86_400_000).toISOString().slice(0, 10);
/** The order of a date field’s parts in the browser’s own language. */
const typedDay = (before: number): string => {
  const [year, month, date] = day(before).split('-');
  return `${month}${date}${year}`;
};
/** The month before this one in Taipei: `2026年10月`. */
function lastMonth(): string {
  const [year = 0, month = 0] = day(0).split('-').map(Number);
  return month === 1 ? `${year - 1}年12月` : `${year}年${month - 1}月`;
}
async function as(who: (typeof people)['User']): Promise<void> {
  const person = await journey.person();
  ({ page, pageErrors } = person);
  keys = keysOf(page);
  await person.context.request.post(`${journey.address}/api/user/login`, { data: who });
}

test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(240_000);
  journey = await startJourney();
  await fillConsole(journey);
  ({ page, pageErrors } = await journey.person());
  keys = keysOf(page);
});
test.afterAll(() => journey.end());

test.describe('by keyboard alone, a new user', () => {
  test('task 1: registers after correcting one error', async () => {
    await open('/register', '建立帳號');
    await keys.write(page.getByLabel(/^電子郵件/), 'not an address');
    await keys.write(page.getByLabel(/^姓名/), '新朋友');
    await keys.write(page.getByLabel(/^組織名稱/), '港灣');
    await keys.write(page.getByLabel(/^密碼/), newcomer.password);
    await keys.write(page.getByLabel(/^確認密碼/), newcomer.password);
    await keys.use(page.getByRole('checkbox', { name: /同意/ }), 'Space');
    await keys.use(button('建立帳號'));
    // The form focuses its error.
    await keys.isAt(page.getByLabel(/^電子郵件/));
    await textIsShown('電子郵件格式不正確');
    await keys.write(page.getByLabel(/^電子郵件/), newcomer.account);
    await keys.press('Enter');
    await page.waitForURL('**/user/dashboard');
  });

  test('task 2: signs in, switches to English and dark mode; closing the settings restores the focus', async () => {
    ({ page, pageErrors } = await journey.person());
    keys = keysOf(page);
    await open('/login', '登入');
    await keys.write(page.getByLabel(/^帳號/), newcomer.account);
    await keys.write(page.getByLabel(/^密碼/), newcomer.password);
    await keys.press('Enter');
    await page.waitForURL('**/user/dashboard');
    await heading('儀表板');
    const settings = button('設定');
    await keys.use(settings);
    await page.getByRole('dialog', { name: '設定' }).waitFor();
    // A radio group is one tab stop; the arrow keys select its options.
    await keys.reach(button('繁體中文'));
    await keys.press('ArrowRight');
    await keys.isAt(button('English'));
    await keys.press('Enter');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await keys.reach(button('Light'));
    await keys.press('ArrowRight');
    await keys.press('Enter');
    await keys.press('Escape');
    await keys.isAt(button('Settings'));
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(15, 22, 33)');
    expect(pageErrors).toEqual([]);
  });
});

test.describe('by keyboard alone, a customer', () => {
  test('task 3: opens usage with Ctrl+K, enters too long a range, and corrects it', async () => {
    await as(people.User);
    await open('/user/dashboard', '儀表板');
    await keys.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('usage stat');
    await page
      .getByRole('option', { name: /用量統計/ })
      .first()
      .waitFor();
    await keys.press('Enter');
    await heading('用量統計');
    const from = page.getByLabel('起', { exact: true });
    await keys.reach(from);
    await page.keyboard.type(typedDay(150));
    await textIsShown('期間不得超過 3 個月。');
    expect(await button('套用').isDisabled()).toBe(true);
    await keys.use(button('近 30 天'));
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe(day(29));
    await expect.poll(() => page.getByText('期間不得超過 3 個月。').count()).toBe(0);
    // The chart of the selected days now replaces the previous one and its focus.
    await comesToRest(page);
  });

  test('task 4: reads a day’s bar and opens its parts', async () => {
    const chart = page.getByRole('application', { name: '每日用量' });
    await keys.reach(chart);
    await keys.press('ArrowRight');
    await keys.press('ArrowRight');
    await expect.poll(() => chart.getByRole('status').innerText()).toMatch(/推論 NT\$\d/);
    await keys.press('Enter');
    const events = page.getByRole('dialog');
    await events.waitFor();
    await events.getByRole('row').nth(1).waitFor();
    await keys.press('Escape');
    await events.waitFor({ state: 'detached' });
    await keys.isAt(chart);
  });

  test('task 5: subscribes to a service', async () => {
    await open('/service/overview', '服務總覽');
    await keys.use(button('訂閱「虛擬主機 L」'));
    const dialog = page.getByRole('dialog', { name: '訂閱「虛擬主機 L」' });
    await dialog.waitFor();
    await keys.use(dialog.getByRole('checkbox', { name: /我已閱讀價格/ }), 'Space');
    await keys.use(button('確認訂閱', dialog));
    await textIsShown('已訂閱「虛擬主機 L」，現在就可以使用。');
    await keys.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('task 6: unsubscribes after reading the three warnings', async () => {
    await open('/cloud-service/management', '雲端服務');
    await keys.use(button('虛擬主機 L'));
    const panel = page.getByRole('dialog', { name: '訂閱內容' });
    await panel.waitFor();
    await keys.use(button('取消訂閱', panel));
    const ask = page.getByRole('alertdialog', { name: '取消訂閱「虛擬主機 L」？' });
    for (const warning of [
      '終止後，剩餘的用量將會失去。',
      '用量紀錄與帳單會保留。',
      '之後如要使用，必須重新訂閱。',
    ])
      await ask.getByText(warning).waitFor();
    await keys.use(ask.getByRole('checkbox', { name: '我了解上述影響' }), 'Space');
    await keys.use(button('取消訂閱', ask));
    await ask.waitFor({ state: 'detached' });
    await panel.getByText('即將終止', { exact: true }).waitFor();
    await keys.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await keys.isAt(button('虛擬主機 L'));
  });

  test('task 7: opens last month’s bill, downloads it and pays', async () => {
    await open('/billing/management', '帳單查詢');
    await keys.use(button(new RegExp(`^${lastMonth()}`)));
    // It opens at the top of the page, with the focus in it.
    await keys.isAt(page.getByRole('main'));
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await keys.use(button('下載 PDF'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      keys.choose(page.getByRole('menuitem', { name: /繁體中文/ })),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
    await keys.use(button(/^(立即付款|支付帳單)/).first());
    const dialog = page.getByRole('dialog');
    await keys.use(button(/^支付\s*NT\$/, dialog));
    await textIsShown('付款完成');
    await keys.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('task 8: reads a notification, undoes that, marks all read, and sends a test', async () => {
    await open('/user/notifications', '通知');
    const first = page.locator('[data-notification]').first();
    await first.waitFor();
    await keys.press('j');
    await keys.isAt(first);
    const inbox = page.getByRole('tab', { name: /^收件匣（\d+）$/ });
    const unread = async (): Promise<number> => Number(/\d+/.exec(await inbox.innerText())?.[0] ?? 0);
    const before = await unread();
    await keys.press('Shift+I');
    await expect.poll(unread).toBe(before - 1);
    await keys.press('Shift+U');
    await expect.poll(unread).toBe(before);
    await keys.use(button('全部標為已讀'));
    await page.getByRole('tab', { name: '收件匣', exact: true }).waitFor();
    await keys.reach(page.getByRole('tab', { name: '收件匣', exact: true }), 'Shift+Tab');
    await keys.press('ArrowRight');
    await keys.press('Enter');
    await keys.use(button(/傳送測試通知$/).first());
    await textIsShown(/已出現在鈴鐺與收件匣|這是一則測試通知/);
    expect(pageErrors).toEqual([]);
  });
});

test.describe('by keyboard alone, an Admin', () => {
  test('task 9: filters users, selects three, deactivates them, undoes it, and exports to Excel', async () => {
    await as(people.Admin);
    await open('/admin/user-management', '使用者管理');
    await keys.write(page.getByRole('searchbox', { name: '搜尋姓名、帳號、組織' }), 'example');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('example');
    await comesToRest(page);
    for (const name of ['第一位使用者', '第二位使用者', '第三位使用者'])
      await keys.use(page.getByRole('checkbox', { name: `選取「${name}」` }), 'Space');
    const bar = page.getByRole('region', { name: /已選取 3/ });
    await bar.waitFor();
    await keys.use(button('停用', bar));
    await textIsShown('已停用 3 位使用者，並在所有裝置登出。');
    await keys.use(button('復原'));
    await textIsShown('已啟用 3 位使用者。');
    await keys.use(button('匯出'));
    const dialog = page.getByRole('dialog', { name: '匯出使用者' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      keys.use(button(/^匯出 \d+ 位使用者$/, dialog)),
    ]);
    expect(download.suggestedFilename()).toMatch(/^使用者-.*\.xlsx$/);
  });

  test('task 10: creates a service with an error, corrects and saves it, and deletes it with a confirmation', async () => {
    await open('/admin/service-management', '服務管理');
    await keys.use(button('建立服務').first());
    const form = page.getByRole('dialog', { name: '建立服務' });
    await keys.write(form.getByRole('textbox', { name: '名稱' }).first(), '鍵盤服務');
    await keys.write(form.getByRole('combobox', { name: /^類型/ }), '儲存');
    await keys.write(form.getByRole('combobox', { name: /^分類/ }), '平台');
    await keys.press('Escape');
    await form.waitFor();
    await keys.write(form.getByRole('textbox', { name: /^事件類型/ }), 'keyboard');
    await keys.write(form.getByRole('textbox', { name: /^計量單位/ }), '次');
    await keys.write(form.getByRole('textbox', { name: /^單價/ }).first(), 'free');
    await keys.use(button('建立服務', form));
    await keys.isAt(form.getByRole('textbox', { name: /^單價/ }).first());
    await keys.write(form.getByRole('textbox', { name: /^單價/ }).first(), '2.5');
    await keys.use(button('建立服務', form));
    await textIsShown('已建立服務「鍵盤服務」。');
    await form.waitFor({ state: 'detached' });
    await keys.use(button('「鍵盤服務」的操作'));
    await keys.choose(page.getByRole('menuitem', { name: '刪除' }));
    const ask = page.getByRole('alertdialog');
    await keys.use(ask.getByRole('checkbox', { name: '我了解上述影響' }), 'Space');
    await keys.use(button(/^刪除 1 項/, ask));
    await textIsShown('已刪除 1 項服務。');
    expect(pageErrors).toEqual([]);
  });

  test('content that loads late above the focused element does not push it out of sight', async () => {
    await open('/admin/service-management', '服務管理');
    await keys.use(button('建立服務').first());
    const form = page.getByRole('dialog', { name: '建立服務' });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/admin/pricing/preview', async (route) => (await held, route.continue()));
    await keys.write(form.getByRole('textbox', { name: /^單價/ }).first(), '2.5');
    await form.getByText('計算中').first().waitFor();
    const quota = form.getByRole('combobox', { name: '配額' });
    await keys.reach(quota);
    answer();
    await form.getByText('NT$2,500（未稅）').waitFor();
    await keys.isInSight();
    await keys.isAt(quota);
    await page.unrouteAll();
    await keys.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  const list = ['/admin/user-management', '使用者管理'] as const;
  for (const [what, path, title, name, role] of [
    ['a list’s columns', ...list, /^欄位/, 'dialog'],
    ['a row’s menu', ...list, '「第二位使用者」的操作', 'menu'],
    ['a row’s panel', ...list, /^第二位使用者/, 'dialog'],
    ['the notifications', ...list, /^通知/, 'dialog'],
    ['a file to export', ...list, '匯出', 'dialog'],
    ['a month', '/admin/billing', '帳務管理', /^選擇月份/, 'dialog'],
  ] as const)
    test(`R-SHELL-18 ${what}: opens with Enter and Space, closes with Escape, and the focus returns`, async () => {
      await open(path, title);
      const opener = button(name).first();
      for (const key of ['Enter', 'Space']) {
        await keys.use(opener, key);
        const opened = page.getByRole(role).first();
        await opened.waitFor();
        await expect.poll(() => page.locator('.MuiModal-root:focus-within').count()).toBe(1);
        await keys.press('Escape');
        await opened.waitFor({ state: 'detached' });
        await keys.isAt(opener);
      }
    });
});
