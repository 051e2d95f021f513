// R-CAT-03, R-CAT-04, R-CAT-07: the life of a subscription: ordering, pausing, ending, renewing, and the
// recorded actor.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions, type Subscription } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { signIn, userPassword } from '../support/console.ts';
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
  startSubscriptionConsole,
} from '../support/subscriptions.ts';

startSubscriptionConsole();

const event = (id: string, subject: string, time: string) => ({
  specversion: '1.0',
  id,
  source: '/g',
  type: 'call',
  subject,
  time,
  data: { value: '1' },
});

describe('ordering a subscription', () => {
  it('with a quantity multiplies the fee by it', async () => {
    expect(await subscribe((await service()).id, { quantity: '2.50' })).toMatchObject({
      quantity: '2.5',
      fee: '750',
      monthlyFee: '750',
      state: 'active',
      autoRenew: true,
      trialEndsAt: null,
      termEndsAt: new Date('2026-10-31T16:00:00Z'),
      pending: null,
      pause: null,
      version: 1,
    });
  });

  it('to a yearly plan has a term of a year, a yearly fee, and shows a twelfth per month', async () => {
    expect(
      await subscribe((await service({ billingCycle: 'yearly', pricing: flat('3600') })).id),
    ).toMatchObject({
      fee: '3600',
      monthlyFee: '300',
      termEndsAt: new Date('2027-10-04T16:00:00Z'),
      endsAt: null,
    });
  });

  it('with a trial gives a number of calendar days, once per family', async () => {
    const [a, b] = [
      await service({ family: 'once', trialDays: 14 }),
      await service({ family: 'once', trialDays: 14 }),
    ];
    const first = await subscribe(a.id);
    expect(first.trialEndsAt).toEqual(new Date('2026-10-18T16:00:00Z'));
    await console.ok(subscriptions.cancel, { subscriptionId: first.id, when: 'now' }, { token });
    expect((await subscribe(b.id)).trialEndsAt).toBeNull();
  });

  it('to a service is possible twice a month at most, so that canceling and subscribing again gives no third free allowance', async () => {
    const { id } = await service();
    for (const _time of ['once', 'after a mistake'])
      await console.ok(
        subscriptions.cancel,
        { subscriptionId: (await subscribe(id)).id, when: 'now' },
        { token },
      );
    const refused = await console.call(
      subscriptions.subscribe,
      { serviceId: id },
      { token, language: 'zhTW' },
    );
    expect([refused.status, refused.envelope.code, refused.envelope.message]).toEqual([
      409,
      'subscriptions.too_often',
      '這項服務本月已開始 2 次訂閱，2026-11-01起才能再次訂閱。',
    ]);
    await moveTo('2026-10-31T16:00:00Z');
    await subscribe(id);
  });

  it.each(['0', '0.000', '-1', '1e3', '1.2345', '1000000', ''])(
    'with a quantity of "%s" is rejected, the field named',
    async (quantity) => {
      const { id } = await service();
      expect(
        await fails(
          console.call(
            subscriptions.subscribe,
            { serviceId: id },
            { token, body: JSON.stringify({ serviceId: id, quantity }) },
          ),
        ),
      ).toMatch(/^quantity: platform\.field_(invalid|required)/);
    },
  );

  it('with an unknown field is rejected', async () => {
    const { id } = await service();
    expect(
      await fails(
        console.call(
          subscriptions.subscribe,
          { serviceId: id },
          { token, body: JSON.stringify({ serviceId: id, price: '0' }) },
        ),
      ),
    ).toBe('price: platform.field_unknown');
  });

  it('to Beta needs consent; Coming Soon and hidden services cannot be ordered; nothing twice', async () => {
    const beta = await service({ releaseState: 'Beta' });
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: beta.id }, { token }))).toBe(
      'subscriptions.beta_not_accepted',
    );
    await subscribe(beta.id, { acceptBeta: true });
    for (const made of [{ releaseState: 'Coming Soon' }, { status: 'inactive' }] as const)
      expect(
        await fails(
          console.call(subscriptions.subscribe, { serviceId: (await service(made)).id }, { token }),
        ),
      ).toBe('subscriptions.service_not_available');
    expect(
      await fails(console.call(subscriptions.subscribe, { serviceId: beta.id, acceptBeta: true }, { token })),
    ).toBe('subscriptions.already_subscribed');
  });

  it('with the same key orders once; ten concurrent orders create one subscription', async () => {
    const { id } = await service();
    const headers = { 'idempotency-key': `order-${id}` };
    const same = await Promise.all(
      [1, 2, 3].map(() => console.call(subscriptions.subscribe, { serviceId: id }, { token, headers })),
    );
    expect(new Set(same.map((answer) => answer.data.id)).size).toBe(1);
    const other = await service();
    const many = await Promise.all(
      Array.from({ length: 10 }, () =>
        console.call(subscriptions.subscribe, { serviceId: other.id }, { token }),
      ),
    );
    expect(many.map((answer) => answer.status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('can begin in the past for an Admin, never in the future', async () => {
    const { id } = await service({ billingCycle: 'yearly' });
    const made = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: person.organizationId as never,
        serviceId: id,
        startedAt: new Date('2024-02-29T04:00:00Z'),
      },
      { token: admin },
    );
    expect(made.termEndsAt).toEqual(new Date('2027-02-27T16:00:00Z'));
    expect(
      await fails(
        console.call(
          subscriptions.adminSubscribe,
          {
            organizationId: person.organizationId as never,
            serviceId: (await service()).id,
            startedAt: new Date('2026-10-05T04:00:01Z'),
          },
          { token: admin },
        ),
      ),
    ).toBe('subscriptions.start_in_future');
  });
});

