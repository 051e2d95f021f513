// What happens to an open page when the network, the server, another tab or a new version interferes.
import type { Page } from '@playwright/test';
import { axeFindings, comesToRest } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
let journey: Journey;
let token: string;
let added = 0;

/** Adds a user to the list; returns their name. */
async function addUser(): Promise<string> {
  const name = `新成員 ${++added}`;
  await journey.call(
    'POST',
    '/admin/users',
    { account: `member${added}@customer.example`, name, role: 'Admin', password },
    token,
  );
  return name;
}
const row = (page: Page, name: string) => page.getByText(name, { exact: true }).first();
const notice = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });
async function openUsers(page: Page): Promise<void> {
  await page.goto(`${journey.address}/admin/user-management`);
  await row(page, '新成員 30').waitFor();
}
async function users(): Promise<Page> {
  const page = await journey.openSession(operator);
  await openUsers(page);
  return page;
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  for (let index = 0; index < 30; index++) await addUser();
});
test.afterAll(() => journey.end());

test.describe('a page without a network', () => {
  test('says so and what still works, keeps its content, and updates itself afterwards', async () => {
    const page = await users();
    await page.context().setOffline(true);
    await notice(page, /您目前離線。.*已載入的內容仍可瀏覽/).waitFor();
    await row(page, '新成員 30').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const name = await addUser();
    expect(await row(page, name).count()).toBe(0);
    await page.context().setOffline(false);
    await row(page, name).waitFor();
    await notice(page, /離線/).waitFor({ state: 'detached' });
    await page.context().close();
  });
});

test.describe('a page in a language that is a folder', () => {
  test('says without a network, in that language, what still works', async () => {
    const { page } = await journey.person({ locale: 'ja-JP' });
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/user-management`);
    await row(page, '新成員 30').waitFor();
    await page.context().setOffline(true);
    await notice(page, /現在オフラインです。.*読み込み済みの内容/).waitFor();
    await page.context().close();
  });
});

test.describe('a server that stops and comes back', () => {
  test('is announced, the page and typed text survive, and it is live again without reloading', async () => {
    const page = await users();
    await page.evaluate('globalThis.isSamePage = true');
    await page.getByRole('button', { name: '建立使用者' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^姓名|^名稱/)
      .fill('寫到一半');
    await journey.stop();
    // With an open panel the announcement is seen behind it; in the panel it is announced to screen readers.
    const away = page.getByText('無法連線到伺服器。', { exact: true });
    await away.waitFor();
    await page
      .getByRole('dialog')
      .getByRole('status')
      .filter({ hasText: '無法連線到伺服器，請檢查網路後再試一次。' })
      .waitFor({ state: 'attached' });
    // Watched from the first moment, because it may be announced before the page says that it is back.
    const live = page
      .waitForEvent('websocket', { timeout: 90_000 })
      .then((socket) => socket.waitForEvent('framereceived'));
    await journey.start();
    await away.waitFor({ state: 'detached', timeout: 60_000 });
    await live;
    expect(
      await page
        .getByRole('dialog')
        .getByLabel(/^姓名|^名稱/)
        .inputValue(),
    ).toBe('寫到一半');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    await page.context().close();
  });

  test('a page without the code for live updates polls every ten seconds, and is live once the code is loaded', async () => {
    // Two pauses of ten seconds, and up to a minute and a half until the next attempt.
    test.setTimeout(240_000);
    const page = await journey.openSession(operator);
    await page.route(/\/assets\/live-worker[^/]*\.js$/, (route) => route.abort());
    let loaded = 0;
    page.on('domcontentloaded', () => loaded++);
    await page.goto(`${journey.address}/admin/user-management`);
    await row(page, '新成員 30').waitFor();
    await journey.stop();
    const away = page.getByText('無法連線到伺服器。', { exact: true });
    await away.waitFor();
    await journey.start();
    await away.waitFor({ state: 'detached', timeout: 60_000 });
    for (let times = 0; times < 2; times++)
      await page.waitForResponse((response) => response.ok() && response.url().includes('/api/'));
    // It is requested repeatedly: at most a minute and a half until the next attempt.
    const live = page
      .waitForEvent('websocket', { timeout: 120_000 })
      .then((socket) => socket.waitForEvent('framereceived'));
    await page.unroute(/\/assets\/live-worker[^/]*\.js$/);
    await live;
    expect(loaded).toBe(1);
    await page.context().close();
  });

  test('R-API-01 a call without a response ends after 120 s with a message, and succeeds when tried again', async () => {
    const { page } = await journey.person();
    await page.clock.install();
    await journey.openSession(operator, page);
    await openUsers(page);
    const ended = page.getByText('伺服器太久沒有回應，請稍後再試。').first();
    // Only simulated time passes: the call begins within its first second, however long that takes here.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 60_000);
    journey.hang(true);
    try {
      const listRequest = page.waitForRequest((request) => request.url().includes('/api/admin/users'));
      await page.getByRole('searchbox').fill('新成員 7');
      await page.clock.runFor(1000);
      await listRequest;
      await page.clock.fastForward(118_900);
      expect(await ended.count()).toBe(0);
      await page.clock.fastForward(1100);
      await page.clock.resume();
      await ended.waitFor();
    } finally {
      journey.hang(false);
    }
    await page.getByRole('main').getByRole('button', { name: '重試' }).last().click();
    await row(page, '新成員 7').waitFor();
    await row(page, '新成員 30').waitFor({ state: 'detached' });
    await page.context().close();
  });
});

test.describe('a database failover', () => {
  test('is announced as a pause, on the open page and on a new one, and both continue by themselves', async () => {
    const page = await users();
    const second = await page.context().newPage();
    const pages = [page, second];
    let isAway = true;
    for (const each of pages)
      await each.route('**/api/**', (route) =>
        isAway
          ? route.fulfill({
              status: 503,
              headers: { 'retry-after': '2' },
              json: {
                data: null,
                isSuccess: false,
                message: '服務中斷，正在恢復，請稍後再試一次。',
                code: 'platform.database_unavailable',
              },
            })
          : route.continue(),
      );
    await second.goto(`${journey.address}/admin/user-management`);
    await page.getByRole('searchbox').fill('新成員 3');
    for (const each of pages)
      await notice(each, /服務暫時中斷，正在重新連線。.*已載入的內容仍可瀏覽/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    isAway = false;
    for (const each of pages) {
      await row(each, '新成員 30').waitFor();
      await notice(each, /重新連線/).waitFor({ state: 'detached' });
    }
    await page.context().close();
  });
});

test.describe('a new version', () => {
  test('is loaded by one reload when an open tab requests code that no longer exists', async () => {
    const page = await users();
    let gone = 0;
    // The server’s response for a file of the previous version.
    await page.route(/\/assets\/AuditLogScreen-/, (route) =>
      gone++ === 0
        ? route.continue({ url: `${journey.address}/assets/AuditLogScreen-before.js` })
        : route.continue(),
    );
    await page.evaluate('globalThis.isSamePage = true');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { level: 1, name: '稽核紀錄' }).waitFor();
    expect([await page.evaluate('globalThis.isSamePage ?? false'), gone > 1]).toEqual([false, true]);
    await page.context().close();
  });
});

test.describe('two tabs of one browser', () => {
  test('use the same language and theme, and end together, also without a live connection', async () => {
    const page = await users();
    const second = await page.context().newPage();
    await second.route('**/api/live/tickets', (route) => route.abort());
    await second.goto(`${journey.address}/admin/audit-log`);
    await second.getByRole('heading', { level: 1, name: '稽核紀錄' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('english');
    await page.keyboard.press('Enter');
    await second.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('dark');
    await page.keyboard.press('Enter');
    await expect.poll(() => second.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${journey.address}/`);
    await second.waitForURL('**/login**');
    await page.context().close();
  });
});

