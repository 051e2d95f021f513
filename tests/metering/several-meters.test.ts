// Several meters on one subscription: an event counts for each meter that it matches, separately by dimension
// values, and bills price what the meters of their charges counted (R-USE-03, R-BILL-01).
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { moneyText } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayMs, hourMs, minuteMs } from '#kernel/durations.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { planning, type Rehearsal } from '#features/invoicing/planning/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { proven } from '../support/bill-proofs.ts';
import { runCli } from '../support/cli.ts';
import { isLong } from '../support/fault-rounds.ts';

// September 2024 in Taipei.
const month = '2024-09' as BillingMonth;
const start = Date.parse('2024-08-31T16:00:00Z');

let console: TestConsole;
let admin: string;
let key: string;
let made = 0;
const db = () => console.app.database.kysely;

const named = (enUS: string): Charge['name'] => ({ zhTW: enUS, enUS });
const charge = (of: string, price: object, meter = of): Charge =>
  ({ key: of, name: named(of), kind: 'usage', meter, ...price }) as Charge;
const measured: Record<string, Partial<Meter>> = {
  calls: { eventType: 'vm', aggregation: 'count' },
  traffic: { eventType: 'vm', aggregation: 'sum', dimensions: ['region', 'size'] },
  large: { eventType: 'vm', aggregation: 'max', filter: { size: ['l'] } },
  smallest: { eventType: 'vm', aggregation: 'min', dimensions: ['region'] },
  mean: { eventType: 'vm', aggregation: 'avg', dimensions: ['region'] },
  latest: { eventType: 'vm', aggregation: 'latest', dimensions: ['region'] },
  users: { eventType: 'vm', aggregation: 'unique_count', property: 'user', dimensions: ['region'] },
  bandwidth: {
    eventType: 'vm',
    aggregation: 'percentile',
    p: 95,
    sampleMinutes: 720,
    dimensions: ['region'],
  },
  disk: { eventType: 'disk', aggregation: 'time_weighted_average', dimensions: ['region'] },
  payments: { eventType: 'pay', aggregation: 'sum' },
};
const perUnit = { model: 'per_unit', unitPrice: '1' };
const card: readonly Charge[] = [
  charge('calls', perUnit),
  charge('traffic', {
    model: 'matrix',
    rates: [
      { when: { region: 'tpe', size: 'l' }, unitPrice: '3' },
      { when: { region: 'tpe' }, unitPrice: '2' },
      { when: { region: 'nrt' }, unitPrice: '5' },
    ],
    unmatched: 'reject',
  }),
  charge('large', perUnit),
  charge('smallest', perUnit),
  charge('mean', perUnit),
  charge('latest', perUnit),
  charge('users', perUnit),
  charge('bandwidth', perUnit),
  charge('disk', {
    model: 'matrix',
    rates: [
      { when: { region: 'tpe' }, unitPrice: '1' },
      { when: {}, unitPrice: '2' },
    ],
  }),
  charge('payments', { model: 'percentage', ratePercent: '1.5', fixedPerEvent: '0.3', freeEvents: 1 }),
];

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-01T01:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  // Prices apply from now on; the tests let theirs begin earlier.
  await sql`alter table price_version disable trigger user`.execute(db());
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: `${name}s`, eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
}, 120_000);

type Customer = {
  readonly id: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly email: string;
  readonly token: string;
  readonly serviceId: Id<'svc'>;
};
const fee: Charge = { key: 'fee', name: named('Fee'), kind: 'recurring', model: 'flat', amount: '10' };
/**
 * A customer of a service whose rate card has some charges; the price exists since 2024. A service that
 * begins with a fee has no meter of its own; one that begins with these charges has that of the first which
 * counts one quantity.
 */
