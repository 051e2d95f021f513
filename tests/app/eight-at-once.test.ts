// Money and states under concurrency, on a real database: each operation is called eight times at once, each time with
// an idempotency key of its own, as eight people or programs would. It takes effect as often as it may, and the books
// hold (reliability I1, I5, I7).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { maxInvitations, maxOrganizationKeys } from '#features/access/identity/rules.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { maxEndpoints, webhooks } from '#features/messaging/webhooks/contract.ts';
import { budgets, maxBudgets } from '#features/metering/budgets/contract.ts';
import { plans } from '#features/receivables/payment-plans/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { checks } from '../../verify/checks.ts';
import { connection, opened } from '../../verify/connection.ts';
import { placeOf } from '../support/books.ts';
import { eightAtOnce } from '../support/eight.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';
import { userPassword } from '../support/console.ts';

let app: PaymentApp;
/** What came into the bank account, by confirmations. */
let handCash = 0;

beforeAll(async () => {
  app = await createPaymentApp(16);
});
const asUser = () => ({ token: app.user.token });
const asAdmin = () => ({ token: app.admin });
const eightTimes = <R extends Route>(
  route: R,
  input: (index: number) => z.output<R['input']>,
  by: () => { token: string },
) => eightAtOnce(app, route, input, by);
const counted = async (query: ReturnType<typeof sql<{ total: number }>>): Promise<number> =>
  (await query.execute(app.app.database.kysely)).rows[0]?.total ?? -1;

async function prepaid(amount: number): Promise<Id<'pay'>> {
  const { id: paymentId } = await app.ok(
    payments.topUp,
    { amount: twd(amount), method: 'manual' as const },
    asUser(),
  );
  await app.ok(payments.confirmPayment, { paymentId }, asAdmin());
  handCash += amount;
  return paymentId;
}

describe('T-RACES: eight at once: payments', () => {
  it('a bill is paid once from the balance, and parts never add up to more than is due', async () => {
    await prepaid(billTotal * 3);
    const before = await app.balance();
    const whole = app.bill();
    const once = await eightTimes(
      payments.payBill,
      () => ({ billId: whole.id, method: 'balance' as const }),
      asUser,
    );
    expect(once.done).toBe(1);
    const parts = app.bill();
    const twice = await eightTimes(
      payments.payBill,
      () => ({ billId: parts.id, method: 'balance' as const, amount: twd(400) }),
      asUser,
    );
    expect(twice.done).toBe(2);
    expect(await app.balance()).toBe(before - billTotal - 800);
    expect(await app.billNow(whole.id)).toMatchObject({ state: 'paid' });
  });

  it('a balance that is enough for one bill pays one of eight', async () => {
    const left = await app.balance();
    await prepaid(billTotal + 50 - (left % billTotal));
    const before = await app.balance();
    const bills = Array.from({ length: 8 }, () => app.bill());
    const affordable = Math.floor(before / billTotal);
    const { done } = await eightTimes(
      payments.payBill,
      (index) => ({ billId: required(bills[index], 'a bill').id, method: 'balance' as const }),
      asUser,
    );
    expect(done).toBe(affordable);
    expect(await app.balance()).toBe(before - affordable * billTotal);
  });

  it('a transfer is confirmed or rejected once, and refunded no further than it was paid', async () => {
    const { id: paymentId } = await app.ok(
      payments.topUp,
      { amount: twd(1000), method: 'manual' as const },
      asUser(),
    );
    const before = await app.balance();
    const [confirmed, rejected] = await Promise.all([
      eightTimes(payments.confirmPayment, () => ({ paymentId }), asAdmin),
      eightTimes(payments.rejectPayment, () => ({ paymentId, reason: 'not found' }), asAdmin),
    ]);
    // A repeat may answer with the state that is wanted; the state is one, and the money is counted once.
    const { state } = await app.payment(paymentId);
    expect(['succeeded', 'failed']).toContain(state);
    expect(state === 'succeeded' ? confirmed.done : rejected.done).toBeGreaterThan(0);
    expect(await app.balance()).toBe(before + (state === 'succeeded' ? 1000 : 0));
    if (state === 'succeeded') handCash += 1000;
    const paid = await prepaid(1000);
    await eightTimes(
      payments.refundPayment,
      () => ({ paymentId: paid, amount: twd(400), reason: 'asked' }),
      asAdmin,
    );
    expect(
      await counted(
        sql<{
          total: number;
        }>`select coalesce(sum(amount_minor), 0)::int as total from payment_refund where payment_id = ${paid} and state <> 'failed'`,
      ),
    ).toBe(800);
    // Refunds of transfers wait until an Admin has sent the money back: each is settled once.
    const { rows } = await sql<{
      id: string;
    }>`select id from payment_refund where payment_id = ${paid} and state = 'pending'`.execute(
      app.app.database.kysely,
    );
    for (const { id } of rows) {
      const refundId = z.parse(payments.settleRefund.input.shape.refundId, id);
      const held = await app.balance();
      await eightTimes(payments.settleRefund, () => ({ paymentId: paid, refundId, happened: true }), asAdmin);
      expect(await app.balance()).toBeLessThanOrEqual(held);
    }
    const sent = await counted(
      sql<{
        total: number;
      }>`select coalesce(sum(amount_minor), 0)::int as total from payment_refund where payment_id = ${paid} and state = 'succeeded'`,
    );
    handCash -= sent;
    await app.checkBooks(handCash);
  });

  it('withheld tax is recorded no further than the bill is due, and credit is bought no further than the balance', async () => {
    const bill = app.bill();
    await eightTimes(
      payments.recordWithholding,
      () => ({ billId: bill.id, amount: twd(300), withheldOn: '2024-10-01' as LocalDay }),
      asAdmin,
    );
    const { due } = await app.billNow(bill.id);
    expect(Number(due.minor)).toBeGreaterThanOrEqual(0);
    const balance = await app.balance();
    const amount = Math.floor(balance / 2) - 1;
    expect(amount).toBeGreaterThan(0);
    await app.ok(
      creditgrants.setCreditOffer,
      { isOn: true, services: null, usageOnly: false, months: null },
      asAdmin(),
    );
    const bought = await eightTimes(creditgrants.buyCredit, () => ({ amount: twd(amount) }), asUser);
    expect(bought.done).toBe(2);
    expect(await app.balance()).toBe(balance - 2 * amount);
  });

  it('a bill gets one payment plan', async () => {
    const bill = app.bill();
    const agreed = await eightTimes(
      plans.agreePlan,
      () => ({
        billIds: [bill.id],
        instalments: [{ on: '2024-11-20' as LocalDay, amount: twd(billTotal) }],
        graceDays: 3,
        note: '',
      }),
      asAdmin,
    );
    expect(agreed).toEqual({ done: 1, codes: ['plans.bill_has_plan'] });
  });
});

