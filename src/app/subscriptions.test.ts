// R-CAT-03, R-CAT-04, R-CAT-07: the life of a subscription over the real console: ordering, changing, pausing, ending, renewing, and who did it.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalogue, type Pricing } from '#features/catalogue/contract.ts';
import { identity } from '#features/identity/contract.ts';
import { subscriptions, type Subscription } from '#features/subscriptions/contract.ts';
import { usage } from '#features/usage/contract.ts';
import { features } from './features.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, userPassword, type TestConsole } from './test-console.ts';

let console: TestConsole;
let admin: string;
let token: string;
let person: { token: string; userId: string; organizationId: string };
let count = 0;

const meter = { eventType: 'call', aggregation: 'sum', unit: 'requests' } as const;
const flat = (baseFee: string, currency: 'TWD' | 'USD' = 'TWD'): Pricing => ({ model: 'flat', currency, baseFee });
type Made = { family?: string; pricing?: Pricing; trialDays?: number; billingCycle?: 'monthly' | 'yearly'; releaseState?: 'Active' | 'Beta' | 'Coming Soon'; status?: 'active' | 'inactive'; meter?: typeof meter | { eventType: string; aggregation: 'max'; unit: string } };
const service = ({ pricing = flat('300'), ...more }: Made = {}) => console.ok(catalogue.createService, { name: `Plan ${++count}`, type: 'API', category: 'Platform', pricing, meter, ...more }, { token: admin });
const subscribe = (serviceId: string, more: object = {}) => console.ok(subscriptions.subscribe, { serviceId: serviceId as never, ...more }, { token });
const one = (id: string) => console.ok(subscriptions.getSubscription, { subscriptionId: id as never }, { token });
const fails = async (call: Promise<{ envelope: { code?: string; errors?: readonly { field: string; code: string }[] } }>) => {
  const { envelope } = await call;
  return envelope.errors ? envelope.errors.map((each) => `${each.field}: ${each.code}`).join() : envelope.code;
};
const moments = async (id: string) => (await console.ok(subscriptions.history, { subscriptionId: id as never }, { token })).items.map((each) => `${each.at.toISOString().slice(0, 16)} ${each.action} ${each.from}→${each.to}`);
/** Moves the clock; sessions run out on the way, so everybody signs in again. */
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, 'owner@one.example');
}
/** The job that notes what has come due. */
const runJob = () => features.find((each) => each.name === 'subscriptions')!.jobs[0]!.run(console.world, {} as never, new AbortController().signal);
const event = (id: string, subject: string, time: string) => ({ specversion: '1.0', id, source: '/g', type: 'call', subject, time, data: { value: '1' } });

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-10-05T04:00:00Z'));
  admin = await setUp(console);
  person = await registerUser(console, 'owner@one.example', 'One');
  token = person.token;
});
beforeEach(() => moveTo('2026-10-05T04:00:00Z'));

