// The demo data are imported with one click, and removed with one until there is a real customer.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { administration } from '#features/operations/administration/contract.ts';
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
  createTestConsole,
  registerUser,
  setUp,
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
  admin = await setUp(console, { currency: 'USD' });
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
  it('every table is known to be emptied, thinned or kept', async () => {
    const there = await rows(sql<{
      name: string;
    }>`select table_name as name from information_schema.tables t where table_schema = 'public' and table_type = 'BASE TABLE'
      and not exists (select from pg_inherits where inhrelid = format('%I', t.table_name)::regclass)`);
    expect([...clearedTables, ...partlyEmptiedTables, ...retainedTables].toSorted()).toEqual(
      there.map((table) => table.name).toSorted(),
    );
  });

  it('go with everything that was tried on them; settings, Admins, own services and the audit log stay, and the books begin anew', async () => {
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
    expect(first.bills).toBe(67);
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
      services: 226,
      subscriptions: 404,
      bills: 67,
      people: 1,
    });
    await console.ok(consoleContract.removeDemoData, {}, asAdmin());
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
    ).toMatchObject([{ organizations: 68, bills: 67 }]);
    expect(await tryTheDemo()).toEqual(first);
    await console.ok(books.runCheck, {}, asAdmin());
    await expect
      .poll(async () => (await console.ok(books.listChecks, {}, asAdmin())).items[0]?.state)
      .toBe('passed');
  }, 180_000);

  it('stay as they are once there is somebody real', async () => {
    await registerUser(console, 'real@customer.example', 'Real');
    const before = await console.ok(consoleContract.demoData, {}, asAdmin());
    expect(before.others).toBe(1);
    const refused = await console.call(consoleContract.removeDemoData, {}, asAdmin());
    expect([refused.status, refused.envelope.code]).toEqual([409, 'console.demo_mixed']);
    expect(await console.ok(consoleContract.demoData, {}, asAdmin())).toEqual(before);
    expect((await console.ok(payments.adminListPayments, {}, asAdmin())).total).toBe(0);
  });
});
