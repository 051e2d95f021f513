// Disputes at Stripe: what a cardholder’s bank withdraws is due again, in whatever order the events arrive
// (reliability.md I1, I5, I7).
import fc from 'fast-check';
import type pg from 'pg';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { audit } from '../src/features/access/audit/contract.ts';
import { enUS } from '../src/features/reporting/books/locales/enUS.ts';
import { zhTW } from '../src/features/reporting/books/locales/zhTW.ts';
import { notifications } from '../src/features/messaging/notifications/contract.ts';
import { payments, type Payment, type PaymentIntent } from '../src/features/receivables/payments/contract.ts';
import { consoleContract } from '../src/app/console/contract.ts';
import { foundIn } from './test-damage.ts';
import type { LocalDay } from '../src/kernel/shape.ts';
import { expectReportsMatch } from '../tests/support/finance-reports.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../tests/support/payments.ts';
import type { StripeEvent } from '../tests/support/stripe.ts';
import { checkerOf, foundBy } from './test-found.ts';

let app: PaymentApp;
let client: pg.Client;
const [whole, fee] = [billTotal * 100, 45_000];
beforeAll(async () => {
  app = await createPaymentApp(60);
  client = await checkerOf(app);
});
const expectNothingFound = async (): Promise<void> => expect(await foundBy(client)).toEqual([]);
afterEach(async () => {
  await app.checkBooks();
  await expectNothingFound();
  await expectReportsMatch(app, app.admin, {
    from: '2024-01-01' as LocalDay,
    middle: '2024-10-06' as LocalDay,
    to: '2026-12-31' as LocalDay,
  });
});

const stripeSends = async (...events: StripeEvent[]): Promise<void> => {
  for (const event of events) expect(await app.sendStripeEvent(event)).toBe(200);
};
const detail = (paymentId: string) =>
  app.ok(payments.adminGetPayment, { paymentId: paymentId as never }, { token: app.admin });
/** The disputes on the Admin's dashboard (R-ADM-01). */
const waiting = async () => (await app.ok(consoleContract.adminDashboard, {}, { token: app.admin })).disputes;
/**
 * The dispute of a payment in all lists of successful payments (the customer’s and the Admin’s) and in the
 * payment itself.
 */
async function listed({ id: paymentId }: PaymentIntent): Promise<Payment['dispute'] | undefined> {
  const [own, all] = [
    await app.ok(payments.listPayments, { state: 'succeeded', limit: 100 }, { token: app.user.token }),
    await app.ok(payments.adminListPayments, { state: 'succeeded', limit: 100 }, { token: app.admin }),
  ];
  const [ownDispute, adminDispute] = [own, all].map(
    ({ items }) => items.find(({ id }) => id === paymentId)?.dispute,
  );
  expect([
    ownDispute,
    (await app.ok(payments.getPayment, { paymentId }, { token: app.user.token })).dispute,
  ]).toEqual([adminDispute, adminDispute]);
  return adminDispute;
}
const newest = async (token: string): Promise<string> =>
  (await app.ok(notifications.listNotifications, { limit: 1 }, { token })).items[0]?.message ?? '';
async function paidBill(amount?: number): Promise<{ billId: string; number: string; intent: PaymentIntent }> {
  const bill = app.bill();
  const intent = await app.pay(bill.id, 'stripe', amount);
  await stripeSends(app.stripe.pay(intent.id));
  return { billId: bill.id, number: bill.number, intent };
}
const standing = async (kind: string): Promise<number> =>
  Number(
    (
      await sql<{
        minor: bigint;
      }>`select coalesce(sum(balance_minor), 0)::bigint as minor from ledger_account where kind = ${kind}`.execute(
        app.app.database.kysely,
      )
    ).rows[0]?.minor,
  );

