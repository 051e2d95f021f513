// The demo data is imported with one click, and removed with one click until there is a real customer.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { consoleContract } from '#app/console/contract.ts';
import { clearedTables, retainedTables, partlyEmptiedTables } from '#app/console/store-demo.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

const september = '2024-09' as BillingMonth;
let console: TestConsole;
let admin: string;
const asAdmin = () => ({ token: admin });
const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await query.execute(console.app.database.kysely)).rows;

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console, { currency: 'USD', language: 'enUS' });
});

async function tryTheDemo(): Promise<{ bills: number; first: string | undefined; total: string }> {
  const { id } = await console.ok(administration.importDemo, {}, asAdmin());
  await expect
    .poll(async () => (await console.ok(administration.getImport, { importId: id }, asAdmin())).state)
    .toBe('done');
  await console.ok(billing.closeMonth, { month: september }, asAdmin());
  const { items, total } = await console.ok(
    billing.adminListBills,
    { sort: 'number', limit: 100 },
    asAdmin(),
  );
  const [{ sum } = { sum: '' }] = await rows(
    sql<{ sum: string }>`select sum(total_minor)::text as sum from bill`,
  );
  return { bills: total, first: items[0]?.number, total: sum };
}

/** Each counter with the number that it must equal. */
const counters = () =>
  rows(
    sql<{
      relation: string;
      counted: bigint;
    }>`select relation, sum(count)::bigint as counted from row_count where key1 = '' and key2 = '' group by 1 having sum(count) <> 0 order by 1`,
  );

