// Prices over time: versions of the list price, prices of single organizations, and concurrent changes by
// Admins.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing, type Service } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
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
let token: string;
let key: string;
let one: { token: string; organizationId: string };
let two: { token: string; organizationId: string };
const perUnit = (unitPrice: string): Pricing => ({ model: 'per_unit', currency: 'TWD', unitPrice });
const make = (name: string, pricing = perUnit('1')): Promise<Service> =>
  console.ok(
    catalogue.createService,
    {
      name,
      type: 'Storage',
      category: 'Own',
      pricing,
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
    },
    { token },
  );
const change = (input: Parameters<typeof console.call<typeof catalogue.updateService>>[1]) =>
  console.call(catalogue.updateService, input, { token });
const agree = (
  service: Service,
  organizationId: string,
  unitPrice: string,
  effectiveFrom?: string,
  until?: string | null,
) =>
  console.call(
    catalogue.addOverride,
    {
      serviceId: service.id,
      organizationId: organizationId as never,
      pricing: perUnit(unitPrice),
      reason: '年約',
      ...(effectiveFrom === undefined ? {} : { effectiveFrom: new Date(effectiveFrom) }),
      ...(until === undefined ? {} : { until: until === null ? null : new Date(until) }),
    },
    { token },
  );
const prices = async (service: Service): Promise<[string, string][]> =>
  (await console.ok(catalogue.listPrices, { serviceId: service.id }, { token })).items.map((item) => [
    item.state,
    'unitPrice' in item.pricing ? item.pricing.unitPrice : '',
  ]);
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  token = await signIn(console, adminAccount.account, adminAccount.password);
  one = { ...one, token: await signIn(console, 'owner@one.example') };
  two = { ...two, token: await signIn(console, 'owner@two.example') };
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-01T00:00:00Z'));
  token = await setUp(console, { taxRate: '0' });
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token })).secret;
});

describe('R-CAT-01 price versions', () => {
  it('follow each other: one current, one scheduled, none edited, each with its creator', async () => {
    const service = await make('Versions');
    console.clock.set(new Date('2024-09-01T00:10:00Z'));
    await change({ serviceId: service.id, pricing: perUnit('2') });
    const later = await change({
      serviceId: service.id,
      pricing: perUnit('3'),
      effectiveFrom: new Date('2024-09-15T00:00:00Z'),
    });
    expect(later.data.pricing).toMatchObject({ unitPrice: '2' });
    expect(await prices(service)).toEqual([
      ['scheduled', '3'],
      ['current', '2'],
      ['past', '1'],
    ]);
    const { items } = await console.ok(catalogue.listPrices, { serviceId: service.id }, { token });
    expect(
      items.map((item) => [
        item.effectiveFrom.toISOString(),
        item.until?.toISOString() ?? null,
        item.createdBy,
      ]),
    ).toEqual([
      ['2024-09-15T00:00:00.000Z', null, 'Operator'],
      ['2024-09-01T00:10:00.000Z', '2024-09-15T00:00:00.000Z', 'Operator'],
      ['2024-09-01T00:00:00.000Z', '2024-09-01T00:10:00.000Z', 'Operator'],
    ]);
  });

  it('can be withdrawn while scheduled, but not once begun', async () => {
    const service = await make('Withdrawn');
    await change({
      serviceId: service.id,
      pricing: perUnit('9'),
      effectiveFrom: new Date('2024-09-20T00:00:00Z'),
    });
    const [scheduled, current] = (
      await console.ok(catalogue.listPrices, { serviceId: service.id }, { token })
    ).items;
    const withdraw = (priceVersionId: string | undefined) =>
      console.call(
        catalogue.withdrawPrice,
        { serviceId: service.id, priceVersionId: priceVersionId as never },
        { token },
      );
    expect((await withdraw(current?.id)).envelope).toMatchObject({ code: 'catalogue.price_in_force' });
    expect((await withdraw('prv_00000000000000000000000000')).status).toBe(404);
    expect((await withdraw(scheduled?.id)).status).toBe(200);
    expect(await prices(service)).toEqual([['current', '1']]);
  });

  it('never begin in the past, at the same moment as another, or in another currency: the field is named and nothing is stored', async () => {
    const service = await make('Refused');
    const refused = async (input: object): Promise<unknown> => {
      const { status, envelope } = await change({ serviceId: service.id, name: 'Half done', ...input });
      return [status, envelope.code, envelope.errors?.map((error) => error.field)];
    };
    expect(await refused({ pricing: perUnit('2'), effectiveFrom: new Date('2024-08-31T23:59:59Z') })).toEqual(
      [422, 'catalogue.moment_past', ['effectiveFrom']],
    );
    expect(await refused({ pricing: { ...perUnit('2'), currency: 'USD' } })).toEqual([
      422,
      'catalogue.currency_differs',
      ['pricing.currency'],
    ]);
    expect(await refused({ effectiveFrom: new Date('2024-09-30T00:00:00Z') })).toEqual([
      400,
      'platform.invalid',
      ['pricing'],
    ]);
    await change({
      serviceId: service.id,
      pricing: perUnit('2'),
      effectiveFrom: new Date('2024-09-30T00:00:00Z'),
    });
    expect(await refused({ pricing: perUnit('3'), effectiveFrom: new Date('2024-09-30T00:00:00Z') })).toEqual(
      [409, 'catalogue.price_there', ['effectiveFrom']],
    );
    expect((await console.ok(catalogue.adminGetService, { serviceId: service.id }, { token })).name).toBe(
      'Refused',
    );
    expect(await prices(service)).toEqual([
      ['scheduled', '2'],
      ['current', '1'],
    ]);
  });

  it('cannot be changed in the database either', async () => {
    await expect(
      sql`update price_version set pricing = '{}'`.execute(console.app.database.kysely),
    ).rejects.toThrow('never changed');
  });
});

