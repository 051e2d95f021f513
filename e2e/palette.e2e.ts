// The command palette, shortcuts, pins and settings in a real browser, and the two pages of somebody who is lost.
import type { Page } from '@playwright/test';
import { linksOf, menuOf } from '../src/app/menu.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const password = 'another long passphrase';
const buyer = { account: 'buyer@customer.example', password };
const reader = { account: 'reader@customer.example', password };
let journey: Journey;
let token: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const user = await journey.register({
    account: buyer.account,
    password,
    name: '第一位使用者',
    organization: '好客戶',
  });
  await journey.call(
    'POST',
    '/admin/users',
    {
      account: reader.account,
      name: '會計',
      role: 'ReadOnly',
      organizationId: user.organizationId,
      password,
    },
    token,
  );
  for (const name of ['物件儲存', 'Billing API'])
    await journey.call(
      'POST',
      '/admin/services',
      {
        name,
        type: 'API',
        category: '平台',
        status: 'active',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.2' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      token,
    );
});
test.afterAll(() => journey.end());

/** What has the keyboard, in words. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.type === 'search' ? 'search' : document.activeElement.innerText.split('\\n')[0]`,
  );
/** Signs in, until the frame stands. */
async function enter(who: Credentials, page?: Page): Promise<Page> {
  const entered = await journey.signIn(who, page);
  await entered.getByRole('button', { name: '搜尋與指令' }).waitFor();
  return entered;
}
const box = (page: Page) => page.getByRole('combobox', { name: '搜尋與指令' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
async function open(page: Page, path: string): Promise<void> {
  await page.goto(journey.address + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}
/** Opens the palette and types. */
async function seek(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await box(page).fill(text);
}
/** The one that Enter would take, as a screen reader is told. */
const active = (page: Page) =>
  page.evaluate<string>(
    `document.getElementById(document.querySelector('[role=combobox]').getAttribute('aria-activedescendant'))?.querySelector('span')?.innerText ?? ''`,
  );

test.describe('command palette (ui.md §1, delight 1)', () => {
  test('finds the same page by its Chinese and its English name, in any width and case, and opens it from the keyboard', async () => {
    const page = await enter(operator);
    for (const typed of ['bill', '帳單', 'ＢＩＬＬ', 'BiLl']) {
      await seek(page, typed);
      await option(page, /^帳務管理/).waitFor();
      await expect.poll(() => active(page), { message: typed }).toBe('帳務管理');
      await page.keyboard.press('Escape');
      await box(page).waitFor({ state: 'detached' });
    }
    await seek(page, '稽核');
    await option(page, /^稽核紀錄 /).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await heading(page, '稽核紀錄');
    await page.context().close();
  });

  test('walks by arrows round and round, tells its place, and gives the focus back', async () => {
    const page = await enter(operator);
    const opener = page.getByRole('button', { name: '搜尋與指令' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await option(page, /^系統儀表板/).waitFor();
    const first = await active(page);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => active(page)).toBe('登出');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toBe(first);
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await box(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('搜尋與指令');
    await page.context().close();
  });

  test('finds people, organizations and services for an Admin, opens them, and shows what was chosen first until sign-out', async () => {
    const page = await enter(operator);
    await seek(page, '第一位使用者');
    await option(page, /第一位使用者/).click();
    await page.waitForURL(/user-management\?user=usr_/);
    await page.getByRole('dialog').getByText(buyer.account).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await seek(page, '好客戶');
    await option(page, /好客戶/).waitFor();
    await box(page).fill('物件');
    await option(page, /物件儲存/).waitFor();
    await box(page).fill('');
    await expect(page.getByRole('group', { name: '最近使用' }).getByRole('option')).toHaveText([
      /第一位使用者/,
    ]);
    await box(page).fill('登出');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${journey.address}/`);
    await page.getByText('您已登出。').first().waitFor();
    expect(await page.evaluate('localStorage.getItem("recentStore")')).toBeNull();
    await page.context().close();
  });

  test('only searches the lists that a ReadOnly user may read', async () => {
    const page = await enter(reader);
    const searched = new Set<string>();
    page.on('request', (request) => {
      const url = new URL(request.url());
      // A search that starts together with other reads of the page travels in one call with them.
      const reads = url.searchParams.getAll('get').map((read) => new URL(`/api${read}`, journey.address));
      for (const read of [url, ...reads]) if (read.searchParams.has('q')) searched.add(read.pathname);
    });
    await seek(page, 'billing');
    await option(page, /^帳單查詢/).waitFor();
    await box(page).fill('沒有這個東西');
    await page.getByText('沒有符合「沒有這個東西」的項目').waitFor();
    await page.getByText('可以搜尋頁面、動作與帳單編號').waitFor();
    expect([...searched]).toEqual(['/api/bills']);
    await page.context().close();
  });

  test('does what can be done anywhere: theme, language, density', async () => {
    const page = await enter(reader);
    await seek(page, 'dark');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await seek(page, '緊密');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate('JSON.parse(localStorage.getItem("layoutStore")).state.density'))
      .toBe('compact');
    await seek(page, 'english');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    await page.context().close();
  });

  test('asks before it leaves changes that are not saved, as a link does', async () => {
    const page = await enter(buyer);
    await open(page, '/user/profile');
    await page.getByLabel(/^電話/).fill('02-1234-5678');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await seek(page, '用量');
    await page.keyboard.press('Enter');
    await expect.poll(() => questions).toEqual(['您有尚未儲存的變更。']);
    expect(new URL(page.url()).pathname).toBe('/user/profile');
    expect(await page.getByLabel(/^電話/).inputValue()).toBe('02-1234-5678');
    await page.context().close();
  });
});

test.describe('shortcuts (ui.md §1 Keyboard, WCAG 2.1.4)', () => {
  test('lead to pages and to the search box, are listed by ?, and are letters while somebody types', async () => {
    const page = await enter(operator);
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await heading(page, '使用者管理');
    const search = page.getByRole('searchbox');
    await search.waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => focused(page)).toBe('search');
    await page.keyboard.type('gb?');
    expect(await search.inputValue()).toBe('gb?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: '鍵盤快速鍵' });
    await sheet.getByText('標示為已讀').waitFor();
    expect(await sheet.locator('dd', { hasText: 'G' }).count()).toBe(linksOf(menuOf('Admin')).length);
    expect(await axeFindings(page)).toEqual([]);

    await sheet.getByRole('switch', { name: '單鍵快速鍵' }).click();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    // The keys before were heard, if at all, before this one.
    await page.keyboard.press('Control+k');
    await box(page).waitFor();
    expect([await page.getByRole('dialog').count(), new URL(page.url()).pathname]).toEqual([
      1,
      '/admin/user-management',
    ]);
    await page.context().close();
  });

  test('opens the palette by / where a page has no search box', async () => {
    const page = await enter(buyer);
    await page.keyboard.press('/');
    await box(page).waitFor();
    expect(await box(page).inputValue()).toBe('');
    await page.context().close();
  });
});

test.describe('pins', () => {
  test('stand first in the menu and in the palette, follow their owner to another browser, and are twelve at most', async () => {
    const page = await enter(operator);
    await page.getByRole('button', { name: '開啟選單' }).click();
    const menu = page.getByRole('navigation', { name: '主選單' });
    await menu.getByRole('button', { name: '釘選「總帳」' }).click();
    const pinned = menu.getByRole('list', { name: '已釘選' });
    await pinned.getByRole('link', { name: '總帳' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const elsewhere = await enter(operator);
    await seek(elsewhere, '');
    await elsewhere.getByRole('group', { name: '已釘選' }).getByRole('option', { name: /^總帳/ }).waitFor();
    await expect.poll(() => active(elsewhere)).toBe('總帳');

    for (const path of linksOf(menuOf('Admin'))
      .map((item) => item.path)
      .filter((one) => one !== '/admin/ledger')
      .slice(0, 11))
      await journey.call('POST', '/saved-views', { screen: 'pinned', name: path, query: '' }, token);
    await expect(
      journey.call('POST', '/saved-views', { screen: 'pinned', name: '/admin/account', query: '' }, token),
    ).rejects.toThrow('最多儲存 12 個');
    await page.reload();
    await pinned.getByRole('link').nth(11).waitFor();
    await menu.getByRole('button', { name: '釘選「我的帳戶」' }).click();
    await page.getByText('最多釘選 12 個頁面').waitFor();
    await pinned.getByRole('button', { name: '釘選「總帳」' }).click();
    await pinned.getByRole('link', { name: '總帳' }).waitFor({ state: 'detached' });
    await page.context().close();
    await elsewhere.context().close();
  });
});

test.describe('settings (R-SHELL-07)', () => {
  test('hold the specification’s items in its order, then keys, density and motion; our own switch stops all movement', async () => {
    const { page } = await journey.person({ motion: 'no-preference' });
    await enter(reader, page);
    await page.getByRole('button', { name: '設定' }).click();
    const drawer = page.getByRole('dialog', { name: '設定' });
    const said = (await drawer.innerText()).split('\n').filter((line) => line !== '');
    const places = [
      '會計',
      '唯讀',
      '登出',
      '語言',
      '主題',
      '檢視',
      '單鍵快速鍵',
      '表格列高',
      '減少動態效果',
    ].map((text) => said.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    await drawer.getByRole('switch', { name: '減少動態效果' }).click();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '開啟選單' }).click();
    await page.getByRole('navigation', { name: '主選單' }).waitFor();
    const longest = await page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('*')].flatMap((one) => ['', '::before', '::after'].flatMap((part) => { const style = getComputedStyle(one, part); return [...style.transitionDuration.split(','), ...style.animationDuration.split(',')].map((text) => parseFloat(text) * (text.trim().endsWith('ms') ? 1 : 1000) || 0); })))`,
    );
    expect(longest).toBeLessThanOrEqual(1);
    await page.context().close();
  });
});

test.describe('somebody who is lost', () => {
  test('R-SHELL-01 not found: names the path, guesses, finds, leads home; with and without a session; not for search engines', async () => {
    const visitor = (await journey.person()).page;
    await open(visitor, '/logn');
    await visitor.getByText('/logn 沒有任何內容').waitFor();
    await visitor.getByRole('link', { name: '您要找的是「登入」嗎？' }).waitFor();
    expect(await visitor.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
    await box(visitor).fill('用量');
    await visitor.getByText('登入後可以搜尋您的頁面與資料').waitFor();
    await box(visitor).fill('sign');
    await box(visitor).fill('register');
    await visitor.keyboard.press('Enter');
    await visitor.waitForURL('**/register');
    await visitor.context().close();

    const page = await enter(buyer);
    await open(page, '/usage/statistic');
    await page.getByRole('link', { name: '您要找的是「用量統計」嗎？' }).waitFor();
    expect(await page.getByRole('link', { name: '前往儀表板' }).getAttribute('href')).toBe('/user/dashboard');
    expect(await page.evaluate(`document.querySelector('main svg').outerHTML.length`)).toBeLessThan(4096);
    await box(page).fill('帳單');
    await option(page, /^帳單查詢/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await heading(page, '帳單查詢');
    await page.context().close();
  });

  test('R-SHELL-13 unauthorized: the own role, whose page it is, and the way to another account and back here', async () => {
    const page = await enter(reader);
    await open(page, '/service/overview');
    const main = page.getByRole('main');
    await main.getByText('您的角色：唯讀').waitFor();
    await main.getByText('可使用這個頁面的角色：使用者').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await main.getByRole('button', { name: '改用其他帳號登入' }).click();
    await page.waitForURL('**/login?returnTo=%2Fservice%2Foverview');
    await page.getByLabel(/^帳號/).fill(buyer.account);
    await page.getByLabel(/^密碼/).fill(buyer.password);
    await page.getByRole('button', { name: '登入', exact: true }).click();
    await heading(page, '服務總覽');
    await page.context().close();
  });
});
