// Metering, whatever happens to events in transit: repeated, sent by other keys, canceled, late, many at
// once.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { aggregations, type Aggregation } from '#features/selling/meters/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { eventRetentionMonths, usageFeature } from '#features/metering/usage/server/index.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { isLong } from '../support/fault-rounds.ts';

// September 2024 in Taipei: 30 days of 24 hours.
const month = '2024-09' as BillingMonth;
const start = Date.parse('2024-08-31T16:00:00Z');
const monthMs = 30 * 24 * hourMs;

let console: TestConsole;
let admin: string;
let key: string;
let customers = 0;
let made = 0;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-10T00:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
});

type Owner = { readonly email: string; readonly organizationId: Id<'org'>; readonly token: string };
type Customer = Owner & {
  readonly subscriptions: Record<Aggregation, Id<'sub'>>;
  /** Makes the names of its services unique. */ readonly mark: number;
};

async function owner(): Promise<Owner> {
  const email = `owner@m${++customers}.example`;
  const { organizationId, token } = await registerUser(console, email, `M${customers}`);
  return { email, organizationId: organizationId as Id<'org'>, token };
}

/** A customer with a new service of each aggregation. */
async function customer(only: readonly Aggregation[] = aggregations, of?: Owner): Promise<Customer> {
  const { organizationId, ...rest } = of ?? (await owner());
  const mark = ++made;
  const pairs = await Promise.all(
    only.map(async (aggregation) => {
      const { id: serviceId } = await console.ok(
        catalogue.createService,
        {
          name: `${mark} ${aggregation}`,
          type: 'API',
          category: 'Own',
          pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
          meter: {
            eventType: 'use',
            aggregation,
            unit: 'units',
            ...(aggregation === 'unique_count' && { property: 'who' }),
          },
        },
        { token: admin },
      );
      return [
        aggregation,
        (
          await console.ok(
            subscriptions.adminSubscribe,
            { organizationId, serviceId, startedAt: new Date('2024-01-01T00:00:00Z') },
            { token: admin },
          )
        ).id,
      ] as const;
    }),
  );
  return {
    ...rest,
    organizationId,
    mark,
    subscriptions: Object.fromEntries(pairs) as Customer['subscriptions'],
  };
}

type Wire = {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time?: string;
  readonly data?: Readonly<Record<string, unknown>>;
};
const eventOf = (
  subject: string,
  id: string,
  at: number | undefined,
  data: Wire['data'] = { value: '1' },
): Wire => ({
  specversion: '1.0',
  id,
  source: `s-${subject}`,
  type: 'use',
  subject,
  ...(at !== undefined && { time: new Date(at).toISOString() }),
  data,
});
const voidOf = (of: Wire, id = `void-${of.id}`): Wire => ({
  specversion: '1.0',
  id,
  source: of.source,
  type: 'use.void',
  subject: of.subject,
  time: '2024-10-01T00:00:00Z',
  data: { id: of.id },
});
const send = (events: readonly Wire[], token = key) =>
  console.ok(
    usage.ingest,
    {},
    {
      token,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
const codes = async (events: readonly Wire[], token = key): Promise<string> => {
  const { accepted, duplicates, rejected } = await send(events, token);
  return [`${accepted}+${duplicates}`, ...rejected.map((each) => `${each.index} ${each.code}`)].join(', ');
};
const quantities = async ({ token, mark }: Customer): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await console.ok(usage.statistics, { month }, { token })).services.flatMap(
      ({ serviceName, quantity: used }) =>
        serviceName.startsWith(`${mark} `) ? [[serviceName.slice(`${mark} `.length), used]] : [],
    ),
  );
const quantity = async (one: Customer, aggregation: Aggregation): Promise<string> =>
  (await quantities(one))[aggregation] ?? '0';
const db = () => console.app.database.kysely;

