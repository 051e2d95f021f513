// Refunds, receipts, bank transfers, and random histories of all of it (reliability.md I1, I5, I7).
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { pdfPages } from '../support/pdf.ts';
import { payments, type PaymentIntent } from '#features/receivables/payments/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
/** Cash received and paid by bank transfers of these tests. */
let byHand = 0;
beforeAll(async () => {
  app = await createPaymentApp(60);
});
afterEach(async () => {
  armFailPoints(app.app, undefined);
  app.stripe.refundStatus = 'succeeded';
  app.stripe.mishaps.length = 0;
  await app.checkBooks(byHand);
});
const asAdmin = () => ({ token: app.admin });
const refund = (paymentId: string, amount: number, headers?: Record<string, string>) =>
  app.call(
    payments.refundPayment,
    { paymentId: paymentId as never, amount: twd(amount), reason: 'a good one' },
    { ...asAdmin(), ...(headers && { headers }) },
  );
const detail = (paymentId: string) =>
  app.ok(payments.adminGetPayment, { paymentId: paymentId as never }, asAdmin());
async function toppedUp(amount: number, method: 'stripe' | 'ecpay' = 'stripe'): Promise<PaymentIntent> {
  const intent = await app.ok(payments.topUp, { amount: twd(amount), method }, { token: app.user.token });
  if (method === 'ecpay') {
    app.ecpay.post({ ...intent.checkout!.fields });
    await app.sendEcpayNotice(app.ecpay.pay(intent.id.slice(-20)));
  } else await app.sendStripeEvent(app.stripe.pay(intent.id));
  return intent;
}

