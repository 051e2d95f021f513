// Tax that customers withhold pays bills, is a claim on the tax office instead of cash, and is reversed
// exactly (I5, I7).
import type pg from 'pg';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { audit } from '../src/features/access/audit/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { notifications } from '../src/features/messaging/notifications/contract.ts';
import { payments, type Payment } from '../src/features/receivables/payments/contract.ts';
import { foundIn } from './test-damage.ts';
import type { LocalDay } from '../src/kernel/shape.ts';
import { expectReportsMatch } from '../tests/support/finance-reports.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../tests/support/payments.ts';
import { checkerOf, foundBy } from './test-found.ts';

let app: PaymentApp;
let client: pg.Client;
beforeAll(async () => {
  app = await createPaymentApp(12);
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

const withhold = (billId: string, amount: number, more: object = {}) =>
  app.call(
    payments.recordWithholding,
    { billId, amount: twd(amount), withheldOn: '2024-10-04', ...more } as never,
    { token: app.admin },
  );
const takeBack = (paymentId: string) =>
  app.call(payments.takeBackWithholding, { paymentId, reason: 'The wrong bill' } as never, {
    token: app.admin,
  });
/** The platform’s account of withheld tax, in whole dollars. */
const claim = async (): Promise<number> =>
  Number(
    (
      await sql<{
        minor: bigint;
      }>`select coalesce(sum(balance_minor), 0)::bigint as minor from ledger_account where kind = 'withheld_tax'`.execute(
        app.app.database.kysely,
      )
    ).rows[0]?.minor,
  );
const refusal = async (answer: ReturnType<typeof withhold>): Promise<string | undefined> => {
  const { envelope } = await answer;
  return envelope.errors?.map((each) => `${each.field}: ${each.code}`).join() ?? envelope.code;
};
const newest = async (): Promise<string> =>
  (await app.ok(notifications.listNotifications, { limit: 1 }, { token: app.user.token })).items[0]
    ?.message ?? '';

it('R-BILL-05: withheld tax and the transfer of the rest pay a bill; the ledger has a claim on the tax office', async () => {
  const bill = app.bill();
  const before = await claim();
  const { status, data } = await withhold(bill.id, 100, { certificate: '113-0042', note: 'Services' });
  const payment = data as Payment;
  expect([status, payment]).toMatchObject([
    201,
    {
      method: 'withholding',
      state: 'succeeded',
      billId: bill.id,
      received: twd(100),
      toBill: twd(100),
      withholding: { on: '2024-10-04', certificate: '113-0042' },
      note: 'Services',
    },
  ]);
  expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(100), due: twd(950) });
  expect(await newest()).toContain(bill.number);
  expect(await claim()).toBe(before + 100);
  // The rest is paid by card; only that is cash (checkBooks compares it with the provider).
  const intent = await app.pay(bill.id, 'stripe', 950);
  expect(await app.sendStripeEvent(app.stripe.pay(intent.id))).toBe(200);
  expect((await app.billNow(bill.id)).state).toBe('paid');
  // The customer sees it among the payments, with its receipt; it cannot be refunded as money.
  expect((await app.payment(payment.id)).withholding?.certificate).toBe('113-0042');
  const detail = await app.ok(payments.adminGetPayment, { paymentId: payment.id }, { token: app.admin });
  expect(detail.refundable).toBeNull();
  const actions = await app.ok(audit.listAudit, { limit: 5 } as never, { token: app.admin });
  expect(actions.items.map(({ action }) => action)).toContain('payments.recordWithholding');
});

it('withheld tax is rejected above the amount due, for a paid bill, for a future day, and from anybody but Admins', async () => {
  const bill = app.bill();
  expect(await refusal(withhold(bill.id, billTotal + 1))).toBe('amount: payments.amount_above_due');
  expect(await refusal(withhold(bill.id, 0))).toBe('amount: payments.amount_not_positive');
  expect(await refusal(withhold(bill.id, 10, { withheldOn: '2024-10-06' }))).toBe(
    'withheldOn: payments.withheld_in_future',
  );
  expect((await withhold(bill.id, 10, { withheldOn: '2024-10-05' })).status).toBe(201);
  const { status } = await app.call(
    payments.recordWithholding,
    { billId: bill.id, amount: twd(1), withheldOn: '2024-10-04' } as never,
    { token: app.user.token },
  );
  expect(status).toBe(403);
  // Twenty at once never withhold more than the bill: of 1,040 due, two times 500.
  const codes = await Promise.all(Array.from({ length: 20 }, () => withhold(bill.id, 500)));
  expect(codes.filter((answer) => answer.status === 201)).toHaveLength(2);
  expect(await app.billNow(bill.id)).toMatchObject({ due: twd(40) });
  expect((await withhold(bill.id, 40)).status).toBe(201);
  expect(await refusal(withhold(bill.id, 1))).toBe('payments.bill_not_open');
});

it('R-BILL-05: withheld tax recorded by mistake is due again once, however many reverse it at the same time', async () => {
  const bill = app.bill();
  const before = await claim();
  const { data } = await withhold(bill.id, billTotal);
  const { id: paymentId } = data as Payment;
  expect((await app.billNow(bill.id)).state).toBe('paid');
  const answers = await Promise.all(Array.from({ length: 8 }, () => takeBack(paymentId)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(0), due: twd(billTotal) });
  expect(await app.payment(paymentId)).toMatchObject({ state: 'refunded', refunded: twd(billTotal) });
  expect(await claim()).toBe(before);
  expect(await newest()).toContain('The wrong bill');
  // Afterwards it can be recorded on the right bill, and this one paid.
  expect((await withhold(bill.id, 50)).status).toBe(201);
});

it('withheld tax cannot be reversed once the bill is void, because the amount is in the balance', async () => {
  const bill = app.bill();
  const { data } = await withhold(bill.id, 200);
  const balance = await app.balance();
  await app.ok(credits.voidBill, { billId: bill.id, reason: 'Wrong customer' } as never, {
    token: app.admin,
  });
  expect(await app.balance()).toBe(balance + 200);
  const { envelope } = await takeBack((data as Payment).id);
  expect(envelope.code).toBe('payments.withholding_used');
});

it('the checker finds withheld tax that the ledger does not have, or has as cash', async () => {
  const { data } = await withhold(app.bill().id, 70);
  const { id } = data as Payment;
  expect(
    await foundIn(client, [
      `update payment set method = 'bank_transfer', withheld_on = null where id = '${id}'`,
    ]),
  ).toEqual(
    expect.arrayContaining([
      `payments-booked: payment_booked_differently ${id}`,
      'cash: cash_differs TWD',
      'cash: withheld_tax_differs TWD',
    ]),
  );
});
