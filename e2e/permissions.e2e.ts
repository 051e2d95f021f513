// R-ADM-03 in a real browser: a permission is taken from a role after a preview, what it was for is gone, and a person gets another role.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = { account: 'owner@customer.example', password };
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.call('POST', '/user/register', {
    email: owner.account,
    name: '第一位使用者',
    password,
    organization: '晨光科技',
    agreeToTerms: true,
  });
});
test.afterAll(async () => {
  await journey.end();
});

test.describe('permissions', () => {
  test('are taken from a role after a preview; what they were for is not offered any more; and given back', async () => {
    const page = await journey.openSession(operator);
    const { page: own } = await journey.person();
    await journey.openSession(owner, own);
    await own.goto(`${journey.address}/user/profile?section=organization`);
    await own.getByRole('button', { name: '邀請成員' }).first().waitFor();

    await page.goto(`${journey.address}/admin/permissions`);
    await page.getByRole('switch', { name: '邀請組織成員' }).click();
    await page.getByRole('switch', { name: '管理組織的 Webhook' }).click();
    await page.getByRole('button', { name: '預覽變更' }).click();
    const ask = page.getByRole('alertdialog', { name: '變更權限？' });
    await ask.getByText(/將失去「邀請組織成員」，共 2 個呼叫/).waitFor();
    await ask.getByText(/將失去「管理組織的 Webhook」，共 12 個呼叫/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await ask.getByRole('button', { name: '儲存權限' }).click();
    await page.getByText('已儲存權限。').first().waitFor();

    await own.reload();
    await own.getByRole('heading', { name: '邀請' }).first().waitFor();
    await own.getByRole('button', { name: '邀請成員' }).waitFor({ state: 'hidden' });
    expect(await own.getByText('Webhook', { exact: true }).count()).toBe(0);

    await page.getByRole('button', { name: '恢復預設' }).click();
    await page.getByRole('button', { name: '預覽變更' }).click();
    await ask.getByText(/將取回「邀請組織成員」/).waitFor();
    await ask.getByRole('button', { name: '儲存權限' }).click();
    await page.getByText('已儲存權限。').first().waitFor();
    await own.reload();
    await own.getByRole('button', { name: '邀請成員' }).first().waitFor();
  });

  test('of one person change with their role: what is lost and won is shown first, and the last Admin stays one', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/permissions`);
    const person = page.getByRole('combobox', { name: '使用者' });
    await person.fill('Operator');
    await page.getByRole('option', { name: /Operator/ }).click();
    await page.getByText(/這是最後一位可用的管理員/).waitFor();
    expect(await page.getByRole('button', { name: '變更角色' }).isDisabled()).toBe(true);
    await person.fill('第一位使用者');
    await page.getByRole('option', { name: /第一位使用者/ }).click();
    await page.getByText('將失去 6 個頁面').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '變更角色' }).click();
    const ask = page.getByRole('alertdialog', { name: /^將第一位使用者變更為/ });
    await ask.getByRole('button', { name: '變更角色' }).click();
    await page.getByText('已變更第一位使用者的角色。').first().waitFor();
    await page.getByText('這已經是目前的角色。').waitFor();
  });
});
