// An organization in a real browser: inviting an accountant, who sees only billing; keys that are created,
// rotated and revoked.
import type { Locator, Page } from '@playwright/test';
import { axeFindings, colourRules, comesToRest, setTheme } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
const accountant = { account: 'accountant@books.example', password: 'nine golden umbrellas' };

type Person = Awaited<ReturnType<Journey['person']>>;
let journey: Journey;
let buyer: Person;
let guest: Person;
let link = '';

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<{ status: number; data: T }> {
  const response = await fetch(`${journey.address}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T };
  return { status: response.status, data: answer.data };
}

const region = (page: Page, name: string): Locator =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name, exact: true }) });
/** Opens a row’s menu and selects an entry. */
async function choose(page: Page, row: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `「${row}」的操作` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
const organizationOf = (page: Page) => page.goto(`${journey.address}/user/profile?section=organization`);

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await call('POST', '/user/register', {
    email: owner.account,
    name: '採購',
    password: owner.password,
    organization: '好客戶',
    agreeToTerms: true,
  });
  [buyer, guest] = await Promise.all([journey.person(), journey.person()]);
  await buyer.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: journey.address });
  await journey.openSession(owner, buyer.page);
});
test.afterAll(() => journey.end());

test.describe('inviting an accountant (R-AUTH-20)', () => {
  test('works with the keyboard alone, and the link can be copied', async () => {
    const { page } = buyer;
    await organizationOf(page);
    await page.getByRole('button', { name: '邀請成員' }).press('Enter');
    const panel = page.getByRole('dialog', { name: '邀請成員' });
    await panel.getByLabel(/^電子郵件/).focus();
    await page.keyboard.type('no address');
    await page.keyboard.press('Enter');
    await panel.getByText('電子郵件格式不正確。').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(accountant.account);
    await page.keyboard.press('Tab');
    await panel.locator('select:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const done = page.getByRole('dialog', { name: '邀請已建立' });
    await done.getByText('系統未設定郵件伺服器').waitFor();
    await done.getByRole('button', { name: '複製連結' }).press('Enter');
    // Writing to the clipboard does not block the page.
    await expect
      .poll(async () => (link = await page.evaluate<string>('navigator.clipboard.readText()')))
      .toMatch(new RegExp(`^${journey.address}/invitation#token=[A-Za-z0-9_-]{43}$`));
    await done.getByRole('button', { name: '完成' }).click();
    await region(page, '邀請中').getByText(accountant.account).waitFor();
  });

  test('lets them join with their own password; the token is removed from the address immediately', async () => {
    const { page } = guest;
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: '加入組織' }).waitFor();
    expect(page.url()).toBe(`${journey.address}/invitation`);
    await page.getByText(accountant.account).waitFor();
    await page.getByLabel(/^姓名/).fill('會計');
    await page.getByLabel(/^密碼/).fill(accountant.password);
    await page.getByLabel(/^確認密碼/).fill('nine golden umbrella');
    await page.getByRole('button', { name: '加入並登入' }).click();
    await page.getByText('兩次輸入的密碼不一致。').waitFor();
    await page.getByLabel(/^確認密碼/).fill(accountant.password);
    await page.getByRole('button', { name: '加入並登入' }).click();
    await page.waitForURL(`${journey.address}/dashboard`);
    await page.getByText('歡迎加入「好客戶」！').first().waitFor();
    expect(
      await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, history.state])'),
    ).not.toContain(link.split('=')[1]);
  });

  test('shows them only billing, in the browser and through the API (R-AUTH-15, R-AUTH-16)', async () => {
    const { page } = guest;
    for (const path of [
      '/user/profile',
      '/user/dashboard',
      '/service/overview',
      '/admin/account',
      '/admin/user-management',
    ]) {
      await page.goto(journey.address + path);
      await page.locator('main').getByText('唯讀').first().waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
    const {
      data: { token },
    } = await call<{ token: string }>('POST', '/user/login', {
      account: accountant.account,
      password: accountant.password,
    });
    for (const [method, path, body] of [
      ['GET', '/organization/invitations'],
      ['POST', '/organization/invitations', { email: 'x@y.example', role: 'User' }],
      ['GET', '/organization/api-keys'],
      ['PATCH', '/organization', { name: 'Mine' }],
      ['GET', '/admin/users'],
    ] as const) {
      expect((await call(method, path, body, token)).status, path).toBe(403);
    }
    expect((await call('GET', '/bills', undefined, token)).status).toBe(200);
  });

  test('fails a second time, and for an address with an account; each page explains what to do', async () => {
    const other = await journey.person();
    await other.page.goto(link);
    await other.page.getByText('請向邀請人索取新的連結').waitFor();
    const {
      data: { token },
    } = await call<{ token: string }>('POST', '/user/login', owner);
    const { data } = await call<{ link: string }>(
      'POST',
      '/organization/invitations',
      { email: admin.account, role: 'User' },
      token,
    );
    // Opened in the same tab: the page uses the new link.
    await other.page.goto(data.link);
    await other.page.getByLabel(/^姓名/).fill('又一位');
    await other.page.getByLabel(/^密碼/).fill(accountant.password);
    await other.page.getByLabel(/^確認密碼/).fill(accountant.password);
    await other.page.getByRole('button', { name: '加入並登入' }).click();
    await other.page.getByRole('alert').getByText('請邀請人改用您的另一個電子郵件邀請').waitFor();
    // A signed-in user does not join by accident.
    await buyer.page.goto(data.link);
    await buyer.page.getByText(`您目前以 ${owner.account} 登入`).waitFor();
  });
});

