// Payment plans: instalments add up exactly, payments fill the earliest, credit notes shorten the last ones,
// cards are charged per instalment, and dunning waits while the plan is kept.
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { addDays, dayOf, momentAt } from '#kernel/time.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { collect } from '#features/receivables/collection/server/index.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { dun } from '#features/receivables/dunning/server/index.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { plans, type PaymentPlan } from '#features/receivables/payment-plans/contract.ts';
import { watchPlans } from '#features/receivables/payment-plans/server/index.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { connection, opened } from '../../verify/connection.ts';
import { planChecks } from '../../verify/plans.ts';
import { placeOf } from '../support/books.ts';
import { registerUser } from '../support/console.ts';
import { holdJob, unschedule } from '../support/jobs.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const asUser = () => ({ token: app.user.token });
const asAdmin = () => ({ token: app.admin });
const today = (): LocalDay => dayOf(app.clock.now(), 'Asia/Taipei');
/** Weekly instalments from tomorrow on. */
const weekly = (...amounts: number[]) =>
  amounts.map((amount, index) => ({ on: addDays(today(), 1 + 7 * index), amount: twd(amount) }));
const agree = (bills: readonly Bill[], instalments: ReturnType<typeof weekly>, graceDays = 3) =>
  app.ok(
    plans.agreePlan,
    { billIds: bills.map(({ id }) => id), instalments, graceDays, note: 'by phone' },
    asAdmin(),
  );
const planOf = async (bill: Bill): Promise<PaymentPlan> =>
  required((await app.ok(plans.billPlan, { billId: bill.id }, asUser())).plan, 'a running plan');
const states = async (bill: Bill) => (await planOf(bill)).instalments.map(({ state }) => state);
const rests = async (bill: Bill) => (await planOf(bill)).instalments.map(({ rest }) => Number(rest.minor));
async function goTo(day: LocalDay): Promise<void> {
  app.clock.set(momentAt(day, '12:00', 'Asia/Taipei'));
  await app.later(0);
}
async function messages(who: { token: string } = asUser()): Promise<string[]> {
  return (await app.ok(notifications.listNotifications, { limit: 100 }, who)).items.map(
    (each) => each.message,
  );
}
const history = async (bill: Bill): Promise<string[]> =>
  (await app.ok(dunning.billDunning, { billId: bill.id }, asAdmin())).items
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'skipped')
    .toReversed();
const level = async () => (await app.ok(dunning.dunningStanding, {}, asUser())).level;
/** Pays an amount of a bill by a transfer that an Admin confirms. */
async function payByBank(bill: Bill, amount: number): Promise<void> {
  const { id } = await app.pay(bill.id, 'bank_transfer', amount);
  await app.ok(payments.confirmPayment, { paymentId: id }, asAdmin());
  cash += amount;
}
let cash = 0;
/** What the independent checker finds about plans. */
async function planFindings(of: PaymentApp): Promise<string[]> {
  const client = connection(placeOf(of));
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const books = await opened(client, null);
    const found = await Promise.all(planChecks.map((check) => check.run(books)));
    return found.flatMap(({ findings }) => findings.map(({ code, subject }) => `${code} ${subject}`));
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  app = await createPaymentApp(30);
  await holdJob(app.app, 'collect', 'collect');
  for (const name of ['dunning', 'payment-plans']) await unschedule(app.app, name);
  await app.ok(
    payments.setBankAccount,
    { bank: '004', holder: 'Us', account: '1234567', note: '' },
    asAdmin(),
  );
  // Only bills of a test are charged or dunned.
  await sql`insert into bill_collection (bill_id, organization_id, attempts, tries, first_at) select id, organization_id, 0, 0, now() from bill`.execute(
    app.app.database.kysely,
  );
});
// Each test has its own bills: those of earlier tests are fully due again, and are excluded.
afterEach(async () => {
  const findings = await planFindings(app);
  if (findings.length > 0) throw new Error(`plans do not add up: ${findings.join()}`);
  await sql`delete from bill_instalment`.execute(app.app.database.kysely);
  await sql`update payment_plan_bill set ended_on = agreed_on where ended_on is null`.execute(
    app.app.database.kysely,
  );
});

