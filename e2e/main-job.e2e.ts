// The main job in a real browser: from an empty machine to a paid bill.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { unpack } from '#tests/support/bill-proofs.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const focusFile = resolve(import.meta.dirname, '../demo-data/focus-sample.csv');
const admin = { account: 'admin@cloud.example', password: 'a long enough passphrase' };

const customer = { account: 'buyer@customer.example', password: 'another long passphrase' };

let journey: Journey;
let user: Awaited<ReturnType<Journey['person']>>;
let page: Page;
let pageErrors: string[];

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  ({ page, pageErrors } = await journey.person({ motion: 'no-preference' }));
});
test.afterAll(() => journey.end());

test.describe('from setup to a paid bill', () => {
  test('an Admin sets the console up in three steps and imports the demo data (R-AUTH-21, R-SHELL-17)', async () => {
    await page.goto(journey.setupAddress);
    await page.getByRole('heading', { level: 1, name: '系統初始設定' }).waitFor();
    await page.getByLabel('系統名稱').fill('雲帳');
    await page.getByLabel('公司名稱（標題前綴）').fill('福爾摩沙雲端');
    await page.getByRole('button', { name: '下一步' }).click();
    await page.getByLabel('管理員帳號（電子郵件）').fill(admin.account);
    await page.getByLabel('管理員姓名').fill('營運管理員');
    // A common password is called weak, and rejected at its field.
    const field = page.getByLabel(/^密碼/);
    await field.fill('password1234');
    await page.getByText('密碼強度: 弱').waitFor();
    await page.getByLabel('確認密碼').fill('password1234');
    await page.getByRole('button', { name: '完成設定並登入' }).click();
    await page.getByText('這個密碼太常見，很容易被猜中，請換一個').first().waitFor();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.fill(admin.password);
    await page.getByLabel('確認密碼').fill(admin.password);
    await page.getByRole('button', { name: '完成設定並登入' }).click();
    await page.getByText('設定完成').waitFor();
    await page.getByRole('button', { name: '匯入示範資料' }).click();
    await page.getByText('示範資料已匯入。').waitFor({ timeout: 60_000 });
    await page.getByText(/68 個組織、34 項服務、198/).waitFor();
  });

  test('setup is not possible again, and the brand is kept after a reload', async () => {
    await page.goto(journey.setupAddress);
    await page.getByText('系統已完成初始設定').waitFor();
    // A signed-in user is not sent to sign-in.
    await page.getByRole('link', { name: '返回首頁' }).waitFor();
    expect(await page.locator('main').getByRole('link', { name: /登入/ }).count()).toBe(0);
    expect(await page.getByLabel('系統名稱').count()).toBe(0);
    await page.goto(`${journey.address}/`);
    await page
      .getByRole('link', { name: /福爾摩沙雲端\s*雲帳/ })
      .first()
      .waitFor();
  });

  test('importing the same file again changes nothing, and shows why rows were skipped', async () => {
    await page.goto(`${journey.address}/admin/imports`);
    await page.getByLabel('FOCUS CSV 檔案').setInputFiles(focusFile);
    await page.getByRole('button', { name: '開始匯入' }).click();
    await page.getByText('匯入報告').waitFor();
    await page.getByText('不是用量（抵用或調整），不計入用量。').first().waitFor();
    await page.getByText('已存在 795').first().waitFor();
  });

  test('closing September issues 67 bills, and none the second time', async () => {
    await page.goto(`${journey.address}/admin/billing?month=2024-09`);
    for (const sentence of [
      '新開立 67 張、先前已開立 0 張、擱置 0 個組織。',
      '新開立 0 張、先前已開立 67 張、擱置 0 個組織。',
    ]) {
      await page.getByRole('button', { name: /結清 2024年9月/ }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
      await page.getByText(sentence).first().waitFor();
    }
    await page.getByText(/^2024年9月已於 .+ 結清。$/).waitFor();
  });

  test('the Admin creates a user in one of the organizations', async () => {
    await page.goto(`${journey.address}/admin/user-management`);
    await page.getByRole('button', { name: '建立使用者' }).first().click();
    await page.getByLabel(/^姓名/).fill('採購人員');
    await page.getByLabel(/^帳號/).fill(customer.account);
    await page.getByRole('combobox', { name: /組織/ }).fill('Orion Zenith');
    await page
      .getByRole('option', { name: /Orion Zenith/ })
      .first()
      .click();
    await page.getByRole('combobox', { name: /密碼/ }).selectOption({ label: '自行輸入' });
    await page.getByLabel(/^初始密碼/).fill(customer.password);
    await page.getByRole('button', { name: '建立使用者' }).click();
    await page.getByText(customer.account).first().waitFor();
  });

  test('the user signs in and lands on a dashboard with their own figures (R-AUTH-02, R-AUTH-14, R-BILL-03)', async () => {
    user = await journey.person({ motion: 'no-preference' });
    await user.page.goto(`${journey.address}/login`);
    await user.page.getByLabel(/^帳號/).fill(customer.account);
    await user.page.getByLabel(/^密碼/).fill('not the password');
    await user.page.getByRole('button', { name: '登入', exact: true }).click();
    await user.page.getByText('帳號或密碼錯誤').first().waitFor();
    await user.page.getByLabel(/^密碼/).fill(customer.password);
    await user.page.getByRole('button', { name: '登入', exact: true }).click();
    await user.page.waitForURL('**/user/dashboard');
    await user.page.getByRole('heading', { level: 1, name: '儀表板' }).waitFor();
    await user.page.getByText('已訂閱服務').waitFor();
    // No secret is stored where a script can read it (R-AUTH-10, R-AUTH-11).
    const stored = await user.page.evaluate(
      'JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })',
    );
    expect(stored).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
  });

  test('the user sees usage by day and service, subscriptions and quota status', async () => {
    await user.page.goto(`${journey.address}/usage/statistics?month=2024-09`);
    await user.page.getByRole('heading', { level: 1, name: '用量統計' }).waitFor();
    await user.page.getByText('每日用量').first().waitFor();
    await user.page
      .getByText(/US\$1\.3\d/)
      .first()
      .waitFor();
    await user.page.goto(`${journey.address}/cloud-service/management`);
    await user.page.getByText('Amazon Elastic Compute Cloud', { exact: false }).first().waitFor();
    await user.page.goto(`${journey.address}/billing/dashboard`);
    await user.page.getByText('此帳號沒有配額限制').waitFor();
  });

  test('the bill is explained and downloaded as PDF in both languages (R-BILL-01, R-BILL-02, R-BILL-04)', async () => {
    await user.page.goto(`${journey.address}/billing/management?month=2024-09`);
    await user.page.getByText('US$1.39').first().waitFor();
    // The history beside it shows the same amount and may be loaded first.
    const bill = user.page.getByRole('table').filter({ hasText: 'Amazon Elastic Compute Cloud' }).first();
    await bill.waitFor();
    await expect(bill).toContainText('未稅金額');
    for (const [menu, words] of [
      ['繁體中文', '帳單'],
      ['English', 'Bill'],
    ] as const) {
      const waiting = user.page.waitForEvent('download');
      await user.page.getByRole('button', { name: '下載 PDF' }).click();
      await user.page.getByRole('menuitem', { name: new RegExp(menu) }).click();
      const download = await waiting;
      const text = await pdfText(await readFile(await download.path()));
      expect(text).toContain(words);
      expect(text).toContain('B-202409-');
    }
  });

  test('the bill is verified with the downloaded program, without the console (T-PROOF)', async () => {
    await user.page.getByRole('button', { name: '自行驗算' }).click();
    const dialog = user.page.getByRole('dialog', { name: /^驗算 B-/ });
    await dialog.getByText('node verify-bill.mjs').waitFor();
    expect(await axeFindings(user.page)).toEqual([]);
    const [download] = await Promise.all([
      user.page.waitForEvent('download'),
      dialog.getByRole('button', { name: '下載驗算檔' }).click(),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'skytally-proof-'));
    try {
      await unpack(await download.path(), folder);
      const { stdout } = await promisify(execFile)(process.execPath, ['verify-bill.mjs'], { cwd: folder });
      expect(stdout).toContain('The same: the recomputed amounts match the bill.');
      expect(stdout).not.toContain('differs');
    } finally {
      rmSync(folder, { recursive: true });
    }
    await dialog.getByRole('button', { name: '關閉' }).last().click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('the balance is topped up, confirmed by an Admin, and pays the bill', async () => {
    await user.page.getByRole('button', { name: '儲值' }).first().click();
    const dialog = user.page.getByRole('dialog');
    await dialog.getByLabel(/^金額/).fill('20');
    await dialog.getByRole('button', { name: '送出匯款通知' }).click();
    await user.page.getByText('等待確認的儲值').first().waitFor();

    await page.goto(`${journey.address}/admin/payments`);
    await page.getByRole('button', { name: /確認入帳：Orion Zenith的 US\$20\.00/ }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /確認入帳\s*US\$20\.00/ })
      .click();
    await page.getByText('Orion Zenith的 US$20.00 已入帳。').first().waitFor();

    // The user’s open page updates without a reload.
    await user.page.getByText('等待確認的儲值').waitFor({ state: 'detached' });
    await user.page.getByText('US$20.00').first().waitFor();
    await user.page
      .getByRole('button', { name: /支付帳單|立即付款/ })
      .first()
      .click();
    await user.page
      .getByRole('dialog')
      .getByRole('button', { name: /支付\s*US\$1\.39/ })
      .click();
    await user.page.getByText('付款完成').first().waitFor();
    await user.page.reload();
    await user.page.getByText('已付款').first().waitFor();
    await user.page.getByText('US$18.61').first().waitFor();
  });

  test('a live batch appears within 2 s without a reload, and a quota crossing raises a notification (R-USE-03, R-USE-04, R-NOTE-03)', async () => {
    const api = await operator();
    const { key, subscriptionId } = await api.sellLimitedService();
    await user.page.goto(`${journey.address}/usage/statistics`);
    await user.page.getByRole('heading', { level: 1, name: '用量統計' }).waitFor();
    const bills = await user.context.newPage();
    await bills.goto(`${journey.address}/billing/management`);
    await bills.getByRole('heading', { level: 1, name: '帳單查詢' }).waitFor();
    // Both pages are connected before the batch is sent.
    await expect.poll(() => api.liveClients()).toBeGreaterThanOrEqual(2);

    const sent = performance.now();
    await api.send(
      key,
      Array.from({ length: 9 }, (_, index) => ({
        specversion: '1.0',
        id: `live-${index}`,
        source: '/journey',
        type: 'journey.call',
        subject: subscriptionId,
        time: new Date().toISOString(),
        data: { value: '10' },
      })),
    );
    await user.page.getByText('旅程用服務').first().waitFor();
    await bills.getByText('旅程用服務').first().waitFor();
    await user.page
      .getByText(/「旅程用服務」用量已達配額的 90%/)
      .first()
      .waitFor();
    expect(
      performance.now() - sent,
      'milliseconds until both pages and the notification showed it',
    ).toBeLessThan(10_000);
    await bills.close();
  });

  test('the journey causes no page error and no security policy violation', () => {
    expect([...pageErrors, ...user.pageErrors]).toEqual([]);
  });
});

/** Machine calls of a gateway and an operator: the API with the Admin’s own token. */
async function operator() {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    mediaType = 'application/json',
  ) => {
    const response = await fetch(`${journey.address}/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': mediaType }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as {
      data: Record<string, string> & { items?: { id: string }[] } & { liveClients?: number };
    };
    expect(response.ok, `${method} ${path} ${JSON.stringify(answer)}`).toBe(true);
    return answer.data;
  };
  const { token } = await call('POST', '/user/login', admin);
  return {
    send: (key: string, events: readonly object[]) =>
      call('POST', '/usage/events', events, key, 'application/cloudevents-batch+json'),
    liveClients: async () => (await call('GET', '/admin/dashboard', undefined, token)).liveClients ?? 0,
    sellLimitedService: async () => {
      const [organization] =
        (await call('GET', '/admin/organizations?q=Orion%20Zenith', undefined, token)).items ?? [];
      const service = await call(
        'POST',
        '/admin/services',
        {
          name: '旅程用服務',
          type: 'API',
          category: '平台',
          pricing: { model: 'per_unit', currency: 'USD', unitPrice: '0.25' },
          meter: { eventType: 'journey.call', aggregation: 'sum', unit: '次' },
          quota: { type: 'soft', limit: '100' },
        },
        token,
      );
      const subscription = await call(
        'POST',
        '/admin/subscriptions',
        { organizationId: organization?.id, serviceId: service['id'] },
        token,
      );
      const { secret } = await call('POST', '/admin/api-keys', { name: 'journey' }, token);
      return { key: secret ?? '', subscriptionId: subscription['id'] ?? '' };
    },
  };
}

/** The text of a PDF. */
async function pdfText(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}
