// A line of an issued bill is explained by what it was computed from, whatever arrives later or is taken back;
// what has changed since stands apart (R-BILL-06).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type LineExplanation } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { archiveEvents, eventRetentionMonths } from '#features/metering/usage/server/index.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { runFeatureJob } from '../support/jobs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const [month, october] = ['2024-09', '2024-10'] as BillingMonth[] as [BillingMonth, BillingMonth];
const aggregations = ['sum', 'count', 'max', 'latest', 'unique_count', 'time_weighted_average'] as const;
const named = (text: string) => ({ zhTW: text, enUS: text });
const measured: Record<string, Partial<Meter>> = {
  traffic: { aggregation: 'sum', dimensions: ['region'] },
  least: { aggregation: 'min' },
  users: { aggregation: 'unique_count', property: 'user', dimensions: ['region'] },
  disk: { aggregation: 'time_weighted_average', dimensions: ['region'] },
};

let console: TestConsole;
let admin: string;
let key: string;
let token: string;
const ids = new Map<string, Id<'sub'>>();

async function send(id: string, data: object, time: string, type = 'call'): Promise<void> {
  for (const [name, subscriptionId] of ids) {
    const { rejected } = await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        body: JSON.stringify([
          { specversion: '1.0', id, source: `s-${name}`, type, subject: subscriptionId, time, data },
        ]),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect(rejected).toEqual([]);
  }
}
async function moveTo(time: string): Promise<void> {
  console.clock.set(new Date(time));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, 'owner@late.example');
}

/** The explanations of a month's usage lines, by service and charge; of `only` one of the services. */
async function explanations(only?: string, of = month): Promise<Map<string, LineExplanation>> {
  const { items } = await console.ok(billing.listBills, { month: of }, { token });
  const billId = required(items[0], 'the bill').id;
  const { lines } = await console.ok(billing.getBill, { billId }, { token });
  const found = new Map<string, LineExplanation>();
  for (const { id, kind, serviceName, charge } of lines)
    if (kind === 'usage' && (only === undefined || serviceName === only))
      found.set(
        `${serviceName ?? ''} ${charge?.key ?? ''}`.trim(),
        await console.ok(billing.explainLine, { billId, lineId: id }, { token }),
      );
  return found;
}

/** A console with a bill of September for every kind of meter. */
async function begin(): Promise<void> {
  ids.clear();
  console = await createTestConsole(new Date('2024-08-31T17:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const { organizationId } = await registerUser(console, 'owner@late.example', 'Late');
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: name, eventType: 'call', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
  const subscribe = async (name: string, service: object): Promise<void> => {
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      { name, type: 'VM', category: 'Own', ...service } as never,
      { token: admin },
    );
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date('2024-08-31T16:00:00Z') },
      { token: admin },
    );
    ids.set(name, id);
  };
  for (const aggregation of aggregations)
    await subscribe(aggregation, {
      pricing: { model: 'per_unit', currency: 'USD', unitPrice: '1.5' },
      meter: {
        eventType: 'call',
        unit: 'unit',
        aggregation,
        ...(aggregation === 'unique_count' && { property: 'user' }),
      },
    });
  await subscribe('calm', {
    pricing: { model: 'per_unit', currency: 'USD', unitPrice: '1.5' },
    meter: { eventType: 'call', unit: 'unit', aggregation: 'sum' },
  });
  await subscribe('card', {
    currency: 'USD',
    charges: Object.keys(measured).map((name) => ({
      key: name,
      name: named(name),
      kind: 'usage',
      meter: name,
      model: 'per_unit',
      unitPrice: '2',
    })),
  });
  await moveTo('2024-09-25T00:00:00Z');
  await send('a', { value: '7', user: 'a', region: 'tpe' }, '2024-09-03T03:10:00Z');
  await send('b', { value: '4.5', user: 'b', region: 'nrt' }, '2024-09-10T03:20:00Z');
  await send('c', { value: '2', user: 'a', region: 'tpe' }, '2024-09-10T05:20:00Z');
  await moveTo('2024-10-05T00:00:00Z');
  await console.ok(billing.closeMonth, { month }, { token: admin });
  // Nothing changes in this one.
  ids.delete('calm');
}

