// Saved cards and automatic collection: each attempt charges at most once, whatever is lost, duplicated or
// late, and never more than the amount due.
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf, momentAt } from '#kernel/time.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { billsCollected, collect, warnOfExpiry } from '#features/receivables/collection/server/index.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { dun } from '#features/receivables/dunning/server/index.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import type { StripeEvent } from '../support/stripe.ts';
import type { FakeCard } from '../support/stripe-cards.ts';
import { adminAccount, registerUser, signIn } from '../support/console.ts';
import { holdJob } from '../support/jobs.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const asUser = () => ({ token: app.user.token });
const asAdmin = () => ({ token: app.admin });

beforeAll(async () => {
  app = await createPaymentApp(45);
  await holdJob(app.app, 'collect', 'collect');
  await planFrom('issue');
  // Only bills that a test selects are charged: all others wait for a day far in the future.
  await sql`insert into bill_collection (bill_id, organization_id, attempts, tries, first_at) select id, organization_id, 0, 0, now() from bill`.execute(
    app.app.database.kysely,
  );
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

const planFrom = (firstDay: 'issue' | 'due' | 'before') =>
  app.ok(collection.saveCollectionPlan, { firstDay, daysBefore: 3, retryDays: [1, 3, 5, 7] }, asAdmin());

/** A bill whose collection has not begun. */
async function fresh(): Promise<Bill> {
  const bill = app.bill();
  await sql`delete from bill_collection where bill_id = ${bill.id}`.execute(app.app.database.kysely);
  return bill;
}
const run = () => collect(app.app);
async function save(card: Partial<FakeCard['card']> = {}): Promise<StripeEvent> {
  const { url } = await app.ok(collection.addCard, { consents: true, language: 'zhTW' }, asUser());
  const event = app.stripe.event('checkout.session.completed', app.stripe.cards.enter(url, card));
  expect(await app.sendStripeEvent(event)).toBe(200);
  return event;
}
const cards = () => app.ok(collection.listCards, {}, asUser());
const standing = (bill: Bill) => app.ok(collection.billCollection, { billId: bill.id }, asUser());
const chargeEvent = (bill: Bill, attempt: number, type: string): StripeEvent => {
  const charge = app.stripe.cards
    .chargesOf(bill.id)
    .find((each) => each.metadata['attempt'] === String(attempt));
  if (!charge) throw new Error('no such charge');
  return app.stripe.event(type, charge);
};
/** Moves the clock by days, and lets the job run. */
async function after(days: number, minutes = 0): Promise<void> {
  await app.later(days * 1440 + minutes);
  await run();
}
async function messages(): Promise<string> {
  const { items } = await app.ok(notifications.listNotifications, { limit: 100 }, asUser());
  return items.map((each) => each.message).join('\n');
}

describe('T-CARD: a saved card', () => {
  it('needs consent, which is stored word for word with its person; the card number never reaches the console', async () => {
    const refused = await app.call(collection.addCard, { consents: false, language: 'enUS' }, asUser());
    expect(refused.status).toBe(400);
    expect(refused.envelope).toMatchObject({ errors: [{ field: 'consents' }] });
    const event = await save();
    expect(await app.sendStripeEvent(event)).toBe(200);
    const list = await cards();
    expect(list.cards).toMatchObject([
      { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030, isDefault: true, expiry: 'fine' },
    ]);
    expect(list.isOn).toBe(false);
    const { rows } = await sql<{
      consent: string;
      language: string;
      created_by: string;
    }>`select * from card_setup`.execute(app.app.database.kysely);
    expect(rows).toMatchObject([{ language: 'zhTW', created_by: app.user.userId, state: 'saved' }]);
    expect(rows[0]?.consent).toContain('我同意');
    expect(app.stripe.cards.customers.size).toBe(1);
  });

  it('is one of several, with one default, which is removed last', async () => {
    await save({ last4: '1881', fingerprint: 'second' });
    const [first, second] = (await cards()).cards;
    expect([first?.isDefault, second?.isDefault, second?.last4]).toEqual([true, false, '1881']);
    const refused = await app.call(collection.removeCard, { cardId: first!.id }, asUser());
    expect([refused.status, refused.envelope.code]).toEqual([409, 'collection.default_card']);
    await app.ok(collection.setDefaultCard, { cardId: second!.id }, asUser());
    await app.ok(collection.setDefaultCard, { cardId: first!.id }, asUser());
    // The same card number entered again replaces the older entry.
    await save({ last4: '1881', fingerprint: 'second', exp_year: 2031 });
    const now = (await cards()).cards;
    expect(now.map((each) => [each.last4, each.expYear, each.isDefault])).toEqual([
      ['4242', 2030, true],
      ['1881', 2031, false],
    ]);
    await app.ok(collection.removeCard, { cardId: now[1]!.id }, asUser());
    expect((await cards()).cards).toHaveLength(1);
  });

  it('is updated by its bank’s events, but never by an older one', async () => {
    const method = [...app.stripe.cards.methods.values()][0]!;
    const older = app.stripe.event('payment_method.automatically_updated', {
      ...method,
      card: { ...method.card, exp_year: 2029 },
    });
    const newer = app.stripe.event('payment_method.automatically_updated', {
      ...method,
      card: { ...method.card, exp_year: 2033 },
    });
    await app.sendStripeEvent(newer);
    await app.sendStripeEvent(older);
    expect((await cards()).cards[0]?.expYear).toBe(2033);
  });

  it('is found even if its event was lost; another organization’s does not exist', async () => {
    const other = await registerUser(app, 'payer@two.example', 'Two');
    const own = (await cards()).cards[0]!;
    for (const route of [collection.setDefaultCard, collection.removeCard])
      expect((await app.call(route, { cardId: own.id }, { token: other.token })).status).toBe(404);
    expect(
      (await app.call(collection.setCollection, { isOn: true }, { token: other.token })).envelope.code,
    ).toBe('collection.no_card');
    const { url } = await app.ok(
      collection.addCard,
      { consents: true, language: 'enUS' },
      { token: other.token },
    );
    app.stripe.cards.enter(url, { last4: '9999' });
    await after(0, 15);
    other.token = await signIn(app, 'payer@two.example');
    expect((await app.ok(collection.listCards, {}, { token: other.token })).cards).toMatchObject([
      { last4: '9999', isDefault: true },
    ]);
  });
});

describe('T-COLL: an attempt to charge', () => {
  it('is not made while collection is off; switched on, it pays exactly the amount due, once', async () => {
    const bill = await fresh();
    await run();
    expect(app.stripe.cards.chargesOf(bill.id)).toEqual([]);
    await app.sendStripeEvent(app.stripe.pay((await app.pay(bill.id, 'stripe', 50)).id));
    await app.ok(collection.setCollection, { isOn: true }, asUser());
    await Promise.all([run(), run(), run()]);
    await run();
    expect(app.stripe.cards.chargesOf(bill.id)).toMatchObject([
      { amount: (billTotal - 50) * 100, currency: 'twd' },
    ]);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
    expect(await standing(bill)).toMatchObject({
      nextOn: null,
      stopped: null,
      attempts: [{ number: 1, state: 'succeeded', amount: twd(billTotal - 50), last4: '4242' }],
    });
    // Its events arrive twice, and change nothing.
    const event = chargeEvent(bill, 1, 'payment_intent.succeeded');
    expect([await app.sendStripeEvent(event), await app.sendStripeEvent(event)]).toEqual([200, 200]);
    expect(await app.balance()).toBe(0);
  });

  it('whose response was lost is queried and charged once', async () => {
    const bill = await fresh();
    app.stripe.mishaps.push('lost after', 'lost after');
    await run();
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'open' });
    expect((await standing(bill)).attempts).toMatchObject([{ state: 'pending' }]);
    // Nobody can pay the same bill meanwhile.
    const twice = await app.call(payments.payBill, { billId: bill.id, method: 'stripe' }, asUser());
    expect(twice.envelope.code).toBe('payments.under_way');
    await run();
    await after(0, 3);
    expect(app.stripe.cards.chargesOf(bill.id)).toHaveLength(1);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
  });

  it('that never reached the provider, or whose console crashed before the call, is made once later', async () => {
    const [bill, other] = [await fresh(), await fresh()];
    app.stripe.mishaps.push('lost before', 'lost before');
    let died = 0;
    armFailPoints(app.app, (point) => {
      if (point === 'collection.before_charge' && died++ === 1) throw new Error('killed');
    });
    await run();
    armFailPoints(app.app, undefined);
    expect([bill, other].map((each) => app.stripe.cards.chargesOf(each.id).length)).toEqual([0, 0]);
    await after(0, 3);
    for (const each of [bill, other]) {
      expect(app.stripe.cards.chargesOf(each.id)).toHaveLength(1);
      expect(await app.billNow(each.id)).toMatchObject({ state: 'paid' });
    }
  });

  it('that the provider’s event completes before its response is applied counts once', async () => {
    const bill = await fresh();
    armFailPoints(app.app, (point) => {
      if (point === 'collection.after_charge') throw new Error('killed');
    });
    await run();
    armFailPoints(app.app, undefined);
    expect(await app.sendStripeEvent(chargeEvent(bill, 1, 'payment_intent.succeeded'))).toBe(200);
    await after(0, 3);
    expect(app.stripe.cards.chargesOf(bill.id)).toHaveLength(1);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
    expect(await app.balance()).toBe(0);
  });

  it('whose customer was deleted at the provider is closed: a charge is found, a missing one is marked as failed', async () => {
    const [charged, lost] = [await fresh(), await fresh()];
    // By the order of their ids: the response of one is lost, and the other never arrives.
    const inOrder = [charged, lost].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [first, second] = [inOrder[0]!, inOrder[1]!];
    app.stripe.mishaps.push('lost after', 'lost after', 'lost before', 'lost before');
    await run();
    expect([first, second].map((each) => app.stripe.cards.chargesOf(each.id).length)).toEqual([1, 0]);
    const customers = new Map(app.stripe.cards.customers);
    app.stripe.cards.customers.clear();
    await after(0, 3);
    expect(await app.billNow(first.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
    expect((await standing(second)).attempts).toMatchObject([{ state: 'failed' }]);
    expect((await standing(second)).stopped).toBe('refused');
    // Other payments are possible again.
    await app.sendStripeEvent(app.stripe.pay((await app.pay(second.id, 'stripe')).id));
    expect(await app.billNow(second.id)).toMatchObject({ state: 'paid' });
    for (const [id, customer] of customers) app.stripe.cards.customers.set(id, customer);
  });

  it('is not made for a bill with a payment in progress, and not repeated when it is no longer due', async () => {
    const bill = await fresh();
    const checkout = await app.pay(bill.id, 'stripe');
    await run();
    expect(app.stripe.cards.chargesOf(bill.id)).toEqual([]);
    await app.sendStripeEvent(app.stripe.expire(checkout.id));
    app.stripe.mishaps.push('lost before', 'lost before');
    await run();
    await app.ok(collection.setCollection, { isOn: false }, asUser());
    await after(0, 3);
    expect(app.stripe.cards.chargesOf(bill.id)).toEqual([]);
    expect((await standing(bill)).attempts).toMatchObject([{ state: 'failed', reason: 'not_needed' }]);
    await app.ok(collection.setCollection, { isOn: true }, asUser());
    await run();
    expect(app.stripe.cards.chargesOf(bill.id)).toMatchObject([{ metadata: { attempt: '2' } }]);
  });
});

describe('T-DAY: the first attempt', () => {
  it('is on the due day in the organization’s time zone, or the configured days before', async () => {
    const bill = await fresh();
    await planFrom('due');
    const due = dayOf(bill.dueAt, 'Asia/Taipei');
    expect((await standing(bill)).nextOn).toBe(due);
    await planFrom('before');
    expect((await standing(bill)).nextOn).toBe(addDays(due, -3));
    await planFrom('due');
    const first = momentAt(due, '00:00', 'Asia/Taipei');
    app.clock.set(new Date(first.getTime() - 60_000));
    await run();
    expect(app.stripe.cards.chargesOf(bill.id)).toEqual([]);
    app.clock.set(first);
    await run();
    expect(app.stripe.cards.chargesOf(bill.id)).toHaveLength(1);
    await app.later(1);
    await planFrom('issue');
  });
});

describe('T-DECL: a declined card', () => {
  it('is retried on days 1, 3, 5 and 7 after the first attempt, each with its own key, and then not again', async () => {
    const bill = await fresh();
    app.stripe.cards.declines.push('insufficient_funds');
    await run();
    const first = dayOf(app.clock.now(), 'Asia/Taipei');
    const next = await standing(bill);
    expect(next).toMatchObject({
      nextOn: addDays(first, 1),
      attempts: [{ reason: 'insufficient_funds', code: '' }],
    });
    expect(await messages()).toContain(bill.number);
    const made: number[] = [];
    for (let day = 1; day <= 9; day++) {
      const before = app.stripe.cards.chargesOf(bill.id).length;
      if ([1, 3, 5, 7].includes(day)) app.stripe.cards.declines.push('do_not_honor');
      await after(1);
      if (app.stripe.cards.chargesOf(bill.id).length > before) made.push(day);
    }
    expect(made).toEqual([1, 3, 5, 7]);
    expect(await standing(bill)).toMatchObject({ nextOn: null, stopped: 'given_up' });
    // A late success still pays the bill.
    const charge = app.stripe.cards.chargesOf(bill.id)[0]!;
    Object.assign(charge, { status: 'succeeded', amount_received: charge.amount });
    await app.sendStripeEvent(app.stripe.event('payment_intent.succeeded', charge));
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    expect(await app.balance()).toBe(0);
  });

  it('permanently is not retried, without revealing that it is stolen; another default card starts again', async () => {
    const bill = await fresh();
    app.stripe.cards.declines.push('stolen_card');
    await run();
    await after(30);
    expect(app.stripe.cards.chargesOf(bill.id)).toHaveLength(1);
    expect(await standing(bill)).toMatchObject({
      stopped: 'declined',
      attempts: [{ reason: 'other', code: '' }],
    });
    expect(await app.ok(collection.adminBillCollection, { billId: bill.id }, asAdmin())).toMatchObject({
      attempts: [{ code: 'stolen_card' }],
    });
    await save({ last4: '0005', fingerprint: 'third' });
    const other = (await cards()).cards.find((each) => !each.isDefault)!;
    await app.ok(collection.setDefaultCard, { cardId: other.id }, asUser());
    await run();
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    expect((await standing(bill)).attempts.map((each) => each.last4)).toEqual(['0005', '4242']);
  });

  it('that needs authentication waits for its holder, who pays on the provider’s page', async () => {
    const bill = await fresh();
    app.stripe.cards.declines.push('authentication_required');
    await run();
    await after(10);
    expect(app.stripe.cards.chargesOf(bill.id)).toHaveLength(1);
    expect(await standing(bill)).toMatchObject({ stopped: 'confirm' });
    await app.sendStripeEvent(app.stripe.pay((await app.pay(bill.id, 'stripe')).id));
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
  });

  it('whose attempt succeeds after the next one did adds the money to the balance and pays nothing twice', async () => {
    const bill = await fresh();
    const before = await app.balance();
    app.stripe.cards.declines.push('insufficient_funds');
    await run();
    await after(1);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    const late = app.stripe.cards.chargesOf(bill.id)[0]!;
    Object.assign(late, { status: 'succeeded', amount_received: late.amount });
    const event = app.stripe.event('payment_intent.succeeded', late);
    await app.sendStripeEvent(event);
    await app.sendStripeEvent(event);
    expect(await app.balance()).toBe(before + billTotal);
  });
});

describe('T-DUN: dunning', () => {
  it('mentions the card charge, and suspends nobody before the last attempt', async () => {
    const stateOf = (bill: Bill) =>
      unitOfWork(app.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) =>
        (await billsCollected(ctx, [bill.id])).has(bill.id),
      );
    const { id: rehearsalId } = await app.ok(dunning.rehearseDunning, {}, asAdmin());
    await app.ok(dunning.switchDunning, { isOn: true, rehearsalId }, asAdmin());
    const bill = await fresh();
    app.stripe.cards.declines.push('insufficient_funds');
    await run();
    expect(await stateOf(bill)).toBe(true);
    await dun(app.app);
    expect(await messages()).toContain('will be charged to your saved card');
    const history = async () =>
      (await app.ok(dunning.billDunning, { billId: bill.id }, asAdmin())).items.map((each) => each.kind);
    // Eighteen days later, with no console running meanwhile: the second attempt is still planned.
    await app.later(18 * 1440);
    await dun(app.app);
    expect(await history()).not.toContain('suspended');
    app.stripe.cards.declines.push('lost_card');
    await run();
    expect(await stateOf(bill)).toBe(false);
    await dun(app.app);
    expect(JSON.stringify(await history())).toContain('suspend');
  });
});

describe('T-EXP: expiry, and the options of an Admin', () => {
  it('is announced once, a month before', async () => {
    await save({ last4: '7777', fingerprint: 'soon', exp_year: 2025, exp_month: 3 });
    const soon = (await cards()).cards.find((each) => each.last4 === '7777')!;
    await app.ok(collection.setDefaultCard, { cardId: soon.id }, asUser());
    app.clock.set(new Date('2025-02-27T03:00:00Z'));
    await warnOfExpiry(app.app);
    app.user.token = await signIn(app, 'payer@one.example');
    expect(await messages()).not.toContain('7777');
    app.clock.set(new Date('2025-03-02T03:00:00Z'));
    await warnOfExpiry(app.app);
    await warnOfExpiry(app.app);
    app.user.token = await signIn(app, 'payer@one.example');
    expect((await messages()).split('7777')).toHaveLength(2);
    expect((await cards()).cards.find((each) => each.last4 === '7777')?.expiry).toBe('soon');
  });

  it('an Admin can disable collection for an organization, sees brand and last four digits, and sets the days', async () => {
    const token = await signIn(app, adminAccount.account, adminAccount.password);
    app.user.token = await signIn(app, 'payer@one.example');
    const { items } = await app.ok(collection.listCollected, {}, { token });
    const own = items.find((each) => each.organization === 'One')!;
    expect(own).toMatchObject({ isOn: true });
    expect(JSON.stringify(own)).not.toContain('pm_');
    await app.ok(collection.stopCollection, { organizationId: own.organizationId }, { token });
    expect((await cards()).isOn).toBe(false);
    const wrong = await app.call(
      collection.saveCollectionPlan,
      { firstDay: 'issue', daysBefore: 1, retryDays: [3, 1] },
      { token },
    );
    expect(wrong.envelope).toMatchObject({ errors: [{ field: 'retryDays' }] });
    await app.ok(
      collection.saveCollectionPlan,
      { firstDay: 'issue', daysBefore: 1, retryDays: [2] },
      { token },
    );
    expect((await cards()).plan).toEqual({ firstDay: 'issue', daysBefore: 1, retryDays: [2] });
  });
});
