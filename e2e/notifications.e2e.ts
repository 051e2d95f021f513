// Notifications in a real browser, by keyboard alone: read, delete and undo, mark all, send a test, and find
// earlier messages again (R-NOTE-02, R-SHELL-15).
import type { Page } from '@playwright/test';
import { openMailbox, type Mailbox } from '../tests/support/mail.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = { account: 'owner@customer.example', password };
let journey: Journey;
let mailbox: Mailbox;
let admin: string;
let organizationId: string;
let page: Page;
let pageErrors: string[];
const makeKey = (name: string) => journey.call('POST', '/admin/api-keys', { name, organizationId }, admin);

test.beforeAll(async ({ startJourney }) => {
  mailbox = await openMailbox();
  journey = await startJourney({ SMTP_URL: mailbox.url, MAIL_FROM: 'Skytally <no-reply@cloud.example>' });
  admin = await journey.setUp();
  ({ organizationId } = await journey.register({
    account: 'first@customer.example',
    password,
    name: '採購',
    organization: '好客戶',
  }));
  await journey.call(
    'POST',
    '/admin/users',
    { account: owner.account, name: '採購', role: 'User', organizationId, password },
    admin,
  );
  for (const name of ['第一把', '第二把', '第三把']) await makeKey(name);
  const person = await journey.person();
  ({ page, pageErrors } = person);
  await journey.openSession(owner, page);
});
test.afterAll(async () => {
  await journey.end();
  await mailbox.close();
});

const bell = (of: Page) => of.getByRole('button', { name: /^通知/ });
/** By keyboard: focuses it and presses Enter. */
const press = (of: Page, role: 'button' | 'tab' | 'checkbox' | 'switch', name: string | RegExp) =>
  of.getByRole(role, { name, exact: typeof name === 'string' }).press('Enter');