describe('R-BILL-05: a dispute', () => {
  it('notifies Admins with reason and deadline; a withdrawal makes the bill due again, and so it stays when lost', async () => {
    const { billId, number, intent } = await paidBill();
    const { dispute, event } = app.stripe.dispute(intent.id, whole);
    expect(await listed(intent)).toBeNull();
    await stripeSends(event);
    expect(await listed(intent)).toEqual({ standing: 'open', withdrawn: twd(0) });
    expect((await app.billNow(billId)).state).toBe('paid');
    expect((await detail(intent.id)).disputes).toMatchObject([
      {
        state: 'needs_response',
        reason: 'fraudulent',
        amount: twd(billTotal),
        evidenceDueAt: new Date(1_735_689_599_000),
        withdrawn: twd(0),
        closedAt: null,
      },
    ]);
    expect(await newest(app.admin)).toMatch(/cardholder disputes.*2024/);
    expect(await waiting()).toEqual({ open: 1, paymentId: intent.id });
    await stripeSends(app.stripe.moveDisputed(dispute, -whole, fee));
    expect(await app.billNow(billId)).toMatchObject({ state: 'open', paid: twd(0), due: twd(billTotal) });
    expect(await newest(app.user.token)).toContain(number);
    expect(await listed(intent)).toEqual({ standing: 'open', withdrawn: twd(billTotal) });
    expect(await detail(intent.id)).toMatchObject({
      refundable: twd(0),
      disputes: [{ withdrawn: twd(billTotal), toBill: twd(billTotal), fee: twd(450) }],
    });
    const fees = await standing('fees');
    await stripeSends(app.stripe.closeDispute(dispute, 'lost'));
    expect((await detail(intent.id)).disputes).toMatchObject([{ state: 'lost', withdrawn: twd(billTotal) }]);
    expect(await listed(intent)).toEqual({ standing: 'lost', withdrawn: twd(billTotal) });
    expect((await detail(intent.id)).steps.map((step) => step.outcome)).toEqual(
      expect.arrayContaining(['dispute_needs_response', 'dispute_lost']),
    );
    expect([(await app.billNow(billId)).state, await standing('fees')]).toEqual(['open', fees]);
    expect(await newest(app.admin)).toContain('was lost');
    expect(await waiting()).toEqual({ open: 0, paymentId: null });
    // It can be paid again with another method.
    const again = await app.pay(billId as never, 'stripe');
    await stripeSends(app.stripe.pay(again.id));
    expect((await app.billNow(billId)).state).toBe('paid');
    const rows = (await app.ok(audit.listAudit, { limit: 50 } as never, { token: app.admin })).items;
    expect(JSON.stringify(rows)).toContain(dispute.id);
  });

  it('that is won pays the bill again; if it was paid otherwise meanwhile, the money goes to the balance', async () => {
    for (const isPaidOtherwise of [false, true]) {
      const { billId, intent } = await paidBill();
      const { dispute, event } = app.stripe.dispute(intent.id, whole);
      await stripeSends(event, app.stripe.moveDisputed(dispute, -whole, fee));
      if (isPaidOtherwise) await stripeSends(app.stripe.pay((await app.pay(billId as never, 'stripe')).id));
      const before = await app.balance();
      // A dispute that is won may not be paid back yet, and one that is paid back may not be won yet.
      const [back, won] = [
        () => app.stripe.moveDisputed(dispute, whole),
        () => app.stripe.closeDispute(dispute, 'won'),
      ];
      await stripeSends(isPaidOtherwise ? back() : won());
      expect(await listed(intent)).toEqual({
        standing: 'open',
        withdrawn: twd(isPaidOtherwise ? 0 : billTotal),
      });
      await stripeSends(isPaidOtherwise ? won() : back());
      expect(await listed(intent)).toBeNull();
      expect((await app.billNow(billId)).state).toBe('paid');
      expect(await app.balance()).toBe(before + (isPaidOtherwise ? billTotal : 0));
      expect((await detail(intent.id)).disputes).toMatchObject([
        { state: 'won', withdrawn: twd(0), toBill: isPaidOtherwise ? twd(billTotal) : twd(0), fee: twd(450) },
      ]);
    }
  });

  it('that is only an inquiry books nothing', async () => {
    const { billId, intent } = await paidBill();
    const { dispute } = app.stripe.dispute(intent.id, whole);
    dispute.status = 'warning_needs_response';
    await stripeSends(
      app.stripe.event('charge.dispute.created', dispute),
      app.stripe.closeDispute(dispute, 'warning_closed'),
    );
    expect((await detail(intent.id)).disputes).toMatchObject([{ state: 'closed', withdrawn: twd(0) }]);
    expect(await listed(intent)).toBeNull();
    expect((await app.billNow(billId)).state).toBe('paid');
  });

  it('of a top-up takes the remaining balance, never below zero: the rest is owed as disputed, and repaid first', async () => {
    const balance = await app.balance();
    if (balance > 0) await app.pay(app.bill().id, 'balance', Math.min(balance, billTotal));
    const topUp = await app.ok(
      payments.topUp,
      { amount: twd(900), method: 'stripe' },
      { token: app.user.token },
    );
    await stripeSends(app.stripe.pay(topUp.id));
    const before = await app.balance();
    const spent = before - 200;
    for (let left = spent; left > 0; left -= billTotal)
      await app.pay(app.bill().id, 'balance', Math.min(left, billTotal));
    const claims = await standing('disputed');
    const { dispute, event } = app.stripe.dispute(topUp.id, 90_000);
    await stripeSends(event, app.stripe.moveDisputed(dispute, -90_000));
    expect([await app.balance(), (await standing('disputed')) - claims]).toEqual([0, 700]);
    await app.checkBooks();
    await stripeSends(app.stripe.moveDisputed(dispute, 90_000), app.stripe.closeDispute(dispute, 'won'));
    expect([await app.balance(), (await standing('disputed')) - claims]).toEqual([200, 0]);
  });

  it('R-BILL-05, I1, I5, I7: the checker finds every damage to its movements, with a text in both languages', async () => {
    const { number, intent } = await paidBill();
    const { dispute, event } = app.stripe.dispute(intent.id, whole);
    await stripeSends(event, app.stripe.moveDisputed(dispute, -whole, fee));
    const {
      rows: [row],
    } = await client.query<{ move: string; transaction: string }>(
      `select m.id as move, t.id as transaction from payment_dispute_move m join ledger_transaction t on t.kind = 'dispute' and t.reference = m.id
      where m.dispute_id = (select id from payment_dispute where payment_id = $1)`,
      [intent.id],
    );
    const { move, transaction } = required(row, 'the movement that was booked');
    const rebalance = `update ledger_account a set balance_minor = coalesce((select sum(amount_minor) from ledger_entry where account_id = a.id), 0)`;
    // The finding, the damage, and the other checks that report its consequences.
    const kinds: [string, string[], string[]][] = [
      [
        'dispute_not_booked',
        [
          `delete from ledger_entry where transaction_id = '${transaction}'`,
          `delete from ledger_transaction where id = '${transaction}'`,
          rebalance,
        ],
        [`receivables: receivable_differs ${app.user.organizationId} TWD`, 'cash: cash_differs TWD'],
      ],
      [
        'booking_without_dispute',
        [`delete from payment_dispute_move where id = '${move}'`],
        [`bills-paid: paid_differs ${number}`, 'cash: cash_differs TWD'],
      ],
      // Another fee; another account of the same amount; another amount.
      [
        'dispute_booked_differently',
        [`update payment_dispute_move set fee_minor = fee_minor + 1 where id = '${move}'`],
        ['cash: cash_differs TWD'],
      ],
      [
        'dispute_booked_differently',
        [`update payment_dispute_move set to_bill_minor = to_bill_minor - 1 where id = '${move}'`],
        [`bills-paid: paid_differs ${number}`],
      ],
      [
        'dispute_booked_differently',
        [
          `update ledger_entry set account_id = 'revenue:TWD' where transaction_id = '${transaction}' and account_id = 'fees:TWD'`,
          rebalance,
        ],
        [],
      ],
      [
        'dispute_booked_differently',
        [
          `update ledger_entry set amount_minor = amount_minor + sign(amount_minor) where transaction_id = '${transaction}' and account_id in ('cash:TWD', 'fees:TWD')`,
          rebalance,
        ],
        ['cash: cash_differs TWD'],
      ],
      [
        'booked_twice',
        [
          'alter table ledger_transaction drop constraint ledger_transaction_kind_reference_key',
          `insert into ledger_transaction (id, kind, reference, at) values ('ltx_again', 'dispute', '${move}', now())`,
        ],
        ['ledger-balanced: transaction_short ltx_again'],
      ],
    ];
    for (const [code, damage, others] of kinds) {
      const found = await foundIn(client, damage);
      expect(found.toSorted(), damage[0]).toEqual([`disputes: ${code} ${move}`, ...others].toSorted());
      for (const sentences of [zhTW, enUS])
        expect(sentences).toMatchObject({ [`books.finding_${code}`]: expect.stringMatching(/.{4}/) });
    }
    expect(
      [
        zhTW['books.check_disputes'],
        enUS['books.check_disputes'],
        zhTW['books.finding_dispute_not_booked'],
      ].every((sentence) => /爭議|dispute/.test(sentence)),
    ).toBe(true);
    await stripeSends(app.stripe.closeDispute(dispute, 'lost'));
  });

  it('in another currency, above the payment, or of an unknown payment changes nothing', async () => {
    const { billId, intent } = await paidBill();
    const { dispute, event } = app.stripe.dispute(intent.id, whole);
    for (const wrong of [
      { ...dispute, currency: 'usd' },
      { ...dispute, amount: whole + 100 },
    ])
      expect(await app.sendStripeEvent(app.stripe.event('charge.dispute.created', wrong))).toBe(422);
    await stripeSends(
      app.stripe.event('charge.dispute.created', { ...dispute, payment_intent: null }),
      app.stripe.event('charge.dispute.funds_withdrawn', {
        ...dispute,
        payment_intent: 'pi_of_another_shop',
      }),
    );
    expect((await detail(intent.id)).disputes).toEqual([]);
    expect((await app.billNow(billId)).state).toBe('paid');
    await stripeSends(event);
    app.stripe.disputes.delete(dispute.id);
  });

  it('I1, I5, I7 ends the same in every order of events, including repeats and the payment itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
        fc.array(fc.nat(5), { maxLength: 3 }),
        fc.boolean(),
        async (order, twice, isWon) => {
          const bill = app.bill();
          const intent = await app.pay(bill.id, 'stripe');
          const before = [await app.balance(), await standing('disputed')];
          const completed = app.stripe.pay(intent.id);
          const { dispute, event } = app.stripe.dispute(intent.id, whole);
          const withdrawn = app.stripe.moveDisputed(dispute, -whole, fee);
          dispute.status = 'under_review';
          const updated = app.stripe.event('charge.dispute.updated', dispute);
          const back = isWon
            ? app.stripe.moveDisputed(dispute, whole)
            : app.stripe.event('charge.dispute.updated', dispute);
          const events = [
            completed,
            event,
            withdrawn,
            updated,
            back,
            app.stripe.closeDispute(dispute, isWon ? 'won' : 'lost'),
          ];
          await stripeSends(...[...order, ...twice].map((index) => events[index]!));
          expect(await app.billNow(bill.id)).toMatchObject({
            state: isWon ? 'paid' : 'open',
            paid: twd(isWon ? billTotal : 0),
          });
          expect((await detail(intent.id)).disputes).toMatchObject([
            { state: isWon ? 'won' : 'lost', withdrawn: twd(isWon ? 0 : billTotal), fee: twd(450) },
          ]);
          expect([await app.balance(), await standing('disputed')]).toEqual(before);
          await app.checkBooks();
        },
      ),
      { numRuns: 25 },
    );
  });
});
