// Password checks before irreversible actions, and required second factors of Admins, in a real browser.
import { generate } from 'otplib';
import pg from 'pg';
import type { Page } from '@playwright/test';
import { findRunningPostgres } from '../src/platform/server/database/embedded/listen-address.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'a long enough passphrase';
let journey: Journey;

/** Ages all sign-in proofs by an hour, as if the hour had passed. */
async function anHourLater(): Promise<void> {
  const running = await findRunningPostgres(journey.dataDir);
  if (!running) throw new Error('the console has no database');
  const client = new pg.Client(running.connection);
  await client.connect();
  await client.query("update session set proved_at = proved_at - interval '1 hour'");
  await client.end();
  await running.release();
}

async function enter(account: string): Promise<Awaited<ReturnType<Journey['person']>>> {
  const person = await journey.person();
  await journey.signIn({ account, password }, person.page);
  return person;
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.call(
    'POST',
    '/admin/users',
    { account: 'second@cloud.example', name: 'Second', role: 'Admin', password },
    token,
  );
});
test.afterAll(() => journey.end());

test.describe('a password check', () => {
  test('is required before a month is closed, and then the close continues by itself (reliability.md 2.C)', async () => {
    const { context, page, pageErrors } = await enter('admin@cloud.example');
    await page.goto(`${journey.address}/admin/billing`);
    await page.getByRole('button', { name: /^結清/ }).first().waitFor();
    await anHourLater();
    await page.getByRole('button', { name: /^結清/ }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: /^結清/ }).click();
    const question = page.getByRole('dialog', { name: '請確認是您本人' });
    await question.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await question.getByLabel(/^密碼/).fill('not the password');
    await question.getByRole('button', { name: '確認' }).click();
    await question.getByText('目前的密碼不正確。').waitFor();
    await question.getByLabel(/^密碼/).fill(password);
    await page.keyboard.press('Enter');
    await page
      .getByText(/已結清/)
      .first()
      .waitFor();
    await expect(question).toHaveCount(0);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('that is canceled leaves everything unchanged', async () => {
    const { context, page } = await enter('admin@cloud.example');
    await page.goto(`${journey.address}/admin/account?section=security`);
    await page.getByRole('button', { name: '設定驗證器' }).waitFor();
    await anHourLater();
    await page.getByRole('button', { name: '設定驗證器' }).click();
    const question = page.getByRole('dialog', { name: '請確認是您本人' });
    await question.getByRole('button', { name: '取消' }).click();
    await page.getByText('請再次確認您的身分').first().waitFor();
    expect(await page.getByRole('img', { name: '驗證器的 QR 碼' }).count()).toBe(0);
    await context.close();
  });
});

test.describe('required second factors of Admins (R-AUTH-18)', () => {
  async function enrol(page: Page): Promise<void> {
    await page.getByRole('button', { name: '設定驗證器' }).click();
    const secret = ((await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '').replaceAll(
      ' ',
      '',
    );
    await page.getByLabel(/^驗證碼/).fill(await generate({ secret }));
    await page.getByRole('button', { name: '啟用驗證器' }).click();
    await page.getByRole('button', { name: '我已妥善存放' }).waitFor();
    await page.getByRole('button', { name: '我已妥善存放' }).click();
  }

  test('can be switched on only by an Admin with one; all others must set theirs up first', async () => {
    const first = await enter('admin@cloud.example');
    const require = async () => {
      await first.page.goto(`${journey.address}/admin/system-settings?section=security`);
      await first.page.getByLabel('管理員必須使用兩步驟驗證').check();
      await first.page
        .getByRole('region', { name: '您有尚未儲存的變更。' })
        .getByRole('button', { name: '儲存變更' })
        .click();
    };
    await require();
    await first.page.getByText('請先為自己啟用兩步驟驗證').first().waitFor();
    first.page.on('dialog', (dialog) => void dialog.accept());
    await first.page.goto(`${journey.address}/admin/account?section=security`);
    await enrol(first.page);
    await require();
    await first.page
      .getByText(/已儲存/)
      .first()
      .waitFor();

    const second = await enter('second@cloud.example');
    const { page } = second;
    await page.getByRole('heading', { level: 1, name: '請先啟用兩步驟驗證' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/dashboard');
    expect(await page.getByRole('button', { name: '開啟選單' }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${journey.address}/admin/user-management`);
    await page.getByRole('heading', { level: 1, name: '請先啟用兩步驟驗證' }).waitFor();
    await enrol(page);
    await page.getByRole('button', { name: '繼續' }).click();
    await page.getByRole('heading', { level: 1, name: '使用者管理' }).waitFor();
    await page.getByText('second@cloud.example').first().waitFor();
    expect([...first.pageErrors, ...second.pageErrors]).toEqual([]);
    await first.context.close();
    await second.context.close();
  });
});
