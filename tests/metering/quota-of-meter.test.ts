// A limit can name any meter of a usage charge, also one with dimensions or a filter: the exact sum over all
// values is limited.
import { beforeEach, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue, type Quota } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  admin,
  begin,
  console,
  entitled,
  fresh,
  key,
  listen,
  moveTo,
  owner,
  release,
  reserve,
  send,
  startQuotaConsole,
} from '../support/quotas.ts';

startQuotaConsole();

const byRegion = { eventType: 'call', dimensions: ['region'] };
const measured: Record<string, Partial<Meter>> = {
  calls: { eventType: 'call', aggregation: 'count' },
  traffic: { ...byRegion, aggregation: 'sum' },
  requests: { ...byRegion, aggregation: 'count' },
  peak: { ...byRegion, aggregation: 'max' },
  users: { ...byRegion, aggregation: 'unique_count', property: 'user' },
  level: { ...byRegion, aggregation: 'latest' },
  taipei: { ...byRegion, aggregation: 'sum', filter: { region: ['tpe', 'khh'] } },
  mean: { ...byRegion, aggregation: 'avg' },
  least: { ...byRegion, aggregation: 'min' },
  burst: { ...byRegion, aggregation: 'percentile', p: 95 },
  held: { ...byRegion, aggregation: 'time_weighted_average' },
};
let hasMeters = false;

beforeEach(async () => {
  await moveTo(begin.toISOString());
  if (hasMeters) return;
  hasMeters = true;
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: `${name} units`, eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
});

const charge = (of: string): Charge => ({
  key: of,
  name: { zhTW: of, enUS: of },
  kind: 'usage',
  meter: of,
  model: 'per_unit',
  unitPrice: '1',
});
const serviceOf = (charged: readonly string[], quota?: Quota) => ({
  name: `Machine ${fresh()}`,
  type: 'VM',
  category: 'Platform',
  currency: 'TWD' as const,
  charges: charged.map(charge),
  ...(quota && { quota }),
});

/** A subscription to a service with some meters and a limit. */
async function machine(charged: readonly string[], quota: Quota) {
  const made = await console.ok(catalogue.createService, serviceOf(charged, quota), { token: admin });
  const { id } = await console.ok(subscriptions.subscribe, { serviceId: made.id }, { token: owner.token });
  return { id, serviceId: made.id, quota: made.quota };
}

/** Calls at the current time. */
const call = (id: string, ...all: readonly object[]): Promise<void> =>
  send(id, ...all.map((data) => ({ data })));
/** The statistics of a charge. */
async function counted(subscriptionId: Id<'sub'>, charged: string): Promise<string> {
  const { charges } = await console.ok(usage.charges, { subscriptionId }, { token: owner.token });
  return required(
    charges.find((each) => each.key === charged),
    'the charge',
  ).quantity;
}
async function listed(subscriptionId: Id<'sub'>) {
  const { items } = await console.ok(quotas.listQuotas, {}, { token: owner.token });
  return items.find((each) => each.subscriptionId === subscriptionId);
}

describe('a hard limit on a named meter with dimensions', () => {
  it.each(['traffic', 'requests'])(
    '%s: 60 of 100 concurrent requests get a reservation, over all values together',
    async (limited) => {
      const { id } = await machine(['calls', limited], { type: 'hard', limit: '60', meter: limited });
      const answers = await Promise.all(Array.from({ length: 100 }, () => reserve(id, '1')));
      const held = answers.flatMap((each) => (each.status === 201 ? [each.data.id] : []));
      expect(held).toHaveLength(60);
      expect(
        answers.filter(({ status, envelope }) => status === 409 && envelope.code === 'quotas.exhausted'),
      ).toHaveLength(40);
      // Commits of different values while others try to reserve what they use.
      const [more] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => reserve(id, '1'))),
        ...held.map((reservationId, place) =>
          place < 10
            ? release(reservationId)
            : console.ok(
                quotas.commitReservation,
                { reservationId, data: { region: place % 2 ? 'tpe' : 'nrt' } },
                { token: key },
              ),
        ),
      ]);
      const late = more.filter(({ status }) => status === 201).length;
      expect(late).toBeLessThanOrEqual(10);
      const rest = await Promise.all(Array.from({ length: 30 }, () => reserve(id, '1')));
      expect(late + rest.filter(({ status }) => status === 201).length).toBe(10);
      expect(await entitled(id)).toMatchObject({ allowed: false, used: '50', remaining: '0' });
      expect(await counted(id, limited)).toBe('50');
      expect(await listed(id)).toMatchObject({
        used: '50',
        reserved: '10',
        limit: '60',
        unit: `${limited} units`,
        status: 'Critical',
      });
    },
  );

  it('with a filter requires commits that match it', async () => {
    const { id } = await machine(['calls', 'taipei'], { type: 'hard', limit: '10', meter: 'taipei' });
    await call(id, { value: '4', region: 'tpe' }, { value: '100', region: 'nrt' });
    expect(await entitled(id)).toMatchObject({ used: '4', remaining: '6' });
    const { id: reservationId } = required((await reserve(id, '6')).data, 'a reservation');
    const wrong = await console.call(
      quotas.commitReservation,
      { reservationId, data: { region: 'nrt' } },
      { token: key },
    );
    expect([wrong.status, wrong.envelope.code, wrong.envelope.errors?.[0]?.field]).toEqual([
      422,
      'quotas.data_not_counted',
      'data.region',
    ]);
    expect(wrong.envelope.message).toContain('khh, tpe');
    await console.ok(quotas.commitReservation, { reservationId, data: { region: 'khh' } }, { token: key });
    expect(await entitled(id)).toMatchObject({ used: '10', remaining: '0' });
    expect(await counted(id, 'taipei')).toBe('10');
  });
});