test.describe('the inbox by keyboard (R-NOTE-02)', () => {
  test('is walked with j and k, Shift+I marks read, and Shift+U undoes that, in every open tab', async () => {
    const other = await page.context().newPage();
    await other.goto(`${journey.address}/user/dashboard`);
    await page.goto(`${journey.address}/user/notifications`);
    await page.getByRole('tab', { name: '收件匣（3）' }).waitFor();
    // Their number is loaded before they are.
    await expect(page.locator('[data-notification]')).toHaveCount(3);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect(page.locator(':focus')).toContainText('第三把');
    await page.keyboard.press('Shift+I');
    await page.getByRole('tab', { name: '收件匣（2）' }).waitFor();
    await other.getByRole('button', { name: '通知，2 則未讀' }).waitFor();
    await page.keyboard.press('Shift+U');
    await other.getByRole('button', { name: '通知，3 則未讀' }).waitFor();
    await other.close();
  });

  test('E asks, deletes and offers undo; deleted ones can be found later', async () => {
    await page.locator('[data-notification]').first().focus();
    await page.keyboard.press('e');
    const ask = page
      .getByRole('alertdialog', { name: '刪除這則通知？' })
      .or(page.getByRole('dialog', { name: '刪除這則通知？' }));
    await ask.getByText('一天內可以復原，之後永久刪除。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await ask.getByRole('button', { name: '刪除通知' }).press('Enter');
    await press(page, 'button', '復原');
    await page.getByText('通知已復原。').waitFor();
    await page.getByText('建立了 API 金鑰「第三把」').waitFor();
    await press(page, 'button', '全部刪除');
    await page.getByRole('button', { name: '刪除 3 則通知' }).press('Enter');
    await page.getByText('還沒有通知').waitFor();
    await press(page, 'button', '最近刪除');
    expect(await axeFindings(page)).toEqual([]);
    for (const name of ['第一把', '第二把', '第三把'])
      await press(page, 'button', new RegExp(`^復原：.*${name}`));
    await page.getByText('最近沒有刪除通知').waitFor();
    await press(page, 'button', '全部');
    await expect.poll(() => page.locator('[data-notification]').count()).toBe(3);
  });

  test('is searched in either language, and all are marked read at once', async () => {
    await page.getByRole('searchbox', { name: '搜尋通知內容' }).fill('api key “第二');
    await expect.poll(() => page.locator('[data-notification]').allInnerTexts()).toHaveLength(1);
    await page.getByRole('searchbox', { name: '搜尋通知內容' }).fill('');
    await expect.poll(() => page.locator('[data-notification]').count()).toBe(3);
    await press(page, 'button', '全部標為已讀');
    await page.getByRole('button', { name: '通知', exact: true }).waitFor();
    await page.getByRole('tab', { name: '收件匣', exact: true }).waitFor();
    await expect(page.locator('[data-notification]').first()).toContainText(/電子郵件：已於 .+ 送出/);
  });
});

test.describe('preferences and test notifications (R-NOTE-02)', () => {
  test('show the e-mail as it was sent and how long it took', async () => {
    await press(page, 'tab', '偏好設定');
    await press(page, 'button', '以電子郵件傳送測試通知');
    await page.getByText(/對方已收下，從送出到收下共 [\d,]+ 毫秒（owner@customer\.example）。/).waitFor();
    await press(page, 'button', '查看寄出的信');
    await page.frameLocator('iframe').getByText('這是一則測試通知。').waitFor();
    // The frame shows the sent e-mail in its own style: the page’s policy allows only styles set by script.
    expect(
      await page.evaluate(
        `getComputedStyle(document.querySelector('iframe').contentDocument.querySelector('a.button')).backgroundColor`,
      ),
    ).toBe('rgb(31, 78, 140)');
    await expect
      .poll(
        () =>
          mailbox.letters.filter((letter) => letter.to === owner.account && letter.text.includes('測試通知'))
            .length,
      )
      .toBe(1);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('are saved, and the profile shows the same switch', async () => {
    await page.getByRole('checkbox', { name: '用量通知使用電子郵件' }).press('Space');
    await page.getByRole('switch', { name: '設定勿擾時段' }).press('Space');
    await page.getByRole('switch', { name: '使用電子郵件' }).press('Space');
    await press(page, 'button', /^儲存/);
    await page.getByText('通知偏好已儲存。').waitFor();
    await page.reload();
    await page.getByRole('switch', { name: '設定勿擾時段' }).waitFor();
    expect(await page.getByLabel('開始').inputValue()).toBe('22:00');
    expect(await page.getByRole('checkbox', { name: '安全通知一律寄送電子郵件' }).isDisabled()).toBe(true);
    await page.goto(`${journey.address}/user/profile?section=contact`);
    expect(await page.getByRole('switch', { name: '以電子郵件通知我' }).isChecked()).toBe(false);
  });
});

test.describe('the activity of the bell (R-SHELL-15)', () => {
  test('keeps alerts about new notifications and own results', async () => {
    await page.goto(`${journey.address}/user/notifications`);
    await page.locator('[data-notification]').first().waitFor();
    // Notifications of the bell’s first load are not new; an unread one shows that it has loaded.
    await makeKey('先前一把');
    await page.getByRole('button', { name: /^通知，\d+ 則未讀/ }).waitFor();
    await makeKey('第四把');
    await page
      .getByRole('region', { name: '即時通知' })
      .getByText(/第四把/)
      .waitFor();
    await page.locator('[data-notification]').first().focus();
    await page.keyboard.press('Shift+I');
    await bell(page).press('Enter');
    await press(page, 'tab', '活動');
    await page
      .getByRole('list', { name: '這次登入以來的訊息' })
      .getByText(/第四把/)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

test.describe('notification templates', () => {
  test('show an Admin every kind’s e-mail in both languages, as it is sent', async () => {
    const { page: operatorPage, pageErrors: more } = await journey.person();
    await journey.openSession(operator, operatorPage);
    await operatorPage.goto(`${journey.address}/admin/notifications?tab=templates&kind=bill.overdue`);
    await operatorPage
      .frameLocator('iframe')
      .getByText(/帳單 B-202610-000001 已於 .+到期/)
      .waitFor();
    await press(operatorPage, 'button', 'English');
    await operatorPage
      .frameLocator('iframe')
      .getByText(/Bill B-202610-000001/)
      .first()
      .waitFor();
    await press(operatorPage, 'button', '純文字');
    await operatorPage.getByText('See it in the console').waitFor();
    expect(await axeFindings(operatorPage)).toEqual([]);
    expect([...pageErrors, ...more]).toEqual([]);
  });
});