describe('ordering', () => {
  it('takes a quantity, and multiplies the fee by it', async () => {
    expect(await subscribe((await service()).id, { quantity: '2.50' })).toMatchObject({ quantity: '2.5', fee: '750', monthlyFee: '750', state: 'active', autoRenew: true, trialEndsAt: null, termEndsAt: new Date('2026-10-31T16:00:00Z'), pending: null, pause: null, version: 1 });
  });

  it('a yearly plan has a year, a fee for it, and a twelfth of it a month', async () => {
    expect(await subscribe((await service({ billingCycle: 'yearly', pricing: flat('3600') })).id)).toMatchObject({ fee: '3600', monthlyFee: '300', termEndsAt: new Date('2027-10-04T16:00:00Z'), endsAt: null });
  });

  it('a trial is so many calendar days, and is given once for each family', async () => {
    const [a, b] = [await service({ family: 'once', trialDays: 14 }), await service({ family: 'once', trialDays: 14 })];
    const first = await subscribe(a.id);
    expect(first.trialEndsAt).toEqual(new Date('2026-10-18T16:00:00Z'));
    await console.ok(subscriptions.cancel, { subscriptionId: first.id, when: 'now' }, { token });
    expect((await subscribe(b.id)).trialEndsAt).toBeNull();
  });

  it.each(['0', '0.000', '-1', '1e3', '1.2345', '1000000', ''])('a quantity of "%s" is refused, the field named', async (quantity) => {
    const { id } = await service();
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: id }, { token, body: JSON.stringify({ serviceId: id, quantity }) }))).toMatch(/^quantity: platform\.field_(invalid|required)/);
  });

  it('a field that is not known, is refused', async () => {
    const { id } = await service();
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: id }, { token, body: JSON.stringify({ serviceId: id, price: '0' }) }))).toBe('price: platform.field_unknown');
  });

  it('Beta has to be accepted; Coming Soon and what is not offered cannot be ordered; nothing twice', async () => {
    const beta = await service({ releaseState: 'Beta' });
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: beta.id }, { token }))).toBe('subscriptions.beta_not_accepted');
    await subscribe(beta.id, { acceptBeta: true });
    for (const made of [{ releaseState: 'Coming Soon' }, { status: 'inactive' }] as const) expect(await fails(console.call(subscriptions.subscribe, { serviceId: (await service(made)).id }, { token }))).toBe('subscriptions.service_not_available');
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: beta.id, acceptBeta: true }, { token }))).toBe('subscriptions.already_subscribed');
  });

  it('the same key orders once; ten orders at once make one subscription', async () => {
    const { id } = await service();
    const headers = { 'idempotency-key': `order-${id}` };
    const same = await Promise.all([1, 2, 3].map(() => console.call(subscriptions.subscribe, { serviceId: id }, { token, headers })));
    expect(new Set(same.map((answer) => answer.data.id)).size).toBe(1);
    const other = await service();
    const many = await Promise.all(Array.from({ length: 10 }, () => console.call(subscriptions.subscribe, { serviceId: other.id }, { token })));
    expect(many.map((answer) => answer.status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('an Admin may begin one in the past, never in the future', async () => {
    const { id } = await service({ billingCycle: 'yearly' });
    const made = await console.ok(subscriptions.adminSubscribe, { organizationId: person.organizationId as never, serviceId: id, startedAt: new Date('2024-02-29T04:00:00Z') }, { token: admin });
    expect(made.termEndsAt).toEqual(new Date('2027-02-27T16:00:00Z'));
    expect(await fails(console.call(subscriptions.adminSubscribe, { organizationId: person.organizationId as never, serviceId: (await service()).id, startedAt: new Date('2026-10-05T04:00:01Z') }, { token: admin }))).toBe('subscriptions.start_in_future');
  });
});

describe('changing the plan', () => {
  let plans: { small: string; large: string; other: string; yearly: string };
  let id: string;
  beforeEach(async () => {
    const family = `family ${++count}`;
    const make = async (fee: string, more: Made = {}): Promise<string> => (await service({ family, pricing: flat(fee), ...more })).id;
    plans = { small: await make('300'), large: await make('900'), other: await make('300'), yearly: await make('12000', { billingCycle: 'yearly' }) };
    id = (await subscribe(plans.small)).id;
  });
  const change = (input: object, options: object = { token }) => console.call(subscriptions.change, { subscriptionId: id as never, ...input }, options);

  it('shows the plans of the family, the cheapest first, and what each would be', async () => {
    const { items } = await console.ok(subscriptions.listPlans, { subscriptionId: id as never }, { token });
    expect(items.map((plan) => [plan.monthlyFee, plan.direction, plan.isCurrent])).toEqual([['300', 'equal', true], ['300', 'equal', false], ['900', 'upgrade', false], ['1000', 'upgrade', false]]);
  });

  it('upwards at once, downwards at the end of the month, and back again until then', async () => {
    expect((await change({ serviceId: plans.large, reason: 'More traffic' })).data).toMatchObject({ service: { id: plans.large }, pending: null });
    expect((await change({ serviceId: plans.small })).data).toMatchObject({ service: { id: plans.large }, pending: { service: { id: plans.small }, quantity: '1', at: new Date('2026-10-31T16:00:00Z') } });
    expect(await fails(change({ serviceId: plans.other }))).toBe('subscriptions.change_pending');
    expect(await console.ok(subscriptions.takeBackChange, { subscriptionId: id as never }, { token })).toMatchObject({ pending: null });
    expect(await fails(console.call(subscriptions.takeBackChange, { subscriptionId: id as never }, { token }))).toBe('subscriptions.no_pending_change');
    const { items } = await console.ok(subscriptions.history, { subscriptionId: id as never }, { token });
    expect(items.map((each) => each.action)).toEqual(['take_back_change', 'schedule_change', 'change', 'subscribe']);
    expect(items[2]).toMatchObject({ by: { kind: 'person', name: 'owner' }, reason: 'More traffic', quantity: '1', effectiveAt: new Date('2026-10-05T04:00:00Z') });
  });

  it('acts at its moment, whether or not anybody has noted it', async () => {
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

  it('a quantity is changed alike', async () => {
    expect((await change({ quantity: '3' })).data).toMatchObject({ quantity: '3', fee: '900' });
    expect((await change({ quantity: '2' })).data).toMatchObject({ quantity: '3', pending: { quantity: '2' } });
  });

  it('an upgrade may wait, a downgrade must', async () => {
    expect((await change({ serviceId: plans.large, when: 'end' })).data).toMatchObject({ service: { id: plans.small }, pending: { at: new Date('2026-10-31T16:00:00Z') } });
    await console.ok(subscriptions.takeBackChange, { subscriptionId: id as never }, { token });
    await change({ serviceId: plans.large });
    expect(await fails(change({ serviceId: plans.small, when: 'now' }))).toBe('when: subscriptions.downgrade_waits');
  });

  it('what cannot be changed to is refused with the field named, and nothing is half done', async () => {
    const family = (await one(id)).service.family;
    const before = await moments(id);
    const cases: [Made, string][] = [[{}, 'other_family'], [{ family, pricing: flat('1', 'USD') }, 'other_currency'], [{ family, status: 'inactive' }, 'plan_not_available'], [{ family, releaseState: 'Coming Soon' }, 'plan_not_available'], [{ family, meter: { eventType: 'call', aggregation: 'max', unit: 'requests' } }, 'other_meter']];
    for (const [made, code] of cases) {
      const target = await service(made);
      expect(await fails(change({ serviceId: target.id }))).toBe(`serviceId: subscriptions.${code}`);
      expect(await fails(console.call(subscriptions.previewChange, { subscriptionId: id as never, serviceId: target.id }, { token }))).toBe(`serviceId: subscriptions.${code}`);
    }
    const gone = await service({ family });
    await console.ok(catalogue.deleteService, { serviceId: gone.id }, { token: admin });
    expect(await fails(change({ serviceId: gone.id }))).toBe('serviceId: subscriptions.plan_not_found');
    await subscribe(plans.other);
    expect(await fails(change({ serviceId: plans.other }))).toBe('serviceId: subscriptions.plan_taken');
    expect(await fails(change({}))).toBe('subscriptions.same_plan');
    expect(await fails(change({}, { token, body: '{"quantity":"0"}' }))).toBe('quantity: platform.field_invalid');
    expect(await fails(change({}, { token, body: '{"plan":"x"}' }))).toBe('plan: platform.field_unknown');
    expect(await fails(change({ serviceId: (await service({ family, releaseState: 'Beta', pricing: flat('5000') })).id }))).toBe('subscriptions.beta_not_accepted');
    expect(await moments(id)).toEqual(before);
    expect(await one(id)).toMatchObject({ service: { id: plans.small }, pending: null, version: 1 });
  });

  it('a plan that somebody is going to change to cannot be ordered besides', async () => {
    await change({ serviceId: plans.large, when: 'end' });
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: plans.large as never }, { token }))).toBe('subscriptions.already_subscribed');
  });

  it('a service that was subscribed to once cannot be deleted', async () => {
    await change({ serviceId: plans.large });
    expect(await fails(console.call(catalogue.deleteService, { serviceId: plans.small as never }, { token: admin }))).toBe('catalogue.still_used');
  });

  it('of two changes at once one wins, and the other is told', async () => {
    const { version } = await one(id);
    const answers = await Promise.all([change({ serviceId: plans.large, version }), change({ serviceId: plans.yearly, version })]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.envelope.code).toBe('subscriptions.changed_meanwhile');
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from subscription_phase where subscription_id = ${id}`.execute(console.world.database.kysely);
    expect(rows[0]?.count).toBe(2n);
  });

  it('a change that waited for another one’s lock is told too, even without a version', async () => {
    const { kysely } = console.world.database;
    const waiting = await kysely.transaction().execute(async (other) => {
      await sql`update subscription set version = version + 1 where id = ${id}`.execute(other);
      const answer = change({ serviceId: plans.large });
      // It waits in the database, for the lock that this transaction holds.
      for (;;) {
        const { rows } = await sql<{ waits: boolean }>`select exists (select 1 from pg_locks where not granted) as waits`.execute(kysely);
        if (rows[0]?.waits) return { answer };
      }
    });
    expect(await fails(waiting.answer)).toBe('subscriptions.changed_meanwhile');
  });

  it('to a yearly plan: the year begins on the day of the change', async () => {
    expect((await change({ serviceId: plans.yearly })).data).toMatchObject({ service: { id: plans.yearly }, termEndsAt: new Date('2027-10-04T16:00:00Z') });
    expect((await change({ serviceId: plans.small })).data).toMatchObject({ pending: { at: new Date('2027-10-04T16:00:00Z') } });
  });
});

describe('pausing', () => {
  let made: Subscription;
  beforeEach(async () => {
    made = await subscribe((await service()).id);
  });
  const stop = (input: object) => console.call(subscriptions.stop, { subscriptionId: made.id, ...input }, { token });
  const start = (input: object = {}) => console.call(subscriptions.start, { subscriptionId: made.id, ...input }, { token });
  const at = (text: string): Date => new Date(text);

  it('now, and on again', async () => {
    expect((await stop({})).data).toMatchObject({ state: 'paused', pause: { from: at('2026-10-05T04:00:00Z'), until: null } });
    expect((await start()).data).toMatchObject({ state: 'active', pause: null });
    expect(await fails(start())).toBe('subscriptions.transition_refused');
  });

  it('at a moment until a moment, each noted at its own, however late', async () => {
    expect((await stop({ at: at('2026-10-10T01:00:00Z'), resumeAt: at('2026-10-12T02:00:00Z') })).data).toMatchObject({ state: 'active', pause: { from: at('2026-10-10T01:00:00Z'), until: at('2026-10-12T02:00:00Z') } });
    await moveTo('2026-10-10T01:00:00Z');
    expect((await one(made.id)).state).toBe('paused');
    await moveTo('2026-10-13T05:00:00Z');
    expect(await one(made.id)).toMatchObject({ state: 'active', pause: null });
    await runJob();
    expect((await moments(made.id)).slice(0, 2)).toEqual(['2026-10-12T02:00 start paused→active', '2026-10-10T01:00 stop active→paused']);
  });

  it('a planned one is taken back, or planned anew', async () => {
    await stop({ at: at('2026-10-10T01:00:00Z') });
    expect((await stop({ at: at('2026-10-11T01:00:00Z') })).data.pause).toEqual({ from: at('2026-10-11T01:00:00Z'), until: null });
    expect((await start()).data).toMatchObject({ state: 'active', pause: null });
    expect((await moments(made.id))[0]).toContain('take_back_stop');
  });

  it.each([[{ at: '2026-10-05T03:59:59Z' }, 'at: subscriptions.pause_in_past'], [{ at: '2026-10-10T00:00:00Z', resumeAt: '2026-10-10T00:00:00Z' }, 'resumeAt: subscriptions.resume_before_pause'], [{ resumeAt: '2026-10-05T04:00:00Z' }, 'resumeAt: subscriptions.resume_in_past']])('%j is refused', async (input, code) => {
    expect(await fails(stop(Object.fromEntries(Object.entries(input).map(([key, value]) => [key, at(value)]))))).toBe(code);
    expect(await one(made.id)).toMatchObject({ state: 'active', pause: null, version: 1 });
  });

  it('a resumption in the past or before the pause is refused', async () => {
    await stop({});
    expect(await fails(start({ at: at('2026-10-01T00:00:00Z') }))).toBe('at: subscriptions.resume_in_past');
    expect((await start({ at: at('2026-10-09T00:00:00Z') })).data).toMatchObject({ state: 'paused', pause: { until: at('2026-10-09T00:00:00Z') } });
  });

  it('no usage of paused hours is taken, late usage of the hours before is', async () => {
    const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
    const send = async (events: object[]) => (await console.call(usage.ingest, {}, { token: key, body: JSON.stringify(events), headers: { 'content-type': 'application/cloudevents-batch+json' } })).data;
    await moveTo('2026-10-05T06:00:00Z');
    await stop({});
    await moveTo('2026-10-05T07:00:00Z');
    await start();
    await moveTo('2026-10-05T08:00:00Z');
    const sent = await send([event(`${made.id}1`, made.id, '2026-10-05T05:59:59Z'), event(`${made.id}2`, made.id, '2026-10-05T06:00:00Z'), event(`${made.id}3`, made.id, '2026-10-05T06:59:59Z'), event(`${made.id}4`, made.id, '2026-10-05T07:00:00Z')]);
    expect(sent).toMatchObject({ accepted: 2, rejected: [{ index: 1, code: 'usage.subscription_not_running' }, { index: 2, code: 'usage.subscription_not_running' }] });
  });
});

describe('ending', () => {
  it('at the end of the month, taken back until then', async () => {
    const { id } = await subscribe((await service()).id);
    const input = { subscriptionId: id };
    expect(await console.ok(subscriptions.cancel, { ...input, reason: '不再需要' }, { token })).toMatchObject({ state: 'cancelling', endsAt: new Date('2026-10-31T16:00:00Z') });
    expect(await fails(console.call(subscriptions.cancel, input, { token }))).toBe('subscriptions.transition_refused');
    expect(await fails(console.call(subscriptions.change, { ...input, quantity: '2' }, { token }))).toBe('subscriptions.transition_refused');
    expect(await console.ok(subscriptions.start, input, { token })).toMatchObject({ state: 'active', endsAt: null });
    await console.ok(subscriptions.cancel, input, { token });
    await moveTo('2026-10-31T16:00:00Z');
    expect((await one(id)).state).toBe('canceled');
    expect(await fails(console.call(subscriptions.start, input, { token }))).toBe('subscriptions.transition_refused');
    await runJob();
    expect((await moments(id))[0]).toBe('2026-10-31T16:00 end cancelling→canceled');
  });

  it('now, which nothing takes back; the service can be ordered again', async () => {
    const { id: serviceId } = await service();
    const { id } = await subscribe(serviceId);
    expect(await console.ok(subscriptions.cancel, { subscriptionId: id, when: 'now' }, { token })).toMatchObject({ state: 'canceled', endsAt: new Date('2026-10-05T04:00:00Z'), termEndsAt: null });
    for (const call of [subscriptions.start, subscriptions.stop, subscriptions.renew]) expect(await fails(console.call(call, { subscriptionId: id }, { token }))).toBe('subscriptions.transition_refused');
    expect((await subscribe(serviceId)).id).not.toBe(id);
  });

  it('in the trial it ends with it; a year ends with the year', async () => {
    const trial = await subscribe((await service({ trialDays: 40 })).id);
    expect(await console.ok(subscriptions.cancel, { subscriptionId: trial.id }, { token })).toMatchObject({ endsAt: trial.trialEndsAt });
    const year = await subscribe((await service({ billingCycle: 'yearly' })).id);
    expect(await console.ok(subscriptions.cancel, { subscriptionId: year.id }, { token })).toMatchObject({ endsAt: new Date('2027-10-04T16:00:00Z') });
  });

  it('what was planned ends with it; a paused one stays paused, and is so again when it is taken back', async () => {
    const family = `ending ${++count}`;
    const [small, large] = [await service({ family }), await service({ family, pricing: flat('900') })];
    const { id } = await subscribe(small.id);
    const input = { subscriptionId: id };
    await console.ok(subscriptions.change, { ...input, serviceId: large.id, when: 'end' }, { token });
    await console.ok(subscriptions.stop, input, { token });
    expect(await console.ok(subscriptions.cancel, input, { token })).toMatchObject({ state: 'cancelling', pending: null, pause: { until: null } });
    expect(await console.ok(subscriptions.start, input, { token })).toMatchObject({ state: 'paused', pending: null });
  });
});

describe('renewing', () => {
  const renew = (id: string, more: object = {}) => console.call(subscriptions.renew, { subscriptionId: id as never, ...more }, { token });

  it('what renews itself has nothing to renew', async () => {
    expect(await fails(renew((await subscribe((await service()).id)).id))).toBe('subscriptions.renews_itself');
  });

  it('one more term, bought once however often and however many ask', async () => {
    const made = await subscribe((await service({ billingCycle: 'yearly' })).id, { autoRenew: false });
    expect(made.endsAt).toEqual(new Date('2027-10-04T16:00:00Z'));
    const answers = await Promise.all(Array.from({ length: 6 }, () => renew(made.id, { termEndsAt: made.endsAt })));
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThan(0);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect((await renew(made.id)).data.endsAt).toEqual(new Date('2028-10-04T16:00:00Z'));
    expect((await moments(made.id)).filter((line) => line.includes(' renew '))).toHaveLength(1);
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from subscription_term where subscription_id = ${made.id}`.execute(console.world.database.kysely);
    expect(rows[0]?.count).toBe(2n);
  });

  it('without it, the subscription expires with its term; renewed later it begins a new one', async () => {
    const made = await subscribe((await service({ billingCycle: 'yearly' })).id, { autoRenew: false });
    await moveTo('2027-10-20T04:00:00Z');
    expect(await one(made.id)).toMatchObject({ state: 'expired', termEndsAt: null });
    await runJob();
    expect((await moments(made.id))[0]).toBe('2027-10-04T16:00 expire active→expired');
    expect((await renew(made.id, { termEndsAt: made.endsAt })).data).toMatchObject({ state: 'active', endsAt: new Date('2028-10-19T16:00:00Z'), pause: null });
    // Asked again for the term that has ended: it was renewed.
    expect((await renew(made.id, { termEndsAt: made.endsAt })).data).toMatchObject({ endsAt: new Date('2028-10-19T16:00:00Z') });
  });

  it('a cancellation is taken back by it, and it can be told to renew itself from now on', async () => {
    const made = await subscribe((await service()).id, { autoRenew: false });
    expect(made.endsAt).toEqual(new Date('2026-10-31T16:00:00Z'));
    expect((await renew(made.id, { autoRenew: true })).data).toMatchObject({ autoRenew: true, endsAt: null });
    await console.ok(subscriptions.cancel, { subscriptionId: made.id }, { token });
    expect((await renew(made.id)).data).toMatchObject({ state: 'active', endsAt: null });
  });

  it('years that begin by themselves are noted once each, at their beginning', async () => {
    const made = await subscribe((await service({ billingCycle: 'yearly' })).id);
    await moveTo('2028-12-01T00:00:00Z');
    await runJob();
    await runJob();
    expect((await moments(made.id)).filter((line) => line.includes('renew_by_itself'))).toEqual(['2028-10-04T16:00 renew_by_itself active→active', '2027-10-04T16:00 renew_by_itself active→active']);
    expect((await one(made.id)).termEndsAt).toEqual(new Date('2029-10-04T16:00:00Z'));
  });

  it('between terms of different length there is no change for what ends with its term', async () => {
    const family = `terms ${++count}`;
    const [monthly, yearly] = [await service({ family }), await service({ family, billingCycle: 'yearly', pricing: flat('12000') })];
    const { id } = await subscribe(monthly.id, { autoRenew: false });
    expect(await fails(console.call(subscriptions.change, { subscriptionId: id, serviceId: yearly.id }, { token }))).toBe('subscriptions.term_fixed');
  });
});

