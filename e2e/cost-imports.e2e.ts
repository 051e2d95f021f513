// Reselling in a real browser: FOCUS’s own sample of several vendors is uploaded, assigned to two customers,
// imported with a markup and billed, and the margin equals bill and file to the last cent.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import Big from 'big.js';
import { parse } from 'csv-parse/sync';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const sample = new URL('../demo-data/focus-sample.csv', import.meta.url);
type Row = Record<string, string>;
const rows = parse(readFileSync(sample), { columns: true, bom: true }) as Row[];

let journey: Journey;
let page: Page;
let pageErrors: string[];
let token: string;

const password = 'another long passphrase';
const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });
const panel = (name: string): Locator => page.getByRole('dialog', { name });

/**
 * The file’s totals of a vendor, computed by another library: each day’s service with its markup, rounded
 * once.
 */
function expected(provider: string, percent: string): { cost: Big; sold: Big } {
  const days = new Map<string, Big>();
  let cost = Big(0);
  for (const row of rows.filter((each) => each['ProviderName'] === provider)) {
    cost = cost.plus(row['BilledCost'] ?? '0');
    if (row['ChargeCategory'] === 'Credit') continue;
    const key = `${row['ChargePeriodStart']?.slice(0, 10)} ${row['ServiceName']}`;
    days.set(key, (days.get(key) ?? Big(0)).plus(row['BilledCost'] ?? '0'));
  }
  const factor = Big(percent).div(100).plus(1);
  return {
    cost,
    sold: [...days.values()].reduce((sum, each) => sum.plus(each.times(factor).round(12, 1)), Big(0)),
  };
}
const usd = (amount: Big): string => `US$${amount.round(2, 1).toFixed(2)}`;
const [aws, azure] = [expected('AWS', '15'), expected('Microsoft', '20')];

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  for (const [account, organization] of [
    ['owner@chenguang.example', '晨光'],
    ['owner@yuansheng.example', '遠昇'],
  ] as const) {
    await journey.register({ account, password, name: '王小明', organization });
  }
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test('T-COST: one click creates the service that customers subscribe to', async () => {
  await page.goto(`${journey.address}/admin/cost-imports`);
  await page.getByRole('heading', { level: 1, name: '雲端成本與轉售' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: '建立轉售服務' }).click();
  const dialog = panel('建立轉售服務');
  await dialog.getByRole('combobox', { name: /^幣別/ }).selectOption('USD');
  await dialog.getByRole('button', { name: '建立轉售服務' }).click();
  await page.getByText('已建立「雲端轉售」').waitFor();
});

test('T-COST: a source with markups is created, and the file of several vendors is read', async () => {
  await page.getByRole('button', { name: '新增來源' }).first().click();
  const form = panel('新增來源');
  await field(form, /^名稱/).fill('雲端帳單');
  await form.getByRole('button', { name: '新增加價' }).click();
  await field(form, /^加價 %/).fill('十五');
  await form.getByRole('button', { name: '新增來源' }).click();
  await form.getByText('請輸入數字，例如 15 或 -2.5。').waitFor();
  await field(form, /^加價 %/).fill('15');
  // One customer has its own markup.
  await form.getByRole('button', { name: '新增加價' }).click();
  await form
    .getByRole('combobox', { name: /^適用客戶/ })
    .last()
    .selectOption('organization');
  await field(form, /^加價 %/)
    .last()
    .fill('20');
  await form
    .getByRole('combobox', { name: /^組織|^客戶/ })
    .last()
    .fill('遠昇');
  await page.getByRole('option', { name: /遠昇/ }).click();
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '新增來源' }).click();
  const opened = panel('雲端帳單');
  await opened.getByLabel('上傳帳單檔').setInputFiles(sample.pathname);
  await opened.getByRole('button', { name: '上傳帳單檔' }).click();
  await opened.getByText('可匯入').waitFor({ timeout: 30_000 });
});

test('T-COST: a file without a currency uses the one of its source, and the list shows that', async () => {
  await page.goto(`${journey.address}/admin/cost-imports`);
  await page.getByRole('button', { name: '新增來源' }).first().click();
  const form = panel('新增來源');
  await field(form, /^名稱/).fill('規範範例');
  await form.getByRole('combobox', { name: /^未註明幣別時/ }).selectOption('USD');
  await form.getByRole('button', { name: '新增來源' }).click();
  const opened = panel('規範範例');
  await opened.getByLabel('上傳帳單檔').setInputFiles({
    name: 'excerpt.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory,BilledCost\n2023-01-01T00:00:00Z,2023-02-01T00:00:00Z,2023-01-01T00:00:00Z,Purchase,8760.00\n',
    ),
  });
  await opened.getByRole('button', { name: '上傳帳單檔' }).click();
  await opened.getByText('幣別採用來源設定：USD').waitFor({ timeout: 30_000 });
  await expect(opened.getByText('US$8,760.00').first()).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(`${journey.address}/admin/cost-imports`);
  await page.getByRole('row', { name: /雲端帳單/ }).click();
});

