// Service management in a real browser: a service is created and corrected, priced for later, exported and
// imported, and deactivated.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const buyer = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let page: Page;
let pageErrors: string[];

const listed = (): Promise<void> =>
  page
    .goto(`${journey.address}/admin/service-management`)
    .then(() => page.getByRole('heading', { level: 1, name: '服務管理' }).waitFor());
const row = (name: string): Locator => page.getByRole('row', { name });
const panel = (name: string): Locator => page.getByRole('dialog', { name });
async function select(...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `選取「${name}」` }).check();
}
/** Runs in the page: clicks a button that sends something a second time, in the very moment in which it can be pressed again. */
const clickAgainWhenPossible = `(button) => {
  let wasOff = false;
  const again = new MutationObserver(() => {
    if (wasOff && !button.disabled) {
      again.disconnect();
      button.click();
    }
    wasOff = button.disabled;
  });
  again.observe(button, { attributes: true });
}`;
/** Returns what a click downloads. */
async function taken(click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  await journey.register({ ...buyer, name: '採購', organization: '好客戶' });
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test.describe('service management (R-CAT-05)', () => {
  test('creates a service with an error in its tiers, which is named, corrects it, and creates it once', async () => {
    let created = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/admin/services')) created += 1;
    });
    await listed();
    await page.getByRole('button', { name: '建立服務' }).first().click();
    const form = panel('建立服務');
    await form.getByRole('textbox', { name: '名稱' }).first().fill('物件儲存');
    await form.getByRole('combobox', { name: /^類型/ }).fill('儲存');
    await form.getByRole('combobox', { name: /^分類/ }).fill('平台');
    await form.getByRole('textbox', { name: /^事件類型/ }).fill('com.example.stored');
    await form.getByRole('textbox', { name: /^計量單位/ }).fill('GB');
    await form.getByRole('combobox', { name: /^計價模式/ }).selectOption({ label: '累進級距' });
    const tier = (number: number): Locator => form.getByRole('listitem', { name: `第 ${number} 級` });
    await tier(1).getByRole('textbox', { name: /^至/ }).fill('1000');
    await tier(1).getByRole('textbox', { name: /^單價/ }).fill('1.2');
    await form.getByRole('button', { name: '新增級距' }).click();
    await tier(2).getByRole('textbox', { name: /^至/ }).fill('500');
    await tier(2).getByRole('textbox', { name: /^單價/ }).fill('0.8');
    await tier(3).getByRole('textbox', { name: /^單價/ }).fill('0.000000000001');
    await form.getByRole('button', { name: '建立服務' }).click();
    await expect
      .poll(() => tier(2).getByRole('textbox', { name: /^至/ }).getAttribute('aria-invalid'))
      .toBe('true');
    await tier(2).getByRole('textbox', { name: /^至/ }).fill('5000');
    await form.getByText('NT$0.000001／1,000,000 GB 起，共 3 級').waitFor();
    await form.getByText('NT$1,200（未稅）').waitFor();
    await form.getByRole('button', { name: '建立服務' }).evaluate(clickAgainWhenPossible);
    await form.getByRole('button', { name: '建立服務' }).click();
    await page.getByText('已建立服務「物件儲存」。').waitFor();
    await row('物件儲存').waitFor();
    await expect(form).toHaveCount(0);
    expect(created).toBe(1);
  });

  test('does not hide a setting that few need while it is wrong', async () => {
    await page.getByRole('button', { name: '建立服務' }).first().click();
    const form = panel('建立服務');
    const minimum = form.getByRole('textbox', { name: /^最低消費/ });
    const less = form.getByRole('button', { name: /^收起設定.*最低/ });
    await expect(minimum).toHaveCount(0);
    await form.getByRole('button', { name: /^更多設定.*最低/ }).click();
    await minimum.fill('many');
    await minimum.press('Tab');
    await expect(minimum).toHaveAttribute('aria-invalid', 'true');
    await expect(less).toBeDisabled();
    await minimum.fill('50');
    await expect(minimum).toHaveAttribute('aria-invalid', 'false');
    await less.click();
    await expect(minimum).toHaveCount(0);
    await form.getByRole('button', { name: /^更多設定.*最低/ }).click();
    await expect(minimum).toHaveValue('50');
    await form.getByRole('button', { name: '取消' }).click();
    await expect(form).toHaveCount(0);
  });

  test('publishes a price for later, which is in the history and can be withdrawn', async () => {
    await row('物件儲存')
      .getByRole('button', { name: /^物件儲存/ })
      .click();
    const form = panel('物件儲存');
    await form.getByRole('textbox', { name: /^基本費/ }).fill('100');
    await form.getByLabel('新價格生效日').fill('2099-01-01');
    await form.getByRole('button', { name: '儲存變更' }).click();
    await page.getByText('「物件儲存」的變更已儲存。').waitFor();
    await row('物件儲存')
      .getByRole('button', { name: /^物件儲存/ })
      .click();
    await form.getByRole('tab', { name: '價格歷史' }).click();
    const scheduled = form.getByRole('listitem').filter({ hasText: '已排定' });
    await scheduled.getByText('自 2099年1月1日 00:00 起').waitFor();
    await form.getByRole('listitem').filter({ hasText: '生效中' }).getByText('由Operator於').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await scheduled.getByRole('button', { name: '撤回' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '撤回' }).click();
    await page.getByText('已撤回排定的價格。').waitFor();
    await expect.poll(() => scheduled.count()).toBe(0);
  });

  test('agrees a price with one organization and ends it', async () => {
    const form = panel('物件儲存');
    await form.getByRole('tab', { name: '專屬價格' }).click();
    await form.getByRole('button', { name: '新增專屬價格' }).click();
    await form.getByRole('combobox', { name: /^組織/ }).fill('好客戶');
    await page.getByRole('option', { name: /^好客戶/ }).click();
    await form.getByRole('textbox', { name: /^原因/ }).fill('年約');
    await form.getByRole('textbox', { name: /^單價/ }).first().fill('0.9');
    await form.getByRole('button', { name: '新增專屬價格' }).click();
    const agreed = form.getByRole('listitem').filter({ hasText: '好客戶' });
    await agreed.getByText('生效中').waitFor();
    await agreed.getByRole('button', { name: '立即結束' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '立即結束' }).click();
    await agreed.getByText('已結束').waitFor();
  });

  test('detects that somebody else changed the service meanwhile, and shows the changes', async () => {
    await listed();
    await row('物件儲存')
      .getByRole('button', { name: /^物件儲存/ })
      .click();
    const form = panel('物件儲存');
    await form.getByRole('textbox', { name: /^說明/ }).fill('我的說明');
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', admin);
    const { items } = await journey.call<{ items: { id: string }[] }>(
      'GET',
      '/admin/services',
      undefined,
      token,
    );
    await journey.call('PATCH', `/admin/services/${items[0]?.id}`, { description: '別人的說明' }, token);
    await form.getByRole('button', { name: '儲存變更' }).click();
    await form.getByText('「物件儲存」在您編輯時已由別人變更，請重新載入後再改。').waitFor();
    expect(await form.getByRole('textbox', { name: /^說明/ }).inputValue()).toBe('我的說明');
    await form.getByRole('button', { name: '重新載入' }).click();
    await expect.poll(() => form.getByRole('textbox', { name: /^說明/ }).inputValue()).toBe('別人的說明');
  });

  test('imports services from a file: rows with errors are reported, the others imported', async () => {
    await listed();
    await page.getByRole('button', { name: '匯入' }).click();
    const dialog = panel('匯入');
    const file = [
      '名稱,類型,分類,事件類型,彙總方式,計量單位,幣別,計價模式,單價',
      '虛擬主機,運算,平台,vm,sum,小時,TWD,per_unit,2.5',
      '負價,運算,平台,vm,sum,小時,TWD,per_unit,-1',
      "'=公式,運算,平台,vm,sum,小時,TWD,per_unit,0.123456789012",
    ].join('\r\n');
    await dialog
      .getByLabel('服務 CSV 檔案')
      .setInputFiles({ name: 'services.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${file}`) });
    await dialog.getByText('新增 2 項、更新 0 項、不變 0 項、有錯誤 1 列。').waitFor();
    await dialog.getByRole('row', { name: /負價/ }).getByText('單價 的內容不正確。').waitFor();
    expect(await dialog.getByRole('button', { name: '匯入 2 項' }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: '略過有錯誤的列，匯入其他列' }).check();
    await dialog.getByRole('button', { name: '匯入 2 項' }).click();
    await page.getByText('已新增 2 項、更新 0 項服務。').waitFor();
    await row('=公式').waitFor();
  });

  test('exports the filtered list as CSV and Excel', async () => {
    await page.getByRole('combobox', { name: '類型' }).selectOption('運算');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    const take = async (kind: RegExp): Promise<{ name: string; bytes: Buffer }> => {
      await page.getByRole('button', { name: '匯出' }).click();
      await panel('匯出').getByText('將匯出符合條件的 2 項服務（類型：運算）。').waitFor();
      await panel('匯出').getByRole('radio', { name: kind }).check();
      return taken(() => panel('匯出').getByRole('button', { name: '匯出 2 項服務' }).click());
    };
    const csv = await take(/CSV/);
    expect([csv.name, parse(csv.bytes, { bom: true }).map((cells) => [cells[1], cells[22]])]).toEqual([
      expect.stringMatching(/^服務-.*\.csv$/),
      [
        ['名稱', '單價'],
        ["'=公式", '0.123456789012'],
        ['虛擬主機', '2.5'],
      ],
    ]);
    await page.getByText('檔案已下載').waitFor();
    const excel = await take(/Excel/);
    expect([excel.name, excel.bytes.subarray(0, 2).toString()]).toEqual([
      expect.stringMatching(/\.xlsx$/),
      'PK',
    ]);
  });

  test('saves a list as a view', async () => {
    await page.getByRole('button', { name: '儲存檢視' }).click();
    await panel('儲存檢視')
      .getByRole('combobox', { name: /^檢視名稱/ })
      .fill('運算類');
    await panel('儲存檢視').getByRole('button', { name: '儲存檢視' }).click();
    await page.getByRole('tab', { name: '運算類', selected: true }).waitFor();
    await page.getByRole('tab', { name: '全部' }).click();
    await row('物件儲存').waitFor();
    await page.getByRole('tab', { name: '運算類' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('運算');
  });

  test('deactivates a few services at once, and undoes it with a click', async () => {
    await select('=公式', '虛擬主機');
    await page.getByRole('button', { name: '停用', exact: true }).click();
    await page.getByText('已停用 2 項服務。').waitFor();
    await page.getByRole('button', { name: '復原' }).click();
    await page.getByText('已啟用 2 項服務。').waitFor();
    await expect.poll(() => row('虛擬主機').getByText('啟用', { exact: true }).count()).toBe(1);
  });

  test('changes all services of a filter after a preview of the effect', async () => {
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', admin);
    const { total } = await journey.call<{ total: number }>('GET', '/admin/services/count', undefined, token);
    await listed();
    await select('虛擬主機');
    await page.getByRole('button', { name: `選取全部 ${total} 筆` }).click();
    await page
      .getByRole('region', { name: `已選取 ${total} 筆` })
      .getByRole('button', { name: '停用', exact: true })
      .click();
    const dialog = page.getByRole('alertdialog', { name: `停用 ${total} 項服務？` });
    await dialog.getByRole('list', { name: '影響範圍' }).waitFor();
    await dialog.getByRole('button', { name: `停用 ${total} 項` }).click();
    await page.getByText(`已停用 ${total} 項服務。`).waitFor();
    await page.getByRole('button', { name: '復原' }).click();
    await page.getByText(`已啟用 ${total} 項服務。`).waitFor();
  });

  test('does not delete services with subscriptions: they are listed, and the others deleted (R-CAT-08)', async () => {
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', buyer);
    const { items } = await journey.call<{ items: { id: string; name: string }[] }>(
      'GET',
      '/services?q=%E8%99%9B%E6%93%AC',
      undefined,
      token,
    );
    await journey.call('POST', '/subscriptions', { serviceId: items[0]?.id }, token);
    await listed();
    await select('=公式', '虛擬主機');
    await page.getByRole('button', { name: '刪除', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: '刪除 2 項服務？' });
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /虛擬主機.*訂閱 1 .*有人訂閱過，無法刪除/ })
      .waitFor();
    await dialog.getByRole('checkbox', { name: '我了解上述影響' }).check();
    await dialog.getByRole('button', { name: '刪除 1 項' }).click();
    await page.getByText('已刪除 1 項服務。').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: '「虛擬主機」的操作' }).click();
    await page.getByRole('menuitem', { name: '刪除' }).click();
    await page.getByRole('alertdialog').getByText('您可以改為停用').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('alertdialog').getByRole('button', { name: '停用 1 項' }).click();
    await expect.poll(() => row('虛擬主機').getByText('停用', { exact: true }).count()).toBe(1);
    expect(pageErrors).toEqual([]);
  });
});
