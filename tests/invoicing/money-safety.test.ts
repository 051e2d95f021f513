// What must never happen to money: attempted twice, concurrently, by another customer, and directly in the
// database.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { waitingForLocks } from '../support/database.ts';

const september = '2024-09' as BillingMonth;
let console: TestConsole;
let admin: string;
let key: string;
let user: { token: string; userId: string; organizationId: string };
let subscriptionId: string;

const pricing: Pricing = {
  model: 'graduated',
  currency: 'TWD',
  baseFee: '100',
  tiers: [
    { upTo: '1000', unitPrice: '0.5' },
    { upTo: null, unitPrice: '0.2', flatFee: '30' },
  ],
};
const event = (id: string, value: string, time = '2024-09-10T00:00:00Z', subject = subscriptionId) => ({
  specversion: '1.0',
  id,
  source: '/gateways/tpe-1',
  type: 'com.example.api.call',
  subject,
  time,
  data: { value },
});
const send = (events: object[], token = key) =>
  console.call(
    usage.ingest,
    {},
    {
      token,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
/** Moves the clock; tokens and sessions expire meanwhile, so all users sign in again. */
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  user = { ...user, token: await signIn(console, 'owner@one.example') };
}
const db = () => console.app.database.kysely;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-05T00:00:00Z'));
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'API calls',
      type: 'API',
      category: 'Platform',
      pricing,
      meter: { eventType: 'com.example.api.call', aggregation: 'sum', unit: 'requests' },
    },
    { token: admin },
  );
  subscriptionId = (
    await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: user.organizationId as never,
        serviceId: service.id,
        startedAt: new Date('2024-08-31T16:00:00Z'),
      },
      { token: admin },
    )
  ).id;
});

describe('usage is counted once forever (R-USE-03)', () => {
  it('20 parallel copies of one batch are counted once', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const batch = Array.from({ length: 50 }, (_, index) => event(`e${index}`, '30'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(batch)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(202));
    expect(answers.reduce((sum, answer) => sum + answer.data.accepted, 0)).toBe(50);
    expect(answers.reduce((sum, answer) => sum + answer.data.duplicates, 0)).toBe(19 * 50);
    const { rows } = await sql`select event_count, sum from usage_month`.execute(db());
    expect(rows).toEqual([{ event_count: 50n, sum: '1500' }]);
  });

  it('each bad item is reported with its reason and the others are accepted', async () => {
    const { data } = await send([
      event('e0', '31'),
      event('bad', '1e3'),
      event('future', '1', '2024-09-20T00:06:00Z'),
      event('early', '1', '2024-08-31T15:59:59Z'),
      event('other', '1', undefined, 'sub_00000000000000000000000000'),
      { ...event('type', '1'), type: 'x' },
      event('ok', '0'),
    ]);
    expect(data).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(data.rejected.map((item) => [item.index, item.code])).toEqual([
      [0, 'usage.conflict'],
      [1, 'usage.value_no_decimal'],
      [2, 'usage.time_in_future'],
      [3, 'usage.subscription_not_running'],
      [4, 'usage.subscription_unknown'],
      [5, 'usage.event_type_unknown'],
    ]);
  });

  it('data that no database can store is rejected, and the rest of its batch accepted', async () => {
    const before =
      (await sql<{ count: bigint }>`select count(*) as count from usage_event`.execute(db())).rows[0]
        ?.count ?? 0n;
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as object;
    const { status, data } = await send([
      { ...event('nul', '1'), data: { value: '1', note: 'a\u0000' } },
      { ...event('half', '1'), data: { value: '1', note: '\ud800' } },
      { ...event('deep', '1'), data: { value: '1', deep } },
      event('never', '1', '2024-09-31T00:00:00Z'),
      event('good', '0'),
    ]);
    expect(status).toBe(202);
    expect(data).toMatchObject({
      accepted: 1,
      rejected: [0, 1, 2, 3].map((index) => ({ index, code: 'usage.event_malformed' })),
    });
    expect(
      (await sql<{ count: bigint }>`select count(*) as count from usage_event`.execute(db())).rows[0]?.count,
    ).toBe(before + 1n);
  });

  it('a key of one organization writes for that organization only', async () => {
    const other = await registerUser(console, 'owner@two.example', 'Two');
    const own = await console.ok(
      identity.createApiKey,
      { name: 'two', organizationId: other.organizationId as never },
      { token: admin },
    );
    expect((await send([event('theirs', '1')], own.secret)).data.rejected).toMatchObject([
      { code: 'usage.subscription_unknown' },
    ]);
    await console.ok(identity.revokeApiKey, { keyId: own.key.id }, { token: admin });
    expect((await send([event('theirs', '1')], own.secret)).status).toBe(401);
  });

  it('rollups equal the events', async () => {
    const { rows } = await sql<{
      same: boolean;
    }>`select (select (count(*)::numeric, sum(value)) from usage_event) = (select (sum(event_count), sum(sum)) from usage_hour) as same`.execute(
      db(),
    );
    expect(rows[0]?.same).toBe(true);
  });
});

