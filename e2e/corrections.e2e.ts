// Correcting a bill in a real browser: credited with a preview of the exact outcome, voided and reissued, and
// what its customer sees.
import { readFile } from 'node:fs/promises';
import { extractText, getDocumentProxy } from 'unpdf';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { billOfLastMonth } from '#tests/support/browser/last-month-bill.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let month: string;
let billId: string;

/** A customer whose last month cost NT$1,000 and NT$50 of tax. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const user = await journey.register({ ...owner, name: '客戶管理者', organization: '晨光' });
  ({ id: billId, month } = await billOfLastMonth(journey, token, user.organizationId));
});
test.afterAll(() => journey.end());

test.describe('R-BILL-05 an issued bill is corrected, never changed', () => {
  test('credited by percent: the ledger entries are previewed before', async () => {
    const page = await journey.openSession(admin);
    await page.goto(`${journey.address}/admin/billing?bill=${billId}`);
    await page.getByRole('group', { name: '更正帳單' }).getByRole('button', { name: '開立折讓單' }).click();
    const dialog = page.getByRole('dialog', { name: /^折讓帳單/ });
    await dialog.getByLabel(/^百分比/).fill('20');
    const issue = dialog.getByRole('button', { name: '開立 NT$210 的折讓單' });
    await issue.click();
    await dialog.getByText('請填寫原因。').waitFor();
    await expect(dialog.getByLabel(/^原因/)).toBeFocused();
    await dialog.getByLabel(/^原因/).fill('服務中斷');
    await expect(dialog.getByText('請填寫原因。')).toHaveCount(0);
    await dialog.getByRole('row', { name: /應收帳款.*NT\$210/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await issue.click();
    await page
      .getByRole('list', { name: '折讓單' })
      .getByText(/^C-\d{6}-000001$/)
      .waitFor();
    await page.getByLabel(/^備註內容/).fill('已與客戶說明');
    await page.getByLabel('誰看得到').selectOption('customer');
    await page.getByRole('button', { name: '新增備註' }).click();
    // The form is cleared after it was sent, without errors.
    await expect(page.getByLabel(/^備註內容/)).toHaveValue('');
    await expect(page.getByText(/^請填寫備註/)).toHaveCount(0);
    await page.getByRole('list', { name: '備註' }).getByText('已與客戶說明').waitFor();

    await page.getByRole('group', { name: '更正帳單' }).getByRole('button', { name: '重新開立' }).click();
    const anew = page.getByRole('dialog', { name: /^重新開立帳單/ });
    await anew.getByText('先作廢原帳單').waitFor();
    await anew.getByLabel(/^原因/).fill('買方資料有誤');
    await anew.getByRole('button', { name: '作廢並重新開立' }).click();
    await page.getByText(/^取代已作廢的帳單/).waitFor();
  });

  test('its customer sees the credit, the reason of the void, the replacement, and downloads the credit note', async () => {
    const page = await journey.openSession(owner);
    await page.goto(`${journey.address}/billing/management?month=${month}`);
    await page.getByText(/此帳單已於.*作廢：買方資料有誤/).waitFor();
    await page.getByText(/^取代已作廢的帳單/).waitFor();
    await page.getByText('已與客戶說明').waitFor();
    // Both are on the page: the link leads from one to the other.
    await page.getByRole('button', { name: /^查看：帳單 B-\d{6}-000001$/ }).click();
    await page.waitForFunction('scrollY > 300');
    await expect(page.getByRole('button', { name: /^立即付款：帳單 .*NT\$1,050/ })).toHaveCount(1);
    expect(await axeFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^下載 C-.*（PDF）$/ }).click(),
    ]);
    const { text } = await extractText(
      await getDocumentProxy(new Uint8Array(await readFile(await download.path()))),
      { mergePages: true },
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain('折讓總額 NT$210');
  });
});
