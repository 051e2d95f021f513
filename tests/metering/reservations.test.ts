// Reservations: a hard limit is exact, however many are requested concurrently and whatever else happens
// meanwhile.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  admin,
  begin,
  commit,
  console,
  entitled,
  key,
  limited,
  meter,
  moveTo,
  owner,
  platformKey,
  quotaOf,
  release,
  reserve,
  runJob,
  startQuotaConsole,
} from '../support/quotas.ts';
import { registerUser } from '../support/console.ts';

startQuotaConsole();

beforeEach(() => moveTo(begin.toISOString()));

/** The stored events of a subscription, oldest first. */
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{
    source: string;
    event_id: string;
    value: string;
    time: Date;
  }>`select s.source, e.event_id, e.value, e.time from usage_event e join usage_source s on s.id = e.source_id where e.subscription_id = ${id} order by e.time`.execute(
    console.app.database.kysely,
  );
  return rows.map((row) => `${row.source} ${row.event_id} ${row.value} ${row.time.toISOString()}`);
}

describe('a hard limit with many callers', () => {
  it('gives exactly 60 of 100 concurrent requests a reservation, and tells the others the remainder', async () => {
    const { id } = await limited({ quota: { type: 'hard', limit: '60' } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => reserve(id, '1')));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(60);
    expect(
      answers.filter((each) => each.status === 409 && each.envelope.code === 'quotas.exhausted'),
    ).toHaveLength(40);
    expect(answers.find((each) => each.status === 409)?.envelope.message).toBe(
      'The quota does not allow this: 0 of 60 requests are used, 60 reserved, 0 remain.',
    );
    // Each response has another remainder, so the sixty of them count down.
    expect(
      answers
        .flatMap((each) => (each.status === 201 ? [Number(each.data.remaining)] : []))
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 60 }, (_, left) => left));
    expect(await entitled(id)).toMatchObject({ allowed: false, used: '0', limit: '60', remaining: '0' });
  });

  it('never gives more than there is, with usage, commits and releases in between', async () => {
    const { id } = await limited({ quota: { type: 'hard', limit: '40' } });
    await meter(id, '3.5');
    const callers = Array.from({ length: 60 }, async (_, place) => {
      const held = await reserve(id, '1.5');
      if (held.status !== 201) return '0';
      if (place % 3 === 0) return (await release(held.data.id)).data.quantity;
      return (await commit(held.data.id, place % 3 === 1 ? '1' : undefined)).data.quantity;
    });
    await Promise.all(callers);
    const { used, remaining } = await entitled(id);
    expect(Number(used)).toBeLessThanOrEqual(40);
    expect(Number(used) + Number(remaining)).toBe(40);
    // Exactly the returned units can be reserved again.
    const rest = Number(remaining);
    const more = await Promise.all(Array.from({ length: 100 }, () => reserve(id, '0.5')));
    expect(more.filter((each) => each.status === 201)).toHaveLength(Math.floor(rest / 0.5));
  });

  it('counts a reservation while it is being committed', async () => {
    const { id } = await limited({ quota: { type: 'hard', limit: '20' } });
    const held = await Promise.all(Array.from({ length: 20 }, () => reserve(id, '1')));
    const [, attempts] = await Promise.all([
      Promise.all(held.map((each) => commit(each.data.id))),
      Promise.all(Array.from({ length: 40 }, () => reserve(id, '1'))),
    ]);
    expect(attempts.every((each) => each.status === 409)).toBe(true);
    expect(await entitled(id)).toMatchObject({ used: '20', remaining: '0' });
  });

  it('never delays metering, and includes what metering counts', async () => {
    const { id } = await limited({ quota: { type: 'hard', limit: '10' } });
    expect((await reserve(id, '6')).data.remaining).toBe('4');
    await meter(id, '50');
    expect((await reserve(id, '0.000000000001')).status).toBe(409);
    expect(await entitled(id)).toMatchObject({ allowed: false, used: '50', remaining: '0' });
    await meter(id, '-49');
    expect((await reserve(id, '3')).data.remaining).toBe('0');
  });
});