describe('a refund', () => {
  it('is full or partial, at most the rest, and once per key', async () => {
    const { id } = await toppedUp(1000);
    const before = await app.balance();
    const key = { 'idempotency-key': 'refund-1' };
    const [first, again] = [await refund(id, 300, key), await refund(id, 300, key)];
    expect([first.status, again.data.id]).toEqual([201, first.data.id]);
    expect(first.data).toMatchObject({ state: 'succeeded', amount: twd(300) });
    expect((await refund(id, 701)).envelope.code).toBe('payments.refund_above_rest');
    expect(await detail(id)).toMatchObject({ state: 'succeeded', refunded: twd(300), refundable: twd(700) });
    expect((await refund(id, 700)).data.state).toBe('succeeded');
    expect(await detail(id)).toMatchObject({ state: 'refunded', refundable: twd(0) });
    expect(await app.balance()).toBe(before - 1000);
    for (const amount of [0, -1])
      expect((await refund(id, amount)).envelope.code).toBe('payments.amount_not_positive');
  });

  it('is at most the balance: money that paid a bill can be refunded only after a credit note', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    await app.sendStripeEvent(app.stripe.pay(intent.id));
    const balance = await app.balance();
    if (balance > 0) await app.pay(app.bill().id, 'balance', balance);
    expect((await refund(intent.id, 1)).envelope.code).toBe('payments.refund_above_balance');
    expect(
      (
        await refund(
          (await app.ok(payments.listPayments, { limit: 1 }, { token: app.user.token })).items[0]!.id,
          1,
        )
      ).envelope.code,
    ).toBe(balance > 0 ? 'payments.not_refundable' : 'payments.refund_above_balance');
  });

  it('in progress cannot be spent meanwhile', async () => {
    const { id } = await toppedUp(200);
    const others = (await app.balance()) - 200;
    app.stripe.refundStatus = 'pending';
    expect((await refund(id, 200)).data.state).toBe('pending');
    expect(
      (
        await app.call(
          payments.payBill,
          { billId: app.bill().id, method: 'balance', amount: twd(others + 1) },
          { token: app.user.token },
        )
      ).envelope.code,
    ).toBe('payments.balance_too_low');
    const [there] = [...app.stripe.refunds.values()].slice(-1);
    there!.status = 'succeeded';
    await app.sendStripeEvent(app.stripe.event('refund.updated', there!));
    expect(await app.balance()).toBe(others);
  });

  it('requested ten times concurrently is made as often as the money allows', async () => {
    const { id } = await toppedUp(100);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, 30)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    expect(await detail(id)).toMatchObject({ refunded: twd(90) });
  });

  it.each(['lost before', 'lost after', 'fault'] as const)(
    'F3 whose response is lost (%s) is retried, never doubled',
    async (mishap) => {
      const { id } = await toppedUp(500);
      app.stripe.mishaps.push(mishap, ...(mishap === 'fault' ? [] : [mishap]));
      expect((await refund(id, 200)).data).toMatchObject({ state: 'pending', needsHand: false });
      await app.later(3);
      expect(await detail(id)).toMatchObject({ refunded: twd(200), refundable: twd(300) });
      expect(
        [...app.stripe.refunds.values()].filter(
          (each) => each.payment_intent === app.stripe.sessionOf(id).payment_intent,
        ),
      ).toHaveLength(1);
    },
  );

  it.each(['refunds.before_call', 'refunds.after_call'])(
    'F3 during which the console crashes (%s) is made once',
    async (point) => {
      const { id } = await toppedUp(500);
      armFailPoints(app.app, (reached) => {
        if (reached === point) throw new Error('dies');
      });
      expect((await refund(id, 200)).status).toBe(500);
      armFailPoints(app.app, undefined);
      // A day later Stripe has forgotten the idempotency key, so the console looks the refund up instead of
      // repeating it.
      await app.later(point === 'refunds.after_call' ? 60 * 30 : 3);
      expect(await detail(id)).toMatchObject({ refunded: twd(200), refundable: twd(300) });
    },
  );

  it('that fails leaves the money in the balance, and one that a bank returns goes back to it', async () => {
    const { id } = await toppedUp(500);
    const before = await app.balance();
    app.stripe.mishaps.push('refused');
    expect((await refund(id, 200)).data.state).toBe('failed');
    expect(await detail(id)).toMatchObject({ refunded: twd(0), refundable: twd(500) });
    await refund(id, 200);
    const [there] = [...app.stripe.refunds.values()].slice(-1);
    expect(await app.balance()).toBe(before - 200);
    there!.status = 'failed';
    await app.sendStripeEvent(app.stripe.event('refund.failed', there!));
    await app.sendStripeEvent(app.stripe.event('refund.updated', { ...there!, status: 'succeeded' }));
    expect(await app.balance()).toBe(before);
    expect(await detail(id)).toMatchObject({ state: 'succeeded', refunded: twd(0) });
  });

  it('at ECPay without a response is settled by an Admin who checked there, never by repeating it', async () => {
    const { id } = await toppedUp(500, 'ecpay');
    for (const [mishap, happened] of [
      ['lost after', true],
      ['lost before', false],
    ] as const) {
      app.ecpay.mishaps.push(mishap);
      const { data } = await refund(id, 100);
      expect(data).toMatchObject({ state: 'pending', needsHand: true });
      const actionsBefore = app.ecpay.actions.length;
      await app.later(3);
      expect(app.ecpay.actions).toHaveLength(actionsBefore);
      expect(
        (await app.ok(payments.settleRefund, { paymentId: id, refundId: data.id, happened }, asAdmin()))
          .state,
      ).toBe(happened ? 'succeeded' : 'failed');
      expect(
        (await app.call(payments.settleRefund, { paymentId: id, refundId: data.id, happened }, asAdmin()))
          .envelope.code,
      ).toBe('payments.refund_not_unsure');
    }
    expect((await refund(id, 400)).data.state).toBe('succeeded');
    expect(await detail(id)).toMatchObject({ state: 'refunded' });
    const whole = await toppedUp(80, 'ecpay');
    expect((await refund(whole.id, 80)).data.state).toBe('succeeded');
    expect(app.ecpay.actions.slice(-2)).toEqual(['N 80', 'R 80']);
  });

  it('is shown to an Admin with its payment’s history', async () => {
    const { id } = await toppedUp(10);
    await refund(id, 4);
    const { steps, refunds } = await detail(id);
    expect(steps.map((step) => [step.kind, step.outcome])).toEqual(
      expect.arrayContaining([
        ['created', ''],
        ['said', 'payment_succeeded'],
        ['settled', 'succeeded'],
        ['refund', 'succeeded'],
      ]),
    );
    expect(refunds).toHaveLength(1);
  });
});

