// R-ADM-04 in a real browser: a machine-details file is uploaded, a licence file is created, and the
// standalone verifier accepts it.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const folder = mkdtempSync(join(tmpdir(), 'skytally-licences-'));
const at = (name: string): string => join(folder, name);
const machine = {
  hostname: 'db-01',
  platform: 'linux',
  machineId: '3d1219c7c4c5404aaa1f6d2a48adfda4',
  systemUuid: '4c4c4544-0051-3510-8052-b4c04f4d4e32',
  systemSerial: 'To be filled by O.E.M.',
  boardSerial: 'CNFCP0079E00AB',
  cpu: 'Intel(R) Xeon(R) Gold 6226R',
  macAddresses: ['b8:ca:3a:00:00:01'],
  diskSerials: ['S3Z9NB0K'],
};
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.register({
    account: 'owner@customer.example',
    password,
    name: '第一位使用者',
    organization: '晨光科技',
  });
  const service = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '地端儲存',
      type: '儲存',
      category: '平台',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '900' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      quota: { type: 'hard', limit: '500' },
      features: ['異地備援'],
    },
    token,
  );
  const { token: owner } = await journey.call<{ token: string }>('POST', '/user/login', {
    account: 'owner@customer.example',
    password,
  });
  await journey.call('POST', '/subscriptions', { serviceId: service.id }, owner);
  writeFileSync(at('machine.json'), JSON.stringify(machine, null, 2));
  writeFileSync(
    at('other.json'),
    JSON.stringify({
      ...machine,
      systemUuid: '11111111-2222-3333-4444-555555555555',
      boardSerial: 'X',
      macAddresses: ['aa:bb:cc:00:00:01'],
      diskSerials: ['Y'],
    }),
  );
  writeFileSync(at('broken.json'), '{\n  "hostname": "a",\n  "cpu" "b"\n}');
  writeFileSync(at('machine.txt'), 'hostname=a');
  writeFileSync(at('big.json'), JSON.stringify({ more: 'x'.repeat(70_000) }));
});
test.afterAll(async () => {
  await journey.end();
  rmSync(folder, { recursive: true, force: true });
});

const verify = (...words: readonly string[]): Promise<{ code: number; out: string }> =>
  new Promise((done) =>
    execFile(
      process.execPath,
      [resolve(import.meta.dirname, '../verify-licence/verify-licence.ts'), ...words],
      { cwd: folder, env: {} },
      (error, out) => done({ code: error ? Number(error.code) : 0, out }),
    ),
  );

