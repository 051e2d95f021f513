// R-ADM-03 in a real browser: the audit log is searched and filtered, a row is opened with its changes,
// exported, and verified.
import { readFileSync } from 'node:fs';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const password = 'another long passphrase';
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.register({
    account: 'owner@customer.example',
    password,
    name: '第一位使用者',
    organization: '晨光科技',
  });
  const { items } = await journey.call<{ items: { id: string; account: string }[] }>(
    'GET',
    '/admin/users?role=User',
    undefined,
    token,
  );
  await journey.call('PATCH', `/admin/users/${items[0]?.id}`, { role: 'ReadOnly' }, token);
});
test.afterAll(() => journey.end());

test.describe('the audit log', () => {
  test('finds whose permissions were changed and by whom, shows before and after, is exported as a file and verified', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/audit-log`);
    await page.getByRole('row', { name: /Operator.*變更使用者.*第一位使用者/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('combobox', { name: '動作' }).fill('變更使用');
    await page.getByRole('option', { name: /變更使用者/ }).click();
    await page.waitForURL(/action=identity\.updateUser/);
    await page.getByText('共 1 筆').waitFor();
    await page.getByRole('combobox', { name: '操作者' }).fill('admin@cloud');
    await page.getByRole('option', { name: /Operator/ }).click();
    await page.waitForURL(/actor=usr_/);
    await page
      .getByRole('row', { name: /變更使用者/ })
      .getByRole('cell', { name: '變更使用者', exact: true })
      .click();
    const panel = page.getByRole('dialog', { name: '紀錄內容' });
    await panel.getByRole('row', { name: 'role User ReadOnly' }).waitFor();
    await expect(panel.getByRole('link', { name: '第一位使用者' })).toHaveAttribute(
      'href',
      /\/admin\/user-management\?user=usr_/,
    );
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '這個對象的紀錄' }).click();
    await page.waitForURL(/q=usr_/);
    await page.getByRole('button', { name: '清除全部' }).click();
    await page.waitForURL((url) => url.search === '');

    await page.getByRole('button', { name: '匯出' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^CSV/ }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('變更使用者');
    await page.getByRole('button', { name: '驗證紀錄' }).click();
    const dialog = page.getByRole('dialog', { name: '驗證稽核紀錄' });
    await dialog.getByText(/筆紀錄全部完整/).waitFor();
    await dialog.getByText(/^[0-9a-f]{64}/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '關閉' }).last().click();
    await page.reload();
    await page.getByRole('row', { name: /Operator.*匯出稽核紀錄/ }).waitFor();
  });
});
