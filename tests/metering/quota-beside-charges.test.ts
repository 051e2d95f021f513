// A service with charges on several meters: its limit applies to its own meter, exactly, and budgets include
// the cost of all charges.
import { beforeEach, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { budgets } from '#features/metering/budgets/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue, type Quota } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  admin,
  begin,
  commit,
  console,
  entitled,
  fresh,
  key,
  listen,
  moveTo,
  owner,
  release,
  reserve,
  runJob,
  send,
  startQuotaConsole,
} from '../support/quotas.ts';

startQuotaConsole();

const measured: Record<string, Partial<Meter>> = {
  calls: { eventType: 'call', aggregation: 'sum' },
  traffic: { eventType: 'call', aggregation: 'sum', dimensions: ['region'] },
  disk: { eventType: 'disk', aggregation: 'max', dimensions: ['region'] },
};
let hasMeters = false;

beforeEach(async () => {
  await moveTo(begin.toISOString());
  if (hasMeters) return;
  hasMeters = true;
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: name, eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
});

const charge = (of: string, price: object): Charge =>
  ({ key: of, name: { zhTW: of, enUS: of }, kind: 'usage', meter: of, ...price }) as Charge;

/**
 * A service charged by calls, by calls per region and by disk, with a limit of calls; and a subscription to
 * it.
 */
async function machine(quota: Quota = { type: 'hard', limit: '60' }) {
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: `Machine ${fresh()}`,
      type: 'VM',
      category: 'Platform',
      currency: 'TWD',
      charges: [
        charge('calls', { model: 'per_unit', unitPrice: '2' }),
        charge('traffic', {
          model: 'matrix',
          rates: [
            { when: { region: 'tpe' }, unitPrice: '3' },
            { when: {}, unitPrice: '1' },
          ],
        }),
        charge('disk', { model: 'per_unit', unitPrice: '10' }),
      ],
      quota,
    },
    { token: admin },
  );
  const { id } = await console.ok(subscriptions.subscribe, { serviceId }, { token: owner.token });
  return { id, serviceId };
}

const chargesOf = async (subscriptionId: Id<'sub'>): Promise<Record<string, readonly [string, string]>> => {
  const { charges } = await console.ok(usage.charges, { subscriptionId }, { token: owner.token });
  return Object.fromEntries(charges.map((each) => [each.key, [each.quantity, each.cost.amount] as const]));
};

describe('a hard limit on one of several meters', () => {
  it('gives 60 of 100 concurrent requests a reservation, while other meters count events of their own', async () => {
    const { id } = await machine();
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => reserve(id, '1'))),
      ...Array.from({ length: 20 }, (_, place) =>
        send(id, { type: 'disk', data: { value: String(1000 + place), region: place % 2 ? 'tpe' : 'nrt' } }),
      ),
    ]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(
      answers.filter(({ status, envelope }) => status === 409 && envelope.code === 'quotas.exhausted'),
    ).toHaveLength(40);
    // Commits are events of the own meter: with data they feed the other meters that they match.
    const held = answers.flatMap((each) => (each.status === 201 ? [each.data.id] : []));
    await Promise.all(
      held.map((reservationId, place) =>
        place < 10
          ? release(reservationId)
          : console.ok(quotas.commitReservation, { reservationId, data: { region: 'tpe' } }, { token: key }),
      ),
    );
    expect(await entitled(id)).toMatchObject({ used: '50', remaining: '10' });
    expect(await chargesOf(id)).toMatchObject({
      calls: ['50', '100'],
      traffic: ['50', '150'],
      disk: ['1019', '10190'],
    });
    const more = await Promise.all(Array.from({ length: 30 }, () => reserve(id, '1')));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(10);
  });

  it('gets units back from corrections on every meter; late events count for their own month', async () => {
    const { id } = await machine({ type: 'hard', limit: '10' });
    await send(
      id,
      { id: 'one', data: { value: '6', region: 'tpe' } },
      { id: 'two', data: { value: '4', region: 'nrt' } },
    );
    expect(await entitled(id)).toMatchObject({ allowed: false, used: '10', remaining: '0' });
    const before = await chargesOf(id);
    await send(id, { type: 'call.void', data: { id: 'one', source: '/q' } });
    expect(await entitled(id)).toMatchObject({ allowed: true, used: '4', remaining: '6' });
    const after = await chargesOf(id);
    expect([before['calls'], after['calls']]).toEqual([
      ['10', '20'],
      ['4', '8'],
    ]);
    expect([before['traffic'], after['traffic']]).toEqual([
      ['10', '22'],
      ['4', '4'],
    ]);
    const { id: reservationId } = required((await reserve(id, '6')).data, 'a reservation');
    expect((await reserve(id, '0.5')).status).toBe(409);
    // The next month begins; a late event of the last one uses nothing of its limit.
    await moveTo('2026-11-01T04:00:00Z');
    await send(id, {
      time: new Date('2026-10-30T04:00:00Z'),
      data: { value: '3', region: 'tpe' },
    });
    expect(await entitled(id)).toMatchObject({ used: '0' });
    await send(id, { data: { value: '1', region: 'tpe' } });
    expect(await entitled(id)).toMatchObject({ used: '1' });
    const october = await console.ok(
      usage.charges,
      { subscriptionId: id, month: '2026-10' as never },
      { token: owner.token },
    );
    expect(october.charges.find((each) => each.key === 'calls')?.quantity).toBe('7');
    // It expired with October; November has room for it.
    expect((await commit(reservationId)).data).toMatchObject({ quantity: '6', remaining: '3' });
  });
});

describe('budgets', () => {
  it('include the cost of all charges, and notify when another meter’s charge crosses a threshold', async () => {
    const { id, serviceId } = await machine({ type: 'unlimited' });
    await send(id, { data: { value: '5', region: 'tpe' } });
    await console.ok(
      budgets.createBudget,
      { name: 'Machine', amount: money(1000n, 'TWD'), serviceId, thresholds: [50, 100] },
      { token: owner.token },
    );
    const actual = async () =>
      required(
        (await console.ok(budgets.listBudgets, {}, { token: owner.token })).items.find(
          ({ service }) => service?.id === serviceId,
        ),
        'the budget',
      );
    const first = await actual();
    // 5 calls at 2, and at 3 by their region.
    expect(first.actual).toBe('25');
    const messages = await listen(() => owner.token);
    const check = () => runJob('budgets.check', { organizationId: owner.organizationId });
    await check();
    expect(await messages()).toEqual([]);
    await send(id, { type: 'disk', data: { value: '60', region: 'tpe' } });
    await check();
    expect((await actual()).actual).toBe('625');
    expect(await messages()).toHaveLength(1);
    await send(id, { type: 'disk', data: { value: '99', region: 'nrt' } });
    await check();
    expect((await actual()).actual).toBe('1015');
    expect(await messages()).toHaveLength(2);
  });
});