describe('a bank transfer for a bill', () => {
  it('is offered once an account is set, and pays what arrived: a part, or everything with the excess in the balance', async () => {
    const bill = app.bill();
    expect(
      (
        await app.call(
          payments.payBill,
          { billId: bill.id, method: 'bank_transfer' },
          { token: app.user.token },
        )
      ).envelope.code,
    ).toBe('payments.method_not_offered');
    const account = { bank: '台灣銀行 004', holder: 'Formosa Cloud', account: '012-345-678901', note: '' };
    await app.ok(payments.setBankAccount, account, asAdmin());
    expect((await app.ok(payments.paymentOptions, {}, { token: app.user.token })).bankAccount).toEqual(
      account,
    );
    const part = await app.pay(bill.id, 'bank_transfer');
    expect(part).toMatchObject({ state: 'pending', reference: expect.stringMatching(/^PAY-[0-9A-Z]{8}$/) });
    expect(
      (await app.ok(payments.adminListPayments, { q: part.reference }, asAdmin())).items.map(
        (each) => each.id,
      ),
    ).toEqual([part.id]);
    // An open checkout at a provider delays nothing here.
    await app.pay(bill.id, 'stripe');
    expect((await app.ok(consoleContract.adminDashboard, {}, asAdmin())).pendingPayments).toBe(1);
    await app.ok(payments.confirmPayment, { paymentId: part.id, amount: twd(400) }, asAdmin());
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(400) });
    const before = await app.balance();
    const rest = await app.pay(bill.id, 'bank_transfer');
    expect(
      await app.ok(payments.confirmPayment, { paymentId: rest.id, amount: twd(1000) }, asAdmin()),
    ).toMatchObject({ isMismatch: false, toBill: twd(650) });
    expect((await app.billNow(bill.id)).state).toBe('paid');
    expect(await app.balance()).toBe(before + 350);
    expect((await refund(rest.id, 350)).data).toMatchObject({ state: 'succeeded' });
    byHand = 400 + 1000 - 350;
    expect(
      (await app.call(payments.confirmPayment, { paymentId: (await toppedUp(5)).id }, asAdmin())).envelope
        .code,
    ).toBe('payments.not_by_transfer');
  });
});

describe('a receipt', () => {
  it('shows amount, time, method and payer in both languages, and that it is not a 統一發票; with the same bytes each time', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    expect(
      (await app.call(payments.receipt, { paymentId: intent.id }, { token: app.user.token })).envelope.code,
    ).toBe('payments.no_receipt');
    await app.sendStripeEvent(app.stripe.pay(intent.id));
    for (const [language, words] of [
      ['zhTW', ['收據', '不是統一發票', '信用卡（Stripe）']],
      ['enUS', ['Receipt', 'not a statutory uniform invoice', 'Card (Stripe)']],
    ] as const) {
      const first = await app.ok(
        payments.receipt,
        { paymentId: intent.id, language },
        { token: app.user.token },
      );
      const text = (await pdfPages(first.body as Uint8Array)).join('\n').replaceAll(/\s+/g, ' ');
      for (const word of [...words, bill.number, 'NT$1,050', intent.reference, 'One', 'Formosa Cloud'])
        expect(text).toContain(word);
      app.clock.set(new Date(app.clock.now().getTime() + 60_000));
      await sql`insert into setting (key, value, changed_at, changed_by) values ('billing.seller', '{"name":"Another","taxId":"","address":"","email":""}', now(), 'x') on conflict (key) do nothing`.execute(
        app.app.database.kysely,
      );
      const second = await app.ok(
        payments.receipt,
        { paymentId: intent.id, language },
        { token: app.user.token },
      );
      expect(
        Buffer.compare(Buffer.from(first.body as Uint8Array), Buffer.from(second.body as Uint8Array)),
      ).toBe(0);
    }
  });
});

