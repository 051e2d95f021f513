// The Admin’s operations on services.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
const make = (name: string): Promise<Service> =>
  console.ok(
    catalogue.createService,
    {
      name,
      type: 'Storage',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.0000004' },
      meter: { eventType: 'e', aggregation: 'sum', unit: 'GB' },
    },
    { token },
  );
const listed = async (): Promise<[number, string[]]> => {
  const { total, items } = await console.ok(catalogue.adminListServices, { sort: 'name' }, { token });
  return [total, items.map((service) => service.name)];
};

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
});

describe('R-CAT-05 services in batches', () => {
  it('deletes services without subscriptions, names the others, and updates the total', async () => {
    const [free, used] = [await make('Free'), await make('Used')];
    const customer = await registerUser(console, 'one@customer.example', 'Customer');
    await console.ok(subscriptions.subscribe, { serviceId: used.id }, { token: customer.token });
    const answer = await console.ok(
      catalogue.batchServices,
      { ids: [free.id, used.id], action: 'delete' },
      { token },
    );
    expect([answer.changed, answer.refused.map((one) => [one.id, one.code])]).toEqual([
      1,
      [[used.id, 'catalogue.still_used']],
    ]);
    expect(await listed()).toEqual([1, ['Used']]);
  });

  it('deactivates and activates, and deletes a single one', async () => {
    const one = await make('One');
    await console.ok(catalogue.batchServices, { ids: [one.id], action: 'deactivate' }, { token });
    const inactive = await console.ok(catalogue.adminListServices, { status: 'inactive' }, { token });
    expect([inactive.total, inactive.items.map((service) => service.id)]).toEqual([1, [one.id]]);
    await console.ok(catalogue.deleteService, { serviceId: one.id }, { token });
    expect(await listed()).toEqual([1, ['Used']]);
  });
});

describe('R-CAT-05 all services of a filter', () => {
  const all = {
    type: 'Filtered',
    category: 'Own',
    pricing: { model: 'flat' as const, currency: 'TWD' as const, baseFee: '1' },
    meter: { eventType: 'e', aggregation: 'sum' as const, unit: 'GB' },
  };
  const filter = { type: 'Filtered' };
  let ids: Id<'svc'>[];
  beforeAll(async () => {
    const made: Id<'svc'>[] = [];
    for (const name of ['F a', 'F b', 'F c', 'F d', 'F e'])
      made.push(
        (
          await console.ok(
            catalogue.createService,
            { ...all, name, ...(name === 'F e' && { status: 'inactive' as const }) },
            { token },
          )
        ).id,
      );
    ids = made;
    const customer = await registerUser(console, 'filtered@customer.example', 'Filtered');
    await console.ok(
      subscriptions.subscribe,
      { serviceId: required(ids[1], 'the second') },
      { token: customer.token },
    );
  });

  it('are counted exactly, and changed only if their number is as shown', async () => {
    expect(await console.ok(catalogue.countServices, { ...filter, q: 'F' }, { token })).toEqual({ total: 5 });
    const { envelope } = await console.call(
      catalogue.batchServices,
      { filter, expected: 4, action: 'deactivate' },
      { token },
    );
    expect([envelope.code, envelope.message]).toEqual([
      'catalogue.count_changed',
      expect.stringContaining('5'),
    ]);
    const answer = await console.ok(
      catalogue.batchServices,
      { filter, expected: 5, action: 'deactivate' },
      { token },
    );
    // The fifth was in that state before, so undo must not change it.
    expect(answer).toEqual({ changed: 4, changedIds: ids.slice(0, 4), refusedCount: 0, refused: [] });
    expect(
      (await console.ok(catalogue.adminListServices, { status: 'active' }, { token })).items.some(
        (one) => one.type === 'Filtered',
      ),
    ).toBe(false);
    expect(
      (await console.ok(catalogue.batchServices, { ids: answer.changedIds, action: 'activate' }, { token }))
        .changed,
    ).toBe(4);
  });

  it('are previewed with their effect, the remaining ones first', async () => {
    const { total, blocked, services } = await console.ok(
      catalogue.batchImpact,
      { filter, expected: 5, action: 'delete' },
      { token },
    );
    expect([total, blocked, services.map((one) => one.name)]).toEqual([
      5,
      1,
      ['F b', 'F a', 'F c', 'F d', 'F e'],
    ]);
  });

  it('are deleted except those with subscriptions, each of which is named', async () => {
    const before = await console.ok(catalogue.countServices, {}, { token });
    const answer = await console.ok(
      catalogue.batchServices,
      { filter, expected: 5, action: 'delete' },
      { token },
    );
    expect([
      answer.changed,
      answer.refusedCount,
      answer.refused.map((one) => [one.id, one.name, one.code]),
    ]).toEqual([4, 1, [[ids[1], 'F b', 'catalogue.still_used']]]);
    expect(await console.ok(catalogue.countServices, {}, { token })).toEqual({ total: before.total - 4 });
  });

  it('exclude a list of ids: neither and both are rejected', async () => {
    for (const whom of [{}, { filter, ids }])
      expect(
        (await console.call(catalogue.batchServices, { ...whom, action: 'activate' }, { token })).envelope
          .code,
      ).toBe('catalogue.nothing_named');
  });
});

