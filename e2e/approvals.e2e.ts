// Closing a month needs a second Admin: asked for by one, seen and agreed to by the other, in the browser (T-APPROVE).
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const second: Credentials = { account: 'second@cloud.example', password: 'another long passphrase' };
let journey: Journey;
let token: string;
let page: Page;
let pageErrors: string[];
const panel = (of: Page) => of.getByRole('dialog', { name: '核准' });
const closes = async (): Promise<number> =>
  (await journey.call<{ items: unknown[] }>('GET', '/admin/billing/runs', undefined, token)).items.length;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  token = await journey.setUp();
  await journey.call('POST', '/user/register', {
    email: 'owner@customer.example',
    password: 'a passphrase of a customer',
    name: 'Owner',
    organization: '晨光',
    agreeToTerms: true,
  });
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(operator, page);
});
test.afterAll(async () => {
  await journey.end();
});

test('T-APPROVE: nothing can be chosen while nobody else could agree', async () => {
  await page.goto(`${journey.address}/admin/approvals`);
  await page.getByText('至少要有兩位可以核准的管理員，才能選取操作。').waitFor();
  await expect(page.getByRole('checkbox', { name: '結清月份' })).toBeDisabled();
  await journey.call('POST', '/admin/users', { ...second, name: 'Second', role: 'Admin' }, token);
  await page.reload();
  await page.getByRole('checkbox', { name: '結清月份' }).check();
  await page.getByRole('button', { name: '儲存', exact: true }).click();
  await page.getByText('需要核准的操作已儲存。').waitFor();
});

test('T-APPROVE: what one Admin does waits, and says so; they cannot agree to it themselves', async () => {
  await page.goto(`${journey.address}/admin/billing`);
  await page.getByRole('button', { name: /^結清 / }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
  await page.getByRole('alert').getByText('已送出，要等另一位管理員核准才會執行。').waitFor();
  expect(await closes()).toBe(0);
  await page.goto(`${journey.address}/admin/approvals`);
  await page.getByRole('row', { name: /Operator/ }).click();
  await panel(page).getByText('這是您提出的操作，必須由另一位管理員核准。').waitFor();
  await expect(panel(page).getByRole('button', { name: '核准並執行' })).toHaveCount(0);
  expect(await axeFindings(page)).toEqual([]);
});

test('T-APPROVE: the other one sees what it is, and it runs once they agree', async () => {
  const other = await journey.person();
  await journey.openSession(second, other.page);
  await other.page.goto(`${journey.address}/admin/approvals`);
  await other.page.getByRole('row', { name: /Operator/ }).click();
  await panel(other.page).getByRole('button', { name: '核准並執行' }).click();
  await other.page.getByText('已核准並執行。').waitFor();
  expect(await closes()).toBe(1);
  // Who asked for it sees the outcome without loading the page again.
  await panel(page).getByText('已執行').waitFor();
  await panel(page).getByText('Second').waitFor();
  expect([...pageErrors, ...other.pageErrors]).toEqual([]);
});
