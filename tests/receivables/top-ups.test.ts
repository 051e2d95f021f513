// Automatic top-ups: a low balance is topped up from the default card, each attempt at most once, never above
// the monthly cap, and after a decline only once a person has resolved it.
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { topups } from '#features/receivables/top-ups/contract.ts';
import { topUpBalances } from '#features/receivables/top-ups/server/index.ts';
import { jobs } from '#app/jobs.ts';
import type { FakeCard } from '../support/stripe-cards.ts';
import type { Dispute } from '../support/stripe.ts';
import { registerUser, signIn } from '../support/console.ts';
import { holdJob } from '../support/jobs.ts';
import { createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const asUser = () => ({ token: app.user.token });
const asAdmin = () => ({ token: app.admin });
const run = () => topUpBalances(app.app);
const terms = { threshold: twd(1000), amount: twd(3000), monthlyCap: twd(7000) };
async function set(more: Partial<typeof terms> = {}): Promise<void> {
  await app.ok(topups.setAutomaticTopUp, { ...terms, ...more, consents: true, language: 'enUS' }, asUser());
}
const now = async () => required((await app.ok(topups.automaticTopUps, {}, asUser())).items[0], 'a setting');
async function save(card: Partial<FakeCard['card']> = {}): Promise<void> {
  const { url } = await app.ok(collection.addCard, { consents: true, language: 'zhTW' }, asUser());
  const event = app.stripe.event('checkout.session.completed', app.stripe.cards.enter(url, card));
  expect(await app.sendStripeEvent(event)).toBe(200);
}
const charges = () => [...app.stripe.cards.charges.values()];
/** Empties the balance: a bill takes all of it. */
async function spend(): Promise<void> {
  const balance = await app.balance();
  if (balance > 0) await spendSome(balance);
}
async function spendSome(amount: number): Promise<void> {
  for (let left = amount; left > 0; left -= 1050)
    await app.ok(
      payments.payBill,
      { billId: app.bill().id, method: 'balance', amount: twd(Math.min(left, 1050)) },
      asUser(),
    );
}
/** The first day of the next month in the console's time zone, Asia/Taipei. */
async function nextMonth(): Promise<void> {
  const at = app.clock.now();
  app.clock.set(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 4)));
  await app.later(0);
}
async function messages(): Promise<string[]> {
  const { items } = await app.ok(notifications.listNotifications, { limit: 100 }, asUser());
  return items.map((each) => each.message);
}

beforeAll(async () => {
  app = await createPaymentApp(45);
  // Only the organizations of a test are charged.
  for (const job of ['collect', 'top-up-balances']) await holdJob(app.app, job, job);
});
afterEach(async () => {
  armFailPoints(app.app, undefined);
  await checkAll();
});
/** No prepared provider call is left, and the books match the provider. */
async function checkAll(): Promise<void> {
  expect([...app.stripe.mishaps, ...app.stripe.cards.declines]).toEqual([]);
  await app.checkBooks();
}

describe('T-TOP: consent to automatic top-ups', () => {
  it('needs a card, valid amounts and agreement, each reported at its field', async () => {
    const call = (more: object) =>
      app.call(
        topups.setAutomaticTopUp,
        { ...terms, consents: true, language: 'enUS', ...more } as never,
        asUser(),
      );
    expect((await call({})).envelope.code).toBe('topups.no_card');
    await save();
    expect((await call({ consents: false })).envelope).toMatchObject({ errors: [{ field: 'consents' }] });
    expect((await call({ monthlyCap: twd(2999) })).envelope).toMatchObject({
      errors: [{ field: 'monthlyCap' }],
    });
    expect((await call({ threshold: twd(0) })).envelope).toMatchObject({ errors: [{ field: 'threshold' }] });
  });

  it('is stored word for word with amounts, person, language and time', async () => {
    await set();
    const { rows } = await sql<{
      consent: string;
    }>`select * from card_top_up_consent`.execute(app.app.database.kysely);
    expect(rows).toMatchObject([
      { given_by: app.user.userId, language: 'enUS', given_at: app.clock.now(), currency: 'TWD' },
    ]);
    expect(rows[0]?.consent).toContain('falls below NT$1,000');
    expect(rows[0]?.consent).toContain('charges NT$3,000');
    expect(rows[0]?.consent).toContain('no more than NT$7,000 in a calendar month');
  });

  it('belongs to one organization: another one sees nothing of it, and has none without a card', async () => {
    const other = await registerUser(app, 'payer@two.example', 'Two');
    expect((await app.ok(topups.automaticTopUps, {}, { token: other.token })).items).toEqual([]);
    const refused = await app.call(
      topups.setAutomaticTopUp,
      { ...terms, consents: true, language: 'enUS' },
      { token: other.token },
    );
    expect(refused.envelope.code).toBe('topups.no_card');
  });
});

