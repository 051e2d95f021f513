// A database of the release before several meters, with rate cards, bills and corrections, is upgraded:
// nothing issued or booked changes by a byte, and billing continues (R-BILL-05).
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { silentLog } from '#platform/server/log.ts';
import { applyMigrationsExactly, migrate } from '#platform/server/database/migrate.ts';
import { withClient } from '#platform/server/database/other-database.ts';
import { migrationSources, readMigrations } from '#platform/server/database/migration-files.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { featureOrder } from '#app/feature-order.ts';
import { runCli } from '../support/cli.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../support/database.ts';

/** The first migration that the previous release does not have. */
const firstNew = 'usage/20261126-0300-several-meters.sql';
const [september, october, november] = ['2024-09', '2024-10', '2024-11'] as BillingMonth[];
const owners = ['owner@card.example', 'owner@agreed.example', 'owner@single.example'];

const named = (name: string): Charge['name'] => ({ zhTW: name, enUS: name });
/** A card as the previous release could sell it: fees, and usage on the service’s own meter. */
const card = (unitPrice: string): Charge[] => [
  { key: 'setup', name: named('Set-up'), kind: 'one_time', model: 'flat', amount: '990' },
  { key: 'seats', name: named('Seats'), kind: 'recurring', model: 'per_unit', unitPrice: '33.35' },
  {
    key: 'support',
    name: named('Support'),
    kind: 'recurring',
    model: 'flat',
    amount: '900',
    cycle: 'quarter',
  },
  { key: 'traffic', name: named('Traffic'), kind: 'usage', meter: 'traffic', model: 'per_unit', unitPrice },
];

type Admin = { token: string };
const asAdmin = async (console: TestConsole): Promise<Admin> => ({
  token: await signIn(console, adminAccount.account, adminAccount.password),
});

/**
 * Three customers with usage of two billed months, late usage, a reissued bill, a credit note and a payment.
 */
async function live(console: TestConsole): Promise<{ key: string; subscriptions: Id<'sub'>[] }> {
  let admin: Admin = { token: await setUp(console, { taxRate: '5' }) };
  const { secret: key } = await console.ok(identity.createApiKey, { name: 'gateway' }, admin);
  await console.ok(
    meters.createMeter,
    { key: 'traffic', name: 'Traffic', eventType: 'net', aggregation: 'sum', unit: 'GB' },
    admin,
  );
  const of = { type: 'VM', category: 'Own' } as const;
  const cards = await console.ok(
    catalogue.createService,
    { ...of, name: 'Cloud', currency: 'TWD', charges: card('0.37') },
    admin,
  );
  const single = await console.ok(
    catalogue.createService,
    {
      ...of,
      name: 'Calls',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '99.5', unitPrice: '1.3' },
      meter: { eventType: 'net', aggregation: 'max', unit: 'calls' },
    },
    admin,
  );
  const ids: Id<'sub'>[] = [];
  for (const [index, email] of owners.entries()) {
    const { organizationId } = await registerUser(console, email, `Customer ${index}`);
    if (index === 1)
      await console.ok(
        catalogue.addOverride,
        {
          serviceId: cards.id,
          organizationId: organizationId as Id<'org'>,
          pricing: { model: 'rate_card', currency: 'TWD', charges: card('0.21') },
          reason: 'agreed',
        } as never,
        admin,
      );
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: organizationId as Id<'org'>,
        serviceId: index === 2 ? single.id : cards.id,
        startedAt: new Date('2024-08-31T16:00:00Z'),
        ...(index < 2 && { quantities: { seats: String(3 + index) } }),
      },
      admin,
    );
    ids.push(id);
  }
  const moveTo = async (moment: string): Promise<void> => {
    console.clock.set(new Date(moment));
    admin = await asAdmin(console);
  };
  await moveTo('2024-09-20T00:00:00Z');
  for (const id of ids) {
    await send(console, key, id, 'a', '2024-09-10T00:00:00Z', '120.5');
    await send(console, key, id, 'b', '2024-09-11T05:00:00Z', '7');
    await send(console, key, id, 'void', '2024-09-19T00:00:00Z', '1', {
      type: 'net.void',
      data: { id: 'b' },
    });
  }
  await moveTo('2024-10-05T00:00:00Z');
  await console.ok(billing.closeMonth, { month: september! }, admin);
  for (const id of ids) {
    await send(console, key, id, 'late', '2024-09-28T00:00:00Z', '31');
    await send(console, key, id, 'c', '2024-10-03T00:00:00Z', '77');
  }
  await moveTo('2024-11-05T00:00:00Z');
  await console.ok(billing.closeMonth, { month: october! }, admin);
  const { items } = await console.ok(billing.adminListBills, { month: september!, sort: 'number' }, admin);
  const [first, second, third] = items.map(({ id }) => id);
  await console.ok(credits.voidBill, { billId: first!, reason: 'wrong' }, admin);
  await console.ok(credits.reissueBill, { billId: first! }, admin);
  await console.ok(
    credits.issueCredit,
    { billId: second!, reason: 'goodwill', what: { kind: 'amount', net: money(5n, 'TWD') } },
    admin,
  );
  const token = await signIn(console, owners[2] ?? '');
  const topUp = await console.ok(payments.topUp, { amount: money(900n, 'TWD') }, { token });
  await console.ok(payments.confirmPayment, { paymentId: topUp.id }, admin);
  await console.ok(payments.payBill, { billId: third!, method: 'balance' }, { token });
  return { key, subscriptions: ids };
}