describe('T-RACES: eight at once: bills', () => {
  it('a month is closed once', async () => {
    app.clock.set(new Date('2024-11-05T03:00:00Z'));
    await app.later(0);
    await eightTimes(billing.closeMonth, () => ({ month: '2024-10' as BillingMonth }), asAdmin);
    expect(
      await counted(sql<{ total: number }>`select count(*)::int as total from bill where month = '2024-10'`),
    ).toBe(1);
  });

  it('a bill is credited no further than its total, voided once, and reissued once', async () => {
    const credited = app.bill();
    const halves = await eightTimes(
      credits.issueCredit,
      () => ({ billId: credited.id, reason: 'fault', what: { kind: 'amount' as const, net: twd(500) } }),
      asAdmin,
    );
    expect(halves.done).toBe(2);
    const wrong = app.bill();
    const voided = await eightTimes(credits.voidBill, () => ({ billId: wrong.id, reason: 'wrong' }), asAdmin);
    expect(voided.done).toBe(1);
    // The answer to a repeat is the bill that replaced it.
    const reissued = await eightTimes(
      credits.reissueBill,
      () => ({ billId: wrong.id, reason: 'wrong' }),
      asAdmin,
    );
    expect(reissued.done).toBe(8);
    expect(
      await counted(
        sql<{
          total: number;
        }>`select count(*)::int as total from bill where month = ${wrong.month} and state <> 'void'`,
      ),
    ).toBe(1);
  });

  it('a grant is withdrawn once, and a charge is withdrawn once', async () => {
    const grant = await app.ok(
      creditgrants.giveGrant,
      {
        organizationId: app.user.organizationId as never,
        kind: 'promotional',
        name: { zhTW: '贈送', enUS: 'Gift' },
        amount: twd(100),
      },
      asAdmin(),
    );
    const withdrawn = await eightTimes(
      creditgrants.withdrawGrant,
      () => ({ grantId: grant.id, reason: 'mistake' }),
      asAdmin,
    );
    expect(withdrawn.done).toBe(1);
    const charge = await app.ok(
      oneOffs.createOneOff,
      {
        organizationId: app.user.organizationId as never,
        name: { zhTW: '安裝', enUS: 'Setup' },
        kind: 'charge',
        unitPrice: '100',
        currency: 'TWD',
      },
      asAdmin(),
    );
    const gone = await eightTimes(oneOffs.withdrawOneOff, () => ({ oneOffId: charge.id }), asAdmin);
    expect(gone.done).toBe(1);
  });
});

