// One-off charges in a real browser: created, approved by a second Admin, seen by the customer; and a minimum
// spend, set and ended.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const second = { account: 'second@cloud.example', password };
const owner = { account: 'owner@customer.example', password };
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.call(
    'POST',
    '/admin/users',
    { account: second.account, name: '林第二', role: 'Admin', password },
    token,
  );
  const user = await journey.register({
    account: owner.account,
    password,
    name: '客戶管理者',
    organization: '晨光',
  });
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '虛擬主機',
      type: 'API',
      category: '平台',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '0' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    token,
  );
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId },
    token,
  );
});
test.afterAll(() => journey.end());

test.describe('T-ONEOFF: a one-off charge', () => {
  test('above the limit waits for a second Admin, who approves it; then the customer sees it as upcoming', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/one-off-charges`);
    await page.getByText('還沒有單次費用').waitFor();

    // From NT$5,000 on a second Admin decides.
    await page.getByLabel('需要第二位管理員核准').check();
    await page.getByLabel(/^金額超過/).fill('5,000');
    await page.getByRole('button', { name: '儲存設定' }).click();
    await page.getByText('核准設定已儲存。').waitFor();

    await page.getByRole('button', { name: '建立單次費用' }).first().click();
    const dialog = page.getByRole('dialog', { name: '建立單次費用' });
    await dialog.getByRole('button', { name: '建立收費' }).click();
    await dialog.getByText('請填寫組織。').waitFor();
    await dialog.getByRole('combobox', { name: /^組織/ }).fill('晨');
    await page.getByRole('option', { name: /晨光/ }).click();
    await dialog.getByLabel(/^訂閱/).selectOption({ label: '虛擬主機' });
    await dialog.getByLabel(/^中文名稱/).fill('到場設定');
    await dialog.getByLabel(/^英文名稱/).fill('On-site set-up');
    await dialog.getByLabel(/^數量/).fill('1.12345678');
    await dialog.getByLabel(/^單價/).fill('2,499.8');
    await dialog.getByText('請輸入大於零的數量，小數最多 6 位。').waitFor();
    await dialog.getByLabel(/^數量/).fill('2.5');
    // 6,249.5, rounded once.
    await dialog.getByRole('region', { name: '結果' }).getByText('NT$6,250').waitFor();
    await dialog.getByText('超過 NT$5,000 或為其他幣別，須由另一位管理員核准後才會出帳。').waitFor();
    await dialog.getByLabel(/^內部備註/).fill('工單 17');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '建立收費' }).click();
    await page.getByText('已建立「到場設定」，等待另一位管理員核准。').waitFor();
    const waiting = page.getByRole('list', { name: '待核准' });
    await waiting.getByText('等待其他管理員').waitFor();
    expect(await waiting.getByRole('button', { name: /^核准/ }).count()).toBe(0);

    const approver = await journey.openSession(second);
    await approver.goto(`${journey.address}/admin/notifications`);
    await approver
      .getByRole('link', { name: /Operator 為「晨光」建立的單次費用「到場設定」（NT\$6,250）等待核准。/ })
      .click();
    const panel = approver.getByRole('dialog', { name: '單次費用' });
    await panel.getByText('2.5 × NT$2,499.8').waitFor();
    await panel.getByText('工單 17').waitFor();
    expect(await axeFindings(approver)).toEqual([]);
    await panel.getByRole('button', { name: '核准' }).click();
    await approver.getByRole('alertdialog').getByRole('button', { name: '核准 NT$6,250' }).click();
    await panel.getByText('待出帳').waitFor();
    await panel.getByText('已核准', { exact: true }).waitFor();

    // The creator’s list updates without a reload.
    await page.getByRole('row', { name: /到場設定.*待出帳/ }).waitFor();
    await waiting.waitFor({ state: 'detached' });

    const customer = await journey.openSession(owner);
    await customer.goto(`${journey.address}/billing/credits`);
    const coming = customer.getByRole('list', { name: '即將出帳的單次費用' });
    await coming.getByText('到場設定').waitFor();
    await coming.getByText('NT$6,250').waitFor();
    await coming.getByText(/虛擬主機 · 2.5 × NT\$2,499.8/).waitFor();
    expect(await customer.getByText('工單 17').count()).toBe(0);
    expect(await axeFindings(customer)).toEqual([]);
  });

  test('as a small credit needs no approval; once withdrawn, the customer no longer sees it', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/one-off-charges`);
    await page.getByRole('button', { name: '建立單次費用' }).first().click();
    const dialog = page.getByRole('dialog', { name: '建立單次費用' });
    await dialog.getByRole('combobox', { name: /^組織/ }).fill('晨');
    await page.getByRole('option', { name: /晨光/ }).click();
    await dialog.getByLabel(/^類別/).selectOption({ label: '折抵' });
    await dialog.getByText('若整張帳單因此低於零，差額會轉入組織的餘額。').waitFor();
    await dialog.getByLabel(/^中文名稱/).fill('中斷補償');
    await dialog.getByLabel(/^英文名稱/).fill('Outage credit');
    await dialog.getByLabel(/^單價/).fill('300');
    await dialog.getByRole('region', { name: '結果' }).getByText('-NT$300').waitFor();
    await dialog.getByRole('button', { name: '建立折抵' }).click();
    await page.getByRole('row', { name: /中斷補償.*待出帳/ }).click();

    const customer = await journey.openSession(owner);
    await customer.goto(`${journey.address}/billing/credits`);
    await customer.getByText('中斷補償').waitFor();

    const panel = page.getByRole('dialog', { name: '單次費用' });
    await panel.getByRole('button', { name: '撤回' }).click();
    const withdrawal = page.getByRole('alertdialog');
    await withdrawal.getByLabel(/^原因/).fill('改以折讓處理');
    await withdrawal.getByRole('button', { name: '撤回 -NT$300' }).click();
    await panel.getByText('改以折讓處理').waitFor();
    await customer.getByText('中斷補償').waitFor({ state: 'detached' });
    await customer.getByText('到場設定').waitFor();
  });

  test('can be created on a phone, where the submit button is always visible and covers no focused field', async () => {
    const { page } = await journey.person({ width: 375, height: 640 });
    await journey.openSession(operator, page);
    await page.goto(`${journey.address}/admin/one-off-charges`);
    await page.getByRole('button', { name: '建立單次費用' }).first().click();
    const dialog = page.getByRole('dialog', { name: '建立單次費用' });
    const send = dialog.getByRole('button', { name: '建立收費' });
    await expect(send).toBeInViewport({ ratio: 1 });
    const note = dialog.getByLabel(/^內部備註/);
    await expect(note).not.toBeInViewport();
    const isReached = async (): Promise<boolean> => (await dialog.locator('[name=note]:focus').count()) > 0;
    for (let stops = 0; stops < 20 && !(await isReached()); stops++) await page.keyboard.press('Tab');
    await expect(note).toBeFocused();
    const [field, button] = [await note.boundingBox(), await send.boundingBox()];
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(button?.y ?? 0);
    expect(await axeFindings(page)).toEqual([]);
  });
});

