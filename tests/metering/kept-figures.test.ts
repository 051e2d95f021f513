// Daily figures of charges are cached while their rows are unchanged: nobody may see a figure that is older
// than a response before the request.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { createTestDatabase } from '../support/database.ts';
import { isLong } from '../support/fault-rounds.ts';

// The 20th of October 2024 at noon in Taipei.
const now = new Date('2024-10-20T04:00:00Z');
const monthStart = Date.parse('2024-09-30T16:00:00Z');
const range = { from: '2024-10-01' as LocalDay, to: '2024-10-20' as LocalDay };

/** The console with the cache, and another one on its database, which reads each figure only once. */
let console: TestConsole;
let other: TestConsole;
let admin: string;
let key: string;
let made = 0;
const db = () => console.app.database.kysely;

const charge = (meter: string, price: object): Charge =>
  ({ key: meter, name: { zhTW: meter, enUS: meter }, kind: 'usage', meter, ...price }) as Charge;
const measured: Record<string, Partial<Meter>> = {
  calls: { eventType: 'vm', aggregation: 'count' },
  traffic: { eventType: 'vm', aggregation: 'sum', dimensions: ['region'] },
  largest: { eventType: 'disk', aggregation: 'max', dimensions: ['region'] },
  latest: { eventType: 'disk', aggregation: 'latest', dimensions: ['region'] },
};
const tiers = [
  { upTo: '10', unitPrice: '1.25' },
  { upTo: null, unitPrice: '0.5', flatFee: '3' },
];
const rates = [
  { when: { region: 'tpe' }, unitPrice: '3' },
  { when: {}, unitPrice: '0.7' },
];
const card: readonly Charge[] = [
  charge('calls', { model: 'per_unit', unitPrice: '0.3' }),
  charge('traffic', { model: 'matrix', rates }),
  charge('largest', { model: 'volume', tiers }),
  charge('latest', { model: 'graduated', tiers, tierScope: 'per_value' }),
];

beforeAll(async () => {
  const database = await createTestDatabase();
  console = await createTestConsole(now, {}, database);
  other = await createTestConsole(now, {}, database);
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  await sql`alter table price_version disable trigger user`.execute(db());
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: 'u', eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
}, 120_000);

async function customer(charges: readonly Charge[] = card) {
  const mark = ++made;
  const { organizationId, token } = await registerUser(console, `owner@k${mark}.example`, `K${mark}`);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    { name: `Machines ${mark}`, type: 'VM', category: 'Own', currency: 'TWD', charges: [...charges] },
    { token: admin },
  );
  await sql`update price_version set effective_from = '2024-01-01T00:00:00Z' where service_id = ${serviceId}`.execute(
    db(),
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date('2024-01-01T00:00:00Z') },
    { token: admin },
  );
  return { id, token, serviceId };
}
type Customer = Awaited<ReturnType<typeof customer>>;
type Sent = {
  readonly id: string;
  readonly type: string;
  readonly hour?: number;
  readonly data: Readonly<Record<string, string>>;
};

async function send(one: Customer, events: readonly Sent[]): Promise<number> {
  const { accepted } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(
        events.map(({ id, type, hour = 0, data }) => ({
          specversion: '1.0',
          id,
          source: one.id,
          type,
          subject: one.id,
          time: new Date(monthStart + hour * hourMs).toISOString(),
          data,
        })),
      ),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  return accepted;
}

const groupings = ['charge', 'dimension:region', 'service'];
/** Every figure of a customer that consists of days, without the time of the request. */
async function figures({ call }: Pick<TestConsole, 'call'>, one: Customer): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const groupBy of groupings) {
    const { data } = await call(insights.explore, { ...range, groupBy }, one);
    answers.push({ ...data, asOf: undefined });
  }
  const daily = await call(usage.daily, { ...range, serviceId: one.serviceId }, one);
  const { data: statistics } = await call(usage.statistics, {}, one);
  return [...answers, daily.data, { ...statistics, asOf: undefined }];
}
/** The total of October, by one of the figures that show it. */
const cost = async (one: Customer, groupBy: string): Promise<string> => {
  if (groupBy === 'month') return (await console.ok(usage.statistics, {}, one)).totalCost.amount;
  const { totals } = await console.ok(insights.explore, { ...range, groupBy }, one);
  return required(totals[0], 'a total').cost;
};