describe('bad input: the field is named', () => {
  const tier = (upTo: string | null, unitPrice = '1') => ({ upTo, unitPrice });
  it.each([
    [
      'overlapping tiers',
      {
        pricing: {
          model: 'graduated',
          currency: 'TWD',
          tiers: [tier('10'), tier('20'), tier('15'), tier(null)],
        },
      },
      'pricing.tiers.2.upTo',
    ],
    [
      'a negative price',
      { pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '-1' } },
      'pricing.unitPrice',
    ],
    [
      'a negative price in a tier',
      { pricing: { model: 'volume', currency: 'TWD', tiers: [tier('10', '-1'), tier(null)] } },
      'pricing.tiers.0.unitPrice',
    ],
    [
      'a maximum below the minimum',
      { pricing: { model: 'flat', currency: 'TWD', baseFee: '1', minimum: '10', maximum: '9' } },
      'pricing.maximum',
    ],
    ['an unknown field', { discount: '5' }, 'discount'],
    [
      'an unknown field of a price',
      { pricing: { model: 'flat', currency: 'TWD', baseFee: '1', unitPrice: '1' } },
      'pricing.unitPrice',
    ],
    ['a quota of zero', { quota: { type: 'hard', limit: '0' } }, 'quota.limit'],
  ])('%s', async (_what, input, field) => {
    const service = await make('Bad input');
    const response = await fetch(`${console.address}/api/admin/services/${service.id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'accept-language': 'zh-TW',
      },
      body: JSON.stringify(input),
    });
    const envelope = (await response.json()) as { errors: { field: string; message: string }[] };
    expect(envelope.errors.map((error) => error.field)).toEqual([field]);
    expect(envelope.errors[0]?.message).toMatch(/[\u4e00-\u9fff].*。$/);
  });
});

describe('two concurrent changes', () => {
  it.each([
    [true, 6],
    [false, 1],
  ])(
    'one succeeds, the other is rejected and stores nothing (with a price: %s)',
    async (withPrice, versions) => {
      const service = await make('Raced');
      for (let round = 0; round < 5; round++) {
        console.clock.advance(1000);
        const { version } = await console.ok(catalogue.adminGetService, { serviceId: service.id }, { token });
        const answers = await Promise.all(
          ['a', 'b'].map((name) =>
            change({
              serviceId: service.id,
              version,
              name: `${name}${round}`,
              ...(withPrice && { pricing: perUnit(`${round + 2}.${name === 'a' ? 1 : 2}`) }),
            }),
          ),
        );
        expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
        const winner = answers.find((answer) => answer.status === 200)?.data;
        expect(
          await console.ok(catalogue.adminGetService, { serviceId: service.id }, { token }),
        ).toMatchObject({ name: winner?.name, pricing: winner?.pricing, version: version + 1 });
      }
      expect((await prices(service)).length).toBe(versions);
    },
  );

  it('a batch counts as a change', async () => {
    const service = await make('Batched');
    await console.ok(catalogue.batchServices, { ids: [service.id], action: 'deactivate' }, { token });
    expect(
      (await change({ serviceId: service.id, version: service.version, name: 'Late' })).envelope.code,
    ).toBe('catalogue.changed_meanwhile');
  });
});

describe('R-CAT-01 a price of one organization', () => {
  it('is charged from its begin to its end, for that organization only; then the list price applies again', async () => {
    await moveTo('2024-10-01T00:00:00Z');
    const service = await make('Agreed');
    expect(
      (await agree(service, one.organizationId, '0.5', '2024-10-10T16:00:00Z', '2024-10-20T16:00:00Z'))
        .status,
    ).toBe(201);
    const subscribed = await Promise.all(
      [one, two].map((person) =>
        console.ok(subscriptions.subscribe, { serviceId: service.id }, { token: person.token }),
      ),
    );
    await change({
      serviceId: service.id,
      pricing: perUnit('3'),
      effectiveFrom: new Date('2024-10-15T16:00:00Z'),
    });
    await moveTo('2024-10-29T00:00:00Z');
    const events = subscribed.flatMap(({ id }) =>
      ['05', '12', '25'].map((day) => ({
        specversion: '1.0',
        id: `${id} ${day}`,
        source: '/s',
        type: 'gb',
        subject: id,
        time: `2024-10-${day}T00:00:00Z`,
        data: { value: '100' },
      })),
    );
    const sent = await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        headers: { 'content-type': 'application/cloudevents-batch+json' },
        body: JSON.stringify(events),
      },
    );
    expect(sent).toMatchObject({ accepted: 6 });
    await moveTo('2024-11-05T00:00:00Z');
    await console.ok(billing.closeMonth, { month: '2024-10' as BillingMonth }, { token });
    // One: 100 × 1, 100 × 0.5 agreed, 100 × 3 of the new list price. Two: 100 × 1, 100 × 1, 100 × 3.
    for (const [person, total] of [
      [one, 450n],
      [two, 500n],
    ] as const) {
      const [bill] = (await console.ok(billing.listBills, {}, { token: person.token })).items;
      expect(bill?.net.minor).toBe(total);
    }
  });

  it('cannot overlap with another but can follow it, even when both are created concurrently', async () => {
    const service = await make('One at a time');
    const codes = async (...times: [string, string | null][]): Promise<unknown[]> =>
      (await Promise.all(times.map(([from, until]) => agree(service, one.organizationId, '1', from, until))))
        .map(({ status, envelope }) => (status === 201 ? 201 : envelope.code))
        .toSorted();
    expect(await codes(['2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z'])).toEqual([201]);
    expect(await codes(['2024-12-31T00:00:00Z', null])).toEqual(['catalogue.override_overlaps']);
    expect(
      await codes(
        ['2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z'],
        ['2025-01-15T00:00:00Z', '2025-03-01T00:00:00Z'],
      ),
    ).toEqual([201, 'catalogue.override_overlaps']);
    expect((await agree(service, two.organizationId, '1', '2024-12-01T00:00:00Z', null)).status).toBe(201);
  });

  it('names the invalid field', async () => {
    const service = await make('Wrong');
    const refused = async (...given: [string, string?, (string | null)?]): Promise<unknown> => {
      const { envelope } = await agree(service, given[0], '1', given[1], given[2]);
      return [envelope.code, envelope.errors?.map((error) => error.field)];
    };
    expect(await refused(one.organizationId, '2024-11-04T00:00:00Z')).toEqual([
      'catalogue.moment_past',
      ['effectiveFrom'],
    ]);
    expect(await refused(one.organizationId, '2024-12-01T00:00:00Z', '2024-12-01T00:00:00Z')).toEqual([
      'catalogue.override_until_wrong',
      ['until'],
    ]);
    expect(await refused('org_00000000000000000000000000')).toEqual([
      'catalogue.organization_unknown',
      ['organizationId'],
    ]);
  });

  it('can be ended once and is kept; one that has not begun is deleted', async () => {
    const service = await make('Ended');
    const { data: running } = await agree(service, one.organizationId, '0.1');
    const { data: coming } = await agree(service, two.organizationId, '0.2', '2024-12-24T00:00:00Z');
    console.clock.advance(60_000);
    const end = (overrideId: string) =>
      console.call(
        catalogue.endOverride,
        { serviceId: service.id, overrideId: overrideId as never },
        { token },
      );
    expect([(await end(running.id)).status, (await end(coming.id)).status]).toEqual([200, 200]);
    expect((await end(running.id)).envelope.code).toBe('catalogue.override_ended');
    expect((await end(coming.id)).status).toBe(404);
    const { items } = await console.ok(catalogue.listOverrides, { serviceId: service.id }, { token });
    expect(items.map((item) => [item.id, item.state, item.organization, item.until?.getTime()])).toEqual([
      [running.id, 'past', 'One', console.clock.now().getTime()],
    ]);
    await expect(
      sql`update price_override set effective_until = null where id = ${running.id}`.execute(
        console.app.database.kysely,
      ),
    ).rejects.toThrow('only ended');
    await expect(
      sql`update price_override set pricing = '{}' where id = ${running.id}`.execute(
        console.app.database.kysely,
      ),
    ).rejects.toThrow('only ended');
  });
});
