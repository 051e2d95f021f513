// Every route in a real browser: the right screen for the right role, the shell, both languages and themes,
// and axe.
import type { Locator, Page } from '@playwright/test';
import { axeFindings, colourRules, setTheme } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';

type Person = Awaited<ReturnType<Journey['person']>>;
let journey: Journey;
let operator: Person;
let buyer: Person;
let reader: Person;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const { organizationId } = await journey.register({
    account: 'buyer@customer.example',
    password,
    name: '第一位使用者',
    organization: '好客戶',
  });
  await journey.call(
    'POST',
    '/admin/users',
    {
      account: 'reader@customer.example',
      name: '會計',
      role: 'ReadOnly',
      organizationId,
      password,
    },
    token,
  );
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '物件儲存',
      type: '儲存',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.2' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
    },
    token,
  );
  [operator, buyer, reader] = await Promise.all([journey.person(), journey.person(), journey.person()]);
  await journey.signIn(admin, operator.page);
  await journey.signIn({ account: 'buyer@customer.example', password }, buyer.page);
  await journey.signIn({ account: 'reader@customer.example', password }, reader.page);
});
test.afterAll(() => journey.end());

test.describe('every route (R-SHELL-01 to R-SHELL-04, R-SHELL-09 to R-SHELL-11)', () => {
  test('is the first menu entry of each role after sign-in (R-AUTH-14)', () => {
    expect([operator, buyer, reader].map((person) => new URL(person.page.url()).pathname)).toEqual([
      '/admin/dashboard',
      '/user/dashboard',
      '/dashboard',
    ]);
  });

  test('of another role is denied in place, with the own role and a link home (R-AUTH-15, R-SHELL-13)', async () => {
    for (const [person, paths, role] of [
      [operator, ['/user/dashboard', '/billing/management'], '管理員'],
      [buyer, ['/admin/dashboard', '/admin/payments', '/dashboard'], '使用者'],
      [reader, ['/user/dashboard', '/admin/billing', '/service/overview'], '唯讀'],
    ] as const) {
      for (const path of paths) {
        await person.page.goto(journey.address + path);
        const main = person.page.locator('main');
        await main
          .getByRole('link', { name: /首頁|返回|儀表板/ })
          .first()
          .waitFor();
        expect(await main.innerText(), path).toContain(role);
        // Administrators are not told to ask one.
        expect(await main.getByText('如需使用').count(), path).toBe(person === operator ? 0 : 1);
        expect(new URL(person.page.url()).pathname).toBe(path);
      }
    }
  });

  test('that is denied shows the administrator’s address once it is set (R-SHELL-13)', async () => {
    const address = (of: Page) => of.locator('main').getByRole('link', { name: 'help@cloud.example' });
    await buyer.page.goto(`${journey.address}/admin/dashboard`);
    await buyer.page.getByText('如需使用，請聯絡管理員。').waitFor();
    expect(await buyer.page.getByText('聯絡管理員：').count()).toBe(0);
    await operator.page.goto(`${journey.address}/admin/system-settings`);
    const field = operator.page.getByRole('textbox', { name: '管理員聯絡信箱' });
    await field.fill('help@cloud');
    await operator.page.getByRole('button', { name: '儲存變更' }).click();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('help@cloud.example');
    await operator.page.getByRole('button', { name: '儲存變更' }).click();
    await operator.page
      .getByText(/設定.*已儲存|已儲存/)
      .first()
      .waitFor();
    await buyer.page.reload();
    expect(await address(buyer.page).getAttribute('href')).toBe('mailto:help@cloud.example');
    const { page, context } = await journey.person();
    await page.goto(`${journey.address}/no/such/page`);
    await address(page).waitFor();
    await context.close();
  });

  test('outside the shell is public, and all others are not found (R-SHELL-01, R-SHELL-02)', async () => {
    const { page } = await journey.person();
    for (const [path, heading] of [
      ['/register', '建立帳號'],
      ['/invitation', '無法使用這份邀請'],
      ['/login', '登入'],
      ['/callback', '外部登入'],
      ['/company-sign-in', '公司登入'],
      ['/404', '找不到'],
      ['/session/404', '找不到'],
      ['/no/such/page', '找不到'],
    ] as const) {
      await page.goto(journey.address + path);
      const title = page.getByRole('heading', { level: 1 }).first();
      await title.waitFor();
      expect(await title.innerText(), path).toContain(heading);
    }
    await page.goto(`${journey.address}/callback?code=secret-code&state=made-up`);
    await page.getByText('技術細節').click();
    await page.getByText('No matching state found in storage').waitFor();
    expect(page.url()).toBe(`${journey.address}/callback`);
    await page.goto(`${journey.address}/`);
    await page.getByText('v1.0.0').first().waitFor();
    // Signed out, a screen inside the shell leads to sign-in and back (R-AUTH-13).
    await page.goto(`${journey.address}/usage/statistics`);
    await page.waitForURL('**/login**');
    await page.goto(`${journey.address}/debug/user-role`);
    await page.waitForURL((url) => url.pathname === '/login' || url.pathname === '/debug/user-role');
    expect(await page.getByText('DEV').count()).toBe(0);
  });
});