describe('R-USE-03: an event counts once forever', () => {
  it('the same id in another month is a repeat if the event is equal, otherwise a conflict', async () => {
    const {
      subscriptions: { sum },
    } = await customer(['sum']);
    const first = eventOf(sum, 'a', start);
    expect(await codes([first])).toBe('1+0');
    expect(await codes([first, { ...first, time: '2024-07-15T00:00:00Z' }])).toBe('0+1, 1 usage.conflict');
  });

  it('equal values are equal in every notation; an event without a time is equal whenever it is sent again', async () => {
    const {
      subscriptions: { sum },
    } = await customer(['sum']);
    const untimed = eventOf(sum, 'now', undefined, { value: '2.50', region: 'tpe' });
    expect(
      await codes([
        untimed,
        eventOf(sum, 'b', start, { value: '1e-7' as never }),
        eventOf(sum, 'c', start, { value: 3 }),
      ]),
    ).toBe('2+0, 1 usage.value_no_decimal');
    console.clock.set(new Date('2024-10-10T01:00:00Z'));
    expect(
      await codes([
        { ...untimed, data: { region: 'tpe', value: '2.5' } },
        eventOf(sum, 'c', start, { value: '3.000' }),
      ]),
    ).toBe('0+2');
    expect(
      await codes([
        eventOf(sum, 'd', start, { value: '4', a: 1, b: 2 }),
        eventOf(sum, 'd', start, { b: 2, a: 1, value: '4.0' }),
        eventOf(sum, 'd', start, { value: '4', a: 1 }),
      ]),
    ).toBe('1+1, 2 usage.conflict');
    console.clock.set(new Date('2024-10-10T00:00:00Z'));
  });

  it('a batch that alternates between two new months, with a repeat in it, is accepted', async () => {
    const {
      subscriptions: { sum },
    } = await customer(['sum']);
    const known = eventOf(sum, 'known', start);
    await send([known]);
    const [march, april] = [Date.parse('2024-03-20T00:00:00Z'), Date.parse('2024-04-20T00:00:00Z')];
    const batch = [eventOf(sum, 'a', march), eventOf(sum, 'b', april), eventOf(sum, 'c', march + 1), known];
    expect([await codes(batch), await codes(batch)]).toEqual(['3+1', '0+4']);
  });

  it('nobody can use up the ids of the platform’s gateways by sending them first', async () => {
    const {
      token,
      subscriptions: { sum },
    } = await customer(['sum']);
    const own = (await console.ok(identity.createOrganizationKey, { name: 'own' }, { token })).secret;
    const event = eventOf(sum, 'guessed', start, { value: '1000' });
    expect(await codes([{ ...event, data: { value: '0' } }], own)).toBe('1+0');
    expect(await codes([event])).toBe('1+0');
  });
});