test.describe('members of an organization', () => {
  test('are signed out in their open tab by a change of their role, and return with the new one', async () => {
    const { page } = buyer;
    await guest.page.goto(`${journey.address}/dashboard`);
    await guest.page.getByRole('heading', { level: 1, name: '帳務儀表板' }).waitFor();
    await organizationOf(page);
    await region(page, '成員').getByText('會計', { exact: true }).waitFor();
    await choose(page, '會計', '改為使用者');
    await page.getByRole('alertdialog').getByText('對方會立即從所有裝置登出。').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: '改為使用者' }).click();
    await page.getByText('「會計」的角色已變更。').first().waitFor();
    // Nothing is clicked there: the open tab is notified.
    await guest.page.waitForURL('**/login**');
    await journey.signIn(accountant, guest.page);
    expect(new URL(guest.page.url()).pathname).toBe('/user/dashboard');
  });

  test('cannot be changed by themselves', async () => {
    const { page } = buyer;
    await organizationOf(page);
    await page.getByRole('button', { name: '「採購」的操作' }).click();
    expect(await page.getByRole('menuitem', { name: /^停用/ }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
  });
});

test.describe('organization settings', () => {
  test('show errors at their fields and keep what was typed', async () => {
    const { page } = buyer;
    await organizationOf(page);
    const settings = region(page, '組織設定');
    await settings.getByLabel(/^統一編號/).fill('04595258');
    await settings.getByLabel(/^時區/).fill('Asia/Nowhere');
    await settings.getByRole('button', { name: '儲存變更' }).click();
    await settings.getByText('統一編號不正確，請檢查這 8 位數字。').waitFor();
    await settings.getByLabel(/^統一編號/).fill('04595257');
    await settings.getByRole('button', { name: '儲存變更' }).click();
    await settings.getByText('沒有這個時區').first().waitFor();
    expect(await settings.getByLabel(/^時區/).getAttribute('aria-invalid')).toBe('true');
    await settings.getByLabel(/^時區/).fill('Asia/Tokyo');
    await settings.getByRole('button', { name: '儲存變更' }).click();
    await page.getByText('組織設定已儲存。').first().waitFor();
  });
});

test.describe('an API key of the organization', () => {
  const secretIn = (panel: Locator) => panel.locator('code').first().innerText();
  const reads = async (secret: string) => (await call('GET', '/bills', undefined, secret)).status;

  test('is created, used, rotated with both secrets valid, and revoked', async () => {
    const { page } = buyer;
    await organizationOf(page);
    // Content that still loads above would move what is measured here.
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: '建立金鑰' }).scrollIntoViewIfNeeded();
    const place = await page.evaluate<number>('scrollY');
    expect(place).toBeGreaterThan(0);
    await page.getByRole('button', { name: '建立金鑰' }).click();
    const form = page.getByRole('dialog', { name: '建立金鑰' });
    await form.waitFor();
    // The panel is in the address, but it is the same page at the same position.
    expect(await page.evaluate<number>('scrollY')).toBe(place);
    await form.getByLabel(/^名稱/).fill('報表系統');
    await form.getByLabel(/^權限範圍/).selectOption('read');
    await form.getByRole('button', { name: '建立' }).click();
    const made = page.getByRole('dialog', { name: '金鑰已建立' });
    const first = await secretIn(made);
    expect(await reads(first)).toBe(200);
    await made.getByRole('button', { name: '完成' }).click();
    const keys = region(page, 'API 金鑰');
    await keys.getByText(`skytally_…${first.slice(-4)}`).waitFor();
    expect(await keys.innerText()).not.toContain(first);

    await choose(page, '報表系統', '更換金鑰');
    await page
      .getByRole('dialog', { name: '更換金鑰「報表系統」' })
      .getByRole('button', { name: '更換金鑰' })
      .click();
    const rotated = page.getByRole('dialog', { name: '金鑰已更換' });
    const second = await secretIn(rotated);
    expect(await Promise.all([reads(first), reads(second)])).toEqual([200, 200]);
    await rotated.getByRole('button', { name: '完成' }).click();
    await keys.getByText(/舊金鑰有效至/).waitFor();

    await choose(page, '報表系統', '撤銷金鑰');
    await page.getByRole('alertdialog').getByRole('button', { name: '撤銷金鑰' }).click();
    await page.getByText('已撤銷金鑰「報表系統」。').first().waitFor();
    expect(await Promise.all([reads(first), reads(second)])).toEqual([401, 401]);
  });
});

