// Languages in a real browser: where the choice comes from, how often loading of texts is retried, and that
// switching changes only the words.
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
});
test.afterAll(() => journey.end());

test.describe('switching the language', () => {
  test('changes every word, the title and the page’s lang in place: no reload, no scrolling, and the open settings stay open (R-I18N-01)', async () => {
    const page = await journey.openSession(operator, (await journey.person({ height: 500 })).page);
    await page.goto(`${journey.address}/admin/system-settings?section=seller`);
    await page.getByRole('heading', { level: 1, name: '系統設定' }).waitFor();
    expect([await page.title(), await page.locator('html').getAttribute('lang')]).toEqual([
      '系統設定 · 福爾摩沙雲端 雲帳',
      'zh-Hant-TW',
    ]);
    await page.getByLabel(/^地址/).first().fill('尚未儲存的地址');
    await page.evaluate('scrollTo(0, 400); window.wasHere = true');
    const before = await page.evaluate('scrollY');
    await page.getByRole('button', { name: '設定', exact: true }).press('Enter');
    const drawer = page.getByRole('dialog', { name: '設定', exact: true });
    await drawer.getByRole('button', { name: 'English' }).press('Enter');
    await page.getByRole('dialog', { name: 'Settings', exact: true }).waitFor();
    expect([await page.title(), await page.locator('html').getAttribute('lang')]).toEqual([
      'System settings · 福爾摩沙雲端 雲帳',
      'en',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'System settings' }).waitFor();
    expect([await page.evaluate('scrollY'), await page.evaluate('window.wasHere')]).toEqual([before, true]);
    expect(
      await page
        .getByLabel(/^Address/)
        .first()
        .inputValue(),
    ).toBe('尚未儲存的地址');
    await page.context().close();
  });
});

test.describe('the initial language (R-I18N-03)', () => {
  test('is that of the address, then the cookie, then the last choice, then the browser’s own', async () => {
    const { page, context } = await journey.person({ locale: 'en-US' });
    const lang = async (path: string): Promise<string | null> => {
      await page.goto(journey.address + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page.locator('html').getAttribute('lang');
    };
    expect(await lang('/'), 'the browser').toBe('en');
    await page.evaluate("localStorage.setItem('language', 'zhTW')");
    expect(await lang('/'), 'what was chosen').toBe('zh-Hant-TW');
    await context.addCookies([{ name: 'i18next', value: 'enUS', url: journey.address }]);
    expect(await lang('/'), 'the cookie').toBe('en');
    expect(await lang('/?language=zhTW'), 'the address').toBe('zh-Hant-TW');
    expect(await lang('/?lng=enUS'), 'the address by its other name').toBe('en');
    await context.close();
  });
});

test.describe('loading texts (R-I18N-04)', () => {
  test('is retried until it succeeds; meanwhile no keys are visible', async () => {
    const { page, context } = await journey.person();
    // Several bundles travel in one request: /locales/zhTW/app+platform.json.
    const tries = new Map<string, number>();
    await page.route('**/locales/zhTW/*.json*', (route) => {
      const { pathname } = new URL(route.request().url());
      const bundles = pathname.slice(pathname.lastIndexOf('/') + 1, -'.json'.length).split('+');
      for (const bundle of bundles) tries.set(bundle, (tries.get(bundle) ?? 0) + 1);
      return bundles.some((bundle) => (tries.get(bundle) ?? 0) <= 2) ? route.abort() : route.continue();
    });
    await page.goto(`${journey.address}/login`);
    await page.getByRole('heading', { level: 1, name: '登入' }).waitFor();
    // Texts of parts that come after the heading may still be loading.
    await expect.poll(() => Math.min(...tries.values())).toBe(3);
    const notKept = async (): Promise<string[]> => {
      const kept = await page.evaluate<string[]>('Object.keys(localStorage)');
      return [...tries.keys()].filter((bundle) => !kept.includes(`i18next_res_zhTW-${bundle}`));
    };
    await expect.poll(notKept).toEqual([]);
    expect(await page.locator('body').innerText()).not.toMatch(/\b(signin|app|ui)\.\w/);
    // Cached for seven days: the next page of this build requests none of them.
    tries.clear();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '登入' }).waitFor();
    expect([...tries.keys()]).toEqual([]);
    await context.close();
  });

  test('shows an error in both languages when it never succeeds', async () => {
    const { page, context } = await journey.person();
    await page.clock.install();
    await page.route('**/locales/**', (route) => route.abort());
    await page.goto(`${journey.address}/login`);
    // 350 ms, doubling, five times: eleven seconds in all.
    await expect
      .poll(
        async () => {
          await page.clock.runFor(3000);
          return page.getByText('無法載入畫面文字，請檢查網路後重新整理。').count();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: '重新整理' }).click();
    await page.getByRole('heading', { level: 1, name: '登入' }).waitFor();
    await context.close();
  });
});

test.describe('a list in Japanese', () => {
  test('wraps between phrases, and its columns are as wide as their short words', async () => {
    const { page, context } = await journey.person({ locale: 'ja-JP', width: 768 });
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/audit-log`);
    const action = page.getByRole('cell', { name: 'サインイン', exact: true }).first();
    await action.waitFor();
    await expect(action).toHaveCSS('word-break', 'auto-phrase');
    await expect(action).toHaveCSS('overflow-wrap', 'break-word');
    await context.close();
  });
});

test.describe('days (R-I18N-05)', () => {
  test('are shown in the console’s language, whatever the browser’s is, except while they are typed', async () => {
    const { page, context } = await journey.person({ locale: 'en-US' });
    await context.addCookies([{ name: 'i18next', value: 'zhTW', url: journey.address }]);
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/audit-log`);
    const from = page.getByLabel('從', { exact: true });
    await from.waitFor();
    await expect(page.getByText('選擇日期', { exact: true })).toHaveCount(2);
    await from.focus();
    await expect(page.getByText('選擇日期', { exact: true }).first()).toBeHidden();
    await page.keyboard.type('03052026');
    await expect(from).toHaveValue('2026-03-05');
    await page.keyboard.press('Escape');
    await page.getByLabel('到', { exact: true }).focus();
    await page.getByText('2026/03/05', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?from=2026-03-05');
    await context.close();
  });
});
