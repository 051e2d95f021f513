// Keys with permissions in a real browser: an operator creates one, a program closes a month with it, and the
// audit log names both.
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { subscribeSinceLastMonth } from '#tests/support/browser/last-month-bill.ts';
import { monthName } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
let journey: Journey;
let page: Page;
let secret: string;

/** A call like a program’s. */
async function called(
  method: string,
  path: string,
  body?: object,
): Promise<[number, string | undefined, unknown]> {
  const response = await fetch(`${journey.address}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { code, data } = (await response.json()) as { code?: string; data: unknown };
  return [response.status, code, data];
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const { organizationId } = await journey.register({
    account: 'owner@customer.example',
    password,
    name: '採購',
    organization: '晨光科技',
  });
  await subscribeSinceLastMonth(journey, token, organizationId, '100');
  page = await journey.openSession(operator);
});
test.afterAll(() => journey.end());

test('T-KEYS: an operator creates a key with permissions, and its secret is shown once', async () => {
  await page.goto(`${journey.address}/admin/api-keys`);
  await page.getByRole('button', { name: '建立金鑰' }).first().click();
  const form = page.getByRole('form', { name: '建立金鑰' });
  await form.getByLabel(/^名稱/).fill('月結程式');
  await form.getByLabel('權限範圍').selectOption({ label: '依權限' });
  await page.getByRole('button', { name: '建立金鑰', exact: true }).click();
  await form.getByText('請至少選擇一項權限。').waitFor();
  await form.getByRole('checkbox', { name: '使用者：寫入' }).check();
  await form.getByText(/等於能取得您的所有權限/).waitFor();
  await form.getByRole('checkbox', { name: '使用者：寫入' }).uncheck();
  await form.getByRole('checkbox', { name: '帳務：讀取' }).check();
  await form.getByRole('checkbox', { name: '帳務：寫入' }).check();
  await form.getByRole('checkbox', { name: '允許無法復原的操作' }).check();
  await form.getByLabel('允許的位址').fill('127.0.0.1/8');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: '建立金鑰', exact: true }).click();
  await form
    .getByText(/「127.0.0.1\/8」不是有效的位址或網段/)
    .first()
    .waitFor();
  await form.getByLabel('允許的位址').fill('127.0.0.0/8\n::1');
  await page.getByRole('button', { name: '建立金鑰', exact: true }).click();
  await page.getByText('已建立金鑰「月結程式」。').waitFor();
  secret = await page
    .getByRole('dialog')
    .locator('code')
    .filter({ hasText: /^skytally_/ })
    .innerText();
  await page.getByRole('button', { name: '完成' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByText('代表 Operator').first().waitFor();
  await page.getByText('僅限 127.0.0.0/8, ::1/128').first().waitFor();
  expect(await page.content()).not.toContain(secret);
});

test('T-KEYS: a program closes the month with it, reads the bill, and can do nothing else', async () => {
  const month = monthName(-1);
  expect(await called('POST', '/admin/billing/close', { month })).toMatchObject([
    200,
    undefined,
    { issued: 1 },
  ]);
  expect(await called('GET', `/admin/bills?month=${month}`)).toMatchObject([200, undefined, { total: 1 }]);
  expect((await called('GET', '/admin/payments')).slice(0, 2)).toEqual([403, 'platform.key_permission']);
  expect((await called('POST', '/admin/api-keys', { name: 'more' })).slice(0, 2)).toEqual([
    403,
    'platform.key_never',
  ]);
  await page.goto(`${journey.address}/admin/audit-log`);
  await page.getByText('月結程式').first().waitFor();
});

test('T-KEYS: once revoked, it is rejected at the next call', async () => {
  await page.goto(`${journey.address}/admin/api-keys`);
  await page.getByText('月結程式').first().waitFor();
  await page
    .getByRole('button', { name: /月結程式/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: '撤銷金鑰' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '撤銷金鑰' }).click();
  await page.getByText('已撤銷金鑰「月結程式」。').first().waitFor();
  expect((await called('GET', '/admin/bills'))[0]).toBe(401);
});
