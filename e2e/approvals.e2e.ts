// Closing a month needs a second Admin: requested by one, seen and approved by the other, in the browser
// (T-APPROVE). Dialogs, panels and forms whose calls wait.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { billOfLastMonth } from '#tests/support/browser/last-month-bill.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const second: Credentials = { account: 'second@cloud.example', password: 'another long passphrase' };
let journey: Journey;
let token: string;
let page: Page;
let pageErrors: string[];
let billId: string;
let closedBefore: number;
const panel = (of: Page) => of.getByRole('dialog', { name: '核准申請' });
/** The message about a call that waits for approval. */
const notice = (of: Page) =>
  of
    .getByRole('region', { name: '操作結果', exact: true })
    .getByText('已送出，要等另一位管理員核准才會執行。', { exact: true });

const closes = async (): Promise<number> =>
  (await journey.call<{ items: unknown[] }>('GET', '/admin/billing/runs', undefined, token)).items.length;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  const user = await journey.register({
    account: 'owner@customer.example',
    password: 'a passphrase of a customer',
    name: 'Owner',
    organization: '晨光',
  });
  ({ id: billId } = await billOfLastMonth(journey, token, user.organizationId));
  closedBefore = await closes();
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(operator, page);
});
test.afterAll(() => journey.end());

test('T-APPROVE: no call can be selected while there is no second Admin', async () => {
  await page.goto(`${journey.address}/admin/approvals`);
  await page.getByText('至少要有兩位可以核准的管理員，才能選取操作。').waitFor();
  await expect(page.getByRole('checkbox', { name: '結清月份' })).toBeDisabled();
  await journey.call('POST', '/admin/users', { ...second, name: 'Second', role: 'Admin' }, token);
  await page.reload();
  for (const name of ['結清月份', '作廢帳單', '收款帳戶', '管理員帳號與角色'])
    await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: '儲存變更', exact: true }).click();
  await page.getByText('需要核准的操作已儲存。').waitFor();
});

test('T-APPROVE: a dialog closes when its call waits, and its message links to the request', async () => {
  await page.goto(`${journey.address}/admin/billing?bill=${billId}`);
  await page.getByRole('group', { name: '更正帳單' }).getByRole('button', { name: '作廢' }).click();
  const dialog = page.getByRole('dialog', { name: /^作廢帳單/ });
  await dialog.getByLabel(/^原因/).fill('開錯了');
  await dialog.getByRole('button', { name: /^作廢/ }).click();
  await notice(page).waitFor();
  // The bill’s panel, from which it was opened, stays.
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page
    .getByRole('region', { name: '操作結果', exact: true })
    .getByRole('button', { name: '查看' })
    .click();
  await panel(page).getByText('開錯了').waitFor();
});

test('T-APPROVE: a panel also closes when its call waits', async () => {
  await page.goto(`${journey.address}/admin/user-management`);
  await page.getByRole('button', { name: '建立使用者' }).first().click();
  const made = page.getByRole('dialog', { name: '建立使用者' });
  await made.getByLabel(/^姓名/).fill('Third');
  await made.getByLabel(/^帳號/).fill('third@cloud.example');
  await made.getByLabel(/^角色/).selectOption('Admin');
  await made.getByRole('button', { name: '建立使用者' }).click();
  await notice(page).waitFor();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The request is described like the form, not like the API.
  await page.goto(`${journey.address}/admin/approvals`);
  await page.getByRole('row', { name: /建立使用者/ }).click();
  await expect(panel(page).getByText('管理員', { exact: true })).toBeVisible();
});

test('T-APPROVE: a form on a page shows the stored values again, and one message says that the change waits', async () => {
  await page.goto(`${journey.address}/admin/payments`);
  const form = page.getByRole('form', { name: '匯款帳號' });
  await form.getByLabel('帳號').fill('0123456789');
  await form.getByRole('button', { name: '儲存帳號' }).click();
  await notice(page).waitFor();
  await expect(page.getByText('已送出，要等另一位管理員核准才會執行。')).toHaveCount(1);
  await expect(form.getByLabel('帳號')).toHaveValue('');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('已儲存匯款帳號。')).toHaveCount(0);
});

test('T-APPROVE: the Admin who requested a call sees that it waits, and cannot approve it', async () => {
  await page.goto(`${journey.address}/admin/billing`);
  await page.getByRole('button', { name: /^結清 / }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await notice(page).waitFor();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(await closes()).toBe(closedBefore);
  await page.goto(`${journey.address}/admin/approvals`);
  await page.getByRole('row', { name: /結清月份.*Operator/ }).click();
  await panel(page).getByText('這是您提出的操作，必須由另一位管理員核准。').waitFor();
  await expect(panel(page).getByRole('button', { name: '核准並執行' })).toHaveCount(0);
  expect(await axeFindings(page)).toEqual([]);
});

test('T-APPROVE: the other Admin sees what it does, and it runs when they approve', async () => {
  const other = await journey.person();
  await journey.openSession(second, other.page);
  await other.page.goto(`${journey.address}/admin/approvals`);
  await other.page.getByRole('row', { name: /結清月份.*Operator/ }).click();
  await panel(other.page).getByRole('button', { name: '核准並執行' }).click();
  await other.page.getByText('已核准並執行。').waitFor();
  expect(await closes()).toBe(closedBefore + 1);
  // The requester sees the outcome without reloading the page.
  await panel(page).getByText('已執行').waitFor();
  await panel(page).getByText('Second').waitFor();
  expect([...pageErrors, ...other.pageErrors]).toEqual([]);
});
