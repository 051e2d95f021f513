// What somebody with a customer’s account, or a key of its organization, sends to pay less. What is another’s is
// covered by access.test.ts.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  close,
  customer,
  fee,
  moveTo,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

type Answer = { readonly status: number; readonly code: string; readonly data: unknown };
/** Sends a request as typed, without the checks of a client. */
async function send(
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`${at.console.address}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as {
    code?: string;
    errors?: { code: string }[];
    data: unknown;
  };
  return { status: response.status, code: answer.errors?.[0]?.code ?? answer.code ?? '', data: answer.data };
}
const statuses = async (answers: readonly Promise<Answer>[]): Promise<number[]> => [
  ...new Set((await Promise.all(answers)).map(({ status }) => status)),
];
let made = 0;
const service = async (more: object = {}): Promise<Id<'svc'>> =>
  (
    await at.console.ok(
      catalogue.createService,
      {
        name: `Attacked ${++made}`,
        type: 'API',
        category: 'Own',
        pricing: fee('1000'),
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        ...more,
      },
      { token: at.admin },
    )
  ).id;
const subscribe = async (one: Customer, serviceId: Id<'svc'>): Promise<Id<'sub'>> =>
  (await at.console.ok(subscriptions.subscribe, { serviceId }, { token: one.token })).id;
const event = (subject: string, more: object = {}) => ({
  specversion: '1.0',
  id: `e${++made}`,
  source: 'own',
  type: 'call',
  subject,
  time: at.console.clock.now().toISOString(),
  data: { value: '1' },
  ...more,
});
const ingest = async (key: string, ...events: readonly object[]): Promise<[string, number][]> => {
  const { data } = await send('POST', '/usage/events', key, events, {
    'content-type': 'application/cloudevents-batch+json',
  });
  const { rejected } = data as { rejected: { code: string; index: number }[] };
  return rejected.map(({ code, index }) => [code, index]);
};

let one: Customer;
let other: Customer;
let key: string;
beforeAll(async () => {
  await startBilling();
  one = await customer(fee('1000'));
  other = await customer(fee('2000'));
  await moveTo('2024-09-20T12:00:00+08:00');
  await use(one, 'a', '10', '2024-09-10T00:00:00Z');
  await use(other, 'b', '20', '2024-09-10T00:00:00Z');
  await moveTo('2024-10-05T12:00:00+08:00');
  await close('2024-09' as BillingMonth);
  key = (await at.console.ok(identity.createOrganizationKey, { name: 'own' }, { token: one.token })).secret;
});

/** Quantities that are none, or not written out. */
const odd = [
  '0',
  '-1',
  '1e3',
  '1e400',
  'NaN',
  'Infinity',
  '１',
  ' 1',
  '1,000',
  '0x10',
  '',
  '-0',
  '9'.repeat(40),
];

describe('quantities and amounts', () => {
  it('a subscription has a positive, written-out quantity', async () => {
    const serviceId = await service();
    const tried = odd.map((quantity) => send('POST', '/subscriptions', one.token, { serviceId, quantity }));
    expect(await statuses(tried)).toEqual([400]);
    expect(
      await statuses(
        [5, null, true, [1], { a: 1 }].map((quantity) =>
          send('POST', '/subscriptions', one.token, { serviceId, quantity }),
        ),
      ),
    ).toEqual([400]);
  });

  it('a plan is not changed to none, less than none, or more than can be written', async () => {
    const [id] = one.subscriptionIds;
    expect(
      await statuses(
        odd.map((quantity) => send('POST', `/subscriptions/${id}/change`, one.token, { quantity })),
      ),
    ).toEqual([400]);
  });

  it('a payment, a top-up and a credit purchase have a positive amount in a currency of the bill', async () => {
    const bill = await billOf(one);
    const amounts = [
      ...['0', '-5', '1e3', '0.5', 'NaN', '', '-0', '9'.repeat(30)].map((amount) => ({
        amount,
        currency: 'TWD',
      })),
      { amount: '5', currency: 'XXX' },
      { amount: 5, currency: 'TWD' },
    ];
    for (const [path, more] of [
      [`/bills/${bill.id}/payments`, { method: 'balance' }],
      ['/billing/top-ups', {}],
      ['/credits', {}],
    ] as const)
      expect([
        path,
        await statuses(amounts.map((amount) => send('POST', path, one.token, { ...more, amount }))),
      ]).toEqual([path, expect.not.arrayContaining([200, 201, 202, 500])]);
    expect((await billOf(one)).due).toEqual(bill.due);
  });

  it('a bill is not paid from the balance in another currency, nor from a balance that is not there', async () => {
    const bill = await billOf(one);
    const pay = (amount: object | undefined) =>
      send('POST', `/bills/${bill.id}/payments`, one.token, { method: 'balance', ...(amount && { amount }) });
    expect(await statuses([pay({ amount: '5', currency: 'USD' })])).not.toContain(201);
    expect(await statuses([pay(undefined), pay({ amount: '5', currency: 'TWD' })])).not.toContain(201);
    expect(await balanceOf(one)).toBe(0n);
  });

  it('an estimate of absurd usage is refused or answered, without a fault', async () => {
    const serviceId = await service();
    const answers = await Promise.all(
      [...odd, '9'.repeat(24)].map((quantity) =>
        send('POST', `/services/${serviceId}/estimate`, one.token, { quantity }),
      ),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

describe('usage', () => {
  it('a key of the organization never lowers what is billed', async () => {
    const [id] = one.subscriptionIds;
    const [foreign] = other.subscriptionIds;
    expect(
      await ingest(
        key,
        event(id ?? '', { data: { value: '-5' } }),
        event(id ?? '', { type: 'call.void', data: { source: `s-${id}`, id: 'a' } }),
        event(foreign ?? ''),
        event(id ?? '', { data: { value: '1e-400' } }),
        event(id ?? '', { data: { value: 'NaN' } }),
        event(id ?? '', { time: '2024-10-06T12:00:00+08:00' }),
      ),
    ).toEqual([
      ['usage.only_adds', 0],
      ['usage.only_adds', 1],
      ['usage.subscription_unknown', 2],
      expect.arrayContaining([3]),
      expect.arrayContaining([4]),
      ['usage.time_in_future', 5],
    ]);
  });

  it('an id that the provider’s gateway will use is not taken by the customer’s key first', async () => {
    const [id] = one.subscriptionIds;
    const source = `s-${id}`;
    expect(await ingest(key, event(id ?? '', { id: 'next', source, data: { value: '0' } }))).toEqual([]);
    await use(one, 'next', '500', at.console.clock.now().toISOString());
    const { data } = await send('GET', '/usage/statistics?month=2024-10', one.token);
    expect(data).toMatchObject({ totalCost: { amount: '1500', currency: 'TWD' } });
  });

  it('what was used before an immediate cancellation is billed, also if it was only reserved', async () => {
    const serviceId = await service({ quota: { type: 'hard', limit: '100' } });
    const id = await subscribe(one, serviceId);
    const reserved = await send('POST', `/usage/entitlements/${id}/reservations`, key, { quantity: '40' });
    expect(reserved.status).toBe(201);
    const reservationId = (reserved.data as { id: string }).id;
    at.console.clock.advance(1000);
    await at.console.ok(subscriptions.cancel, { subscriptionId: id, when: 'now' }, { token: one.token });
    expect(
      (await send('POST', `/usage/entitlements/${id}/reservations`, key, { quantity: '1' })).status,
    ).not.toBe(201);
    at.console.clock.advance(1000);
    const { status, code } = await send('POST', `/usage/reservations/${reservationId}/commit`, key, {});
    expect([status, code]).toEqual([200, '']);
  });
});

describe('terms', () => {
  it('a subscription or an add-on does not begin in the past, and a change is not dated back', async () => {
    const serviceId = await service({ family: 'dated' });
    const bigger = await service({ family: 'dated', pricing: fee('3000') });
    expect(
      (await send('POST', '/subscriptions', one.token, { serviceId, startedAt: '2024-01-01T00:00:00Z' }))
        .status,
    ).toBe(400);
    const id = await subscribe(one, serviceId);
    const change = (previewedAt: string) =>
      send('POST', `/subscriptions/${id}/change`, one.token, { serviceId: bigger, previewedAt });
    expect((await change('2024-10-01T00:00:00Z')).status).toBeGreaterThanOrEqual(400);
    expect((await change('2025-10-01T00:00:00Z')).status).toBeGreaterThanOrEqual(400);
    for (const body of [{ at: '2024-10-01T00:00:00Z' }, { resumeAt: '2024-10-01T00:00:00Z' }])
      expect((await send('POST', `/subscriptions/${id}/stop`, one.token, body)).status).toBe(400);
    expect(
      (
        await send('POST', `/subscriptions/${id}/cancel`, one.token, {
          when: 'now',
          at: '2024-10-01T00:00:00Z',
        })
      ).status,
    ).toBe(400);
  });

  it('a trial is had once, also through another plan, and not by subscribing again', async () => {
    const first = await service({ family: 'tried', trialDays: 14 });
    const second = await service({ family: 'tried', trialDays: 30 });
    const id = await subscribe(one, first);
    await at.console.ok(subscriptions.cancel, { subscriptionId: id, when: 'now' }, { token: one.token });
    for (const serviceId of [first, second]) {
      const again = await subscribe(one, serviceId);
      expect(
        (await at.console.ok(subscriptions.getSubscription, { subscriptionId: again }, { token: one.token }))
          .trialEndsAt,
      ).toBeNull();
      await at.console.ok(subscriptions.cancel, { subscriptionId: again, when: 'now' }, { token: one.token });
    }
  });

  it('free units are not had again by cancelling and subscribing more than once', async () => {
    const serviceId = await service();
    for (let count = 0; count < 2; count++) {
      const id = await subscribe(one, serviceId);
      await at.console.ok(subscriptions.cancel, { subscriptionId: id, when: 'now' }, { token: one.token });
    }
    expect((await send('POST', '/subscriptions', one.token, { serviceId })).code).toBe(
      'subscriptions.too_often',
    );
  });

  it('what Admins do is forbidden to customers and to their keys', async () => {
    const bill = await billOf(one);
    for (const [path, body] of [
      ['/admin/subscriptions', { organizationId: one.organizationId, serviceId: await service() }],
      ['/admin/billing/close', { month: '2024-09' }],
      [`/admin/bills/${bill.id}/void`, { reason: 'x' }],
      [`/admin/bills/${bill.id}/credit-notes`, { reason: 'x', what: { kind: 'percent', percent: '100' } }],
      [
        '/admin/credit-grants',
        {
          organizationId: one.organizationId,
          kind: 'promotional',
          name: { zhTW: 'a', enUS: 'a' },
          amount: { amount: '5', currency: 'TWD' },
        },
      ],
      [
        '/admin/one-off-charges',
        {
          organizationId: one.organizationId,
          name: { zhTW: 'a', enUS: 'a' },
          kind: 'credit',
          unitPrice: '5',
          currency: 'TWD',
        },
      ],
    ] as const)
      for (const by of [one.token, key])
        expect([path, (await send('POST', path, by, body)).status]).toEqual([
          path,
          expect.toBeOneOf([401, 403]),
        ]);
  });

  it('the tax and the kind of the organization are not its own to change', async () => {
    for (const body of [
      { taxStatus: 'exempt' },
      { country: 'DE' },
      { vatId: 'DE123456789' },
      { creditLimit: '5' },
      { resellerId: null },
    ])
      expect((await send('PATCH', '/organization', one.token, body)).status).toBe(400);
    expect((await send('PATCH', '/organization', one.token, { timeZone: 'America/Los_Angeles' })).code).toBe(
      'billing.time_zone_fixed',
    );
  });

  it('a code of another, used up, over or archived gives nothing, and one is had once', async () => {
    const discount = async (code: string, more: object) =>
      at.console.ok(
        discounts.createDiscount,
        {
          name: { zhTW: code, enUS: code },
          reduction: { kind: 'percent', percent: '50' },
          duration: { kind: 'forever' },
          code,
          ...more,
        },
        { token: at.admin },
      );
    await discount('FOROTHER', { audience: 'named', organizationIds: [other.organizationId] });
    await discount('ONLYNEW', { audience: 'new' });
    await discount('EACH', { maxPerOrganization: 1 });
    const { id: gone } = await discount('GONE', {});
    await at.console.ok(discounts.archiveDiscount, { discountId: gone }, { token: at.admin });
    const redeem = (code: string, more: object = {}) =>
      send('POST', '/discounts/redeem', one.token, { code, ...more });
    expect(
      await statuses([
        redeem('FOROTHER'),
        redeem('ONLYNEW'),
        redeem('GONE'),
        redeem('%'),
        redeem('EACH\u0000'),
      ]),
    ).toEqual(expect.not.arrayContaining([201, 500]));
    expect((await redeem('EACH', { subscriptionId: other.subscriptionIds[0] })).status).not.toBe(201);
    expect((await redeem('each')).status).toBe(201);
    expect((await redeem(' EACH ')).status).not.toBe(201);
  });
});

describe('money', () => {
  it('an idempotency key with another body, or of another, has no effect', async () => {
    await topUp(one, twd(5000));
    const bill = await billOf(one);
    const headers = { 'idempotency-key': 'mine' };
    const pay = (token: string, amount: string) =>
      send(
        'POST',
        `/bills/${bill.id}/payments`,
        token,
        { method: 'balance', amount: { amount, currency: 'TWD' } },
        headers,
      );
    expect((await pay(one.token, '100')).status).toBe(201);
    expect((await pay(one.token, '100')).status).toBe(201);
    expect((await pay(one.token, '200')).status).toBe(409);
    expect((await pay(other.token, '100')).status).toBe(404);
    expect((await billOf(one)).paid).toEqual(twd(100));
    expect(await balanceOf(one)).toBe(4900n);
  });

  it('a notice without a signature, and a payment confirmed by its payer, bring no money', async () => {
    const { id } = (
      await send('POST', '/billing/top-ups', one.token, { amount: { amount: '9000', currency: 'TWD' } })
    ).data as { id: string };
    for (const [path, body] of [
      [
        '/payments/webhooks/stripe',
        { type: 'checkout.session.completed', data: { object: { client_reference_id: id } } },
      ],
      [`/admin/payments/${id}/confirm`, {}],
      [`/admin/payments/${id}/refunds`, { amount: { amount: '1', currency: 'TWD' } }],
    ] as const)
      expect([path, (await send('POST', path, one.token, body)).status]).toEqual([
        path,
        expect.not.toBeOneOf([200, 201, 202, 500]),
      ]);
    expect(await balanceOf(one)).toBe(4900n);
  });

  it('a larger quota is asked for, not taken', async () => {
    const serviceId = await service({ quota: { type: 'hard', limit: '10' } });
    const id = await subscribe(one, serviceId);
    const ask = (limit: string) =>
      send('POST', `/usage/quotas/${id}/raises`, one.token, { limit, reason: 'more' });
    expect(await statuses(['-1', '0', '5', '1e9', 'NaN'].map(ask))).toEqual(
      expect.not.arrayContaining([200, 201, 500]),
    );
    expect((await ask('1000')).status).toBe(201);
    expect(
      (await send('POST', `/usage/entitlements/${id}/reservations`, key, { quantity: '11' })).status,
    ).not.toBe(201);
    expect(
      await statuses(
        ['-5', '0', '1e1', '9'.repeat(40)].map((quantity) =>
          send('POST', `/usage/entitlements/${id}/reservations`, key, { quantity }),
        ),
      ),
    ).toEqual(expect.not.arrayContaining([201, 500]));
  });

  it('usage that is too large for a bill is refused, and the others are counted', async () => {
    const [id] = one.subscriptionIds;
    const values = [18, 24, 30, 40, 100].map((digits) =>
      event(id ?? '', { data: { value: '9'.repeat(digits) } }),
    );
    expect((await ingest(key, ...values, event(id ?? ''))).map(([, index]) => index)).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  it('a charge has a positive quantity, and none that the rate card lacks', async () => {
    const serviceId = await service({
      pricing: undefined,
      meter: undefined,
      currency: 'TWD',
      charges: [
        {
          key: 'seats',
          name: { zhTW: '席次', enUS: 'Seats' },
          kind: 'recurring',
          model: 'per_unit',
          unitPrice: '50',
        },
      ],
    });
    const order = (quantities: object) =>
      send('POST', '/subscriptions', one.token, { serviceId, quantities });
    expect(await statuses([...odd.map((seats) => order({ seats })), order([])])).toEqual([400]);
    expect((await order({ nothing: '5' })).code).toBe('subscriptions.charge_unknown');
  });

  it('a reservation is committed once, for no more than it holds', async () => {
    const serviceId = await service({ quota: { type: 'hard', limit: '100' } });
    const id = await subscribe(one, serviceId);
    const reserved = await send('POST', `/usage/entitlements/${id}/reservations`, key, { quantity: '10' });
    const held = `/usage/reservations/${(reserved.data as { id: string }).id}`;
    const commit = (quantity: string) => send('POST', `${held}/commit`, key, { quantity });
    expect(await statuses(['500', '-1', '0', '1e1'].map(commit))).toEqual([400]);
    expect((await commit('5')).status).toBe(200);
    expect((await commit('7')).code).toBe('quotas.reservation_committed');
    expect((await send('POST', `${held}/release`, key)).code).toBe('quotas.reservation_committed');
    expect((await send('GET', `/usage/entitlements/${id}`, key)).data).toMatchObject({
      used: '5',
      remaining: '95',
    });
  });

  it('an idempotency key subscribes to one service', async () => {
    const [first, second] = [await service(), await service()];
    const order = (serviceId: string) =>
      send('POST', '/subscriptions', one.token, { serviceId }, { 'idempotency-key': 'ordered' });
    expect(await statuses([order(first)])).toEqual([201]);
    expect((await order(second)).code).toBe('platform.idempotency_conflict');
  });

  it('a large plan by day and a small one by night costs the large one', async () => {
    await moveTo('2024-12-01T09:00:00+08:00');
    const [small, large] = [
      await service({ family: 'day-and-night', pricing: fee('310') }),
      await service({ family: 'day-and-night', pricing: fee('3100') }),
    ];
    const id = await subscribe(other, small);
    const change = (serviceId: string) =>
      send('POST', `/subscriptions/${id}/change`, other.token, { serviceId });
    expect((await change(large)).status).toBe(200);
    await moveTo('2024-12-01T20:00:00+08:00');
    expect((await change(small)).status).toBe(200);
    await moveTo('2024-12-02T09:00:00+08:00');
    expect((await change(large)).code).toBe('subscriptions.change_pending');
    const { data } = await send('GET', '/bills/current', other.token);
    // Both months' fees, and that of the subscription since September.
    expect(data).toMatchObject({ bills: [{ net: { amount: '5100', currency: 'TWD' } }] });
  });

  it('a pause from the first to the last second of each day saves nothing', async () => {
    const id = await subscribe(other, await service({ pricing: fee('31') }));
    for (const day of ['03', '04', '05']) {
      await moveTo(`2024-12-${day}T00:00:01+08:00`);
      expect((await send('POST', `/subscriptions/${id}/stop`, other.token, {})).status).toBe(200);
      await moveTo(`2024-12-${day}T23:59:58+08:00`);
      expect((await send('POST', `/subscriptions/${id}/start`, other.token, {})).status).toBe(200);
    }
    const { data } = await send('GET', '/bills/current', other.token);
    // NT$1 for each day from the 2nd on.
    expect(data).toMatchObject({ bills: [{ net: { amount: '5130', currency: 'TWD' } }] });
  });
});
