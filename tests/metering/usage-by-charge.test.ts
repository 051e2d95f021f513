// Usage by charge, by dimension and by day: what screens show of a rate card adds up to its bill (R-USE-01,
// R-USE-05).
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { isLong } from '../support/fault-rounds.ts';

// The 20th of October 2024 at noon in Taipei.
const now = new Date('2024-10-20T04:00:00Z');
const monthStart = Date.parse('2024-09-30T16:00:00Z');
const range = { from: '2024-10-01' as LocalDay, to: '2024-10-20' as LocalDay };

let console: TestConsole;
let admin: string;
let key: string;
let made = 0;
const db = () => console.app.database.kysely;

const charge = (of: string, price: object, meter = of): Charge =>
  ({ key: of, name: { zhTW: `${of} 費`, enUS: of }, kind: 'usage', meter, ...price }) as Charge;
const measured: Record<string, Partial<Meter>> = {
  calls: { eventType: 'vm', aggregation: 'count' },
  traffic: { eventType: 'vm', aggregation: 'sum', dimensions: ['region', 'size'] },
  largest: { eventType: 'vm', aggregation: 'max', dimensions: ['region'] },
  smallest: { eventType: 'vm', aggregation: 'min' },
  mean: { eventType: 'vm', aggregation: 'avg', dimensions: ['region'] },
  latest: { eventType: 'vm', aggregation: 'latest', dimensions: ['region'] },
  users: { eventType: 'vm', aggregation: 'unique_count', property: 'user', dimensions: ['region'] },
  disk: { eventType: 'disk', aggregation: 'time_weighted_average', dimensions: ['region'] },
  bandwidth: {
    eventType: 'vm',
    aggregation: 'percentile',
    p: 95,
    sampleMinutes: 720,
    dimensions: ['region'],
  },
  payments: { eventType: 'pay', aggregation: 'sum' },
};
const tiers = [
  { upTo: '10', unitPrice: '1.25' },
  { upTo: null, unitPrice: '0.5', flatFee: '3' },
];
const rates = [
  { when: { region: 'tpe', size: 'l' }, unitPrice: '3' },
  { when: { region: 'tpe' }, tiers },
  { when: {}, unitPrice: '0.7' },
];
const card: readonly Charge[] = [
  { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '10' },
  charge('calls', { model: 'per_unit', unitPrice: '0.3', included: '4' }),
  charge('matrix', { model: 'matrix', rates }, 'traffic'),
  charge('apart', { model: 'matrix', rates, tierScope: 'per_value' }, 'traffic'),
  charge('tiers', { model: 'graduated', tiers }, 'traffic'),
  charge('capped', { model: 'per_unit', unitPrice: '2', maximum: '21' }, 'traffic'),
  charge('largest', { model: 'volume', tiers }),
  charge('smallest', { model: 'per_unit', unitPrice: '7' }),
  charge('mean', { model: 'per_unit', unitPrice: '5' }),
  charge('latest', { model: 'graduated', tiers, tierScope: 'per_value' }),
  charge('users', { model: 'package', packageSize: '2', packagePrice: '9' }),
  charge('disk', {
    model: 'matrix',
    rates: [
      { when: { region: 'tpe' }, unitPrice: '100' },
      { when: {}, unitPrice: '50' },
    ],
  }),
  charge('bandwidth', { model: 'per_unit', unitPrice: '1' }),
  charge('payments', { model: 'percentage', ratePercent: '1.5', fixedPerEvent: '0.3', freeEvents: 1 }),
  charge('share', { model: 'percentage', ratePercent: '2' }, 'payments'),
];
/** A service whose costs are known for whole months only. */
const monthOnly = ['bandwidth', 'payments'];

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-01T01:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  await sql`alter table price_version disable trigger user`.execute(db());
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: `${name}-unit`, eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
  console.clock.set(now);
}, 120_000);

