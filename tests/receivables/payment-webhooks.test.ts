// Payments through providers (reliability.md, section 2.H, F3): each provider event counts once, whichever
// process crashes in between.
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { readConfig } from '#platform/server/config.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { providersOf } from '#features/receivables/gateways/server/index.ts';
import { stripeSecret } from '../support/stripe.ts';
import { sign } from '../support/ecpay.ts';
import { createTestConsole } from '../support/console.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
beforeAll(async () => {
  app = await createPaymentApp();
});
afterEach(async () => {
  armFailPoints(app.app, undefined);
  await app.checkBooks();
});
const count = async (what: 'payment' | 'provider_event'): Promise<number> =>
  Number(
    (await sql<{ n: bigint }>`select count(*) as n from ${sql.table(what)}`.execute(app.app.database.kysely))
      .rows[0]?.n,
  );
const hook = (provider: string, body: string, headers: Record<string, string>) =>
  fetch(`${app.address}/api/payments/webhooks/${provider}`, { method: 'POST', body, headers });
const headersOnly = { 'content-type': 'application/json' };

describe('configured providers', () => {
  it('2.H-121 exclude one without all its secrets: no method, no webhook', async () => {
    for (const environment of [
      {},
      { STRIPE_SECRET_KEY: 'sk' },
      { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: '' },
      { STRIPE_WEBHOOK_SECRET: 'whsec' },
      { ECPAY_MERCHANT_ID: '1', ECPAY_HASH_KEY: '12345678' },
    ]) {
      expect([
        ...providersOf(readConfig({ DATA_DIR: app.app.config.dataDir, ...environment })).keys(),
      ]).toEqual([]);
    }
    const bare = await createTestConsole(undefined, { STRIPE_SECRET_KEY: 'sk' });
    for (const provider of ['stripe', 'ecpay', 'paypal', '__proto__'])
      expect(
        (
          await fetch(`${bare.address}/api/payments/webhooks/${provider}`, {
            method: 'POST',
            body: '{}',
            headers: headersOnly,
          })
        ).status,
        provider,
      ).toBe(404);
    expect((await app.ok(payments.paymentOptions, {}, { token: app.user.token })).providers).toEqual([
      'stripe',
      'ecpay',
    ]);
  });
});

describe('a checkout', () => {
  it('is stored before the provider is called, has the amount in the provider’s digits, and a repeat returns the same one', async () => {
    const bill = app.bill();
    const headers = { 'idempotency-key': 'once' };
    const again = () =>
      app.call(payments.payBill, { billId: bill.id, method: 'stripe' }, { token: app.user.token, headers });
    const answers = await Promise.all([again(), again(), again()]);
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1);
    const intent = answers[0]?.data;
    const session = app.stripe.sessionOf(intent!.id);
    expect(session).toMatchObject({ amount_total: billTotal * 100, currency: 'twd' });
    expect((await again()).data.checkout).toEqual({ url: session.url, fields: null });
    expect(
      (
        await app.call(
          payments.payBill,
          { billId: bill.id, method: 'balance' },
          { token: app.user.token, headers },
        )
      ).status,
    ).toBe(409);
    // Also without a key: an open checkout for the same bill is not created twice.
    expect((await app.pay(bill.id, 'stripe')).id).toBe(intent!.id);
    expect((await app.pay(bill.id, 'stripe', 500)).id).not.toBe(intent!.id);
  });

  it('is not paid before the provider confirms it; then the bill is paid and its payer notified', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    const event = app.stripe.pay(intent.id);
    expect((await app.billNow(bill.id)).state).toBe('open');
    expect(await app.sendStripeEvent(event)).toBe(200);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
    expect(await app.payment(intent.id)).toMatchObject({
      state: 'succeeded',
      received: twd(billTotal),
      toBill: twd(billTotal),
      isMismatch: false,
    });
    const { items } = await app.ok(notifications.listNotifications, { limit: 5 }, { token: app.user.token });
    expect(items.map((each) => each.message).join()).toContain(bill.number);
  });

  it('pays a part, and tops the balance up', async () => {
    const bill = app.bill();
    const before = await app.balance();
    await app.sendStripeEvent(app.stripe.pay((await app.pay(bill.id, 'stripe', 50)).id));
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(50) });
    const topUp = await app.ok(
      payments.topUp,
      { amount: twd(300), method: 'stripe' },
      { token: app.user.token },
    );
    await app.sendStripeEvent(app.stripe.pay(topUp.id));
    expect(await app.balance()).toBe(before + 300);
  });

  it.each([['stripe'], ['ecpay']] as const)('of an invalid amount is not started (%s)', async (method) => {
    const bill = app.bill();
    for (const [amount, code] of [
      [0, 'payments.amount_not_positive'],
      [-5, 'payments.amount_not_positive'],
      [billTotal + 1, 'payments.amount_above_due'],
    ] as const) {
      expect(
        (
          await app.call(
            payments.payBill,
            { billId: bill.id, method, amount: twd(amount) },
            { token: app.user.token },
          )
        ).envelope.code,
      ).toBe(code);
    }
  });

  it('that the provider rejects fails; without a response it can be retried with the same key', async () => {
    const bill = app.bill();
    app.stripe.mishaps.push('refused');
    expect(
      await app.call(payments.payBill, { billId: bill.id, method: 'stripe' }, { token: app.user.token }),
    ).toMatchObject({ status: 502, envelope: { code: 'payments.provider_refused' } });
    const headers = { 'idempotency-key': 'lost' };
    const once = () =>
      app.call(payments.payBill, { billId: bill.id, method: 'stripe' }, { token: app.user.token, headers });
    for (const mishap of ['lost before', 'lost after', 'fault'] as const) {
      // The library itself retries a closed connection once, with the same key.
      app.stripe.mishaps.push(mishap, ...(mishap === 'fault' ? [] : [mishap]));
      expect(await once(), mishap).toMatchObject({
        status: 503,
        envelope: { code: 'payments.provider_unreachable' },
      });
    }
    const { data } = await once();
    expect(app.stripe.sessionOf(data.id).url).toBe(data.checkout?.url);
  });
});

