// Refunds, receipts, bank transfers, and random histories of all of it (reliability.md I1, I5, I7).
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { pdfPages } from '../support/pdf.ts';
import { payments, type PaymentIntent } from '#features/receivables/payments/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { billTotal, createPaymentWorld, twd, type PaymentWorld } from '../support/payments.ts';

let world: PaymentWorld;
/** What came and went by bank, by hand. */
let byHand = 0;
beforeAll(async () => {
  world = await createPaymentWorld(60);
});
afterEach(async () => {
  armFailPoints(world.world, undefined);
  world.stripe.refundStatus = 'succeeded';
  world.stripe.mishaps.length = 0;
  await world.checkBooks(byHand);
});
const asAdmin = () => ({ token: world.admin });
const refund = (paymentId: string, amount: number, headers?: Record<string, string>) =>
  world.call(
    payments.refundPayment,
    { paymentId: paymentId as never, amount: twd(amount), reason: 'a good one' },
    { ...asAdmin(), ...(headers && { headers }) },
  );
const detail = (paymentId: string) =>
  world.ok(payments.adminGetPayment, { paymentId: paymentId as never }, asAdmin());
async function toppedUp(amount: number, method: 'stripe' | 'ecpay' = 'stripe'): Promise<PaymentIntent> {
  const intent = await world.ok(payments.topUp, { amount: twd(amount), method }, { token: world.user.token });
  if (method === 'ecpay') {
    world.ecpay.post({ ...intent.checkout!.fields });
    await world.ecpaySays(world.ecpay.pay(intent.id.slice(-20)));
  } else await world.stripeSays(world.stripe.pay(intent.id));
  return intent;
}

