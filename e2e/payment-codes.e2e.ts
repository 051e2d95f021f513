// A bill paid through a virtual account and a store code in a real browser: to ECPay, back with the account
// and its deadline, and paid when ECPay confirms, without a reload.
import { ecpayAccount, FakeEcpay } from '#tests/support/ecpay.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const ecpay = new FakeEcpay();
const payer = { account: 'payer@customer.example', password: 'another long passphrase' };
let journey: Journey;
/** The page of the bill. */
let billPage: string;

test.beforeAll(async ({ startJourney }) => {
  await ecpay.start();
  journey = await startJourney({
    ECPAY_MERCHANT_ID: ecpayAccount.merchantId,
    ECPAY_HASH_KEY: ecpayAccount.hashKey,
    ECPAY_HASH_IV: ecpayAccount.hashIv,
    ECPAY_API_BASE: ecpay.address,
    ECPAY_ATM: '11-49999',
    ECPAY_CVS: '33-6000',
  });
  const admin = await journey.setUp();
  const user = await journey.register({ ...payer, name: '付款人', organization: '晨光科技' });
  const service = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '機櫃',
      type: '代管',
      category: '平台',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '8000' },
      quota: { type: 'unlimited' },
      meter: { eventType: 'rack', aggregation: 'sum', unit: '台' },
    },
    admin,
  );
  const [year = 0, month = 0] = new Date().toISOString().slice(0, 7).split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 2, 1)).toISOString();
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId: service.id, startedAt: last },
    admin,
  );
  await journey.call('POST', '/admin/billing/close', { month: last.slice(0, 7) }, admin);
  billPage = `${journey.address}/billing/management?month=${last.slice(0, 7)}`;
});
test.afterAll(async () => {
  await journey.end();
  await ecpay.stop();
});

/** Sends an ECPay notification to the console. */
async function says(fields: Record<string, string>, way: 'ecpay_atm' | 'ecpay_cvs'): Promise<void> {
  const answer = await fetch(`${journey.address}/api/payments/webhooks/${way}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  expect([answer.status, await answer.text()]).toEqual([200, '1|OK']);
}

const deadline = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/');

test.describe('T-PAY: payment codes', () => {
  test('of a virtual account are shown on return and when paying again, and the bill becomes paid by itself', async () => {
    const { page, pageErrors } = await journey.person({ elsewhere: [ecpay.address] });
    await journey.openSession(payer, page);
    await page.goto(billPage);
    await page.getByRole('button', { name: /^立即付款/ }).click();
    const pay = page.getByRole('dialog');
    // A store accepts at most NT$6,000, and the page says so.
    await pay.getByRole('radio', { name: /超商代碼.*NT\$6,000/ }).check();
    await pay.getByText('金額超出這種付款方式的範圍').waitFor();
    await pay.getByRole('radio', { name: /ATM 虛擬帳號.*NT\$11 到 NT\$49,999/ }).check();
    await pay.getByRole('button', { name: '取得付款資訊' }).click();
    await page.getByRole('heading', { name: 'ECPay' }).waitFor();
    const [order] = [...ecpay.orders.keys()];
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByText('等待金流服務確認').waitFor();
    await says(ecpay.instruct(order ?? '', { ExpireDate: deadline(7) }), 'ecpay_atm');
    const returned = page.getByRole('dialog', { name: '虛擬帳號' });
    await returned.getByText('9103522175887271').waitFor();
    await returned.getByText('005', { exact: true }).waitFor();
    await returned.getByText(`${deadline(7)} 23:59`).waitFor();
    await returned.getByRole('button', { name: '完成' }).click();
    // Paying again gives no second account.
    await page.goto(billPage);
    await page.getByRole('button', { name: /^立即付款/ }).click();
    await page.getByRole('radio', { name: /ATM 虛擬帳號/ }).check();
    await page.getByRole('button', { name: '取得付款資訊' }).click();
    await page.getByRole('dialog', { name: '虛擬帳號' }).getByText('9103522175887271').waitFor();
    expect(ecpay.orders.size).toBe(1);
    await page.goto(`${journey.address}/billing/management?view=payments`);
    const row = page.getByRole('row', { name: /ATM 虛擬帳號/ });
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: '虛擬帳號' }).click();
    await page.getByRole('dialog', { name: '虛擬帳號' }).getByText('9103522175887271').waitFor();
    await says(ecpay.pay(order ?? ''), 'ecpay_atm');
    await page
      .getByRole('dialog', { name: '付款結果' })
      .getByText(/已支付\s*NT\$8,400/)
      .waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('of a convenience store pay a top-up, booked by itself', async () => {
    const { page } = await journey.person({ elsewhere: [ecpay.address] });
    await journey.openSession(payer, page);
    await page.goto(`${journey.address}/billing/management`);
    await page.getByRole('button', { name: '儲值' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '金額' }).fill('3000');
    await dialog.getByRole('combobox', { name: '付款方式' }).selectOption('超商代碼（綠界）');
    await dialog.getByRole('button', { name: '儲值' }).click();
    await page.getByRole('heading', { name: 'ECPay' }).waitFor();
    const order = [...ecpay.orders.keys()].at(-1) ?? '';
    await says(ecpay.instruct(order, { ExpireDate: `${deadline(7)} 20:45:07` }), 'ecpay_cvs');
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByRole('dialog', { name: '超商代碼' }).getByText('LLL24112512345').waitFor();
    await says(ecpay.pay(order), 'ecpay_cvs');
    const returned = page.getByRole('dialog', { name: '付款結果' });
    await returned
      .getByText(/NT\$3,000/)
      .first()
      .waitFor();
    await returned.getByRole('button', { name: '下載收據' }).waitFor();
  });
});