describe('a month is billed once (R-BILL-05)', () => {
  let bill: Bill;

  it('and not before it is over', async () => {
    expect(
      (await console.call(billing.closeMonth, { month: september }, { token: admin })).envelope.code,
    ).toBe('billing.month_not_over');
  });

  it('with exact base fee and tiers, however many close it concurrently', async () => {
    await moveTo('2024-10-04T00:00:00Z');
    const runs = await Promise.all(
      Array.from({ length: 6 }, () =>
        console.call(billing.closeMonth, { month: september }, { token: admin }),
      ),
    );
    const again = await console.ok(billing.closeMonth, { month: september }, { token: admin });
    const good = runs.filter((run) => run.status === 200);
    // One user may have two runs at a time (reliability.md 2.F-112); the others are rejected with 429.
    expect(runs.filter((run) => run.status === 429)).toHaveLength(runs.length - good.length);
    expect(good.length).toBeGreaterThanOrEqual(2);
    expect([...good.map((run) => run.data), again].reduce((sum, run) => sum + run.issued, 0)).toBe(1);
    expect([...good.map((run) => run.data), again].map((run) => run.parked)).toEqual(
      [...good, again].map(() => 0),
    );
    const page = await console.ok(billing.listBills, {}, { token: user.token });
    expect(page.total).toBe(1);
    bill = page.items[0] as Bill;
    // 100 + 1000 × 0.5 + (30 + 500 × 0.2) = 730; 5 % tax = 36.5, half away from zero = 37.
    expect(bill).toMatchObject({
      number: 'B-202409-000001',
      net: money(730n, 'TWD'),
      tax: money(37n, 'TWD'),
      total: money(767n, 'TWD'),
      state: 'open',
    });
  });

  it('and paid once, however many pay concurrently, and the balance is never negative', async () => {
    const topUp = await console.ok(payments.topUp, { amount: money(1000n, 'TWD') }, { token: user.token });
    const confirmed = await Promise.all(
      Array.from({ length: 5 }, () =>
        console.call(payments.confirmPayment, { paymentId: topUp.id }, { token: admin }),
      ),
    );
    expect(confirmed.filter((answer) => answer.status === 200)).toHaveLength(1);
    const paid = await Promise.all(
      Array.from({ length: 10 }, () =>
        console.call(payments.payBill, { billId: bill.id, method: 'balance' }, { token: user.token }),
      ),
    );
    expect(paid.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(paid.filter((answer) => answer.envelope.code === 'billing.already_paid')).toHaveLength(9);
    expect((await console.ok(payments.balance, {}, { token: user.token })).balances).toEqual([
      money(233n, 'TWD'),
    ]);
  });

  it('and a balance is spent once, however many bills are paid from it concurrently', async () => {
    // Two bills of NT$105 each, and NT$150 to pay them with.
    const buyer = await registerUser(console, 'owner@two-bills.example', 'Two bills');
    const service = await console.ok(
      catalogue.createService,
      {
        name: 'Line',
        type: 'Network',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'none', aggregation: 'count', unit: 'times' },
      },
      { token: admin },
    );
    await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: buyer.organizationId as never,
        serviceId: service.id,
        startedAt: new Date('2024-06-30T16:00:00Z'),
      },
      { token: admin },
    );
    for (const month of ['2024-07', '2024-08'] as BillingMonth[])
      await console.ok(billing.closeMonth, { month }, { token: admin });
    const topUp = await console.ok(payments.topUp, { amount: money(150n, 'TWD') }, { token: buyer.token });
    await console.ok(payments.confirmPayment, { paymentId: topUp.id }, { token: admin });
    const { items } = await console.ok(billing.listBills, {}, { token: buyer.token });
    expect(items.map((one) => one.due)).toEqual([money(105n, 'TWD'), money(105n, 'TWD')]);
    // This transaction locks the balance, so that both payments have read it before either can spend it.
    const hold = await db().startTransaction().execute();
    await sql`select 1 from ledger_account where kind = 'balance' and organization_id = ${buyer.organizationId} for share`.execute(
      hold,
    );
    const paying = items.map((one) =>
      console.call(payments.payBill, { billId: one.id, method: 'balance' }, { token: buyer.token }),
    );
    await expect.poll(() => waitingForLocks(db())).toBe(2n);
    await hold.rollback().execute();
    expect((await Promise.all(paying)).map((answer) => answer.envelope.code ?? 'paid').toSorted()).toEqual([
      'paid',
      'payments.balance_too_low',
    ]);
    expect((await console.ok(payments.balance, {}, { token: buyer.token })).balances).toEqual([
      money(45n, 'TWD'),
    ]);
  });

  it('and a repeated idempotency key gets the same response, or an error for another body', async () => {
    const headers = { 'idempotency-key': 'top-up-1' };
    const once = () =>
      console.call(payments.topUp, { amount: money(10n, 'TWD') }, { token: user.token, headers });
    const answers = await Promise.all([once(), once(), once()]);
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1);
    expect(
      (await console.call(payments.topUp, { amount: money(11n, 'TWD') }, { token: user.token, headers }))
        .envelope,
    ).toMatchObject({ code: 'platform.idempotency_conflict' });
    const { rows } = await sql<{
      count: bigint;
    }>`select count(*) from payment where amount_minor = 10`.execute(db());
    expect(rows[0]?.count).toBe(1n);
  });

  it('and nobody else can see the bill', async () => {
    const stranger = await registerUser(console, 'stranger@three.example', 'Three');
    for (const answer of [
      await console.call(billing.getBill, { billId: bill.id }, { token: stranger.token }),
      await console.call(payments.payBill, { billId: bill.id, method: 'balance' }, { token: stranger.token }),
      await console.call(billing.billPdf, { billId: bill.id }, { token: stranger.token }),
    ]) {
      expect(answer.envelope.code).toBe('billing.bill_not_found');
    }
  });
});

