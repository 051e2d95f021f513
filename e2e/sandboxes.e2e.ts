// A sandbox in a real browser: created, its keys shown once with a working command, its clock moved, its
// e-mails read, reset and deleted.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;
let page: Page;
let pageErrors: string[];
const panel = (name: string): Locator => page.getByRole('dialog', { name });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(() => journey.end());

test('T-SANDBOX: an Admin creates a sandbox, its command works, and its clock moves', async () => {
  await page.goto(`${journey.address}/admin/sandboxes`);
  await page.getByRole('heading', { level: 1, name: '沙箱' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: '建立沙箱' }).first().click();
  const form = panel('建立沙箱');
  await form.getByRole('textbox', { name: /^名稱/ }).fill('合作夥伴');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '建立沙箱' }).click();

  const handOver = panel('合作夥伴');
  await handOver.getByText('請現在儲存這兩把金鑰', { exact: false }).waitFor({ timeout: 60_000 });
  const [, address = '', key = ''] =
    /curl -fsS "(\S+)\/api\/admin\/organizations" -H "Authorization: Bearer (\S+)"/.exec(
      (await handOver.textContent()) ?? '',
    ) ?? [];
  const answer = await fetch(`${address}/api/admin/organizations`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-sandbox')).toMatch(/^sbx_/);
  expect(await axeFindings(page)).toEqual([]);
  await handOver.getByRole('button', { name: '完成' }).click();

  const opened = panel('合作夥伴');
  await opened.getByText('可使用').waitFor();
  expect(await page.content()).not.toContain(key);
  await opened.getByRole('button', { name: '一天' }).click();
  await page.getByText('「合作夥伴」的時鐘開始移動。').waitFor();
  await expect(opened.getByRole('button', { name: '一天' })).toBeEnabled({ timeout: 60_000 });
  await opened
    .getByText(/\/02 00:00$/)
    .first()
    .waitFor({ timeout: 60_000 });
  expect(await axeFindings(page)).toEqual([]);

  // Its Admin got the e-mail about the keys.
  await opened.getByRole('row').nth(1).click();
  const mail = page.getByRole('dialog').last();
  await mail.getByText('admin@sandbox.example').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await mail.getByRole('button', { name: '關閉' }).first().click();

  await opened.getByRole('button', { name: '刪除沙箱' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog', { name: '刪除「合作夥伴」？' }))
    .getByRole('button', { name: '刪除沙箱' })
    .click();
  await page.getByText('已刪除「合作夥伴」。').waitFor({ timeout: 30_000 });
  const gone = await fetch(`${address}/api/admin/organizations`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(gone.status).toBe(404);
  expect(pageErrors).toEqual([]);
});
