// Usage recomputed from events, for previews of prices, equals the usage that bills count (R-BILL-05).
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import type { StreamMeter } from '#features/metering/usage/rules-streams.ts';
import { archiveMonth } from '#features/metering/usage/server/archive-events.ts';
import {
  ownTypeOf,
  usageOfTimes,
  type MeteredTime,
  type MeteredUsage,
} from '#features/metering/usage/server/charge-usage.ts';
import { metersOf } from '#features/metering/usage/server/meters-of-services.ts';
import { usageFromEvents } from '#features/metering/usage/server/usage-from-events.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { roundsOr } from '../support/fault-rounds.ts';

const rounds = Math.min(300, roundsOr(8));
const monthStart = Date.parse('2024-09-30T16:00:00Z');
// Three days, so that most changes cut a sample with usage.
const hours = 3 * 24;
const measured: Record<string, Partial<Meter>> = {
  half_days: { aggregation: 'percentile', p: 100, sampleMinutes: 720, dimensions: ['region'] },
  quarters: { aggregation: 'percentile', p: 90, sampleMinutes: 15 },
  users: { aggregation: 'unique_count', property: 'user', dimensions: ['region'] },
  latest: { aggregation: 'latest', dimensions: ['region'] },
  mean: { aggregation: 'avg' },
  largest: { aggregation: 'max' },
};
let console: TestConsole;
let organizationId: Id<'org'>;
let serviceId: Id<'svc'>;
let id: Id<'sub'>;
let admin: string;
let key: string;
let sent = 0;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-20T04:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const registered = await registerUser(console, 'owner@events.example', 'Events');
  organizationId = registered.organizationId as Id<'org'>;
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: name, eventType: 'vm', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
  ({ id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Machines',
      type: 'VM',
      category: 'Own',
      currency: 'TWD',
      charges: Object.keys(measured).map((name) => ({
        key: name,
        name: { zhTW: name, enUS: name },
        kind: 'usage',
        meter: name,
        model: 'per_unit',
        unitPrice: '1',
      })),
    } as never,
    { token: admin },
  ));
  ({ id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId, serviceId, startedAt: new Date('2024-09-30T16:00:00Z') },
    { token: admin },
  ));
}, 120_000);

const anEvent = fc.record({
  minute: fc.nat(hours * 60),
  value: fc.integer({ min: 0, max: 90 }).map((tenths) => String(tenths / 10)),
  region: fc.constantFrom('tpe', 'nrt', undefined),
  user: fc.constantFrom('a', 'b', 'c'),
});
const cuts = fc.uniqueArray(fc.nat(hours), { minLength: 1, maxLength: 4 });

/** The usage of every second part between `at` (hours of the month), as bills count it and from events. */
async function computed(at: readonly number[]) {
  return unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
    const subscription = required(await subscriptionById(ctx.db, id, organizationId), 'it');
    const service = (await servicesMap(ctx, [serviceId]))(serviceId);
    const all = (await metersOf(ctx, [service]))(serviceId);
    const known = all.filter((meter) => meter.key !== '');
    // Every second part, so that samples and values of the others must not count.
    const bounds = [0, ...at.toSorted((a, b) => a - b), 31 * 24].map(
      (hour) => new Date(monthStart + hour * hourMs),
    );
    const parts = bounds
      .slice(1)
      .map((to, index) => ({ from: required(bounds[index], 'a bound'), to }))
      .filter((_, index) => index % 2 === 0);
    const times = known.map((meter): MeteredTime => ({
      key: 'part',
      subscription,
      month: '2024-10' as BillingMonth,
      meter,
      ownType: ownTypeOf(all),
      parts,
      needsEvents: false,
    }));
    const ofBills = await usageOfTimes(ctx, times);
    const ofEvents = await usageFromEvents(ctx, times);
    const shown = (of: (key: string, meter: StreamMeter) => MeteredUsage | undefined) =>
      known.map((meter) => {
        const found = of('part', meter);
        return [
          meter.chargedAs,
          found && decimalText(found.usage.quantity),
          found?.count,
          found?.usage.cells.map(({ dimensions, quantity }) => [dimensions, decimalText(quantity)]),
        ];
      });
    return { counted: shown(ofBills), recounted: shown(ofEvents) };
  });
}

// Each round adds events to those of the rounds before it.
it('usage from events equals billed usage, in any parts of a month', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEvent, { minLength: 1, maxLength: 40 }), cuts, async (events, at) => {
      const wires = events.map(({ minute, value, region, user }) => ({
        specversion: '1.0',
        id: `e${sent++}`,
        source: 'events',
        type: 'vm',
        subject: id,
        time: new Date(monthStart + minute * 60_000).toISOString(),
        data: { value, user, ...(region && { region }) },
      }));
      const { rejected } = await console.ok(
        usage.ingest,
        {},
        {
          token: key,
          body: JSON.stringify(wires),
          headers: { 'content-type': 'application/cloudevents-batch+json' },
        },
      );
      expect(rejected).toEqual([]);
      const { counted, recounted } = await computed(at);
      expect(recounted).toEqual(counted);
    }),
    { numRuns: rounds, endOnFailure: true },
  );
}, 240_000);

it('usage from events stays the same once they are archived', async () => {
  const cutAt = [[10], [3, 5, 40], [71]];
  const before = await Promise.all(cutAt.map(computed));
  expect(before[0]?.counted.some(([, , count]) => Number(count) > 0)).toBe(true);
  const never = new AbortController().signal;
  for (const month of ['2024-09', '2024-10'] as BillingMonth[])
    expect(await archiveMonth(console.app, month, never, 7)).toBe(true);
  expect(await Promise.all(cutAt.map(computed))).toEqual(before);
});
