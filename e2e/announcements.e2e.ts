// Announcements in a real browser: written in both languages, counted, sent, read by a user in their
// language, and scheduled.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = { account: 'owner@customer.example', password };
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.register({ account: owner.account, password, name: '第一位使用者', organization: '晨光' });
});
test.afterAll(() => journey.end());

test.describe('an announcement', () => {
  test('is written, previewed, sent to exactly its audience, read, and counted as read', async () => {
    const page = await journey.openSession(admin);
    await page.goto(`${journey.address}/admin/announcements`);
    await page.getByText('還沒有公告').waitFor();
    await page.getByRole('button', { name: '建立公告' }).first().click();
    const panel = page.getByRole('dialog', { name: '建立公告' });
    await panel.getByLabel(/^標題（中文）/).fill('系統維護');
    await panel.getByLabel(/^內容（中文）/).fill('週六凌晨兩點到四點暫停服務。');
    await panel.getByLabel(/^標題（英文）/).fill('Maintenance');
    await panel.getByRole('button', { name: '儲存草稿' }).click();
    await panel
      .getByText(/內容（英文）.*(必填|請填寫)|請填寫內容（英文）/)
      .first()
      .waitFor();
    await panel.getByLabel(/^內容（英文）/).fill('Closed on Saturday from two to four in the morning.');
    await panel.getByLabel(/^重要程度/).selectOption({ label: '警告（例如維護）' });
    await panel.getByLabel(/^連結/).fill('/service/overview');
    await panel.getByText('目前共 2 人會收到。').waitFor();
    await panel.getByLabel(/^對象/).selectOption({ label: '某個組織' });
    await panel.getByRole('combobox', { name: /^組織/ }).fill('晨');
    await page.getByRole('option', { name: /晨光/ }).click();
    await panel.getByText('目前共 1 人會收到。').waitFor();
    await panel.getByText('【系統維護】週六凌晨兩點到四點暫停服務。').waitFor();
    await panel.getByText('Maintenance: Closed on Saturday from two to four in the morning.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '儲存草稿' }).click();

    const detail = page.getByRole('dialog', { name: '系統維護' });
    await detail.getByText('草稿').waitFor();
    await detail.getByRole('button', { name: '傳送公告' }).click();
    await page.getByRole('dialog', { name: '傳送公告' }).getByRole('button', { name: '傳送給 1 人' }).click();
    await detail.getByText('已傳送').waitFor();
    await detail.getByText('0 人（0%）').waitFor();

    const customer = await journey.openSession(owner);
    await customer.goto(`${journey.address}/user/notifications`);
    const marked = customer.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().includes('/api/notifications/'),
    );
    await customer.getByRole('link', { name: '【系統維護】週六凌晨兩點到四點暫停服務。' }).click();
    await customer.waitForURL('**/service/overview');
    // The page continues before it is stored that the announcement was read.
    await marked;
    await page.reload();
    await detail.getByText('1 人（100%）').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('is scheduled in the console’s time zone, changed, and canceled', async () => {
    const page = await journey.openSession(admin);
    await page.goto(`${journey.address}/admin/announcements?announcement=new`);
    const panel = page.getByRole('dialog', { name: '建立公告' });
    for (const [label, words] of [
      [/^標題（中文）/, '新服務'],
      [/^內容（中文）/, '物件儲存上線了。'],
      [/^標題（英文）/, 'New service'],
      [/^內容（英文）/, 'Object storage is here.'],
    ] as const)
      await panel.getByLabel(label).fill(words);
    await panel.getByRole('button', { name: '儲存草稿' }).click();
    const detail = page.getByRole('dialog', { name: '新服務' });
    await detail.getByRole('button', { name: '傳送公告' }).click();
    const dialog = page.getByRole('dialog', { name: '傳送公告' });
    await dialog.getByLabel(/^何時傳送/).selectOption({ label: '排程' });
    await dialog.getByLabel(/^日期/).fill('2020-01-01');
    await dialog.getByRole('button', { name: '排程傳送' }).click();
    await dialog.getByText('這個時間已經過去；請選擇之後的時間，或立即傳送。').waitFor();
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel(/^日期/).fill(soon);
    await dialog.getByLabel(/^時間/).selectOption('09:30');
    await dialog.getByText('以系統時區（Asia/Taipei）計算。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '排程傳送' }).click();
    await detail.getByText('已排程', { exact: true }).waitFor();
    await detail.getByText(`${soon.replaceAll('-', '/')} 09:30`).waitFor();
    await detail.getByRole('button', { name: '編輯' }).click();
    const edit = page.getByRole('dialog', { name: '編輯公告' });
    await edit.getByLabel(/^標題（中文）/).fill('新的服務');
    await edit.getByRole('button', { name: '儲存變更', exact: true }).click();
    const changed = page.getByRole('dialog', { name: '新的服務' });
    await changed.getByRole('button', { name: '取消公告' }).click();
    const question = page.getByRole('alertdialog', { name: '取消這則公告？' });
    // Beside "取消公告", "取消" would not say which of the two does nothing.
    await expect(question.getByRole('button', { name: '返回' })).toBeVisible();
    await question.getByRole('button', { name: '取消公告' }).click();
    await changed.getByText('已取消', { exact: true }).waitFor();
  });
});