describe('the end of a reservation', () => {
  it('a commit counts the used quantity once, however often it is repeated, and returns the rest', async () => {
    const { id } = await limited();
    const held = (await reserve(id, '10', { reference: 'job 7' })).data;
    expect(held).toEqual({
      id: held.id,
      quantity: '10',
      remaining: '90',
      expiresAt: new Date(begin.getTime() + 60_000),
    });
    expect((await commit(held.id, '4.5')).data).toEqual({ id: held.id, quantity: '4.5', remaining: '95.5' });
    const repeats = await Promise.all([commit(held.id, '4.5'), commit(held.id), commit(held.id, '4.5')]);
    expect(repeats.map((each) => [each.status, each.data.quantity, each.data.remaining])).toEqual(
      Array.from({ length: 3 }, () => [200, '4.5', '95.5']),
    );
    expect((await commit(held.id, '5')).envelope.code).toBe('quotas.reservation_committed');
    expect((await release(held.id)).envelope.code).toBe('quotas.reservation_committed');
    expect(await eventsOf(id)).toEqual([`/reservations ${held.id} 4.5 ${begin.toISOString()}`]);
  });
  it('a commit cannot exceed the reservation', async () => {
    const { id } = await limited();
    const held = (await reserve(id, '2')).data;
    const answer = await commit(held.id, '2.1');
    expect([answer.status, answer.envelope.errors?.[0]]).toMatchObject([
      400,
      { field: 'quantity', code: 'quotas.more_than_reserved' },
    ]);
    expect((await entitled(id)).remaining).toBe('98');
  });
  it('a release returns all of it, and can be repeated safely', async () => {
    const { id } = await limited();
    const held = (await reserve(id, '100')).data;
    expect((await entitled(id)).allowed).toBe(false);
    for (let time = 0; time < 2; time++)
      expect((await release(held.id)).data).toEqual({ id: held.id, quantity: '0', remaining: '100' });
    expect((await commit(held.id)).envelope.code).toBe('quotas.reservation_released');
    expect(await entitled(id)).toMatchObject({ allowed: true, used: '0', remaining: '100' });
  });
  it('an expired one holds nothing; a late commit succeeds if the limit allows it', async () => {
    const { id } = await limited();
    const [first, second] = [
      (await reserve(id, '60', { ttlSeconds: 30 })).data,
      (await reserve(id, '40', { ttlSeconds: 30 })).data,
    ];
    console.clock.advance(30_000);
    expect((await entitled(id)).remaining).toBe('100');
    expect((await reserve(id, '50')).data.remaining).toBe('50');
    const refused = await commit(first.id);
    expect([refused.status, refused.envelope.code]).toEqual([409, 'quotas.exhausted']);
    expect((await commit(second.id)).data).toMatchObject({ quantity: '40', remaining: '10' });
    // Committed with less than was reserved, it fits.
    expect((await commit(first.id, '10')).data).toMatchObject({ quantity: '10', remaining: '0' });
    expect(await entitled(id)).toMatchObject({ used: '50', remaining: '0' });
  });
  it('data of a commit is stored, and must match the meter’s schema', async () => {
    const { id } = await limited({
      meter: {
        dataSchema: { type: 'object', required: ['region'], properties: { region: { enum: ['tpe'] } } },
      },
    });
    const held = (await reserve(id, '10')).data;
    const send = (data: Record<string, unknown>) =>
      console.call(quotas.commitReservation, { reservationId: held.id, quantity: '4', data }, { token: key });
    const refused = await send({ region: 'nrt' });
    expect([refused.status, refused.envelope.code, refused.envelope.message]).toEqual([
      409,
      'quotas.usage_refused',
      expect.stringContaining('data.region'),
    ]);
    expect((await send({ region: 'tpe', nul: '\u0000' })).status).toBe(409);
    expect(await entitled(id)).toMatchObject({ used: '0', remaining: '90' });
    expect((await send({ region: 'tpe', value: '999' })).data).toMatchObject({
      quantity: '4',
      remaining: '96',
    });
    expect(
      (
        await sql<{
          properties: unknown;
        }>`select properties from usage_event where subscription_id = ${id}`.execute(
          console.app.database.kysely,
        )
      ).rows,
    ).toEqual([{ properties: { region: 'tpe' } }]);
  });
  it('an organization sees its reservations with the creator’s reference, and a user may release them', async () => {
    const { id } = await limited();
    const [later, sooner] = [
      (await reserve(id, '2.50', { ttlSeconds: 600, reference: 'job 7' })).data,
      (await reserve(id, '1')).data,
    ];
    const ask = (token: string) => console.call(quotas.listReservations, { subscriptionId: id }, { token });
    expect((await ask(owner.token)).data).toEqual({
      unit: 'requests',
      total: 2,
      items: [
        { id: sooner.id, quantity: '1', reference: '', createdAt: begin, expiresAt: sooner.expiresAt },
        { id: later.id, quantity: '2.5', reference: 'job 7', createdAt: begin, expiresAt: later.expiresAt },
      ],
    });
    const other = await registerUser(
      console,
      `other${Math.trunc(performance.now() * 1000)}@two.example`,
      'Two',
    );
    expect([
      (await ask(other.token)).status,
      (await release(later.id, { token: other.token })).status,
    ]).toEqual([404, 404]);
    expect((await release(later.id, { token: owner.token })).data).toEqual({
      id: later.id,
      quantity: '0',
      remaining: '99',
    });
    console.clock.advance(60_000);
    expect((await ask(owner.token)).data.items).toEqual([]);
  });
  it('calls with an idempotency key can be repeated safely', async () => {
    const { id } = await limited();
    const headers = { 'idempotency-key': 'once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => reserve(id, '10', {}, { headers })));
    expect(new Set(answers.map((each) => each.data.id)).size).toBe(1);
    expect((await entitled(id)).remaining).toBe('90');
    expect((await reserve(id, '11', {}, { headers })).status).toBe(409);
  });
  it('a reservation belongs to the month of its creation in the organization’s time zone', async () => {
    const { id } = await limited();
    // 23:59 on the last of October in Taipei.
    await moveTo('2026-10-31T15:59:00Z');
    const [active, late] = [
      (await reserve(id, '70', { ttlSeconds: 3600 })).data,
      (await reserve(id, '20', { ttlSeconds: 90 })).data,
    ];
    await moveTo('2026-10-31T16:01:00Z');
    expect(await entitled(id)).toMatchObject({
      used: '0',
      remaining: '100',
      resetsAt: new Date('2026-11-30T16:00:00Z'),
    });
    expect((await commit(active.id)).data).toMatchObject({ quantity: '70', remaining: '100' });
    // This reservation expired, so it counts in the month of its commit.
    expect((await commit(late.id)).data).toMatchObject({ quantity: '20', remaining: '80' });
    expect(await eventsOf(id)).toEqual([
      `/reservations ${active.id} 70 2026-10-31T15:59:00.000Z`,
      `/reservations ${late.id} 20 2026-10-31T16:01:00.000Z`,
    ]);
  });
  it('the job marks expired reservations, and deletes those that ended long ago', async () => {
    const { id } = await limited();
    const held = (await reserve(id, '90', { ttlSeconds: 5 })).data;
    expect(await quotaOf(id)).toMatchObject({ used: '0', reserved: '90', percent: 90, status: 'Warning' });
    console.clock.advance(5000);
    await runJob('quotas.tidy');
    const states = async () =>
      (
        await sql<{ state: string }>`select state from quota_reservation where id = ${held.id}`.execute(
          console.app.database.kysely,
        )
      ).rows;
    expect(await states()).toEqual([{ state: 'expired' }]);
    await moveTo('2026-12-05T04:00:00Z');
    await runJob('quotas.tidy');
    expect(await states()).toEqual([]);
  });
});

describe('what can be reserved', () => {
  it('anything without a limit, or with a soft one', async () => {
    const [soft, none] = [
      await limited({ quota: { type: 'soft', limit: '5' } }),
      await limited({ quota: { type: 'unlimited' } }),
    ];
    expect((await reserve(soft.id, '50')).data).toMatchObject({ quantity: '50', remaining: '0' });
    expect((await reserve(none.id, '50')).data).toMatchObject({ quantity: '50', remaining: null });
    expect(await entitled(none.id)).toMatchObject({ allowed: true, limit: null, remaining: null });
  });
  it('at most the maximum of one event', async () => {
    const none = await limited({ quota: { type: 'unlimited' } });
    expect((await reserve(none.id, '999999999999999')).status).toBe(201);
    expect((await reserve(none.id, '1000000000000000')).envelope.code).toBe('quotas.quantity_too_large');
  });
  it('whole events of a count, each of which is one when it is committed', async () => {
    const { id } = await limited({ quota: { type: 'hard', limit: '10' }, meter: { aggregation: 'count' } });
    for (const quantity of ['1.5', '1001'])
      expect((await reserve(id, quantity)).envelope.code).toBe('quotas.whole_only');
    const held = (await reserve(id, '4')).data;
    expect((await commit(held.id, '3')).data).toMatchObject({ quantity: '3', remaining: '7' });
    expect((await commit(held.id)).data).toMatchObject({ quantity: '3', remaining: '7' });
  });
  it.each(['max', 'latest', 'time_weighted_average', 'unique_count'] as const)(
    'nothing of %s, which cannot be counted in advance; its entitlement is returned',
    async (aggregation) => {
      const { id } = await limited({
        meter: { aggregation, ...(aggregation === 'unique_count' && { property: 'user' }) },
      });
      await meter(id, '7');
      const answer = await reserve(id, '1');
      expect([answer.status, answer.envelope.message]).toEqual([
        422,
        `Usage that is measured as ${aggregation} cannot be counted in advance, so nothing of it can be reserved.`,
      ]);
      const used = { max: '7', latest: '7', time_weighted_average: '0', unique_count: '0' }[aggregation];
      expect(await entitled(id)).toMatchObject({ allowed: true, used, limit: '100' });
    },
  );
  it('nothing of a paused or ended subscription', async () => {
    const { id } = await limited();
    await console.ok(subscriptions.stop, { subscriptionId: id }, { token: owner.token });
    expect((await reserve(id, '1')).envelope.code).toBe('quotas.not_running');
    expect((await entitled(id)).allowed).toBe(false);
  });
  it.each(['0', '-1', '1e3', '0.0000000000001', ''])('no quantity like "%s"', async (quantity) => {
    const { id } = await limited();
    expect((await reserve(id, '1', {}, { body: JSON.stringify({ quantity }) })).status).toBe(400);
  });
});

describe('access to reservations', () => {
  it('foreign subscriptions and reservations do not exist; the platform’s own key can use all', async () => {
    const { id } = await limited();
    const other = await registerUser(console, `other${Math.trunc(performance.now())}@two.example`, 'Two');
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: 'theirs', scope: 'metering', organizationId: other.organizationId as never },
      { token: admin },
    );
    const held = (await reserve(id, '5', {}, { token: platformKey })).data;
    for (const [foreign, code] of [
      [await reserve(id, '1', {}, { token: secret }), 'quotas.subscription_not_found'],
      [await commit(held.id, undefined, { token: secret }), 'quotas.reservation_not_found'],
      [await release(held.id, { token: secret }), 'quotas.reservation_not_found'],
    ] as const)
      expect([foreign.status, foreign.envelope.code]).toEqual([404, code]);
    expect((await commit(held.id, undefined, { token: platformKey })).data.quantity).toBe('5');
    expect(
      (await console.call(quotas.reserve, { subscriptionId: id, quantity: '1' }, { token: owner.token }))
        .status,
    ).toBe(403);
  });
});