async function customer(charges: readonly Charge[] = card, isOwn = false): Promise<Customer> {
  const mark = ++made;
  const email = `owner@s${mark}.example`;
  // The session expires while the clock advances.
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  const { organizationId, token } = await registerUser(console, email, `S${mark}`);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: `Machines ${mark}`,
      type: 'VM',
      category: 'Own',
      currency: 'TWD',
      charges: isOwn ? [...charges] : [fee],
    },
    { token: admin },
  );
  if (!isOwn) {
    console.clock.advance(1);
    await console.ok(catalogue.updateService, { serviceId, charges: [...charges] }, { token: admin });
  }
  await sql`delete from price_version where service_id = ${serviceId} and pricing -> 'charges' -> 0 ->> 'key' = 'fee'`.execute(
    db(),
  );
  await sql`update price_version set effective_from = '2024-01-01T00:00:00Z' where service_id = ${serviceId}`.execute(
    db(),
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date('2024-01-01T00:00:00Z') },
    { token: admin },
  );
  return { id, organizationId: organizationId as Id<'org'>, email, token, serviceId };
}
/** Adds usage charges to the price of a service. */
const setCharges = (serviceId: string, charges: readonly Charge[]) =>
  sql`update price_version set pricing = jsonb_set(pricing, '{charges}', ${JSON.stringify(charges)}::jsonb), effective_from = '2024-01-01T00:00:00Z' where service_id = ${serviceId} and pricing ->> 'model' = 'rate_card'`.execute(
    db(),
  );

