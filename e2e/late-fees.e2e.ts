// Late fees in a real browser: switched on with immediate validation, charged for a bill that was paid late,
// read by its customer, and waived by an Admin.
import pg from 'pg';
import type { Page } from '@playwright/test';
import { findRunningPostgres } from '../src/platform/server/database/embedded/listen-address.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { subscribeSinceLastMonth } from '#tests/support/browser/last-month-bill.ts';
import { monthName } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const payer = { account: 'late@customer.example', password: 'another long passphrase' };
/**
 * The last closed month, in Taipei: after an earlier one the console would close later ones automatically,
 * too.
 */
const month = monthName(-1);
let journey: Journey;
/** The section about late fees of a page. */
const partOf = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: '遲延費', exact: true }) });

/** Runs statements on the console’s database, for changes that otherwise only time could cause. */
async function change(...statements: string[]): Promise<void> {
  const running = await findRunningPostgres(journey.dataDir);
  if (!running) throw new Error('the console has no database');
  const client = new pg.Client(running.connection);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  await running.release();
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  const { organizationId } = await journey.register({ ...payer, name: '付款人', organization: '慢慢付' });
  await subscribeSinceLastMonth(journey, admin, organizationId, '100000');
});
test.afterAll(() => journey.end());

test('T-FEE: terms are saved on the dunning page, and errors are shown before', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/dunning`);
  const part = partOf(page);
  await expect(part).toContainText('未啟用');
  const row = part.getByRole('group', { name: 'TWD 的遲延費' });
  await row.getByRole('textbox', { name: '年息（%）' }).fill('101');
  await expect(part).toContainText('請輸入大於 0、不超過 100 的年息');
  await expect(part.getByRole('button', { name: '儲存並啟用' })).toBeDisabled();
  await row.getByRole('textbox', { name: '年息（%）' }).fill('10');
  await row.getByRole('textbox', { name: '上限（選填）' }).fill('5,000');
  await part.getByRole('button', { name: '儲存並啟用' }).click();
  await expect(part).toContainText('已啟用');
  await page.reload();
  await expect(row.getByRole('textbox', { name: '上限（選填）' })).toHaveValue('5000');
  await expect(part).toContainText('Operator 於');
  expect(await axeFindings(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('T-FEE: a bill of months ago is charged once, and its customer sees the calculation', async () => {
  const token = (await journey.call<{ token: string }>('POST', '/user/login', operator)).token;
  await journey.call('POST', '/admin/billing/close', { month }, token);
  await change(
    'alter table late_fee_terms disable trigger user',
    'alter table bill disable trigger user',
    `update late_fee_terms set since = since - interval '300 days'`,
    `update bill set issued_at = issued_at - interval '200 days', due_at = due_at - interval '200 days'`,
    'alter table late_fee_terms enable trigger user',
    'alter table bill enable trigger user',
    `insert into job.job (name) values ('late-fees')`,
  );
  const page = await journey.openSession(payer);
  await page.goto(`${journey.address}/billing/management?month=${month}`);
  const part = partOf(page);
  await expect(part).toContainText('逾期金額按年息 10% 逐日計息');
  await expect(part.getByRole('listitem')).toContainText('NT$105,000 ×', { timeout: 30_000 });
  await expect(part.getByRole('listitem')).toContainText('待出帳');
  await expect(part).toContainText('這張帳單最多計收 NT$5,000');
});

test('T-FEE: an Admin waives it with a reason, and the customer sees that', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/billing`);
  await page
    .getByRole('table')
    .getByText(`B-${month.replace('-', '')}-000001`)
    .click();
  const list = page.getByRole('list', { name: '遲延費' });
  await list.getByRole('button', { name: '免除' }).click();
  const dialog = page.getByRole('dialog', { name: /免除遲延費 NT\$/ });
  // Without a reason nothing is sent, and the field shows an error.
  await dialog.getByRole('button', { name: '免除' }).click();
  await expect(dialog.getByText('請填寫原因。')).toBeVisible();
  await dialog.getByRole('textbox', { name: '原因' }).fill('客戶已說明');
  await dialog.getByRole('button', { name: '免除' }).click();
  await expect(dialog).toBeHidden();
  await expect(list).toContainText('已免除');
  await expect(list).toContainText('客戶已說明');
  expect(pageErrors).toEqual([]);
  const own = await journey.openSession(payer);
  await own.goto(`${journey.address}/billing/management?month=${month}`);
  await expect(partOf(own)).toContainText('已免除');
});
