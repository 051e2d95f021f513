// A subscription’s life in a real browser: a trial, an upgrade whose preview equals the bill, a downgrade
// withdrawn, a pause, two ways to end, and a renewal.
import type { Locator } from '@playwright/test';
import { addMonths, monthOf } from '#kernel/time.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let user: Awaited<ReturnType<Journey['person']>>;
/** Subscribes the customer to a new service for one term. */
let takeOneTerm: () => Promise<void>;
let page: Awaited<ReturnType<Journey['person']>>['page'];

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const buyer = await journey.register({ ...owner, name: '採購', organization: '好客戶' });
  const service = (name: string, baseFee: string, more: object) =>
    journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: '儲存',
        category: '平台服務',
        pricing: { model: 'flat', currency: 'TWD', baseFee },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
        ...more,
      },
      token,
    );
  // Longer than any month, so that this month charges nothing on whichever day the journey runs.
  await service('文件轉換', '150', { trialDays: 40 });
  const { id } = await service('儲存 基本', '310', { family: '儲存' });
  await service('儲存 專業', '930', { family: '儲存' });
  // An existing customer, whose paid part of this month is returned when the plan changes.
  await journey.call(
    'POST',
    '/admin/subscriptions',
    {
      organizationId: buyer.organizationId,
      serviceId: id,
      startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString(),
    },
    token,
  );
  takeOneTerm = async () => {
    const yearly = await service('備份', '1200', { billingCycle: 'yearly' });
    const { organizationId } = buyer;
    await journey.call(
      'POST',
      '/admin/subscriptions',
      { organizationId, serviceId: yearly.id, autoRenew: false },
      token,
    );
  };
  user = await journey.person();
  ({ page } = user);
  await journey.openSession(owner, page);
});
test.afterAll(() => journey.end());

const panel = (): Locator => page.getByRole('dialog', { name: '訂閱內容' });
async function openPanel(service: string): Promise<void> {
  await page.goto(`${journey.address}/cloud-service/management`);
  await page.getByRole('button', { name: service, exact: true }).click();
  await panel().getByText(service, { exact: true }).first().waitFor();
}

test.describe('subscribing with a trial (R-CAT-03)', () => {
  test('shows cost and dates, and ends in the panel with the trial', async () => {
    await page.goto(`${journey.address}/service/overview`);
    await page.getByRole('button', { name: '訂閱「文件轉換」' }).click();
    const dialog = page.getByRole('dialog', { name: '訂閱「文件轉換」' });
    await dialog.getByText('前 40 天免費').waitFor();
    await dialog.getByLabel('我已閱讀價格，同意依此計費').check();
    await dialog.getByRole('button', { name: '確認訂閱' }).click();
    await page.getByText('已訂閱「文件轉換」，現在就可以使用。').waitFor();
    await page.getByRole('dialog', { name: '訂閱完成' }).getByRole('link', { name: '管理' }).click();
    await panel()
      .getByText(/^試用期至 .+，試用期間不收費；用量照常記錄。$/)
      .waitFor();
    await panel().getByText('目前沒有費用。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});

test.describe('a subscription (R-CAT-06)', () => {
  test('shows service, type, monthly fee, usage or that it is unlimited, and when it is counted anew', async () => {
    await page.goto(`${journey.address}/cloud-service/management`);
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: '儲存 基本', exact: true }) });
    await row.waitFor();
    const next = `${addMonths(monthOf(new Date(), 'Asia/Taipei'), 1)}-01`.replaceAll('-', '/');
    for (const part of ['儲存 基本', '儲存', 'NT$310', '無限制', next])
      await row.getByText(part, { exact: false }).first().waitFor();
    // On cards, each figure stands beside its name.
    await page.getByRole('button', { name: '卡片' }).click();
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '儲存 基本' }) });
    for (const part of ['儲存', '費用', 'NT$310', '本月用量', '無限制', '下次重新計算', next])
      await card.getByText(part, { exact: false }).first().waitFor();
    await page.getByRole('button', { name: '清單' }).click();
  });
});

test.describe('changing the plan (R-CAT-07)', () => {
  let previewed: string[];

  test('shows the plans side by side and the lines of the next bills', async () => {
    await openPanel('儲存 基本');
    await panel().getByRole('button', { name: '變更方案' }).click();
    const dialog = page.getByRole('dialog', { name: '變更「儲存 基本」的方案' });
    await dialog.getByText('選擇其他方案或數量，即可先看到帳單會如何變化。').waitFor();
    expect(await dialog.getByRole('button', { name: '立即變更' }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: /儲存 專業/ }).check();
    await dialog.getByText('確認後立即改為「儲存 專業」。').waitFor();
    const bill = dialog.getByRole('table', { name: /帳單的基本費$/ }).first();
    await bill.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // It is charged from this moment, whatever the second of its confirmation.
    previewed = await bill.locator('tbody td').allInnerTexts();
    await dialog.getByRole('button', { name: '立即變更' }).click();
    await page.getByText('已變更為「儲存 專業」。').waitFor();
  });

  test('charges the previewed amounts: in the panel and on the running bill', async () => {
    expect(previewed.length).toBeGreaterThan(0);
    await openPanel('儲存 專業');
    const running = panel()
      .getByText(/（截至目前，未稅）$/)
      .locator('..');
    const charged = () =>
      running
        .getByRole('listitem')
        .evaluateAll((items) =>
          items.map(
            (item) =>
              (item as unknown as { lastElementChild: { textContent: string } }).lastElementChild.textContent,
          ),
        );
    // The heading is visible while the lines are loaded, and they are reloaded when the console reports the
    // change.
    await expect.poll(charged, { timeout: 15_000 }).toEqual(previewed);
    await page.goto(`${journey.address}/billing/management`);
    for (const amount of previewed) await page.getByText(amount, { exact: true }).first().waitFor();
  });

  test('to a smaller plan waits for the end of the month and is withdrawn', async () => {
    await openPanel('儲存 專業');
    await panel().getByRole('button', { name: '變更方案' }).click();
    const dialog = page.getByRole('dialog', { name: '變更「儲存 專業」的方案' });
    await dialog.getByRole('radio', { name: /儲存 基本/ }).check();
    await dialog.getByRole('button', { name: '排定變更' }).click();
    await page.getByText(/^已排定於 .+變更為「儲存 基本」。$/).waitFor();
    await panel()
      .getByText(/起改為「儲存 基本」。$/)
      .waitFor();
    await panel().getByRole('button', { name: '撤回變更' }).click();
    await page.getByText('已撤回變更，「儲存 專業」維持不變。').waitFor();
    await panel()
      .getByText(/起改為「儲存 基本」。$/)
      .waitFor({ state: 'detached' });
  });
});