describe('R-USE-03: corrections', () => {
  it('cancel an event once; both stay in the list', async () => {
    const one = await customer(['sum']);
    const {
      subscriptions: { sum },
      token,
    } = one;
    const [valid, wrong] = [
      eventOf(sum, 'kept', start, { value: '10' }),
      eventOf(sum, 'wrong', start + 5, { value: '99' }),
    ];
    expect(await codes([valid, wrong])).toBe('2+0');
    expect(await codes([voidOf(wrong)])).toBe('1+0');
    expect(await codes([voidOf(wrong), voidOf(wrong, 'another')])).toBe('0+1, 1 usage.voided_already');
    expect(await quantity(one, 'sum')).toBe('10');
    const { items, total } = await console.ok(usage.events, { subscriptionId: sum }, { token });
    expect(items.map(({ id, value }) => `${id} ${value}`).toSorted()).toEqual([
      'kept 10',
      'void-wrong -99',
      'wrong 99',
    ]);
    expect(total).toBe(3);
  });

  it('are not possible with a customer’s own key, nor are negative values and levels', async () => {
    const one = await customer(['sum', 'latest', 'time_weighted_average', 'max']);
    const {
      subscriptions: { sum, latest, time_weighted_average: level, max },
      token,
    } = one;
    const own = (await console.ok(identity.createOrganizationKey, { name: 'own' }, { token })).secret;
    const event = eventOf(sum, 'a', start, { value: '10' });
    await send([event, eventOf(latest, 'l', start, { value: '10' })]);
    const tried = [
      voidOf(event),
      eventOf(sum, 'minus', start, { value: '-10' }),
      eventOf(latest, 'low', start + 1, { value: '0' }),
      eventOf(level, 'low', start, { value: '0' }),
      eventOf(max, 'more', start, { value: '7' }),
    ];
    expect(await codes(tried, own)).toBe(
      '1+0, 0 usage.only_adds, 1 usage.only_adds, 2 usage.only_adds, 3 usage.only_adds',
    );
    expect(await quantities(one)).toEqual({ sum: '10', latest: '10', max: '7' });
    expect(await codes([eventOf(sum, 'minus', start, { value: '-10' })])).toBe('1+0');
  });

  it('must name an existing event that is not a correction', async () => {
    const one = await customer(['sum']);
    const {
      subscriptions: { sum },
      token,
    } = one;
    const own = (await console.ok(identity.createOrganizationKey, { name: 'own' }, { token })).secret;
    const event = eventOf(sum, 'a', start);
    await send([event]);
    expect(
      await codes([
        { ...voidOf(event), data: {} },
        voidOf(eventOf(sum, 'none', start)),
        { ...voidOf(event, 'x'), subject: 'sub_none' },
      ]),
    ).toBe('0+0, 0 usage.void_unnamed, 1 usage.void_unknown, 2 usage.subscription_unknown');
    expect(
      await codes([voidOf(event), { ...voidOf(event), id: 'v2', data: { id: `void-${event.id}` } }]),
    ).toBe('1+0, 1 usage.void_unknown');
    const customerEvent = eventOf(sum, 'mine', start);
    await send([customerEvent], own);
    expect(await codes([voidOf(customerEvent)]), 'the platform takes back what a customer sent').toBe('1+0');
    expect(await quantity(one, 'sum')).toBe('0');
  });

  it('that arrive too early are rejected, and accepted after their event; an event and its correction may arrive together', async () => {
    const one = await customer(['count']);
    const event = eventOf(one.subscriptions.count, 'a', start);
    expect(await codes([voidOf(event)])).toBe('0+0, 0 usage.void_unknown');
    expect(await codes([voidOf(event), event])).toBe('2+0');
    expect(await quantity(one, 'count')).toBe('0');
  });

  it('cancel an event once, even when sent concurrently', async () => {
    const one = await customer(['sum']);
    const event = eventOf(one.subscriptions.sum, 'a', start, { value: '7' });
    await send([event, eventOf(one.subscriptions.sum, 'b', start, { value: '1' })]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send([voidOf(event, `v${index % 6}`)])),
    );
    expect(answers.reduce((sum, each) => sum + each.accepted, 0)).toBe(1);
    expect(await quantity(one, 'sum')).toBe('1');
  });
});

type Report = {
  readonly hour: number;
  readonly ms: number;
  readonly value: bigint;
  readonly who: string;
  readonly isWrong: boolean;
};

/** The expected result of each aggregation, computed independently. */
function byHand(aggregation: Aggregation, reports: readonly (Report & { id: string })[]): string {
  const inOrder = reports.toSorted(
    (a, b) => a.hour * hourMs + a.ms - (b.hour * hourMs + b.ms) || (a.id < b.id ? -1 : 1),
  );
  const values = inOrder.map((each) => decimal(each.value));
  switch (aggregation) {
    case 'sum':
      return decimalText(sumDecimals(values));
    case 'count':
      return String(values.length);
    case 'max':
      return values.length === 0 ? '0' : decimalText(values.reduce((a, b) => (a.gt(b) ? a : b)));
    case 'latest':
      return decimalText(values.at(-1) ?? decimal('0'));
    case 'unique_count':
      return String(new Set(inOrder.map((each) => each.who)).size);
    case 'time_weighted_average': {
      const at = ({ hour, ms }: Report): number => hour * hourMs + ms;
      const area = inOrder.reduce(
        (sum, each, index) =>
          sum +
          each.value * BigInt((inOrder[index + 1] ? at(inOrder[index + 1] as Report) : monthMs) - at(each)),
        0n,
      );
      return decimalText(
        decimal((2n * area * 10n ** 12n + BigInt(monthMs)) / (2n * BigInt(monthMs))).times(decimal('1e-12')),
      );
    }
  }
}

