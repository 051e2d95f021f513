// Backups in a real browser: created, verified, inspected, downloaded after a password check, the key, the
// schedule, and a restore with the command that the screen shows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const root = resolve(import.meta.dirname, '..');
const elsewhere = mkdtempSync(join(tmpdir(), 'skytally-e2e-restore-'));
let journey: Journey;
let page: Page;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  // The next scheduled one is half a day away, so that none starts during the journey.
  const hour = (new Date().getUTCHours() + 8 + 12) % 24;
  const plan = { isOn: true, hour, keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };
  await journey.call('PUT', '/admin/backups/plan', plan, token);
  page = await journey.openSession(operator);
  await page.goto(`${journey.address}/admin/backups`);
});
test.afterAll(async () => {
  await journey.end();
  rmSync(elsewhere, { recursive: true, force: true });
});

test.describe('backups (R-ADM-01)', () => {
  test('the list is empty at first; one is created and verified while the page is open', async () => {
    await page.getByText('尚無備份').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '立即備份' }).click();
    // It is verified by a restore, however long that takes.
    await page.getByRole('row', { name: /由Operator建立.*驗證通過/ }).waitFor({ timeout: 90_000 });
    await page.getByText('1 份', { exact: true }).waitFor();
    await page
      .getByText(/^[\d.]+ KB$/)
      .first()
      .waitFor();
  });

  test('its details show the figures of the original and of the restore, side by side', async () => {
    await page.getByRole('row', { name: /由Operator建立/ }).click();
    const panel = page.getByRole('dialog', { name: /的備份$/ });
    await panel.getByText(/已還原到暫用資料庫/).waitFor();
    await panel.getByRole('row', { name: '使用者 1 1', exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('the recovery key is shown, and restores everything elsewhere with the file alone', async () => {
    await page.getByRole('button', { name: '顯示復原金鑰' }).click();
    const key = await page
      .getByRole('dialog', { name: '復原金鑰' })
      .getByText(/^AGE-SECRET-KEY-1/)
      .innerText();
    await page.keyboard.press('Escape');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page
          .getByRole('row', { name: /由Operator建立/ })
          .getByRole('button')
          .last()
          .click();
        await page.getByRole('menuitem', { name: '下載' }).click();
      })(),
    ]);
    const file = join(elsewhere, download.suggestedFilename());
    await download.saveAs(file);
    expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    writeFileSync(join(elsewhere, 'key.txt'), key);
    expect(await page.getByText(/^npm run restore -- /).innerText()).toContain(download.suggestedFilename());
    const child = spawn(
      process.execPath,
      ['src/app/cli/restore.ts', file, '--key-file', join(elsewhere, 'key.txt'), '--yes'],
      {
        cwd: root,
        env: { ...process.env, DATA_DIR: join(elsewhere, 'data') },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  });

  test('the schedule is changed; an invalid number is rejected at its field', async () => {
    const hour = (new Date().getUTCHours() + 8 + 11) % 24;
    await page.getByLabel('時間').selectOption(String(hour));
    await page.getByLabel('保留天數').fill('0');
    await page.getByRole('button', { name: '儲存' }).click();
    await expect(page.getByLabel('保留天數')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('保留天數').fill('10');
    await page.getByRole('button', { name: '儲存' }).click();
    await page.getByText('設定已儲存。').waitFor();
    await page.getByText(new RegExp(String.raw`\d日 ${String(hour).padStart(2, '0')}:00$`)).waitFor();
    await page.reload();
    await expect(page.getByLabel('保留天數')).toHaveValue('10');
  });

  test('the newest verified one cannot be deleted; an older one can', async () => {
    await page.getByRole('button', { name: '立即備份' }).click();
    // A backup is restored once before it counts: on a busy machine that takes longer than pages do.
    await page.getByText('2 份', { exact: true }).waitFor({ timeout: 60_000 });
    const rows = page.getByRole('row', { name: /由Operator建立/ });
    await rows.first().getByRole('button').last().click();
    await page.getByRole('menuitem', { name: '下載' }).waitFor();
    expect(await page.getByRole('menuitem', { name: '刪除檔案' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await rows.last().getByRole('button').last().click();
    await page.getByRole('menuitem', { name: '刪除檔案' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '刪除檔案' }).click();
    await page.getByText('檔案已刪除。').waitFor();
    await page.getByRole('row', { name: /已刪除/ }).waitFor();
  });
});