describe('a refund', () => {
  it('pays back whole or in part, no more than is left, and once for one key', async () => {
    const { id } = await toppedUp(1000);
    const before = await world.balance();
    const key = { 'idempotency-key': 'refund-1' };
    const [first, again] = [await refund(id, 300, key), await refund(id, 300, key)];
    expect([first.status, again.data.id]).toEqual([201, first.data.id]);
    expect(first.data).toMatchObject({ state: 'succeeded', amount: twd(300) });
    expect((await refund(id, 701)).envelope.code).toBe('payments.refund_above_rest');
    expect(await detail(id)).toMatchObject({ state: 'succeeded', refunded: twd(300), refundable: twd(700) });
    expect((await refund(id, 700)).data.state).toBe('succeeded');
    expect(await detail(id)).toMatchObject({ state: 'refunded', refundable: twd(0) });
    expect(await world.balance()).toBe(before - 1000);
    for (const amount of [0, -1])
      expect((await refund(id, amount)).envelope.code).toBe('payments.amount_not_positive');
  });

  it('takes no more than the balance: what paid a bill is the bill’s until a credit note takes it back', async () => {
    const bill = world.bill();
    const intent = await world.pay(bill.id, 'stripe');
    await world.stripeSays(world.stripe.pay(intent.id));
    const balance = await world.balance();
    if (balance > 0) await world.pay(world.bill().id, 'balance', balance);
    expect((await refund(intent.id, 1)).envelope.code).toBe('payments.refund_above_balance');
    expect(
      (
        await refund(
          (await world.ok(payments.listPayments, { limit: 1 }, { token: world.user.token })).items[0]!.id,
          1,
        )
      ).envelope.code,
    ).toBe(balance > 0 ? 'payments.not_refundable' : 'payments.refund_above_balance');
  });

  it('on its way cannot be spent meanwhile', async () => {
    const { id } = await toppedUp(200);
    const others = (await world.balance()) - 200;
    world.stripe.refundStatus = 'pending';
    expect((await refund(id, 200)).data.state).toBe('pending');
    expect(
      (
        await world.call(
          payments.payBill,
          { billId: world.bill().id, method: 'balance', amount: twd(others + 1) },
          { token: world.user.token },
        )
      ).envelope.code,
    ).toBe('payments.balance_too_low');
    const [there] = [...world.stripe.refunds.values()].slice(-1);
    there!.status = 'succeeded';
    await world.stripeSays(world.stripe.event('refund.updated', there!));
    expect(await world.balance()).toBe(others);
  });

  it('that is asked for ten times at once happens as often as the money lasts', async () => {
    const { id } = await toppedUp(100);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, 30)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    expect(await detail(id)).toMatchObject({ refunded: twd(90) });
  });

  it.each(['lost before', 'lost after', 'fault'] as const)(
    'F3 whose answer is lost (%s) is asked for again, never doubled',
    async (mishap) => {
      const { id } = await toppedUp(500);
      world.stripe.mishaps.push(mishap, ...(mishap === 'fault' ? [] : [mishap]));
      expect((await refund(id, 200)).data).toMatchObject({ state: 'pending', needsHand: false });
      await world.later(3);
      expect(await detail(id)).toMatchObject({ refunded: twd(200), refundable: twd(300) });
      expect(
        [...world.stripe.refunds.values()].filter(
          (each) => each.payment_intent === world.stripe.sessionOf(id).payment_intent,
        ),
      ).toHaveLength(1);
    },
  );

  it.each(['refunds.before_call', 'refunds.after_call'])(
    'F3 during which the console dies (%s) ends once',
    async (point) => {
      const { id } = await toppedUp(500);
      armFailPoints(world.world, (reached) => {
        if (reached === point) throw new Error('dies');
      });
      expect((await refund(id, 200)).status).toBe(500);
      armFailPoints(world.world, undefined);
      // A day later Stripe has forgotten the key: what happened is looked up, not repeated.
      await world.later(point === 'refunds.after_call' ? 60 * 30 : 3);
      expect(await detail(id)).toMatchObject({ refunded: twd(200), refundable: twd(300) });
    },
  );

  it('that fails leaves the money in the balance; one that a bank returns comes back to it', async () => {
    const { id } = await toppedUp(500);
    const before = await world.balance();
    world.stripe.mishaps.push('refused');
    expect((await refund(id, 200)).data.state).toBe('failed');
    expect(await detail(id)).toMatchObject({ refunded: twd(0), refundable: twd(500) });
    await refund(id, 200);
    const [there] = [...world.stripe.refunds.values()].slice(-1);
    expect(await world.balance()).toBe(before - 200);
    there!.status = 'failed';
    await world.stripeSays(world.stripe.event('refund.failed', there!));
    await world.stripeSays(world.stripe.event('refund.updated', { ...there!, status: 'succeeded' }));
    expect(await world.balance()).toBe(before);
    expect(await detail(id)).toMatchObject({ state: 'succeeded', refunded: twd(0) });
  });

  it('at ECPay that is not answered is settled by whoever looked there, never by asking twice', async () => {
    const { id } = await toppedUp(500, 'ecpay');
    for (const [mishap, happened] of [
      ['lost after', true],
      ['lost before', false],
    ] as const) {
      world.ecpay.mishaps.push(mishap);
      const { data } = await refund(id, 100);
      expect(data).toMatchObject({ state: 'pending', needsHand: true });
      const asked = world.ecpay.actions.length;
      await world.later(3);
      expect(world.ecpay.actions).toHaveLength(asked);
      expect(
        (await world.ok(payments.settleRefund, { paymentId: id, refundId: data.id, happened }, asAdmin()))
          .state,
      ).toBe(happened ? 'succeeded' : 'failed');
      expect(
        (await world.call(payments.settleRefund, { paymentId: id, refundId: data.id, happened }, asAdmin()))
          .envelope.code,
      ).toBe('payments.refund_not_unsure');
    }
    expect((await refund(id, 400)).data.state).toBe('succeeded');
    expect(await detail(id)).toMatchObject({ state: 'refunded' });
    const whole = await toppedUp(80, 'ecpay');
    expect((await refund(whole.id, 80)).data.state).toBe('succeeded');
    expect(world.ecpay.actions.slice(-2)).toEqual(['N 80', 'R 80']);
  });

  it('shows its payment’s life to an Admin', async () => {
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
  it('is offered once there is an account, and pays what arrived: a part, or with the rest in the balance', async () => {
    const bill = world.bill();
    expect(
      (
        await world.call(
          payments.payBill,
          { billId: bill.id, method: 'bank_transfer' },
          { token: world.user.token },
        )
      ).envelope.code,
    ).toBe('payments.method_not_offered');
    const account = { bank: '台灣銀行 004', holder: 'Formosa Cloud', account: '012-345-678901', note: '' };
    await world.ok(payments.setBankAccount, account, asAdmin());
    expect((await world.ok(payments.paymentOptions, {}, { token: world.user.token })).bankAccount).toEqual(
      account,
    );
    const part = await world.pay(bill.id, 'bank_transfer');
    expect(part).toMatchObject({ state: 'pending', reference: expect.stringMatching(/^PAY-[0-9A-Z]{8}$/) });
    expect(
      (await world.ok(payments.adminListPayments, { q: part.reference }, asAdmin())).items.map(
        (each) => each.id,
      ),
    ).toEqual([part.id]);
    // A checkout that is open at a provider waits for nobody here.
    await world.pay(bill.id, 'stripe');
    expect((await world.ok(consoleContract.adminDashboard, {}, asAdmin())).pendingPayments).toBe(1);
    await world.ok(payments.confirmPayment, { paymentId: part.id, amount: twd(400) }, asAdmin());
    expect(await world.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(400) });
    const before = await world.balance();
    const rest = await world.pay(bill.id, 'bank_transfer');
    expect(
      await world.ok(payments.confirmPayment, { paymentId: rest.id, amount: twd(1000) }, asAdmin()),
    ).toMatchObject({ isMismatch: false, toBill: twd(650) });
    expect((await world.billNow(bill.id)).state).toBe('paid');
    expect(await world.balance()).toBe(before + 350);
    expect((await refund(rest.id, 350)).data).toMatchObject({ state: 'succeeded' });
    byHand = 400 + 1000 - 350;
    expect(
      (await world.call(payments.confirmPayment, { paymentId: (await toppedUp(5)).id }, asAdmin())).envelope
        .code,
    ).toBe('payments.not_by_transfer');
  });
});

