// Budgets: a month's cost and forecast against its limit, each threshold notified once, without delaying
// ingestion.
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { budgets } from '#features/metering/budgets/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { registerUser, signIn, userPassword } from '../support/console.ts';
import {
  admin,
  console,
  fresh,
  listen,
  moveTo,
  platformKey,
  runJob,
  startQuotaConsole,
} from '../support/quotas.ts';

startQuotaConsole();

type Customer = {
  account: string;
  token: string;
  organizationId: Id<'org'>;
  subscriptionId: Id<'sub'>;
  serviceId: Id<'svc'>;
};

/** An organization with one service at NT$2 per call, from the first of the month. */
async function customer(
  pricing: { currency: 'TWD' | 'USD'; baseFee?: string } = { currency: 'TWD' },
): Promise<Customer> {
  const account = `owner${fresh()}@budget.example`;
  const { token, organizationId } = await registerUser(console, account, account);
  const one = { account, token, organizationId: organizationId as Id<'org'> };
  return { ...one, ...(await service(one.organizationId, pricing)) };
}
async function service(organizationId: Id<'org'>, pricing: { currency: 'TWD' | 'USD'; baseFee?: string }) {
  const { id } = await console.ok(
    catalogue.createService,
    {
      name: `Calls ${fresh()}`,
      type: 'API',
      category: 'Platform',
      pricing: { model: 'per_unit', unitPrice: '2', ...pricing },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  return {
    serviceId: id,
    subscriptionId: (
      await console.ok(
        subscriptions.adminSubscribe,
        { organizationId, serviceId: id, startedAt: new Date('2026-09-30T16:00:00Z') },
        { token: admin },
      )
    ).id,
  };
}
const spend = async (
  { subscriptionId }: { subscriptionId: string },
  value: string,
  time = console.clock.now(),
) => {
  const events = [
    {
      specversion: '1.0',
      id: `b${fresh()}`,
      source: '/b',
      type: 'call',
      subject: subscriptionId,
      time: time.toISOString(),
      data: { value },
    },
  ];
  expect(
    (
      await console.ok(
        usage.ingest,
        {},
        {
          token: platformKey,
          body: JSON.stringify(events),
          headers: { 'content-type': 'application/cloudevents-batch+json' },
        },
      )
    ).rejected,
  ).toEqual([]);
};
/** Calls per day at NT$2, on the days of October before today. */
const daily = async (one: Customer, values: readonly string[]) => {
  for (const [index, value] of values.entries())
    await spend(one, value, new Date(Date.UTC(2026, 9, index + 1, 4)));
};
const create = (
  one: Customer,
  amount: bigint,
  more: { serviceId?: Id<'svc'>; thresholds?: number[]; name?: string; currency?: 'TWD' | 'USD' } = {},
) => {
  const { currency = 'TWD', ...rest } = more;
  return console.call(
    budgets.createBudget,
    { name: 'All', amount: money(amount, currency), ...rest },
    { token: one.token },
  );
};
const list = (token: string) => console.ok(budgets.listBudgets, {}, { token });
const check = (one: Customer) => runJob('budgets.check', { organizationId: one.organizationId });
const at = async (one: Customer, moment: string): Promise<Customer> => {
  await moveTo(moment);
  return { ...one, token: await signIn(console, one.account) };
};

// The first of October in Taipei, at noon.
beforeEach(() => moveTo('2026-10-01T04:00:00Z'));

describe('the page of a budget', () => {
  it('shows the exact cost of the month so far, of all services or of one, and the next threshold', async () => {
    const one = await customer({ currency: 'TWD', baseFee: '100' });
    const second = await service(one.organizationId, { currency: 'TWD' });
    await spend(one, '12.25');
    await spend(second, '100');
    const all = (await create(one, 1000n)).data;
    expect(all).toMatchObject({
      month: '2026-10',
      thresholds: [50, 85, 100],
      actual: '324.5',
      billed: { minor: 325n, currency: 'TWD' },
      percent: 32.4,
      forecast: null,
      nextThreshold: 50,
      service: null,
      told: [],
    });
    expect(
      (await create(one, 200n, { serviceId: second.serviceId, thresholds: [200, 100, 50, 100] })).data,
    ).toMatchObject({
      thresholds: [50, 100, 200],
      actual: '200',
      percent: 100,
      nextThreshold: 200,
      service: { id: second.serviceId },
    });
    const { currency, services, items } = await list(one.token);
    expect([currency, services.length, items.map((each) => each.percent)]).toEqual(['TWD', 2, [32.4, 100]]);
    const figures = await console.ok(usage.statistics, {}, { token: one.token });
    expect([figures.totalCost.amount, figures.billed]).toEqual([all.actual, all.billed]);
  });
  it('shows a forecast with a range once some days are over, and none before', async () => {
    const one = await customer();
    await create(one, 10_000n);
    await spend(one, '100');
    expect((await list(one.token)).items[0]).toMatchObject({ actual: '200', forecast: null });
    const second = await at(one, '2026-10-02T04:00:00Z');
    // One day is not enough for a forecast of thirty.
    expect((await list(second.token)).items[0]?.forecast).toBeNull();
    const later = await at(one, '2026-10-05T04:00:00Z');
    await daily(later, ['0', '50', '150', '100']);
    const [budget] = (await list(later.token)).items;
    const { projectedCost } = await console.ok(usage.statistics, {}, { token: later.token });
    expect(budget?.forecast).toMatchObject({
      expected: projectedCost.amount,
      low: projectedCost.low,
      high: projectedCost.high,
    });
    expect(Number(budget?.forecast?.low)).toBeLessThan(Number(budget?.forecast?.expected));
  });
});

describe('budget notifications', () => {
  it('are sent once per threshold, month and kind, for the highest of several, to members including ReadOnly', async () => {
    const one = await customer();
    const reader = `reader${fresh()}@budget.example`;
    await console.ok(
      identity.createUser,
      {
        account: reader,
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: one.organizationId,
        password: userPassword,
      },
      { token: admin },
    );
    const readOnly = await signIn(console, reader);
    const [news, readers] = [await listen(() => one.token), await listen(() => readOnly)];
    const { id } = (await create(one, 1000n)).data;
    await spend(one, '249.999999999999');
    await check(one);
    expect(await news()).toEqual([]);
    await spend(one, '0.000000000001');
    for (let time = 0; time < 2; time++) await check(one);
    const half = 'Budget “All”: this month has cost NT$500, which is 50% of the budget of NT$1,000.';
    expect(await news()).toEqual([half]);
    await spend(one, '260');
    await Promise.all([check(one), check(one)]);
    expect(await news()).toEqual([
      half,
      'Budget “All”: this month has cost NT$1,020, which is 102% of the budget of NT$1,000.',
    ]);
    expect(await readers()).toEqual(await news());
    // Each has another dashboard.
    for (const [token, page] of [
      [one.token, '/billing/dashboard'],
      [readOnly, '/dashboard'],
    ] as const) {
      const { items } = await console.ok(notifications.listNotifications, { category: 'billing' }, { token });
      expect(items.map(({ link }) => link)).toEqual([page, page]);
    }
    expect(
      (await list(one.token)).items[0]?.told.map(({ kind, threshold }) => `${kind} ${threshold}`),
    ).toEqual(['actual 50', 'actual 85', 'actual 100']);
    // A changed amount makes it another budget, whose thresholds are notified again.
    await console.ok(
      budgets.updateBudget,
      { budgetId: id, amount: money(2000n, 'TWD'), thresholds: [50, 90] },
      { token: one.token },
    );
    await check(one);
    expect((await news()).slice(2)).toEqual([
      'Budget “All”: this month has cost NT$1,020, which is 51% of the budget of NT$2,000.',
    ]);
    await at(one, '2026-11-03T04:00:00Z');
    await check(one);
    await spend(one, '600');
    await check(one);
    // The new month’s thresholds were notified by the job; the clock has moved on, so the ReadOnly member
    // signs in again.
    const november = await signIn(console, one.account);
    expect(
      (await list(november)).items[0]?.told.map(({ kind, threshold }) => `${kind} ${threshold}`),
    ).toEqual(['actual 50']);
  });
  it('warn of a forecast before it is spent, never in the first days, and not of what is already spent', async () => {
    const one = await customer();
    const budget = (await create(one, 3000n, { thresholds: [50, 100] })).data;
    await spend(one, '400');
    const notices = async () =>
      (
        (await list((await at(one, console.clock.now().toISOString())).token)).items.find(
          (each) => each.id === budget.id,
        )?.told ?? []
      ).map(({ kind, threshold }) => `${kind} ${threshold}`);
    await check(one);
    expect(await notices()).toEqual([]);
    // The job also runs some time after usage arrives, so all notifications are collected from here on.
    let reader = one.token;
    const news = await listen(() => reader);
    const later = await at(one, '2026-10-05T04:00:00Z');
    reader = later.token;
    await daily(later, ['0', '50', '40', '60']);
    await check(one);
    // NT$1,100 is 36 %, and about NT$8,000 are forecast; only the highest threshold of each kind is notified.
    expect(await notices()).toEqual(['forecast 50', 'forecast 100']);
    expect((await news()).map((each) => each.replace(/is NT\$[\d,]+, which is [\d.]+%/, 'is …'))).toEqual([
      'Budget “All”: the forecast for this month is … of the budget of NT$3,000.',
    ]);
    await spend(one, '300');
    await check(one);
    expect((await notices()).toSorted()).toEqual(['actual 50', 'forecast 100', 'forecast 50']);
  });
  it('are checked by a job after usage, without delaying it; without a budget no job is enqueued', async () => {
    const [one, other] = [await customer(), await customer()];
    const waiting = async () =>
      (
        await sql<{
          key: string;
        }>`select singleton_key as key from job.job where name = 'budgets.check' and state in ('created', 'active', 'completed') and singleton_key = any(${[one.organizationId, other.organizationId]})`.execute(
          console.app.database.kysely,
        )
      ).rows.map((row) => row.key);
    await spend(one, '1');
    await spend(other, '1');
    expect(await waiting()).toEqual([]);
    await create(one, 10n);
    await Promise.all(Array.from({ length: 8 }, () => spend(one, '1')));
    await spend(other, '1');
    expect(new Set(await waiting())).toEqual(new Set([one.organizationId]));
  });
  it('are checked for all budgets every hour, because fees accrue without usage', async () => {
    const one = await customer({ currency: 'TWD', baseFee: '900' });
    const news = await listen(() => one.token);
    await sql`insert into budget (id, organization_id, name, amount, currency, thresholds, created_by, created_at) values ('bud_00000000000000000000000001', ${one.organizationId}, 'Fees', 1000, 'TWD', '{50,85,100}', 'x', now())`.execute(
      console.app.database.kysely,
    );
    await runJob('budgets.sweep');
    expect(await news()).toEqual([expect.stringContaining('90% of the budget of NT$1,000')]);
  });
});

describe('setting a budget', () => {
  it('requires the currency of the costs and a positive amount', async () => {
    const one = await customer({ currency: 'USD' });
    const refused = [await create(one, 100n), await create(one, 0n, { currency: 'USD' })];
    expect(refused.map((each) => each.envelope.errors?.[0])).toMatchObject([
      { field: 'amount', message: 'The amount must be in USD.' },
      { field: 'amount', code: 'budgets.amount_not_positive' },
    ]);
    await spend(one, '3.5');
    expect((await create(one, 10_050n, { currency: 'USD' })).data).toMatchObject({
      actual: '7',
      percent: 6.9,
    });
  });
  it('accepts only services with a subscription', async () => {
    const [one, other] = [await customer(), await customer()];
    expect((await create(one, 100n, { serviceId: other.serviceId })).envelope.errors?.[0]).toMatchObject({
      field: 'serviceId',
      code: 'budgets.service_not_subscribed',
    });
  });
  it('keeps an amount in its currency, whatever is subscribed later', async () => {
    const one = await customer();
    await spend(one, '10');
    await create(one, 100n);
    for (let more = 0; more < 2; more++)
      await spend(await service(one.organizationId, { currency: 'USD' }), '1000');
    expect(await list(one.token)).toMatchObject({ currency: 'USD', items: [{ actual: '20', percent: 20 }] });
  });
  it('can be undone by deleting it with its notifications; a budget of another organization does not exist, and a ReadOnly member cannot change one', async () => {
    const [one, other] = [await customer(), await customer()];
    await spend(one, '100');
    const { id } = (await create(one, 100n)).data;
    await check(one);
    const calls = (token: string) => [
      console.call(budgets.updateBudget, { budgetId: id, name: 'Mine' }, { token }),
      console.call(budgets.deleteBudget, { budgetId: id }, { token }),
    ];
    for (const call of calls(other.token)) expect((await call).envelope.code).toBe('budgets.not_found');
    const account = `reader${fresh()}@budget.example`;
    await console.ok(
      identity.createUser,
      {
        account,
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: one.organizationId,
        password: userPassword,
      },
      { token: admin },
    );
    const reader = await signIn(console, account);
    for (const call of calls(reader)) expect((await call).status).toBe(403);
    expect(required((await list(reader)).items[0], 'the budget').name).toBe('All');
    await console.ok(budgets.deleteBudget, { budgetId: id }, { token: one.token });
    expect((await list(one.token)).items).toEqual([]);
    expect(
      (await sql`select 1 from budget_told where budget_id = ${id}`.execute(console.app.database.kysely))
        .rows,
    ).toEqual([]);
  });
});
