// Journals in a real browser: accounts are mapped, a month is previewed and exported, and the file’s totals
// equal the trial balance.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { monthName, startTerms, withMovableClock, type Terms } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let terms: Terms;
let page: Page;
/** The running month, which is over once the clock was moved. */
const month = monthName(0);
const inWords = `${month.slice(0, 4)}年${Number(month.slice(5))}月`;

/** 晨光 prepays 3000 and is billed 10,000 and 5 % tax in the running month; the day is in the month after. */
test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney(withMovableClock));
  page = terms.page;
  const customer = await terms.customer('晨光科技', 'owner@accounts.example', -1);
  await terms.topUp(customer, '3000');
  await terms.closeMonth(monthName(-1), 1);
  await terms.moveToMonth(1);
});
test.afterAll(async () => {
  await terms.journey.end();
});

const codes = [
  ['應收帳款', '1191', '應收帳款'],
  ['客戶預付餘額', '2111', '預收款項'],
  ['營業收入', '4101', '雲端服務收入'],
  ['應付稅額', '2194', '銷項稅額'],
  ['現金與銀行存款', '1103', '銀行存款'],
] as const;
const minor = (text: string | undefined): number => (text === undefined || text === '' ? 0 : Number(text));

test.describe('T-ACC accounting exports', () => {
  test('an export needs every account mapped, and the page names the missing ones', async () => {
    await page.goto(`${terms.journey.address}/admin/accounting`);
    await page.getByRole('heading', { name: '會計匯出', level: 1 }).waitFor();
    const missing = page.getByRole('alert').filter({ hasText: '以下科目還沒有對應，無法匯出' });
    await missing.getByRole('listitem').filter({ hasText: '應收帳款' }).waitFor();
    await expect(page.getByRole('button', { name: `匯出${inWords}` })).toBeDisabled();
    expect(await axeFindings(page)).toEqual([]);
    await missing.getByRole('link', { name: '設定科目對應' }).click();
    for (const [account, code, name] of codes) {
      await page
        .getByRole('row', { name: new RegExp(`^${account}.*尚未對應`) })
        .getByRole('button')
        .click();
      const dialog = page.getByRole('dialog', { name: `${account}的對應` });
      await dialog.getByRole('textbox', { name: '科目代號' }).fill(code);
      await dialog.getByRole('textbox', { name: '科目名稱' }).fill(name);
      await dialog.getByRole('button', { name: '儲存' }).click();
      await page.getByRole('row', { name: new RegExp(`${account}.*${code}.*${name}`) }).waitFor();
    }
    expect(await axeFindings(page)).toEqual([]);
  });

  test('revenue is split by service', async () => {
    await page
      .getByRole('row', { name: /雲端服務收入/ })
      .getByRole('button')
      .click();
    await page.getByRole('menuitem', { name: '新增區分' }).click();
    const dialog = page.getByRole('dialog', { name: '營業收入：新增區分' });
    await dialog.getByRole('combobox', { name: '服務' }).selectOption({ label: '主機' });
    await dialog.getByRole('textbox', { name: '科目代號' }).fill('4102');
    await dialog.getByRole('textbox', { name: '科目名稱' }).fill('主機收入');
    await dialog.getByRole('textbox', { name: '部門' }).fill('D01');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '儲存' }).click();
    await page.getByRole('row', { name: /營業收入.*主機.*4102.*D01/ }).waitFor();
  });

  test('the preview balances and equals the ledger’s movements; the month is exported', async () => {
    await page.getByRole('tab', { name: '匯出', exact: true }).click();
    const sums = page.getByRole('table', { name: '各科目合計' });
    await sums.getByRole('row', { name: /4102.*主機收入.*D01.*NT\$0.*NT\$10,000/ }).waitFor();
    await page.getByText('TWD 借方合計 NT$13,500，貸方合計 NT$13,500，兩者相符。').waitFor();
    await page.getByText('每個科目都與總帳相符。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: `匯出${inWords}` }).click();
    await page.getByText('已匯出 2 張傳票').waitFor();
    await page.getByRole('row', { name: new RegExp(`${inWords}.*首次.*2.*有效`) }).waitFor();
  });

  test('the file’s totals equal the trial balance', async () => {
    await page.getByRole('button', { name: inWords }).click();
    const panel = page.getByRole('dialog', { name: `${inWords}的匯出` });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: '下載CSV', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`journal-${month}-csv.csv`);
    const rows = parse(await readFile(await download.path()), { bom: true, columns: true }) as Record<
      string,
      string
    >[];
    const balanceOf = (account: string): number =>
      rows
        .filter((row) => row['總帳科目'] === account)
        .reduce((sum, row) => sum + minor(row['借方']) - minor(row['貸方']), 0);
    expect(codes.map(([account]) => [account, balanceOf(account)])).toEqual([
      ['應收帳款', 10_500],
      ['客戶預付餘額', -3000],
      ['營業收入', -10_000],
      ['應付稅額', -500],
      ['現金與銀行存款', 3000],
    ]);
    await panel.getByRole('table', { name: '下載紀錄' }).getByRole('row', { name: /CSV/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '關閉' }).click();
    await page.goto(`${terms.journey.address}/admin/ledger`);
    const balance = page.getByRole('table', { name: '試算表' });
    await balance.getByRole('row', { name: /應收帳款.*NT\$10,500/ }).waitFor();
    await balance.getByRole('row', { name: /客戶預付餘額.*NT\$3,000/ }).waitFor();
    await balance.getByRole('row', { name: /營業收入.*NT\$10,000/ }).waitFor();
    await balance.getByRole('row', { name: /應付稅額.*NT\$500/ }).waitFor();
    await balance.getByRole('row', { name: /現金與銀行存款.*NT\$3,000/ }).waitFor();
  });

  test('a Taiwanese file is in Big5; a withdrawn export can be made again', async () => {
    await page.goto(`${terms.journey.address}/admin/accounting?view=exports`);
    await page.getByRole('button', { name: inWords }).click();
    const panel = page.getByRole('dialog', { name: `${inWords}的匯出` });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: '下載文中（TWD） · Big5' }).click(),
    ]);
    const text = new TextDecoder('big5', { fatal: true }).decode(await readFile(await download.path()));
    expect(text.split('\r\n')[0]).toBe('傳票日期,傳票號碼,借貸別,科目代號,摘要,金額,部門');
    await panel.getByRole('button', { name: '撤回匯出' }).click();
    const ask = page.getByRole('dialog', { name: `撤回${inWords}的匯出？` });
    await ask.getByRole('textbox', { name: '原因' }).fill('科目代號錯誤');
    await ask.getByRole('button', { name: '撤回匯出' }).click();
    await panel.getByText(/撤回：科目代號錯誤/).waitFor();
    await panel.getByRole('button', { name: '關閉' }).click();
    await page.getByRole('row', { name: new RegExp(`${inWords}.*已撤回`) }).waitFor();
    await page.getByRole('tab', { name: '匯出', exact: true }).click();
    await page.getByRole('button', { name: `匯出${inWords}` }).click();
    await page.getByRole('row', { name: new RegExp(`${inWords}.*補充 1.*有效`) }).waitFor();
  });
});