test.describe('T-ONEOFF: a minimum monthly spend', () => {
  test('is set, rejected for overlapping months, read by the customer, and canceled', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/one-off-charges`);
    const set = async (amount: string) => {
      await page.getByRole('button', { name: '設定最低消費' }).click();
      const dialog = page.getByRole('dialog', { name: '設定最低消費' });
      await dialog.getByRole('combobox', { name: /^組織/ }).fill('晨');
      await page.getByRole('option', { name: /晨光/ }).click();
      await dialog.getByLabel(/^每月最低金額/).fill(amount);
      return dialog;
    };
    const dialog = await set('50,000');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: '設定最低消費', exact: true }).click();
    const row = page.getByRole('row', { name: /晨光.*適用中.*NT\$50,000/ });
    await row.waitFor();

    const again = await set('1');
    await again.getByRole('button', { name: '設定最低消費', exact: true }).click();
    await again
      .getByText(/已有 TWD 的最低消費，且沒有結束月份/)
      .first()
      .waitFor();
    await again.getByRole('button', { name: '取消' }).click();

    const customer = await journey.openSession(owner);
    await customer.goto(`${journey.address}/billing/credits`);
    await customer.getByText('每月最低消費為 NT$50,000（未稅），不足時帳單補足差額。').waitFor();

    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: '結束' }).click();
    const end = page.getByRole('dialog', { name: '結束「晨光」的最低消費' });
    await end.getByLabel(/^最後適用的月份/).selectOption({ index: 0 });
    await end.getByText('這項最低消費不會適用於任何月份。').waitFor();
    await end.getByRole('button', { name: '結束最低消費', exact: true }).click();
    await page.getByRole('row', { name: /晨光.*已取消/ }).waitFor();
    await customer.getByText(/每月最低消費為/).waitFor({ state: 'detached' });
  });
});
