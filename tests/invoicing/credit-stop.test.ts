// Services that require prepaid credit: metering stops when none is left, and resumes when there is some
// (R-METER, R-BILL-05).
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { rejections } from '#features/metering/rejections/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { ingestEvents } from '#features/metering/usage/server/ingest-events.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { jobs } from '#app/jobs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const twd = (minor: number): Money => money(BigInt(minor), 'TWD');
const oneEach: Pricing = { model: 'per_unit', currency: 'TWD', unitPrice: '1' };
let console: TestConsole;
let admin: string, gateway: string;
let count = 0;
type Customer = {
  readonly email: string;
  readonly organizationId: Id<'org'>;
  readonly token: string;
};

const db = () => console.app.database.kysely;
const asAdmin = () => ({ token: admin });
const makeService = async (more: Partial<In<typeof catalogue.createService>> = {}): Promise<Id<'svc'>> =>
  (
    await console.ok(
      catalogue.createService,
      {
        name: `Service ${++count}`,
        type: 'API',
        category: 'Own',
        pricing: oneEach,
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        requiresPrepaidCredit: true,
        ...more,
      },
      asAdmin(),
    )
  ).id;
async function makeCustomer(): Promise<Customer> {
  const email = `owner${++count}@stop.example`;
  const { organizationId, token } = await registerUser(console, email, `Stop ${count}`);
  return { email, organizationId: organizationId as Id<'org'>, token };
}
const subscribe = async (one: Customer, serviceId: Id<'svc'>): Promise<Id<'sub'>> =>
  (await console.ok(subscriptions.subscribe, { serviceId }, { token: one.token })).id;
const eventOf = (subject: string, value: string, more: object = {}) => ({
  specversion: '1.0',
  id: `e${++count}`,
  source: 'gateway',
  type: 'call',
  subject,
  time: console.clock.now().toISOString(),
  data: { value },
  ...more,
});
const send = (events: readonly object[], language: 'zhTW' | 'enUS' = 'enUS') =>
  console.ok(
    usage.ingest,
    {},
    {
      token: gateway,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      language,
    },
  );
/** Sends one event; returns the reason of its rejection, or undefined when it was counted. */
const use = async (subject: Id<'sub'>, value: string): Promise<string | undefined> =>
  (await send([eventOf(subject, value)])).rejected[0]?.code;
const usedUp = 'usage.credit_used_up';
async function topUp(one: Customer, amount: Money): Promise<void> {
  const payment = await console.ok(payments.topUp, { amount }, { token: one.token });
  await console.ok(payments.confirmPayment, { paymentId: payment.id }, asAdmin());
}
const buy = (one: Customer, amount: Money) =>
  console.ok(creditgrants.buyCredit, { amount }, { token: one.token });
const give = (one: Customer, terms: Partial<In<typeof creditgrants.giveGrant>>) =>
  console.ok(
    creditgrants.giveGrant,
    {
      organizationId: one.organizationId,
      kind: 'paid',
      name: { zhTW: '額度', enUS: 'Credit' },
      amount: twd(1000),
      ...terms,
    },
    asAdmin(),
  );
/** Several notices of one moment are one notification. */
const passMinute = (): void => console.clock.set(new Date(console.clock.now().getTime() + 60_000));
/** One run of the job, as every 15 seconds. */
const look = async (): Promise<void> => {
  const job = required(
    jobs.find(({ name }) => name === 'creditgrants.cover'),
    'the job',
  );
  await job.run(console.app, {} as never, new AbortController().signal);
};
const cover = (one: Customer) => console.ok(creditgrants.creditCover, {}, { token: one.token });
const isStopped = async (one: Customer): Promise<boolean[]> =>
  (await cover(one)).items.map((each) => each.isStopped);
const notificationsAbout = async (one: Customer, about: RegExp): Promise<number> =>
  (await console.ok(notifications.listNotifications, { limit: 100 }, { token: one.token })).items.filter(
    ({ message }) => about.test(message),
  ).length;
