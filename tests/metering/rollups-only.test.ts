// P8: figures are read from rollups only, so all of them can be read without the events.
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
const range = { from: '2024-09-01' as LocalDay, to: '2024-09-14' as LocalDay };

/** Every kind of meter with some usage; then all events are deleted. */
beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-14T04:00:00Z'));
  const admin = await setUp(console);
  const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
  token = await signIn(console, 'owner@one.example');
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  for (const aggregation of [
    'sum',
    'count',
    'max',
    'latest',
    'unique_count',
    'time_weighted_average',
  ] as const) {
    const meter = {
      eventType: 'use',
      aggregation,
      unit: 'units',
      ...(aggregation === 'unique_count' && { property: 'user' }),
    };
    const { id } = await console.ok(
      catalogue.createService,
      {
        name: aggregation,
        type: 'API',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
        meter,
        quota: { type: 'soft', limit: '100' },
      },
      { token: admin },
    );
    const subscription = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId: organizationId as never, serviceId: id, startedAt: new Date('2024-07-01T00:00:00Z') },
      { token: admin },
    );
    const events = Array.from({ length: 60 }, (_, day) => ({
      specversion: '1.0',
      id: `${aggregation}${day}`,
      source: 'test',
      type: 'use',
      subject: subscription.id,
      time: new Date(Date.parse('2024-07-15T01:00:00Z') + day * 86_400_000).toISOString(),
      data: { value: '3', user: `u${day % 4}`, zone: 'tpe' },
    }));
    await console.ok(
      usage.ingest,
      {},
      {
        token: secret,
        body: JSON.stringify(events),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
  }
  await sql`drop table usage_event cascade`.execute(console.app.database.kysely);
});

it('statistics, months and days', async () => {
  const { services } = await console.ok(usage.statistics, {}, { token });
  expect(services.map((each) => [each.serviceName, Number(each.quantity) > 0]).toSorted()).toEqual(
    ['count', 'latest', 'max', 'sum', 'time_weighted_average', 'unique_count'].map((name) => [name, true]),
  );
  expect((await console.ok(usage.daily, range, { token })).series).toHaveLength(6);
  expect((await console.ok(usage.usageMonths, {}, { token })).months).toEqual([
    '2024-09',
    '2024-08',
    '2024-07',
  ]);
});

it.each(['service', 'tag', 'member', 'apiKey', 'property:zone'])(
  'explored by %s, by day and by hour',
  async (groupBy) => {
    for (const grain of ['day', 'hour'] as const)
      expect(
        (await console.ok(insights.explore, { ...range, grain, groupBy, compare: true }, { token })).totals[0]
          ?.cost,
      ).not.toBe('0');
  },
);

it('dimensions, the forecast, unusual days and exports', async () => {
  expect(
    (await console.ok(insights.dimensions, range, { token })).properties.map((each) => each.name).toSorted(),
  ).toEqual(['user', 'zone']);
  expect((await console.ok(insights.forecast, {}, { token })).past).toHaveLength(2);
  expect(
    (await console.ok(insights.unusualDays, { ...range, to: '2024-09-12' as LocalDay }, { token })).days,
  ).toEqual([]);
  for (const format of ['csv', 'xlsx', 'focus'] as const)
    expect((await console.call(insights.exportUsage, { ...range, format }, { token })).status).toBe(200);
});

it('quotas and the billing dashboard', async () => {
  expect((await console.ok(quotas.listQuotas, {}, { token })).items).toHaveLength(6);
  expect((await console.ok(consoleContract.billingDashboard, {}, { token })).daily.series).toHaveLength(6);
});