test.describe('a licence', () => {
  test('is created from a machine-details file, downloaded, verified without the console, renewed and revoked', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/licenses`);
    await page.getByText('還沒有簽發過授權').waitFor();
    await page.getByRole('button', { name: '簽發授權' }).first().click();
    const dialog = page.getByRole('dialog', { name: '簽發授權' });
    const take = (name: string) => dialog.locator('input[type=file]').setInputFiles(at(name));
    await take('machine.txt');
    await dialog.getByRole('alert').getByText('不接受這種檔案').waitFor();
    await take('big.json');
    await dialog.getByRole('alert').getByText('檔案大小為').waitFor();
    await take('broken.json');
    await dialog.getByRole('alert').getByText('第 3 行第 9 個字元不是正確的 JSON').waitFor();
    await dialog.getByRole('button', { name: '產生授權檔' }).click();
    await dialog.getByText('請填寫簽發對象。').waitFor();
    await take('machine.json');
    await dialog.getByLabel(/^簽發對象/).fill('地端');
    await page.getByRole('option', { name: /晨光科技－地端儲存/ }).click();
    const summary = dialog.getByRole('region', { name: '將要簽署的內容' });
    await summary.getByText('db-01 · linux').waitFor();
    await summary.getByText('7 項中有 5 項相同即為同一台機器').waitFor();
    await summary.getByText(/許多機器都相同.*To be filled by O\.E\.M\./).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // The focus stays in the dialog however often Tab is pressed.
    for (let step = 0; step < 30; step++) await page.keyboard.press('Tab');
    expect(await dialog.locator(':focus').count()).toBe(1);
    await dialog.getByRole('button', { name: '產生授權檔' }).click();

    const done = page.getByRole('dialog', { name: '授權檔已產生' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      done.getByRole('button', { name: '下載授權檔' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^lic_[0-9a-z]{26}\.lic$/);
    await download.saveAs(at('licence.lic'));
    await done
      .getByText(
        createHash('sha256')
          .update(readFileSync(at('licence.lic')))
          .digest('hex'),
      )
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await done.getByRole('button', { name: '關閉' }).last().click();

    writeFileSync(at('keys.json'), await (await fetch(`${journey.address}/api/licenses/public-keys`)).text());
    const words = ['licence.lic', '--key', 'keys.json', '--machine'];
    expect(await verify(...words, 'machine.json')).toMatchObject({
      code: 0,
      out: expect.stringContaining('VALID'),
    });
    expect(await verify(...words, 'other.json')).toMatchObject({
      code: 1,
      out: expect.stringContaining('another machine'),
    });

    await page.getByRole('row', { name: /晨光科技.*地端儲存.*db-01.*有效/ }).click();
    const panel = page.getByRole('dialog', { name: '授權內容' });
    await panel.getByText('異地備援').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '續發' }).click();
    const renewal = page.getByRole('alertdialog', { name: '續發「db-01」的授權' });
    await renewal.getByLabel(/^有效期間/).selectOption({ label: '30 天' });
    await renewal.getByRole('button', { name: '續發' }).click();
    await panel.getByText('即將到期').waitFor();
    const [renewed] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: '下載授權檔' }).click(),
    ]);
    await renewed.saveAs(at('renewed.lic'));
    expect(await verify('renewed.lic', ...words.slice(1), 'machine.json')).toMatchObject({ code: 0 });

    await panel.getByRole('button', { name: '撤銷' }).click();
    const revoke = page.getByRole('alertdialog', { name: '撤銷「db-01」的授權？' });
    await revoke.getByLabel(/^原因/).fill('機器已轉售');
    await revoke.getByRole('button', { name: '撤銷' }).click();
    await panel.getByText('機器已轉售').waitFor();
    await panel.getByRole('button', { name: '關閉' }).click();
    const [list] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下載撤銷清單' }).click(),
    ]);
    await list.saveAs(at('revocations.lic'));
    expect(
      await verify('renewed.lic', ...words.slice(1), 'machine.json', '--revocations', 'revocations.lic'),
    ).toMatchObject({ code: 1, out: expect.stringContaining('revoked') });
    expect(await verify(...words, 'machine.json', '--revocations', 'revocations.lic')).toMatchObject({
      code: 0,
    });
    await page.getByRole('row', { name: /已被取代/ }).waitFor();
    await page.getByRole('row', { name: /已撤銷/ }).waitFor();
  });

  test('can still be verified after the signing key was replaced; on a phone the dialog fills the screen', async () => {
    const { page } = await journey.person({ width: 375, height: 740 });
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/licenses`);
    await page.getByRole('button', { name: '更換金鑰' }).click();
    const rotation = page.getByRole('alertdialog', { name: '更換簽署金鑰' });
    await rotation.getByLabel(/^原因/).fill('每年更換');
    await rotation.getByRole('button', { name: '更換金鑰' }).click();
    await page.getByText('安裝時建立').waitFor();
    await page.getByText(/停用$/).waitFor();
    writeFileSync(at('keys.json'), await (await fetch(`${journey.address}/api/licenses/public-keys`)).text());
    expect(await verify('licence.lic', '--key', 'keys.json', '--machine', 'machine.json')).toMatchObject({
      code: 0,
    });
    await page.getByRole('button', { name: '簽發授權' }).first().click();
    const box = await page.getByRole('dialog', { name: '簽發授權' }).boundingBox();
    expect([box?.width, box?.height]).toEqual([375, 740]);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});

test.describe('the private signing key', () => {
  test('is in nothing that a browser receives (reliability.md 2.E-99)', () => {
    const { licenceKey } = JSON.parse(readFileSync(join(journey.dataDir, 'secrets.json'), 'utf8')) as {
      licenceKey: string;
    };
    const secret = licenceKey.split('\n')[1] ?? '';
    expect(secret.length).toBeGreaterThan(40);
    const given = resolve(import.meta.dirname, '../dist/web');
    const files = readdirSync(given, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name));
    expect(files.length).toBeGreaterThan(50);
    expect(
      files.filter(
        (file) =>
          /PRIVATE KEY-----/.test(readFileSync(file, 'latin1')) ||
          readFileSync(file, 'latin1').includes(secret),
      ),
    ).toEqual([]);
  });
});