describe('a line of an issued bill', () => {
  beforeAll(begin, 120_000);

  it('keeps its days after late usage and corrections, which are listed apart', async () => {
    const billed = await explanations();
    expect(billed.size).toBe(1 + aggregations.length + Object.keys(measured).length);
    expect([...billed.values()].map(({ later }) => later)).toEqual([...billed].map(() => []));
    await moveTo('2024-10-06T00:00:00Z');
    await send('late', { value: '9', user: 'c', region: 'tpe' }, '2024-09-05T00:00:00Z');
    await send('void', { id: 'b' }, '2024-09-10T03:20:00Z', 'call.void');
    const now = await explanations();
    expect([...now.values()].every(({ areDaysBilled }) => areDaysBilled)).toBe(true);
    for (const [name, { line, days, events, steps }] of billed) {
      if (name === 'calm') continue;
      const after = required(now.get(name), name);
      expect({ name, ...after, later: [] }).toEqual({ name, ...after, line, days, events, steps, later: [] });
      expect(after.later.length, name).toBeGreaterThan(0);
      if (!['max', 'latest', 'card least'].includes(name))
        expect([name, decimalText(sumDecimals(days.map(({ quantity }) => decimal(quantity))))]).toEqual([
          name,
          line.quantity,
        ]);
    }
    expect(now.get('sum')?.later).toEqual([
      { day: '2024-09-05', quantity: '9', events: 1 },
      { day: '2024-09-10', quantity: '-4.5', events: -1 },
    ]);
    // The user of the canceled event is not counted any more, and a new one is.
    expect(now.get('card users')?.later).toEqual([
      { day: '2024-09-05', quantity: '1', events: 1 },
      { day: '2024-09-10', quantity: '-1', events: -1 },
    ]);
  });

  it('says so when its days cannot be computed as they were billed: too many events, or none are stored', async () => {
    const before = required((await explanations('sum')).get('sum'), 'the line');
    // In one statement: by calls it would take minutes.
    await sql`insert into usage_event (event_id, source_id, subscription_id, time, received_at, value)
      select 'many' || n, e.source_id, e.subscription_id, e.time, e.received_at, 0
      from usage_event e, generate_series(1, 200000) n where e.subscription_id = ${ids.get('sum')} and e.event_id = 'late'`.execute(
      console.app.database.kysely,
    );
    const many = required((await explanations('sum')).get('sum'), 'the line');
    // Today's: with the late event, without the canceled one. The line is as it was.
    expect([many.areDaysBilled, many.later, many.days]).toEqual([
      false,
      [],
      [
        { day: '2024-09-03', quantity: '7', events: 1 },
        { day: '2024-09-05', quantity: '9', events: 1 },
        { day: '2024-09-10', quantity: '2', events: 1 },
      ],
    ]);
    expect([many.line, many.steps]).toEqual([before.line, before.steps]);

    await storeSetting(console.app.database.kysely, eventRetentionMonths, 1, console.clock.now(), 'test');
    await moveTo('2024-12-01T00:00:00Z');
    await runFeatureJob(console.app, 'usage-partitions');
    const gone = [...(await explanations())];
    expect(gone.filter(([, { areDaysBilled }]) => areDaysBilled).map(([name]) => name)).toEqual(['calm']);
    // The next bill has settled it since.
    await console.ok(billing.closeMonth, { month: october }, { token: admin });
    const settled = [...(await explanations())];
    // Where the changes came to nothing, nothing tells of them any more.
    expect(settled.filter(([, { areDaysBilled }]) => areDaysBilled).map(([name]) => name)).toEqual([
      'calm',
      'count',
      'latest',
      'unique_count',
    ]);
  });
});

describe('a line of a bill whose month was archived', () => {
  beforeAll(begin, 120_000);

  it('keeps its days and what came later, and levels go on from there', async () => {
    await moveTo('2024-10-06T00:00:00Z');
    await send('late', { value: '9', user: 'c', region: 'tpe' }, '2024-09-05T00:00:00Z');
    await send('void', { id: 'b' }, '2024-09-10T03:20:00Z', 'call.void');
    await moveTo('2024-11-05T00:00:00Z');
    await send('d', { value: '3', user: 'a', region: 'tpe' }, '2024-10-20T04:00:00Z');
    await console.ok(billing.closeMonth, { month: october }, { token: admin });
    const september = await explanations();
    const db = console.app.database.kysely;
    await storeSetting(db, eventRetentionMonths, 1, console.clock.now(), 'test');
    await storeSetting(db, archiveEvents, true, console.clock.now(), 'test');
    await runFeatureJob(console.app, 'usage-partitions');
    expect((await sql`select from usage_event where time < '2024-10-01'`.execute(db)).rows).toEqual([]);
    expect(await explanations()).toEqual(september);
    const billed = await explanations(undefined, october);
    await moveTo('2024-11-07T00:00:00Z');
    await send('later', { value: '1', user: 'd', region: 'tpe' }, '2024-10-25T00:00:00Z');
    for (const [name, { later, ...now }] of await explanations(undefined, october)) {
      expect([name, now]).toEqual([name, { ...billed.get(name), later: undefined }]);
      if (name !== 'calm') expect(later.length, name).toBeGreaterThan(0);
    }
  });
});