type Step = { what: 'reserve' | 'commit' | 'release' | 'meter' | 'wait'; amount: number; which: number };
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('reserve', 'reserve', 'commit', 'release', 'meter', 'wait'),
    amount: fc.integer({ min: 1, max: 40 }),
    which: fc.nat(5),
  }),
  { minLength: 5, maxLength: 18 },
);
/** A model of a limit in whole numbers. */
class Model {
  used = 0;
  now = 0;
  readonly held: { id: string; amount: number; until: number; state: 'held' | 'ended' }[] = [];
  readonly limit = 100;
  get reserved(): number {
    return this.held
      .filter((one) => one.state === 'held' && one.until > this.now)
      .reduce((sum, one) => sum + one.amount, 0);
  }
  get remaining(): number {
    return Math.max(0, this.limit - this.used - this.reserved);
  }
  gives(amount: number): boolean {
    return this.used + this.reserved + amount <= this.limit;
  }
}

describe('any sequence of calls', () => {
  it('is accepted and rejected as by a small model', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        console.clock.set(begin);
        const { id } = await limited();
        const model = new Model();
        for (const step of all) await take(step, id, model);
        expect((await quotaOf(id)).reserved).toBe(String(model.reserved));
      }),
      { numRuns: 25 },
    );
  });
});