describe('random histories', () => {
  type Step = {
    readonly kind:
      | 'card'
      | 'ecpay'
      | 'balance'
      | 'top up'
      | 'pay'
      | 'pay wrongly'
      | 'deliver'
      | 'deliver again'
      | 'refund'
      | 'refund there'
      | 'lose';
    readonly pick: number;
    readonly amount: number;
  };
  const anyStep = fc.record({
    kind: fc.constantFrom<Step['kind']>(
      'card',
      'ecpay',
      'balance',
      'top up',
      'pay',
      'pay',
      'pay wrongly',
      'deliver',
      'deliver',
      'deliver',
      'deliver again',
      'refund',
      'refund there',
      'lose',
    ),
    pick: fc.nat(1000),
    amount: fc.integer({ min: 1, max: billTotal }),
  });

  it('of checkouts, payments, events in any order and refunds book every amount correctly', async () => {
    const histories = fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        await play(steps);
        await app.checkBooks(byHand);
      }),
      { numRuns: 12, endOnFailure: true },
    );
    await expect(histories).resolves.toBeUndefined();
  });

  /**
   * Runs a history on one bill, then delivers the remaining events; none of them may be rejected permanently.
   */
  async function play(steps: readonly Step[]): Promise<void> {
    const bill = app.bill();
    const open: PaymentIntent[] = [];
    const paid: PaymentIntent[] = [];
    const post: (() => Promise<number>)[] = [];
    const sent: (() => Promise<number>)[] = [];
    const take = <T>(from: T[], pick: number): T | undefined =>
      from.splice(from.length === 0 ? 0 : pick % from.length, 1)[0];
    const deliver = async (letter: (() => Promise<number>) | undefined): Promise<void> => {
      if (!letter) return;
      expect(await letter()).toBe(200);
      sent.push(letter);
    };
    const payThere = (intent: PaymentIntent, minor?: number): void => {
      paid.push(intent);
      if (intent.method === 'ecpay') {
        const fields = app.ecpay.pay(
          intent.id.slice(-20),
          minor === undefined ? {} : { TradeAmt: String(minor) },
        );
        post.push(async () => (await app.sendEcpayNotice(fields)).status);
      } else {
        const event = app.stripe.pay(intent.id, minor === undefined ? undefined : minor * 100);
        post.push(() => app.sendStripeEvent(event));
      }
    };
    for (const step of steps) {
      if (step.kind === 'card' || step.kind === 'ecpay' || step.kind === 'balance') {
        const method = step.kind === 'card' ? 'stripe' : step.kind;
        const answer = await app.call(
          payments.payBill,
          { billId: bill.id, method, amount: twd(step.amount) },
          { token: app.user.token },
        );
        if (answer.status !== 201) continue;
        if (method === 'ecpay') app.ecpay.post({ ...answer.data.checkout!.fields });
        if (method !== 'balance' && !open.some((each) => each.id === answer.data.id)) open.push(answer.data);
      } else if (step.kind === 'top up') {
        const answer = await app.call(
          payments.topUp,
          { amount: twd(step.amount), method: 'stripe' },
          { token: app.user.token },
        );
        if (answer.status === 201) open.push(answer.data);
      } else if (step.kind === 'pay' || step.kind === 'pay wrongly') {
        const intent = take(open, step.pick);
        if (intent) payThere(intent, step.kind === 'pay' ? undefined : step.amount);
      } else if (step.kind === 'deliver') await deliver(take(post, step.pick));
      else if (step.kind === 'deliver again') await sent[step.pick % Math.max(1, sent.length)]?.();
      else if (step.kind === 'refund' && paid.length > 0)
        await refund(paid[step.pick % paid.length]!.id, step.amount);
      else if (step.kind === 'lose') app.stripe.mishaps.push('lost after', 'lost after');
      else if (step.kind === 'refund there') {
        const intent = paid[step.pick % Math.max(1, paid.length)];
        if (intent?.method !== 'stripe' || app.stripe.sessionOf(intent.id).amount_total < 200) continue;
        const already = [...app.stripe.refunds.values()]
          .filter((each) => each.payment_intent === app.stripe.sessionOf(intent.id).payment_intent)
          .reduce((sum, each) => sum + each.amount, 0);
        if (already + 100 > app.stripe.sessionOf(intent.id).amount_total) continue;
        const event = app.stripe.event('refund.updated', app.stripe.refundThere(intent.id, 100));
        post.push(() => app.sendStripeEvent(event));
      }
    }
    app.stripe.mishaps.length = 0;
    for (const letter of post) await deliver(letter);
    await app.later(5);
    const { total, paid: sum } = await app.billNow(bill.id);
    expect(sum.minor).toBeLessThanOrEqual(total.minor);
  }
});
