// Signing in in a real browser: registration, sign-in, second factors, passkeys, forgotten passwords.
import { readFile } from 'node:fs/promises';
import { generate } from 'otplib';
import type { CDPSession, Page } from '@playwright/test';
import { openMailbox, type Mailbox } from '../tests/support/mail.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const admin = { account: 'admin@cloud.example', password: 'a long enough passphrase' };
const buyer = { account: 'buyer@customer.example', password: 'another long passphrase' };

let journey: Journey;
let mailbox: Mailbox;
let address: string;
let page: Page;
let pageErrors: string[];

test.beforeAll(async ({ startJourney }) => {
  mailbox = await openMailbox();
  journey = await startJourney({ SMTP_URL: mailbox.url, MAIL_FROM: 'Skytally <no-reply@cloud.example>' });
  // Passkeys belong to a name, so this journey uses localhost.
  address = journey.address.replace('127.0.0.1', 'localhost');
  await post('/system/initialization', {
    setupToken: new URL(journey.setupAddress).searchParams.get('token'),
    basic: {
      name: '雲帳',
      companyPrefix: '福爾摩沙雲端',
      currency: 'TWD',
      timeZone: 'Asia/Taipei',
      language: 'zhTW',
      taxRate: '5',
    },
    admin: { ...admin, name: 'Operator' },
  });
  ({ page, pageErrors } = await journey.person({ elsewhere: [address] }));
});
test.afterAll(async () => {
  await journey.end();
  await mailbox.close();
});

async function post(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${journey.address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, `${path} ${await response.text()}`).toBe(true);
}

async function fillLogin(of: Page, account: string, password: string): Promise<void> {
  await of.getByLabel(/^帳號/).fill(account);
  await of.getByLabel(/^密碼/).fill(password);
  await of.getByRole('button', { name: '登入', exact: true }).click();
}

/** As if the person came back days later: signed out, in a browser that is still known. */
async function logout(of: Page): Promise<void> {
  await of.evaluate("localStorage.removeItem('authStore')");
  for (const name of ['session', 'user']) await of.context().clearCookies({ name });
}

const linkFor = async (to: string, path: string): Promise<string> => {
  await expect.poll(() => mailbox.linkFor(to)).toContain(path);
  return (mailbox.linkFor(to) ?? '').replace('127.0.0.1', 'localhost');
};

