// Explored usage: exact figures by day and hour, with groups that add up, compared, forecast, flagged and
// exported.
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { catalogue, type Meter, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insights, type Explored } from '#features/metering/insights/contract.ts';
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

let console: TestConsole;
let admin: string;
let token: string;
let key: string;
let organizationId: Id<'org'>;
let count = 0;
const day = (text: string): LocalDay => text as LocalDay;
const sum = (texts: readonly (string | null)[]): string =>
  decimalText(sumDecimals(texts.map((text) => decimal(text ?? '0'))));

async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, 'owner@one.example');
}
type Made = { readonly service: Id<'svc'>; readonly subscription: Id<'sub'> };
async function make(
  name: string,
  pricing: Pricing,
  meter: Omit<Meter, 'eventType'>,
  tags: string[] = [],
  to = organizationId,
): Promise<Made> {
  const service = await console.ok(
    catalogue.createService,
    { name, type: 'Compute', category: 'Own', pricing, tags, meter: { ...meter, eventType: 'use' } },
    { token: admin },
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: to, serviceId: service.id, startedAt: new Date('2024-01-01T00:00:00Z') },
    { token: admin },
  );
  return { service: service.id, subscription: id };
}
type Report = { readonly of: Made; readonly at: string; readonly value: string; readonly data?: object };
const send = (reports: readonly Report[], secret = key) =>
  console.ok(
    usage.ingest,
    {},
    {
      token: secret,
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify(
        reports.map(({ of, at, value, data }) => ({
          specversion: '1.0',
          id: `e${++count}`,
          source: 'test',
          type: 'use',
          subject: of.subscription,
          time: new Date(at).toISOString(),
          data: { ...data, value },
        })),
      ),
    },
  );
const explore = (from: string, to: string, more: object = {}, who = token) =>
  console.ok(insights.explore, { from: day(from), to: day(to), ...more }, { token: who });
const series = (explored: Explored, key: string) => explored.series.find((each) => each.key === key);

let calls: Made;
let store: Made;
let peak: Made;
let disks: Made;

/**
 * September 2024 in Taipei: requests at NT$2, storage at 1 up to ten and 0.5 beyond, the month's maximum of
 * seats at 100, disks at 3.
 */
beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-20T04:00:00Z'));
  admin = await setUp(console);
  const person = await registerUser(console, 'owner@one.example', 'One');
  organizationId = person.organizationId as Id<'org'>;
  token = person.token;
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const per = (unitPrice: string): Pricing => ({ model: 'per_unit', currency: 'TWD', unitPrice });
  calls = await make('Calls', per('2'), { aggregation: 'sum', unit: 'requests' }, ['gpu', 'compute']);
  store = await make(
    'Store',
    {
      model: 'graduated',
      currency: 'TWD',
      baseFee: '50',
      tiers: [
        { upTo: '10', unitPrice: '1' },
        { upTo: null, unitPrice: '0.5' },
      ],
    },
    { aggregation: 'sum', unit: 'GB' },
    ['compute'],
  );
  peak = await make('Seats', per('100'), { aggregation: 'max', unit: 'seats' });
  disks = await make('Disks', per('3'), { aggregation: 'time_weighted_average', unit: 'TB' });
  await send([
    { of: calls, at: '2024-09-10T01:30:00+08:00', value: '3' },
    { of: calls, at: '2024-09-10T01:40:00+08:00', value: '4' },
    { of: calls, at: '2024-09-10T23:59:59+08:00', value: '1' },
    { of: calls, at: '2024-09-08T10:00:00+08:00', value: '5' },
    { of: store, at: '2024-09-09T10:00:00+08:00', value: '8' },
    { of: store, at: '2024-09-10T03:00:00+08:00', value: '1.5' },
    { of: store, at: '2024-09-10T04:00:00+08:00', value: '3' },
    { of: peak, at: '2024-09-09T10:00:00+08:00', value: '2' },
    { of: peak, at: '2024-09-10T10:00:00+08:00', value: '1' },
    { of: peak, at: '2024-09-10T12:00:00+08:00', value: '5' },
    { of: disks, at: '2024-09-10T00:00:00+08:00', value: '7' },
    { of: disks, at: '2024-09-10T10:17:31+08:00', value: '2' },
  ]);
});