async function take({ what, amount, which }: Step, id: string, model: Model): Promise<void> {
  const chosen = model.held[which % Math.max(1, model.held.length)];
  if (what === 'wait') {
    console.clock.advance(amount * 1000);
    model.now += amount;
  } else if (what === 'meter') {
    await meter(id, String(amount));
    model.used += amount;
  } else if (what === 'reserve') {
    const answer = await reserve(id, String(amount), { ttlSeconds: 45 });
    expect(answer.status).toBe(model.gives(amount) ? 201 : 409);
    if (answer.status === 201)
      model.held.push({ id: answer.data.id, amount, until: model.now + 45, state: 'held' });
  } else if (chosen?.state === 'held') {
    const isOver = chosen.until <= model.now;
    const part = Math.min(amount, chosen.amount);
    const answer = what === 'commit' ? await commit(chosen.id, String(part)) : await release(chosen.id);
    const isGiven = what === 'release' || !isOver || model.gives(part);
    expect(answer.status).toBe(isGiven ? 200 : 409);
    if (isGiven) chosen.state = 'ended';
    if (isGiven && what === 'commit') model.used += part;
  }
  expect(await entitled(id)).toMatchObject({
    used: String(model.used),
    remaining: String(model.remaining),
    allowed: model.remaining > 0,
  });
}