test('T-COST: the preview shows the unassigned amount, and one dialog subscribes a customer and assigns the cost', async () => {
  const opened = panel('雲端帳單');
  await opened.getByRole('button', { name: '預覽', exact: true }).click();
  const preview = opened.getByRole('region', { name: '每個訂閱' });
  const open = async (provider: string): Promise<Locator> => {
    const row = opened
      .getByRole('region', { name: '未分攤的成本' })
      .getByRole('row', { name: provider })
      .first();
    await row.getByRole('button', { name: /^指定/ }).click();
    const dialog = panel('這些成本由誰負擔？');
    const by = dialog.getByRole('combobox', { name: '依據' });
    await expect(by.locator('option').filter({ hasText: /^雲端業者/ })).not.toHaveCount(0);
    const options = await by.locator('option').allTextContents();
    await by.selectOption(String(options.findIndex((each) => each.startsWith('雲端業者'))));
    return dialog;
  };
  const save = async (dialog: Locator): Promise<void> => {
    await dialog.getByRole('button', { name: '儲存' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const subscribe = async (provider: string, customer: string): Promise<void> => {
    const dialog = await open(provider);
    await dialog.getByRole('combobox', { name: '處理方式' }).selectOption('new');
    // By default the first day of the file’s month.
    await expect(dialog.getByLabel(/^開始日期/)).toHaveValue('2024-09-01');
    await dialog.getByRole('button', { name: '儲存' }).click();
    await dialog.getByText('請填寫客戶').first().waitFor();
    await dialog.getByRole('combobox', { name: /^客戶/ }).fill(customer);
    await page.getByRole('option', { name: new RegExp(customer) }).click();
    await dialog.getByRole('combobox', { name: /^服務/ }).fill('雲端轉售');
    await page.getByRole('option', { name: /雲端轉售/ }).click();
    expect(await axeFindings(page)).toEqual([]);
    await save(dialog);
  };
  await subscribe('AWS', '晨光');
  await expect(preview.getByRole('row', { name: /晨光/ })).toContainText(usd(aws.sold));
  // A future day is rejected at its field, and nothing is created.
  const dialog = await open('Microsoft');
  await dialog.getByRole('combobox', { name: '處理方式' }).selectOption('new');
  await dialog.getByRole('combobox', { name: /^客戶/ }).fill('遠昇');
  await page.getByRole('option', { name: /遠昇/ }).click();
  await dialog.getByRole('combobox', { name: /^服務/ }).fill('雲端轉售');
  await page.getByRole('option', { name: /雲端轉售/ }).click();
  await dialog.getByLabel(/^開始日期/).fill('2099-01-01');
  await dialog.getByRole('button', { name: '儲存' }).click();
  await expect(dialog.getByLabel(/^開始日期/)).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel(/^開始日期/).fill('2024-09-01');
  await save(dialog);
  const borne = await open('Oracle');
  await borne.getByRole('combobox', { name: '處理方式' }).selectOption('nobody');
  await save(borne);
  await expect(preview.getByRole('row', { name: /遠昇/ })).toContainText(usd(azure.sold));
  await expect(opened.getByRole('region', { name: '未分攤的成本' })).toHaveCount(0);
  expect(await axeFindings(page)).toEqual([]);
});

test('T-COST: after import and close the bills and the margin show the exact figures, also after a reload', async () => {
  const opened = panel('雲端帳單');
  await opened.getByRole('button', { name: '匯入', exact: true }).click();
  await opened.getByText('已匯入', { exact: true }).waitFor();
  await expect(opened.getByText(usd(aws.sold.plus(azure.sold))).first()).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(`${journey.address}/admin/billing?month=2024-09`);
  await page.getByRole('button', { name: /結清 2024年9月/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByText('新開立 2 張、先前已開立 0 張、擱置 0 個組織。').first().waitFor();
  const { items } = await journey.call<{
    items: { organization: string; net: { amount: string; currency: string } }[];
  }>('GET', '/admin/bills?month=2024-09', undefined, token);
  expect(
    items.map(({ organization, net }) => `${organization} ${net.currency} ${net.amount}`).toSorted(),
  ).toEqual(
    [
      `晨光 USD ${aws.sold.round(2, 1).toFixed(2)}`,
      `遠昇 USD ${azure.sold.round(2, 1).toFixed(2)}`,
    ].toSorted(),
  );
  for (const [customer, { sold }] of [
    ['晨光', aws],
    ['遠昇', azure],
  ] as const) {
    await page.getByRole('row', { name: new RegExp(customer) }).click();
    const bill = page.getByRole('dialog');
    await expect(bill.getByText(usd(sold)).first()).toBeVisible();
    await bill.getByRole('button', { name: '關閉' }).first().click();
    await bill.waitFor({ state: 'detached' });
  }
  await page.goto(`${journey.address}/admin/cost-imports?month=2024-09`);
  const sold = aws.sold.round(2, 1).plus(azure.sold.round(2, 1));
  const cost = aws.cost.plus(azure.cost);
  const total = page.getByRole('group', { name: '合計 USD' });
  await expect(total).toContainText(usd(sold));
  await expect(total).toContainText(usd(cost));
  await expect(total).toContainText(usd(sold.minus(cost)));
  await expect(page.getByText('已開立帳單').first()).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});
