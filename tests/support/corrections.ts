// Customers with bills, and the invariants that hold after any correction.
import { sql } from 'kysely';
import type pg from 'pg';
import { expect } from 'vitest';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { credits, type CreditAsk } from '#features/invoicing/credits/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { foundBy } from '../../verify/test-found.ts';
import { runFeatureJob } from './jobs.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, type TestConsole } from './console.ts';

export const [september, october, november] = ['2024-09', '2024-10', '2024-11'] as BillingMonth[] as [
  BillingMonth,
  BillingMonth,
  BillingMonth,
];
/** A monthly fee, and usage at 1 each. */
export const fee = (baseFee: string, currency: Currency = 'TWD'): Pricing => ({
  model: 'graduated',
  currency,
  baseFee,
  tiers: [{ upTo: null, unitPrice: '1' }],
});

/** A charge of 12,000 for each year from the day of subscribing, in advance. */
export const yearInAdvance: Charge = {
  key: 'year',
  name: { zhTW: 'Year', enUS: 'Year' },
  kind: 'recurring',
  model: 'flat',
  amount: '12000',
  cycle: 'year',
  timing: 'advance',
  anchor: 'anniversary',
};

/** The console of this test file, and its Admin's token. */
export const at = {} as { console: TestConsole; admin: string };
let key: string;
let organizations = 0;
export type Customer = {
  readonly email: string;
  readonly organizationId: Id<'org'>;
  readonly subscriptionIds: readonly Id<'sub'>[];
  token: string;
};
const customers: Customer[] = [];

/** Moves the clock; sessions expire meanwhile, so all users sign in again. */
export async function moveTo(moment: string): Promise<void> {
  at.console.clock.set(new Date(moment));
  at.admin = await signIn(at.console, adminAccount.account, adminAccount.password);
  for (const one of customers) one.token = await signIn(at.console, one.email);
}
export const db = () => at.console.app.database.kysely;
export const twd = (minor: number | bigint): Money => money(BigInt(minor), 'TWD');

/** Sets a console up in September 2024. `environment` adds settings. */
export async function startBilling(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  customers.length = 0;
  organizations = 0;
  at.console = await createTestConsole(new Date('2024-09-01T00:00:00Z'), environment);
  at.admin = await setUp(at.console);
  key = (await at.console.ok(identity.createApiKey, { name: 'gateway' }, { token: at.admin })).secret;
}