test.describe('back and forward', () => {
  test('keep filters and the scroll position, and so does a reload', async () => {
    const { page } = await journey.person({ height: 500 });
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/user-management`);
    await page.getByRole('searchbox').fill('新成員');
    await row(page, '新成員 30').waitFor();
    await page.waitForURL(/q=/);
    // The filter’s chip moves the rows and the position down when it appears.
    await page.getByRole('button', { name: '清除全部' }).waitFor();
    // Scrolled and left at once, before the browser reports the scrolling.
    await page.evaluate(`scrollTo(0, 600); document.querySelector('nav a[href="/admin/audit-log"]').click()`);
    await page.getByRole('heading', { level: 1, name: '稽核紀錄' }).waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await row(page, '新成員 30').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(600);
    expect([
      new URL(page.url()).searchParams.get('q'),
      await page.getByRole('searchbox').inputValue(),
    ]).toEqual(['新成員', '新成員']);
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: '稽核紀錄' }).waitFor();
    await page.goBack();
    await row(page, '新成員 30').waitFor();
    await page.reload();
    await row(page, '新成員 30').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(600);
    await page.context().close();
  });

  test('an address that is typed starts at the top, wherever the previous page was scrolled', async () => {
    const { page } = await journey.person({ height: 500 });
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/user-management`);
    await row(page, '新成員 30').waitFor();
    await page.mouse.wheel(0, 300);
    await expect.poll(() => page.evaluate('scrollY')).toBe(300);
    await page.goto(`${journey.address}/admin/audit-log`);
    await page.getByRole('heading', { level: 1, name: '稽核紀錄' }).waitFor();
    await comesToRest(page);
    expect(await page.evaluate('document.body.scrollHeight > 1000 && scrollY')).toBe(0);
    await page.goBack();
    await row(page, '新成員 30').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(300);
    await page.context().close();
  });
});