describe('a receipt', () => {
  it('says in both languages what was paid, when, how, by whom, and that it is no 統一發票; the same bytes each time', async () => {
    const bill = world.bill();
    const intent = await world.pay(bill.id, 'stripe');
    expect(
      (await world.call(payments.receipt, { paymentId: intent.id }, { token: world.user.token })).envelope
        .code,
    ).toBe('payments.no_receipt');
    await world.stripeSays(world.stripe.pay(intent.id));
    for (const [language, words] of [
      ['zhTW', ['收據', '不是統一發票', '信用卡（Stripe）']],
      ['enUS', ['Receipt', 'not a statutory uniform invoice', 'Card (Stripe)']],
    ] as const) {
      const first = await world.ok(
        payments.receipt,
        { paymentId: intent.id, language },
        { token: world.user.token },
      );
      const text = (await pdfPages(first.body as Uint8Array)).join('\n').replaceAll(/\s+/g, ' ');
      for (const word of [...words, bill.number, 'NT$1,050', intent.reference, 'One', 'Formosa Cloud'])
        expect(text).toContain(word);
      world.clock.set(new Date(world.clock.now().getTime() + 60_000));
      await sql`insert into setting (key, value, changed_at, changed_by) values ('billing.seller', '{"name":"Another","taxId":"","address":"","email":""}', now(), 'x') on conflict (key) do nothing`.execute(
        world.world.database.kysely,
      );
      const second = await world.ok(
        payments.receipt,
        { paymentId: intent.id, language },
        { token: world.user.token },
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

  it('of checkouts, payments, events in any order and refunds keep every amount where it belongs', async () => {
    const histories = fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        await play(steps);
        await world.checkBooks(byHand);
      }),
      { numRuns: 12, endOnFailure: true },
    );
    await expect(histories).resolves.toBeUndefined();
  });

  /** Plays a history on one bill, then delivers what is left: nothing of it may be refused for good. */
  async function play(steps: readonly Step[]): Promise<void> {
    const bill = world.bill();
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
        const said = world.ecpay.pay(
          intent.id.slice(-20),
          minor === undefined ? {} : { TradeAmt: String(minor) },
        );
        post.push(async () => (await world.ecpaySays(said)).status);
      } else {
        const said = world.stripe.pay(intent.id, minor === undefined ? undefined : minor * 100);
        post.push(() => world.stripeSays(said));
      }
    };
    for (const step of steps) {
      if (step.kind === 'card' || step.kind === 'ecpay' || step.kind === 'balance') {
        const method = step.kind === 'card' ? 'stripe' : step.kind;
        const answer = await world.call(
          payments.payBill,
          { billId: bill.id, method, amount: twd(step.amount) },
          { token: world.user.token },
        );
        if (answer.status !== 201) continue;
        if (method === 'ecpay') world.ecpay.post({ ...answer.data.checkout!.fields });
        if (method !== 'balance' && !open.some((each) => each.id === answer.data.id)) open.push(answer.data);
      } else if (step.kind === 'top up') {
        const answer = await world.call(
          payments.topUp,
          { amount: twd(step.amount), method: 'stripe' },
          { token: world.user.token },
        );
        if (answer.status === 201) open.push(answer.data);
      } else if (step.kind === 'pay' || step.kind === 'pay wrongly') {
        const intent = take(open, step.pick);
        if (intent) payThere(intent, step.kind === 'pay' ? undefined : step.amount);
      } else if (step.kind === 'deliver') await deliver(take(post, step.pick));
      else if (step.kind === 'deliver again') await sent[step.pick % Math.max(1, sent.length)]?.();
      else if (step.kind === 'refund' && paid.length > 0)
        await refund(paid[step.pick % paid.length]!.id, step.amount);
      else if (step.kind === 'lose') world.stripe.mishaps.push('lost after', 'lost after');
      else if (step.kind === 'refund there') {
        const intent = paid[step.pick % Math.max(1, paid.length)];
        if (intent?.method !== 'stripe' || world.stripe.sessionOf(intent.id).amount_total < 200) continue;
        const already = [...world.stripe.refunds.values()]
          .filter((each) => each.payment_intent === world.stripe.sessionOf(intent.id).payment_intent)
          .reduce((sum, each) => sum + each.amount, 0);
        if (already + 100 > world.stripe.sessionOf(intent.id).amount_total) continue;
        const event = world.stripe.event('refund.updated', world.stripe.refundThere(intent.id, 100));
        post.push(() => world.stripeSays(event));
      }
    }
    world.stripe.mishaps.length = 0;
    for (const letter of post) await deliver(letter);
    await world.later(5);
    const { total, paid: sum } = await world.billNow(bill.id);
    expect(sum.minor).toBeLessThanOrEqual(total.minor);
  }
});
