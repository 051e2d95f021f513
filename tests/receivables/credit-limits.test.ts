// Credit limits: the outstanding amount is exact to the dollar, nothing new begins at the limit, and running
// services continue.
import { sql, type RawBuilder } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { quotes } from '#features/invoicing/quotes/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { creditLimits, type CreditUse } from '#features/receivables/credit-limits/contract.ts';
import { catalogue, type Quota } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  moveTo,
  net,
  pay,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { runFeatureJob, unschedule } from '../support/jobs.ts';

const flat = (baseFee: string) => ({ model: 'flat', currency: 'TWD', baseFee }) as const;
const asAdmin = () => ({ token: at.admin });
const set = (one: Pick<Customer, 'organizationId'> | null, amount: Money | null) =>
  at.console.ok(
    creditLimits.setCreditLimit,
    { organizationId: one?.organizationId ?? null, currency: 'TWD', amount },
    asAdmin(),
  );
const standing = async (one: Customer): Promise<CreditUse> =>
  required(
    (await at.console.ok(creditLimits.creditLimit, {}, { token: one.token })).items[0],
    'a limit in force',
  );
let services = 0;
const service = async (
  baseFee: string,
  more: Partial<In<typeof catalogue.createService>> = {},
): Promise<Id<'svc'>> =>
  (
    await at.console.ok(
      catalogue.createService,
      {
        name: `New ${++services}`,
        type: 'API',
        category: 'Own',
        pricing: flat(baseFee),
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        ...more,
      },
      asAdmin(),
    )
  ).id;
const subscribe = (one: Customer, serviceId: Id<'svc'>, more: object = {}) =>
  at.console.call(subscriptions.subscribe, { serviceId }, { token: one.token, ...more });
const refusal = async (
  call: Promise<{ status: number; envelope: { code?: string; message?: string } }>,
): Promise<string> => {
  const { status, envelope } = await call;
  return `${status} ${envelope.code ?? ''}`;
};
const refused = '409 creditlimits.reached';
const openOf = async (one: Customer): Promise<number> =>
  (await at.console.ok(subscriptions.listSubscriptions, { limit: 100 }, { token: one.token })).items.length;
const notified = async (token: string, key: string): Promise<string[]> =>
  (await at.console.ok(notifications.listNotifications, { limit: 100 }, { token, language: 'enUS' })).items
    .map(({ message }) => message)
    .filter((message) => message.includes(key));
const check = (one: Customer) =>
  runFeatureJob(at.console.app, 'credit-limits.check', { organizationId: one.organizationId });

// September is billed on 5 October: NT$105,000 with tax, due later; October's fee is not billed yet.
const names = [
  'plain',
  'counted',
  'blocked',
  'racing',
  'border',
  'quoted',
  'told',
  'all',
  'free',
  'payer',
  'paid',
  'sibling',
  'previewed',
  'resumed',
] as const;
const made: Record<(typeof names)[number], Customer> = {} as never;

beforeAll(async () => {
  await startBilling();
  for (const name of ['credit-limits.sweep', 'credit-limits.check']) await unschedule(at.console.app, name);
  for (const name of names) made[name] = await customer(flat('100000'));
  await moveTo('2024-10-05T12:00:00+08:00');
  await close('2024-09' as never);
});