test.describe('calendar rules', () => {
  test('load code of their own only where the browser has no Temporal, and give the same month', async () => {
    const { page, context } = await journey.person();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await journey.signIn({ account: 'buyer@customer.example', password }, page);
    const month = async (): Promise<string> => {
      await page.goto(`${journey.address}/billing/management`);
      return page.getByRole('combobox', { name: '月份' }).innerText();
    };
    const own = await month();
    expect(own).toMatch(/\d{4}年\d{1,2}月/);
    expect(loaded.filter((url) => url.includes('/global.esm-'))).toEqual([]);
    await page.addInitScript('delete globalThis.Temporal');
    expect(await month()).toBe(own);
    expect(loaded.some((url) => url.includes('/global.esm-'))).toBe(true);
    await context.close();
  });
});

test.describe('loading (R-SHELL-05)', () => {
  test('the console’s name is in the bar and in the title before any code has come (R-SHELL-17)', async () => {
    const { page, context } = await journey.person();
    await journey.signIn({ account: 'buyer@customer.example', password }, page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const link = page.getByRole('banner').getByRole('link', { name: '首頁' });
    const name = (await link.innerText()).trim();
    const shown = link.getByText(name);
    await shown.waitFor();
    const place = await shown.boundingBox();
    // The open page still loads code; it would take what is aborted for a new version and reload itself.
    await page.goto('about:blank');
    await page.route('**/assets/**', (route) => route.abort());
    await page.goto(`${journey.address}/user/dashboard`);
    const early = page.getByText(name, { exact: true });
    await early.waitFor();
    expect(await page.title()).toBe(name);
    // It does not move when the code comes.
    const there = await early.boundingBox();
    expect(there?.x).toBeCloseTo(place?.x ?? -1, 0);
    expect(there?.y).toBeCloseTo(place?.y ?? -1, 0);
    await context.close();
  });

  test('a spinner fills the layout while it is asked who is signed in, and the screen while its code loads', async () => {
    const { page, context } = await journey.person();
    await journey.signIn({ account: 'buyer@customer.example', password }, page);
    const session = Promise.withResolvers<void>();
    const code = Promise.withResolvers<void>();
    await page.route(/\/api\/user\/session$/, async (route) => (await session.promise, route.continue()));
    await page.route(
      /\/assets\/UsageStatistics[^/]*\.js/,
      async (route) => (await code.promise, route.continue()),
    );
    await page.goto(`${journey.address}/billing/management`);
    const spinner = page.getByRole('progressbar', { name: '載入中…' });
    await spinner.waitFor();
    expect(await page.getByRole('heading').count()).toBe(0);
    expect(await middleOf(page, spinner)).toBeCloseTo(0.5, 1);
    session.resolve();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: '開啟選單' }).click();
    await page.getByRole('navigation', { name: '主選單' }).getByRole('link', { name: '用量統計' }).click();
    await page.locator('main').getByRole('progressbar', { name: '載入中…' }).waitFor();
    code.resolve();
    await page.getByRole('heading', { level: 1, name: '用量統計' }).waitFor();
    expect(await page.locator('main').getByRole('progressbar', { name: '載入中…' }).count()).toBe(0);
    await context.close();
  });
});

/** Where the middle of an element is in the window: 0 is its left edge, 1 its right one. */
async function middleOf(page: Page, element: Locator): Promise<number> {
  const box = await element.boundingBox();
  const width = page.viewportSize()?.width;
  if (!box || !width) throw new Error('the element is not shown');
  return (box.x + box.width / 2) / width;
}

test.describe('the shell (R-SHELL-06 to R-SHELL-08, R-SHELL-16, R-I18N-01)', () => {
  test('opens and closes its sidebar and stores that', async () => {
    const { page } = buyer;
    await page.goto(`${journey.address}/usage/statistics`);
    await page.getByRole('button', { name: '開啟選單' }).click();
    const menu = page.getByRole('navigation', { name: '主選單' });
    await menu.waitFor();
    expect((await menu.boundingBox())?.width).toBeCloseTo(250, -1);
    expect(await menu.locator('[aria-current="page"]').innerText()).toContain('用量統計');
    await page.reload();
    await menu.waitFor();
    await page.getByRole('button', { name: '關閉選單' }).first().click();
  });

  test('switches language and theme in place and stores them', async () => {
    const { page } = buyer;
    await page.getByRole('button', { name: '設定' }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Usage statistics' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Usage statistics' }).waitFor();
    expect(await page.evaluate('localStorage.getItem("language")')).toBe('enUS');
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(15, 22, 33)');
  });

  test('signs out to the home page with a message, and the session ends on the server (R-AUTH-12)', async () => {
    const { page } = buyer;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${journey.address}/`);
    await page.getByText('You are signed out.').first().waitFor();
    await page.goto(`${journey.address}/user/dashboard`);
    await page.waitForURL('**/login**');
  });
});

test.describe('accessibility', () => {
  test('axe finds nothing on the screens of the main job, light and dark', async () => {
    const found: string[] = [];
    for (const [person, paths] of [
      [
        operator,
        ['/admin/dashboard', '/admin/imports', '/admin/billing', '/admin/payments', '/admin/user-management'],
      ],
      [reader, ['/dashboard', '/usage/statistics', '/billing/management']],
    ] as const) {
      for (const path of paths) {
        await person.page.goto(journey.address + path);
        await person.page.locator('main h1').first().waitFor();
        for (const mode of ['light', 'dark'] as const) {
          await setTheme(person.page, mode);
          const wrong = await axeFindings(person.page, mode === 'dark' ? colourRules : undefined);
          found.push(...wrong.map((one) => `${path} ${mode} ${one}`));
        }
      }
    }
    expect(found).toEqual([]);
  });

  test('no page error, no security policy violation, and no request to other servers (reliability.md 2.F-107)', () => {
    expect([operator, buyer, reader].flatMap((person) => person.pageErrors)).toEqual([]);
  });
});