describe('exploring usage', () => {
  it('R-USE-01: gives hand-computed figures of a day by service', async () => {
    const explored = await explore('2024-09-10', '2024-09-10');
    expect(series(explored, calls.service)).toMatchObject({
      label: 'Calls',
      unit: 'requests',
      quantities: ['8'],
      costs: ['16'],
      cost: '16',
      previousCost: null,
      subscriptionIds: [calls.subscription],
    });
    // 8, then 9.5 and 12.5: one and a half at 1, then half at 1 and two and a half at 0.5.
    expect(series(explored, store.service)).toMatchObject({ quantities: ['4.5'], costs: ['3.25'] });
    expect(series(explored, peak.service)).toMatchObject({ quantities: ['5'], costs: ['300'] });
    expect(explored.totals).toEqual([
      {
        currency: 'TWD',
        costs: [sum(explored.series.map((each) => each.cost))],
        cost: sum(explored.series.map((each) => each.cost)),
        previousCosts: null,
        previousCost: null,
      },
    ]);
  });

  it('gives hours that add up to their day to the last digit, for every kind of meter', async () => {
    const [byDay, byHour] = [
      await explore('2024-09-09', '2024-09-11'),
      await explore('2024-09-09', '2024-09-11', { grain: 'hour' }),
    ];
    expect(byHour.places.map((place) => place.day).filter((each) => each === '2024-09-10')).toHaveLength(24);
    expect(series(byHour, calls.service)?.costs?.slice(24, 27)).toEqual(['0', '14', '0']);
    expect(series(byHour, store.service)?.costs?.slice(24, 30)).toEqual(['0', '0', '0', '1.5', '1.75', '0']);
    expect(series(byHour, peak.service)?.quantities?.slice(34, 37)).toEqual(['1', '0', '5']);
    for (const one of byDay.series) {
      const hours = series(byHour, one.key);
      const perDay = [0, 24, 48].map((start) => sum(hours?.costs?.slice(start, start + 24) ?? []));
      expect(perDay, one.label).toEqual(one.costs);
      if (one.key === disks.service)
        expect([0, 24, 48].map((start) => sum(hours?.quantities?.slice(start, start + 24) ?? []))).toEqual(
          one.quantities,
        );
    }
  });

  it('R-USE-01: gives the days of a month as in its statistics, without fees', async () => {
    const [explored, figures] = [
      await explore('2024-09-01', '2024-09-30'),
      await console.ok(usage.statistics, { month: '2024-09' as BillingMonth }, { token }),
    ];
    expect(sum([explored.totals[0]?.cost ?? null, '50'])).toBe(figures.totalCost.amount);
    expect(series(explored, peak.service)).toMatchObject({ quantity: '5', cost: '500' });
  });

  it('shows services with several tags under their combination, and everything adds up', async () => {
    const explored = await explore('2024-09-01', '2024-09-20', { groupBy: 'tag' });
    expect(explored.series.map((each) => [each.label, each.special, each.unit, each.cost])).toEqual([
      [
        'untagged',
        'untagged',
        null,
        sum([series(await explore('2024-09-01', '2024-09-20'), disks.service)?.cost ?? null, '500']),
      ],
      ['compute · gpu', null, 'requests', '26'],
      ['compute', null, 'GB', '11.25'],
    ]);
    expect(sum(explored.series.map((each) => each.cost))).toBe(explored.totals[0]?.cost);
  });

  it('compares with the same number of days before, and shows the largest changes', async () => {
    const explored = await explore('2024-09-10', '2024-09-11', { compare: true });
    expect(explored.previous).toEqual({ from: '2024-09-08', to: '2024-09-09' });
    expect(explored.totals[0]?.previousCosts).toEqual(['10', '208']);
    expect(series(explored, store.service)).toMatchObject({
      cost: '3.25',
      previousCost: '8',
      previousQuantity: '8',
    });
    const moved = explored.movers.map((each) => [each.label, each.before, each.after, each.change]);
    expect(moved[0]).toEqual(['Seats', '200', '300', '100']);
    expect(moved).toContainEqual(['Store', '8', '3.25', '-4.75']);
  });

  it('counts distinct values where they were first seen, so that days and hours add up to the month', async () => {
    const people = await make(
      'People',
      { model: 'per_unit', currency: 'TWD', unitPrice: '7' },
      { aggregation: 'unique_count', property: 'user', unit: 'people' },
    );
    const visits = [
      ['2024-07-01T01:00:00Z', 'a'],
      ['2024-07-01T02:00:00Z', 'b'],
      ['2024-07-02T01:00:00Z', 'a'],
      ['2024-07-02T02:00:00Z', 'c'],
    ] as const;
    await send(visits.map(([at, user]) => ({ of: people, at, value: '1', data: { user } })));
    const read = async (grain: 'day' | 'hour') =>
      series(await explore('2024-07-01', '2024-07-02', { grain, serviceId: people.service }), people.service);
    expect(await read('day')).toMatchObject({
      quantities: ['2', '1'],
      costs: ['14', '7'],
      quantity: '3',
      cost: '21',
    });
    expect((await read('hour'))?.costs?.filter((cost) => cost !== '0')).toEqual(['7', '7', '7']);
  });

  it('shows the last value of a day for a meter of latest values, in whatever order they arrived', async () => {
    const latest = await make(
      'Latest',
      { model: 'per_unit', currency: 'TWD', unitPrice: '10' },
      { aggregation: 'latest', unit: 'hosts' },
    );
    await send([
      { of: latest, at: '2024-07-01T04:00:00Z', value: '2' },
      { of: latest, at: '2024-07-02T01:00:00Z', value: '3' },
      { of: latest, at: '2024-07-01T02:00:00Z', value: '5' },
    ]);
    expect(
      series(await explore('2024-07-01', '2024-07-02', { serviceId: latest.service }), latest.service),
    ).toMatchObject({ quantities: ['2', '3'], costs: ['20', '10'], quantity: '3', cost: '30' });
  });

  it('can be limited to one service', async () => {
    const explored = await explore('2024-09-01', '2024-09-20', { serviceId: store.service });
    expect([
      explored.series.map((each) => each.label),
      explored.totals[0]?.cost,
      explored.series[0]?.subscriptionIds,
    ]).toEqual([['Store'], '11.25', [store.subscription]]);
  });

  it.each([
    ['2024-09-02', '2024-09-01', 'day', 'usage.start_after_end', 'Start date must not be after end date.'],
    ['2024-06-01', '2024-09-02', 'day', 'usage.range_too_long', 'The period must not exceed 3 months.'],
    [
      '2024-09-01',
      '2024-09-15',
      'hour',
      'insights.hours_too_long',
      'By hour, a range can have at most 14 days.',
    ],
  ] as const)('R-USE-05: rejects %s to %s by %s: %s', async (from, to, grain, code, message) => {
    const { status, envelope } = await console.call(
      insights.explore,
      { from: day(from), to: day(to), grain },
      { token },
    );
    expect([status, envelope.code, envelope.message]).toEqual([422, code, message]);
  });

  it('shows nothing, and no error, to an organization without usage', async () => {
    const other = await registerUser(console, 'owner@two.example', 'Two');
    expect(
      await explore('2024-09-01', '2024-09-20', { compare: true, groupBy: 'tag' }, other.token),
    ).toMatchObject({ series: [], movers: [], totals: [{ cost: '0' }] });
  });
});

