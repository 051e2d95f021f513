// E-invoices in a real browser: an Admin sets a provider up, a company and a consumer get theirs, one is
// voided, one reduced by an allowance, and an accountant exports the period (T-EINV).
import { readFile } from 'node:fs/promises';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  companyOwner,
  consumerOwner,
  einvoiceJourney,
  type EinvoiceJourney,
} from '#tests/support/browser/einvoices.ts';
import { ecpayInvoiceAccount } from '#tests/support/einvoices/ecpay.ts';
import { operator as admin } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });
// The job runs every ten seconds.
const soon = { timeout: 45_000 };

let at: EinvoiceJourney;
test.beforeAll(async ({ startJourney }) => {
  at = await einvoiceJourney(startJourney);
});
test.afterAll(async () => {
  await at.journey.end();
  await at.service.close();
});

test.describe('T-EINV statutory e-invoices', () => {
  test('while they are disabled customers see nothing of them', async () => {
    const page = await at.journey.openSession(companyOwner);
    await page.goto(`${at.journey.address}/billing/management`);
    await page.getByRole('tab', { name: '折讓單' }).waitFor();
    expect(await page.getByRole('tab', { name: '電子發票' }).count()).toBe(0);
    await page.goto(`${at.journey.address}/user/profile`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('電子發票').count()).toBe(0);
  });

  test('an Admin selects ECPay and tests the connection; keys are stored and not shown again', async () => {
    const page = await at.journey.openSession(admin);
    await page.goto(`${at.journey.address}/admin/einvoices`);
    await page.getByRole('button', { name: '前往設定' }).click();
    await page.getByLabel('開立方式').selectOption('ecpay');
    await page.getByLabel(/^商店代號/).fill(ecpayInvoiceAccount.merchantId);
    await page.getByLabel(/^HashKey/).fill(ecpayInvoiceAccount.hashKey);
    await page.getByLabel(/^HashIV/).fill(ecpayInvoiceAccount.hashIv);
    await page.getByLabel('開立給個人').selectOption('on_issue');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '儲存變更' }).click();
    await page.getByText('電子發票設定已儲存').waitFor();
    await page.getByRole('button', { name: '測試連線' }).click();
    await page.getByText(/^連線正常/).waitFor();
    await page.reload();
    await expect(page.getByLabel(/^商店代號/)).toHaveValue(ecpayInvoiceAccount.merchantId);
    await expect(page.getByLabel(/^HashKey/)).toHaveValue('');
    await page.getByText('已儲存；留空則不變更').first().waitFor();
  });

  test('a consumer enters a mobile barcode in the profile; a wrong one is explained at its field', async () => {
    const page = await at.journey.openSession(consumerOwner);
    await page.goto(`${at.journey.address}/user/profile`);
    await page.getByRole('link', { name: '電子發票' }).click();
    await page.getByLabel('存放方式', { exact: true }).selectOption('mobile');
    await page.getByLabel(/^手機條碼/).fill('ABC1234');
    await page.getByRole('button', { name: '儲存變更', exact: true }).click();
    await page.getByText(/^手機條碼以 \/ 開頭/).waitFor();
    await page.getByLabel(/^手機條碼/).fill('/abc1234');
    await page.getByRole('button', { name: '儲存變更', exact: true }).click();
    await page.getByText('電子發票偏好已儲存').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('link', { name: '電子發票' }).click();
    await expect(page.getByLabel(/^手機條碼/)).toHaveValue('/ABC1234');
  });

  test('a company and a consumer get theirs with their bills, and find them on the bill and in the list', async () => {
    await at.journey.call('POST', '/admin/billing/close', { month: at.month }, at.token);
    for (const [who, to] of [
      [companyOwner, /晨光科技股份有限公司 22099131/],
      [consumerOwner, /手機條碼 \/ABC1234/],
    ] as const) {
      const page = await at.journey.openSession(who);
      await page.goto(`${at.journey.address}/billing/management?month=${at.month}`);
      const list = page.getByRole('list', { name: '電子發票' });
      await expect(list).toContainText(/[A-Z]{2}\d{8}/, soon);
      await expect(list).toContainText(to);
      await expect(list).toContainText('NT$1,050');
      expect(await axeFindings(page)).toEqual([]);
      await page.goto(`${at.journey.address}/billing/management?view=einvoices`);
      await page.getByRole('row', { name: /[A-Z]{2}\d{8}.*NT\$1,050/ }).waitFor();
    }
    expect([...at.service.issued.invoices.values()].map(({ total }) => total)).toEqual([1050, 1050]);
  });

  test('the Admin voids the consumer’s for a wrong buyer, and a new one to the company follows', async () => {
    const page = await at.journey.openSession(admin);
    await page.goto(`${at.journey.address}/admin/einvoices?q=${encodeURIComponent('林小明')}`);
    await page
      .getByRole('row', { name: /林小明/ })
      .getByText(/^[A-Z]{2}\d{8}$/)
      .click();
    const panel = page.getByRole('dialog', { name: '電子發票' });
    await panel.getByText('開立 · 完成').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '作廢電子發票', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '作廢電子發票' });
    await dialog.getByLabel(/^原因/).fill('買受人錯誤');
    await dialog.getByLabel('開立對象').selectOption('company');
    await dialog.getByLabel(/^統一編號/).fill('12345678');
    await dialog.getByLabel(/^公司名稱/).fill('林小明工作室');
    await dialog.getByRole('button', { name: '作廢電子發票', exact: true }).click();
    await dialog.getByText(/^統一編號不正確/).waitFor();
    await dialog.getByLabel(/^統一編號/).fill('12345675');
    await dialog.getByRole('button', { name: '作廢電子發票', exact: true }).click();
    await page.getByText('已排入作廢').waitFor();
    await expect(panel.getByText('作廢 · 完成')).toBeVisible(soon);
    await page.goto(`${at.journey.address}/admin/einvoices?q=12345675`);
    await page.getByRole('row', { name: /林小明工作室/ }).waitFor(soon);
  });

  test('a credit note creates an allowance, and the customer sees both', async () => {
    const page = await at.journey.openSession(admin);
    await page.goto(`${at.journey.address}/admin/einvoices?q=22099131`);
    await page
      .getByRole('row', { name: /晨光科技/ })
      .getByText(/^[A-Z]{2}\d{8}$/)
      .click();
    await page.getByRole('link', { name: '開立折讓單' }).click();
    await page.getByRole('group', { name: '更正帳單' }).getByRole('button', { name: '開立折讓單' }).click();
    const dialog = page.getByRole('dialog', { name: /^折讓帳單/ });
    await dialog.getByLabel(/^百分比/).fill('20');
    await dialog.getByLabel(/^原因/).fill('服務中斷');
    await dialog.getByRole('button', { name: '開立 NT$210 的折讓單' }).click();
    const list = page.getByRole('list', { name: '電子發票' });
    await expect(list).toContainText('已折讓 NT$210', soon);
    await list.getByRole('link', { name: '開啟' }).click();
    const panel = page.getByRole('dialog', { name: '電子發票' });
    await expect(panel.getByText('折讓 · 完成')).toBeVisible(soon);
    await panel.getByText(/依折讓單 C-/).waitFor();

    const customer = await at.journey.openSession(companyOwner);
    await customer.goto(`${at.journey.address}/billing/management?month=${at.month}`);
    await expect(customer.getByRole('list', { name: '電子發票' })).toContainText('已折讓 NT$210');
  });

  test('the buyer cannot be changed once it was sent', async () => {
    const page = await at.journey.openSession(consumerOwner);
    await page.goto(`${at.journey.address}/billing/management?month=${at.month}`);
    await page.getByRole('list', { name: '電子發票' }).waitFor();
    await expect(page.getByRole('button', { name: '選擇開立對象與載具' })).toHaveCount(0);
  });

  test('an accountant exports the period and the list', async () => {
    const page = await at.journey.openSession(admin);
    await page.goto(`${at.journey.address}/admin/einvoices?view=period`);
    await page.getByRole('row', { name: /銷售 · 公司.*應稅.*2.*NT\$2,000.*NT\$100/ }).waitFor();
    await page.getByRole('row', { name: /折讓 · 公司.*應稅.*1.*NT\$200.*NT\$10/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下載 CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split(/\r?\n/);
    expect(lines[0]).toMatch(/項目,買受人,課稅別,張數,銷售額,稅額,總額$/);
    expect(lines).toContain('銷售,公司,應稅,2,2000,100,2100');
    expect(lines).toContain('折讓,公司,應稅,1,200,10,210');
    expect(lines).toContain('合計,,,2,1800,90,1890');
    expect(lines).toContain('作廢,,,1,,,');
    await page.goto(`${at.journey.address}/admin/einvoices`);
    await page.getByRole('button', { name: '匯出' }).click();
    const [list] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^CSV/ }).click(),
    ]);
    const rows = (await readFile(await list.path(), 'utf8')).trim().split(/\r?\n/);
    expect(rows).toHaveLength(4);
    expect(rows.filter((row) => row.includes(',作廢,'))).toHaveLength(1);
  });
});