describe('R-CAT-02 the tabs of the service list', () => {
  it('show the number of services of each, with the same search and type', async () => {
    const tabs = ['all', 'popular', 'new', 'recommended'] as const;
    const more = {
      type: 'Tabbed',
      category: 'Own',
      pricing: { model: 'flat' as const, currency: 'TWD' as const, baseFee: '1' },
      meter: { eventType: 'e', aggregation: 'sum' as const, unit: 'GB' },
    };
    for (const [name, marks] of [
      ['Tab a', { popular: true }],
      ['Tab b', { popular: true, recommended: true }],
      ['Tab c', {}],
      ['Tab d', { popular: true, status: 'inactive' as const }],
    ] as const)
      await console.ok(catalogue.createService, { ...more, ...marks, name }, { token });
    const { token: reader } = await registerUser(console, 'tabs@customer.example', 'Tabs');
    // The first services of a catalog are not new: none is until one is more than a day older.
    expect((await console.ok(catalogue.serviceTabs, {}, { token: reader })).new).toBe(0);
    await sql`update service set created_at = created_at - interval '2 days' where id = (select id from service where type <> 'Tabbed' order by id limit 1)`.execute(
      console.app.database.kysely,
    );
    for (const filter of [{}, { type: 'Tabbed' }, { q: 'tab b' }, { type: 'Tabbed', q: 'nothing' }]) {
      const listedIn = await Promise.all(
        tabs.map(
          async (tab) =>
            [
              tab,
              (await console.ok(catalogue.listServices, { ...filter, tab }, { token: reader })).total,
            ] as const,
        ),
      );
      expect(await console.ok(catalogue.serviceTabs, filter, { token: reader })).toEqual(
        Object.fromEntries(listedIn),
      );
    }
    expect(await console.ok(catalogue.serviceTabs, { type: 'Tabbed' }, { token: reader })).toEqual({
      all: 3,
      popular: 2,
      new: 3,
      recommended: 1,
    });
  });
});

describe('R-CAT-01 fields that subscriptions depend on', () => {
  it('the billing cycle can change until the first subscription, then never again, by form or file; everything else can', async () => {
    const service = await make('Cycle');
    await console.ok(
      catalogue.updateService,
      { serviceId: service.id, billingCycle: 'yearly', proration: 'second' },
      { token },
    );
    await console.ok(
      catalogue.updateService,
      { serviceId: service.id, billingCycle: 'monthly', proration: 'day' },
      { token },
    );
    const customer = await registerUser(console, 'cycle@customer.example', 'Cycle');
    await console.ok(subscriptions.subscribe, { serviceId: service.id }, { token: customer.token });
    const refused = await console.call(
      catalogue.updateService,
      { serviceId: service.id, name: 'Other', billingCycle: 'yearly' },
      { token },
    );
    expect([
      refused.status,
      refused.envelope.code,
      refused.envelope.errors?.map((each) => each.field),
    ]).toEqual([409, 'catalogue.cycle_fixed', ['billingCycle']]);
    const file = await console.call(
      catalogue.importServices,
      {},
      {
        token,
        body: 'name,type,billingCycle\nCycle,Storage,yearly\n',
        headers: { 'content-type': 'text/csv' },
      },
    );
    expect(file.envelope.code).toBe('catalogue.cycle_fixed');
    expect(
      await console.ok(
        catalogue.updateService,
        { serviceId: service.id, description: 'new', billingCycle: 'monthly' },
        { token },
      ),
    ).toMatchObject({ name: 'Cycle', description: 'new', billingCycle: 'monthly', proration: 'day' });
  });
});

describe('R-CAT-01, R-CAT-02 the displayed price', () => {
  it('is the one agreed with the reader’s organization while it is valid, in list, details and estimates; others see the list price', async () => {
    const service = await make('Agreed');
    const [one, two] = [
      await registerUser(console, 'own@price.example', 'Own price'),
      await registerUser(console, 'list@price.example', 'List price'),
    ];
    const pricing = { model: 'per_unit' as const, currency: 'TWD' as const, unitPrice: '3' };
    await console.ok(
      catalogue.addOverride,
      {
        serviceId: service.id,
        organizationId: one.organizationId as Id<'org'>,
        pricing,
        until: new Date('2024-10-20T00:00:00Z'),
        reason: 'framework contract',
      },
      { token },
    );
    const pricesSeenBy = async (customer: { token: string }): Promise<unknown[]> => {
      const [inList] = (await console.ok(catalogue.listServices, { q: 'Agreed' }, { token: customer.token }))
        .items;
      const { pricing: single } = await console.ok(
        catalogue.getService,
        { serviceId: service.id },
        { token: customer.token },
      );
      const { exact } = await console.ok(
        catalogue.estimate,
        { serviceId: service.id, quantity: '7' },
        { token: customer.token },
      );
      return [inList?.pricing, single, exact];
    };
    expect(await pricesSeenBy(one)).toEqual([pricing, pricing, '21']);
    expect(await pricesSeenBy(two)).toEqual([service.pricing, service.pricing, '0.0000028']);
    console.clock.set(new Date('2024-10-20T00:00:00Z'));
    expect(await pricesSeenBy({ token: await signIn(console, 'own@price.example') })).toEqual([
      service.pricing,
      service.pricing,
      '0.0000028',
    ]);
  });
});
