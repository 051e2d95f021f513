// User management in a real browser: the keyboard task, an import, and the console as another user sees it.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
let journey: Journey;
let page: Page;
let pageErrors: string[];
let token: string;

const listed = (query = ''): Promise<void> =>
  page
    .goto(`${journey.address}/admin/user-management${query}`)
    .then(() => page.getByRole('heading', { level: 1, name: '使用者管理' }).waitFor());
const row = (name: string): Locator => page.getByRole('row', { name });
/** Presses Tab until this has the focus. */
async function reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error('the keyboard does not get there');
}
async function taken(act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const { organizationId } = await journey.register({
    account: 'owner@customer.example',
    password,
    name: '第一位使用者',
    organization: '好客戶',
  });
  for (const [name, role] of [
    ['甲', 'ReadOnly'],
    ['乙', 'ReadOnly'],
    ['丙', 'ReadOnly'],
    ['丁', 'ReadOnly'],
  ] as const)
    await journey.call(
      'POST',
      '/admin/users',
      {
        account: `${name.codePointAt(0)}@customer.example`,
        name: `讀者${name}`,
        role,
        organizationId,
        password,
      },
      token,
    );
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test.describe('user management (R-ADM-02)', () => {
  test('keyboard task 9: filter users, select 3, deactivate, undo, export Excel; a reload shows the same view', async () => {
    await listed();
    await reach(page.getByRole('searchbox', { name: '搜尋姓名、帳號、組織' }));
    await page.keyboard.type('讀者');
    await expect.poll(() => page.getByRole('row').count(), { timeout: 15_000 }).toBe(5);
    expect(new URL(page.url()).searchParams.get('q')).toBe('讀者');
    for (const name of ['甲', '乙', '丙']) {
      await page.getByRole('checkbox', { name: `選取「讀者${name}」` }).focus();
      await page.keyboard.press('Space');
    }
    const bar = page.getByRole('region', { name: /已選取 3/ });
    await reach(bar.getByRole('button', { name: '停用' }));
    await page.keyboard.press('Enter');
    await page.getByText('已停用 3 位使用者，並在所有裝置登出。').waitFor();
    await expect.poll(() => row('讀者甲').getByText('停用').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: '復原' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('已啟用 3 位使用者。').waitFor();
    await page.getByRole('button', { name: '匯出', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: '匯出使用者' });
    await dialog.getByText('將匯出符合條件的 4 位使用者（「讀者」）。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const file = await taken(async () => {
      await dialog.getByRole('button', { name: '匯出 4 位使用者' }).focus();
      await page.keyboard.press('Enter');
    });
    expect([file.name, file.bytes.subarray(0, 2).toString()]).toEqual([
      expect.stringMatching(/^使用者-.*\.xlsx$/),
      'PK',
    ]);
    await page.reload();
    await expect.poll(() => page.getByRole('row').count(), { timeout: 15_000 }).toBe(5);
  });

  test('protects the own row, selects all of a filter with its exact number, and deletes with undo', async () => {
    await listed();
    expect(await page.getByRole('checkbox', { name: '選取「Operator」' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: '選取「讀者丁」' }).check();
    await page.getByRole('button', { name: '選取全部 6 筆' }).click();
    await page.getByRole('region', { name: /已選取 6/ }).waitFor();
    await page.getByRole('button', { name: '取消選取' }).click();
    await page.getByRole('checkbox', { name: '選取「讀者丁」' }).check();
    await page
      .getByRole('region', { name: /已選取 1/ })
      .getByRole('button', { name: '刪除' })
      .click();
    const ask = page.getByRole('alertdialog', { name: '刪除「讀者丁」？' });
    await ask.getByText('帳單、稽核紀錄與操作歷程會保留姓名。').waitFor();
    await ask.getByRole('checkbox').check();
    await ask.getByRole('button', { name: '刪除 1 位使用者' }).click();
    await page.getByText('已刪除 1 位使用者。').waitFor();
    await expect.poll(() => row('讀者丁').count(), { timeout: 15_000 }).toBe(0);
    await page.getByRole('button', { name: '復原' }).click();
    await row('讀者丁').waitFor();
  });

  test('previews a change, with the pages a role loses', async () => {
    await row('第一位使用者')
      .getByRole('button', { name: /^第一位使用者/ })
      .click();
    const panel = page.getByRole('dialog', { name: '編輯使用者' });
    await panel.getByRole('combobox', { name: '角色' }).selectOption({ label: '唯讀' });
    await panel.getByText('角色：使用者 → 唯讀').waitFor();
    await panel.getByText(/^將失去 5 個頁面：/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '取消' }).click();
  });

  test('imports a file after a preview, without rows that have errors', async () => {
    await listed();
    await page.getByRole('button', { name: '匯入', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '匯入使用者' });
    await dialog.getByRole('button', { name: '匯入使用者' }).click();
    await dialog.getByText('請選擇檔案。').waitFor();
    await expect(dialog.getByRole('button', { name: '選擇檔案' })).toBeFocused();
    const template = await taken(() => dialog.getByRole('button', { name: '下載 CSV 範本' }).click());
    const [head] = template.bytes.toString('utf8').replace('\uFEFF', '').split('\r\n');
    await dialog.getByLabel('使用者檔案').setInputFiles({
      name: '同仁.csv',
      mimeType: 'application/vnd.ms-excel',
      buffer: Buffer.from(
        `${head}\n新人,new@customer.example,唯讀,好客戶,,,\n壞列,no-address,唯讀,好客戶,,,\n`,
      ),
    });
    await dialog.getByText('將建立 1 位、更新 0 位；0 列無變更，1 列有錯。').waitFor();
    await dialog.getByText('帳號：不是有效的電子郵件地址。').waitFor();
    expect(await dialog.getByRole('button', { name: '匯入 1 列' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: /^略過有錯的 1 列/ }).check();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '匯入 1 列' }).click();
    await dialog.getByText('已寫入 1 列，1 列未寫入。').waitFor();
    await dialog.getByRole('button', { name: '完成' }).click();
    await row('新人').waitFor();
  });
});