describe('pausing a subscription', () => {
  let made: Subscription;
  beforeEach(async () => {
    made = await subscribe((await service()).id);
  });
  const stop = (input: object) =>
    console.call(subscriptions.stop, { subscriptionId: made.id, ...input }, { token });
  const start = (input: object = {}) =>
    console.call(subscriptions.start, { subscriptionId: made.id, ...input }, { token });
  const at = (text: string): Date => new Date(text);

  it('works immediately, and so does resuming', async () => {
    expect((await stop({})).data).toMatchObject({
      state: 'paused',
      pause: { from: at('2026-10-05T04:00:00Z'), until: null },
    });
    expect((await start()).data).toMatchObject({ state: 'active', pause: null });
    expect(await fails(start())).toBe('subscriptions.transition_refused');
  });

  it('from and until a given time takes effect exactly then, however late the job runs', async () => {
    expect(
      (await stop({ at: at('2026-10-10T01:00:00Z'), resumeAt: at('2026-10-12T02:00:00Z') })).data,
    ).toMatchObject({
      state: 'active',
      pause: { from: at('2026-10-10T01:00:00Z'), until: at('2026-10-12T02:00:00Z') },
    });
    await moveTo('2026-10-10T01:00:00Z');
    expect((await one(made.id)).state).toBe('paused');
    await moveTo('2026-10-13T05:00:00Z');
    expect(await one(made.id)).toMatchObject({ state: 'active', pause: null });
    await runJob();
    expect((await moments(made.id)).slice(0, 2)).toEqual([
      '2026-10-12T02:00 start paused→active',
      '2026-10-10T01:00 stop active→paused',
    ]);
  });

  it('when scheduled can be withdrawn or rescheduled', async () => {
    await stop({ at: at('2026-10-10T01:00:00Z') });
    expect((await stop({ at: at('2026-10-11T01:00:00Z') })).data.pause).toEqual({
      from: at('2026-10-11T01:00:00Z'),
      until: null,
    });
    expect((await start()).data).toMatchObject({ state: 'active', pause: null });
    expect((await moments(made.id))[0]).toContain('take_back_stop');
  });

  it.each([
    [{ at: '2026-10-05T03:59:59Z' }, 'at: subscriptions.pause_in_past'],
    [
      { at: '2026-10-10T00:00:00Z', resumeAt: '2026-10-10T00:00:00Z' },
      'resumeAt: subscriptions.resume_before_pause',
    ],
    [{ resumeAt: '2026-10-05T04:00:00Z' }, 'resumeAt: subscriptions.resume_in_past'],
  ])('with %j is rejected', async (input, code) => {
    expect(
      await fails(stop(Object.fromEntries(Object.entries(input).map(([key, value]) => [key, at(value)])))),
    ).toBe(code);
    expect(await one(made.id)).toMatchObject({ state: 'active', pause: null, version: 1 });
  });

  it('with a resumption in the past or before the pause is rejected', async () => {
    await stop({});
    expect(await fails(start({ at: at('2026-10-01T00:00:00Z') }))).toBe('at: subscriptions.resume_in_past');
    expect((await start({ at: at('2026-10-09T00:00:00Z') })).data).toMatchObject({
      state: 'paused',
      pause: { until: at('2026-10-09T00:00:00Z') },
    });
  });

  it('rejects usage of the paused hours, and accepts late usage of earlier hours', async () => {
    const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
    const send = async (events: object[]) =>
      (
        await console.call(
          usage.ingest,
          {},
          {
            token: key,
            body: JSON.stringify(events),
            headers: { 'content-type': 'application/cloudevents-batch+json' },
          },
        )
      ).data;
    await moveTo('2026-10-05T06:00:00Z');
    await stop({});
    await moveTo('2026-10-05T07:00:00Z');
    await start();
    await moveTo('2026-10-05T08:00:00Z');
    const sent = await send([
      event(`${made.id}1`, made.id, '2026-10-05T05:59:59Z'),
      event(`${made.id}2`, made.id, '2026-10-05T06:00:00Z'),
      event(`${made.id}3`, made.id, '2026-10-05T06:59:59Z'),
      event(`${made.id}4`, made.id, '2026-10-05T07:00:00Z'),
    ]);
    expect(sent).toMatchObject({
      accepted: 2,
      rejected: [
        { index: 1, code: 'usage.subscription_not_running' },
        { index: 2, code: 'usage.subscription_not_running' },
      ],
    });
  });
});