describe('the demo data', () => {
  it('every table is classified as emptied, filtered or kept', async () => {
    const there = await rows(sql<{
      name: string;
    }>`select table_name as name from information_schema.tables t where table_schema = 'public' and table_type = 'BASE TABLE'
      and not exists (select from pg_inherits where inhrelid = format('%I', t.table_name)::regclass)`);
    expect([...clearedTables, ...partlyEmptiedTables, ...retainedTables].toSorted()).toEqual(
      there.map((table) => table.name).toSorted(),
    );
  });

  it('is removed with everything that was created on it; settings, Admins, own services and the audit log stay, and the books start empty', async () => {
    const own = await console.ok(
      catalogue.createService,
      {
        name: 'Own',
        type: 'Storage',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'USD', baseFee: '5' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      asAdmin(),
    );
    const countersBefore = await counters();
    const first = await tryTheDemo();
    // Bills of the file’s September, and of the demo’s own services of August.
    expect(first.bills).toBe(67 + 3);
    const [organization] = (await console.ok(identity.listOrganizations, { q: '' }, asAdmin())).items;
    const { user } = await console.ok(
      identity.createUser,
      {
        account: 'tried@demo.example',
        name: 'Tried',
        role: 'User',
        organizationId: organization?.id as never,
        password: userPassword,
      },
      asAdmin(),
    );
    expect(await console.ok(consoleContract.demoData, {}, asAdmin())).toEqual({
      organizations: 68,
      others: 0,
      services: 34,
      subscriptions: 198,
      bills: 70,
      people: 1,
    });
    const threshold = (organizationId: Id<'org'> | null, minor: bigint) =>
      console.ok(
        billing.setInterimThreshold,
        { organizationId, currency: 'TWD', amount: money(minor, 'TWD') },
        asAdmin(),
      );
    const forAll = await threshold(null, 50_000n);
    await threshold(required(organization, 'an organization of the demo').id, 1000n);
    const limit = (organizationId: Id<'org'> | null) =>
      console.ok(
        creditLimits.setCreditLimit,
        { organizationId, currency: 'TWD', amount: money(90_000_000n, 'TWD') },
        asAdmin(),
      );
    const limitForAll = await limit(null);
    await limit(required(organization, 'an organization of the demo').id);
    await console.ok(consoleContract.removeDemoData, {}, asAdmin());
    expect((await console.ok(billing.listInterimThresholds, {}, asAdmin())).items).toEqual([forAll]);
    expect((await console.ok(creditLimits.listCreditLimits, {}, asAdmin())).items).toEqual([limitForAll]);
    expect(await console.ok(consoleContract.demoData, {}, asAdmin())).toEqual({
      organizations: 0,
      others: 0,
      services: 0,
      subscriptions: 0,
      bills: 0,
      people: 0,
    });
    for (const table of clearedTables)
      expect(
        await rows(sql<{ count: bigint }>`select count(*) as count from ${sql.table(table)}`),
        table,
      ).toEqual([{ count: 0n }]);
    expect(
      (await console.ok(catalogue.adminListServices, {}, asAdmin())).items.map((service) => service.id),
    ).toEqual([own.id]);
    expect(
      (await console.ok(meters.listMeters, {}, asAdmin())).items.map(({ key, usedBy }) => [key, usedBy]),
    ).toEqual([['gb', 1]]);
    expect((await console.call(identity.getUser, { userId: user.id }, asAdmin())).status).toBe(404);
    expect(await counters()).toEqual(countersBefore);
    // Every trigger that protects the books is enabled again.
    const off = await rows(
      sql<{
        name: string;
      }>`select tgname as name from pg_trigger where not tgisinternal and tgenabled <> 'O'`,
    );
    expect(off).toEqual([]);
    expect(
      (
        await rows(
          sql<{ detail: object }>`select detail from audit_log where action = 'console.removeDemoData'`,
        )
      ).map((row) => row.detail),
    ).toMatchObject([{ organizations: 68, services: 34, bills: 70 }]);
    expect(await tryTheDemo()).toEqual(first);
    await console.ok(books.runCheck, {}, asAdmin());
    await expect
      .poll(async () => (await console.ok(books.listChecks, {}, asAdmin())).items[0]?.state)
      .toBe('passed');
  }, 180_000);

  it('demonstrates rate cards with customers, usage of the last months and bills; importing it again duplicates nothing', async () => {
    const { items: services } = await console.ok(catalogue.adminListServices, { limit: 200 }, asAdmin());
    const { items: all } = await console.ok(meters.listMeters, { limit: 200 }, asAdmin());
    const own = services.filter(({ charges }) => charges.some(({ meter }) => meter?.startsWith('demo-')));
    // In the console's default language, whoever imports it.
    expect(own.map(({ name }) => name).toSorted()).toEqual([
      'Object storage',
      'Online payments',
      'Virtual servers',
    ]);
    expect(all.filter(({ key }) => key.startsWith('demo-')).map(({ unit }) => unit)).toEqual(
      expect.arrayContaining(['h', 'requests', 'GB']),
    );
    const aggregations = new Set(
      own.flatMap(({ charges }) =>
        charges.map(({ meter }) => all.find(({ key }) => key === meter)?.aggregation),
      ),
    );
    expect([...aggregations]).toEqual(expect.arrayContaining(['sum', 'percentile', 'time_weighted_average']));
    expect(new Set(own.flatMap(({ charges }) => charges.map(({ model }) => model)))).toEqual(
      new Set(['flat', 'per_unit', 'matrix', 'graduated', 'package', 'volume', 'percentage']),
    );
    for (const { charges } of own)
      expect(
        charges.every(
          ({ name }) => /\p{Script=Han}|IP/u.test(name.zhTW) && !/\p{Script=Han}/u.test(name.enUS),
        ),
      ).toBe(true);
    // Every charge is on some bill with an amount, and the running month has usage as well.
    const billed = await rows(
      sql<{
        key: string;
      }>`select distinct l.charge ->> 'key' as key from bill_line l join service s on s.id = l.service_id where s.external_ref like 'demo:%' and l.amount_minor > 0`,
    );
    expect(billed.map(({ key }) => key).toSorted()).toEqual(
      own.flatMap(({ charges }) => charges.map(({ key }) => key)).toSorted(),
    );
    const months = await rows(
      sql<{
        month: string;
      }>`select distinct u.month from usage_month u join subscription b on b.id = u.subscription_id join service s on s.id = b.service_id where s.external_ref like 'demo:%' order by 1`,
    );
    expect(months.map(({ month }) => month)).toEqual(['2024-08', '2024-09', '2024-10']);
    const rejected = await rows(sql<{ count: bigint }>`select count(*) from rejected_event`);
    expect(rejected).toEqual([{ count: 0n }]);
    // A month later nothing is duplicated, and no closed month gets late usage.
    const counts = () =>
      rows(
        sql`select (select count(*) from usage_event) as events, (select count(*) from subscription) as subscriptions, (select count(*) from service) as services, (select count(*) from price_version) as prices, (select count(*) from bill) as bills, (select count(*) from late_usage) as late`,
      );
    const before = await counts();
    console.clock.advance(31 * 86_400_000);
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect(await tryTheDemo()).toMatchObject({ bills: 70 });
    expect(await counts()).toEqual(before);
  }, 120_000);

  it('stays once there is a real customer', async () => {
    await registerUser(console, 'real@customer.example', 'Real');
    const before = await console.ok(consoleContract.demoData, {}, asAdmin());
    expect(before.others).toBe(1);
    const refused = await console.call(consoleContract.removeDemoData, {}, asAdmin());
    expect([refused.status, refused.envelope.code]).toEqual([409, 'console.demo_mixed']);
    expect(await console.ok(consoleContract.demoData, {}, asAdmin())).toEqual(before);
    expect((await console.ok(payments.adminListPayments, {}, asAdmin())).total).toBe(0);
  });
});