describe('R-USE-03: late, duplicate, out-of-order and corrected events are counted right', () => {
  const report: fc.Arbitrary<Report> = fc.record({
    hour: fc.constantFrom(0, 1, 30, 719),
    ms: fc.constantFrom(0, 1, 1_800_000),
    value: fc.bigInt(0n, 1000n),
    who: fc.constantFrom('one', 'two', '3'),
    isWrong: fc.boolean(),
  });

  it('every aggregation, against an independent computation, in any order and batches, with repeats and corrections', async () => {
    const organization = await owner();
    await fc.assert(
      fc.asyncProperty(
        fc.array(report, { minLength: 1, maxLength: 9 }),
        fc.infiniteStream(fc.nat(9999)),
        fc.integer({ min: 1, max: 7 }),
        async (reports, numbers, size) => {
          const one = await customer(aggregations, organization);
          const named = reports.map((each, index) => ({ ...each, id: `e${index}` }));
          const events = aggregations.flatMap((aggregation) =>
            named.map((each) =>
              eventOf(one.subscriptions[aggregation], each.id, start + each.hour * hourMs + each.ms, {
                value: each.value.toString(),
                who: each.who,
              }),
            ),
          );
          const corrections = events
            .filter((event) => named.some((each) => each.id === event.id && each.isWrong))
            .map((event) => voidOf(event));
          const shuffled = <T>(list: readonly T[]): T[] =>
            list
              .map((each) => [numbers.next().value, each] as const)
              .toSorted(([a], [b]) => a - b)
              .map(([, each]) => each);
          // Corrections follow their events; some of both are sent again, including events that were canceled
          // meanwhile.
          for (const wire of [
            shuffled([...events, ...events.slice(0, 5)]),
            shuffled([...corrections, ...events.slice(0, 5), ...corrections.slice(0, 3)]),
          ]) {
            for (let from = 0; from < wire.length; from += size * 4)
              await Promise.all(
                Array.from({ length: 4 }, (_, index) =>
                  send(wire.slice(from + index * size, from + (index + 1) * size)),
                ),
              );
          }
          const right = named.filter((each) => !each.isWrong);
          const found = await quantities(one);
          for (const aggregation of aggregations)
            expect([aggregation, found[aggregation] ?? '0']).toEqual([
              aggregation,
              byHand(aggregation, right),
            ]);
          await expectRollupsToBeTheEvents(one);
        },
      ),
      { numRuns: isLong ? 20 : 10 },
    );
  }, 120_000);

  /** Checks that hours, months and dimensions equal the events. */
  async function expectRollupsToBeTheEvents({ subscriptions: own }: Customer): Promise<void> {
    const ids = Object.values(own);
    const { rows } = await sql<{ what: string }>`with live as (
        select e.*, s.source || E'\n' || e.event_id as name, date_trunc('hour', e.time, 'Asia/Taipei') as hour from usage_event e join usage_source s on s.id = e.source_id
        where e.subscription_id = any(${ids}) and voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id)
      ), hours as (select subscription_id, hour, count(*) as event_count, sum(value) as sum, max(value) as max, (array_agg(value order by time desc, name desc))[1] as last_value from live group by 1, 2),
      keys as (select subscription_id, hour, 'key' as dimension, key_id as value, count(*) as event_count, sum(value) as sum from live where key_id is not null group by 1, 2, 4),
      who as (select subscription_id, hour, 'data.who' as dimension, (properties -> 'who')::text as value, count(*) as event_count, sum(value) as sum from live where properties ? 'who' group by 1, 2, 4)
      (select 'hour' as what from (select subscription_id, hour, event_count, sum, max, last_value from usage_hour where subscription_id = any(${ids}) and event_count > 0 except select * from hours) as a)
      union all (select 'lost hour' from (select * from hours except select subscription_id, hour, event_count, sum, max, last_value from usage_hour) as b)
      union all (select 'dimension' from ((select subscription_id, hour, dimension, value, event_count, sum from usage_dimension_hour where subscription_id = any(${ids}) and dimension in ('key', 'data.who')) except (select * from keys union all select * from who)) as c)
      union all (select 'lost dimension' from ((select * from keys union all select * from who) except select subscription_id, hour, dimension, value, event_count, sum from usage_dimension_hour) as d)
      union all (select 'day' from ((select subscription_id, day, event_count, sum, max, last_value from usage_day where subscription_id = any(${ids}) and event_count > 0) except (select subscription_id, (hour at time zone 'Asia/Taipei')::date, count(*), sum(value), max(value), (array_agg(value order by time desc, name desc))[1] from live group by 1, 2)) as f)
      union all (select 'lost day' from ((select subscription_id, (hour at time zone 'Asia/Taipei')::date, count(*), sum(value), max(value), (array_agg(value order by time desc, name desc))[1] from live group by 1, 2) except select subscription_id, day, event_count, sum, max, last_value from usage_day) as g)
      union all (select 'values' from usage_month m where subscription_id = any(${ids}) and distinct_count <> (select count(*) from usage_distinct d where d.subscription_id = m.subscription_id and d.month = m.month))`.execute(
      db(),
    );
    expect(rows).toEqual([]);
  }
});

