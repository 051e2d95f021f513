// Uploading a bank statement: its progress on a slow connection, stopped, sent again, and its rows.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

let journey: Journey;
const rowCount = 20_000;
/** About 1.2 MB. */
const statement = `交易日期,摘要,支出,存入,餘額\n${Array.from({ length: rowCount }, (_, index) => `2024/10/${String((index % 28) + 1).padStart(2, '0')},匯入 ${String(index).padStart(6, '0')},,${index + 1},`).join('\n')}\n`;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  await journey.setUp();
});
test.afterAll(() => journey.end());

test.describe('a bank statement (R-BILL-04)', () => {
  test('shows upload progress, can be stopped during the upload, and is listed after it', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/bank-statements`);
    await page.getByRole('button', { name: '上傳對帳單' }).first().click();
    const dialog = page.getByRole('dialog', { name: '上傳對帳單' });
    const network = await page.context().newCDPSession(page);
    const slow = (bytesASecond: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: bytesASecond,
      });
    await network.send('Network.enable');
    const choose = () =>
      dialog
        .getByLabel('CSV 檔案')
        .setInputFiles({ name: '對帳單.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) });

    // Slow enough that its progress can be checked before it is done, also on a busy machine.
    await slow(50_000);
    await choose();
    const progress = dialog.getByRole('progressbar', { name: '正在上傳' });
    // It moves: two different values between none and all.
    const figure = async () => Number(await progress.getAttribute('aria-valuenow'));
    await expect.poll(figure).toBeGreaterThan(0);
    const first = await figure();
    await expect.poll(figure).toBeGreaterThan(first);
    expect(await figure()).toBeLessThan(100);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '停止上傳' }).click();
    await dialog.getByText('已取消要求。').waitFor();
    await progress.waitFor({ state: 'detached' });

    await slow(-1);
    await choose();
    await dialog.getByRole('textbox', { name: '帳號' }).fill('012-345-678901');
    await dialog.getByRole('button', { name: '上傳 20,000 列' }).click();
    await dialog.getByText('新增 20,000 筆，0 筆已存在。').waitFor();
    await dialog.getByRole('button', { name: '關閉' }).last().click();
    await page
      .getByRole('row', { name: /匯入 0\d{5}/ })
      .first()
      .waitFor();
    // On a phone, rows are cards without the lines that hold a dash.
    await page.setViewportSize({ width: 375, height: 800 });
    const card = page
      .getByRole('listitem')
      .filter({ hasText: /匯入 0\d{5}/ })
      .first();
    await card.getByText('狀態', { exact: true }).waitFor();
    expect(await card.getByText('對應', { exact: true }).count()).toBe(0);
    await page.context().close();
  });
});