async function send(
  console: TestConsole,
  token: string,
  subject: string,
  id: string,
  time: string,
  value: string,
  more: { type?: string; data?: object } = {},
): Promise<void> {
  const event = { specversion: '1.0', id, source: `s-${subject}`, subject, time, type: more.type ?? 'net' };
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token,
      body: JSON.stringify([{ ...event, data: { value, ...more.data } }]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}

const rowsOf = async <T extends object>(database: TestDatabase, text: string): Promise<T[]> =>
  (await database.pool.query<T>(text)).rows;
const digest = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Columns = { readonly name: string; readonly columns: readonly string[] };
/** The columns of every table of issued, booked, paid, sold or agreed data. */
const columnsOf = (database: TestDatabase): Promise<Columns[]> =>
  rowsOf<Columns>(
    database,
    `select c.table_name as name, array_agg(quote_ident(column_name) order by ordinal_position) as columns from information_schema.columns c
      join information_schema.tables t on t.table_name = c.table_name and t.table_schema = 'public' and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and c.table_name ~ '^(bill|credit|ledger|payment|month_closed|late_usage|price_|subscription)' group by 1 order by 1`,
  );
/** Their rows, as one digest of each table. */
async function issued(database: TestDatabase, tables: readonly Columns[]): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const { name, columns } of tables) {
    const [row] = await rowsOf<{ all: string | null }>(
      database,
      `select string_agg(t::text, E'\n' order by t::text) as all from (select ${columns.join(', ')} from ${name}) t`,
    );
    sums[name] = digest(row?.all ?? '');
  }
  return sums;
}

/** The bytes of every bill's files in both languages. */
async function files(console: TestConsole): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const email of owners) {
    const token = await signIn(console, email);
    const { items } = await console.ok(billing.listBills, { sort: 'number' }, { token });
    for (const { id, number } of items)
      for (const language of ['zhTW', 'enUS'] as const)
        for (const [kind, route] of [
          ['pdf', billing.billPdf],
          ['csv', billing.billCsv],
        ] as const) {
          const { body } = await console.ok(route, { billId: id, language }, { token });
          found[`${number} ${language} ${kind}`] = digest(body as Uint8Array);
        }
  }
  return found;
}

