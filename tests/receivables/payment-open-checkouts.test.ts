// Checkouts that take time: payments that take days, and checkouts that are no longer needed.
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { registerUser } from '../support/console.ts';
import { createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
beforeAll(async () => {
  app = await createPaymentApp(20);
});
afterEach(() => app.checkBooks());

describe('R-BILL-01: a payment that takes days', () => {
  it.each([
    ['succeeded', 'paid'],
    ['failed', 'unpaid'],
  ] as const)('makes its bill `processing`, and is then %s', async (how, end) => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    const session = app.stripe.sessionOf(intent.id);
    const completed = app.stripe.event('checkout.session.completed', {
      ...session,
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: null,
    });
    expect(await app.sendStripeEvent(completed)).toBe(200);
    expect(await app.billNow(bill.id)).toMatchObject({
      state: 'open',
      paymentStatus: 'processing',
      paid: twd(0),
    });
    const paid = app.stripe.pay(intent.id);
    if (how === 'failed') Object.assign(session, { payment_status: 'unpaid', payment_intent: null });
    const event =
      how === 'failed'
        ? app.stripe.event('checkout.session.async_payment_failed', session)
        : { ...paid, type: 'checkout.session.async_payment_succeeded' };
    expect(await app.sendStripeEvent(event)).toBe(200);
    const after = (await app.billNow(bill.id)).paymentStatus;
    expect(end === 'unpaid' ? ['unpaid', 'overdue'] : [end]).toContain(after);
    // A late event changes nothing any more.
    expect(await app.sendStripeEvent({ ...completed, id: `${completed.id}-again` })).toBe(200);
    expect((await app.billNow(bill.id)).paymentStatus).toBe(after);
  });
});

describe('T-PAY: amounts that Stripe accepts', () => {
  it('in Kuwaiti dinars are multiples of 0.010; for others the message says which are next', async () => {
    const { token } = app.user;
    const dinars = (minor: bigint) => money(minor, 'KWD');
    const { status, envelope } = await app.call(
      payments.topUp,
      { amount: dinars(1234n), method: 'stripe' },
      { token },
    );
    expect([status, envelope.code, envelope.errors?.[0]?.field]).toEqual([
      422,
      'payments.amount_not_in_steps',
      'amount',
    ]);
    expect(envelope.message).toMatch(/0\.010.*1\.230.*1\.240/);
    const opened = await app.ok(payments.topUp, { amount: dinars(1230n), method: 'stripe' }, { token });
    expect(app.stripe.sessionOf(opened.id)).toMatchObject({ currency: 'kwd', amount_total: 1230 });
    // A bank transfer can be of any amount.
    await app.ok(payments.topUp, { amount: dinars(1234n) }, { token });
  });
});

/** The payer has finished at Stripe, but their bank takes days. */
const completed = (paymentId: string) =>
  app.stripe.event(
    'checkout.session.completed',
    Object.assign(app.stripe.sessionOf(paymentId), {
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: null,
    }),
  );
const again = (
  billId: string,
  method: 'stripe' | 'ecpay' | 'balance',
  amount?: number,
  language: 'zhTW' | 'enUS' = 'enUS',
  headers = {},
) =>
  app.call(
    payments.payBill,
    { billId: billId as never, method, ...(amount !== undefined && { amount: twd(amount) }) },
    { token: app.user.token, language, headers },
  );

/** Why the last attempt to close a payment's checkout failed; null while none has failed. */
async function lastFailureToClose(paymentId: string): Promise<string | null> {
  const { rows } = await sql<{
    reason: string | null;
  }>`select last_error as reason from outbox where kind = 'payments.close_checkout' and key = ${paymentId}`.execute(
    app.app.database.kysely,
  );
  return rows[0]?.reason ?? null;
}