test.describe('pausing and resuming', () => {
  test('takes effect immediately', async () => {
    await panel().getByRole('button', { name: '暫停服務', exact: true }).click();
    await page
      .getByRole('dialog', { name: '暫停「儲存 專業」？' })
      .getByRole('button', { name: '暫停服務' })
      .click();
    await panel().getByText('已暫停', { exact: true }).waitFor();
    await panel().getByRole('button', { name: '恢復使用' }).click();
    await panel().getByText('使用中', { exact: true }).waitFor();
  });
});

test.describe('ending (R-CAT-04, R-CAT-08)', () => {
  test('at the end of the month shows the three warnings, and is withdrawn', async () => {
    await panel().getByRole('button', { name: '取消訂閱' }).click();
    const dialog = page.getByRole('alertdialog', { name: '取消訂閱「儲存 專業」？' });
    for (const warning of [
      '終止後，剩餘的用量將會失去。',
      '用量紀錄與帳單會保留。',
      '之後如要使用，必須重新訂閱。',
    ])
      await dialog.getByText(warning).waitFor();
    const bills = dialog.getByRole('region', { name: '費用預覽' }).getByRole('table');
    await expect(bills.first()).toContainText('儲存 專業');
    await expect(bills.last()).toContainText('沒有基本費。');
    const confirm = dialog.getByRole('button', { name: '取消訂閱' });
    await confirm.click();
    await dialog.getByText('請先勾選這一項。').waitFor();
    await expect(dialog.getByLabel('我了解上述影響')).toBeFocused();
    await dialog.getByLabel('我了解上述影響').check();
    await dialog.getByLabel('原因（選填）').fill('改用其他方案');
    await confirm.click();
    await panel().getByText('即將終止', { exact: true }).waitFor();
    await panel().getByText('「改用其他方案」').waitFor();
    await panel().getByRole('button', { name: '撤回取消訂閱' }).click();
    await panel().getByText('使用中', { exact: true }).waitFor();
  });

  test('immediately is final; the history shows who did what', async () => {
    await panel().getByRole('button', { name: '取消訂閱' }).click();
    const dialog = page.getByRole('alertdialog', { name: '取消訂閱「儲存 專業」？' });
    await dialog.getByRole('radio', { name: '立即' }).check();
    await dialog.getByText(/^服務立即停止，無法撤回/).waitFor();
    await dialog.getByLabel('我了解上述影響').check();
    await dialog.getByRole('button', { name: '取消訂閱' }).click();
    await panel().getByText('已終止', { exact: true }).waitFor();
    await panel().getByRole('button', { name: '顯示全部' }).click();
    const history = panel().getByRole('list', { name: '異動紀錄' });
    for (const words of [
      '立即終止',
      '撤回取消訂閱',
      '取消訂閱',
      '恢復使用',
      '暫停',
      '撤回排定的變更',
      '排定變更方案',
      '變更方案',
      '訂閱',
      '採購',
      '營運人員',
    ])
      await expect(history).toContainText(words);
    await expect(panel().getByRole('button', { name: '變更方案' })).toHaveCount(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(user.pageErrors).toEqual([]);
  });
});

test.describe('renewing', () => {
  test('shows the fees of the next term before it is confirmed', async () => {
    await takeOneTerm();
    await openPanel('備份');
    const preview = Promise.withResolvers<void>();
    await page.route(/renew\/preview/, async (route) => {
      await preview.promise;
      await route.continue();
    });
    await panel().getByRole('button', { name: '續訂服務' }).click();
    const dialog = page.getByRole('dialog', { name: '續訂「備份」' });
    const button = dialog.getByRole('button', { name: '續訂服務' });
    // Waits until nothing moves.
    await dialog.getByLabel('之後自動續訂').hover();
    const before = await button.boundingBox();
    preview.resolve();
    const bills = dialog.getByRole('region', { name: '費用預覽' }).getByRole('table');
    await expect(bills.first()).toContainText('備份');
    await expect(bills.last()).toContainText('沒有基本費。');
    // The room of the fees is reserved: what is about to be clicked does not move when they arrive.
    expect(await button.boundingBox()).toEqual(before);
    await dialog.getByLabel('之後自動續訂').check();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '續訂服務' }).click();
    await dialog.waitFor({ state: 'detached' });
    await panel().getByRole('button', { name: '續訂服務' }).waitFor({ state: 'detached' });
    expect(user.pageErrors).toEqual([]);
  });
});