describe('the signature of a webhook', () => {
  it('2.H-122 covers the raw bytes: a flipped bit, another key or none is rejected', async () => {
    const event = app.stripe.pay((await app.pay(app.bill().id, 'stripe')).id);
    const before = await count('provider_event');
    const now = app.clock.now();
    const { body, headers } = app.stripe.signed(event, now);
    const signature = headers['stripe-signature'] ?? '';
    const wrong: [string, Record<string, string>][] = [
      [body.replace('"paid"', '"Paid"'), headers],
      [`${body} `, headers],
      [body, app.stripe.signed(event, now, 'whsec_other').headers],
      [body, headersOnly],
      [body, { ...headers, 'stripe-signature': '' }],
      [body, { ...headers, 'stripe-signature': signature.replace('v1=', 'v0=') }],
      [body, { ...headers, 'stripe-signature': signature.slice(0, -1) }],
      [
        body,
        {
          ...headers,
          'stripe-signature': signature.replace(/t=\d+/, `t=${Math.floor(now.getTime() / 1000) - 1}`),
        },
      ],
    ];
    for (const [bytes, given] of wrong) expect((await hook('stripe', bytes, given)).status).toBe(401);
    expect(await count('provider_event')).toBe(before);
    expect(await app.sendStripeEvent(event)).toBe(200);
  });

  it('2.H-123 more than 300 s old or in the future is rejected', async () => {
    const event = app.stripe.pay((await app.pay(app.bill().id, 'stripe')).id);
    for (const [seconds, status] of [
      [-301, 401],
      [301, 401],
      [-100_000, 401],
      [-300, 200],
      [300, 200],
    ] as const) {
      const { body, headers } = app.stripe.signed(
        event,
        new Date(app.clock.now().getTime() + seconds * 1000),
      );
      expect((await hook('stripe', body, headers)).status, String(seconds)).toBe(status);
    }
    expect(
      (await hook('stripe', '{}', { ...headersOnly, 'stripe-signature': `v1=${stripeSecret}` })).status,
    ).toBe(401);
  });
});