const superuserRuns = (database: TestDatabase, statements: string): Promise<unknown> =>
  withClient(asSuperuser(database.connection), (client) => client.query(statements));

/** The books as the previous release had them: a fee that is billed in advance was revenue with its bill. */
async function bookAtOnce(database: TestDatabase): Promise<void> {
  await superuserRuns(
    database,
    `begin; set local session_replication_role = replica;
    update ledger_entry r set amount_minor = r.amount_minor + d.amount_minor from ledger_entry d
      where d.account_id like 'deferred_revenue:%' and d.transaction_id = r.transaction_id and r.account_id = 'revenue:TWD';
    delete from ledger_entry where account_id like 'deferred_revenue:%';
    update ledger_account a set balance_minor = coalesce((select sum(amount_minor) from ledger_entry e where e.account_id = a.id), 0);
    delete from ledger_account where kind = 'deferred_revenue';
    delete from revenue_schedule;
    commit`,
  );
}

/**
 * A database as created by the previous release, with the same rows: columns added by this release are left
 * out.
 */
async function downgraded(from: TestDatabase): Promise<TestDatabase> {
  const to = await createTestDatabase({ isEmpty: true });
  const all = await readMigrations(migrationSources(featureOrder));
  const older = all.slice(
    0,
    all.findIndex(({ name }) => name === firstNew),
  );
  const owner = await to.pool.connect();
  try {
    await owner.query('begin');
    await applyMigrationsExactly(owner, migrationSources(featureOrder), older);
    const names = older.map(({ name }) => name);
    await owner.query(
      `insert into schema_migration (name, checksum, applied_at) select *, now() from unnest($1::text[], $2::text[])`,
      [names, older.map(({ checksum }) => checksum)],
    );
    for (const { month } of await rowsOf<{ month: string }>(
      from,
      `select distinct to_char(time at time zone 'UTC', 'YYYY-MM-01') as month from usage_event`,
    ))
      await owner.query('select usage_partition($1::date)', [month]);
    await owner.query('commit');
  } finally {
    owner.release();
  }
  await withClient(asSuperuser(to.connection), async (client) => {
    await client.query('begin');
    // Rows are copied unchanged, including counters, so that no trigger counts them again.
    await client.query('set local session_replication_role = replica');
    const { rows: columns } = await client.query<{ name: string; columns: string[] }>(
      `select c.table_name as name, array_agg(quote_ident(column_name) order by ordinal_position) filter (where is_generated = 'NEVER') as columns
        from information_schema.columns c join pg_class p on p.relname = c.table_name and p.relnamespace = 'public'::regnamespace and p.relkind in ('r', 'p') and not p.relispartition
        where c.table_schema = 'public' and c.table_name <> 'schema_migration' group by 1`,
    );
    for (const { name, columns: own } of columns) {
      const list = own.join(', ');
      await client.query(`delete from ${name}`);
      const [row] = await rowsOf<{ all: string | null }>(
        from,
        `select json_agg(t)::text as all from (select ${list} from ${name}) t`,
      );
      await client.query(
        `insert into ${name} (${list}) overriding system value select ${list} from json_populate_recordset(null::${name}, coalesce($1, '[]')::json)`,
        [row?.all ?? null],
      );
    }
    const { rows: sequences } = await client.query<{ name: string }>(
      `select sequencename as name from pg_sequences where schemaname = 'public'`,
    );
    for (const { name } of sequences) {
      const [last] = await rowsOf<{ value: string; called: boolean }>(
        from,
        `select last_value::text as value, is_called as called from ${name}`,
      );
      await client.query('select setval($1::regclass, $2, $3)', [name, last?.value, last?.called]);
    }
    await client.query('commit');
  });
  return to;
}

