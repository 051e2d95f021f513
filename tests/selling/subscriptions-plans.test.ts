// R-CAT-07: changing plan or quantity: immediately, at the end of the term, withdrawn, rejected,
// concurrently; and the job that applies it.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  admin,
  console,
  fails,
  flat,
  fresh,
  moments,
  moveTo,
  one,
  person,
  runJob,
  service,
  subscribe,
  token,
  type Made,
  startSubscriptionConsole,
} from '../support/subscriptions.ts';

startSubscriptionConsole();

describe('changing the plan', () => {
  let plans: { small: string; large: string; other: string; yearly: string };
  let id: string;
  beforeEach(async () => {
    const family = `family ${fresh()}`;
    const make = async (fee: string, more: Made = {}): Promise<string> =>
      (await service({ family, pricing: flat(fee), ...more })).id;
    plans = {
      small: await make('300'),
      large: await make('900'),
      other: await make('300'),
      yearly: await make('12000', { billingCycle: 'yearly' }),
    };
    id = (await subscribe(plans.small)).id;
  });
  const change = (input: object, options: object = { token }) =>
    console.call(subscriptions.change, { subscriptionId: id as never, ...input }, options);

  it('offers the plans of the family, cheapest first, with the effect of each', async () => {
    const { items } = await console.ok(subscriptions.listPlans, { subscriptionId: id as never }, { token });
    expect(items.map((plan) => [plan.monthlyFee, plan.direction, plan.isCurrent])).toEqual([
      ['300', 'equal', true],
      ['300', 'equal', false],
      ['900', 'upgrade', false],
      ['1000', 'upgrade', false],
    ]);
  });

  it('applies an upgrade immediately, a downgrade at the end of the month, and can be withdrawn until then', async () => {
    expect((await change({ serviceId: plans.large, reason: 'More traffic' })).data).toMatchObject({
      service: { id: plans.large },
      pending: null,
    });
    expect((await change({ serviceId: plans.small })).data).toMatchObject({
      service: { id: plans.large },
      pending: { service: { id: plans.small }, quantity: '1', at: new Date('2026-10-31T16:00:00Z') },
    });
    expect(await fails(change({ serviceId: plans.other }))).toBe('subscriptions.change_pending');
    expect(
      await console.ok(subscriptions.takeBackChange, { subscriptionId: id as never }, { token }),
    ).toMatchObject({ pending: null });
    expect(
      await fails(console.call(subscriptions.takeBackChange, { subscriptionId: id as never }, { token })),
    ).toBe('subscriptions.no_pending_change');
    const { items } = await console.ok(subscriptions.history, { subscriptionId: id as never }, { token });
    expect(items.map((each) => each.action)).toEqual([
      'take_back_change',
      'schedule_change',
      'change',
      'subscribe',
    ]);
    expect(items[2]).toMatchObject({
      by: { kind: 'person', name: 'owner' },
      reason: 'More traffic',
      quantity: '1',
      effectiveAt: new Date('2026-10-05T04:00:00Z'),
    });
  });

  it('takes effect at its time, whether or not the job has run', async () => {
    await change({ serviceId: plans.large });
    await change({ serviceId: plans.small });
    await moveTo('2026-10-31T16:00:00Z');
    expect(await one(id)).toMatchObject({ service: { id: plans.small }, pending: null });
    await moveTo('2026-10-31T19:00:00Z');
    await runJob();
    expect(await one(id)).toMatchObject({ service: { id: plans.small }, pending: null });
    expect((await moments(id))[0]).toBe('2026-10-31T16:00 change active→active');
    await runJob();
    expect((await moments(id)).filter((line) => line.includes('T16:00'))).toHaveLength(1);
  });

  it('works the same for a quantity', async () => {
    expect((await change({ quantity: '3' })).data).toMatchObject({ quantity: '3', fee: '900' });
    expect((await change({ quantity: '2' })).data).toMatchObject({
      quantity: '3',
      pending: { quantity: '2' },
    });
  });

  it('can be scheduled for an upgrade, and must be for a downgrade', async () => {
    expect((await change({ serviceId: plans.large, when: 'end' })).data).toMatchObject({
      service: { id: plans.small },
      pending: { at: new Date('2026-10-31T16:00:00Z') },
    });
    await console.ok(subscriptions.takeBackChange, { subscriptionId: id as never }, { token });
    await change({ serviceId: plans.large });
    expect(await fails(change({ serviceId: plans.small, when: 'now' }))).toBe(
      'when: subscriptions.downgrade_waits',
    );
  });

  it('is rejected with the field named where it is impossible, and nothing is half done', async () => {
    const family = (await one(id)).service.family;
    const before = await moments(id);
    const cases: [Made, string][] = [
      [{}, 'other_family'],
      [{ family, pricing: flat('1', 'USD') }, 'other_currency'],
      [{ family, status: 'inactive' }, 'plan_not_available'],
      [{ family, releaseState: 'Coming Soon' }, 'plan_not_available'],
      [{ family, meter: { eventType: 'call', aggregation: 'max', unit: 'requests' } }, 'other_meter'],
    ];
    for (const [made, code] of cases) {
      const target = await service(made);
      expect(await fails(change({ serviceId: target.id }))).toBe(`serviceId: subscriptions.${code}`);
      expect(
        await fails(
          console.call(
            subscriptions.previewChange,
            { subscriptionId: id as never, serviceId: target.id },
            { token },
          ),
        ),
      ).toBe(`serviceId: subscriptions.${code}`);
    }
    const gone = await service({ family });
    await console.ok(catalogue.deleteService, { serviceId: gone.id }, { token: admin });
    expect(await fails(change({ serviceId: gone.id }))).toBe('serviceId: subscriptions.plan_not_found');
    await subscribe(plans.other);
    expect(await fails(change({ serviceId: plans.other }))).toBe('serviceId: subscriptions.plan_taken');
    expect(await fails(change({}))).toBe('subscriptions.same_plan');
    expect(await fails(change({}, { token, body: '{"quantity":"0"}' }))).toBe(
      'quantity: platform.field_invalid',
    );
    expect(await fails(change({}, { token, body: '{"plan":"x"}' }))).toBe('plan: platform.field_unknown');
    expect(
      await fails(
        change({ serviceId: (await service({ family, releaseState: 'Beta', pricing: flat('5000') })).id }),
      ),
    ).toBe('subscriptions.beta_not_accepted');
    expect(await moments(id)).toEqual(before);
    expect(await one(id)).toMatchObject({ service: { id: plans.small }, pending: null, version: 1 });
  });

  it('R-CAT-07: from a plan with a fee for whole periods is possible at their end, which the error message shows', async () => {
    const family = `Whole ${fresh()}`;
    const card = (name: string, fee: object) =>
      console.ok(
        catalogue.createService,
        {
          name: `${name} ${fresh()}`,
          type: 'API',
          category: 'Platform',
          family,
          currency: 'TWD',
          charges: [
            {
              key: 'support',
              name: { zhTW: '支援費', enUS: 'Support fee' },
              kind: 'recurring',
              model: 'flat',
              amount: '900',
              ...fee,
            },
          ],
        } as never,
        { token: admin },
      );
    const other = await card('Bigger', { amount: '99000' });
    const cases = [
      [{ prorate: 'none' }, 'when', 'undivided_waits', null],
      [{ prorate: 'none', cycle: 'year' }, 'serviceId', 'undivided_until', ['2027年1月1日', 'Jan 1, 2027']],
      [
        { prorate: 'none', cycle: 'quarter', anchor: 'anniversary' },
        'serviceId',
        'undivided_until',
        ['2027年1月5日', 'Jan 5, 2027'],
      ],
      [
        { prorate: 'none', cycle: 'week' },
        'serviceId',
        'undivided_until',
        ['2026年10月12日', 'Oct 12, 2026'],
      ],
      [{ prorate: 'day', cycle: 'year' }, null, null, null],
      [{ prorate: 'second', cycle: 'week', anchor: 'anniversary' }, null, null, null],
    ] as const;
    for (const [fee, field, code, days] of cases) {
      const subscribed = await subscribe((await card('Whole', fee)).id);
      const to = (language: 'zhTW' | 'enUS', more: object = {}) =>
        console.call(
          subscriptions.previewChange,
          { subscriptionId: subscribed.id as never, serviceId: other.id as never, ...more },
          { token, language },
        );
      // The 6th: on its first day a plan is treated as if it had never existed.
      await moveTo('2026-10-06T04:00:00Z');
      const [chinese, english] = [await to('zhTW'), await to('enUS')];
      if (field === null) expect(chinese.data).not.toBeNull();
      else {
        expect(chinese.envelope.errors?.[0]).toMatchObject({ field, code: `subscriptions.${code}` });
        expect(chinese.envelope.errors?.[0]?.message).toContain('「支援費」');
        expect(english.envelope.errors?.[0]?.message).toContain('Support fee');
        expect(chinese.envelope.errors?.[0]?.message).toContain(days?.[0] ?? '本期結束時');
        expect(english.envelope.errors?.[0]?.message).toContain(days?.[1] ?? 'At the end of the term');
        // The change itself is rejected like its preview.
        expect(
          await fails(
            console.call(
              subscriptions.change,
              { subscriptionId: subscribed.id as never, serviceId: other.id as never },
              { token },
            ),
          ),
        ).toBe(`${field}: subscriptions.${code}`);
      }
      // The date in the message works.
      if (code === 'undivided_waits') expect((await to('enUS', { when: 'end' })).data).not.toBeNull();
      if (days) {
        await moveTo(`${new Date(days[1]).toLocaleDateString('sv')}T03:00:00Z`);
        expect((await to('enUS')).data).not.toBeNull();
      }
      await moveTo('2026-10-05T04:00:00Z');
    }
  });

  it('prevents ordering the scheduled plan separately', async () => {
    await change({ serviceId: plans.large, when: 'end' });
    expect(
      await fails(console.call(subscriptions.subscribe, { serviceId: plans.large as never }, { token })),
    ).toBe('subscriptions.already_subscribed');
  });

  it('prevents deleting a service that had a subscription', async () => {
    await change({ serviceId: plans.large });
    expect(
      await fails(
        console.call(catalogue.deleteService, { serviceId: plans.small as never }, { token: admin }),
      ),
    ).toBe('catalogue.still_used');
  });

  it('twice at once: one succeeds, the other is rejected', async () => {
    const { version } = await one(id);
    const answers = await Promise.all([
      change({ serviceId: plans.large, version }),
      change({ serviceId: plans.yearly, version }),
    ]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.envelope.code).toBe(
      'subscriptions.changed_meanwhile',
    );
    const { rows } = await sql<{
      count: bigint;
    }>`select count(*) as count from subscription_phase where subscription_id = ${id}`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.count).toBe(2n);
  });

  it('that waited for another one’s lock is rejected, too, even without a version', async () => {
    const { kysely } = console.app.database;
    const waiting = await kysely.transaction().execute(async (other) => {
      await sql`update subscription set version = version + 1 where id = ${id}`.execute(other);
      const answer = change({ serviceId: plans.large });
      // It waits in the database for the lock of this transaction; other databases of the server have other
      // waiting tests.
      for (;;) {
        const { rows } = await sql<{
          waits: boolean;
        }>`select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
          kysely,
        );
        if (rows[0]?.waits) return { answer };
      }
    });
    expect(await fails(waiting.answer)).toBe('subscriptions.changed_meanwhile');
  });

  it('to a yearly plan starts the year on the day of the change', async () => {
    expect((await change({ serviceId: plans.yearly })).data).toMatchObject({
      service: { id: plans.yearly },
      termEndsAt: new Date('2027-10-04T16:00:00Z'),
    });
    expect((await change({ serviceId: plans.small })).data).toMatchObject({
      pending: { at: new Date('2027-10-04T16:00:00Z') },
    });
  });
});

describe('the job', () => {
  it('continues with the others when one fails, and reports it', async () => {
    const family = `stuck ${fresh()}`;
    const [small, large] = [await service({ family }), await service({ family, pricing: flat('900') })];
    const [stuck, fine] = [(await subscribe(small.id)).id, (await subscribe((await service()).id)).id];
    await console.ok(
      subscriptions.change,
      { subscriptionId: stuck, serviceId: large.id, when: 'end' },
      { token },
    );
    await console.ok(subscriptions.cancel, { subscriptionId: fine }, { token });
    // A plan with a pending change cannot be ordered, so the conflicting subscription is inserted directly.
    await sql`insert into subscription (id, organization_id, service_id, state, started_at, created_at) values ('sub_by_hand', ${person.organizationId}, ${large.id}, 'active', now(), now())`.execute(
      console.app.database.kysely,
    );
    await moveTo('2026-10-31T16:00:00Z');
    await expect(runJob()).rejects.toThrow(/subscription_open/);
    expect((await moments(fine))[0]).toContain('end cancelling→canceled');
    expect((await moments(stuck))[0]).not.toContain('2026-10-31T16:00');
    // The charges still follow the plan’s schedule.
    expect((await one(stuck)).service.id).toBe(large.id);
    await sql`delete from subscription where id = 'sub_by_hand'`.execute(console.app.database.kysely);
    await runJob();
    expect((await moments(stuck))[0]).toBe('2026-10-31T16:00 change active→active');
  });
});