describe('T-TOP: an attempt to top up', () => {
  it('charges once, however many jobs run concurrently, and not again while the balance is sufficient', async () => {
    await Promise.all([run(), run(), run()]);
    await run();
    expect(charges()).toMatchObject([{ amount: 300_000, currency: 'twd', status: 'succeeded' }]);
    expect(await app.balance()).toBe(3000);
    expect(await now()).toMatchObject({ usedThisMonth: twd(3000), isCapped: false, stopped: null });
    expect((await messages()).filter((each) => each.includes('top-up of NT$3,000 has arrived'))).toHaveLength(
      1,
    );
    const event = app.stripe.event('payment_intent.succeeded', charges()[0]!);
    expect([await app.sendStripeEvent(event), await app.sendStripeEvent(event)]).toEqual([200, 200]);
    expect(await app.balance()).toBe(3000);
  });

  it('is not made at the threshold, only below it', async () => {
    await spendSome(2000);
    await run();
    expect(charges()).toHaveLength(1);
    await spendSome(1);
    await run();
    expect(charges()).toHaveLength(2);
    expect(await app.balance()).toBe(3999);
  });

  it('is not made beyond the monthly cap, which is notified once, and is made again in the next month', async () => {
    await spend();
    await run();
    await run();
    expect(charges()).toHaveLength(2);
    expect(await now()).toMatchObject({ usedThisMonth: twd(6000), isCapped: true });
    expect((await messages()).filter((each) => each.includes('this month’s limit of NT$7,000'))).toHaveLength(
      1,
    );
    await nextMonth();
    expect(await now()).toMatchObject({ usedThisMonth: twd(0), isCapped: false });
    await run();
    expect(charges()).toHaveLength(3);
  });

  it('whose response was lost counts against the cap, is queried and never repeated', async () => {
    await spend();
    app.stripe.mishaps.push('lost after', 'lost after');
    await set({ monthlyCap: twd(9000) });
    await run();
    expect(await now()).toMatchObject({ isUnderWay: true, usedThisMonth: twd(6000) });
    // While the outcome is unknown, nothing more is charged, however low the balance is.
    await run();
    expect(charges()).toHaveLength(4);
    await app.later(3);
    await run();
    expect(charges()).toHaveLength(4);
    expect(await app.balance()).toBe(3000);
    expect(await now()).toMatchObject({ isUnderWay: false, usedThisMonth: twd(6000) });
  });

  it('that never reached the provider, or whose console crashed before or after the call, is charged once later', async () => {
    await nextMonth();
    await set({ monthlyCap: twd(90_000) });
    for (const point of ['topups.before_charge', 'collection.after_charge', 'lost before'] as const) {
      await spend();
      const before = charges().length;
      if (point === 'lost before') app.stripe.mishaps.push(point, point);
      armFailPoints(app.app, (reached) => {
        if (reached === point) throw new Error('killed');
      });
      await run();
      armFailPoints(app.app, undefined);
      await run();
      await app.later(3);
      await Promise.all([run(), run()]);
      expect(charges()).toHaveLength(before + 1);
      expect(await app.balance()).toBe(3000);
    }
  });
});

describe('T-TOP: a declined card', () => {
  it('stops top-ups with a message until a person chooses another card; only Admins see the code', async () => {
    await spend();
    const before = charges().length;
    app.stripe.cards.declines.push('stolen_card');
    await run();
    await app.later(3 * 1440);
    await run();
    expect(charges()).toHaveLength(before + 1);
    expect(await now()).toMatchObject({ stopped: 'declined', reason: 'other' });
    expect((await messages()).filter((each) => each.includes('auto top-up has stopped'))).toHaveLength(1);
    const { items } = await app.ok(topups.adminListTopUps, {}, asAdmin());
    expect(items).toMatchObject([{ organization: 'One', stopped: 'declined', code: 'stolen_card' }]);
    // A failed attempt does not count against the cap.
    const used = (await now()).usedThisMonth;
    await save({ last4: '1881', fingerprint: 'second' });
    const other = (await app.ok(collection.listCards, {}, asUser())).cards.find((each) => !each.isDefault)!;
    await app.ok(collection.setDefaultCard, { cardId: other.id }, asUser());
    await run();
    expect(await app.balance()).toBe(3000);
    expect(await now()).toMatchObject({ stopped: null, usedThisMonth: twd(Number(used.minor) + 3000) });
  });

  it('is retried when top-ups are switched on again, after any decline', async () => {
    await spend();
    app.stripe.cards.declines.push('insufficient_funds');
    await run();
    await run();
    expect(await now()).toMatchObject({ stopped: 'declined', reason: 'insufficient_funds' });
    await set({ monthlyCap: twd(90_000) });
    await run();
    expect(await now()).toMatchObject({ stopped: null });
    expect(await app.balance()).toBe(3000);
  });

  it('whose charge succeeds later counts once', async () => {
    await spend();
    app.stripe.cards.declines.push('processing');
    await run();
    const late = charges().at(-1)!;
    Object.assign(late, { status: 'succeeded', amount_received: late.amount });
    await app.sendStripeEvent(app.stripe.event('payment_intent.succeeded', late));
    await app.later(3);
    await run();
    expect(await app.balance()).toBe(3000);
  });
});