describe('R-BILL-05: a payment in progress', () => {
  it('cannot be paid again by any method: the message has amount and time in both languages, and no second checkout opens; after a failure it can', async () => {
    const bill = app.bill();
    const headers = { 'idempotency-key': 'under-way' };
    const intent = (await again(bill.id, 'stripe', undefined, 'enUS', headers)).data;
    expect(intent.checkout).not.toBeNull();
    expect(await app.sendStripeEvent(completed(intent.id))).toBe(200);
    const sessions = app.stripe.sessions.size;
    for (const method of ['stripe', 'ecpay', 'balance'] as const)
      expect(await again(bill.id, method), method).toMatchObject({
        status: 409,
        envelope: { code: 'payments.under_way' },
      });
    expect((await again(bill.id, 'stripe', 1)).envelope.code).toBe('payments.under_way');
    expect((await again(bill.id, 'stripe')).envelope.message).toBe(
      'A payment of NT$1,050 has been in progress since Oct 5, 2024, 11:00. Wait for the bank. There’s no need to pay again.',
    );
    expect((await again(bill.id, 'stripe', undefined, 'zhTW')).envelope.message).toMatch(
      /^NT\$1,050 的付款已在處理中（2024年10月5日 11:00開始）/,
    );
    // Repeating the call returns its payment, without a link to the finished checkout.
    expect((await again(bill.id, 'stripe', undefined, 'enUS', headers)).data).toMatchObject({
      id: intent.id,
      checkout: null,
    });
    expect(app.stripe.sessions.size).toBe(sessions);
    expect(
      (await app.ok(payments.paymentOptions, { billId: bill.id }, { token: app.user.token })).underWay,
    ).toEqual({ amount: twd(1050), since: app.clock.now() });
    const other = await registerUser(app, 'other@two.example', 'Two');
    expect(
      (await app.ok(payments.paymentOptions, { billId: bill.id }, { token: other.token })).underWay,
    ).toBeNull();
    await app.sendStripeEvent(
      app.stripe.event('checkout.session.async_payment_failed', app.stripe.sessionOf(intent.id)),
    );
    expect(await again(bill.id, 'stripe')).toMatchObject({ status: 201 });
  });

  it('of a part allows paying only the rest', async () => {
    const bill = app.bill();
    const part = await app.pay(bill.id, 'stripe', 50);
    await app.sendStripeEvent(completed(part.id));
    expect([
      (await again(bill.id, 'stripe')).envelope.code,
      (await again(bill.id, 'stripe', 1001)).envelope.code,
    ]).toEqual(['payments.under_way', 'payments.under_way']);
    const rest = await app.pay(bill.id, 'stripe', 1000);
    await app.sendStripeEvent(app.stripe.pay(rest.id));
    expect(await app.billNow(bill.id)).toMatchObject({
      state: 'open',
      paymentStatus: 'processing',
      due: twd(50),
    });
    await app.sendStripeEvent({
      ...app.stripe.pay(part.id),
      type: 'checkout.session.async_payment_succeeded',
    });
    expect((await app.billNow(bill.id)).state).toBe('paid');
  });

  it('closes all other checkouts for the same bill, including one opened at the same moment', async () => {
    const bill = app.bill();
    const [first, second] = [await app.pay(bill.id, 'stripe'), await app.pay(bill.id, 'stripe', 1000)];
    const [status, ...racing] = await Promise.all([
      app.sendStripeEvent(completed(first.id)),
      ...[900, 800, 700, 600].map((amount) => again(bill.id, 'stripe', amount)),
    ]);
    expect(status).toBe(200);
    const opened = [second, ...racing.filter((answer) => answer.status === 201).map((answer) => answer.data)];
    for (const answer of racing) expect([201, 409]).toContain(answer.status);
    // A checkout that was still being created when it was to be closed is retried later.
    await app.later(1);
    for (const { id } of opened)
      await expect.poll(async () => (await app.payment(id)).failure).toBe('not_needed');
    expect(opened.map(({ id }) => app.stripe.sessionOf(id).status)).toEqual(opened.map(() => 'expired'));
    await app.sendStripeEvent({
      ...app.stripe.pay(first.id),
      type: 'checkout.session.async_payment_succeeded',
    });
    expect((await app.billNow(bill.id)).state).toBe('paid');
  });

  it('is recognized from the provider’s response if its webhook never arrives', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    completed(intent.id);
    await app.later(3);
    expect(await app.billNow(bill.id)).toMatchObject({ paymentStatus: 'processing' });
    expect((await again(bill.id, 'stripe')).envelope.code).toBe('payments.under_way');
  });
});