describe('the job', () => {
  it('goes on with the others when one cannot be noted, and says that it failed', async () => {
    const family = `stuck ${++count}`;
    const [small, large] = [await service({ family }), await service({ family, pricing: flat('900') })];
    const [stuck, fine] = [(await subscribe(small.id)).id, (await subscribe((await service()).id)).id];
    await console.ok(subscriptions.change, { subscriptionId: stuck, serviceId: large.id, when: 'end' }, { token });
    await console.ok(subscriptions.cancel, { subscriptionId: fine }, { token });
    // Nobody can order the plan that is waited for; by hand in the database somebody has.
    await sql`insert into subscription (id, organization_id, service_id, state, started_at, created_at) values ('sub_by_hand', ${person.organizationId}, ${large.id}, 'active', now(), now())`.execute(console.world.database.kysely);
    await moveTo('2026-10-31T16:00:00Z');
    await expect(runJob()).rejects.toThrow(/subscription_open/);
    expect((await moments(fine))[0]).toContain('end cancelling→canceled');
    expect((await moments(stuck))[0]).not.toContain('2026-10-31T16:00');
    // What is charged follows the course all the same.
    expect((await one(stuck)).service.id).toBe(large.id);
    await sql`delete from subscription where id = 'sub_by_hand'`.execute(console.world.database.kysely);
    await runJob();
    expect((await moments(stuck))[0]).toBe('2026-10-31T16:00 change active→active');
  });
});