test.describe('signing in', () => {
  test('an empty registration shows all errors at once, and focuses the first one (R-AUTH-01)', async () => {
    const english = await journey.person({ locale: 'en-US', width: 375, height: 812, elsewhere: [address] });
    await english.page.goto(`${address}/register`);
    await english.page.getByRole('button', { name: 'Create account' }).click();
    for (const sentence of [
      'Email is required',
      'Please enter password again',
      'Please agree to the terms first.',
    ])
      await english.page.getByText(sentence, { exact: true }).waitFor();
    await english.page.getByRole('alert').waitFor();
    await expect
      .poll(() => english.page.evaluate('document.activeElement?.getAttribute("name")'))
      .toBe('email');
    await english.page.getByLabel(/^E-mail/).fill('not an address');
    await english.page.getByText('Please enter a valid email', { exact: true }).waitFor();
    await english.page
      .getByLabel(/^Password/)
      .first()
      .fill('one passphrase here');
    await english.page.getByLabel(/^Confirm password/).fill('another one there');
    await english.page.getByText('Passwords do not match', { exact: true }).waitFor();
    expect(await axeFindings(english.page)).toEqual([]);
    await english.context.close();
  });

  test('registration rejects a common password at its field; the mailed link confirms the e-mail (R-AUTH-03, R-AUTH-20)', async () => {
    await page.goto(`${address}/register`);
    await page.getByLabel(/^電子郵件/).fill(buyer.account);
    await page.getByLabel(/^姓名/).fill('第一位使用者');
    await page.getByLabel(/^組織名稱/).fill('好客戶');
    await page.getByLabel(/^密碼/).fill('password12345');
    await page.getByLabel(/^確認密碼/).fill('password12345');
    await page.getByLabel(/同意/).check();
    await page.getByRole('button', { name: '建立帳號' }).click();
    await page.getByText('這個密碼太常見，很容易被猜中，請換一個。').first().waitFor();
    await page.getByLabel(/^密碼/).fill(buyer.password);
    await page.getByLabel(/^確認密碼/).fill(buyer.password);
    await page.getByRole('button', { name: '建立帳號' }).click();
    await page.getByRole('heading', { level: 1, name: '請查看您的信箱' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.goto(await linkFor(buyer.account, '/verify-email#token='));
    await page.getByRole('button', { name: '確認電子郵件' }).waitFor();
    expect(page.url(), 'the secret is out of the address').toBe(`${address}/verify-email`);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '確認電子郵件' }).click();
    await page.getByText('電子郵件已確認，現在可以登入。').waitFor();
  });

  test('a wrong password is announced, and the right one signs in (R-AUTH-02)', async () => {
    await page.goto(`${address}/login`);
    await page.getByRole('button', { name: '登入', exact: true }).click();
    await expect(page.getByText('必填', { exact: true })).toHaveCount(2);
    await fillLogin(page, buyer.account, 'not the password');
    await page.getByRole('alert').filter({ hasText: '帳號或密碼錯誤' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.getByLabel(/^帳號/).getAttribute('autocomplete')).toBe('username');
    expect(await page.getByLabel(/^密碼/).getAttribute('autocomplete')).toBe('current-password');
    await fillLogin(page, buyer.account, buyer.password);
    await page.waitForURL('**/user/dashboard');
  });

  test('a link that was handed over creates the account, but the address has to be confirmed first (R-AUTH-20)', async () => {
    const guest = { account: 'guest@customer.example', password: 'nine golden umbrellas' };
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', buyer);
    const { link } = await journey.call<{ link: string }>(
      'POST',
      '/organization/invitations',
      { email: guest.account, role: 'ReadOnly' },
      token,
    );
    const invited = await journey.person({ elsewhere: [address] });
    await invited.page.goto(link.replace('127.0.0.1', 'localhost'));
    await invited.page.getByLabel(/^姓名/).fill('會計');
    for (const field of [/^密碼/, /^確認密碼/]) await invited.page.getByLabel(field).fill(guest.password);
    await invited.page.getByRole('button', { name: '加入並登入' }).click();
    await invited.page.getByRole('heading', { level: 1, name: '請確認電子郵件地址' }).waitFor();
    expect(await axeFindings(invited.page)).toEqual([]);
    await invited.page.goto(await linkFor(guest.account, '/verify-email#token='));
    await invited.page.getByRole('button', { name: '確認電子郵件' }).click();
    await invited.page.getByText('電子郵件已確認，現在可以登入。').waitFor();
    await invited.page.goto(`${address}/login`);
    await fillLogin(invited.page, guest.account, guest.password);
    await invited.page.waitForURL('**/dashboard');
    pageErrors.push(...invited.pageErrors);
    await invited.context.close();
  });

  let secret = '';
  let codes: string[] = [];
  const stepSeconds = 30;
  let lastStep = 0;
  /**
   * Real time here: the current code, or the first unused one, as soon as it is accepted: one step early, as
   * from an authenticator whose clock is fast.
   */
  const nextCode = async (): Promise<string> => {
    const now = () => Math.floor(Date.now() / 1000 / stepSeconds);
    lastStep = Math.max(now(), lastStep + 1);
    await expect.poll(now, { timeout: 40_000, intervals: [500] }).toBeGreaterThanOrEqual(lastStep - 1);
    return generate({ secret, epoch: lastStep * stepSeconds });
  };

  test('an authenticator is set up by QR code or text, and recovery codes are shown once (R-AUTH-18)', async () => {
    await page.goto(`${address}/user/profile?section=security`);
    await page.getByRole('button', { name: '設定驗證器' }).click();
    await page.getByRole('img', { name: '驗證器的 QR 碼' }).waitFor();
    secret = ((await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '').replaceAll(
      ' ',
      '',
    );
    expect(secret).toHaveLength(32);
    await page.getByLabel(/^驗證碼/).fill('000000');
    await page.getByRole('button', { name: '啟用驗證器' }).click();
    await page.getByText('驗證碼不正確或已使用過，請輸入新的驗證碼。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel(/^驗證碼/).fill(await nextCode());
    await page.getByRole('button', { name: '啟用驗證器' }).click();
    const list = page.getByRole('region', { name: '備用碼' });
    await list.waitFor();
    codes = (await list.getByRole('listitem').allTextContents()).map((code) => code.trim());
    expect(codes).toHaveLength(10);
    expect(await axeFindings(page)).toEqual([]);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: '下載備用碼' }).click();
    expect((await readFile(await (await waiting).path(), 'utf8')).trim().split('\n')).toEqual(codes);
    await page.getByRole('button', { name: '我已妥善存放' }).click();
    await page.getByText('驗證器已啟用').waitFor();
    await page.getByText('尚有 10 組備用碼可用。').waitFor();
  });

  test('sign-in asks for a code, and accepts a recovery code instead, once (R-AUTH-18)', async () => {
    await logout(page);
    await page.goto(`${address}/login`);
    await fillLogin(page, buyer.account, buyer.password);
    await page.getByText(/^密碼正確。請輸入驗證器/).waitFor();
    expect(await page.getByLabel(/^驗證碼/).getAttribute('autocomplete')).toBe('one-time-code');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel(/^驗證碼/).fill('000000');
    await page.getByRole('button', { name: '驗證並登入' }).click();
    await page.getByRole('alert').filter({ hasText: '驗證碼不正確' }).waitFor();
    await page.getByLabel(/^驗證碼/).fill(await nextCode());
    await page.getByLabel(/^驗證碼/).press('Enter');
    await page.waitForURL('**/user/dashboard');
    await logout(page);

    await page.goto(`${address}/login`);
    await page.getByText('上次使用').waitFor();
    await fillLogin(page, buyer.account, buyer.password);
    await page.getByRole('button', { name: '改用備用碼' }).click();
    await page.getByLabel(/^備用碼/).fill(codes[0] ?? '');
    await page.getByRole('button', { name: '驗證並登入' }).click();
    await page.waitForURL('**/user/dashboard');
    await page.goto(`${address}/user/profile?section=security`);
    await page.getByText('尚有 9 組備用碼可用。').waitFor();
  });

  let cdp: CDPSession;
  let authenticatorId = '';
  test('a passkey is created, signs in by itself, and is renamed and removed', async () => {
    cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
    await page.goto(`${address}/user/profile?section=security`);
    await page.getByRole('button', { name: '新增密碼金鑰' }).click();
    await page.getByLabel(/^名稱/).fill('公司筆電');
    await page.getByRole('button', { name: '繼續' }).click();
    await page.getByRole('button', { name: '重新命名密碼金鑰「公司筆電」' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '重新命名密碼金鑰「公司筆電」' }).click();
    await page.getByLabel(/^名稱/).fill('家裡的平板');
    await page.getByRole('dialog').getByRole('button', { name: '重新命名' }).click();
    await page.getByRole('button', { name: '移除密碼金鑰「家裡的平板」' }).waitFor();
    await logout(page);

    await page.goto(`${address}/login`);
    const sent = page.waitForRequest('**/api/user/passkey-login');
    await page.getByRole('button', { name: /使用密碼金鑰登入/ }).click();
    await page.waitForURL('**/user/dashboard');
    // The same signature again, from the browser that made it: it cannot be used twice.
    const replayed = await page.request.post(`${address}/api/user/passkey-login`, {
      data: (await sent).postDataJSON() as object,
    });
    expect(replayed.status()).toBe(401);
    expect(((await replayed.json()) as { code: string }).code).toBe('signin.passkey_refused');
  });

  test("a signature for another browser's challenge, and a copied passkey whose counter went back, are rejected", async () => {
    await logout(page);
    await page.goto(`${address}/login`);
    // Another browser’s cookie in place of this one’s.
    await page.route('**/api/user/passkey-login', async (route) => {
      await page.context().clearCookies({ name: 'passkey' });
      await route.continue({
        headers: { ...route.request().headers(), cookie: 'passkey=somebody-elses-browser' },
      });
    });
    await page.getByRole('button', { name: /使用密碼金鑰登入/ }).click();
    await page.getByText('無法使用這把密碼金鑰登入，請改用其他方式。').waitFor();
    await page.unroute('**/api/user/passkey-login');

    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    for (const credential of credentials)
      await cdp.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount: 0 },
      });
    await page.goto(`${address}/login`);
    await page.getByRole('button', { name: /使用密碼金鑰登入/ }).click();
    await page.getByText('無法使用這把密碼金鑰登入，請改用其他方式。').waitFor();
    expect(page.url()).toContain('/login');
  });

  test('a forgotten password is replaced by mail; the second factor stays on (R-AUTH-19)', async () => {
    await page.getByRole('link', { name: '忘記密碼？' }).click();
    await page.getByRole('heading', { level: 1, name: '重設密碼' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel(/^帳號/).fill(buyer.account);
    await page.getByRole('button', { name: '寄送連結' }).click();
    await page.getByRole('heading', { level: 1, name: '請查看您的信箱' }).waitFor();
    const link = await linkFor(buyer.account, '/password-reset#token=');
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: '選擇新密碼' }).waitFor();
    expect(page.url()).toBe(`${address}/password-reset`);
    expect(await axeFindings(page)).toEqual([]);
    for (const field of [/^新密碼/, /^確認密碼/])
      await page.getByLabel(field).fill('a passphrase after the reset');
    await page.getByRole('button', { name: '變更密碼' }).click();
    await page.waitForURL('**/login');
    await fillLogin(page, buyer.account, 'a passphrase after the reset');
    await page.getByText(/^密碼正確。請輸入驗證器/).waitFor();
    await page.goto(link);
    for (const field of [/^新密碼/, /^確認密碼/])
      await page.getByLabel(field).fill('a passphrase after that');
    await page.getByRole('button', { name: '變更密碼' }).click();
    await page.getByRole('alert').filter({ hasText: '這個連結已失效或已使用過，請重新申請。' }).waitFor();
  });

  test('an Admin hands over a reset link, which is shown once (R-AUTH-19)', async () => {
    const operator = await journey.person({ elsewhere: [address] });
    await operator.page.goto(`${address}/login?returnTo=/admin/user-management`);
    await fillLogin(operator.page, admin.account, admin.password);
    await operator.page.waitForURL('**/admin/user-management');
    await operator.page.getByText(buyer.account).first().click();
    await operator.page.getByRole('button', { name: '重設密碼' }).click();
    const dialog = operator.page.getByRole('alertdialog');
    await dialog.getByText('使用者會立即從所有裝置登出。').waitFor();
    expect(await axeFindings(operator.page)).toEqual([]);
    await dialog.getByRole('button', { name: '重設密碼' }).click();
    const link = (await operator.page.getByText(/\/password-reset#token=/).textContent()) ?? '';
    expect(await axeFindings(operator.page)).toEqual([]);
    await page.goto(link.replace('127.0.0.1', 'localhost'));
    for (const field of [/^新密碼/, /^確認密碼/])
      await page.getByLabel(field).fill('handed over by an operator');
    await page.getByRole('button', { name: '變更密碼' }).click();
    await page.waitForURL('**/login');
    await fillLogin(page, buyer.account, 'handed over by an operator');
    await page.getByText(/^密碼正確。請輸入驗證器/).waitFor();
    await page.getByLabel(/^驗證碼/).fill(await nextCode());
    await page.getByRole('button', { name: '驗證並登入' }).click();
    await page.waitForURL('**/user/dashboard');
    pageErrors.push(...operator.pageErrors);
  });

  test('the authenticator is removed with a code and the passkey with a click; then the password alone is enough again', async () => {
    await page.goto(`${address}/user/profile?section=security`);
    await page.getByRole('button', { name: '移除密碼金鑰「家裡的平板」' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '移除' }).click();
    await page.getByText('還沒有密碼金鑰。').waitFor();
    await page.getByRole('button', { name: '移除驗證器' }).click();
    await page.getByLabel(/^驗證碼/).fill(codes[1] ?? '');
    await page.getByRole('button', { name: '移除驗證器' }).click();
    await page.getByText('驗證器未啟用').waitFor();
    await logout(page);
    await page.goto(`${address}/login`);
    await fillLogin(page, buyer.account, 'handed over by an operator');
    await page.waitForURL('**/user/dashboard');
  });

  test('the journey causes no page error and no security policy violation', () => {
    expect(pageErrors).toEqual([]);
  });
});

