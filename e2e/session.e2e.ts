// Sessions in a real browser: what the browser stores, how a session ends in every tab, and what happens to a
// half-filled form.
import type { Page } from '@playwright/test';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const password = 'another long passphrase';
const account = 'owner@customer.example';
let journey: Journey;

async function signIn(page: Page): Promise<void> {
  await page.getByLabel(/^帳號/).fill(account);
  await page.getByLabel(/^密碼/).fill(password);
  await page.getByRole('button', { name: '登入', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

async function enter(): Promise<Awaited<ReturnType<Journey['person']>>> {
  const person = await journey.person();
  await person.page.goto(`${journey.address}/login`);
  await signIn(person.page);
  return person;
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.register({ account, password, name: '第一位使用者', organization: '好客戶' });
});
test.afterAll(() => journey.end());

test.describe('the browser’s storage', () => {
  test('contains no access or session token that a script can read (R-AUTH-10, R-AUTH-11, reliability.md 2.B-26)', async () => {
    const { context, page } = await enter();
    const tokens: string[] = [];
    page.on('request', (request) => {
      const bearer = /Bearer (\S+)/.exec(request.headers()['authorization'] ?? '')?.[1];
      if (bearer) tokens.push(bearer);
    });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${journey.address}/user/profile`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const readable = await page.evaluate<string>(`(async () => {
      const stores = await indexedDB.databases();
      return JSON.stringify({ cookie: document.cookie, local: { ...localStorage }, session: { ...sessionStorage }, stores, keys: Object.keys(window).map((key) => typeof window[key] === 'string' ? window[key] : '') });
    })()`);
    const session = (await context.cookies()).find((cookie) => cookie.name === 'session');
    expect(tokens.length).toBeGreaterThan(0);
    expect(session?.httpOnly).toBe(true);
    for (const secret of [...tokens, session?.value ?? 'none']) expect(readable).not.toContain(secret);
    expect(
      JSON.parse((JSON.parse(readable) as { local: { authStore: string } }).local.authStore),
    ).toMatchObject({ state: { isAuthenticated: true, user: { account } } });
    await context.close();
  });

  test('gets the new cookie even if the page is left before its response (reliability.md 2.B-31)', async () => {
    const { context, page } = await enter();
    const cookie = async () => (await context.cookies()).find((one) => one.name === 'session')?.value;
    const before = await cookie();
    const network = await context.newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 1500,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    const renewal = page.waitForRequest('**/api/user/session');
    await page.reload({ waitUntil: 'commit' });
    await renewal;
    await page.goto('about:blank');
    await expect.poll(cookie).not.toBe(before);
    await network.detach();
    await context.close();
  });

  for (const isToldFirst of [false, true])
    test(`shows nothing after sign-out when going back${isToldFirst ? ', also when the end is told before its answer' : ''} (reliability.md 2.B-41)`, async () => {
      const { context, page } = await enter();
      await page.goto(`${journey.address}/user/profile`);
      await page.getByText(account).first().waitFor();
      if (isToldFirst)
        await page.route('**/api/user/logout', async (route) => {
          const response = await route.fetch();
          // The live connection has closed, and the page has detected the end of the session.
          await page.waitForURL(`${journey.address}/`);
          await route.fulfill({ response });
        });
      await page.getByRole('button', { name: '設定' }).click();
      await page.getByRole('button', { name: '登出', exact: true }).click();
      await page.waitForURL(`${journey.address}/`);
      await page.getByText('已登出').first().waitFor();
      await page.goBack();
      await page.waitForURL('**/login**');
      expect(await page.getByText(account).count()).toBe(0);
      await context.close();
    });
});

test.describe('the end of a session', () => {
  test('from elsewhere signs its open tab out within moments, and signing in returns to where it was (R-AUTH-13, R-AUTH-19)', async () => {
    const here = await enter();
    const otherPage = await enter();
    // A page connects once it is complete: the awaited connection must not be the previous page’s.
    await otherPage.page.goto('about:blank');
    const live = otherPage.page
      .waitForEvent('websocket')
      .then((socket) => socket.waitForEvent('framereceived'));
    await otherPage.page.goto(`${journey.address}/usage/statistics?month=2026-01`);
    await live;
    const token = (await journey.call<{ token: string }>('POST', '/user/login', { account, password })).token;
    await journey.call('POST', '/user/password', { current: password, next: `${password} 2` }, token);
    await otherPage.page.waitForURL('**/login**');
    await otherPage.page.getByText('您的登入已結束').first().waitFor();
    await here.page.waitForURL('**/login**');
    await journey.call(
      'POST',
      '/user/password',
      { current: `${password} 2`, next: password },
      (await journey.call<{ token: string }>('POST', '/user/login', { account, password: `${password} 2` }))
        .token,
    );
    await signIn(otherPage.page);
    await otherPage.page.waitForURL(`${journey.address}/usage/statistics?month=2026-01`);
    await here.context.close();
    await otherPage.context.close();
  });

  test('also ends the other tab of the same browser (R-AUTH-12)', async () => {
    const { context, page } = await enter();
    const second = await context.newPage();
    await second.goto(`${journey.address}/user/profile`);
    await second.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: '設定' }).click();
    await page.getByRole('button', { name: '登出', exact: true }).click();
    await page.waitForURL(`${journey.address}/`);
    await second.waitForURL('**/login**');
    await context.close();
  });

  test('in the middle of a form keeps what was typed, and 40 rejected calls lead to sign-in once (R-AUTH-13, reliability.md 2.B-42)', async () => {
    const { context, page } = await enter();
    await page.goto(`${journey.address}/user/profile`);
    await page.getByLabel(/^電話/).fill('02-1234-5678');
    let visits = 0;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && new URL(frame.url()).pathname === '/login') visits++;
    });
    // Without the live connection the next calls detect it by themselves.
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', { account, password });
    const { items } = await journey.call<{ items: { id: string; current: boolean }[] }>(
      'GET',
      '/user/sessions',
      undefined,
      token,
    );
    await Promise.all(
      items
        .filter((one) => !one.current)
        .map((one) => journey.call('DELETE', `/user/sessions/${one.id}`, undefined, token)),
    );
    await page.waitForURL('**/login**');
    await page.getByLabel(/^帳號/).waitFor();
    expect(visits).toBe(1);
    await signIn(page);
    await page.waitForURL('**/user/profile**');
    await expect.poll(() => page.getByLabel(/^電話/).inputValue(), { timeout: 10_000 }).toBe('02-1234-5678');
    expect(
      await page.evaluate('Object.keys(sessionStorage).filter((key) => key.startsWith("draft"))'),
    ).toEqual([]);
    await context.close();
  });
});

test.describe('session policies', () => {
  test('T-SESSION-POLICY an organization sets when its members are signed out, and nobody can lock themselves out', async () => {
    const { page } = await enter();
    const form = page.getByRole('form', { name: '登入時效與來源' });
    const open = async (): Promise<void> => {
      await page.goto(`${journey.address}/user/profile?section=organization`);
      await form.waitFor();
    };
    await open();
    await form.getByRole('combobox', { name: '閒置登出' }).selectOption({ label: '30 分鐘' });
    await form.getByLabel('允許的網路').fill('10.9.0.0/16');
    await form.getByRole('button', { name: '儲存' }).click();
    await expect(
      form.getByRole('alert').getByText(/清單必須包含您目前的位址 (127\.0\.0\.1|::1)/),
    ).toBeVisible();
    await form.getByRole('button', { name: '加入我的位址' }).click();
    await form.getByRole('button', { name: '儲存' }).click();
    await expect(page.getByText('登入時效與來源已儲存。')).toBeVisible();
    await open();
    await expect(form.getByRole('combobox', { name: '閒置登出' })).toHaveValue('30');
    await expect(form.getByLabel('允許的網路')).toHaveValue(/^10\.9\.0\.0\/16\n(127\.0\.0\.1\/32|::1\/128)$/);
  });
});