/** A customer with subscriptions since September. */
export async function customer(...pricings: Pricing[]): Promise<Customer> {
  const email = `owner@c${++organizations}.example`;
  const { organizationId, token } = await registerUser(at.console, email, `C${organizations}`);
  const subscriptionIds: Id<'sub'>[] = [];
  for (const [index, pricing] of pricings.entries()) {
    const service = await at.console.ok(
      catalogue.createService,
      {
        name: `S${organizations}-${index}`,
        type: 'API',
        category: 'Own',
        pricing,
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      { token: at.admin },
    );
    subscriptionIds.push(
      (
        await at.console.ok(
          subscriptions.adminSubscribe,
          {
            organizationId: organizationId as Id<'org'>,
            serviceId: service.id,
            startedAt: new Date('2024-08-31T16:00:00Z'),
          },
          { token: at.admin },
        )
      ).id,
    );
  }
  const one = { email, organizationId: organizationId as Id<'org'>, subscriptionIds, token };
  customers.push(one);
  return one;
}
/** Sends one usage event. */
export async function use(
  one: Customer,
  id: string,
  value: string,
  time: string,
  more: object = {},
  index = 0,
): Promise<void> {
  const subject = one.subscriptionIds[index];
  const { rejected } = await at.console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify([
        {
          specversion: '1.0',
          id,
          source: `s-${subject}`,
          type: 'call',
          subject,
          time,
          data: { value },
          ...more,
        },
      ]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}
export const close = (month: BillingMonth) =>
  at.console.ok(billing.closeMonth, { month }, { token: at.admin });
export async function bills(one: Customer, month: BillingMonth): Promise<BillDetail[]> {
  const { items } = await at.console.ok(billing.listBills, { month, sort: 'number' }, { token: one.token });
  return Promise.all(
    items.map((bill) => at.console.ok(billing.getBill, { billId: bill.id }, { token: one.token })),
  );
}
/** The valid bill of a month. */
export async function billOf(one: Customer, month = september): Promise<BillDetail> {
  const [bill] = (await bills(one, month)).filter((each) => each.state !== 'void');
  if (!bill) throw new Error(`no bill of ${month}`);
  return bill;
}
export async function topUp(one: Customer, amount: Money): Promise<void> {
  const payment = await at.console.ok(payments.topUp, { amount }, { token: one.token });
  await at.console.ok(payments.confirmPayment, { paymentId: payment.id }, { token: at.admin });
}
export const pay = (one: Customer, bill: Bill, amount?: Money) =>
  at.console.call(
    payments.payBill,
    { billId: bill.id, method: 'balance', ...(amount && { amount }) },
    { token: one.token },
  );
export const credit = (bill: Bill, what: CreditAsk, reason = 'goodwill') =>
  at.console.call(credits.issueCredit, { billId: bill.id, reason, what }, { token: at.admin });
export const net = (minor: number, currency: Currency = 'TWD'): CreditAsk => ({
  kind: 'amount',
  net: money(BigInt(minor), currency),
});
export const state = async (one: Customer, bill: Bill): Promise<[Bill['state'], bigint, bigint, bigint]> => {
  const now = await at.console.ok(billing.getBill, { billId: bill.id }, { token: one.token });
  return [now.state, now.paid.minor, now.credited.minor, now.due.minor];
};
export async function balanceOf(one: Customer, currency: Currency = 'TWD'): Promise<bigint> {
  return (
    (await at.console.ok(payments.balance, {}, { token: one.token })).balances.find(
      (each) => each.currency === currency,
    )?.minor ?? 0n
  );
}

/** Invariants that hold whatever happened. */
export async function expectSoundBooks(): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    select 'receivable ' || o.id as wrong from organization o cross join (values ('TWD'), ('USD')) as c (currency)
      where coalesce((select balance_minor from ledger_account where kind = 'receivable' and organization_id = o.id and currency = c.currency), 0)
        <> coalesce((select sum(total_minor - paid_minor - credited_minor) from bill where organization_id = o.id and bill.currency = c.currency and state = 'open'), 0)
    union all select 'account ' || id from ledger_account a where balance_minor <> coalesce((select sum(amount_minor) from ledger_entry e where e.account_id = a.id), 0)
    union all select 'balance below zero ' || id from ledger_account where kind = 'balance' and balance_minor > 0
    union all select 'currency ' || currency from ledger_entry group by currency having sum(amount_minor) <> 0
    union all select 'bill numbers ' || series from bill group by series having max(sequence) <> count(*)
    union all select 'credit numbers ' || series from credit_note group by series having max(sequence) <> count(*)
    union all select 'note ' || n.id from credit_note n where (net_minor, tax_minor) <> (select sum(l.net_minor), sum(l.tax_minor) from credit_note_line l where l.credit_note_id = n.id)
    union all select 'line ' || l.bill_id from credit_note_line l join bill_line b using (bill_id, position) group by l.bill_id, position, b.amount_minor having abs(sum(l.net_minor)) > abs(b.amount_minor)
    union all select 'credited ' || b.id from bill b where credited_minor <> coalesce((select sum(to_due_minor) from credit_note n where n.bill_id = b.id), 0) or returned_minor <> coalesce((select sum(to_balance_minor) from credit_note n where n.bill_id = b.id), 0)
    union all select 'void ' || b.id from bill b where (b.state = 'void') <> exists (select from bill_void v where v.bill_id = b.id)
    union all select 'taken back ' || b.id from bill b join bill_void v on v.bill_id = b.id where b.net_minor <> v.net_minor + coalesce((select sum(net_minor) from credit_note n where n.bill_id = b.id), 0) or b.tax_minor <> v.tax_minor + coalesce((select sum(tax_minor) from credit_note n where n.bill_id = b.id), 0)
    union all select 'counted notes' where rows_counted('credit_note', '', '') <> (select count(*) from credit_note)
    union all select 'counted bills' where rows_counted('bill', 'void', '') <> (select count(*) from bill where state = 'void')`.execute(
    db(),
  );
  expect(rows).toEqual([]);
}

/** Neither these invariants nor the independent checker, which `checker` connects, find anything. */
export async function expectVerified(checker: pg.Client): Promise<void> {
  await expectSoundBooks();
  await runFeatureJob(at.console.app, 'metrics.refresh');
  expect(await foundBy(checker)).toEqual([]);
}