describe('an open checkout', () => {
  it('is closed at its provider once its bill is paid otherwise, even in part; one that still fits stays open', async () => {
    const bill = app.bill();
    const [whole, part] = [await app.pay(bill.id, 'stripe'), await app.pay(bill.id, 'stripe', 50)];
    await app.sendStripeEvent(app.stripe.pay((await app.pay(bill.id, 'stripe', 1000)).id));
    await expect.poll(async () => (await app.payment(whole.id)).failure).toBe('not_needed');
    expect([app.stripe.sessionOf(whole.id).status, app.stripe.sessionOf(part.id).status]).toEqual([
      'expired',
      'open',
    ]);
    expect((await app.payment(part.id)).state).toBe('pending');
    // The newest payment notification is about the received payment, not about the unneeded checkout. Jobs on
    // the real clock (dunning, for example) may add notifications of bills meanwhile.
    const { items } = await app.ok(notifications.listNotifications, { limit: 20 }, { token: app.user.token });
    expect(items.find((each) => each.link === '/billing/management?view=payments')?.message).toContain(
      'has arrived',
    );
    await app.sendStripeEvent(app.stripe.pay(part.id));
    expect((await app.billNow(bill.id)).state).toBe('paid');
  });

  it('that is paid before it could be closed adds the money to the balance, and its payer is notified', async () => {
    const bill = app.bill();
    const late = await app.pay(bill.id, 'stripe');
    const event = app.stripe.pay(late.id);
    await app.sendStripeEvent(app.stripe.pay((await app.pay(bill.id, 'stripe', 1000)).id));
    const closings = () =>
      app.stripe.calls.filter((call) => call.endsWith(`${app.stripe.sessionOf(late.id).id}/expire`)).length;
    await expect.poll(closings).toBe(1);
    const before = await app.balance();
    expect(await app.sendStripeEvent(event)).toBe(200);
    expect(await app.payment(late.id)).toMatchObject({ state: 'succeeded', toBill: twd(50) });
    expect(await app.balance()).toBe(before + 1000);
    const { items } = await app.ok(notifications.listNotifications, { limit: 3 }, { token: app.user.token });
    expect(items.map((each) => each.message).join()).toContain('more than due');
  });

  it('F3 whose close request is lost is closed again; paid nevertheless, the money counts', async () => {
    const bill = app.bill();
    const late = await app.pay(bill.id, 'stripe');
    const other = await app.pay(bill.id, 'stripe', 1000);
    const paid = app.stripe.pay(other.id);
    app.stripe.mishaps.push('fault');
    await app.sendStripeEvent(paid);
    // The next attempt counts from the time at which the failure was recorded, not from when it happened.
    await expect.poll(() => lastFailureToClose(late.id)).not.toBeNull();
    expect(app.stripe.sessionOf(late.id).status).toBe('open');
    await app.later(1);
    await expect.poll(() => app.stripe.sessionOf(late.id).status).toBe('expired');
    await expect.poll(async () => (await app.payment(late.id)).failure).toBe('not_needed');
    const before = await app.balance();
    expect(await app.sendStripeEvent(app.stripe.pay(late.id))).toBe(200);
    expect(await app.payment(late.id)).toMatchObject({ state: 'succeeded', toBill: twd(50) });
    expect(await app.balance()).toBe(before + 1000);
  });
});

describe('T-PORTAL-RETURN: returning from a provider', () => {
  const backOf = (paymentId: string) => {
    const { pathname, searchParams } = new URL(app.stripe.sessionOf(paymentId).success_url);
    expect([pathname, searchParams.get('payment')]).toEqual(['/payments/returned', paymentId]);
    return searchParams.get('seal') ?? '';
  };
  const outcome = async (paymentId: string, seal: string) => {
    const { status, data } = await app.call(payments.paymentOutcome, { paymentId: paymentId as never, seal });
    return status === 200 ? data : status;
  };

  it.each([
    ['paid', 'paid'],
    ['failed', 'failed'],
  ] as const)('without being signed in shows “waiting”, then %s, and nothing else', async (how, end) => {
    const intent = await app.pay(app.bill().id, 'stripe');
    const seal = backOf(intent.id);
    expect(await outcome(intent.id, seal)).toEqual({ outcome: 'waiting' });
    expect(await app.sendStripeEvent(completed(intent.id))).toBe(200);
    expect(await outcome(intent.id, seal)).toEqual({ outcome: 'waiting' });
    const paid = app.stripe.pay(intent.id);
    const session = app.stripe.sessionOf(intent.id);
    if (how === 'failed') Object.assign(session, { payment_status: 'unpaid', payment_intent: null });
    const event =
      how === 'failed'
        ? app.stripe.event('checkout.session.async_payment_failed', session)
        : { ...paid, type: 'checkout.session.async_payment_succeeded' };
    expect(await app.sendStripeEvent(event)).toBe(200);
    expect(await outcome(intent.id, seal)).toEqual({ outcome: end });
  });

  it('with the token of another payment, a changed one or none shows nothing', async () => {
    const [one, two] = [await app.pay(app.bill().id, 'stripe'), await app.pay(app.bill().id, 'stripe')];
    const seal = backOf(one.id);
    const altered = `${seal.startsWith('A') ? 'B' : 'A'}${seal.slice(1)}`;
    for (const wrong of [backOf(two.id), altered, seal.slice(1), `${seal}A`, 'x'])
      expect(await outcome(one.id, wrong), wrong).toBe(404);
    expect(await outcome('pay_00000000000000000000000000', seal)).toBe(404);
  });
});