test.describe('a console without e-mail', () => {
  let quiet: Journey;
  test.beforeAll(async ({ startJourney }) => {
    quiet = await startJourney();
  });
  test.afterAll(() => quiet.end());

  test('registration signs in immediately, and only that distinguishes a known e-mail; a forgotten password is up to the administrator (R-AUTH-20)', async () => {
    const newcomer = await quiet.person({ width: 375, height: 812 });
    const fill = async (of: Page, password: string) => {
      await of.goto(`${quiet.address}/register`);
      await of.getByLabel(/^電子郵件/).fill('new@customer.example');
      await of.getByLabel(/^姓名/).fill('第一位使用者');
      await of.getByLabel(/^組織名稱/).fill('好客戶');
      await of.getByLabel(/^密碼/).fill(password);
      await of.getByLabel(/^確認密碼/).fill(password);
      await of.getByLabel(/同意/).check();
      await of.getByRole('button', { name: '建立帳號' }).click();
    };
    await fill(newcomer.page, 'the first passphrase here');
    await newcomer.page.waitForURL('**/user/dashboard');
    await newcomer.page.getByText('帳號已建立，歡迎使用！').waitFor();

    const second = await quiet.person({ width: 375, height: 812 });
    await fill(second.page, "somebody else's passphrase");
    await second.page.getByRole('heading', { level: 1, name: '已收到您的註冊' }).waitFor();
    await second.page.getByText(/無法直接以剛才的密碼登入 new@customer\.example/).waitFor();
    expect(await axeFindings(second.page)).toEqual([]);
    expect(
      await second.page.evaluate<boolean>(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      ),
    ).toBe(false);
    await second.page.getByRole('link', { name: '前往登入' }).click();
    await second.page.getByRole('button', { name: '登入', exact: true }).waitFor();
    expect(await second.page.getByRole('link', { name: '忘記密碼？' }).count()).toBe(0);
    // Opened by an IP address: passkeys belong to names.
    expect(await second.page.getByRole('button', { name: /密碼金鑰/ }).count()).toBe(0);
    await second.page.goto(`${quiet.address}/password-reset`);
    await second.page.getByText('這個系統無法寄送電子郵件。請聯絡管理員為您重設密碼。').waitFor();
    expect([...newcomer.pageErrors, ...second.pageErrors]).toEqual([]);
  });
});
