// What is computed from single events stays the same when a month's events have left the database: bills,
// explanations, statistics and proofs read them from where they are stored, and nothing is billed without
// them (R-BILL-06).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { eventRetentionMonths } from '#features/metering/usage/server/index.ts';
import { proven } from '../support/bill-proofs.ts';
import { hasClickhouse, startClickhouse } from '../support/clickhouse.ts';
import { runFeatureJob } from '../support/jobs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const [september, october, november] = ['2024-09', '2024-10', '2024-11'] as BillingMonth[] as [
  BillingMonth,
  BillingMonth,
  BillingMonth,
];
const fee: Charge = {
  key: 'fee',
  name: { zhTW: '手續費', enUS: 'Fee' },
  kind: 'usage',
  meter: 'sales',
  model: 'percentage',
  ratePercent: '10',
  fixedPerEvent: '5',
  // Not every sale of an hour reaches it, so that their sum is not enough.
  maxPerEvent: '20',
};

let console: TestConsole;
let admin: string;
let key: string;
let token: string;
let subscription: Id<'sub'>;

async function moveTo(time: string): Promise<void> {
  console.clock.set(new Date(time));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, 'owner@shop.example');
}

/** Sends sales of the given values, a minute apart. */
async function sell(time: string, ...values: readonly string[]): Promise<unknown> {
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(
        values.map((value, index) => ({
          specversion: '1.0',
          id: `${time} ${index}`,
          source: '/shop',
          type: 'sale',
          subject: subscription,
          time: new Date(Date.parse(time) + index * 60_000),
          data: { value },
        })),
      ),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  return rejected;
}

/** Runs the nightly job, after which all months before the last one have left the database. */
async function runRetention(): Promise<void> {
  await storeSetting(console.app.database.kysely, eventRetentionMonths, 1, console.clock.now(), 'test');
  await runFeatureJob(console.app, 'usage-partitions');
  const { rows } = await sql`select from usage_event where time < '2024-11-01'`.execute(
    console.app.database.kysely,
  );
  expect(rows).toEqual([]);
}

async function billOf(month: BillingMonth) {
  const { items } = await console.ok(billing.listBills, { month }, { token });
  return console.ok(billing.getBill, { billId: required(items[0], 'the bill').id }, { token });
}

/** Everything that shows September. */
async function shown() {
  const { id: billId, lines } = await billOf(september);
  const statistics = await console.ok(usage.statistics, { month: september }, { token });
  const charges = await console.ok(
    usage.charges,
    { subscriptionId: subscription, month: september },
    { token },
  );
  return {
    lines,
    explained: await Promise.all(
      lines.map(({ id: lineId }) => console.ok(billing.explainLine, { billId, lineId }, { token })),
    ),
    statistics: { ...statistics, asOf: null },
    charges: { ...charges, asOf: null },
    proof: await proven(console, billId, token),
  };
}

describe.each(hasClickhouse ? ['files', 'ClickHouse'] : ['files'])('months of events in %s', (place) => {
  beforeAll(async () => {
    console = await createTestConsole(
      new Date('2024-08-31T17:00:00Z'),
      place === 'files' ? {} : { EVENTS_URL: (await startClickhouse()).url },
    );
    admin = await setUp(console);
    key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
    const { organizationId } = await registerUser(console, 'owner@shop.example', 'Shop');
    await console.ok(
      meters.createMeter,
      { key: 'sales', name: 'Sales', unit: 'USD', eventType: 'sale', aggregation: 'sum' },
      { token: admin },
    );
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      { name: 'Payments', type: 'API', category: 'Own', currency: 'USD', charges: [fee] },
      { token: admin },
    );
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: organizationId as Id<'org'>,
        serviceId,
        startedAt: new Date('2024-08-31T16:00:00Z'),
      },
      { token: admin },
    );
    subscription = id;
    await moveTo('2024-10-01T00:00:00Z');
    await sell('2024-09-03T03:00:00Z', '100', '200');
    await console.ok(billing.closeMonth, { month: september }, { token: admin });
    await moveTo('2024-10-20T00:00:00Z');
    await sell('2024-09-04T03:00:00Z', '300');
    await sell('2024-10-04T03:00:00Z', '400');
  }, 120_000);

  it('show the same amounts, days and proofs, although nobody asked to archive them', async () => {
    const before = await shown();
    expect(before.lines).toMatchObject([{ quantity: '300', total: { minor: 3500n } }]);
    expect(before.explained[0]?.later).toEqual([{ day: '2024-09-04', quantity: '300', events: 1 }]);
    expect(before.proof).toMatchObject({ differing: [], left: [] });
    await moveTo('2024-12-10T00:00:00Z');
    await runRetention();
    expect(await shown()).toEqual(before);
  });

  it('are billed by the next close, and what came late adds only its own fee', async () => {
    await console.ok(billing.closeMonth, { month: october }, { token: admin });
    const { lines } = await billOf(october);
    expect(lines.map(({ kind, total }) => [kind, total.minor])).toEqual([
      ['usage', 2000n],
      ['adjustment', 2000n],
    ]);
  });

  it('take no more events, even if the operator then keeps events for longer', async () => {
    await storeSetting(console.app.database.kysely, eventRetentionMonths, 0, console.clock.now(), 'test');
    expect(await sell('2024-10-05T03:00:00Z', '500')).toMatchObject([{ code: 'usage.too_old' }]);
    expect(await sell('2024-11-05T03:00:00Z', '50', '500')).toEqual([]);
  });

  it('are not billed without their events: the organization is parked until they are back', async () => {
    await moveTo('2025-01-10T00:00:00Z');
    await runRetention();
    const db = console.app.database.kysely;
    const { rows } = await sql<{
      part: unknown;
    }>`with gone as (delete from usage_archive_part where last_time >= '2024-11-01' returning *) select to_jsonb(gone) as part from gone`.execute(
      db,
    );
    expect(rows).toHaveLength(1);
    const close = () => console.ok(billing.closeMonth, { month: november }, { token: admin });
    expect(await close()).toMatchObject({ issued: 0, parked: 1 });
    const { items } = await console.ok(billing.listCloseRuns, {}, { token: admin });
    expect(items[0]?.parked).toMatchObject([
      {
        organization: 'Shop',
        reason: expect.stringMatching(/^Usage events of this month were deleted/) as string,
      },
    ]);
    await sql`insert into usage_archive_part select * from jsonb_populate_record(null::usage_archive_part, ${JSON.stringify(rows[0]?.part)}::jsonb)`.execute(
      db,
    );
    expect(await close()).toMatchObject({ issued: 1, parked: 0 });
    expect((await billOf(november)).lines).toMatchObject([{ quantity: '550', total: { minor: 3000n } }]);
  });
});
