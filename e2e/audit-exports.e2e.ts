// Exporting the audit log, in a real browser: an error is shown at its field, the secret is shown once, a
// test is received, entries arrive signed, and a rejection by the receiver is shown.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { isSignedBy, Receiver } from '#tests/support/receiver.ts';

let journey: Journey;
let page: Page;
let pageErrors: string[];
let receiver: Receiver;
const panel = (name: string): Locator => page.getByRole('dialog', { name });

test.beforeAll(async ({ startJourney }) => {
  receiver = await new Receiver().start();
  journey = await startJourney({ PRIVATE_HOSTS: '127.0.0.1' });
  await journey.setUp();
  ({ page, pageErrors } = await journey.person());
  await journey.openSession(admin, page);
});
test.afterAll(async () => {
  await journey.end();
  await receiver.stop();
});

test('T-AUDX: a webhook gets the audit log, signed with the secret that was shown once', async () => {
  await page.goto(`${journey.address}/admin/audit-exports`);
  await page.getByRole('heading', { level: 1, name: '稽核紀錄轉送' }).waitFor();
  await page.getByRole('button', { name: '新增目的地' }).first().click();
  const form = panel('新增目的地');
  const field = (name: RegExp): Locator => form.getByRole('textbox', { name });
  await field(/^名稱/).fill('資安中心');
  await field(/^主機/).fill('10.0.0.9');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '新增目的地' }).click();
  await form.getByText('這是內部位址。若要連線，請將它加入 PRIVATE_HOSTS。').first().waitFor();
  await form.getByRole('combobox', { name: /^種類/ }).selectOption('webhook');
  await field(/^網址/).fill(`${receiver.address}/in`);
  await form.getByRole('button', { name: '新增目的地' }).click();

  const handOver = panel('資安中心');
  await handOver.getByText('請現在儲存到安全的地方', { exact: false }).waitFor();
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec((await handOver.textContent()) ?? '')?.[0] ?? '';
  expect(secret).not.toBe('');
  expect(await axeFindings(page)).toEqual([]);
  await handOver.getByRole('button', { name: '完成' }).click();

  const opened = panel('資安中心');
  await opened.getByText(`${receiver.address}/in`).waitFor();
  await opened.getByRole('button', { name: '傳送測試' }).click();
  await opened.getByText('對方已收下測試。').waitFor();
  await expect
    .poll(() => receiver.received.some(({ body }) => body.startsWith('{"type":"audit.entries","first":1,')), {
      timeout: 30_000,
    })
    .toBe(true);
  expect(receiver.received.every((each) => isSignedBy(secret, each))).toBe(true);
  // It is shown nowhere else.
  await page.reload();
  await opened.getByText('轉送中').waitFor();
  expect(await page.content()).not.toContain(secret);

  receiver.status = 503;
  await opened.getByRole('button', { name: '傳送測試' }).click();
  await opened.getByText('對方沒有收下（503）。').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});