test.describe('viewing as a user (R-ADM-02)', () => {
  const banner = (): Locator => page.getByRole('region', { name: '正在以「第一位使用者」的身分檢視' });
  const askToView = async (name: string): Promise<void> => {
    await row(name)
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
    await page
      .getByRole('dialog', { name: '編輯使用者' })
      .getByRole('button', { name: '以此使用者檢視' })
      .click();
  };
  const viewAs = async (name: string, reason: string): Promise<void> => {
    await listed();
    await askToView(name);
    await page.getByRole('textbox', { name: /^原因/ }).fill(reason);
    await page.getByRole('button', { name: '開始檢視' }).click();
  };
  test('asks for a reason, shows the user’s console under a banner on every page, rejects changes, and returns', async () => {
    await askToView('第一位使用者');
    const ask = page.getByRole('alertdialog', { name: '以「第一位使用者」的身分檢視？' });
    await ask.getByRole('button', { name: '開始檢視' }).click();
    await ask.getByText('請填寫原因，至少 5 個字。').waitFor();
    await ask.getByRole('textbox', { name: /^原因/ }).fill('客服單 1042：帳單看不到');
    await ask.getByRole('button', { name: '開始檢視' }).click();
    await page.waitForURL((url) => url.pathname === '/user/dashboard');
    await banner().waitFor();
    await page.locator('main h1').first().waitFor();
    // The banner is at the bottom: the page above it looks as its users see it.
    expect((await page.getByRole('banner').boundingBox())?.y).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    // Links keep the view; a page reload would end it.
    await page.getByRole('button', { name: '開啟選單' }).click();
    for (const name of ['服務總覽', '個人資料']) {
      await page.getByRole('navigation', { name: '主選單' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await banner().waitFor();
    }
    await page.getByRole('textbox', { name: '姓名' }).fill('被改的名字');
    await page.getByRole('button', { name: '儲存' }).first().click();
    await page.getByText('檢視模式只能查看，無法變更任何資料。請先結束檢視。').first().waitFor();
    await page.getByRole('button', { name: '結束檢視' }).click();
    await page
      .getByRole('dialog', { name: '編輯使用者' })
      .getByText('owner@customer.example')
      .first()
      .waitFor();
    await expect(page.getByText('正在以「第一位使用者」的身分檢視')).toHaveCount(0);
    const found = await journey.call<{ items: { name: string }[] }>(
      'GET',
      '/admin/users?q=owner@customer',
      undefined,
      token,
    );
    expect(found.items[0]?.name).toBe('第一位使用者');
  });

  test('ends with a reload, which says so and leads back to the user', async () => {
    await viewAs('第一位使用者', '客服單 1044');
    await page.waitForURL((url) => url.pathname === '/user/dashboard');
    await banner().waitFor();
    await page.reload();
    await page.getByText('重新整理頁面後，已不再以「第一位使用者」的身分檢視。').waitFor();
    await expect(banner()).toHaveCount(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: '開啟「第一位使用者」' }).click();
    await page
      .getByRole('dialog', { name: '編輯使用者' })
      .getByRole('button', { name: '以此使用者檢視' })
      .waitFor();
  });

  test('ends when the user is deactivated: the Admin is back in their own console', async () => {
    await viewAs('讀者甲', '客服單 1043');
    await page.waitForURL((url) => url.pathname === '/dashboard');
    const reader = (
      await journey.call<{ items: { id: string }[] }>(
        'GET',
        `/admin/users?q=${encodeURIComponent('讀者甲')}`,
        undefined,
        token,
      )
    ).items[0];
    await journey.call('PATCH', `/admin/users/${reader?.id}`, { status: 'inactive' }, token);
    // The next call detects it; if something on the page already has, the link is gone with the page.
    const back = page.waitForURL((url) => url.pathname === '/');
    await Promise.race([
      back,
      page
        .getByRole('navigation', { name: '主選單' })
        .getByRole('link', { name: '帳單查詢' })
        .click()
        .catch(() => back),
    ]);
    await back;
    await page.getByRole('region', { name: /身分檢視/ }).waitFor({ state: 'detached' });
    await listed();
    expect(pageErrors).toEqual([]);
  });
});

test.describe('a profile picture (R-AUTH-17)', () => {
  /** Red at the left, blue at the right: the displayed color shows where it was cropped. */
  const photo = async (): Promise<Buffer> => {
    const half = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    return sharp({ create: { width: 800, height: 400, channels: 3, background: '#0000ff' } })
      .composite([{ input: half, left: 0, top: 0 }])
      .jpeg()
      .toBuffer();
  };
  /** The color in the middle of the displayed picture. */
  const colourOf = async (picture: Locator): Promise<string> => {
    const { data, info } = await sharp(await picture.screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true });
    const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
    const [red = 0, , blue = 0] = data.subarray(middle, middle + 3);
    return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : `${red},${blue}`;
  };

  test('is selected, cropped by keyboard and pointer, shown in the top bar and to an Admin, kept after a reload, and removed', async () => {
    const owner = await journey.person();
    const own = owner.page;
    await journey.openSession({ account: 'owner@customer.example', password }, own);
    await own.goto(`${journey.address}/user/profile`);
    const shown = own.getByRole('banner').getByRole('button', { name: '第一位使用者的帳號' });
    const choose = (file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> =>
      own.getByLabel('照片檔案').setInputFiles(file);
    await own.getByRole('button', { name: '新增照片' }).waitFor();
    expect([await shown.textContent(), await shown.locator('img').count()]).toEqual(['第', 0]);

    await choose({
      name: 'x.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    });
    await own
      .getByRole('alert')
      .getByText('這個檔案不是可用的照片，請選擇 PNG、JPEG 或 WebP 圖檔。')
      .waitFor();
    await choose({ name: '../../照片.jpg', mimeType: 'image/jpeg', buffer: await photo() });
    const dialog = own.getByRole('dialog', { name: '裁切照片' });
    const place = dialog.getByRole('application', { name: '照片的位置' });
    await place.waitFor();
    expect(await axeFindings(own)).toEqual([]);
    // To the right end by keyboard: the blue half.
    await place.focus();
    for (let presses = 0; presses < 12; presses++) await own.keyboard.press('ArrowRight');
    await dialog.getByRole('button', { name: '使用這張照片' }).click();
    await own.getByText('照片已儲存。').waitFor();
    // The picture is loaded after the message.
    await expect.poll(() => colourOf(shown.locator('img'))).toBe('blue');

    // To the left end with the pointer, zoomed: the red half.
    await choose({ name: '照片.jpg', mimeType: 'image/jpeg', buffer: await photo() });
    const zoom = dialog.getByRole('slider', { name: '放大' });
    await zoom.focus();
    await own.keyboard.press('PageUp');
    expect(Number(await zoom.inputValue())).toBeGreaterThan(1);
    const box = await place.boundingBox();
    if (!box) throw new Error('the picture is not on the page');
    await own.mouse.move(box.x + 5, box.y + box.height / 2);
    await own.mouse.down();
    for (let turn = 0; turn < 3; turn++) {
      await own.mouse.move(box.x + box.width - 5, box.y + box.height / 2, { steps: 3 });
      await own.mouse.up();
      await own.mouse.move(box.x + 5, box.y + box.height / 2);
      await own.mouse.down();
    }
    await own.mouse.up();
    await dialog.getByRole('button', { name: '使用這張照片' }).click();
    await own.getByText('照片已儲存。').last().waitFor();
    await expect.poll(() => colourOf(shown.locator('img'))).toBe('red');

    await own.reload();
    await expect.poll(() => colourOf(shown.locator('img'))).toBe('red');
    await listed();
    await row('第一位使用者')
      .getByRole('button', { name: /^第一位使用者/ })
      .click();
    const dialogPicture = page.getByRole('dialog', { name: '編輯使用者' }).locator('img');
    await expect.poll(() => colourOf(dialogPicture)).toBe('red');

    await own.getByRole('button', { name: '移除照片' }).click();
    await own.getByText('照片已移除。').waitFor();
    await own.getByRole('button', { name: '新增照片' }).waitFor();
    await expect(shown.locator('img')).toHaveCount(0);
    await expect(shown).toHaveText('第');
    expect([...owner.pageErrors, ...pageErrors]).toEqual([]);
    await owner.context.close();
  });
});