describe('T-TOP: a disputed top-up', () => {
  it('stops further ones until they are switched on again', async () => {
    await spend();
    await run();
    const charge = charges().at(-1)!;
    const before = charges().length;
    const dispute: Dispute = {
      id: 'du_top_up',
      object: 'dispute',
      amount: charge.amount,
      currency: charge.currency,
      payment_intent: charge.id,
      reason: 'fraudulent',
      status: 'needs_response',
      evidence_details: { due_by: 1_735_689_599 },
      balance_transactions: [],
    };
    app.stripe.disputes.set(dispute.id, dispute);
    expect(await app.sendStripeEvent(app.stripe.event('charge.dispute.created', dispute))).toBe(200);
    expect(await app.sendStripeEvent(app.stripe.moveDisputed(dispute, -charge.amount))).toBe(200);
    expect([await app.balance(), await now()]).toMatchObject([0, { stopped: 'disputed', reason: null }]);
    await run();
    expect(charges()).toHaveLength(before);
    expect((await messages()).filter((each) => each.includes('disputed an auto top-up'))).toHaveLength(1);
    await set({ monthlyCap: twd(90_000) });
    await run();
    expect(charges()).toHaveLength(before + 1);
  });
});

describe('T-TOP: top-ups and required prepaid credit', () => {
  it('a top-up buys the credit that the balance was too low for, without waiting for the hourly job', async () => {
    await app.ok(
      creditgrants.setCreditOffer,
      { isOn: true, services: null, usageOnly: false, months: null },
      asAdmin(),
    );
    await spend();
    await set({ threshold: twd(2000), monthlyCap: twd(90_000) });
    await app.ok(
      creditgrants.setTopUp,
      {
        currency: 'TWD',
        topUp: { threshold: twd(500), amount: twd(2000), monthlyCap: twd(8000) },
        warnBelow: null,
      },
      asUser(),
    );
    await run();
    const cover = required(
      jobs.find(({ name }) => name === 'creditgrants.cover'),
      'the job',
    );
    await cover.run(app.app, {} as never, new AbortController().signal);
    expect((await app.ok(creditgrants.ownCredits, {}, asUser())).totals).toMatchObject([
      { currency: 'TWD', paid: twd(2000) },
    ]);
    expect(await app.balance()).toBe(1000);
  });
});

describe('T-TOP: top-ups end', () => {
  it('with the organization: a closed one is not charged', async () => {
    await spend();
    const close = (at: Date | null) =>
      sql`update organization set closed_at = ${at} where id = ${app.user.organizationId}`.execute(
        app.app.database.kysely,
      );
    await close(app.clock.now());
    const before = charges().length;
    await run();
    expect(charges()).toHaveLength(before);
    await close(null);
  });

  it('when they are switched off, also by an Admin, who cannot switch them on; nothing is charged afterwards', async () => {
    await spend();
    await app.ok(topups.endAutomaticTopUp, { currency: 'TWD' }, asUser());
    const before = charges().length;
    await run();
    expect(charges()).toHaveLength(before);
    expect(await now()).toMatchObject({ isOn: false });
    await set();
    await app.ok(
      topups.adminEndTopUp,
      { organizationId: app.user.organizationId as never, currency: 'TWD' },
      asAdmin(),
    );
    await run();
    expect(charges()).toHaveLength(before);
    expect((await app.ok(topups.adminListTopUps, {}, asAdmin())).items).toEqual([]);
    app.user.token = await signIn(app, 'payer@one.example');
  });
});