const stoppedNotice = /Metering of .* has stopped: no prepaid credit is left for it/;
const nearlyNotice = /At least 80% of the prepaid credit for/;

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-10T04:00:00Z'));
  admin = await setUp(console);
  gateway = (await console.ok(identity.createApiKey, { name: 'gateway' }, asAdmin())).secret;
  await console.ok(
    creditgrants.setCreditOffer,
    { isOn: true, services: null, usageOnly: false, months: null },
    asAdmin(),
  );
});
beforeEach(async () => {
  console.clock.set(new Date('2026-11-10T04:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
});

/** What Admins see: the number of stopped customers on the dashboard, and the list. */
const stoppedForAdmins = async (): Promise<readonly [number, Id<'org'> | null, readonly string[]]> => {
  const { stoppedCustomers } = await console.ok(consoleContract.adminDashboard, {}, asAdmin());
  const { items, total } = await console.ok(
    consoleContract.listOrganizationAccounts,
    { metering: 'stopped', limit: 100 },
    asAdmin(),
  );
  expect(total).toBe(stoppedCustomers.count);
  return [
    stoppedCustomers.count,
    stoppedCustomers.organizationId,
    items.map(({ name, stopped }) => `${name}: ${stopped.map(({ service }) => service).join(', ')}`),
  ];
};

describe('T-STOP: stopped customers need attention', () => {
  it('once each, the longest stopped first, until there is credit or the subscription has ended', async () => {
    const [render, mail] = [await makeService({ name: 'Stopped renders' }), await makeService()];
    const [one, two] = [await makeCustomer(), await makeCustomer()];
    const before = (await stoppedForAdmins())[0];
    await subscribe(one, render);
    passMinute();
    await subscribe(one, mail);
    const ofTwo = await subscribe(two, render);
    await look();
    const [count, first, names] = await stoppedForAdmins();
    expect([count, first]).toEqual([before + 2, one.organizationId]);
    const nameOf = async ({ organizationId }: Customer): Promise<string> =>
      (await console.ok(consoleContract.getOrganizationAccount, { organizationId }, asAdmin())).name;
    expect(names).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^${await nameOf(one)}: Stopped renders, Service `),
        `${await nameOf(two)}: Stopped renders`,
      ]),
    );
    // One gets credit for everything, the other one leaves.
    await topUp(one, twd(100));
    await buy(one, twd(100));
    expect((await stoppedForAdmins()).slice(0, 2)).toEqual([before + 1, two.organizationId]);
    await console.ok(subscriptions.cancel, { subscriptionId: ofTwo, when: 'now' }, { token: two.token });
    expect((await stoppedForAdmins()).slice(0, 2)).toEqual([before, null]);
    const account = await console.ok(
      consoleContract.getOrganizationAccount,
      { organizationId: two.organizationId },
      asAdmin(),
    );
    expect(account.stopped).toEqual([]);
  });
});

describe('T-STOP: a service that requires prepaid credit', () => {
  it('is stopped from the start for an organization without any, and members are notified', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService({ name: 'Renders' }));
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    const { rejected } = await send([eventOf(subscriptionId, '1')]);
    expect(rejected[0]?.message).toBe(
      'Renders has no prepaid credit left, so its metering has stopped. Buy credit or ask your provider for some, then send the event again.',
    );
    const inChinese = await send([eventOf(subscriptionId, '1')], 'zhTW');
    expect(inChinese.rejected[0]?.message).toBe(
      '可用於「Renders」的預付額度已用完，已停止計量。請購買額度，或請供應商給予額度，再重新傳送這個事件。',
    );
    expect(await notificationsAbout(one, stoppedNotice)).toBe(1);
    expect((await cover(one)).items).toMatchObject([
      { subscriptionId, service: 'Renders', isStopped: true, isNearlyUsed: true },
    ]);
    await look();
    await look();
    expect(await notificationsAbout(one, stoppedNotice)).toBe(1);
    // Rejected events are kept, to be sent again.
    const { items } = await console.ok(rejections.adminListRejected, { q: subscriptionId }, asAdmin());
    expect(items.map(({ code, message }) => [code, message.includes('Renders')])).toEqual(
      Array.from({ length: 3 }, () => [usedUp, true]),
    );
  });

  it('is metered once credit is bought, and rejected events can be sent again', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService());
    const event = eventOf(subscriptionId, '5');
    expect((await send([event])).rejected[0]?.code).toBe(usedUp);
    await topUp(one, twd(1000));
    expect((await send([event])).rejected[0]?.code).toBe(usedUp);
    await buy(one, twd(100));
    expect(await send([event])).toMatchObject({ accepted: 1, rejected: [] });
    // A repeat of a counted event is still a repeat, whatever credit is left.
    expect(await isStopped(one)).toEqual([false]);
  });

  it('stops within one run of the job when usage with tax reaches the credit; repeats and corrections are accepted', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService());
    await topUp(one, twd(1000));
    passMinute();
    await buy(one, twd(105));
    const first = eventOf(subscriptionId, '80');
    await send([first]);
    await look();
    // 84 of 105 are exactly four fifths.
    expect([await notificationsAbout(one, nearlyNotice), await isStopped(one)]).toEqual([1, [false]]);
    await send([eventOf(subscriptionId, '19')]);
    await look();
    // 99 with tax are 104: 1 is left.
    passMinute();
    expect(await use(subscriptionId, '1')).toBeUndefined();
    await look();
    expect([await isStopped(one), await notificationsAbout(one, stoppedNotice)]).toEqual([[true], 1 + 1]);
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    expect(await send([first])).toMatchObject({ duplicates: 1, rejected: [] });
    expect(await notificationsAbout(one, nearlyNotice)).toBe(1);
    // A correction reduces usage; the job finds that there is credit again.
    const correction = eventOf(subscriptionId, '0', {
      type: 'call.void',
      data: { source: first.source, id: first.id },
    });
    expect((await send([correction])).rejected).toEqual([]);
    await look();
    expect(await use(subscriptionId, '1')).toBeUndefined();
  });

  it('counts fees of the running month, too', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(
      one,
      await makeService({ pricing: { ...oneEach, baseFee: '1000' } }),
    );
    await topUp(one, twd(2000));
    // 21 of 30 days of the fee are 700, with tax 735.
    await buy(one, twd(735));
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    await buy(one, twd(2));
    expect(await use(subscriptionId, '1')).toBeUndefined();
  });

  it('is not kept running by promotional credit, or credit for other services or currencies', async () => {
    const one = await makeCustomer();
    const other = await makeService();
    const subscriptionId = await subscribe(one, await makeService());
    await topUp(one, twd(1000));
    await give(one, { kind: 'promotional' });
    await give(one, { amount: twd(300), scope: { services: [other], usageOnly: false } });
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    await give(one, { amount: twd(300) });
    expect(await use(subscriptionId, '1')).toBeUndefined();
  });

  it('with a rate card needs credit for every usage charge', async () => {
    const one = await makeCustomer();
    const [hours, disk] = [`hours-${++count}`, `disk-${count}`];
    for (const [key, eventType] of [
      [hours, 'hours'],
      [disk, 'disk'],
    ] as const)
      await console.ok(
        meters.createMeter,
        { key, name: key, unit: 'h', eventType, aggregation: 'sum', dimensions: [] },
        asAdmin(),
      );
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: `Card ${count}`,
        type: 'API',
        category: 'Own',
        currency: 'TWD',
        requiresPrepaidCredit: true,
        charges: [
          ['hours', hours],
          ['disk', disk],
        ].map(([key = '', meter = '']) => ({
          key,
          name: { zhTW: key, enUS: key },
          kind: 'usage' as const,
          meter,
          model: 'per_unit' as const,
          unitPrice: '1',
        })),
      },
      asAdmin(),
    );
    const subscriptionId = await subscribe(one, serviceId);
    await topUp(one, twd(1000));
    const charge = (chargeKey: string) => ({
      amount: twd(300),
      scope: { services: null, charges: [{ serviceId, chargeKey }], usageOnly: false },
    });
    await give(one, charge('hours'));
    const hour = () => send([eventOf(subscriptionId, '1', { type: 'hours' })]);
    expect((await hour()).rejected[0]?.code).toBe(usedUp);
    await give(one, charge('disk'));
    expect((await hour()).rejected).toEqual([]);
  });

  it('is not stopped if auto top-up buys credit in time', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService());
    await topUp(one, twd(1000));
    await buy(one, twd(105));
    await console.ok(
      creditgrants.setTopUp,
      {
        currency: 'TWD',
        topUp: { threshold: twd(10), amount: twd(200), monthlyCap: twd(200) },
        warnBelow: null,
      },
      { token: one.token },
    );
    await use(subscriptionId, '100');
    await look();
    expect([await isStopped(one), await notificationsAbout(one, stoppedNotice)]).toEqual([[false], 1]);
    expect((await console.ok(creditgrants.ownCredits, {}, { token: one.token })).totals[0]?.paid).toEqual(
      twd(305),
    );
    // At the cap no more credit is bought.
    await use(subscriptionId, '200');
    await look();
    expect(await use(subscriptionId, '1')).toBe(usedUp);
  });

  it('resumes when voiding a bill returns credit', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService());
    await topUp(one, twd(1000));
    await buy(one, twd(105));
    await use(subscriptionId, '100');
    console.clock.set(new Date('2026-12-05T04:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    await console.ok(billing.closeMonth, { month: '2026-11' as BillingMonth }, asAdmin());
    await look();
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    const again = { ...one, token: await signIn(console, one.email) };
    const { items } = await console.ok(
      billing.listBills,
      { month: '2026-11' as BillingMonth },
      { token: again.token },
    );
    await console.ok(
      credits.voidBill,
      { billId: required(items[0], 'the bill').id, reason: 'wrong' },
      asAdmin(),
    );
    // By the job that the void enqueued, without waiting for the next run.
    await expect.poll(() => use(subscriptionId, '1'), { timeout: 10_000, interval: 200 }).toBeUndefined();
  });

  it('stops within one run when credit is withdrawn', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService());
    await topUp(one, twd(1000));
    const { id } = await give(one, { amount: twd(500) });
    expect(await use(subscriptionId, '1')).toBeUndefined();
    await console.ok(creditgrants.withdrawGrant, { grantId: id, reason: 'by mistake' }, asAdmin());
    await look();
    expect(await use(subscriptionId, '1')).toBe(usedUp);
  });

  it('creates and commits no reservations while stopped', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(
      one,
      await makeService({ name: 'Held', quota: { type: 'hard', limit: '100' } }),
    );
    const reserve = () => console.call(quotas.reserve, { subscriptionId, quantity: '1' }, { token: gateway });
    const entitled = async () =>
      (await console.ok(quotas.entitlement, { subscriptionId }, { token: gateway })).allowed;
    const refused = await reserve();
    expect(await entitled()).toBe(false);
    expect([refused.status, refused.envelope.code]).toEqual([409, 'quotas.credit_used_up']);
    expect(refused.envelope.message).toContain('Held has no prepaid credit left');
    await topUp(one, twd(1000));
    const { id } = await give(one, { amount: twd(500) });
    const held = await reserve();
    expect([held.status, await entitled()]).toEqual([201, true]);
    await console.ok(creditgrants.withdrawGrant, { grantId: id, reason: 'by mistake' }, asAdmin());
    await look();
    const commit = await console.call(
      quotas.commitReservation,
      { reservationId: held.data.id },
      { token: gateway },
    );
    expect([commit.status, commit.envelope.code]).toEqual([409, 'quotas.usage_refused']);
    expect(commit.envelope.message).toContain('Held has no prepaid credit left');
  });
});

describe('T-STOP: changing the setting of a service', () => {
  it('stops customers without credit immediately, and resumes them when it is switched off', async () => {
    const [without, paying] = [await makeCustomer(), await makeCustomer()];
    const serviceId = await makeService({ requiresPrepaidCredit: false });
    const [first, second] = [await subscribe(without, serviceId), await subscribe(paying, serviceId)];
    await topUp(paying, twd(1000));
    await give(paying, { amount: twd(500) });
    expect([await use(first, '1'), await use(second, '1')]).toEqual([undefined, undefined]);
    const change = (requiresPrepaidCredit: boolean) =>
      console.ok(catalogue.updateService, { serviceId, requiresPrepaidCredit }, asAdmin());
    expect((await change(true)).requiresPrepaidCredit).toBe(true);
    expect([await use(first, '1'), await use(second, '1')]).toEqual([usedUp, undefined]);
    await look();
    expect([await use(first, '1'), await use(second, '1')]).toEqual([usedUp, undefined]);
    expect([
      await notificationsAbout(without, stoppedNotice),
      await notificationsAbout(paying, stoppedNotice),
    ]).toEqual([1, 0]);
    await change(false);
    expect([await use(first, '1'), await use(second, '1')]).toEqual([undefined, undefined]);
  });

  it('does not affect other services of the organization', async () => {
    const one = await makeCustomer();
    const prepaid = await subscribe(one, await makeService());
    const billed = await subscribe(one, await makeService({ requiresPrepaidCredit: false }));
    expect([await use(prepaid, '1'), await use(billed, '1')]).toEqual([usedUp, undefined]);
    await look();
    expect([await use(prepaid, '1'), await use(billed, '1')]).toEqual([usedUp, undefined]);
  });

  it('applies immediately to a change of plan to such a service', async () => {
    const one = await makeCustomer();
    const family = `plans ${++count}`;
    const from = await makeService({
      family,
      requiresPrepaidCredit: false,
      pricing: { ...oneEach, baseFee: '1' },
    });
    const to = await makeService({ family, pricing: { ...oneEach, baseFee: '2' } });
    const subscriptionId = await subscribe(one, from);
    expect(await use(subscriptionId, '1')).toBeUndefined();
    await console.ok(
      subscriptions.change,
      { subscriptionId, serviceId: to, when: 'now' },
      { token: one.token },
    );
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    expect(await isStopped(one)).toEqual([true]);
    await topUp(one, twd(1000));
    await buy(one, twd(500));
    expect(await use(subscriptionId, '1')).toBeUndefined();
  });
});

describe('T-STOP: the cost for metering', () => {
  /** The statements of one batch with an empty cache, without the group commit. */
  async function statementsOf(events: readonly object[]): Promise<number> {
    let executed = 0;
    const kysely = console.app.database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        executed++;
        return result;
      },
    });
    const app = { ...console.app, database: { ...console.app.database, kysely } };
    const results = await ingestEvents(app, events, { organizationId: null, keyId: null });
    expect(results.map(({ outcome }) => outcome)).toEqual(events.map(() => 'accepted'));
    return executed;
  }

  it('is no additional statement for a batch without such a service, and two with one: its coverage and the check job', async () => {
    const one = await makeCustomer();
    const billed = await subscribe(one, await makeService({ requiresPrepaidCredit: false }));
    const prepaid = await subscribe(one, await makeService());
    await topUp(one, twd(1000));
    await buy(one, twd(500));
    // The first batch of a process prepares the cache.
    await statementsOf([eventOf(billed, '1'), eventOf(prepaid, '1')]);
    const without = await statementsOf([eventOf(billed, '1')]);
    expect(await statementsOf([eventOf(prepaid, '1')])).toBe(without + 2);
    // As many statements as without the setting, all of them uncached; a console usually caches most of them.
    // One reads whether there are credit limits.
    expect(without).toBe(12);
  });
});

describe('T-STOP: concurrency', () => {
  it('50 concurrent senders, purchases and checks end in the right state', async () => {
    const one = await makeCustomer();
    const subscriptionId = await subscribe(one, await makeService());
    await topUp(one, twd(5000));
    await buy(one, twd(1050));
    await Promise.all([
      ...Array.from({ length: 50 }, () => use(subscriptionId, '20')),
      ...Array.from({ length: 5 }, () => look()),
    ]);
    await look();
    expect(await isStopped(one)).toEqual([true]);
    expect(await use(subscriptionId, '1')).toBe(usedUp);
    await Promise.all([
      ...Array.from({ length: 20 }, () => buy(one, twd(10))),
      ...Array.from({ length: 10 }, () => look()),
      ...Array.from({ length: 20 }, () => use(subscriptionId, '1')),
    ]);
    expect(await isStopped(one)).toEqual([false]);
    const { rows } = await sql<{ open: bigint }>`select count(*) as open from credit_check`.execute(db());
    await look();
    expect(rows[0]?.open).toBeDefined();
    expect(
      (await sql<{ open: bigint }>`select count(*) as open from credit_check`.execute(db())).rows[0]?.open,
    ).toBe(0n);
  });
});