describe('T-CREDITLIMIT: credit limits', () => {
  it('have no effect while none is set', async () => {
    expect((await at.console.ok(creditLimits.creditLimit, {}, { token: made.plain.token })).items).toEqual(
      [],
    );
    expect(await refusal(subscribe(made.plain, await service('900000')))).toBe('201 ');
  });

  it('report an invalid amount at its field', async () => {
    const wrong = (amount: Money | null, organizationId: Id<'org'> | null = made.plain.organizationId) =>
      at.console.call(
        creditLimits.setCreditLimit,
        { organizationId, currency: 'TWD', amount },
        { ...asAdmin(), language: 'enUS' },
      );
    const errorsOf = async (call: ReturnType<typeof wrong>) =>
      (await call).envelope.errors?.map(({ field, code, message }) => [field, code, message]);
    expect(await errorsOf(wrong(twd(0)))).toEqual([
      ['amount', 'creditlimits.not_positive', 'Enter an amount above 0.'],
    ]);
    expect(await errorsOf(wrong({ minor: 5n, currency: 'USD' }))).toEqual([
      ['amount', 'creditlimits.other_currency', 'Enter an amount in TWD.'],
    ]);
    expect((await errorsOf(wrong(null, null)))?.[0]?.[1]).toBe('creditlimits.needs_amount');
  });

  it('include unpaid bills after payments and credit notes, and the running month with tax, less the balance', async () => {
    const one = made.counted;
    await set(one, twd(300_000));
    const { bills } = await at.console.ok(billing.currentBill, {}, { token: one.token });
    expect(bills[0]?.total).toEqual(twd(105_000));
    expect(await standing(one)).toMatchObject({
      unpaid: twd(105_000),
      unbilled: twd(105_000),
      balance: twd(0),
      used: twd(210_000),
      left: twd(90_000),
      percent: 70,
      level: 'within',
      isOwn: true,
    });
    const bill = await billOf(one);
    expect((await credit(bill, net(1000))).status).toBe(201);
    await topUp(one, twd(50_000));
    expect((await pay(one, bill, twd(20_000))).status).toBe(201);
    expect(await standing(one)).toMatchObject({
      unpaid: twd(105_000 - 1050 - 20_000),
      unbilled: twd(105_000),
      balance: twd(30_000),
      used: twd(158_950),
    });
  });

  it('include a past, unbilled month beside the running one', async () => {
    const one = made.counted;
    const before = await standing(one);
    await moveTo('2024-11-01T12:00:00+08:00');
    expect((await standing(one)).used.minor).toBe(before.used.minor + 105_000n);
    await moveTo('2024-10-05T13:00:00+08:00');
  });

  it('reject everything new at the limit, with amounts in both languages, and do not affect running services', async () => {
    const one = made.blocked;
    const serviceId = await service('10');
    const family = 'Grown';
    const [small, big, extra] = [
      await service('10', { family }),
      await service('20', { family }),
      await service('1', {
        addOnTo: [family],
        pricing: undefined,
        meter: undefined,
        currency: 'TWD',
        charges: [
          {
            key: 'fee',
            name: { zhTW: '月費', enUS: 'Fee' },
            kind: 'recurring',
            model: 'flat',
            amount: '1',
          },
        ],
      }),
    ];
    const parent = await at.console.ok(subscriptions.subscribe, { serviceId: small }, { token: one.token });
    const counted = await open({ type: 'hard', limit: '100' });
    const metered = await at.console.ok(
      subscriptions.subscribe,
      { serviceId: counted },
      { token: one.token },
    );
    await set(one, twd(await usedNow(one)));
    const before = await openOf(one);
    const zh = await subscribe(one, serviceId, { language: 'zhTW' });
    const en = await subscribe(one, serviceId, { language: 'enUS' });
    expect(zh.envelope.message).toMatch(
      /^已達信用額度：未結金額為 NT\$210,\d{3}，額度為 NT\$210,\d{3}。請先付清帳單或儲值/,
    );
    expect(en.envelope.message).toMatch(
      /^Credit limit reached: NT\$210,\d{3} outstanding.*Pay bills or top up/,
    );
    expect(en.envelope.code).toBe('creditlimits.reached');
    expect(
      await refusal(
        at.console.call(
          subscriptions.adminSubscribe,
          { organizationId: one.organizationId, serviceId },
          asAdmin(),
        ),
      ),
    ).toBe(refused);
    expect(
      await refusal(
        at.console.call(
          subscriptions.addAddOn,
          { subscriptionId: parent.id, serviceId: extra },
          { token: one.token },
        ),
      ),
    ).toBe(refused);
    for (const wanted of [{ serviceId: big }, { quantity: '2' }, { serviceId: big, when: 'end' as const }])
      for (const call of [subscriptions.previewChange, subscriptions.change])
        expect(
          await refusal(
            at.console.call(call, { subscriptionId: parent.id, ...wanted }, { token: one.token }),
          ),
        ).toBe(refused);
    expect(await openOf(one)).toBe(before);
    await check(one);
    const metering = (
      await at.console.ok(
        identity.createApiKey,
        { name: 'metering', scope: 'metering', organizationId: one.organizationId },
        asAdmin(),
      )
    ).secret;
    const reserve = () =>
      at.console.call(quotas.reserve, { subscriptionId: metered.id, quantity: '1' }, { token: metering });
    expect(await refusal(reserve())).toBe(refused);
    await use({ ...one, subscriptionIds: [metered.id] }, 'goes on', '3', '2024-10-05T05:00:00Z');
    await topUp(one, twd(5000));
    expect((await reserve()).status).toBe(201);
    expect((await subscribe(one, serviceId)).status).toBe(201);
  });

  it('reject a change beyond the limit already in its preview, which stores nothing', async () => {
    const one = made.previewed;
    const family = 'Previewed';
    const [small, fits, large] = [
      await service('10', { family }),
      await service('1000', { family }),
      await service('90000', { family }),
    ];
    const { id: subscriptionId } = await at.console.ok(
      subscriptions.subscribe,
      { serviceId: small },
      { token: one.token },
    );
    await set(one, twd((await usedNow(one)) + 5000n));
    const answers = async (serviceId: Id<'svc'>) => {
      const wanted = { subscriptionId, serviceId };
      const before = await left(one);
      let preview: unknown;
      const stored: number[] = [];
      // Other work of the console may store a message between two counts, but hardly between all of them.
      for (let time = 0; time < 5; time++) {
        const last = await messagesStored();
        preview = await refusal(at.console.call(subscriptions.previewChange, wanted, { token: one.token }));
        stored.push((await messagesStored()) - last);
      }
      expect(stored).toContain(0);
      expect(await left(one)).toEqual(before);
      return [preview, await refusal(at.console.call(subscriptions.change, wanted, { token: one.token }))];
    };
    expect(await answers(large)).toEqual([refused, refused]);
    expect(await answers(fits)).toEqual(['200 ', '200 ']);
  });

  it('apply to a paused service that is resumed, now or later, and not to what was agreed before', async () => {
    const one = made.resumed;
    const subscribed = async () =>
      at.console.ok(subscriptions.subscribe, { serviceId: await service('1000') }, { token: one.token });
    const [now, later, planned] = [await subscribed(), await subscribed(), await subscribed()];
    const stop = (subscriptionId: Id<'sub'>, more: object = {}) =>
      at.console.ok(subscriptions.stop, { subscriptionId, ...more }, { token: one.token });
    const start = (subscriptionId: Id<'sub'>, more: object = {}) =>
      refusal(at.console.call(subscriptions.start, { subscriptionId, ...more }, { token: one.token }));
    await stop(now.id);
    await stop(later.id);
    await set(one, twd(await usedNow(one)));
    const soon = { at: new Date('2024-10-06T00:00:00+08:00') };
    expect([await start(now.id), await start(later.id, soon)]).toEqual([refused, refused]);
    // A pause that has not begun is withdrawn: the service has been running all the time.
    await stop(planned.id, { at: new Date('2024-10-20T00:00:00+08:00') });
    expect(await start(planned.id)).toBe('200 ');
    // Less than a month of one of the two services is left.
    await set(one, twd((await usedNow(one)) + 1000n));
    expect(await start(now.id)).toBe('200 ');
    expect(await start(later.id, soon)).toBe(refused);
    await topUp(one, twd(5000));
    expect(await start(later.id, soon)).toBe('200 ');
  });

  it('allow only one of two concurrent requests to use the rest', async () => {
    const one = made.racing;
    const wanted = await Promise.all(Array.from({ length: 6 }, () => service('1000')));
    const used = 210_000;
    // October’s share of NT$1,000 from the 5th on is NT$871, NT$915 with tax; one fits and two do not.
    await set(one, twd(used + 1500));
    const answers = await Promise.all(wanted.map((serviceId) => refusal(subscribe(one, serviceId))));
    expect(answers.filter((each) => each === '201 ')).toHaveLength(1);
    expect(answers.filter((each) => each === refused)).toHaveLength(5);
    expect((await standing(one)).used.minor).toBeLessThanOrEqual(BigInt(used + 1500));
  });

  it('allow using the limit up exactly, and reject a dollar more', async () => {
    const one = made.border;
    // NT$27,000 for the 27 days from the 5th on, NT$28,350 with tax.
    const serviceId = await service('31000');
    await set(one, twd(1_000_000));
    const before = (await standing(one)).used.minor;
    expect((await subscribe(one, serviceId)).status).toBe(201);
    const cost = (await standing(one)).used.minor - before;
    expect(cost).toBe(28_350n);
    const next = await service('31000');
    await set(one, twd(before + cost * 2n - 1n));
    expect(await refusal(subscribe(one, next))).toBe(refused);
    await set(one, twd(before + cost * 2n));
    expect((await subscribe(one, next)).status).toBe(201);
    expect(await standing(one)).toMatchObject({ level: 'reached', left: twd(0), percent: 100 });
    // At the limit nothing begins, not even what is free now.
    expect(await refusal(subscribe(one, await service('0')))).toBe(refused);
  });

  it('of a payer apply to everything it pays for, one after the other, and reveal nothing of the payer', async () => {
    const { payer, paid, sibling } = made;
    for (const one of [paid, sibling])
      await at.console.ok(
        payers.setPayer,
        { organizationId: one.organizationId, payerId: payer.organizationId, from: '2024-10' as never },
        asAdmin(),
      );
    // 105,000 due of September, and October's fees of three organizations.
    await set(payer, twd(450_000));
    expect(await standing(payer)).toMatchObject({ unpaid: twd(105_000), unbilled: twd(315_000) });
    await set(paid, twd(200_000));
    // Its own debts of before count for itself.
    expect(await standing(paid)).toMatchObject({ unpaid: twd(105_000), unbilled: twd(0) });
    const [small, large] = [await service('20000'), await service('40000')];
    const tooMuch = await subscribe(paid, large, { language: 'enUS' });
    expect([tooMuch.status, tooMuch.envelope.code]).toEqual([409, 'creditlimits.payer_reached']);
    expect(JSON.stringify(tooMuch.envelope)).not.toMatch(/\d{3},\d{3}/);
    // From the 5th on 18,290 each, with tax; 30,000 are left.
    const both = await Promise.all([subscribe(paid, small), subscribe(sibling, small)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await standing(payer)).toMatchObject({ used: twd(438_290), left: twd(11_710) });
    // Usage of the organizations that it pays for is compared with its limit.
    await check(payer);
    expect(await notified(payer.token, 'outstanding')).not.toEqual([]);
    for (const one of [paid, sibling]) expect(await notified(one.token, 'outstanding')).toEqual([]);
  });

  it('apply to quotes, too: accepting one beyond the limit creates nothing', async () => {
    const one = made.quoted;
    const serviceId = await service('5000');
    await set(one, twd(200_000));
    const { id } = await at.console.ok(
      quotes.createQuote,
      {
        organizationId: one.organizationId,
        currency: 'TWD',
        validUntil: '2024-10-31' as never,
        content: {
          months: 12,
          items: [{ serviceId }],
          oneOffs: [],
          discounts: [],
          grants: [],
          minimumSpend: null,
        },
      },
      asAdmin(),
    );
    const { link } = await at.console.ok(quotes.sendQuote, { quoteId: id }, asAdmin());
    const before = await openOf(one);
    const { status } = await at.console.call(quotes.acceptQuote, {
      token: link?.split('/').at(-1) ?? '',
      name: '王小明',
      mayAct: true,
    });
    expect(status).toBe(409);
    expect(await openOf(one)).toBe(before);
  });

  it('notify members near and at the limit and Admins at it, once per crossing', async () => {
    const one = made.told;
    await set(one, twd(260_000));
    expect(await notified(one.token, 'is 80% of your')).toEqual([
      'NT$210,000 outstanding is 80% of your NT$260,000 credit limit. Once it’s reached, you can’t add subscriptions.',
    ]);
    await check(one);
    await check(one);
    expect(await notified(one.token, 'is 80% of your')).toHaveLength(1);
    await set(one, twd(210_000));
    await check(one);
    expect(await notified(one.token, 'has reached your')).toHaveLength(1);
    expect(await notified(at.admin, 'has reached its credit limit of NT$210,000')).toHaveLength(1);
    await topUp(one, twd(150_000));
    await check(one);
    expect((await standing(one)).level).toBe('within');
    expect(await notified(one.token, 'has reached your')).toHaveLength(1);
    await moveTo('2024-10-05T14:00:00+08:00');
    await set(one, twd(60_000));
    expect(await notified(one.token, 'has reached your')).toHaveLength(2);
  });

  it('are listed and filtered among organizations, and checked by a job for all of them', async () => {
    await runFeatureJob(at.console.app, 'credit-limits.sweep');
    const found = async (level: 'near' | 'reached') =>
      (
        await at.console.ok(
          consoleContract.listOrganizationAccounts,
          { credit: level, limit: 100 },
          asAdmin(),
        )
      ).items.map(({ id, credit: state }) => [id, state]);
    expect(await found('reached')).toContainEqual([made.told.organizationId, 'reached']);
    expect(await found('reached')).toContainEqual([made.border.organizationId, 'reached']);
    expect(await found('near')).not.toContainEqual([made.border.organizationId, 'near']);
    const { items } = await at.console.ok(creditLimits.listCreditLimits, { q: 'C3' }, asAdmin());
    expect(items.map(({ organizationId }) => organizationId)).toEqual([made.blocked.organizationId]);
  });

  it('for all organizations exclude those with their own limit or with no limit by agreement', async () => {
    const forAll = await set(null, twd(1000));
    await set(made.free, null);
    await runFeatureJob(at.console.app, 'credit-limits.sweep');
    expect(await standing(made.all)).toMatchObject({ isOwn: false, level: 'reached', limit: twd(1000) });
    expect(await refusal(subscribe(made.all, await service('1')))).toBe(refused);
    expect((await standing(made.counted)).limit).toEqual(twd(300_000));
    expect((await at.console.ok(creditLimits.creditLimit, {}, { token: made.free.token })).items).toEqual([]);
    expect((await subscribe(made.free, await service('1'))).status).toBe(201);
    await at.console.ok(creditLimits.removeCreditLimit, { limitId: forAll.id }, asAdmin());
    expect((await subscribe(made.all, await service('1'))).status).toBe(201);
  });

  it('block only charges in their own currency', async () => {
    const one = made.all;
    await set(one, twd(1000));
    const dollars = await service('10', { pricing: { model: 'flat', currency: 'USD', baseFee: '10' } });
    expect(await refusal(subscribe(one, dollars))).toBe(refused);
  });
});

/** A service that counts calls, with a limit. */
async function open(quota: Quota): Promise<Id<'svc'>> {
  return service('0', {
    pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
    quota,
  });
}

/** Everything that a change of a subscription stores. */
async function left(one: Customer): Promise<unknown> {
  const of = async (query: RawBuilder<{ text: string }>) => (await query.execute(db())).rows;
  return [
    (await at.console.ok(subscriptions.listSubscriptions, { limit: 100 }, { token: one.token })).items.map(
      ({ id, service: { name }, version, pending }) => [id, name, version, pending],
    ),
    await of(
      sql`select p.subscription_id || ' ' || p.from_at as text from subscription_phase p join subscription s on s.id = p.subscription_id where s.organization_id = ${one.organizationId} order by 1`,
    ),
    await of(
      sql`select t.said || t.at as text from subscription_transition t join subscription s on s.id = t.subscription_id where s.organization_id = ${one.organizationId} order by 1`,
    ),
    await of(sql`select id as text from audit_log where action = 'subscriptions.change' order by 1`),
  ];
}

/** How many messages were ever stored, including those that have been sent and deleted. */
async function messagesStored(): Promise<number> {
  const { rows } = await sql<{
    last: number;
  }>`select coalesce(pg_sequence_last_value('outbox_id_seq'), 0)::int as last`.execute(db());
  return rows[0]?.last ?? 0;
}

/** What is outstanding of a customer now, to set the limit to. */
async function usedNow(one: Customer): Promise<bigint> {
  await set(one, twd(9_000_000));
  return (await standing(one)).used.minor;
}