describe('ending a subscription', () => {
  it('at the end of the month can be withdrawn until then', async () => {
    const { id } = await subscribe((await service()).id);
    const input = { subscriptionId: id };
    expect(await console.ok(subscriptions.cancel, { ...input, reason: '不再需要' }, { token })).toMatchObject(
      { state: 'cancelling', endsAt: new Date('2026-10-31T16:00:00Z') },
    );
    expect(await fails(console.call(subscriptions.cancel, input, { token }))).toBe(
      'subscriptions.transition_refused',
    );
    expect(await fails(console.call(subscriptions.change, { ...input, quantity: '2' }, { token }))).toBe(
      'subscriptions.transition_refused',
    );
    expect(await console.ok(subscriptions.start, input, { token })).toMatchObject({
      state: 'active',
      endsAt: null,
    });
    await console.ok(subscriptions.cancel, input, { token });
    await moveTo('2026-10-31T16:00:00Z');
    expect((await one(id)).state).toBe('canceled');
    expect(await fails(console.call(subscriptions.start, input, { token }))).toBe(
      'subscriptions.transition_refused',
    );
    await runJob();
    expect((await moments(id))[0]).toBe('2026-10-31T16:00 end cancelling→canceled');
  });

  it('immediately cannot be withdrawn; the service can be ordered again', async () => {
    const { id: serviceId } = await service();
    const { id } = await subscribe(serviceId);
    expect(
      await console.ok(subscriptions.cancel, { subscriptionId: id, when: 'now' }, { token }),
    ).toMatchObject({ state: 'canceled', endsAt: new Date('2026-10-05T04:00:00Z'), termEndsAt: null });
    for (const call of [subscriptions.start, subscriptions.stop, subscriptions.renew])
      expect(await fails(console.call(call, { subscriptionId: id }, { token }))).toBe(
        'subscriptions.transition_refused',
      );
    expect((await subscribe(serviceId)).id).not.toBe(id);
  });

  it('in the trial ends it with the trial; a year ends with the year', async () => {
    const trial = await subscribe((await service({ trialDays: 40 })).id);
    expect(await console.ok(subscriptions.cancel, { subscriptionId: trial.id }, { token })).toMatchObject({
      endsAt: trial.trialEndsAt,
    });
    const year = await subscribe((await service({ billingCycle: 'yearly' })).id);
    expect(await console.ok(subscriptions.cancel, { subscriptionId: year.id }, { token })).toMatchObject({
      endsAt: new Date('2027-10-04T16:00:00Z'),
    });
  });

  it('cancels scheduled changes; a paused one stays paused, also when the end is withdrawn', async () => {
    const family = `ending ${fresh()}`;
    const [small, large] = [await service({ family }), await service({ family, pricing: flat('900') })];
    const { id } = await subscribe(small.id);
    const input = { subscriptionId: id };
    await console.ok(subscriptions.change, { ...input, serviceId: large.id, when: 'end' }, { token });
    await console.ok(subscriptions.stop, input, { token });
    expect(await console.ok(subscriptions.cancel, input, { token })).toMatchObject({
      state: 'cancelling',
      pending: null,
      pause: { until: null },
    });
    expect(await console.ok(subscriptions.start, input, { token })).toMatchObject({
      state: 'paused',
      pending: null,
    });
  });
});

