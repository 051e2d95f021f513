// A saved card in a real browser: consent, to the provider, back; then a bill is charged automatically, and
// an Admin sees brand and last four digits. With ECPay it is entered on a page of the console, in ECPay’s
// script.
import { ecpayAccount, FakeEcpay } from '../tests/support/ecpay.ts';
import { FakeStripe, stripeSecret, type StripeEvent } from '../tests/support/stripe.ts';
import { importCustomer } from '#tests/support/browser/imported-customer.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const stripe = new FakeStripe();
const ecpay = new FakeEcpay();
const payer = { account: 'cards@customer.example', password: 'another long passphrase' };
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  await stripe.start();
  await ecpay.start();
  journey = await startJourney({
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    STRIPE_API_BASE: stripe.address,
    ECPAY_MERCHANT_ID: ecpayAccount.merchantId,
    ECPAY_HASH_KEY: ecpayAccount.hashKey,
    ECPAY_HASH_IV: ecpayAccount.hashIv,
    ECPAY_API_BASE: ecpay.address,
    ECPAY_SAVED_CARDS: 'yes',
  });
  const admin = await journey.setUp();
  await importCustomer(journey, admin, payer);
  await journey.call(
    'PUT',
    '/admin/collection',
    { firstDay: 'issue', daysBefore: 1, retryDays: [1, 3] },
    admin,
  );
});
test.afterAll(async () => {
  await journey.end();
  await stripe.stop();
  await ecpay.stop();
});

async function says(event: StripeEvent): Promise<void> {
  const { body, headers } = stripe.signed(event, new Date());
  expect(
    (await fetch(`${journey.address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers }))
      .status,
  ).toBe(200);
}

test('T-CARD: a card is saved with consent, a decline explains the next attempts, and another card pays', async () => {
  const { page, pageErrors } = await journey.person({ elsewhere: [stripe.address] });
  await journey.openSession(payer, page);
  const open = () => page.goto(`${journey.address}/billing/management?month=2024-09`);
  const save = async (last4: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    if (!(await dialog.isVisible())) await page.getByRole('button', { name: '付款方式' }).click();
    await dialog.getByRole('button', { name: '新增卡片' }).click();
    if (last4 === '4242') {
      await dialog.getByRole('button', { name: '前往輸入卡片' }).click();
      await expect(dialog).toContainText('請先同意，才能儲存卡片。');
    }
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: '前往輸入卡片' }).click();
    await page.getByRole('heading', { name: 'Save a card' }).waitFor();
    const setups = [...stripe.cards.setups.values()];
    const session = stripe.cards.enter(setups.at(-1)?.url ?? '', { last4 });
    await page.getByRole('link', { name: 'Save' }).click();
    await expect(page.getByRole('status').filter({ hasText: '金流服務確認後' })).toBeVisible();
    await says(stripe.event('checkout.session.completed', session));
    await expect(page.getByText(`Visa 末四碼 ${last4}`)).toBeVisible();
  };
  await open();
  await page.getByRole('button', { name: '付款方式' }).click();
  await expect(page.getByRole('switch', { name: /以預設卡片自動支付帳單/ })).toBeDisabled();
  await save('4242');
  stripe.cards.declines.push('stolen_card');
  const automatic = page.getByRole('switch', { name: /以預設卡片自動支付帳單/ });
  await automatic.click();
  await expect(automatic).toBeChecked();
  // It shows the selection while the call runs, which leaving the page would cancel.
  await expect(automatic).toBeEnabled();
  await open();
  await expect(page.getByText('這張卡片無法再扣款')).toBeVisible();
  await expect(page.getByText('發卡銀行拒絕')).toBeVisible();
  await save('1881');
  await page.getByRole('button', { name: /Visa 末四碼 1881/ }).click();
  await page.getByRole('menuitem', { name: '設為預設' }).click();
  await page.getByText('之後的帳單會以這張卡片扣款。').first().waitFor();
  await open();
  await expect(page.getByText('第 2 次 · Visa 末四碼 1881')).toBeVisible();
  await expect(page.getByText('第 1 次 · Visa 末四碼 4242')).toBeVisible();
  await expect(page.getByRole('button', { name: /^立即付款/ })).toHaveCount(0);
  expect(pageErrors).toEqual([]);
});

test('T-CARD: a card is entered in ECPay’s script on the only page that may load it, and the bank asks for confirmation', async () => {
  const { page, pageErrors } = await journey.person({ elsewhere: [ecpay.address] });
  await journey.openSession(payer, page);
  const bills = await page.goto(`${journey.address}/billing/management`);
  expect(bills?.headers()['content-security-policy']).not.toContain(`script-src 'self' ${ecpay.address}`);
  await page.getByRole('button', { name: '付款方式' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '新增卡片' }).click();
  await dialog.getByRole('combobox', { name: '透過' }).selectOption({ label: '綠界科技 ECPay' });
  await dialog.getByRole('checkbox').check();
  const [entry] = await Promise.all([
    page.waitForResponse((each) => new URL(each.url()).pathname === '/billing/card-entry'),
    dialog.getByRole('button', { name: '前往輸入卡片' }).click(),
  ]);
  expect(entry.headers()['content-security-policy']).toMatch(
    new RegExp(`script-src 'self' 'nonce-[^']+' ${ecpay.address}[; ]`),
  );
  await page.getByLabel('Card number').fill('4311952222222222');
  await page.getByRole('button', { name: '儲存卡片' }).click();
  await page.getByRole('heading', { name: 'The bank asks' }).waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Visa 末四碼 2222')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/billing/management');
  expect(pageErrors).toEqual([]);
});

test('T-CARD: an Admin sees who has cards and switches charging off', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/payments`);
  const list = page.getByRole('list', { name: '儲存的卡片' });
  await expect(list).toContainText('Visa 末四碼 1881');
  await list.getByRole('button', { name: /停用/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '停用' }).click();
  await expect(list).toContainText('未啟用');
  expect(pageErrors).toEqual([]);
});
