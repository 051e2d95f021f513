// A bill paid by card in a real browser: to the provider, back, and paid when the provider confirms, without
// a reload.
import { FakeStripe, stripeSecret, type StripeEvent } from '../tests/support/stripe.ts';
import { importCustomer } from '#tests/support/browser/imported-customer.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const stripe = new FakeStripe();
const payer = { account: 'payer@customer.example', password: 'another long passphrase' };
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  await stripe.start();
  journey = await startJourney({
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    STRIPE_API_BASE: stripe.address,
  });
  const admin = await journey.setUp();
  await importCustomer(journey, admin, payer);
});
test.afterAll(async () => {
  await journey.end();
  await stripe.stop();
});

/** Sends a Stripe event to the console. */
async function says(event: StripeEvent): Promise<void> {
  const { body, headers } = stripe.signed(event, new Date());
  expect(
    (await fetch(`${journey.address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers }))
      .status,
  ).toBe(200);
}

test.describe('paying by card', () => {
  test('leads to the provider and back, waits, and shows paid when the provider confirms (R-BILL-02)', async () => {
    const { page, pageErrors } = await journey.person({ elsewhere: [stripe.address] });
    await journey.openSession(payer, page);
    await page.goto(`${journey.address}/billing/management?month=2024-09`);
    await page.getByRole('button', { name: /^立即付款/ }).click();
    await page.getByRole('radio', { name: /信用卡（Stripe）/ }).check();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^支付\s*US\$/ })
      .click();
    await page.getByRole('heading', { name: 'Checkout' }).waitFor();
    const [session] = [...stripe.sessions.values()];
    const event = stripe.pay(session?.client_reference_id ?? '');
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByText('等待金流服務確認').waitFor();
    // The payer’s bank takes days: a second payment is rejected with that reason (R-BILL-05).
    const waiting = stripe.event('checkout.session.completed', {
      ...session,
      payment_status: 'unpaid',
      payment_intent: null,
    });
    await says(waiting);
    const { page: second } = await journey.person({ elsewhere: [stripe.address] });
    await journey.openSession(payer, second);
    await second.goto(`${journey.address}/billing/management?month=2024-09`);
    await second.getByRole('button', { name: /^立即付款/ }).click();
    const underWay = second.getByRole('dialog', { name: '付款處理中' });
    await underWay.getByText(/US\$/).waitFor();
    await underWay.getByText('開始時間').waitFor();
    await underWay.getByText(/銀行正在轉帳/).waitFor();
    expect([stripe.sessions.size, await underWay.getByRole('radio').count()]).toEqual([1, 0]);
    await underWay.getByRole('button', { name: '關閉' }).last().click();
    expect(await page.getByText(/已支付/).count()).toBe(0);
    await says({ ...event, type: 'checkout.session.async_payment_succeeded' });
    const dialog = page.getByRole('dialog', { name: '付款結果' });
    await dialog.getByText(/已支付\s*US\$/).waitFor();
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: '下載收據' }).click(),
    ]);
    expect(receipt.suggestedFilename()).toMatch(/^PAY-[0-9A-Z]{8}\.pdf$/);
    await dialog.getByRole('button', { name: '完成' }).click();
    await page.goto(`${journey.address}/billing/management?month=2024-09&view=payments`);
    await page.getByText('已付款').first().waitFor();
    await page
      .getByRole('row', { name: /信用卡（Stripe）/ })
      .getByText('成功')
      .waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('shows a dispute to the operator; the withdrawn amount is due again on the open page, and what is returned is paid (R-BILL-05, R-ADM-01)', async () => {
    const [session] = [...stripe.sessions.values()];
    const [paymentId, minor] = [session?.client_reference_id ?? '', session?.amount_total ?? 0];
    const customer = await journey.openSession(payer);
    await customer.goto(`${journey.address}/billing/management?month=2024-09`);
    await customer.getByText('已付款').first().waitFor();
    const { dispute, event } = stripe.dispute(paymentId, minor);
    await says(event);
    const reader = await journey.openSession(payer);
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/dashboard`);
    await page.getByText('1 筆付款有爭議，等待提出證據').waitFor();
    await page.getByRole('link', { name: /查看最先到期的一筆/ }).click();
    const panel = page.getByRole('dialog', { name: '付款明細' });
    const disputes = panel.getByRole('list', { name: '爭議款' });
    for (const text of ['待提出證據', '非本人交易', '請在期限前到金流服務提出證據；逾期視同敗訴。'])
      await disputes.getByText(text).waitFor();
    await says(stripe.moveDisputed(dispute, -minor, 1500));
    await customer.getByRole('button', { name: /^立即付款/ }).waitFor();
    await disputes.getByText('恢復為待付款').waitFor();
    await disputes.getByText(/US\$\s*15\.00/).waitFor();
    // Both lists show it, beside the payment’s status.
    const another = await journey.openSession(operator);
    await another.goto(`${journey.address}/admin/payments`);
    await another.getByRole('row', { name: /信用卡（Stripe）.*成功.*有爭議.*已收回/ }).waitFor();
    await reader.goto(`${journey.address}/billing/management?month=2024-09&view=payments`);
    await reader.getByRole('row', { name: /信用卡（Stripe）.*成功.*有爭議.*已收回/ }).waitFor();
    await says(stripe.moveDisputed(dispute, minor));
    await says(stripe.closeDispute(dispute, 'won'));
    await disputes.getByText('勝訴').waitFor();
    await customer.getByText('已付款').first().waitFor();
    await expect(customer.getByRole('button', { name: /^立即付款/ })).toHaveCount(0);
    await page.goto(`${journey.address}/admin/ledger`);
    // The withdrawn amount was returned; the fee was not.
    await page
      .getByRole('row', { name: /金流費用.*US\$\s*15\.00/ })
      .first()
      .waitFor();
  });

  test('leads the operator from the dashboard to an event that could not be applied, and stores how it was resolved (R-ADM-01)', async () => {
    const [session] = [...stripe.sessions.values()];
    const { dispute } = stripe.dispute(session?.client_reference_id ?? '', session?.amount_total ?? 0);
    const { body, headers } = stripe.signed(
      stripe.event('charge.dispute.created', { ...dispute, currency: 'jpy' }),
      new Date(),
    );
    expect(
      (await fetch(`${journey.address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers }))
        .status,
    ).toBe(422);
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/dashboard`);
    await page.getByRole('link', { name: /1 則金流通知無法處理/ }).click();
    const waiting = page.getByRole('list', { name: '無法處理的金流通知' });
    await expect.poll(() => waiting.getByRole('listitem').count()).toBe(1);
    await waiting.getByRole('button', { name: /標示為已處理/ }).click();
    const dialog = page.getByRole('dialog', { name: '標示為已處理' });
    await dialog.getByRole('textbox', { name: '處理方式' }).fill('金流服務的測試通知，無需處理');
    await dialog.getByRole('button', { name: '標示為已處理' }).click();
    await page.getByText('目前沒有待處理的通知。').waitFor();
    await page.getByRole('button', { name: '顯示已處理的通知（1）' }).click();
    await page
      .getByRole('list', { name: '已處理的金流通知' })
      .getByText(/處理：金流服務的測試通知，無需處理/)
      .waitFor();
    await page.goto(`${journey.address}/admin/dashboard`);
    await page.getByRole('heading', { name: /^需要處理/ }).waitFor();
    expect(await page.getByText('則金流通知無法處理').count()).toBe(0);
  });
});