describe('who may', () => {
  it('a reader looks, and changes nothing; the history keeps the provider’s people to itself', async () => {
    const made = await console.ok(subscriptions.adminSubscribe, { organizationId: person.organizationId as never, serviceId: (await service()).id }, { token: admin });
    const account = `reader${++count}@one.example`;
    await console.ok(identity.createUser, { account, name: 'Reader', role: 'ReadOnly', organizationId: person.organizationId as never, password: userPassword }, { token: admin });
    const reader = await signIn(console, account);
    expect((await console.ok(subscriptions.history, { subscriptionId: made.id }, { token: reader })).items).toMatchObject([{ action: 'subscribe', by: { kind: 'operator', name: '' } }]);
    expect((await console.ok(subscriptions.adminSubscriptionHistory, { subscriptionId: made.id }, { token: admin })).items).toMatchObject([{ by: { kind: 'operator', name: 'Operator' } }]);
    for (const call of [subscriptions.change, subscriptions.previewChange, subscriptions.cancel, subscriptions.stop, subscriptions.start, subscriptions.renew]) expect((await console.call(call, { subscriptionId: made.id }, { token: reader })).status).toBe(403);
  });

  it('history is history, for the database too', async () => {
    const refused = (statement: string) => sql.raw(statement).execute(console.world.database.kysely).then(() => false, () => true);
    for (const statement of ['update subscription_phase set quantity = 9 where is_applied', 'delete from subscription_phase where is_applied', 'delete from subscription_pause where is_begun', 'update subscription_pause set until_at = now() where is_over', 'delete from subscription_term', 'update subscription_transition set said = $$x$$']) expect(await refused(statement), statement).toBe(true);
  });
});