describe('T-PLAN: agreeing on a plan', () => {
  it('needs amounts that add up exactly, and otherwise reports the difference', async () => {
    const bill = app.bill();
    const call = (instalments: ReturnType<typeof weekly>) =>
      app.call(
        plans.agreePlan,
        { billIds: [bill.id], instalments, graceDays: 3, note: '' },
        { ...asAdmin(), language: 'enUS' },
      );
    const wrong = await call(weekly(500, 549));
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.envelope)).toContain('add up to NT$1,049; they must add up to NT$1,050');
    expect(wrong.envelope).toMatchObject({ errors: [{ field: 'instalments' }] });
    await agree([bill], weekly(500, 550));
    expect((await call(weekly(500, 550))).envelope.code).toBe('plans.bill_has_plan');
    // The bill itself stays as it was issued, due in full.
    expect(await app.billNow(bill.id)).toMatchObject({
      due: twd(billTotal),
      total: twd(billTotal),
      instalment: { amount: twd(500), on: addDays(today(), 1), number: 1, of: 2, isMissed: false },
    });
    expect((await messages()).join()).toContain('The first, NT$500, is due by');
    await app.checkBooks(cash);
  });

  it('is not possible for another organization, for which it does not exist', async () => {
    const bill = app.bill();
    await agree([bill], weekly(1050));
    const other = await registerUser(app, 'payer@two.example', 'Two');
    expect((await app.call(plans.billPlan, { billId: bill.id }, { token: other.token })).status).toBe(404);
    const own = await planOf(bill);
    expect([own.agreedBy, own.note]).toEqual(['', 'by phone']);
  });

  it('of several bills pays one after another, and completes with the last', async () => {
    const bills = [app.bill(), app.bill()].toSorted((a, b) => a.number.localeCompare(b.number));
    const [first, second] = [bills[0]!, bills[1]!];
    await agree(bills, weekly(700, 700, 700));
    expect((await app.billNow(first.id)).instalment).toMatchObject({ amount: twd(700), number: 1, of: 2 });
    expect((await app.billNow(second.id)).instalment).toMatchObject({ amount: twd(350), number: 2, of: 2 });
    await payByBank(first, 1050);
    expect(await rests(second)).toEqual([0, 350, 700]);
    expect((await app.billNow(first.id)).instalment).toBeUndefined();
    await payByBank(second, 1050);
    expect(await app.ok(plans.billPlan, { billId: second.id }, asUser())).toMatchObject({
      plan: null,
      past: [{ ending: 'kept' }],
    });
    await app.checkBooks(cash);
  });
});

describe('T-PLAN: payments and credits of a plan', () => {
  it('fill the earliest instalment first; a credit note shortens the last ones; all figures match', async () => {
    const bill = app.bill();
    await agree([bill], weekly(400, 350, 300));
    await payByBank(bill, 150);
    expect(await rests(bill)).toEqual([250, 350, 300]);
    expect((await app.billNow(bill.id)).instalment).toMatchObject({ amount: twd(250), number: 1 });
    await payByBank(bill, 300);
    expect(await rests(bill)).toEqual([0, 300, 300]);
    await creditNote(bill, 400);
    // 420 with tax: the last 300, and 120 of the previous one.
    expect(await rests(bill)).toEqual([0, 180, 0]);
    expect(await states(bill)).toEqual(['paid', 'due', 'shortened']);
    const dashboard = await app.ok(consoleContract.userDashboard, {}, asUser());
    const shown = required(
      dashboard.openBills.find(({ id }) => id === bill.id),
      'the bill on the dashboard',
    );
    expect(shown.instalment).toEqual((await app.billNow(bill.id)).instalment);
    await payByBank(bill, 180);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
  });

  it('are due later for later instalments: the balance page shows the next one', async () => {
    const owed = async () => Number((await app.ok(payments.balance, {}, asUser())).owed[0]?.minor);
    const before = await owed();
    const bill = app.bill();
    await agree([bill], weekly(400, 650));
    expect(await owed()).toBe(before - 650);
    await app.ok(plans.cancelPlan, { planId: (await planOf(bill)).id, reason: 'a mistake' }, asAdmin());
    expect(await owed()).toBe(before);
    expect((await app.billNow(bill.id)).instalment).toBeUndefined();
  });

  it('can be changed to another plan for the rest', async () => {
    const bill = app.bill();
    const { id: planId } = await agree([bill], weekly(400, 650));
    await payByBank(bill, 100);
    await app.ok(
      plans.changePlan,
      { planId, instalments: weekly(900, 50), graceDays: 0, note: '' },
      asAdmin(),
    );
    expect(await rests(bill)).toEqual([900, 50]);
    expect((await app.ok(plans.adminBillPlan, { billId: bill.id }, asAdmin())).past).toMatchObject([
      { id: planId, ending: 'changed' },
    ]);
    const late = await app.call(plans.cancelPlan, { planId, reason: 'x' }, asAdmin());
    expect(late.envelope.code).toBe('plans.ended');
  });
});

