// The common table of all lists in a real browser: columns, saved views, rows by keyboard, selection.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
let journey: Journey;
let page: Page;
let pageErrors: string[];

async function at(path: string): Promise<void> {
  await page.goto(journey.address + path);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
}
const heads = (): Promise<string[]> =>
  page
    .getByRole('columnheader')
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()).filter((text) => text !== ''));
const rowNames = (): Promise<string[]> => page.locator('tbody th').allInnerTexts();
const isFocused = (what: Locator): Promise<boolean> =>
  what
    .and(page.locator(':focus'))
    .count()
    .then((count) => count > 0);
const focused = (): Locator => page.locator(':focus');
const param = (name: string): string | null => new URL(page.url()).searchParams.get(name);

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  for (const [name, organization] of [
    ['第一位使用者', '好客戶'],
    ['第二位使用者', '大同企業'],
    ['第三位使用者', '一心書店'],
  ] as const)
    await journey.register({
      account: `${organization.codePointAt(0)}@customer.example`,
      password,
      name,
      organization,
    });
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    '/admin/organizations',
    undefined,
    token,
  );
  for (const name of ['甲', '乙'])
    await journey.call(
      'POST',
      '/admin/users',
      {
        account: `${name.codePointAt(0)}@customer.example`,
        name: `讀者${name}`,
        role: 'ReadOnly',
        organizationId: items[0]?.id,
        password,
      },
      token,
    );
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test.describe('every list (R-ADM-02, R-SHELL-16)', () => {
  test('lets each user choose columns: found, hidden, moved, kept after a reload, and reset', async () => {
    await at('/admin/user-management');
    const before = await heads();
    const open = page.getByRole('button', { name: '欄位', exact: true });
    await open.click();
    const chooser = page.getByRole('dialog', { name: '欄位' });
    expect(await chooser.getByRole('checkbox', { name: '姓名' }).isDisabled()).toBe(true);
    await chooser
      .getByRole('textbox', { name: '搜尋欄位' })
      .or(chooser.getByRole('searchbox', { name: '搜尋欄位' }))
      .fill('電子');
    await expect.poll(() => chooser.getByRole('checkbox').count()).toBe(1);
    await chooser.getByRole('checkbox', { name: '電子郵件' }).uncheck();
    await chooser.getByLabel('搜尋欄位').fill('');
    await chooser.getByRole('button', { name: '「狀態」上移' }).click();
    await chooser.getByText('「狀態」：第 4 欄，共 7 欄').waitFor({ state: 'attached' });
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => isFocused(open)).toBe(true);
    const chosen = ['姓名', '角色', '狀態', '組織', '上次登入', '建立日期', '操作'];
    await expect.poll(heads).toEqual(chosen);
    await page.reload();
    await expect.poll(heads).toEqual(chosen);
    await open.click();
    await page.getByRole('button', { name: '恢復預設欄位' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(heads).toEqual(before);
  });

  test('saves views under a name, opens them without changing the rest of the address, renames and deletes them', async () => {
    await at('/admin/organizations?sort=-name&kept=1');
    const menu = page.getByRole('button', { name: '檢視', exact: true });
    const panel = page.getByRole('dialog', { name: '檢視', exact: true });
    await menu.click();
    await panel.getByRole('button', { name: '儲存檢視' }).click();
    const naming = page.getByRole('dialog', { name: '儲存檢視' });
    await naming.getByRole('combobox', { name: /^檢視名稱/ }).fill('由後往前');
    await naming.getByRole('button', { name: '儲存檢視' }).click();
    await page.getByText('已儲存檢視「由後往前」。').waitFor();
    await panel
      .getByRole('button', { name: '由後往前', exact: true })
      .and(page.locator('[aria-current=true]'))
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const backwards = await rowNames();
    await panel.getByRole('button', { name: '全部' }).click();
    await expect.poll(rowNames).toEqual(backwards.toReversed());
    expect([param('sort'), param('kept')]).toEqual([null, '1']);
    await menu.click();
    await panel.getByRole('button', { name: '由後往前', exact: true }).click();
    await expect.poll(rowNames).toEqual(backwards);
    expect([param('sort'), param('kept')]).toEqual(['-name', '1']);
    await menu.click();
    await panel.getByRole('button', { name: '「由後往前」的操作' }).click();
    await page.getByRole('menuitem', { name: '刪除' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '刪除檢視' }).click();
    await expect.poll(() => panel.getByRole('button', { name: '由後往前', exact: true }).count()).toBe(0);
    await expect.poll(() => param('sort')).toBeNull();
    await page.keyboard.press('Escape');
  });

  test('can be used by keyboard: arrows, Space, Ctrl+A and Enter, with one tab stop', async () => {
    await at('/admin/user-management?q=讀者&sort=name');
    const rows = page.locator('tbody tr');
    await expect(page.locator('tbody tr[tabindex="0"]')).toHaveCount(1);
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(rows.nth(1)).toBeFocused();
    await expect(focused()).toContainText('讀者');
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(rows.nth(1))).toBe(true);
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: '已選取 1 筆' }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+a');
    await page.getByRole('region', { name: '已選取 2 筆' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const name = await rows.first().locator('th').innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: /^姓名/ }).waitFor();
    expect(await page.getByRole('dialog').getByRole('textbox', { name: /^姓名/ }).inputValue()).toBe(
      name.trim(),
    );
    await page.keyboard.press('Escape');
  });

  test('does not select disabled rows by keyboard', async () => {
    await at('/admin/user-management?q=Operator');
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+a');
    expect(await page.getByRole('region', { name: /已選取/ }).count()).toBe(0);
  });

  test('shows cards on a phone, whose lines follow the selected columns', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    await at('/admin/user-management');
    await page.getByRole('button', { name: '欄位', exact: true }).click();
    const mail = page.getByRole('dialog', { name: '欄位' }).getByRole('checkbox', { name: '電子郵件' });
    const wasShown = await mail.isChecked();
    await mail.click();
    await page.keyboard.press('Escape');
    await expect
      .poll(() =>
        page
          .getByRole('term')
          .filter({ hasText: '電子郵件' })
          .count()
          .then((count) => count > 0),
      )
      .toBe(!wasShown);
    expect(
      await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      ),
    ).toBe(false);
  });

  test('names everything that its search covers, with filters beside it', async () => {
    await page.setViewportSize({ width: 768, height: 1024 });
    for (const path of ['/admin/organizations', '/admin/payments', '/admin/audit-log']) {
      await at(path);
      const search = page.getByRole('main').getByRole('searchbox').first();
      await expect(search).toBeVisible();
      // Neither the size nor the overflow of an input depends on its placeholder.
      const room = await page.evaluate<{ hint: number; input: number }>(`(() => {
        const one = document.querySelector('main input[type=search]');
        const text = document.createElement('canvas').getContext('2d');
        text.font = getComputedStyle(one).font;
        return { hint: text.measureText(one.placeholder).width, input: one.clientWidth };
      })()`);
      expect(room.hint, path).toBeGreaterThan(40);
      expect(room.hint, path).toBeLessThanOrEqual(room.input);
    }
  });

  test('causes no page error', () => {
    expect(pageErrors).toEqual([]);
  });
});