describe('the database prevents', () => {
  const isRefused = (statement: string): Promise<boolean> =>
    sql
      .raw(statement)
      .execute(db())
      .then(
        () => false,
        () => true,
      );

  it('changes of ledger, bills, lines, prices, events and the audit log', async () => {
    for (const statement of [
      'update ledger_entry set amount_minor = 1',
      'delete from ledger_entry',
      'truncate ledger_entry cascade',
      'update ledger_transaction set reference = $$x$$',
      'delete from ledger_transaction',
      'update bill set total_minor = 1, net_minor = 1, tax_minor = 0',
      'delete from bill',
      'update bill set number = $$x$$',
      `update bill set state = 'open', paid_at = null`,
      'truncate bill cascade',
      'update bill_line set amount_minor = 0',
      'delete from bill_line',
      'update price_version set currency = $$USD$$',
      'update usage_event set value = 0',
      'update audit_log set action = $$x$$',
      'delete from audit_log',
      'delete from subscription_transition',
    ])
      expect(await isRefused(statement), statement).toBe(true);
  });

  it('a ledger transaction that does not sum to zero, has one entry, or is extended later', async () => {
    const insert = (entries: string) =>
      `begin; insert into ledger_transaction (id, kind, reference, at) values ('t', 'correction', 'r', now()); ${entries} commit;`;
    const accounts = await sql<{
      id: string;
      currency: string;
    }>`select id, currency from ledger_account order by id limit 2`.execute(db());
    const [a, b] = accounts.rows;
    const entry = (position: number, account: string, amount: number) =>
      `insert into ledger_entry values ('t', ${position}, '${account}', 'TWD', ${amount});`;
    for (const entries of [
      entry(1, a?.id ?? '', 5) + entry(2, b?.id ?? '', -4),
      entry(1, a?.id ?? '', 5),
      '',
    ]) {
      const client = await console.app.database.pool.connect();
      await expect(client.query(insert(entries))).rejects.toThrow(/ledger transaction/);
      await client.query('rollback');
      client.release();
    }
    const { rows } = await sql<{ id: string }>`select id from ledger_transaction limit 1`.execute(db());
    expect(
      await isRefused(
        `insert into ledger_entry values ('${rows[0]?.id}', 8, '${a?.id}', 'TWD', 5), ('${rows[0]?.id}', 9, '${b?.id}', 'TWD', -5)`,
      ),
    ).toBe(true);
  });

  it('a second bill of the same organization, month and currency', async () => {
    expect(
      await isRefused(
        `insert into bill select 'bil_x', organization_id, month, currency, series, 99, 'B-X', 'open', period_start, period_end, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, 0, null, buyer, content_hash from bill`,
      ),
    ).toBe(true);
  });

  it('stored balances and counters that differ from what they count', async () => {
    const { rows } = await sql<{
      name: string;
    }>`select id as name from ledger_account a where balance_minor <> coalesce((select sum(amount_minor) from ledger_entry e where e.account_id = a.id), 0)
      union all select 'bill' where rows_counted('bill', '', '') <> (select count(*) from bill) union all select 'paid bills' where rows_counted('bill', 'paid', '') <> (select count(*) from bill where state = 'paid')
      union all select 'app_user' where rows_counted('app_user', 'User', '') <> (select count(*) from app_user where role = 'User') union all select 'payment' where rows_counted('payment', 'pending', '') <> (select count(*) from payment where state = 'pending')
      union all select 'notification' where exists (select 1 from app_user u where rows_counted('notification', u.id, 'false') <> (select count(*) from notification n where n.user_id = u.id and not is_read))`.execute(
      db(),
    );
    expect(rows).toEqual([]);
  });
});