type Wire = {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  readonly value: string;
  readonly data: Readonly<Record<string, unknown>>;
};
const eventOf = (subject: string, { id, type, at, value, data }: Wire) => ({
  specversion: '1.0',
  id,
  source: `s-${subject}`,
  type,
  subject,
  time: new Date(at).toISOString(),
  data: { value, ...data },
});
const send = (events: readonly object[], token = key) =>
  console.ok(
    usage.ingest,
    {},
    {
      token,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
const codes = async (events: readonly object[], token = key): Promise<string> => {
  const { accepted, duplicates, rejected } = await send(events, token);
  return [`${accepted}+${duplicates}`, ...rejected.map((each) => `${each.index} ${each.code}`)].join(', ');
};
const vm = (id: string, data: Wire['data'], value = '1', at = start + hourMs): Wire => ({
  id,
  type: 'vm',
  at,
  value,
  data,
});

/** The usage lines of a month as it would be billed: quantity and exact price by charge. */
async function linesOf({
  email,
}: Customer): Promise<Record<string, readonly [quantity: string, exact: string]>> {
  const token = await signIn(console, email);
  const { bills } = await console.ok(billing.currentBill, {}, { token });
  return Object.fromEntries(
    bills.flatMap(({ lines }) =>
      lines.flatMap((line) =>
        line.kind === 'usage' && line.charge ? [[line.charge.key, [line.quantity, line.exact] as const]] : [],
      ),
    ),
  );
}

describe('R-USE-03: an event and the meters of its subscription', () => {
  it('feeds each meter that it matches and is stored once', async () => {
    const one = await customer();
    expect(
      await codes([
        eventOf(one.id, vm('a', { region: 'tpe', size: 'l', user: 'x' }, '4')),
        eventOf(one.id, vm('b', { region: 'nrt', user: 'x' }, '2')),
        eventOf(one.id, { id: 'p', type: 'pay', at: start + hourMs, value: '100', data: {} }),
      ]),
    ).toBe('3+0');
    expect(await codes([eventOf(one.id, vm('a', { region: 'tpe', size: 'l', user: 'x' }, '4'))])).toBe('0+1');
    const { rows } = await sql<{
      meter: string;
      cell: string;
      count: bigint;
    }>`select meter, cell, event_count as count
      from usage_month where subscription_id = ${one.id} and meter in ('*', '', 'calls', 'traffic', 'large', 'payments') order by 1, 2`.execute(
      db(),
    );
    expect(rows.map(({ meter, cell, count }) => `${meter} ${cell} ${count}`)).toEqual([
      '*  3',
      'calls  2',
      'large  1',
      'payments  1',
      'traffic ["nrt",null] 1',
      'traffic ["tpe","l"] 1',
    ]);
    const events = await sql`select from usage_event where subscription_id = ${one.id}`.execute(db());
    expect(events.rows).toHaveLength(3);
    // The list of events counts each once, too.
    const listed = await console.ok(usage.events, { subscriptionId: one.id }, one);
    expect([listed.total, listed.items.length]).toEqual([3, 3]);
  });

  it('is rejected when no meter accepts its type or values, or no price matches', async () => {
    const one = await customer(card.filter(({ key: of }) => ['traffic', 'large', 'disk'].includes(of)));
    const only = await customer([charge('large', perUnit)]);
    const tpe = { region: 'tpe' };
    expect(
      await codes([
        eventOf(one.id, { ...vm('1', tpe), type: 'vmx' }),
        eventOf(one.id, vm('2', { region: 'x'.repeat(101) })),
        eventOf(one.id, vm('3', { region: ['tpe'] })),
        eventOf(one.id, vm('4', { region: 'lax' })),
        eventOf(one.id, vm('5', {})),
        eventOf(only.id, vm('6', { size: 's' })),
        eventOf(one.id, vm('7', tpe, '-1')),
        eventOf(one.id, vm('8', tpe)),
        eventOf(one.id, vm('8', { region: 'nrt' })),
        eventOf(one.id, { ...vm('8', tpe), type: 'disk' }),
      ]),
    ).toBe(
      '2+0, 0 usage.event_type_unknown, 1 usage.dimension_value, 2 usage.dimension_value, 3 usage.no_rate, 4 usage.no_rate, 5 usage.filter_not_met, 8 usage.conflict, 9 usage.conflict',
    );
    const { rejected } = await send([eventOf(one.id, vm('4b', { region: 'lax' }))]);
    expect(rejected[0]?.message).toMatch(/traffic.*region: lax, size: –/);
  });

  it('is still the same event when its price has ended, and its type is part of its identity', async () => {
    const one = await customer();
    const event = eventOf(one.id, vm('same', { region: 'tpe' }));
    expect(await codes([event])).toBe('1+0');
    await setCharges(one.serviceId, [
      charge('traffic', {
        model: 'matrix',
        rates: [{ when: { region: 'nrt' }, unitPrice: '5' }],
        unmatched: 'reject',
      }),
      charge('disk', perUnit),
    ]);
    // A change made by this console clears what it has cached of the previous test.
    await customer([charge('calls', perUnit)]);
    expect(await codes([event, eventOf(one.id, vm('new', { region: 'tpe' }))])).toBe('0+1, 1 usage.no_rate');
    expect(await codes([eventOf(one.id, { ...vm('same', { region: 'tpe' }), type: 'disk' })])).toBe(
      '0+0, 0 usage.conflict',
    );
  });

  it('adds at most 1,000 combinations of values to a month of a meter; others still count', async () => {
    const one = await customer([charge('mean', perUnit)]);
    const values = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) =>
        eventOf(one.id, vm(`v${from + index}`, { region: `r${from + index}` })),
      );
    expect(await codes(values(0, 600))).toBe('600+0');
    expect(await codes(values(600, 1002))).toBe(
      '400+0, 400 usage.too_many_values, 401 usage.too_many_values',
    );
    expect(
      await codes([
        eventOf(one.id, vm('again', { region: 'r7' })),
        eventOf(one.id, vm('more', { region: 'r2000' })),
      ]),
    ).toBe('1+0, 1 usage.too_many_values');
    // A repeat of a counted event is a repeat; another month has room.
    expect(
      await codes([
        eventOf(one.id, vm('v3', { region: 'r3' })),
        eventOf(one.id, vm('aug', { region: 'new' }, '1', start - dayMs)),
      ]),
    ).toBe('1+1');
  });

  it('of an organization’s own key can only add', async () => {
    const one = await customer([charge('calls', perUnit), charge('disk', perUnit)]);
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: 'own', organizationId: one.organizationId },
      { token: admin },
    );
    expect(
      await codes(
        [
          eventOf(one.id, vm('1', {})),
          eventOf(one.id, { ...vm('2', {}), type: 'disk' }),
          eventOf(one.id, vm('3', {}, '-1')),
          eventOf(one.id, { ...vm('4', { id: '1' }), type: 'vm.void' }),
        ],
        secret,
      ),
    ).toBe('1+0, 1 usage.only_adds, 2 usage.only_adds, 3 usage.only_adds');
  });
});