/** A customer of a service with a rate card since January. */
async function customer(charges: readonly Charge[] = card) {
  const mark = ++made;
  const email = `owner@c${mark}.example`;
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  const { organizationId, token } = await registerUser(console, email, `C${mark}`);
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
type Wire = { readonly type: string; readonly hour: number; readonly value: number; readonly data: object };
async function send({ id }: Customer, wires: readonly Wire[]): Promise<void> {
  const events = wires.map(({ type, hour, value, data }, index) => ({
    specversion: '1.0',
    id: `e${index}`,
    source: `s-${id}`,
    type,
    subject: id,
    time: new Date(monthStart + hour * hourMs + index * 1000).toISOString(),
    data: { value: String(value), ...data },
  }));
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}
/** The bill of the month as of now: the total of each charge’s lines. */
async function billed({ token }: Customer): Promise<Record<string, string>> {
  const { bills } = await console.ok(billing.currentBill, {}, { token });
  return Object.fromEntries(
    bills.flatMap(({ lines }) => lines.map((line) => [line.charge?.key ?? line.kind, line.exact])),
  );
}
const sum = (texts: readonly string[]): string =>
  decimalText(sumDecimals(texts.map((text) => decimal(text))));

const wire: fc.Arbitrary<Wire> = fc.record({
  type: fc.constantFrom('vm', 'vm', 'vm', 'disk', 'pay'),
  hour: fc.integer({ min: 0, max: 19 * 24 }),
  value: fc.integer({ min: 0, max: 12 }),
  data: fc.record(
    {
      region: fc.constantFrom('tpe', 'nrt', 'fra'),
      size: fc.constantFrom('s', 'l'),
      user: fc.constantFrom('a', 'b', 'c'),
    },
    { requiredKeys: [] },
  ),
});

describe('usage by charge and by day', () => {
  it('adds up to the bill: statistics, the subscription’s charges, days, hours and values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wire, { minLength: 1, maxLength: 40 }), async (wires) => {
        const one = await customer();
        await send(one, wires);
        const bill = await billed(one);
        const figures = await console.ok(usage.statistics, {}, one);
        const service = required(figures.services[0], 'the service');
        const charges = required(service.charges, 'the charges');
        expect(charges.map((each) => each.key)).toEqual(card.map((each) => each.key));
        expect(Object.fromEntries(charges.map((each) => [each.key, each.cost.amount]))).toEqual(
          Object.fromEntries(card.map((each) => [each.key, bill[each.key] ?? '0'])),
        );
        expect(sum(charges.map((each) => each.cost.amount))).toBe(service.cost.amount);
        // Without values there is nothing to group by.
        const isApart = wires.some(({ type, data }) => type === 'vm' && ('region' in data || 'size' in data));
        for (const { key: name, quantity, cells = [] } of charges)
          if (name === 'matrix' || name === 'tiers') {
            expect(cells.length > 0, name).toBe(isApart);
            if (isApart) expect(sum(cells.map((cell) => cell.quantity)), name).toBe(quantity);
          }
        const own = await console.ok(usage.charges, { subscriptionId: one.id }, one);
        expect([own.charges, own.cost]).toEqual([charges, service.cost]);

        const daily = await console.ok(usage.daily, { ...range, serviceId: one.serviceId }, one);
        const [series] = daily.series;
        if (!series) {
          // Days without usage are not listed.
          expect(wires.every(({ value }) => value === 0)).toBe(true);
          return;
        }
        const days = required(series.charges, 'its charges by day');
        const known = card.filter((each) => each.kind === 'usage' && !monthOnly.includes(each.key));
        expect(days.filter(({ costs }) => costs === null).every((each) => monthOnly.includes(each.key))).toBe(
          true,
        );
        for (const each of known) {
          const day = days.find((one) => one.key === each.key);
          expect(sum(day?.costs ?? []), each.key).toBe(bill[each.key] ?? '0');
          const cells = day?.cells ?? [];
          if (cells.length > 0 && cells.every(({ costs }) => costs !== null))
            expect(sum(cells.flatMap(({ costs }) => costs ?? [])), `cells of ${each.key}`).toBe(
              bill[each.key] ?? '0',
            );
        }
        const total = sum(known.map((each) => bill[each.key] ?? '0'));
        expect(sum(series.costs)).toBe(total);
        const { quantity: counted } = required(
          charges.find((each) => each.key === 'tiers'),
          'the tiers',
        );
        expect(sum(days.find((each) => each.key === 'tiers')?.quantities ?? [])).toBe(counted);

        for (const groupBy of ['service', 'charge', 'dimension:region', 'dimension:size', 'apiKey']) {
          const explored = await console.ok(insights.explore, { ...range, groupBy }, one);
          expect(explored.totals[0]?.cost, groupBy).toBe(total);
          expect(sum(explored.series.map(({ cost }) => cost ?? '0')), groupBy).toBe(total);
        }
        // Hours add up to their day to the last digit.
        const from = daily.days.find((_, index) => series.costs[index] !== '0') ?? range.from;
        for (const groupBy of ['charge', 'dimension:region']) {
          const hours = await console.ok(insights.explore, { from, to: from, grain: 'hour', groupBy }, one);
          expect(hours.totals[0]?.cost).toBe(series.costs[daily.days.indexOf(from)]);
        }
      }),
      {
        numRuns: isLong ? 12 : 6,
        endOnFailure: true,
        examples: [
          [[{ type: 'vm', hour: 157, value: 11, data: {} }]],
          [
            // The last value of the day is zero, and that of another region costs something.
            [
              { type: 'vm', hour: 99, value: 11, data: { region: 'tpe', user: 'c' } },
              { type: 'vm', hour: 115, value: 0, data: { region: 'fra', size: 's', user: 'c' } },
            ],
          ],
        ],
      },
    );
  }, 240_000);

  it('shows six months together as each by itself, also where a price changed and where single events are priced', async () => {
    const singly = card.filter(({ model }) => model === 'percentage');
    for (const charges of [card, card.filter((each) => !singly.includes(each))]) {
      const one = await customer(charges);
      // From the middle of September calls cost three times as much.
      await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at, created_by)
        select left(id, -1) || case right(id, 1) when '0' then '1' else '0' end, service_id, '2024-09-15T00:00:00Z', currency, jsonb_set(pricing, '{charges,1,unitPrice}', '"0.9"'), created_at, created_by
        from price_version where service_id = ${one.serviceId}`.execute(db());
      await send(
        one,
        Array.from({ length: 60 }, (_, index) => ({
          type: ['vm', 'vm', 'disk', charges === card ? 'pay' : 'vm'][index % 4] ?? 'vm',
          hour: 19 * 24 - index * 36,
          value: index % 13,
          data: { region: ['tpe', 'nrt', 'fra'][index % 3], size: index % 2 === 0 ? 's' : 'l', user: 'a' },
        })),
      );
      const { sixMonths, totalCost } = await console.ok(usage.statistics, {}, one);
      const alone: string[] = [];
      for (const { month } of sixMonths) {
        const own = await console.ok(usage.charges, { subscriptionId: one.id, month }, one);
        alone.push(own.cost.amount);
      }
      expect(sixMonths.map(({ cost }) => cost.amount)).toEqual(alone);
      expect(new Set(alone).size).toBe(5);
      expect(totalCost.amount).toBe(alone.at(-1));
    }
  });

  it('R-USE-01, R-BILL-01: each month equals its bill, which rounds each line, also where lines of one charge are rounded separately', async () => {
    console.clock.set(now);
    const one = await customer([
      charge('calls', { model: 'per_unit', unitPrice: '0.5' }),
      charge('traffic', { model: 'per_unit', unitPrice: '1.5' }),
      charge('largest', { model: 'per_unit', unitPrice: '0.5' }),
    ]);
    // The same price again from the 10th of October: a second line of each charge.
    await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at, created_by)
        select left(id, -1) || case right(id, 1) when '0' then '1' else '0' end, service_id, '2024-10-09T16:00:00Z', currency, pricing, created_at, created_by
        from price_version where service_id = ${one.serviceId}`.execute(db());
    // September has one event, October one before the 10th and one after it.
    await send(
      one,
      [-20 * 24, 24, 15 * 24].map((hour) => ({ type: 'vm', hour, value: 1, data: {} })),
    );
    const figures = await console.ok(usage.statistics, {}, one);
    const twd = (minor: bigint) => ({ minor, currency: 'TWD' });
    // 0.5 + 1.5 + 0.5 is 2.5 in total and 1 + 2 + 1 on the bill; of twice as much each line is rounded by
    // itself.
    expect([figures.previousCost.amount, figures.previousBilled]).toEqual(['2.5', twd(4n)]);
    expect([figures.totalCost.amount, figures.billed]).toEqual(['5', twd(8n)]);
    expect(figures.sixMonths.map(({ billed }) => billed.minor)).toEqual([0n, 0n, 0n, 0n, 4n, 8n]);
    expect(figures.services.map(({ billed }) => billed)).toEqual([twd(8n)]);
    expect(figures.services[0]?.charges?.map(({ billed }) => billed.minor)).toEqual([2n, 4n, 2n]);
    const { bills } = await console.ok(billing.currentBill, {}, one);
    expect(bills.map(({ net }) => net)).toEqual([figures.billed]);
    // The past month is as it was while running, whether shown by itself or among six.
    const september = await console.ok(usage.statistics, { month: '2024-09' as BillingMonth }, one);
    expect([september.billed, september.projectedCost.amount]).toEqual([twd(4n), '4']);
    const own = await console.ok(
      usage.charges,
      { subscriptionId: one.id, month: '2024-09' as BillingMonth },
      one,
    );
    expect(own.charges.map(({ billed }) => billed.minor)).toEqual([1n, 2n, 1n]);
  });

  it('treats a missing smallest value as zero, on its own day only', async () => {
    const one = await customer([charge('smallest', { model: 'per_unit', unitPrice: '7' })]);
    await send(
      one,
      [4, 5, 6].map((value, index) => ({ type: 'vm', hour: index * 24, value, data: {} })),
    );
    await sql`update usage_day set min = null where subscription_id = ${one.id} and day = '2024-10-02'`.execute(
      db(),
    );
    const { series } = await console.ok(usage.daily, { ...range, serviceId: one.serviceId }, one);
    expect(series[0]?.charges?.[0]?.quantities.slice(0, 4)).toEqual(['4', '0', '6', '0']);
  });

  it('shows which costs have no day, and FOCUS has them in the month', async () => {
    console.clock.set(new Date('2024-11-02T00:00:00Z'));
    const one = await customer();
    const token = one.token;
    await send(one, [
      { type: 'vm', hour: 5, value: 4, data: { region: 'tpe', size: 'l', user: 'a' } },
      { type: 'pay', hour: 30, value: 200, data: {} },
      { type: 'pay', hour: 31, value: 300, data: {} },
    ]);
    const october = { from: '2024-10-01' as LocalDay, to: '2024-10-31' as LocalDay };
    const explored = await console.ok(
      insights.explore,
      { ...october, groupBy: 'charge' },
      {
        token,
      },
    );
    expect(explored.monthOnly.map(({ name }) => name.enUS)).toEqual(monthOnly);
    expect(
      explored.series
        .filter(({ cost }) => cost === null)
        .map(({ charge: name }) => name?.enUS)
        .toSorted(),
    ).toEqual(monthOnly);
    const figures = await console.ok(usage.statistics, { month: '2024-10' as BillingMonth }, { token });
    const { body } = await console.ok(
      insights.exportUsage,
      { ...october, format: 'focus' },
      {
        token,
      },
    );
    const rows = parse(
      Buffer.from(body as Uint8Array)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
      {
        columns: true,
      },
    ) as Record<string, string>[];
    const costs = rows.map((row) => row['BilledCost'] ?? '');
    expect(sum(costs)).toBe(figures.totalCost.amount);
    console.clock.set(now);
  });

  it('shows the nine largest values separately and all others as one', async () => {
    const one = await customer([charge('traffic', { model: 'per_unit', unitPrice: '1' })]);
    await send(
      one,
      Array.from({ length: 12 }, (_, index) => ({
        type: 'vm',
        hour: index,
        value: index + 1,
        data: { region: `r${index + 1}`, size: 's' },
      })),
    );
    const { series } = await console.ok(usage.daily, { ...range, serviceId: one.serviceId }, one);
    const cells = required(series[0]?.charges?.[0]?.cells, 'cells');
    expect(cells.map(({ dimensions }) => dimensions?.['region'] ?? null)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `r${12 - index}`),
      null,
    ]);
    expect(cells.map(({ quantities, costs }) => [sum(quantities ?? []), sum(costs ?? [])]).at(-1)).toEqual([
      '6',
      '6',
    ]);
    const explored = await console.ok(insights.explore, { ...range, groupBy: 'dimension:region' }, one);
    expect(new Set(explored.series.map(({ label, cost }) => `${label} ${cost}`))).toEqual(
      new Set(['other 6', ...Array.from({ length: 9 }, (_, index) => `r${12 - index} ${12 - index}`)]),
    );
    expect(await console.ok(insights.dimensions, range, one)).toMatchObject({
      dimensions: ['region', 'size'],
      hasCharges: true,
    });
  });

  it('finds the events of a value, whether they have it as text, number or boolean', async () => {
    const one = await customer([charge('traffic', { model: 'per_unit', unitPrice: '1' })]);
    const carried: readonly unknown[] = [
      '5',
      5,
      '5.0',
      0.5,
      '0.5',
      true,
      'true',
      false,
      1e21,
      1e-7,
      'say "5"',
    ];
    await send(
      one,
      carried.map((size, hour) => ({ type: 'vm', hour, value: 1, data: { region: 'tpe', size } })),
    );
    const { series } = await console.ok(insights.explore, { ...range, groupBy: 'dimension:size' }, one);
    const found = await Promise.all(
      series.map(async ({ key: name, cost }) => {
        const value = name.slice('value:'.length);
        const group = { dimension: 'size', value };
        const page = await console.ok(usage.events, { subscriptionId: one.id, ...range, ...group }, one);
        expect(page.total, value).toBe(page.items.length);
        // One unit of each event costs one.
        expect(String(page.total), value).toBe(cost);
        return `${String(JSON.parse(value))}: ${page.total}`;
      }),
    );
    expect(found.toSorted()).toEqual(
      ['5: 2', '5.0: 1', '0.5: 2', 'true: 2', 'false: 1', '1e+21: 1', '1e-7: 1', 'say "5": 1'].toSorted(),
    );
    // As a property of data, a text and a number are two values.
    const asText = { property: 'size', value: '"5"' };
    expect(
      await console.ok(usage.events, { subscriptionId: one.id, ...range, ...asText }, one),
    ).toMatchObject({
      total: 1,
    });
  });
});
