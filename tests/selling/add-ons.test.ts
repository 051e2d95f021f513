// Add-ons: what can be added to a subscription, when it begins and ends, and that it follows its subscription
// (R-CAT-05, R-CAT-07).
import { beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { registerUser } from '../support/console.ts';
import {
  admin,
  console,
  fails,
  flat,
  fresh,
  moments,
  moveTo,
  one,
  runJob,
  service,
  startSubscriptionConsole,
  subscribe,
  token,
} from '../support/subscriptions.ts';

startSubscriptionConsole();

const fee: Charge = {
  key: 'fee',
  name: { zhTW: '月費', enUS: 'Monthly fee' },
  kind: 'recurring',
  model: 'flat',
  amount: '310',
};
const addOnService = (family: string, more: object = {}) =>
  console.ok(
    catalogue.createService,
    {
      name: `Backup ${fresh()}`,
      type: 'VM',
      category: 'Compute',
      currency: 'TWD',
      charges: [fee],
      addOnTo: [family],
      ...more,
    },
    { token: admin },
  );
let family: string;
let parent: Id<'sub'>;
let backup: Id<'svc'>;
beforeEach(async () => {
  family = `Machines ${fresh()}`;
  parent = (await subscribe((await service({ family })).id)).id;
  backup = (await addOnService(family)).id;
});

const add = (input: object = {}, options: object = { token }) =>
  console.call(subscriptions.addAddOn, { subscriptionId: parent, serviceId: backup, ...input }, options);
const added = async (input: object = {}): Promise<Id<'sub'>> => {
  const { data, message } = await add(input).then(({ data: of, envelope }) => ({
    data: of,
    message: envelope.message,
  }));
  expect(data, message).not.toBeNull();
  return (data as { id: Id<'sub'> }).id;
};
const act = (call: 'cancel' | 'stop' | 'start', id: string, input: object = {}) =>
  console.call(subscriptions[call], { subscriptionId: id as never, ...input }, { token });

describe('an add-on', () => {
  it('names a plan family and can be added once to its subscriptions, and shows what it was added to', async () => {
    const other = await addOnService('another family');
    const list = () => console.ok(subscriptions.listAddOns, { subscriptionId: parent }, { token });
    expect((await list()).offers.map(({ id }) => id)).toEqual([backup]);
    const id = await added();
    const { service: of } = await one(parent);
    expect(await one(id)).toMatchObject({
      addedTo: { subscriptionId: parent, serviceName: of.name },
      state: 'active',
      endsAt: null,
    });
    const { items, offers } = await list();
    expect([items.map((each) => each.id), offers]).toEqual([[id], []]);
    expect(await fails(add())).toBe('subscriptions.already_subscribed');
    expect(await fails(add({ serviceId: other.id }))).toBe('serviceId: subscriptions.not_addable');
    expect(await fails(add({ subscriptionId: id }))).toBe('subscriptions.add_on_of_add_on');
    expect(await fails(console.call(subscriptions.subscribe, { serviceId: backup }, { token }))).toBe(
      'subscriptions.add_on_only',
    );
  });

  it('can be added to two subscriptions separately', async () => {
    const second = (await subscribe((await service({ family })).id)).id;
    const ids = [await added(), await added({ subscriptionId: second })];
    expect(new Set(ids).size).toBe(2);
  });

  it('can be added only to an active subscription of the own organization', async () => {
    const other = await registerUser(console, `other${fresh()}@two.example`, 'Two');
    expect(await fails(add({}, { token: other.token }))).toBe('subscriptions.not_found');
    await act('cancel', parent, { when: 'now' });
    expect(await fails(add())).toBe('subscriptions.transition_refused');
    expect(
      (await console.ok(subscriptions.listAddOns, { subscriptionId: parent }, { token })).offers,
    ).toEqual([]);
  });

  it('is priced by charges and has no meter of its own', async () => {
    const meter = { eventType: 'call', aggregation: 'sum', unit: 'calls' } as const;
    const make = (more: object) =>
      console.call(
        catalogue.createService,
        { name: 'X', type: 'VM', category: 'Compute', addOnTo: [family], ...more } as never,
        { token: admin },
      );
    expect(await fails(make({ pricing: flat('1'), meter }))).toBe('addOnTo: catalogue.add_on_price');
    expect(await fails(make({ charges: [fee], currency: 'TWD', meter }))).toBe(
      'addOnTo: catalogue.add_on_price',
    );
    const single = await service();
    expect(
      await fails(
        console.call(catalogue.updateService, { serviceId: single.id, addOnTo: [family] }, { token: admin }),
      ),
    ).toBe('addOnTo: catalogue.add_on_price');
  });
});

describe('begin and end of an add-on', () => {
  /** The fee of an add-on on the running month’s bill. */
  const feeOf = async (id: string): Promise<string | undefined> => {
    const { bills } = await console.ok(billing.currentBill, {}, { token });
    return bills
      .flatMap(({ lines }) => lines)
      .find((line) => line.subscriptionId === id && line.charge?.key === 'fee')?.exact;
  };

  it('is previewed with the fees that its bills will have, and refused alike', async () => {
    await moveTo('2026-10-10T04:00:00Z');
    const span = { endsAt: new Date('2026-10-20T16:00:00.000Z') };
    const preview = (input: object) =>
      console.call(
        subscriptions.previewAddOn,
        { subscriptionId: parent, serviceId: backup, ...input },
        { token },
      );
    const { data } = await preview(span);
    expect(
      [data.thisBill, data.nextBill].map(({ month, lines }) => [month, lines.map(({ exact }) => exact)]),
    ).toEqual([
      ['2026-10', ['110']],
      ['2026-11', []],
    ]);
    const addOns = () => console.ok(subscriptions.listAddOns, { subscriptionId: parent }, { token });
    expect((await addOns()).items).toEqual([]);
    expect(await feeOf(await added(span))).toBe('110');
    expect(await fails(preview(span))).toBe('subscriptions.already_subscribed');
    expect(await fails(preview({ startedAt: new Date('2026-10-09T04:00:00Z') }))).toBe(
      'startedAt: subscriptions.add_on_in_past',
    );
  });

  it('ends by itself: 11 of 31 days are charged', async () => {
    await moveTo('2026-10-10T04:00:00Z');
    expect(await fails(add({ endsAt: new Date('2026-10-10T04:00:00Z') }))).toBe(
      'endsAt: subscriptions.end_in_past',
    );
    const id = await added({ endsAt: new Date('2026-10-20T16:00:00.000Z') });
    expect((await one(id)).state).toBe('cancelling');
    expect(await feeOf(id)).toBe('110');
    await moveTo('2026-10-21T04:00:00Z');
    await runJob();
    expect((await one(id)).state).toBe('canceled');
    expect(await moments(id)).toEqual([
      '2026-10-20T16:00 end cancelling→canceled',
      '2026-10-10T04:00 subscribe null→cancelling',
    ]);
    expect((await one(parent)).state).toBe('active');
    // After its end it can be added again.
    await added();
  });

  it('ends with its subscription at the latest, and continues when that is renewed', async () => {
    const id = await added();
    await act('cancel', parent);
    expect((await one(id)).endsAt?.toISOString()).toBe('2026-10-31T16:00:00.000Z');
    await act('start', parent);
    expect((await one(id)).endsAt).toBeNull();
    // Its own end is kept.
    const early = await added({
      serviceId: (await addOnService(family)).id,
      endsAt: new Date('2026-10-15T00:00:00.000Z'),
    });
    await act('cancel', parent);
    await act('start', parent);
    expect((await one(early)).endsAt?.toISOString()).toBe('2026-10-15T00:00:00.000Z');
    await act('cancel', parent, { when: 'now' });
    expect([(await one(id)).state, (await one(early)).state]).toEqual(['canceled', 'canceled']);
    expect((await moments(id))[0]).toBe('2026-10-05T04:00 end active→canceled');
  });

  it('ends with a subscription that expires, and does not return with it', async () => {
    const { id: serviceId } = await service({ family });
    const expiring = (await subscribe(serviceId, { autoRenew: false })).id;
    const id = await added({ subscriptionId: expiring });
    await moveTo('2026-11-02T04:00:00Z');
    await runJob();
    expect([(await one(expiring)).state, (await one(id)).state]).toEqual(['expired', 'canceled']);
    await console.ok(subscriptions.renew, { subscriptionId: expiring }, { token });
    expect(await one(id)).toMatchObject({ state: 'canceled', endsAt: new Date('2026-10-31T16:00:00.000Z') });
  });

  it('pauses with it, without costs meanwhile', async () => {
    const id = await added();
    expect(await fails(act('stop', id))).toBe('subscriptions.add_on_follows');
    await moveTo('2026-10-11T04:00:00Z');
    await act('stop', parent, { resumeAt: new Date('2026-10-21T04:00:00Z') });
    expect((await one(id)).state).toBe('paused');
    expect(await fails(act('start', id))).toBe('subscriptions.add_on_follows');
    const whilePaused = await feeOf(id);
    await moveTo('2026-10-22T04:00:00Z');
    await runJob();
    expect((await one(id)).state).toBe('active');
    expect((await moments(id)).slice(0, 2)).toEqual([
      '2026-10-21T04:00 start paused→active',
      '2026-10-11T04:00 stop active→paused',
    ]);
    // From the 5th on, without the ten days of the pause: 17 of 31.
    expect([whilePaused, await feeOf(id)]).toEqual(['170', '170']);
  });

  it('is in the past only for an Admin, and not before usage that it would have counted', async () => {
    const { secret } = await console.ok(identity.createApiKey, { name: `g${fresh()}` }, { token: admin });
    const key = `scans_${fresh()}`;
    await console.ok(
      meters.createMeter,
      { key, name: 'Scans', unit: 'scans', eventType: 'call', aggregation: 'sum' },
      { token: admin },
    );
    const scans: Charge = {
      key: 'scans',
      name: fee.name,
      kind: 'usage',
      meter: key,
      model: 'per_unit',
      unitPrice: '1',
    } as Charge;
    const { id: serviceId } = await addOnService(family, { charges: [scans] });
    await moveTo('2026-10-07T04:00:00Z');
    const send = (id: string, subject: string, time: string) =>
      console.ok(
        usage.ingest,
        {},
        {
          token: secret,
          body: JSON.stringify({
            specversion: '1.0',
            id,
            source: 's',
            type: 'call',
            subject,
            time,
            data: { value: '5' },
          }),
          headers: { 'content-type': 'application/cloudevents+json' },
        },
      );
    await send('a', parent, '2026-10-06T00:00:00Z');
    const from = (startedAt: string) =>
      console.call(
        subscriptions.adminAddAddOn,
        { subscriptionId: parent, serviceId, startedAt: new Date(startedAt) } as never,
        { token: admin },
      );
    expect(await fails(from('2026-10-05T00:00:00Z'))).toBe('startedAt: subscriptions.add_on_before_start');
    expect(await fails(from('2026-10-05T12:00:00Z'))).toBe('startedAt: subscriptions.usage_not_counted');
    const { data } = await from('2026-10-06T12:00:00Z');
    const { id } = data as { id: Id<'sub'> };
    // Usage is sent for the subscription, never for the add-on.
    expect((await send('b', id, '2026-10-06T13:00:00Z')).rejected[0]).toMatchObject({
      code: 'usage.sent_to_add_on',
      message: expect.stringContaining(parent) as string,
    });
    expect((await send('c', parent, '2026-10-06T13:00:00Z')).accepted).toBe(1);
    const { bills } = await console.ok(billing.currentBill, {}, { token });
    const lines = bills.flatMap((bill) => bill.lines).filter((line) => line.subscriptionId === id);
    expect(lines.map(({ quantity, exact }) => [quantity, exact])).toEqual([['5', '5']]);
  });
});

describe('an add-on with a future begin', () => {
  const tenth = new Date('2026-10-09T16:00:00.000Z');
  const linesOf = async (id: string): Promise<string[]> =>
    (await console.ok(billing.currentBill, {}, { token })).bills
      .flatMap(({ lines }) => lines)
      .filter((line) => line.subscriptionId === id)
      .map(({ charge, exact }) => `${charge?.key} ${exact}`);
  const setUp: Charge = {
    key: 'set_up',
    name: { zhTW: '設定費', enUS: 'Set-up' },
    kind: 'one_time',
    model: 'flat',
    amount: '50',
  };

  it('costs nothing until then, and from then on by the day', async () => {
    const { id: serviceId } = await addOnService(family, { charges: [fee, setUp] });
    const id = await added({ serviceId, startedAt: tenth });
    expect(await one(id)).toMatchObject({
      state: 'scheduled',
      startedAt: tenth,
      pending: null,
      endsAt: null,
    });
    expect(await linesOf(id)).toEqual([]);
    const scheduled = await console.ok(subscriptions.listSubscriptions, { state: 'scheduled' }, { token });
    expect(scheduled.items.map((each) => each.id)).toEqual([id]);
    const { items, offers } = await console.ok(
      subscriptions.listAddOns,
      { subscriptionId: parent },
      { token },
    );
    expect([items.map(({ state }) => state), offers.map((each) => each.id)]).toEqual([
      ['scheduled'],
      [backup],
    ]);
    await moveTo('2026-10-09T15:59:59Z');
    await runJob();
    expect([(await one(id)).state, await linesOf(id)]).toEqual(['scheduled', []]);
    await moveTo('2026-10-09T16:00:00Z');
    // Whether or not the job ran.
    expect([(await one(id)).state, await linesOf(id)]).toEqual(['active', ['fee 220', 'set_up 50']]);
    await runJob();
    expect(await moments(id)).toEqual([
      '2026-10-09T16:00 begin scheduled→active',
      '2026-10-05T04:00 subscribe null→scheduled',
    ]);
    expect([(await one(id)).state, await linesOf(id)]).toEqual(['active', ['fee 220', 'set_up 50']]);
  });

  it('is charged the days between begin and end, and has its trial from the begin', async () => {
    const id = await added({ startedAt: tenth, endsAt: new Date('2026-10-20T16:00:00.000Z') });
    const trial = await addOnService(family, { trialDays: 5 });
    const tried = await added({ serviceId: trial.id, startedAt: tenth });
    expect((await one(tried)).trialEndsAt).toEqual(new Date('2026-10-14T16:00:00.000Z'));
    await moveTo('2026-10-12T00:00:00Z');
    await runJob();
    expect([(await one(id)).state, await linesOf(id)]).toEqual(['cancelling', ['fee 110']]);
    expect([(await one(tried)).state, await linesOf(tried)]).toEqual(['active', ['fee 170']]);
    await moveTo('2026-11-01T00:00:00Z');
    await runJob();
    expect((await one(id)).state).toBe('canceled');
  });

  it('can be canceled before, costs nothing, and keeps the trial available', async () => {
    const { id: serviceId } = await addOnService(family, { trialDays: 5 });
    for (const when of ['end', 'now', 'end'] as const) {
      // However often: an add-on that never began does not count.
      const id = await added({ serviceId, startedAt: new Date('2026-10-05T10:00:00.000Z') });
      expect((await one(id)).trialEndsAt).toEqual(new Date('2026-10-09T16:00:00.000Z'));
      await act('cancel', id, { when });
      expect((await one(id)).state).toBe('canceled');
      expect((await moments(id))[0]).toBe('2026-10-05T04:00 call_off scheduled→canceled');
      expect(await fails(act('cancel', id))).toBe('subscriptions.transition_refused');
    }
    await moveTo('2026-10-20T00:00:00Z');
    await runJob();
    const { items } = await console.ok(subscriptions.listAddOns, { subscriptionId: parent }, { token });
    expect(items.map(({ state }) => state)).toEqual(['canceled', 'canceled', 'canceled']);
    for (const { id } of items) expect(await linesOf(id)).toEqual([]);
  });

  it('does not begin when its subscription ends first, and pauses with it', async () => {
    const id = await added({ startedAt: new Date('2026-10-31T16:00:00.000Z') });
    expect(await fails(act('stop', id))).toBe('subscriptions.add_on_follows');
    await act('cancel', parent);
    expect(
      await fails(
        add({ serviceId: (await addOnService(family)).id, startedAt: new Date('2026-10-31T16:00:00.000Z') }),
      ),
    ).toBe('startedAt: subscriptions.add_on_after_end');
    await moveTo('2026-11-02T04:00:00Z');
    await runJob();
    expect([(await one(id)).state, await linesOf(id)]).toEqual(['canceled', []]);

    const paused = (await subscribe((await service({ family })).id)).id;
    const other = await added({ subscriptionId: paused, startedAt: new Date('2026-11-05T16:00:00.000Z') });
    await act('stop', paused, {
      at: new Date('2026-11-03T16:00:00.000Z'),
      resumeAt: new Date('2026-11-10T16:00:00.000Z'),
    });
    await moveTo('2026-11-08T04:00:00Z');
    await runJob();
    expect((await one(other)).state).toBe('paused');
    await moveTo('2026-11-12T04:00:00Z');
    await runJob();
    // The 11th to the 30th: 20 of 30 days of 310.
    expect([(await one(other)).state, (await linesOf(other))[0]?.slice(0, 10)]).toEqual([
      'active',
      'fee 206.66',
    ]);
  });

  it('is rejected at its field where that is impossible', async () => {
    expect(await fails(add({ startedAt: new Date('2026-10-05T03:59:59.000Z') }))).toBe(
      'startedAt: subscriptions.add_on_in_past',
    );
    expect(await fails(add({ startedAt: tenth, endsAt: tenth }))).toBe(
      'endsAt: subscriptions.end_before_start',
    );
    for (const language of ['zhTW', 'enUS'] as const) {
      const { envelope } = await add(
        { startedAt: new Date('2026-10-01T00:00:00.000Z') },
        { token, language },
      );
      expect(envelope.errors?.[0]?.message).toMatch(
        language === 'zhTW' ? /請選擇立即開始/ : /To start right away, choose “Now”/,
      );
    }
    // An Admin can add one with a future begin, too.
    const { id } = await console.ok(
      subscriptions.adminAddAddOn,
      { subscriptionId: parent, serviceId: backup, startedAt: tenth },
      { token: admin },
    );
    expect((await one(id)).state).toBe('scheduled');
    // It counts as present: a second one cannot be added.
    expect(await fails(add())).toBe('subscriptions.already_subscribed');
  });
});

describe('R-CAT-07: concurrent changes', () => {
  it('adding the same twice at once adds it once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => fails(add())));
    expect(answers.filter((code) => code === undefined || code === null)).toHaveLength(1);
    expect(new Set(answers.filter((code) => code))).toEqual(new Set(['subscriptions.already_subscribed']));
  });
});