describe('R-BILL-01: bills price what meters counted', () => {
  const wires: fc.Arbitrary<(Wire & { readonly isVoid: boolean })[]> = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 10_000 }).map(String),
      type: fc.constantFrom('vm', 'vm', 'vm', 'disk', 'pay'),
      at: fc.integer({ min: 0, max: 30 * 24 * 60 - 1 }).map((minutes) => start + minutes * minuteMs),
      value: fc
        .integer({ min: 0, max: 1000 })
        .map((units) => decimalText(decimal(BigInt(units)).times('0.5'))),
      data: fc.record({
        region: fc.constantFrom('tpe', 'nrt'),
        size: fc.constantFrom('s', 'l'),
        user: fc.constantFrom('a', 'b', 'c'),
      }),
      isVoid: fc.boolean(),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 25 },
  );

  /** The average of a level over the month: each report holds until the next one. */
  const averageLevel = (reports: readonly Wire[]) =>
    sumDecimals(
      reports.map(({ value, at }, place) =>
        decimal(value).times(decimal(BigInt((reports[place + 1]?.at ?? start + 30 * dayMs) - at))),
      ),
    )
      .div(String(30 * dayMs))
      .round(12, 1);

  /** The quantity of each charge, computed only from the list of events. */
  function byHand(events: readonly Wire[]): Record<string, string> {
    const sorted = events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const vms = sorted.filter(({ type }) => type === 'vm');
    const values = vms.map(({ value }) => decimal(value));
    const ascending = values.toSorted((a, b) => a.cmp(b));
    const large = vms.filter(({ data }) => data['size'] === 'l').map(({ value }) => decimal(value));
    const samples = [...Map.groupBy(vms, ({ at }) => Math.floor((at - start) / (12 * hourMs))).values()]
      .map((slot) => sumDecimals(slot.map(({ value }) => decimal(value))))
      .toSorted((a, b) => b.cmp(a));
    const disks = sorted.filter(({ type }) => type === 'disk');
    const text = (value: { toFixed: () => string } | undefined) => value?.toFixed() ?? '0';
    return {
      calls: String(vms.length),
      traffic: text(sumDecimals(values)),
      large: text(large.toSorted((a, b) => b.cmp(a))[0]),
      smallest: text(ascending[0]),
      mean: values.length === 0 ? '0' : text(sumDecimals(values).div(String(values.length)).round(12, 1)),
      latest: text(values.at(-1)),
      users: String(new Set(vms.map(({ data }) => data['user'])).size),
      // 60 samples of half a day: the 3 highest are dropped.
      bandwidth: text(samples[3]),
      disk: text(averageLevel(disks)),
      payments: text(
        sumDecimals(sorted.filter(({ type }) => type === 'pay').map(({ value }) => decimal(value))),
      ),
    };
  }

  it('in any order and batches, with repeats and corrections', async () => {
    await fc.assert(
      fc.asyncProperty(
        wires.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray([...list, ...list.slice(0, 5)], {
              minLength: list.length + Math.min(5, list.length),
            }),
            fc.integer({ min: 1, max: 30 }),
            fc.boolean(),
          ),
        ),
        async ([list, order, size, isOwn]) => {
          console.clock.set(new Date('2024-09-30T15:59:00Z'));
          const one = await customer(card, isOwn);
          for (const some of chunksOf(order, size)) await send(some.map((wire) => eventOf(one.id, wire)));
          const voids = list.filter(({ isVoid }) => isVoid);
          if (voids.length > 0)
            expect(
              await codes(
                voids.map(({ id, type }) =>
                  eventOf(one.id, {
                    id: `void-${id}`,
                    type: `${type}.void`,
                    at: start + 30 * dayMs - hourMs,
                    value: '1',
                    data: { id },
                  }),
                ),
              ),
            ).toBe(`${voids.length}+0`);
          const left = list.filter(({ isVoid }) => !isVoid);
          console.clock.set(new Date('2024-09-30T15:59:59.999Z'));
          const lines = await linesOf(one);
          const expected = byHand(left);
          for (const { key: of } of card) {
            if (of === 'disk') continue;
            expect([of, lines[of]?.[0] ?? '0']).toEqual([of, expected[of]]);
          }
          // One millisecond of the month remains.
          const isNear = (found: string | undefined, wanted: Decimal) =>
            expect(
              decimal(found ?? '0')
                .minus(wanted)
                .abs()
                .lte(decimal('0.00001')),
            ).toBe(true);
          const disks = left
            .filter(({ type }) => type === 'disk')
            .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
          const levelIn = (region: string) =>
            averageLevel(disks.filter(({ data }) => data['region'] === region));
          isNear(lines['disk']?.[0], decimal(expected['disk'] ?? '0'));
          isNear(lines['disk']?.[1], levelIn('tpe').plus(levelIn('nrt').times('2')));
          const rate = ({ data }: Wire): string =>
            data['region'] === 'nrt' ? '5' : data['size'] === 'l' ? '3' : '2';
          const ofTraffic = sumDecimals(
            left.flatMap((wire) => (wire.type === 'vm' ? [decimal(wire.value).times(rate(wire))] : [])),
          );
          expect(decimal(lines['traffic']?.[1] ?? '0').eq(ofTraffic)).toBe(true);
          const paid = left
            .filter(({ type }) => type === 'pay')
            .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
            .slice(1);
          const ofPayments = paid.reduce(
            (sum, { value }) => sum.plus(decimal(value).times('0.015')).plus('0.3'),
            zero,
          );
          expect(decimal(lines['payments']?.[1] ?? '0').eq(ofPayments)).toBe(true);
          await expectRollupsToAddUp(one.id);
        },
      ),
      { numRuns: isLong ? 12 : 6 },
    );
  }, 300_000);

  /** Days and months equal the sum of their hours, for every stream; the totals equal the events. */
  async function expectRollupsToAddUp(id: string): Promise<void> {
    const { rows } = await sql<{
      what: string;
    }>`with hours as (select * from usage_hour where subscription_id = ${id}),
      live as (select e.* from usage_event e where e.subscription_id = ${id} and voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id)),
      of as (select meter, cell, date_trunc('month', hour, 'Asia/Taipei') as at, sum(event_count) as n, sum(sum) as sum, coalesce(max(max) filter (where event_count > 0), 0) as max, coalesce(min(min) filter (where event_count > 0), 0) as min from hours group by 1, 2, 3)
      select 'month' as what from of full join usage_month m on m.subscription_id = ${id} and m.meter = of.meter and m.cell = of.cell and (m.month || '-01')::timestamp at time zone 'Asia/Taipei' = of.at
        where (m.subscription_id = ${id} or m.subscription_id is null) and (m.event_count, m.sum, m.max, m.min) is distinct from (of.n, of.sum, of.max, of.min)
      union all select 'day' from usage_day d where subscription_id = ${id} and row(event_count, sum) is distinct from (select row(sum(h.event_count)::bigint, sum(h.sum)) from hours h where h.meter = d.meter and h.cell = d.cell and (h.hour at time zone 'Asia/Taipei')::date = d.day)
      union all select 'hour' from (select hour, event_count, sum, meter from hours where meter in ('', '*') and event_count > 0 except select date_trunc('hour', time, 'Asia/Taipei'), count(*), sum(value), case when type is null then '' else '*' end from live group by 1, 4) as x
      union all select 'lost hour' from (select date_trunc('hour', time, 'Asia/Taipei'), count(*), sum(value), case when type is null then '' else '*' end from live group by 1, 4 except select hour, event_count, sum, meter from hours) as y
      union all select 'values' from usage_month m where subscription_id = ${id} and distinct_count <> (select count(*) from usage_distinct d where (d.subscription_id, d.meter, d.cell, d.month) = (m.subscription_id, m.meter, m.cell, m.month))`.execute(
      db(),
    );
    expect(rows).toEqual([]);
  }

  it('in parts when the price changes within the month', async () => {
    console.clock.set(new Date('2024-09-20T00:00:00Z'));
    const charges = [
      charge('traffic', { model: 'matrix', rates: [{ when: {}, unitPrice: '1' }] }),
      charge('users', perUnit),
      charge('bandwidth', perUnit),
      charge('disk', perUnit),
      charge('payments', { model: 'percentage', ratePercent: '10' }),
    ];
    const one = await customer(charges);
    // From 11 September everything costs ten times as much.
    const dearer = JSON.parse(
      JSON.stringify(charges)
        .replaceAll('"unitPrice":"1"', '"unitPrice":"10"')
        .replaceAll('"ratePercent":"10"', '"ratePercent":"100"'),
    ) as readonly Charge[];
    await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at)
      select id || 'x', service_id, '2024-09-10T16:00:00Z', currency, jsonb_set(pricing, '{charges}', ${JSON.stringify(dearer)}::jsonb), created_at from price_version where service_id = ${one.serviceId}`.execute(
      db(),
    );
    const at = (day: number) => start + (day - 1) * dayMs + hourMs;
    const of = (id: string, type: string, day: number, value: string, region: string, user = 'a') =>
      eventOf(one.id, { id, type, at: at(day), value, data: { region, user } });
    expect(
      await codes([
        of('1', 'vm', 5, '100', 'tpe', 'a'),
        of('2', 'vm', 10, '20', 'nrt', 'b'),
        of('3', 'vm', 11, '7', 'tpe', 'a'),
        of('4', 'vm', 12, '3', 'nrt', 'a'),
        of('5', 'disk', 1, '72', 'tpe'),
        of('6', 'pay', 10, '50', 'tpe'),
        of('7', 'pay', 11, '6', 'tpe'),
      ]),
    ).toBe('7+0');
    console.clock.set(new Date('2024-10-02T00:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    await console.ok(billing.closeMonth, { month }, { token: admin });
    const token = await signIn(console, one.email);
    const { items } = await console.ok(billing.listBills, { month }, { token });
    const bill = await console.ok(billing.getBill, { billId: items[0]!.id }, { token });
    const lines = bill.lines.map((line) => [line.charge?.key, line.quantity, line.exact]);
    // The disk was reported an hour after the month began: 72 × 239 of 720 hours, then 72 × 480.
    expect(lines).toEqual([
      ['traffic', '120', '120'],
      ['users', '2', '2'],
      // 20 samples of half a day: the highest is dropped, another one has 20.
      ['bandwidth', '20', '20'],
      ['disk', '23.9', '23.9'],
      ['payments', '50', '5'],
      ['traffic', '10', '100'],
      ['users', '1', '10'],
      // 40 samples: the two highest are dropped, and nothing is left.
      ['bandwidth', '0', '0'],
      ['disk', '48', '480'],
      ['payments', '6', '6'],
    ]);
    // The proof of the bill recomputes the same from the events; levels, which also depend on earlier
    // reports, only from the price.
    const { differing, left } = await proven(console, bill.id, token);
    expect(differing).toEqual([]);
    expect(left.map((text) => text.split(' ').slice(1, 2))).toEqual([['usage'], ['usage']]);
    // Each line is explained by the days of its own meter and price.
    const daysOf = async (key: string) => {
      const line = bill.lines.find(({ charge: named }) => named?.key === key);
      const { days } = await console.ok(
        billing.explainLine,
        { billId: bill.id, lineId: line!.id },
        { token },
      );
      return days.map(({ day, quantity, events }) => `${day} ${quantity} (${events})`);
    };
    expect(await daysOf('traffic')).toEqual(['2024-09-05 100 (1)', '2024-09-10 20 (1)']);
    expect(await daysOf('payments')).toEqual(['2024-09-10 50 (1)']);
    // Late usage is settled by the next bill, as the difference that it makes to its month.
    expect(await codes([of('late', 'vm', 6, '5', 'nrt', 'c')])).toBe('1+0');
    const { rows } = await sql`select month from late_usage where subscription_id = ${one.id}`.execute(db());
    expect(rows).toEqual([{ month }]);
    // The independent checker finds events, hours, days, months and bills consistent.
    const { code, out } = await runCli(console, 'verify');
    expect(code, out).toBe(0);
  });

  it('a simulated price shows what its new meters would have counted (R-CAT-01)', async () => {
    console.clock.set(new Date('2024-09-30T15:59:00Z'));
    // All that count `vm`, except levels, which also depend on earlier reports.
    const charges = card.filter(({ key: of }) => of !== 'disk' && of !== 'payments');
    const counted = await customer(charges);
    const tried = await customer([charge('calls', perUnit)], true);
    const wires = fc
      .sample(fc.tuple(fc.integer({ min: 0, max: 30 * 24 * 4 - 1 }), fc.integer({ min: 0, max: 50 })), 80)
      .map(([quarter, value], index): Wire =>
        vm(
          `t${index}`,
          {
            region: index % 3 === 0 ? 'nrt' : 'tpe',
            size: index % 2 === 0 ? 'l' : 's',
            user: `u${index % 7}`,
          },
          `${value}`,
          start + (quarter * hourMs) / 4,
        ),
      );
    for (const { id } of [counted, tried]) {
      expect(await codes(wires.map((wire) => eventOf(id, wire)))).toBe('80+0');
      const taken = { ...vm('taken', { id: 't3' }), type: 'vm.void', at: start + 30 * dayMs - hourMs };
      expect(await codes([eventOf(id, taken)])).toBe('1+0');
    }
    console.clock.set(new Date('2024-10-02T00:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    const pricing: Pricing = { model: 'rate_card', currency: 'TWD', charges: [...charges] };
    const rehearse = ({ serviceId }: Customer) =>
      console.ok(planning.simulate, { serviceId, pricing, from: month, to: month }, { token: admin });
    const [known, worked] = [await rehearse(counted), await rehearse(tried)];
    const sums = ({ affected }: Rehearsal) =>
      affected.map(({ before, after }) => [before, after].map(moneyText));
    const [[before = '', after = ''] = []] = sums(known);
    expect(Number(before)).toBeGreaterThan(0);
    expect(after).toBe(before);
    expect(sums(worked).map(([, then]) => then)).toEqual([after]);
    expect(worked.warnings.map(({ code }) => code)).toEqual(['late_usage']);
    // The response says that a level is left out.
    const disk = card.filter(({ key: of }) => of === 'disk');
    const levels = await console.ok(
      planning.simulate,
      { serviceId: tried.serviceId, pricing: { ...pricing, charges: [...disk] }, from: month, to: month },
      { token: admin },
    );
    expect(levels.warnings.map(({ code }) => code)).toContain('levels_unknown');
    // A meter that does not exist is rejected at its field.
    const unknown = { ...pricing, charges: [charge('calls', perUnit, 'nowhere')] };
    const refusal = await console.call(
      planning.simulate,
      { serviceId: tried.serviceId, pricing: unknown, from: month, to: month },
      { token: admin },
    );
    expect(refusal.envelope.errors?.map(({ field }) => field)).toEqual(['charges.0.meter']);
  });

  it('screens of one quantity show its cost, and no quantity if the service has none', async () => {
    console.clock.set(new Date('2024-10-20T00:00:00Z'));
    const one = await customer();
    const now = Date.parse('2024-10-05T00:00:00Z');
    expect(await codes([eventOf(one.id, vm('a', { region: 'tpe', size: 'l', user: 'x' }, '4', now))])).toBe(
      '1+0',
    );
    const token = await signIn(console, one.email);
    const figures = await console.ok(usage.statistics, {}, { token });
    const lines = await linesOf(one);
    const cost = decimalText(sumDecimals(Object.values(lines).map(([, exact]) => decimal(exact))));
    expect([figures.events, figures.totalCost.amount]).toEqual([1, cost]);
    expect(figures.services.map(({ quantity, cost: { amount } }) => [quantity, amount])).toEqual([
      ['0', cost],
    ]);
    expect(figures.sixMonths.at(-1)).toMatchObject({ events: 1 });
    expect((await console.ok(usage.usageMonths, {}, { token })).months).toEqual(['2024-10']);
    // The service has no quantity of its own on any day; its charges have theirs.
    const { series } = await console.ok(usage.daily, { from: '2024-10-01', to: '2024-10-20' } as never, {
      token,
    });
    expect(series.map(({ quantities }) => new Set(quantities))).toEqual([new Set(['0'])]);
    // The service has a limit of one, but no quantity that could reach it.
    expect((await console.ok(quotas.listQuotas, {}, { token })).items).toEqual([]);
    expect(await console.ok(quotas.entitlement, { subscriptionId: one.id }, { token: key })).toMatchObject({
      allowed: true,
      limit: null,
    });
  });
});
