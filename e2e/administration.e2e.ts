// An Admin looks after the console in a real browser: what needs attention, security, monitoring, settings and their history.
import { hostname } from 'node:os';
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'buyer@customer.example', password: 'another long passphrase' };
let journey: Journey;
let admin: Page;
let pageErrors: string[];

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.register({ ...buyer, name: '採購窗口', organization: '好客戶' });
  const person = await journey.person();
  [admin, pageErrors] = [person.page, person.pageErrors];
  await journey.signIn(operator, admin);
});
test.afterAll(() => journey.end());

const row = (page: Page, list: string, text: string) =>
  page.getByRole('region', { name: list }).getByRole('row').filter({ hasText: text });

test.describe('R-ADM-01 the Admin’s dashboard and security pages', () => {
  test('lead from what needs attention to where it is resolved, and from every card to a page', async () => {
    await admin.getByRole('link', { name: /^1 位管理員未啟用兩步驟驗證/ }).click();
    await admin.getByRole('heading', { level: 1, name: '安全' }).waitFor();
    for (const [card, heading] of [
      ['使用者管理', '使用者管理'],
      ['服務管理', '服務管理'],
      ['安全', '安全'],
      ['系統監控', '系統監控'],
      ['系統設定', '系統設定'],
    ] as const) {
      await admin.goto(`${journey.address}/admin/dashboard`);
      await admin
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${card}`) })
        .first()
        .click();
      await admin.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await admin.goto(`${journey.address}/admin/dashboard`);
    await admin.getByText('沒有權限的使用者，請聯絡管理員。').waitFor();
  });

  test('list rejected sign-ins, unblock a person, and end a session, whose tab is signed out', async () => {
    const buyerPage = await journey.signIn(buyer);
    for (let attempt = 0; attempt < 6; attempt++)
      await fetch(`${journey.address}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ account: buyer.account, password: 'wrong' }),
      });
    await admin.goto(`${journey.address}/admin/security`);
    await row(admin, '登入失敗紀錄', buyer.account).first().getByText('密碼錯誤').waitFor();
    const waiting = row(admin, '暫時不能再試', buyer.account);
    // The wait may be over before the page is opened: then there is nothing to unblock.
    if ((await waiting.count()) > 0) {
      await waiting.getByRole('button').click();
      await admin.getByRole('menuitem', { name: '立即允許再試' }).click();
      await admin
        .getByRole('alertdialog')
        .or(admin.getByRole('dialog'))
        .getByRole('button', { name: '立即允許再試' })
        .click();
      await admin.getByText('已允許再試。').waitFor();
    }
    await row(admin, '開啟的工作階段', buyer.account).first().getByRole('button').click();
    await admin.getByRole('menuitem', { name: '結束工作階段' }).click();
    await admin
      .getByRole('alertdialog')
      .or(admin.getByRole('dialog'))
      .getByRole('button', { name: '結束工作階段' })
      .click();
    await admin.getByText('工作階段已結束。').waitFor();
    await buyerPage.waitForURL('**/login**');
    for (const name of ['content-security-policy', 'x-content-type-options', 'permissions-policy'])
      await row(admin, '生效中的安全標頭', name).getByText('正確').waitFor();
    expect(await axeFindings(admin)).toEqual([]);
  });

  test('show the status of the console, part by part', async () => {
    await admin.goto(`${journey.address}/admin/monitoring`);
    // On a busy machine the event loop may be late, or the processor busy: then the sentence names the parts.
    await admin
      .getByRole('status')
      .filter({ hasText: /^一切正常$|^有項目請留意：(主機|主控台|主機和主控台)$/ })
      .waitFor();
    // Seventy jobs of which none needs attention are folded.
    await admin.getByRole('button', { name: '顯示排程工作' }).click();
    await row(admin, '排程工作', 'close-month').getByText('正常').waitFor();
    await row(admin, '訊息寄送', '電子郵件').getByText('未設定').waitFor();
    await row(admin, '執行中的主控台', hostname()).getByText('正常').waitFor();
    for (const use of ['備份', '月結資料包與自訂文字'])
      await row(admin, '檔案儲存', use).getByText('正常').waitFor();
    await admin.getByText(/PostgreSQL \d+/).waitFor();
    await admin.getByText('沒有系統錯誤').waitFor();
    expect(await axeFindings(admin)).toEqual([]);
  });
});

test.describe('R-ADM-03 system settings', () => {
  test('mark changed values, keep them after a reload, and list the changes with user and time', async () => {
    const open = (section: string) =>
      admin.goto(`${journey.address}/admin/system-settings?section=${section}`);
    // A section is found by the name of a field in it.
    await admin.goto(`${journey.address}/admin/system-settings`);
    await admin.getByRole('searchbox', { name: '搜尋設定' }).fill('付款期限');
    await admin
      .getByRole('navigation', { name: '設定區塊' })
      .getByRole('link', { name: '帳務與稅務' })
      .click();
    const days = admin.getByRole('textbox', { name: /^付款期限/ });
    await days.fill('21');
    await admin.getByText('已變更，原為：30').waitFor();
    await admin
      .getByRole('form', { name: '帳務與稅務' })
      .or(admin.locator('form').filter({ has: days }))
      .first()
      .getByRole('button', { name: '儲存' })
      .click();
    await admin
      .getByText(/已儲存/)
      .first()
      .waitFor();
    await admin.reload();
    await expect(days).toHaveValue('21');
    await open('history');
    await row(admin, '變更紀錄', '30 → 21').getByText('Operator').waitFor();
    await open('metering');
    const archived = admin.getByRole('switch', { name: '封存更早的事件' });
    await archived.check();
    await admin.locator('form').filter({ has: archived }).getByRole('button', { name: '儲存' }).click();
    await admin
      .getByText(/已儲存/)
      .first()
      .waitFor();
    await admin.reload();
    await expect(archived).toBeChecked();
    await open('history');
    await row(admin, '變更紀錄', '封存更早的事件').getByText('Operator').waitFor();
    await open('environment');
    await row(admin, '環境變數', 'STRIPE_SECRET_KEY').getByText('未設定').waitFor();
    expect(await axeFindings(admin)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