describe('T-RACES: eight at once: subscriptions and people', () => {
  it('a service is subscribed once, and each change of state happens once', async () => {
    const { id: serviceId } = await app.ok(
      catalogue.createService,
      {
        name: 'Once',
        type: 'Hosting',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '10' },
        meter: { eventType: 'y', aggregation: 'sum', unit: 'y' },
      },
      asAdmin(),
    );
    const subscribed = await eightTimes(subscriptions.subscribe, () => ({ serviceId }), asUser);
    expect(subscribed.done).toBe(1);
    const { rows } = await sql<{
      id: string;
    }>`select id from subscription where service_id = ${serviceId}`.execute(app.app.database.kysely);
    expect(rows).toHaveLength(1);
    const subscriptionId = z.parse(
      subscriptions.cancel.input.shape.subscriptionId,
      required(rows[0], 'the subscription').id,
    );
    const history = async (action: string): Promise<number> =>
      (await app.ok(subscriptions.history, { subscriptionId }, asUser())).items.filter((each) =>
        each.action.startsWith(action),
      ).length;
    await eightTimes(subscriptions.cancel, () => ({ subscriptionId, when: 'now' as const }), asUser);
    expect(await history('cancel')).toBe(1);
  });

  it('an invitation makes one account', async () => {
    const { link } = await app.ok(identity.invite, { email: 'new@one.example', role: 'User' }, asUser());
    const token = required(/token=([^&]+)/.exec(link ?? '')?.[1], 'the token');
    const accepted = await eightTimes(
      identity.acceptInvitation,
      () => ({ token, name: 'New', password: userPassword }),
      () => ({ token: '' }),
    );
    expect(accepted.done).toBe(1);
    expect(
      await counted(
        sql<{ total: number }>`select count(*)::int as total from app_user where account = 'new@one.example'`,
      ),
    ).toBe(1);
  });

  it('an organization gets no more webhooks and keys than it may have', async () => {
    const hook = (index: number) => ({ url: `https://hooks.example/${index}` });
    for (let made = 0; made < maxEndpoints - 4; made++)
      await app.ok(webhooks.createEndpoint, hook(100 + made), asUser());
    const hooks = await eightTimes(webhooks.createEndpoint, hook, asUser);
    expect(hooks).toEqual({ done: 4, codes: ['webhooks.too_many'] });
    for (let made = 0; made < maxOrganizationKeys - 4; made++)
      await app.ok(identity.createOrganizationKey, { name: `key ${made}` }, asUser());
    const keys = await eightTimes(
      identity.createOrganizationKey,
      (index) => ({ name: `k ${index}` }),
      asUser,
    );
    expect(keys).toEqual({ done: 4, codes: ['identity.too_many_keys'] });
  });

  it('nor more open invitations and budgets', async () => {
    const guest = (name: string) => ({ email: `${name}@guests.example`, role: 'User' as const });
    await app.ok(identity.invite, guest('first'), asUser());
    // Inviting as many people by calls would take minutes: their number per minute is limited.
    await sql`insert into invitation select (jsonb_populate_record(i, jsonb_build_object('id', 'inv_' || lpad(n::text, 26, '0'), 'email', 'early' || n || '@guests.example', 'token_hash', '\\x' || lpad(to_hex(n), 64, '0')))).*
      from invitation i, generate_series(1, ${maxInvitations - 4} - (select count(*)::int from invitation where accepted_at is null)) n where i.email = 'first@guests.example'`.execute(
      app.app.database.kysely,
    );
    const invited = await eightTimes(identity.invite, (index) => guest(`late${index}`), asUser);
    expect(invited).toEqual({ done: 4, codes: ['identity.too_many_invitations'] });
    for (let made = 0; made < maxBudgets - 4; made++)
      await app.ok(budgets.createBudget, { name: `budget ${made}`, amount: twd(100) }, asUser());
    const budgeted = await eightTimes(
      budgets.createBudget,
      (index) => ({ name: `b ${index}`, amount: twd(100) }),
      asUser,
    );
    expect(budgeted).toEqual({ done: 4, codes: ['budgets.too_many'] });
  });

  it('one of eight roles gets a name', async () => {
    const named = await eightTimes(
      customRoles.createRole,
      () => ({
        name: 'Clerk',
        description: '',
        baseRole: 'Admin' as const,
        permissions: ['billing:read' as const],
      }),
      asAdmin,
    );
    expect(named.done).toBe(1);
  });
});

it('T-RACES: afterwards every check of the program that verifies the books holds, which shares no code with the server', async () => {
  const client = connection(placeOf(app));
  await client.connect();
  await client.query('begin');
  const books = await opened(client, null);
  for (const check of checks) expect([check.id, (await check.run(books)).findings]).toEqual([check.id, []]);
  await client.query('rollback');
  await client.end();
});
