// Webhooks in a real browser: an endpoint added, its secret seen once, a test event that arrives, its
// delivery viewed and sent again.
import { isSignedBy, Receiver } from '../tests/support/receiver.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = { account: 'owner@customer.example', password };
let journey: Journey;
let receiver: Receiver;

test.beforeAll(async ({ startJourney }) => {
  [journey, receiver] = await Promise.all([
    startJourney({ WEBHOOK_LOOPBACK: 'allow' }),
    new Receiver().start(),
  ]);
  await journey.setUp();
  await journey.register({ account: owner.account, password, name: '第一位使用者', organization: '晨光' });
});
test.afterAll(async () => {
  await journey.end();
  await receiver.stop();
});

test.describe('webhooks', () => {
  test('are set up, tested and viewed by a User of the organization', async () => {
    const page = await journey.openSession(owner);
    await page.goto(`${journey.address}/user/profile?section=webhooks`);
    await page.getByText('還沒有 Webhook 端點').waitFor();
    await page.getByRole('button', { name: '新增端點' }).click();
    const panel = page.getByRole('dialog', { name: '新增端點' });
    await panel.getByLabel(/^網址/).fill('http://10.0.0.1/in');
    await panel.getByRole('button', { name: '新增端點' }).click();
    await panel.getByText('只接受 https:// 開頭的網址。').first().waitFor();
    await panel.getByLabel(/^網址/).fill(`${receiver.address}/in`);
    await panel.getByLabel(/^說明/).fill('會計系統');
    await panel.getByLabel(/^事件/).selectOption({ label: '只傳送所選的事件' });
    await panel.getByRole('button', { name: '新增端點' }).click();
    await panel.getByText('請至少選擇一種事件。').waitFor();
    await panel.getByRole('checkbox', { name: 'bill.issued' }).check();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: '新增端點' }).click();

    const handOver = page.getByRole('dialog', { name: '端點已建立' });
    const secret = await handOver.getByText(/^whsec_/).innerText();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await handOver.getByRole('button', { name: '完成' }).click();
    await page.getByText('會計系統').click();
    await page.getByText('還沒有傳送紀錄').waitFor();
    expect(await page.getByText(secret).count()).toBe(0);

    await page.getByRole('button', { name: '傳送測試事件' }).click();
    await page.getByRole('row', { name: /webhook\.test.*已送達.*HTTP 200/ }).waitFor();
    expect(receiver.at('/in').map((each) => isSignedBy(secret, each))).toEqual([true]);
    expect(await axeFindings(page)).toEqual([]);

    receiver.status = 500;
    receiver.answer = 'database is down';
    await page.getByRole('button', { name: 'webhook.test', exact: true }).click();
    const delivery = page.getByRole('dialog', { name: '傳送 webhook.test' });
    await delivery.getByText('第 1 次').waitFor();
    await delivery.getByRole('button', { name: '重送' }).click();
    await delivery.getByText('第 2 次').waitFor();
    await delivery.getByText('回覆的狀態碼不是 2xx').waitFor();
    await delivery.getByText('database is down').waitFor();
    // Comes first, because the console retries by itself after five seconds.
    receiver.status = 200;
    await delivery.getByText('"這是測試事件，表示您的端點可以接收 Webhook。"').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await delivery.getByText('第 3 次').waitFor();
    await delivery.getByText('已送達').waitFor();
    const ids = new Set(receiver.at('/in').map((each) => `${each.headers['webhook-id']} ${each.body}`));
    expect([receiver.at('/in').length, ids.size]).toEqual([3, 1]);
  });

  test('get a second secret, and are disabled and deleted', async () => {
    const page = await journey.openSession(owner);
    await page.goto(`${journey.address}/user/profile?section=webhooks`);
    const menu = async (item: string) => {
      await page.getByRole('button', { name: /\/in」的操作$/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('更換密鑰');
    const panel = page.getByRole('dialog', { name: '更換簽章密鑰' });
    await panel.getByRole('button', { name: '更換密鑰' }).click();
    const handOver = page.getByRole('dialog', { name: '密鑰已更換' });
    await handOver.getByText(/^舊密鑰到 .* 為止也會簽章。$/).waitFor();
    await handOver.getByRole('button', { name: '完成' }).click();
    await menu('立即停用舊密鑰');
    await page
      .getByRole('alertdialog', { name: '立即停用舊密鑰？' })
      .getByRole('button', { name: '立即停用舊密鑰' })
      .click();
    await page.getByText('舊密鑰已失效。').first().waitFor();
    await menu('停用');
    await page
      .getByRole('alertdialog', { name: '停用這個端點？' })
      .getByRole('button', { name: '停用' })
      .click();
    await page.getByText('由成員停用').waitFor();
    await menu('刪除');
    await page
      .getByRole('alertdialog', { name: '刪除這個端點？' })
      .getByRole('button', { name: '刪除' })
      .click();
    await page.getByText('還沒有 Webhook 端點').waitFor();
  });
});