it('an upgrade keeps every bill, its files and the ledger unchanged, and derives the meters of each service', async () => {
  const now = new Date('2024-09-01T00:00:00Z');
  const current = await createTestDatabase();
  const before = await createTestConsole(now, {}, current);
  const { key, subscriptions: ids } = await live(before);
  // The previous release had only one quantity per subscription.
  expect(
    await rowsOf(
      current,
      `select distinct meter, cell from usage_month union select distinct meter, cell from usage_hour`,
    ),
  ).toEqual([{ meter: '', cell: '' }]);
  // It issued bills line by line, and documents keep the layout with which they were issued.
  await superuserRuns(
    current,
    'begin; set local session_replication_role = replica; update bill set document_layout = 1; commit',
  );
  await bookAtOnce(current);
  const fileBytes = await files(before);
  expect(Object.keys(fileBytes).length).toBe(4 * 7);
  await before.end();

  const database = await downgraded(current);
  const columns = await columnsOf(database);
  const rows = await issued(database, columns);
  expect(await issued(current, columns)).toEqual(rows);
  expect(Object.keys(rows)).toEqual(
    expect.arrayContaining([
      'bill',
      'bill_line',
      'bill_letterhead',
      'credit_note',
      'ledger_entry',
      'ledger_transaction',
      'late_usage',
    ]),
  );
  expect(
    await rowsOf(database, `select 1 from information_schema.tables where table_name = 'service_meter'`),
  ).toEqual([]);
  const applied = await migrate(database.pool, migrationSources(featureOrder), silentLog());
  expect(applied[0]).toBe(firstNew);
  expect(await issued(database, columns)).toEqual(rows);
  expect(
    await rowsOf(
      database,
      `select s.name, m.event_type as type, m.aggregation, m.services from service_meter u join service s on s.id = u.service_id join meter m on m.id = u.meter_id order by 1`,
    ),
  ).toEqual([
    { name: 'Calls', type: 'net', aggregation: 'max', services: 1 },
    { name: 'Cloud', type: 'net', aggregation: 'sum', services: 1 },
  ]);

  // As the previous release ran: with its secrets in files.
  const after = await createTestConsole(new Date('2024-11-20T00:00:00Z'), { SECRET_KEY: '' }, database);
  expect(await files(after)).toEqual(fileBytes);
  expect(await issued(database, columns)).toEqual(rows);
  // Billing continues: usage on the own meter as before, and late usage of a month that was closed before the
  // upgrade.
  for (const id of ids) {
    await send(after, key, id, 'late again', '2024-10-20T00:00:00Z', '10');
    await send(after, key, id, 'd', '2024-11-19T00:00:00Z', '100');
    await send(after, key, id, 'd', '2024-11-19T00:00:00Z', '100');
  }
  after.clock.set(new Date('2024-12-05T00:00:00Z'));
  const admin = await asAdmin(after);
  expect(await after.ok(billing.closeMonth, { month: november! }, admin)).toMatchObject({
    issued: 3,
    parked: 0,
  });
  const { rows: lines } = await database.pool.query(
    `select o.name, l.kind, l.charge ->> 'key' as charge, l.for_month, trim_scale(l.quantity)::text as quantity, trim_scale(l.exact_amount)::text as exact from bill b join organization o on o.id = b.organization_id join bill_line l on l.bill_id = b.id where b.month = $1 and l.kind in ('usage', 'adjustment') order by 1, l.position`,
    [november],
  );
  // The first one’s September was reissued after October’s bill had adjusted it; a maximum does not grow by a
  // smaller value.
  expect(
    lines.map((line) =>
      [line.name, line.kind, line.charge, line.for_month, line.quantity, line.exact].join(' '),
    ),
  ).toEqual([
    'Customer 0 usage traffic  100 37',
    'Customer 0 adjustment  2024-09 -31 -11.47',
    'Customer 0 adjustment  2024-10 10 3.7',
    'Customer 1 usage traffic  100 21',
    'Customer 1 adjustment  2024-10 10 2.1',
    'Customer 2 usage   100 130',
  ]);
  const { code, out } = await runCli(after, 'verify');
  expect(code, out).toBe(0);
}, 120_000);