describe('a provider event', () => {
  it('2.H-124 sent 1,000 times at once has one effect', async () => {
    const bill = app.bill();
    const event = app.stripe.pay((await app.pay(bill.id, 'stripe')).id);
    const statuses = await Promise.all(Array.from({ length: 1000 }, () => app.sendStripeEvent(event)));
    expect(statuses.every((status) => status === 200)).toBe(true);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    const { rows } = await sql<{
      n: bigint;
    }>`select count(*) as n from provider_event where event_id = ${event.id}`.execute(
      app.app.database.kysely,
    );
    expect(rows[0]?.n).toBe(1n);
  });

  it.each([
    ['short', billTotal * 100 - 100, 'twd'],
    ['too much', billTotal * 100 + 700, 'twd'],
  ] as const)(
    '2.H-125 of %s never marks its bill paid: the money is in the balance and Admins are notified',
    async (_name, minor, currency) => {
      const bill = app.bill();
      const before = await app.balance();
      const intent = await app.pay(bill.id, 'stripe');
      expect(await app.sendStripeEvent(app.stripe.pay(intent.id, minor, currency))).toBe(200);
      expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(0) });
      expect(await app.payment(intent.id)).toMatchObject({
        state: 'succeeded',
        isMismatch: true,
        received: twd(minor / 100),
        toBill: twd(0),
      });
      expect(await app.balance()).toBe(before + minor / 100);
      const { items } = await app.ok(notifications.listNotifications, { limit: 1 }, { token: app.admin });
      expect(items[0]?.message).toContain('differs from the agreed amount');
    },
  );

  it('2.H-125 in another currency pays no bill', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    await app.sendStripeEvent(app.stripe.pay(intent.id, billTotal * 100, 'usd'));
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(0) });
    expect(await app.payment(intent.id)).toMatchObject({
      isMismatch: true,
      received: { currency: 'USD', minor: BigInt(billTotal * 100) },
    });
  });

  it('2.H-125 with impossible fractions, or of an unknown payment, is rejected and can be sent again', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    const event = app.stripe.pay(intent.id);
    const before = await count('provider_event');
    expect(
      await app.sendStripeEvent({
        ...event,
        data: { object: { ...event.data.object, amount_total: billTotal * 100 + 50 } },
      }),
    ).toBe(422);
    expect(
      await app.sendStripeEvent({ ...event, data: { object: { ...event.data.object, currency: 'xyz' } } }),
    ).toBe(422);
    expect(
      await app.sendStripeEvent({
        ...event,
        data: { object: { ...event.data.object, metadata: { payment: 'pay_00000000000000000000000000' } } },
      }),
    ).toBe(404);
    expect(await count('provider_event')).toBe(before);
    expect(await app.sendStripeEvent(event)).toBe(200);
    expect((await app.billNow(bill.id)).state).toBe('paid');
  });

  it('2.H-126 for the order of another provider is rejected', async () => {
    const ofEcpay = await app.pay(app.bill().id, 'ecpay');
    const event = app.stripe.event('checkout.session.completed', {
      payment_status: 'paid',
      payment_intent: 'pi_x',
      amount_total: billTotal * 100,
      currency: 'twd',
      metadata: { payment: ofEcpay.id },
    });
    expect(await app.sendStripeEvent(event)).toBe(409);
    expect((await app.payment(ofEcpay.id)).state).toBe('pending');
    const ofStripe = await app.pay(app.bill().id, 'stripe');
    const forged = sign({
      MerchantID: '3002607',
      MerchantTradeNo: ofStripe.id.slice(-20),
      TradeNo: '1',
      TradeAmt: String(billTotal),
      RtnCode: '1',
      CustomField1: ofStripe.id,
    });
    expect((await app.sendEcpayNotice(forged)).status).toBe(409);
  });

  it('2.H-126 in any of 20 orders, some twice, has the same result', async () => {
    const ends = new Set<string>();
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 20; round++) {
      const topUp = await app.ok(
        payments.topUp,
        { amount: twd(100), method: 'stripe' },
        { token: app.user.token },
      );
      const before = await app.balance();
      const completed = app.stripe.pay(topUp.id);
      const [first, second] = [
        app.stripe.refundThere(topUp.id, 3000),
        app.stripe.refundThere(topUp.id, 2000),
      ];
      const processing = app.stripe.event('checkout.session.completed', {
        ...app.stripe.sessionOf(topUp.id),
        payment_status: 'unpaid',
        payment_intent: null,
      });
      const failed = app.stripe.event('refund.failed', { ...second, status: 'failed' });
      const events = [
        processing,
        app.stripe.expire(topUp.id),
        completed,
        app.stripe.event('refund.created', { ...first, status: 'pending' }),
        app.stripe.event('refund.updated', first),
        app.stripe.event('refund.updated', second),
        failed,
        completed,
      ];
      app.stripe.refunds.get(second.id)!.status = 'failed';
      for (let left = events.length; left > 0; left--)
        expect(await app.sendStripeEvent(events.splice(random(left), 1)[0]!)).toBe(200);
      const end = await app.payment(topUp.id);
      ends.add(
        JSON.stringify([
          end.state,
          Number(end.received?.minor),
          Number(end.refunded?.minor),
          (await app.balance()) - before,
        ]),
      );
    }
    expect([...ends]).toEqual(['["succeeded",100,30,70]']);
  });

  it('that is unrelated is acknowledged and ignored', async () => {
    const before = await count('provider_event');
    expect(await app.sendStripeEvent(app.stripe.event('customer.created', { id: 'cus_1' }))).toBe(200);
    expect(
      await app.sendStripeEvent(
        app.stripe.event('checkout.session.completed', {
          payment_status: 'paid',
          metadata: {},
          amount_total: 5,
          currency: 'twd',
        }),
      ),
    ).toBe(200);
    expect(await count('provider_event')).toBe(before);
  });
});

