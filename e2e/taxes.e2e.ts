// Taxes in a real browser: the seller, a service and a customer abroad are configured, and the customer
// downloads the bill’s e-invoice.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { monthName } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@buyer.example', password: 'another long passphrase' };
/** The last closed month, in Taipei. */
const month = monthName(-1);
let journey: Journey;
let admin: Page;
let token: string;
let organizationId: string;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const user = await journey.register({ ...owner, name: '客戶管理者', organization: 'Exemple SARL' });
  organizationId = user.organizationId;
  for (const [name, baseFee] of [
    ['虛擬主機', '100.33'],
    ['電子書庫', '50.05'],
  ]) {
    const { id: serviceId } = await journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: 'API',
        category: '平台',
        pricing: { model: 'flat', currency: 'EUR', baseFee },
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      token,
    );
    await journey.call(
      'POST',
      '/admin/subscriptions',
      { organizationId, serviceId, startedAt: `${month}-01T00:00:00+08:00` },
      token,
    );
  }
  await journey.call(
    'PATCH',
    '/admin/settings',
    {
      seller: {
        name: 'Cloud GmbH',
        taxId: '',
        address: 'Hauptstr. 1\n10115 Berlin',
        email: 'bills@cloud.example',
      },
    },
    token,
  );
  admin = await journey.openSession(operator);
});
test.afterAll(() => journey.end());

test('T-TAX: the Admin selects the seller’s country; a wrong VAT id is rejected at its field with a valid example', async () => {
  await admin.goto(`${journey.address}/admin/taxes`);
  const form = admin.getByRole('form', { name: '賣方' });
  await form.getByLabel('國家或地區').selectOption('DE');
  await form.getByLabel('加值稅號').first().fill('DE136695975');
  await form.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await form.getByRole('button', { name: '儲存' }).click();
  await expect(form.getByText(/檢查碼不正確；這個國家的號碼如 DE136695976/).last()).toBeVisible();
  await form.getByLabel('加值稅號').first().fill('DE 136 695 976');
  await form.getByRole('button', { name: '儲存' }).click();
  await admin.getByText('稅務設定已儲存。').first().waitFor();
  await admin.reload();
  await expect(form.getByLabel('IBAN')).toHaveValue('DE89370400440532013000');
  expect(await axeFindings(admin)).toEqual([]);
});

test('T-TAX: a service gets the reduced rate, and a future rate is added', async () => {
  await admin
    .getByRole('row', { name: /電子書庫/ })
    .getByRole('button')
    .click();
  await admin.getByRole('menuitem', { name: '變更課稅方式' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('類別').selectOption('reduced');
  await dialog.getByRole('button', { name: '儲存' }).click();
  await admin.getByText('「電子書庫」的課稅方式已變更。').first().waitFor();
  await admin.getByRole('button', { name: '新增稅率' }).click();
  await dialog.getByLabel(/^國家/).selectOption('DE');
  await dialog.getByLabel('稅率（%）').fill('20');
  await dialog.getByLabel(/^生效日/).fill('2030-01-01');
  await dialog.getByRole('button', { name: '新增稅率' }).click();
  await admin.getByText('稅率已新增。').first().waitFor();
  await admin.getByRole('searchbox', { name: '搜尋國家' }).fill('德國');
  await expect(admin.getByRole('row', { name: /德國.*20%.*尚未生效/ })).toBeVisible();
});

test('T-EN16931: the customer sees each tax and downloads UBL and Factur-X', async () => {
  await journey.call(
    'PATCH',
    `/admin/organizations/${organizationId}`,
    { billingAddress: '1 rue de la Paix\n75002 Paris', billingEmail: 'bills@buyer.example' },
    token,
  );
  await journey.call('POST', '/admin/billing/close', { month }, token);
  const page = await journey.openSession(owner);
  await page.goto(`${journey.address}/billing/management?month=${month}`);
  await expect(page.getByText(/稅額（19%）・€100.33/).first()).toBeVisible();
  await expect(page.getByText(/稅額（7%）・€50.05/).first()).toBeVisible();
  const take = async (name: string): Promise<Buffer> => {
    await page.getByRole('button', { name: '電子帳單檔' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name }).click();
    return readFile(await (await coming).path());
  };
  expect((await take('UBL（XML）')).toString()).toContain('<cbc:TaxInclusiveAmount currencyID="EUR">172.94<');
  expect((await take('Factur-X（PDF）')).subarray(0, 5).toString()).toBe('%PDF-');
  expect(await axeFindings(page)).toEqual([]);
});

test('T-EN16931: a credit note is downloaded as UBL, too, by the customer and by the Admin', async () => {
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    `/admin/bills?month=${month}`,
    undefined,
    token,
  );
  const billId = items[0]?.id ?? '';
  await journey.call(
    'POST',
    `/admin/bills/${billId}/credit-notes`,
    { reason: 'Interruption', what: { kind: 'percent', percent: '50' } },
    token,
  );
  const page = await journey.openSession(owner);
  for (const [reader, path] of [
    [page, `/billing/management?month=${month}`],
    [admin, `/admin/billing?bill=${billId}`],
  ] as const) {
    await reader.goto(journey.address + path);
    await reader.getByRole('button', { name: /^下載 C-\d{6}-000001 的電子帳單檔$/ }).click();
    const coming = reader.waitForEvent('download');
    await reader.getByRole('menuitem', { name: 'UBL（XML）' }).click();
    const xml = await readFile(await (await coming).path(), 'utf8');
    expect(xml).toContain('<CreditNote');
    // Half of 100.33 at 19 % and of 50.05 at 7 %.
    expect(xml).toMatch(/<cbc:TaxExclusiveAmount currencyID="EUR">75\.(19|20)</);
    expect(await axeFindings(reader)).toEqual([]);
  }
});