describe('T-PLAN: a saved card with a plan', () => {
  it('is charged each instalment on its day, once, instead of the whole', async () => {
    const { url } = await app.ok(collection.addCard, { consents: true, language: 'zhTW' }, asUser());
    await app.sendStripeEvent(app.stripe.event('checkout.session.completed', app.stripe.cards.enter(url)));
    await app.ok(collection.setCollection, { isOn: true }, asUser());
    const bill = app.bill();
    await sql`delete from bill_collection where bill_id = ${bill.id}`.execute(app.app.database.kysely);
    await agree([bill], weekly(400, 650));
    const charged = () => app.stripe.cards.chargesOf(bill.id).map(({ amount }) => amount / 100);
    await collect(app.app);
    expect(charged()).toEqual([]);
    expect((await app.ok(collection.billCollection, { billId: bill.id }, asUser())).nextOn).toBe(
      addDays(today(), 1),
    );
    await goTo(addDays(today(), 1));
    await Promise.all([collect(app.app), collect(app.app)]);
    await collect(app.app);
    expect(charged()).toEqual([400]);
    expect((await app.ok(collection.billCollection, { billId: bill.id }, asUser())).nextOn).toBe(
      addDays(today(), 7),
    );
    await goTo(addDays(today(), 7));
    // A decline starts a schedule of its own for this instalment.
    app.stripe.cards.declines.push('insufficient_funds');
    await collect(app.app);
    await app.later(1441);
    await collect(app.app);
    expect(charged()).toEqual([400, 650, 650]);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
    await app.ok(collection.setCollection, { isOn: false }, asUser());
  });
});

describe('T-PLAN: dunning with a plan', () => {
  it('resumes a suspended organization, waits while the plan is kept, notifies both sides of a missed instalment, and continues where it was', async () => {
    const bill = app.bill();
    // Nothing else is overdue.
    await sql`update bill set state = 'void' where state = 'open' and id <> ${bill.id}`.execute(
      app.app.database.kysely,
    );
    const { id: rehearsalId } = await app.ok(dunning.rehearseDunning, {}, asAdmin());
    await app.ok(dunning.switchDunning, { isOn: true, rehearsalId }, asAdmin());
    const due = dayOf(bill.dueAt, 'Asia/Taipei');
    const base = due > today() ? due : today();
    for (const elapsed of [3, 10, 14]) {
      await goTo(addDays(base, elapsed));
      await dun(app.app);
    }
    expect(await level()).toBe('suspended');
    const taken = await history(bill);
    await agree([bill], weekly(500, 550), 2);
    expect(await level()).toBeNull();
    await dun(app.app);
    expect((await app.billNow(bill.id)).paymentStatus).toBe('unpaid');
    // The first is paid in time; the day of the second passes.
    await payByBank(bill, 500);
    await goTo(addDays(today(), 8));
    await watchPlans(app.app);
    await dun(app.app);
    expect(await level()).toBeNull();
    expect(await states(bill)).toEqual(['paid', 'due']);
    await goTo(addDays(today(), 1));
    await watchPlans(app.app);
    await watchPlans(app.app);
    expect((await app.billNow(bill.id)).paymentStatus).toBe('overdue');
    const missed = (lines: string[]) => lines.filter((each) => /installment of NT\$550 due on/.test(each));
    expect(missed(await messages())).toHaveLength(1);
    expect(missed(await messages(asAdmin()))).toHaveLength(1);
    expect(await level()).toBeNull();
    // Within the grace period nothing happens; the day after it the plan ends.
    await goTo(addDays(today(), 1));
    await watchPlans(app.app);
    expect(await planOf(bill)).toMatchObject({ endedAt: null });
    await goTo(addDays(today(), 1));
    await watchPlans(app.app);
    expect(await app.ok(plans.billPlan, { billId: bill.id }, asUser())).toMatchObject({
      plan: null,
      past: [{ ending: 'missed' }],
    });
    expect(await level()).toBe('suspended');
    await dun(app.app);
    // No step was taken twice.
    expect((await history(bill)).filter((kind) => kind !== 'resumed')).toEqual(
      taken.filter((kind) => kind !== 'resumed'),
    );
    expect((await app.billNow(bill.id)).due).toEqual(twd(550));
    await payByBank(bill, 550);
    expect(await level()).toBeNull();
  });
});

/** Credits an amount before tax on a bill. */
async function creditNote(bill: Bill, net: number): Promise<void> {
  await app.ok(
    credits.issueCredit,
    { billId: bill.id, reason: 'a favour', what: { kind: 'amount', net: twd(net) } },
    asAdmin(),
  );
}
