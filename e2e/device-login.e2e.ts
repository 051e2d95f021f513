// The command line is signed in from a real browser: it runs in a separate process, a signed-in person
// compares the code and confirms with their password, and it lists bills.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { subscribeSinceLastMonth } from '#tests/support/browser/last-month-bill.ts';
import { monthName } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'skytally-device-'));
const script = 'src/app/cli/remote/skytally.ts';
const password = 'another long passphrase';
let journey: Journey;
let page: Page;
const environment = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: home,
  SKYTALLY_KEY: '',
  LANG: 'zh_TW.UTF-8',
};

/** `skytally login`, its output, and its exit. */
function login(name: string): {
  shown: () => { link: string; code: string } | undefined;
  ended: Promise<{ code: number | null; out: string; err: string }>;
} {
  const child = spawn(process.execPath, [script, 'login', '--address', journey.address, '--name', name], {
    env: environment,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => void (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => void (err += bytes.toString()));
  return {
    shown: () => {
      const [, link = '', code = ''] = /(http\S+?)，確認代碼 ([A-Z]{4}-[A-Z]{4})/.exec(err) ?? [];
      return link === '' ? undefined : { link, code };
    },
    ended: new Promise((done) => child.on('close', (code) => done({ code, out, err }))),
  };
}
const shownBy = async (started: ReturnType<typeof login>): Promise<{ link: string; code: string }> => {
  await expect.poll(() => started.shown(), { timeout: 20_000 }).toBeDefined();
  return started.shown() ?? { link: '', code: '' };
};
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
  await journey.call('POST', '/admin/billing/close', { month: monthName(-1) }, token);
  ({ page } = await journey.person());
});
test.afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await journey.end();
});

test('T-DEVICE: the address leads through sign-in to the command line’s request, which opening it does not confirm', async () => {
  const started = login('會計筆電');
  const { link, code } = await shownBy(started);
  await page.goto(link);
  await page.getByLabel(/^帳號/).fill(operator.account);
  await page.getByLabel(/^密碼/).fill(operator.password);
  await page.getByRole('button', { name: '登入', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: '確認裝置登入' }).waitFor();
  await expect(page.getByRole('textbox', { name: /^代碼/ })).toHaveValue(code);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: '繼續' }).click();
  await page.getByRole('heading', { name: '「會計筆電」要以您的身分使用主控台' }).waitFor();
  await page.getByText(`命令列上的代碼必須是 ${code}。`).waitFor();
  await expect(page.getByRole('checkbox', { name: '帳務：讀取' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: '使用者：讀取' })).toHaveCount(0);
  await page.getByRole('checkbox', { name: '系統管理：寫入' }).uncheck();
  await page.getByLabel('有效期限').selectOption({ label: '30 天' });
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: '允許存取' }).click();
  await page.getByText('「會計筆電」已登入，您可以回到命令列。').waitFor();
  const ended = await started.ended;
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(operator.account) });
  expect(statSync(join(home, 'skytally/credentials.json')).mode & 0o777).toBe(0o600);
});

test('T-DEVICE: the command line lists bills, and its key is listed where it can be revoked', async () => {
  const bills = await run(process.execPath, [script, 'bills', 'list'], { env: environment });
  expect(bills.stdout).toMatch(/B-\d{6}-000001 +晨光科技 +\d{4}-\d\d +未付清 +\S+ +105 +TWD/);
  await page.goto(`${journey.address}/admin/api-keys`);
  await page.getByRole('row', { name: /會計筆電/ }).waitFor();
  const refused = await run(
    process.execPath,
    [script, 'api', 'PATCH', '/admin/system/settings', '--data', '{}'],
    {
      env: environment,
    },
  ).catch((error: { code: number }) => error);
  expect(refused).toMatchObject({ code: 2 });
});

test('T-DEVICE: somebody else’s sign-in is denied, and a wrong code is reported at the field', async () => {
  const started = login('陌生裝置');
  const { code } = await shownBy(started);
  await page.goto(`${journey.address}/device`);
  const field = page.getByRole('textbox', { name: /^代碼/ });
  await field.fill('BBBB-BBBB');
  await page.getByRole('button', { name: '繼續' }).click();
  await expect(field).toHaveAccessibleDescription(/沒有裝置正在等待這組代碼。/);
  await field.fill(code.toLowerCase());
  await page.getByRole('button', { name: '繼續' }).click();
  await page.getByRole('heading', { name: '「陌生裝置」要以您的身分使用主控台' }).waitFor();
  await page.getByRole('button', { name: '拒絕' }).click();
  await page.getByText('已拒絕「陌生裝置」。').waitFor();
  expect(await started.ended).toMatchObject({
    code: 2,
    err: expect.stringContaining('這次登入未獲同意。'),
  });
});
