// R-ADM-03 in a real browser: a permission is removed from a role after a preview, its features disappear,
// and a user gets another role.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = { account: 'owner@customer.example', password };
const owner2 = { account: 'owner@ocean.example', password };
const clerk = { account: 'clerk@ocean.example', password };
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.register({
    account: owner.account,
    password,
    name: '第一位使用者',
    organization: '晨光科技',
  });
  const user = await journey.register({
    account: owner2.account,
    password,
    name: '第三位使用者',
    organization: '海洋資訊',
  });
  await journey.call(
    'POST',
    '/admin/users',
    {
      account: clerk.account,
      name: '第二位使用者',
      role: 'User',
      organizationId: user.organizationId,
      password,
    },
    token,
  );
});
test.afterAll(() => journey.end());

test.describe('permissions', () => {
  test('are removed from a role after a preview, which hides their features, and given back', async () => {
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
    await ask.getByText(/將失去「邀請組織成員」，共 2 個 API/).waitFor();
    await ask.getByText(/將失去「管理組織的 Webhook」，共 12 個 API/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await ask.getByRole('button', { name: '儲存權限' }).click();
    // It closes once they are stored.
    await ask.waitFor({ state: 'detached' });
    // An earlier message with the same words may still be disappearing.
    await page.getByText('已儲存權限。').filter({ visible: true }).first().waitFor();

    await own.reload();
    await own.getByRole('heading', { name: '邀請' }).first().waitFor();
    await own.getByRole('button', { name: '邀請成員' }).waitFor({ state: 'hidden' });
    expect(await own.getByText('Webhook', { exact: true }).count()).toBe(0);

    await page.getByRole('button', { name: '恢復預設' }).click();
    await page.getByRole('button', { name: '預覽變更' }).click();
    await ask.getByText(/將取回「邀請組織成員」/).waitFor();
    await ask.getByRole('button', { name: '儲存權限' }).click();
    // It closes once they are stored.
    await ask.waitFor({ state: 'detached' });
    // An earlier message with the same words may still be disappearing.
    await page.getByText('已儲存權限。').filter({ visible: true }).first().waitFor();
    await own.reload();
    await own.getByRole('button', { name: '邀請成員' }).first().waitFor();
  });

  test('of a user change with their role: lost and gained ones are previewed, and the last Admin stays one', async () => {
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
    const ask = page.getByRole('alertdialog', { name: /^將第一位使用者的角色變更為/ });
    await ask.getByRole('button', { name: '變更角色' }).click();
    await page.getByText('已變更第一位使用者的角色。').first().waitFor();
    await page.getByText('這已經是目前的角色。').waitFor();
  });

  test('of a custom role apply to its users: their menu, their first page, and nothing else, also after a reload', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/permissions`);
    await page.getByRole('button', { name: '建立角色' }).click();
    const form = page.getByRole('dialog', { name: '建立角色' });
    await form.getByRole('textbox', { name: '名稱' }).fill('帳務助理');
    await form.getByRole('textbox', { name: '說明' }).fill('只看帳單與用量');
    await form.getByRole('button', { name: '建立角色' }).click();
    await form.getByText('請至少選擇一項權限。').waitFor();
    await form.getByRole('checkbox', { name: '帳務：讀取' }).check();
    await form.getByRole('checkbox', { name: '用量：讀取' }).check();
    // User management implies every other permission.
    expect(await form.getByRole('checkbox', { name: '使用者：寫入' }).isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole('button', { name: '建立角色' }).click();
    await page.getByText('已建立「帳務助理」。').first().waitFor();
    await page.reload();
    const row = page.getByRole('row', { name: /帳務助理/ });
    await row.getByText('讀取：用量和帳務').waitFor();
    await row.click();
    const people = page.getByRole('dialog', { name: '擁有「帳務助理」的人' });
    await people.getByText('還沒有人擁有這個角色。').waitFor();
    await people.getByRole('combobox', { name: '人員' }).fill('第二位');
    await page.getByRole('option', { name: /第二位使用者/ }).click();
    await people.getByRole('button', { name: '指派角色' }).click();
    await people.getByRole('button', { name: '移除第二位使用者的角色' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const own = await journey.signIn(clerk);
    const refused: string[] = [];
    own.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    await own.waitForURL('**/usage/statistics');
    await own.getByRole('button', { name: '開啟選單' }).click();
    const menu = own.getByRole('navigation', { name: '主選單' });
    await menu.getByRole('link', { name: '帳單查詢' }).waitFor();
    expect(await menu.getByRole('link').allInnerTexts()).toEqual([
      '用量統計',
      '帳單查詢',
      '個人資料',
      '通知',
    ]);
    await menu.getByRole('link', { name: '帳單查詢' }).click();
    await own.getByRole('heading', { level: 1, name: '帳單查詢' }).waitFor();
    await own.goto(`${journey.address}/user/profile`);
    await own.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await own.goto(`${journey.address}/usage/statistics`);
    await own.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => own.locator('[aria-busy=true]').count()).toBe(0);
    expect(refused).toEqual([]);
    await own.goto(`${journey.address}/user/dashboard`);
    await own.getByText('您的角色：帳務助理').waitFor();
  });

  test('of an organization are managed by its own Users', async () => {
    const own = await journey.openSession(owner2);
    await own.goto(`${journey.address}/user/profile?section=organization`);
    await own.getByRole('button', { name: '建立角色' }).click();
    const form = own.getByRole('dialog', { name: '建立角色' });
    await form.getByRole('textbox', { name: '名稱' }).fill('技術同事');
    await form.getByRole('checkbox', { name: '用量：讀取' }).check();
    await form.getByRole('button', { name: '建立角色' }).click();
    const row = own.getByRole('row', { name: /技術同事/ });
    await row.getByText('讀取：用量').waitFor();
    await own.reload();
    await row.getByRole('button', { name: '「技術同事」的操作' }).click();
    await own.getByRole('menuitem', { name: '刪除角色' }).click();
    await own.getByRole('alertdialog').getByRole('button', { name: '刪除角色' }).click();
    await own.getByText('已刪除「技術同事」。').first().waitFor();
    expect(await axeFindings(own)).toEqual([]);
  });
});