describe('grouping by event data', () => {
  let zoned: Made;
  let seats: Made;
  let own: { key: { id: Id<'key'> }; secret: string };
  const on = '2024-07-02';
  const of = (groupBy: string, made: Made, more: object = {}) =>
    explore(on, on, { groupBy, serviceId: made.service, ...more });
  const lines = (explored: Explored): unknown[] =>
    explored.series.map((each) => [each.label, each.special, each.quantity, each.cost]);
  const eventsOf = async (made: Made, more: object) => {
    const { items, total } = await console.ok(
      usage.events,
      { subscriptionId: made.subscription, from: day(on), to: day(on), ...more },
      { token },
    );
    return [total, items.map((item) => item.value)];
  };

  beforeAll(async () => {
    own = await console.ok(
      identity.createOrganizationKey,
      { name: 'our gateway', scope: 'metering' },
      { token },
    );
    zoned = await make(
      'Zoned',
      { model: 'per_unit', currency: 'TWD', unitPrice: '3' },
      { aggregation: 'sum', unit: 'units' },
    );
    seats = await make(
      'Zoned seats',
      { model: 'per_unit', currency: 'TWD', unitPrice: '9' },
      { aggregation: 'max', unit: 'seats' },
    );
    await send([
      { of: zoned, at: `${on}T01:00:00Z`, value: '1', data: { zone: 'tpe', size: 3 } },
      { of: zoned, at: `${on}T01:30:00Z`, value: '2', data: { zone: 'tpe' } },
      { of: zoned, at: `${on}T02:00:00Z`, value: '4', data: { zone: 'none' } },
      { of: zoned, at: `${on}T03:00:00Z`, value: '8' },
      { of: seats, at: `${on}T01:00:00Z`, value: '7', data: { zone: 'tpe' } },
    ]);
    await send([{ of: zoned, at: `${on}T04:00:00Z`, value: '16', data: { zone: 'khh' } }], own.secret);
  });

  it('by a property distributes costs by quantity, with a group for events without it, and adds up', async () => {
    const explored = await of('property:zone', zoned);
    expect(lines(explored)).toEqual([
      ['khh', null, '16', '48'],
      ['none', 'none', '8', '24'],
      ['none', null, '4', '12'],
      ['tpe', null, '3', '9'],
    ]);
    expect(sum(explored.series.map((each) => each.cost))).toBe(explored.totals[0]?.cost);
    expect(
      series(await of('property:zone', zoned, { grain: 'hour' }), 'value:"tpe"')?.costs?.slice(8, 11),
    ).toEqual(['0', '9', '0']);
    expect(lines(await of('property:nothing', zoned))).toEqual([['none', 'none', '31', '93']]);
  });

  it('of a meter that does not add up shows quantities; its costs are not split', async () => {
    expect(lines(await of('property:zone', seats))).toEqual([
      ['unshared', 'unshared', null, '63'],
      ['tpe', null, '7', null],
    ]);
  });

  it('by API key and by its creator hides the names of the platform’s employees', async () => {
    expect(lines(await of('apiKey', zoned))).toEqual([
      ['our gateway', null, '16', '48'],
      ['platform', 'platform', '15', '45'],
    ]);
    expect(lines(await of('member', zoned))).toEqual([
      ['owner', null, '16', '48'],
      ['platform', 'platform', '15', '45'],
    ]);
  });

  it('offers the properties of a range', async () => {
    const dimensionsOf = (more: object) =>
      console.ok(insights.dimensions, { from: day(on), to: day(on), ...more }, { token });
    expect((await dimensionsOf({ serviceId: zoned.service })).properties).toEqual([
      { name: 'zone', events: 4 },
      { name: 'size', events: 1 },
    ]);
    expect((await dimensionsOf({ from: day('2024-07-03'), to: day('2024-07-03') })).properties).toEqual([]);
  });

  it('leads to exactly the events of a figure, with their number', async () => {
    expect(await eventsOf(zoned, {})).toEqual([5, ['16', '8', '4', '2', '1']]);
    expect(
      await eventsOf(zoned, { start: new Date(`${on}T01:00:00Z`), end: new Date(`${on}T02:00:00Z`) }),
    ).toEqual([2, ['2', '1']]);
    expect(await eventsOf(zoned, { property: 'zone', value: '"tpe"' })).toEqual([2, ['2', '1']]);
    expect(await eventsOf(zoned, { property: 'zone', value: '"none"' })).toEqual([1, ['4']]);
    expect(await eventsOf(zoned, { property: 'zone', value: 'none' })).toEqual([1, ['8']]);
    expect(await eventsOf(zoned, { property: 'zone', value: 'other' })).toEqual([0, []]);
    expect(await eventsOf(zoned, { apiKeyId: own.key.id })).toEqual([1, ['16']]);
    expect(await eventsOf(zoned, { apiKeyId: 'none' })).toEqual([0, []]);
    const member = (await of('member', zoned)).series[0]?.key;
    expect(await eventsOf(zoned, { memberId: member })).toEqual([1, ['16']]);
    expect(await eventsOf(zoned, { apiKeyId: 'platform' })).toEqual([4, ['8', '4', '2', '1']]);
    const paged = await console.ok(
      usage.events,
      {
        subscriptionId: zoned.subscription,
        from: day(on),
        to: day(on),
        property: 'zone',
        value: '"tpe"',
        limit: 1,
      },
      { token },
    );
    expect([paged.total, paged.items.length, paged.nextCursor === null]).toEqual([2, 1, false]);
  });
});