describe('renewing a subscription', () => {
  const renew = (id: string, more: object = {}) =>
    console.call(subscriptions.renew, { subscriptionId: id as never, ...more }, { token });

  it('is not needed if it renews automatically', async () => {
    expect(await fails(renew((await subscribe((await service()).id)).id))).toBe(
      'subscriptions.renews_itself',
    );
  });

  it('buys one more term, once however often and however many request it', async () => {
    const made = await subscribe((await service({ billingCycle: 'yearly' })).id, { autoRenew: false });
    expect(made.endsAt).toEqual(new Date('2027-10-04T16:00:00Z'));
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => renew(made.id, { termEndsAt: made.endsAt })),
    );
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThan(0);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect((await renew(made.id)).data.endsAt).toEqual(new Date('2028-10-04T16:00:00Z'));
    expect((await moments(made.id)).filter((line) => line.includes(' renew '))).toHaveLength(1);
    const { rows } = await sql<{
      count: bigint;
    }>`select count(*) as count from subscription_term where subscription_id = ${made.id}`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.count).toBe(2n);
  });

  it('is needed, otherwise it expires with its term; renewed later it begins a new one', async () => {
    const made = await subscribe((await service({ billingCycle: 'yearly' })).id, { autoRenew: false });
    await moveTo('2027-10-20T04:00:00Z');
    expect(await one(made.id)).toMatchObject({ state: 'expired', termEndsAt: null });
    await runJob();
    expect((await moments(made.id))[0]).toBe('2027-10-04T16:00 expire active→expired');
    expect((await renew(made.id, { termEndsAt: made.endsAt })).data).toMatchObject({
      state: 'active',
      endsAt: new Date('2028-10-19T16:00:00Z'),
      pause: null,
    });
    // A repeated request for a term that has ended meanwhile: it was already renewed.
    expect((await renew(made.id, { termEndsAt: made.endsAt })).data).toMatchObject({
      endsAt: new Date('2028-10-19T16:00:00Z'),
    });
  });

  it('withdraws a cancellation, and can switch automatic renewal on', async () => {
    const made = await subscribe((await service()).id, { autoRenew: false });
    expect(made.endsAt).toEqual(new Date('2026-10-31T16:00:00Z'));
    expect((await renew(made.id, { autoRenew: true })).data).toMatchObject({ autoRenew: true, endsAt: null });
    await console.ok(subscriptions.cancel, { subscriptionId: made.id }, { token });
    expect((await renew(made.id)).data).toMatchObject({ state: 'active', endsAt: null });
  });

  it('once, after it was canceled while it renewed itself, adds the month after the running one', async () => {
    const monthly = await subscribe((await service()).id);
    const before = await subscribe((await service()).id, { autoRenew: false });
    await renew(before.id, { autoRenew: true });
    await moveTo('2027-01-20T04:00:00Z');
    for (const { id } of [monthly, before]) {
      await console.ok(subscriptions.cancel, { subscriptionId: id }, { token });
      const renewed = { state: 'active', autoRenew: false, endsAt: new Date('2027-02-28T16:00:00Z') };
      expect((await renew(id, { autoRenew: false })).data).toMatchObject(renewed);
    }
  });

  it('automatically is recorded once for each year, at its beginning', async () => {
    const made = await subscribe((await service({ billingCycle: 'yearly' })).id);
    await moveTo('2028-12-01T00:00:00Z');
    await runJob();
    await runJob();
    expect((await moments(made.id)).filter((line) => line.includes('renew_by_itself'))).toEqual([
      '2028-10-04T16:00 renew_by_itself active→active',
      '2027-10-04T16:00 renew_by_itself active→active',
    ]);
    expect((await one(made.id)).termEndsAt).toEqual(new Date('2029-10-04T16:00:00Z'));
  });

  it('between terms of different length there is no change for a subscription that ends with its term', async () => {
    const family = `terms ${fresh()}`;
    const [monthly, yearly] = [
      await service({ family }),
      await service({ family, billingCycle: 'yearly', pricing: flat('12000') }),
    ];
    const { id } = await subscribe(monthly.id, { autoRenew: false });
    expect(
      await fails(
        console.call(subscriptions.change, { subscriptionId: id, serviceId: yearly.id }, { token }),
      ),
    ).toBe('subscriptions.term_fixed');
  });
});

