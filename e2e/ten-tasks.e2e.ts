// Ten common tasks, each done from the page after sign-in with as many clicks as docs/contributor/tasks.md
// says, at most five.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;
test.beforeAll(async ({ startJourney }) => {
  test.setTimeout(240_000);
  journey = await startJourney();
  await fillConsole(journey);
});
test.afterAll(() => journey.end());

/** Clicks by task, according to the table. */
const table = new Map(
  readFileSync(resolve(import.meta.dirname, '../docs/contributor/tasks.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => /^\d+$/.test(cells[3] ?? ''))
    .map((cells): [string, number] => [cells[1] ?? '', Number(cells[3])]),
);

type Steps = (page: Page, click: (what: Locator) => Promise<void>) => Promise<void>;
const machine = JSON.stringify({
  hostname: 'db-02',
  platform: 'linux',
  machineId: '4d1219c7c4c5404aaa1f6d2a48adfda4',
  systemUuid: '5c4c4544-0051-3510-8052-b4c04f4d4e32',
  boardSerial: 'CNFCP0079E00AC',
  cpu: 'Intel(R) Xeon(R) Gold 6226R',
  macAddresses: ['b8:ca:3a:00:00:02'],
  diskSerials: ['S3Z9NB0L'],
});

const tasks: readonly (readonly [name: string, who: 'User' | 'Admin', steps: Steps])[] = [
  [
    'Find why the bill rose',
    'User',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: '查看帳單' }));
      await click(page.getByRole('button', { name: '變動原因明細' }));
      await page
        .getByText(/用量與數量/)
        .nth(1)
        .waitFor();
    },
  ],
  [
    'Download last year’s invoices',
    'User',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: '查看帳單' }));
      await click(page.getByRole('button', { name: '匯出' }));
      const [archive] = await Promise.all([
        page.waitForEvent('download'),
        click(page.getByRole('menuitem', { name: /年的所有帳單/ }).last()),
      ]);
      expect(archive.suggestedFilename()).toMatch(/^bills-\d{4}\.zip$/);
    },
  ],
  [
    'Add a colleague',
    'User',
    async (page, click) => {
      await click(page.getByRole('button', { name: '開啟選單' }));
      await click(page.getByRole('navigation', { name: '主選單' }).getByRole('link', { name: '個人資料' }));
      await click(page.getByRole('link', { name: '組織', exact: true }));
      await click(page.getByRole('button', { name: '邀請成員' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/電子郵件/).fill('colleague@customer.example');
      await click(dialog.getByRole('button', { name: /邀請|送出/ }).last());
      await page.getByText('已建立給 colleague@customer.example 的邀請。').waitFor();
    },
  ],
  [
    'Raise a quota',
    'User',
    async (page, click) => {
      await click(page.getByRole('link', { name: '查看配額' }));
      await click(page.getByRole('button', { name: '申請提高：推論' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('2000');
      await dialog.getByRole('textbox').nth(1).fill('上線');
      await click(dialog.getByRole('button', { name: /申請/ }).last());
      await page.getByRole('button', { name: '已申請 2,000 千次：推論' }).waitFor();
    },
  ],
  [
    'Stop a service',
    'User',
    async (page, click) => {
      await click(page.getByRole('link', { name: '管理：物件儲存' }));
      await click(page.getByRole('dialog').getByRole('button', { name: '取消訂閱' }));
      const ask = page.getByRole('alertdialog');
      await click(ask.getByLabel('我了解上述影響'));
      await click(ask.getByRole('button', { name: '取消訂閱' }));
      await page.getByRole('dialog', { name: '訂閱內容' }).getByText('即將終止', { exact: true }).waitFor();
    },
  ],
  [
    'Price a new service',
    'Admin',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: /^服務管理/ }));
      await click(page.getByRole('button', { name: '建立服務' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: '名稱' }).fill('區塊儲存');
      await dialog.getByRole('combobox', { name: '類型' }).fill('儲存');
      await dialog.getByRole('combobox', { name: '分類' }).fill('平台');
      await dialog.getByRole('textbox', { name: '事件類型' }).fill('block');
      await dialog.getByRole('textbox', { name: '計量單位' }).fill('GB');
      await dialog.getByRole('textbox', { name: '單價' }).fill('0.9');
      await click(dialog.getByRole('button', { name: '建立服務' }));
      await page.getByRole('row', { name: /區塊儲存/ }).waitFor();
    },
  ],
  [
    'Find an unpaid customer',
    'Admin',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: /^帳務管理/ }));
      const state = page.getByRole('combobox', { name: '狀態' }).first();
      await click(state);
      await state.selectOption('未付清');
      await page
        .getByRole('row', { name: /晨光科技.*待付款/ })
        .first()
        .waitFor();
    },
  ],
  [
    'Close the month',
    'Admin',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: /^帳務管理/ }));
      await click(page.getByRole('button', { name: /^結清 / }));
      await click(page.getByRole('alertdialog').getByRole('button', { name: /結清/ }));
      await page.getByRole('row', { name: /完成 0 2 0/ }).waitFor();
    },
  ],
  [
    'Restore a backup',
    'Admin',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: /^備份/ }));
      await page.getByText(/npm run restore -- .*backup\.age --replace/).waitFor();
      await click(page.getByRole('button', { name: '複製指令' }));
      await page.getByText('已複製').first().waitFor();
    },
  ],
  [
    'Issue a licence',
    'Admin',
    async (page, click) => {
      await click(page.getByRole('main').getByRole('link', { name: /^授權管理/ }));
      await click(page.getByRole('button', { name: '簽發授權' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: '簽發對象' }).fill('晨光');
      await click(page.getByRole('option', { name: /資料庫/ }));
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        click(dialog.getByRole('button', { name: '選擇檔案' })),
      ]);
      await chooser.setFiles({
        name: 'machine.json',
        mimeType: 'application/json',
        buffer: Buffer.from(machine),
      });
      await click(dialog.getByRole('button', { name: '產生授權檔' }));
      await page.getByText('db-02').first().waitFor();
    },
  ],
];

test.describe('tasks from the page after sign-in', () => {
  for (const [name, who, steps] of tasks)
    test(`${name}: as many clicks as in the table, at most five`, async () => {
      const { page } = await journey.person();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await journey.signIn(people[who], page);
      let clicks = 0;
      await steps(page, async (what) => {
        clicks += 1;
        await what.click();
      });
      expect(clicks).toBe(table.get(name));
      expect(clicks).toBeLessThanOrEqual(5);
    });

  test('are ten, each in the table', () => {
    expect([...table.keys()].toSorted()).toEqual(tasks.map(([name]) => name).toSorted());
  });
});