describe('the limit of a named meter', () => {
  const all = [
    { value: '3', region: 'tpe', user: 'a' },
    { value: '9', region: 'nrt', user: 'a' },
    { value: '5', region: 'tpe', user: 'b' },
    { value: '4', region: 'fra', user: 'c' },
  ];
  it.each([
    ['traffic', '21'],
    ['requests', '4'],
    ['peak', '9'],
    ['users', '3'],
    ['level', '4'],
    ['taipei', '8'],
  ])('%s: quota page, entitlement, notice and statistics show %s', async (limited, used) => {
    const { id } = await machine(['calls', limited], { type: 'soft', limit: used, meter: limited });
    const messages = await listen(() => owner.token);
    await call(id, ...all);
    expect(await counted(id, limited)).toBe(used);
    expect(await entitled(id)).toMatchObject({ used, remaining: '0' });
    expect(await listed(id)).toMatchObject({ used, percent: 100, unit: `${limited} units` });
    expect((await messages()).at(-1)).toContain(`${used} `);
  });
});

describe('meters that can be limited', () => {
  it('by default the first suitable one of a service without its own meter; a named one is kept', async () => {
    const { id, serviceId, quota } = await machine(['burst', 'traffic', 'peak'], {
      type: 'hard',
      limit: '5',
    });
    expect(quota).toEqual({ type: 'hard', limit: '5', meter: 'traffic', unit: 'traffic units' });
    await call(id, { value: '6', region: 'tpe' });
    expect(await entitled(id)).toMatchObject({ allowed: false, used: '6' });
    const change = async (next: Quota) =>
      (await console.ok(catalogue.updateService, { serviceId, quota: next }, { token: admin })).quota;
    expect(await change({ type: 'hard', limit: '8', meter: 'peak' })).toMatchObject({ meter: 'peak' });
    expect(await change({ type: 'soft', limit: '9' })).toMatchObject({ limit: '9', meter: 'peak' });
    expect(await change({ type: 'unlimited' })).toEqual({ type: 'unlimited' });
  });

  it('a plain meter is the service’s own, named or not', async () => {
    const { id, quota } = await machine(['traffic', 'calls'], { type: 'hard', limit: '3' });
    expect(quota).toEqual({ type: 'hard', limit: '3' });
    const named = await machine(['traffic', 'calls'], { type: 'hard', limit: '3', meter: 'calls' });
    for (const one of [id, named.id]) {
      await call(one, { value: '1', region: 'tpe' }, { value: '1', region: 'nrt' });
      expect(await entitled(one)).toMatchObject({ used: '2', remaining: '1' });
      expect(await listed(one)).toMatchObject({ used: '2', unit: 'calls units' });
      expect((await reserve(one, '2')).status).toBe(409);
    }
  });

  it.each([
    ['mean', 'catalogue.quota_of_avg'],
    ['least', 'catalogue.quota_of_min'],
    ['burst', 'catalogue.quota_of_percentile'],
    ['held', 'catalogue.quota_of_time_weighted_average'],
    ['peak', 'catalogue.quota_meter_unknown'],
  ])('%s is rejected at quota.meter: %s', async (limited, code) => {
    const charged = ['calls', 'traffic', ...(limited === 'peak' ? [] : [limited])];
    const sent = serviceOf(charged, { type: 'hard', limit: '5', meter: limited });
    const made = await console.call(catalogue.createService, sent, { token: admin });
    expect([made.status, made.envelope.code, made.envelope.errors?.[0]?.field]).toEqual([
      422,
      code,
      'quota.meter',
    ]);
    const { id: serviceId } = await console.ok(catalogue.createService, serviceOf(charged), { token: admin });
    const changed = await console.call(
      catalogue.updateService,
      { serviceId, quota: { type: 'hard', limit: '5', meter: limited } },
      { token: admin },
    );
    expect([changed.status, changed.envelope.code]).toEqual([422, code]);
  });
});