describe('R-USE-03: many concurrent callers', () => {
  it('300 single events of 60 callers, some twice, are each counted once and answered individually', async () => {
    const one = await customer(['sum']);
    const { sum } = one.subscriptions;
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        codes([
          index % 10 === 9
            ? eventOf(sum, `bad ${index}`, start, { value: 'x' })
            : eventOf(sum, `e${Math.floor(index / 2)}`, start, { value: '1' }),
        ]),
      ),
    );
    const count = (answer: string): number => answers.filter((each) => each === answer).length;
    expect([count('1+0'), count('0+1'), count('0+0, 0 usage.value_no_decimal')]).toEqual([150, 120, 30]);
    expect(await quantity(one, 'sum')).toBe('150');
  });

  it('values of a property beyond the maximum that is counted separately are counted together', async () => {
    const {
      subscriptions: { sum },
    } = await customer(['sum']);
    for (const part of [0, 1])
      await send(
        Array.from({ length: 150 }, (_, index) =>
          eventOf(sum, `p${part}-${index}`, start, { value: '1', request: `r${part}-${index}` }),
        ),
      );
    const { rows } = await sql<{
      value: string;
      count: bigint;
    }>`select case value when 'other' then value else 'own' end as value, sum(event_count)::bigint as count from usage_dimension_hour where subscription_id = ${sum} and dimension = 'data.request' group by 1 order by 1`.execute(
      db(),
    );
    expect(rows).toEqual([
      { value: 'other', count: 100n },
      { value: 'own', count: 200n },
    ]);
  });
});

// The last ones: the months that leave take no more events.
describe('R-USE-03: events past their retention', () => {
  it('deleted events are still recognized, and their totals stay', async () => {
    const one = await customer(['sum', 'unique_count', 'time_weighted_average']);
    const { sum, unique_count: unique, time_weighted_average: level } = one.subscriptions;
    const events = [sum, unique, level].map((subject) =>
      eventOf(subject, 'old', start + hourMs, { value: '5', who: 'one' }),
    );
    expect(await codes(events)).toBe('3+0');
    const before = await quantities(one);
    await storeSetting(db(), eventRetentionMonths, 1, console.clock.now(), 'test');
    console.clock.set(new Date('2024-12-10T00:00:00Z'));
    await usageFeature.jobs[0]?.run(console.app, {} as never, new AbortController().signal);
    expect((await sql`select from usage_event where subscription_id = ${sum}`.execute(db())).rows).toEqual(
      [],
    );
    const again = events.map((event, index): Wire =>
      index === 1 ? { ...event, data: { value: '6', who: 'one' } } : event,
    );
    expect(await codes([...again, eventOf(sum, 'new', start)])).toBe(
      '0+2, 1 usage.conflict, 3 usage.too_old',
    );
    expect(await codes([voidOf(events[0] as Wire)])).toBe('0+0, 0 usage.void_unknown');
    expect(await quantities({ ...one, token: await signIn(console, one.email) })).toEqual(before);
    await storeSetting(db(), eventRetentionMonths, 0, console.clock.now(), 'test');
    console.clock.set(new Date('2024-10-10T00:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    // The month stays closed: its hours could not be recomputed without the deleted events.
    expect(await codes([eventOf(sum, 'new', start)])).toBe('0+0, 0 usage.too_old');
  });
});
