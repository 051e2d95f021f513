// The main job in a real browser: from an empty machine to a bill that is paid.
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJourney, type Journey } from './journey.ts';

const focusFile = resolve(import.meta.dirname, '../demo-data/focus-sample.csv');
const admin = { account: 'admin@cloud.example', password: 'a long enough passphrase' };

let journey: Journey;
let page: Page;
let faults: string[];

beforeAll(async () => {
  journey = await startJourney();
  ({ page, faults } = await journey.person());
});
afterAll(async () => {
  await journey.end();
});

describe('from set-up to a paid bill', () => {
  it('sets the console up in three steps and brings the demo data in (R-AUTH-21, R-SHELL-17)', async () => {
    await page.goto(journey.setupAddress);
    await page.getByRole('heading', { level: 1, name: '系統初始設定' }).waitFor();
    await page.getByLabel('系統名稱').fill('雲帳');
    await page.getByLabel('公司名稱（標題前綴）').fill('福爾摩沙雲端');
    await page.getByRole('button', { name: '下一步' }).click();
    await page.getByLabel('管理員帳號（電子郵件）').fill(admin.account);
    await page.getByLabel('管理員姓名').fill('營運管理員');
    await page.getByLabel(/^密碼/).fill(admin.password);
    await page.getByLabel('確認密碼').fill(admin.password);
    await page.getByRole('button', { name: '完成設定並登入' }).click();
    await page.getByText('設定完成').waitFor();
    await page.getByRole('button', { name: '匯入示範資料' }).click();
    await page.getByText('示範資料已匯入。').waitFor();
    await page.getByText(/68 個組織、226 項服務、404/).waitFor();
  });

  it('cannot be set up again, and keeps the brand after a reload', async () => {
    await page.goto(journey.setupAddress);
    await page.getByRole('link', { name: /登入/ }).first().waitFor();
    expect(await page.getByLabel('系統名稱').count()).toBe(0);
    await page.goto(`${journey.address}/`);
    await page.getByRole('link', { name: /福爾摩沙雲端\s*雲帳/ }).first().waitFor();
  });

  it('imports the same file again without changing anything, and says why rows were refused', async () => {
    await page.goto(`${journey.address}/admin/imports`);
    await page.getByLabel('FOCUS CSV 檔案').setInputFiles(focusFile);
    await page.getByRole('button', { name: '開始匯入' }).click();
    await page.getByText('匯入報告').waitFor();
    await page.getByText('不是用量（抵用或調整），不計入用量。').first().waitFor();
    await page.getByText('已存在 795').first().waitFor();
  });

  it('closes September: 67 bills, and none the second time', async () => {
    await page.goto(`${journey.address}/admin/billing?month=2024-09`);
    for (const sentence of ['新開立 67 張、先前已開立 0 張、擱置 0 個組織。', '新開立 0 張、先前已開立 67 張、擱置 0 個組織。']) {
      await page.getByRole('button', { name: /結清 2024年9月/ }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
      await page.getByText(sentence).first().waitFor();
    }
  });

  it('has no fault of a page or of its security policy', () => {
    expect(faults).toEqual([]);
  });
});