test.describe('the Admin', () => {
  test('has an account page without an organization, and ends a user’s sessions', async () => {
    const operator = await journey.person();
    await journey.openSession(admin, operator.page);
    await operator.page.goto(`${journey.address}/admin/account`);
    await operator.page.getByRole('heading', { level: 1, name: '我的帳戶' }).waitFor();
    const parts = operator.page.getByRole('navigation', { name: '個人資料的項目' });
    expect(await parts.getByRole('link').allInnerTexts()).toEqual([
      '基本資料',
      '安全性',
      '登入裝置',
      '聯絡與通知',
      '帳戶資訊',
    ]);
    await operator.page.goto(`${journey.address}/admin/user-management`);
    await operator.page.getByRole('button', { name: '會計', exact: true }).click();
    await operator.page.getByRole('button', { name: '登出所有裝置' }).click();
    await operator.page.getByRole('alertdialog').getByRole('button', { name: '登出所有裝置' }).click();
    await operator.page.getByText('這位使用者目前沒有登入任何裝置。').waitFor();
    await guest.page.goto(`${journey.address}/user/dashboard`);
    await guest.page.waitForURL('**/login**');
  });

  test('changes an organization’s billing details and its taxes from the next bill on (R-ADM-02, R-BILL-05)', async () => {
    const operator = await journey.person();
    await journey.openSession(admin, operator.page);
    await operator.page.goto(`${journey.address}/admin/organizations`);
    await operator.page
      .getByRole('table', { name: '組織管理' })
      .getByRole('row')
      .nth(1)
      .getByRole('button')
      .first()
      .click();
    const panel = operator.page.getByRole('dialog');
    await panel.getByRole('combobox', { name: '稅別' }).selectOption('零稅率');
    await panel.getByText('從下一張帳單起適用；已開立的帳單不會改變。').waitFor();
    expect(await axeFindings(operator.page)).toEqual([]);
    await panel.getByRole('textbox', { name: '帳單地址' }).fill('臺北市信義區');
    await panel.getByRole('button', { name: '儲存變更' }).click();
    await operator.page
      .getByText(/^已儲存「.+」的設定。$/)
      .first()
      .waitFor();
    await operator.page.reload();
    await expect(panel.getByRole('textbox', { name: '帳單地址' })).toHaveValue('臺北市信義區');
    await panel
      .getByRole('combobox', { name: '稅別' })
      .locator('option:checked')
      .filter({ hasText: '零稅率' })
      .waitFor({ state: 'attached' });
  });
});

test.describe('the organization’s pages', () => {
  test('pass axe, light and dark, wide and narrow, and do not scroll sideways', async () => {
    const {
      data: { token },
    } = await call<{ token: string }>('POST', '/user/login', owner);
    const { data } = await call<{ link: string }>(
      'POST',
      '/organization/invitations',
      { email: 'axe@books.example', role: 'ReadOnly' },
      token,
    );
    const stranger = await journey.person();
    const found: string[] = [];
    for (const [person, path] of [
      [buyer, '/user/profile'],
      [buyer, '/user/profile?section=organization'],
      [buyer, '/user/profile?section=sessions'],
      [buyer, '/user/profile?section=organization&invite=new'],
      [stranger, data.link.replace(journey.address, '')],
    ] as const) {
      await person.page.goto(journey.address + path);
      await person.page.locator('h1').first().waitFor();
      for (const mode of ['light', 'dark'] as const) {
        await setTheme(person.page, mode);
        for (const width of [1440, 768, 375]) {
          await person.page.setViewportSize({ width, height: 900 });
          await comesToRest(person.page);
          if (
            await person.page.evaluate(
              'document.documentElement.scrollWidth > document.documentElement.clientWidth',
            )
          )
            found.push(`${path} ${width} scrolls sideways`);
          const wrong = await axeFindings(person.page, mode === 'dark' ? colourRules : undefined);
          found.push(...wrong.map((one) => `${path} ${width} ${mode} ${one}`));
        }
      }
    }
    expect(found).toEqual([]);
    expect([buyer, guest, stranger].flatMap((person) => person.pageErrors)).toEqual([]);
  });
});
