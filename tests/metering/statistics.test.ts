// A month’s figures give a forecast from its first day on.
import { beforeAll, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let user: string;

/** Ten requests per day from 1 July to 10 September 2024; the time is the morning of the 11th in Taipei. */
beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-11T00:00:00Z'));
  const admin = await setUp(console);
  const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
  user = await signIn(console, 'owner@one.example');
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'API calls',
      type: 'API',
      category: 'Platform',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'requests' },
    },
    { token: admin },
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: organizationId as never,
      serviceId: service.id,
      startedAt: new Date('2024-03-01T00:00:00Z'),
    },
    { token: admin },
  );
  const first = Date.parse('2024-07-01T04:00:00Z');
  const events = Array.from({ length: 72 }, (_, day) => ({
    specversion: '1.0',
    id: `e${day}`,
    source: 'test',
    type: 'call',
    subject: id,
    time: new Date(first + day * 86_400_000).toISOString(),
    data: { value: '10' },
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
});

it('R-USE-01: a steady pace is stable in mid-month: months before the first usage and the rest of the month do not count', async () => {
  const figures = await console.ok(usage.statistics, {}, { token: user });
  expect(figures.sixMonths.map((each) => each.cost.amount)).toEqual(['0', '0', '0', '620', '620', '200']);
  expect(figures).toMatchObject({
    trend: 'stable',
    totalCost: { amount: '200' },
    previousCost: { amount: '620' },
  });
  // Nineteen days after this one, and the rest of this one: the whole month at the same rate.
  expect(figures.projectedCost).toMatchObject({ amount: '600', low: '600', high: '600' });
});

it('R-USE-01: on the first day of a month the forecast is based on earlier months', async () => {
  console.clock.set(new Date('2024-09-01T00:00:00Z'));
  expect(
    await console.ok(usage.statistics, {}, { token: await signIn(console, 'owner@one.example') }),
  ).toMatchObject({ month: '2024-09', trend: 'stable', trendPercent: 0 });
  console.clock.set(new Date('2024-09-11T00:00:00Z'));
});

it('R-USE-01: a past month counts as it was', async () => {
  const figures = await console.ok(usage.statistics, { month: '2024-08' as BillingMonth }, { token: user });
  expect(figures).toMatchObject({
    trend: 'stable',
    trendPercent: 0,
    projectedCost: { amount: '620', low: '620', high: '620' },
  });
});

it('R-USE-01: a month before any usage has no trend', async () => {
  expect(
    await console.ok(usage.statistics, { month: '2024-05' as BillingMonth }, { token: user }),
  ).toMatchObject({ trend: 'stable', trendPercent: 0, peakDay: null, events: 0 });
});

it('R-USE-01: an organization without usage has figures, too', async () => {
  await registerUser(console, 'owner@two.example', 'Two');
  expect(
    await console.ok(usage.statistics, {}, { token: await signIn(console, 'owner@two.example') }),
  ).toMatchObject({ trend: 'stable', trendPercent: 0, totalCost: { amount: '0' }, services: [] });
});