describe('cached daily figures', () => {
  it('are reused after checking only the identity of their rows, while no event arrives', async () => {
    const one = await customer();
    await send(one, [{ id: 'a', type: 'vm', data: { value: '2', region: 'tpe' } }]);
    expect(await cost(one, 'charge')).toBe('6.3');
    // A day that no event has written, which a running console never sees: it would be read if the days were.
    await sql`update usage_day set sum = 5 where subscription_id = ${one.id} and meter = 'traffic'`.execute(
      db(),
    );
    expect(await cost(one, 'charge')).toBe('6.3');
    await send(one, [{ id: 'b', type: 'vm', hour: 30, data: { value: '0', region: 'tpe' } }]);
    expect(await cost(one, 'charge')).toBe('15.6');
  });

  it('follow prices, separately for each name', async () => {
    const one = await customer();
    await send(one, [
      { id: 'a', type: 'vm', data: { value: '2', region: 'tpe' } },
      { id: 'b', type: 'vm', data: { value: '10', region: 'nrt' } },
    ]);
    const before = await figures(console, one);
    await sql`update price_version set pricing = jsonb_set(pricing, '{charges,1,rates,1,unitPrice}', '"0.8"') where service_id = ${one.serviceId}`.execute(
      db(),
    );
    expect([await cost(one, 'charge'), await cost(one, 'month')]).toEqual(['14.6', '14.6']);
    const after = await figures(console, one);
    expect(after).toEqual(await figures(other, one));
    expect(after).not.toEqual(before);
    const groups = await console.ok(insights.explore, { ...range, groupBy: 'dimension:region' }, one);
    expect(groups.series.map(({ label, cost: own }) => `${label} ${own}`)).toEqual([
      'nrt 8',
      'tpe 6',
      'none 0.6',
    ]);
  });

  it('are never older than an earlier response, while events and corrections arrive', async () => {
    // Each event costs 1, so that costs count events.
    const one = await customer([charge('traffic', { model: 'per_unit', unitPrice: '1' })]);
    const [answered, begun] = [
      { plus: 0, minus: 0 },
      { plus: 0, minus: 0 },
    ];
    const [writers, rounds] = [4, 25];
    let writing = writers;
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        const id = `${writer} ${round}`;
        begun.plus++;
        await send(one, [
          { id, type: 'vm', hour: (writer * 7 + round) % 40, data: { value: '1', region: `r${round % 3}` } },
        ]);
        answered.plus++;
        if (round % 4 !== 3) continue;
        begun.minus++;
        await send(one, [{ id: `void ${id}`, type: 'vm.void', data: { id } }]);
        answered.minus++;
      }
      writing--;
    };
    let reads = 0;
    const read = async (groupBy: string): Promise<void> => {
      while (writing > 0) {
        const earlier = { ...answered };
        const figure = Number(await cost(one, groupBy));
        reads++;
        expect(figure).toBeGreaterThanOrEqual(earlier.plus - begun.minus);
        expect(figure).toBeLessThanOrEqual(begun.plus - earlier.minus);
      }
    };
    await Promise.all([
      ...Array.from({ length: writers }, async (_, writer) => write(writer)),
      ...[...groupings, 'month'].map(read),
    ]);
    expect(reads).toBeGreaterThan(10);
    expect(answered).toEqual({ plus: 100, minus: 24 });
    for (const groupBy of [...groupings, 'month']) expect(await cost(one, groupBy)).toBe('76');
    expect(await figures(console, one)).toEqual(await figures(other, one));
  }, 60_000);

  it('equal those of a console without a cache, after any events, corrections and reads in between', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constantFrom('vm', 'disk'),
          hour: fc.integer({ min: 0, max: 19 * 24 }),
          value: fc.integer({ min: 0, max: 12 }),
          region: fc.constantFrom('tpe', 'nrt', 'fra'),
        }),
      },
      { weight: 2, arbitrary: fc.record({ voids: fc.nat(9) }) },
      { weight: 2, arbitrary: fc.record({ looks: fc.constantFrom(...groupings) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const one = await customer();
        const sent: Sent[] = [];
        for (const [index, each] of steps.entries()) {
          if ('looks' in each) await figures(console, one);
          else if ('voids' in each) {
            const [target] = sent.splice(each.voids % Math.max(1, sent.length), 1);
            if (target)
              await send(one, [
                { id: `void ${target.id}`, type: `${target.type}.void`, data: { id: target.id } },
              ]);
          } else {
            const { type, hour, value, region } = each;
            const event = { id: `e${index}`, type, hour, data: { value: String(value), region } };
            sent.push(event);
            await send(one, [event]);
          }
        }
        expect(await figures(console, one)).toEqual(await figures(other, one));
      }),
      { numRuns: isLong ? 10 : 5, endOnFailure: true },
    );
  }, 120_000);
});