describe('daylight saving time', () => {
  it.each([
    // Clocks went forward at 2:00 on 31 March 2024 and back at 3:00 on 27 October; in Lord Howe by half an
    // hour, on 7 April and 6 October.
    [
      'Europe/Berlin',
      '2024-10-27',
      25,
      ['2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z', '2024-10-26T22:10:00Z', '2024-10-27T22:50:00Z'],
    ],
    [
      'America/New_York',
      '2024-03-10',
      23,
      ['2024-03-10T06:59:00Z', '2024-03-10T07:00:00Z', '2024-03-11T03:59:00Z'],
    ],
    [
      'Asia/Kolkata',
      '2024-09-10',
      24,
      ['2024-09-09T18:30:00Z', '2024-09-09T19:29:00Z', '2024-09-10T18:29:59Z'],
    ],
    [
      'Australia/Lord_Howe',
      '2024-10-06',
      24,
      ['2024-10-05T15:29:00Z', '2024-10-05T15:31:00Z', '2024-10-06T12:59:00Z'],
    ],
  ])('%s on %s has %i hours, and they add up', async (zone, local, hours, moments) => {
    await moveTo('2024-12-01T00:00:00Z');
    const person = await registerUser(console, `owner@${++count}.example`, `Zone ${zone}`);
    await console.ok(identity.updateOrganization, { timeZone: zone } as never, { token: person.token });
    const made = await make(
      `Zoned ${zone}`,
      {
        model: 'graduated',
        currency: 'TWD',
        tiers: [
          { upTo: '3', unitPrice: '1.1' },
          { upTo: null, unitPrice: '0.3' },
        ],
      },
      { aggregation: 'sum', unit: 'units' },
      [],
      person.organizationId as Id<'org'>,
    );
    await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        headers: { 'content-type': 'application/cloudevents-batch+json' },
        body: JSON.stringify(
          moments.map((time) => ({
            specversion: '1.0',
            id: `z${++count}`,
            source: 'test',
            type: 'use',
            subject: made.subscription,
            time,
            data: { value: '1.7' },
          })),
        ),
      },
    );
    const who = await signIn(console, person.token ? `owner@${count - moments.length}.example` : '');
    const [byDay, byHour] = [
      await explore(local, local, {}, who),
      await explore(local, local, { grain: 'hour' }, who),
    ];
    expect(byHour.places).toHaveLength(hours);
    expect([sum(byHour.series[0]?.costs ?? []), sum(byHour.series[0]?.quantities ?? [])]).toEqual([
      byDay.series[0]?.cost,
      byDay.series[0]?.quantity,
    ]);
    expect(byDay.series[0]?.quantity).toBe(sum(moments.map(() => '1.7')));
    await moveTo('2024-09-20T04:00:00Z');
  });
});