describe('access to subscriptions', () => {
  it('a ReadOnly member can see but not change; the history hides names of the provider’s employees', async () => {
    const made = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId: person.organizationId as never, serviceId: (await service()).id },
      { token: admin },
    );
    const account = `reader${fresh()}@one.example`;
    await console.ok(
      identity.createUser,
      {
        account,
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: person.organizationId as never,
        password: userPassword,
      },
      { token: admin },
    );
    const reader = await signIn(console, account);
    expect(
      (await console.ok(subscriptions.history, { subscriptionId: made.id }, { token: reader })).items,
    ).toMatchObject([{ action: 'subscribe', by: { kind: 'operator', name: '' } }]);
    expect(
      (
        await console.ok(
          subscriptions.adminSubscriptionHistory,
          { subscriptionId: made.id },
          { token: admin },
        )
      ).items,
    ).toMatchObject([{ by: { kind: 'operator', name: 'Operator' } }]);
    for (const call of [
      subscriptions.change,
      subscriptions.previewChange,
      subscriptions.cancel,
      subscriptions.stop,
      subscriptions.start,
      subscriptions.renew,
    ])
      expect((await console.call(call, { subscriptionId: made.id }, { token: reader })).status).toBe(403);
  });

  it('the history cannot be changed in the database', async () => {
    const refused = (statement: string) =>
      sql
        .raw(statement)
        .execute(console.app.database.kysely)
        .then(
          () => false,
          () => true,
        );
    for (const statement of [
      'update subscription_phase set quantity = 9 where is_applied',
      'delete from subscription_phase where is_applied',
      'delete from subscription_pause where is_begun',
      'update subscription_pause set until_at = now() where is_over',
      'delete from subscription_term',
      'update subscription_transition set said = $$x$$',
    ])
      expect(await refused(statement), statement).toBe(true);
  });
});