describe('more money than is due', () => {
  it('goes to the balance: two checkouts for one bill are both paid', async () => {
    const bill = app.bill();
    const [card, other] = [await app.pay(bill.id, 'stripe'), await app.pay(bill.id, 'ecpay')];
    app.ecpay.post({ ...other.checkout!.fields });
    const before = await app.balance();
    const [first, second] = [app.stripe.pay(card.id), app.ecpay.pay(other.id.slice(-20))];
    await Promise.all([app.sendStripeEvent(first), app.sendEcpayNotice(second)]);
    expect((await app.billNow(bill.id)).state).toBe('paid');
    expect(await app.balance()).toBe(before + billTotal);
    const { items } = await app.ok(notifications.listNotifications, { limit: 6 }, { token: app.user.token });
    expect(items.map((each) => each.message).join()).toContain('more than due');
  });

  it('goes to the balance: the bill was paid from the balance meanwhile', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    const before = await app.balance();
    await app.pay(bill.id, 'balance');
    await app.sendStripeEvent(app.stripe.pay(intent.id));
    expect(await app.balance()).toBe(before);
    expect(await app.payment(intent.id)).toMatchObject({
      state: 'succeeded',
      toBill: twd(0),
      isMismatch: false,
    });
  });
});

describe('ECPay', () => {
  it('is started by a form in the customer’s browser, and its webhook answered with 1|OK', async () => {
    const bill = app.bill();
    const { id, checkout } = await app.pay(bill.id, 'ecpay');
    expect(checkout?.url).toBe(`${app.ecpay.address}/Cashier/AioCheckOut/V5`);
    expect(checkout?.fields).toMatchObject({
      MerchantID: '3002607',
      TotalAmount: String(billTotal),
      PaymentType: 'aio',
      EncryptType: '1',
      ReturnURL: `${app.address}/api/payments/webhooks/ecpay`,
      MerchantTradeDate: '2024/10/05 11:00:00',
    });
    app.ecpay.post({ ...checkout!.fields });
    const fields = app.ecpay.pay(id.slice(-20));
    expect(await app.sendEcpayNotice({ ...fields, TradeAmt: '1' })).toMatchObject({ status: 401 });
    expect(await app.sendEcpayNotice(sign({ ...fields, MerchantID: '2000132' }))).toMatchObject({
      status: 422,
    });
    expect(await app.sendEcpayNotice(sign({ ...fields, SimulatePaid: '1' }))).toEqual({
      status: 200,
      text: '1|OK',
    });
    expect((await app.billNow(bill.id)).state).toBe('open');
    expect(await app.sendEcpayNotice(fields)).toEqual({ status: 200, text: '1|OK' });
    expect(await app.sendEcpayNotice(fields)).toEqual({ status: 200, text: '1|OK' });
    expect((await app.billNow(bill.id)).state).toBe('paid');
  });

  it('accepts Taiwan dollars only', async () => {
    expect(
      (
        await app.call(
          payments.topUp,
          { amount: { minor: 100n, currency: 'USD' }, method: 'ecpay' },
          { token: app.user.token },
        )
      ).envelope.code,
    ).toBe('payments.method_not_offered');
  });

  it('reports a declined card; the same order paid later still counts', async () => {
    const { id, checkout } = await app.pay(app.bill().id, 'ecpay');
    app.ecpay.post({ ...checkout!.fields });
    await app.sendEcpayNotice(app.ecpay.pay(id.slice(-20), { RtnCode: '10100058' }));
    expect(await app.payment(id)).toMatchObject({ state: 'failed', failure: 'declined' });
    await app.sendEcpayNotice(app.ecpay.pay(id.slice(-20)));
    expect(await app.payment(id)).toMatchObject({ state: 'succeeded', failure: '' });
  });
});

