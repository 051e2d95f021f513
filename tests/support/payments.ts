// A console with two payment providers, and an organization with many open bills of NT$1,050.
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { addMonths } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { payments, type Payment, type PaymentIntent } from '#features/receivables/payments/contract.ts';
import { reconcile } from '#features/receivables/payments/server/index.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { atFileEnd } from './clean-up.ts';
import { ecpayAccount, FakeEcpay } from './ecpay.ts';
import { FakeStripe, stripeSecret, type StripeEvent } from './stripe.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, type TestConsole } from './console.ts';

export const twd = (amount: number) => money(BigInt(amount), 'TWD');
export const billTotal = 1050;

export type PaymentApp = TestConsole & {
  readonly stripe: FakeStripe;
  readonly ecpay: FakeEcpay;
  readonly admin: string;
  readonly user: { token: string; userId: string; organizationId: string };
  /** An open bill that no other test uses. */
  readonly bill: () => Bill;
  readonly pay: (
    billId: Id<'bil'>,
    method: PaymentIntent['method'] &
      ('stripe' | 'ecpay' | 'ecpay_atm' | 'ecpay_cvs' | 'balance' | 'bank_transfer'),
    amount?: number,
  ) => Promise<PaymentIntent>;
  readonly payment: (paymentId: string) => Promise<Payment>;
  readonly billNow: (billId: string) => Promise<Bill>;
  readonly balance: () => Promise<number>;
  readonly sendStripeEvent: (event: StripeEvent) => Promise<number>;
  readonly sendEcpayNotice: (
    fields: Record<string, string>,
    way?: 'ecpay' | 'ecpay_atm' | 'ecpay_cvs',
  ) => Promise<{ status: number; text: string }>;
  /** Moves the clock and asks the providers about every pending payment. */
  readonly later: (minutes: number) => Promise<void>;
  /** Checks the books, whatever happened (reliability.md I1, I5, I7). `handCash`: cash that came or went by bank. */
  readonly checkBooks: (handCash?: number) => Promise<void>;
};

export async function createPaymentApp(
  months = 40,
  more: Readonly<Record<string, string>> = {},
): Promise<PaymentApp> {
  const [stripe, ecpay] = [await new FakeStripe().start(), await new FakeEcpay().start()];
  const console = await createTestConsole(new Date('2021-01-01T00:00:00Z'), {
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    STRIPE_API_BASE: stripe.address,
    ECPAY_MERCHANT_ID: ecpayAccount.merchantId,
    ECPAY_HASH_KEY: ecpayAccount.hashKey,
    ECPAY_HASH_IV: ecpayAccount.hashIv,
    ECPAY_API_BASE: ecpay.address,
    ...more,
  });
  ecpay.cards.now = () => console.clock.now();
  atFileEnd(async () => {
    await stripe.stop();
    await ecpay.stop();
  });
  let admin = await setUp(console);
  const user = await registerUser(console, 'payer@one.example', 'One');
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Rack',
      type: 'Hosting',
      category: 'Platform',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '1000' },
      quota: { type: 'unlimited' },
      meter: { eventType: 'x', aggregation: 'sum', unit: 'x' },
    },
    { token: admin },
  );
  await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: user.organizationId as never,
      serviceId: service.id,
      startedAt: new Date('2021-01-01T00:00:00Z'),
    },
    { token: admin },
  );
  console.clock.set(new Date('2024-10-05T03:00:00Z'));
  // A token is valid only for minutes.
  const signInAgain = async (): Promise<void> => {
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    user.token = await signIn(console, 'payer@one.example');
  };
  await signInAgain();
  for (let back = months; back > 0; back--)
    await console.ok(
      billing.closeMonth,
      { month: addMonths('2024-10' as BillingMonth, -back) },
      { token: admin },
    );
  const { items } = await console.ok(billing.listBills, { limit: 200, state: 'open' }, { token: user.token });
  expect(items.every((bill) => bill.total.minor === BigInt(billTotal))).toBe(true);
  const fresh = [...items];
  const hook = (provider: string, body: string, headers: Record<string, string>) =>
    fetch(`${console.address}/api/payments/webhooks/${provider}`, { method: 'POST', body, headers });
  return {
    ...console,
    stripe,
    ecpay,
    user,
    get admin() {
      return admin;
    },
    bill: () => required(fresh.pop(), 'one more open bill'),
    pay: (billId, method, amount) =>
      console.ok(
        payments.payBill,
        { billId, method, ...(amount !== undefined && { amount: twd(amount) }) },
        { token: user.token },
      ),
    payment: (paymentId) =>
      console.ok(payments.getPayment, { paymentId: paymentId as never }, { token: user.token }),
    billNow: (billId) => console.ok(billing.getBill, { billId: billId as never }, { token: user.token }),
    balance: async () =>
      Number((await console.ok(payments.balance, {}, { token: user.token })).balances[0]?.minor ?? 0n),
    sendStripeEvent: async (event) => {
      const { body, headers } = stripe.signed(event, console.clock.now());
      const answer = await hook('stripe', body, headers);
      await answer.arrayBuffer();
      return answer.status;
    },
    sendEcpayNotice: async (fields, way = 'ecpay') => {
      const answer = await hook(way, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      });
      return { status: answer.status, text: await answer.text() };
    },
    later: async (minutes) => {
      console.clock.set(new Date(console.clock.now().getTime() + minutes * 60_000));
      await reconcile(console.app);
      await signInAgain();
    },
    checkBooks: async (handCash = 0) => {
      const { rows } = await sql<{ name: string; minor: bigint }>`
        select 'all' as name, coalesce(sum(amount_minor), 0)::bigint as minor from ledger_entry
        union all select 'cash', coalesce(sum(amount_minor) filter (where account_id = 'cash:TWD'), 0)::bigint from ledger_entry
        union all select 'owed wrongly', coalesce((select sum(e.amount_minor) from ledger_entry e join ledger_account a on a.id = e.account_id where a.kind = 'receivable'), 0)::bigint - coalesce((select sum(total_minor - paid_minor) from bill where state = 'open'), 0)::bigint
        union all select 'bills paid wrongly', count(*) from bill b where b.paid_minor <> coalesce((select sum(to_bill_minor - case p.method when 'withholding' then p.refunded_minor else 0 end) from payment p where p.bill_id = b.id), 0) - coalesce((select sum(m.to_bill_minor) from payment p join payment_dispute d on d.payment_id = p.id join payment_dispute_move m on m.dispute_id = d.id where p.bill_id = b.id), 0) or (b.state = 'paid') <> (b.paid_minor = b.total_minor)
        union all select 'refunds counted wrongly', count(*) from payment p where p.refunded_minor <> coalesce((select sum(amount_minor) from payment_refund r where r.payment_id = p.id and r.state = 'succeeded'), 0)`.execute(
        console.app.database.kysely,
      );
      const found = Object.fromEntries(rows.map((row) => [row.name, Number(row.minor)]));
      expect(found).toEqual({
        all: 0,
        cash: stripe.cash('twd') / 100 + ecpay.cash() + handCash,
        'owed wrongly': 0,
        'bills paid wrongly': 0,
        'refunds counted wrongly': 0,
      });
    },
  };
}