describe('webhooks that never arrive', () => {
  it('are replaced by queries: paid, expired and abandoned checkouts all end', async () => {
    const [paid, left, unseen] = [
      await app.pay(app.bill().id, 'stripe'),
      await app.pay(app.bill().id, 'stripe'),
      await app.pay(app.bill().id, 'ecpay'),
    ];
    const byForm = await app.pay(app.bill().id, 'ecpay');
    app.stripe.pay(paid.id);
    app.stripe.expire(left.id);
    app.ecpay.post({ ...byForm.checkout!.fields });
    app.ecpay.pay(byForm.id.slice(-20));
    await app.later(1);
    expect((await app.payment(paid.id)).state).toBe('pending');
    await app.later(3);
    expect(
      (await Promise.all([paid, left, unseen, byForm].map((each) => app.payment(each.id)))).map(
        (each) => each.state,
      ),
    ).toEqual(['succeeded', 'failed', 'pending', 'succeeded']);
    await app.later(70);
    expect(await app.payment(unseen.id)).toMatchObject({ state: 'failed', failure: 'expired' });
  });

  it('are queried again when the provider was down, without delaying others', async () => {
    const intent = await app.pay(app.bill().id, 'stripe');
    app.stripe.pay(intent.id);
    app.stripe.mishaps.push(
      'fault',
      'lost before',
      'lost after',
      'fault',
      'fault',
      'fault',
      'fault',
      'fault',
      'fault',
      'fault',
    );
    await app.later(3);
    app.stripe.mishaps.length = 0;
    expect((await app.payment(intent.id)).state).toBe('pending');
    await app.later(60);
    expect((await app.payment(intent.id)).state).toBe('succeeded');
  });
});

class Dies extends Error {}

describe('F3 the console crashes', () => {
  it.each(['payments.before_begin', 'payments.after_begin', 'payments.after_checkout'])(
    'at %s: a repeat leads to one checkout',
    async (point) => {
      const bill = app.bill();
      const headers = { 'idempotency-key': `dies-${point}` };
      const once = () =>
        app.call(payments.payBill, { billId: bill.id, method: 'stripe' }, { token: app.user.token, headers });
      armFailPoints(app.app, (reached) => {
        if (reached === point) throw new Dies();
      });
      expect((await once()).status).toBe(500);
      armFailPoints(app.app, undefined);
      const { data } = await once();
      expect(data.checkout?.url).toBe(app.stripe.sessionOf(data.id).url);
      await app.sendStripeEvent(app.stripe.pay(data.id));
      expect((await app.billNow(bill.id)).state).toBe('paid');
    },
  );

  it.each(['payments.before_begin', 'payments.after_begin', 'payments.after_checkout'])(
    'at %s without a repeat: the job completes it',
    async (point) => {
      const bill = app.bill();
      const before = await count('payment');
      armFailPoints(app.app, (reached) => {
        if (reached === point) throw new Dies();
      });
      expect(
        (await app.call(payments.payBill, { billId: bill.id, method: 'stripe' }, { token: app.user.token }))
          .status,
      ).toBe(500);
      armFailPoints(app.app, undefined);
      expect(await count('payment')).toBe(before + 1);
      const { items } = await app.ok(payments.listPayments, { limit: 1 }, { token: app.user.token });
      const paymentId = items[0]!.id;
      const isThere = point !== 'payments.before_begin';
      // The customer may have paid on a page that was already open, although the console never got its
      // address.
      if (isThere) app.stripe.pay(paymentId);
      await app.later(3);
      if (!isThere) app.stripe.expire(paymentId);
      await app.later(90);
      expect((await app.payment(paymentId)).state).toBe(isThere ? 'succeeded' : 'failed');
      expect((await app.billNow(bill.id)).state).toBe(isThere ? 'paid' : 'open');
    },
  );

  it('before the commit of a provider event: the event is sent again', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    const event = app.stripe.pay(intent.id);
    const { kysely } = app.app.database;
    await sql
      .raw(
        `create function die() returns trigger language plpgsql as $$ begin raise exception 'dies'; end $$; create constraint trigger dies after insert on ledger_transaction deferrable initially deferred for each row execute function die()`,
      )
      .execute(kysely);
    expect(await app.sendStripeEvent(event)).toBe(500);
    await sql.raw('drop trigger dies on ledger_transaction; drop function die()').execute(kysely);
    expect((await app.billNow(bill.id)).state).toBe('open');
    expect(await app.sendStripeEvent(event)).toBe(200);
    expect((await app.billNow(bill.id)).state).toBe('paid');
  });
});
