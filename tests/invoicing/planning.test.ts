// Price simulations on real usage: current prices give the real bills, other prices those they would have
// given.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing, type Service } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { planning, type Rehearsal } from '#features/invoicing/planning/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

type Customer = { email: string; token: string; organizationId: string; subscriptionId: string };
const month = (text: string) => text as BillingMonth;
const [july, august, september, october] = [
  month('2024-07'),
  month('2024-08'),
  month('2024-09'),
  month('2024-10'),
];
const listed: Pricing = { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '1' };
const raised: Pricing = { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '2' };
const wanted: Pricing = { model: 'per_unit', currency: 'TWD', baseFee: '301', unitPrice: '0.5' };
const meter = { eventType: 'gb', aggregation: 'sum', unit: 'GB' } as const;

let console: TestConsole;
let admin: string;
let key: string;
let storage: Service;
let plan: Service;
let small: Customer;
let large: Customer;
let late: Customer;

const make = (name: string, more: object): Promise<Service> =>
  console.ok(
    catalogue.createService,
    { name, type: 'Storage', category: 'Platform', family: 'storage', pricing: listed, meter, ...more },
    { token: admin },
  );
async function customer(name: string, startedAt: string): Promise<Customer> {
  const email = `owner@${name.toLowerCase()}.example`;
  const { token, organizationId } = await registerUser(console, email, name);
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as never, serviceId: storage.id, startedAt: new Date(startedAt) },
    { token: admin },
  );
  return { email, token, organizationId, subscriptionId: id };
}
let events = 0;
async function use(who: Customer, time: string, value: string): Promise<void> {
  events++;
  const body = JSON.stringify([
    {
      specversion: '1.0',
      id: `e${events}`,
      source: '/s',
      type: 'gb',
      subject: who.subscriptionId,
      time,
      data: { value },
    },
  ]);
  expect(
    await console.ok(
      usage.ingest,
      {},
      { token: key, headers: { 'content-type': 'application/cloudevents-batch+json' }, body },
    ),
  ).toMatchObject({ accepted: 1 });
}
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  for (const who of [small, large, late]) if (who) who.token = await signIn(console, who.email);
}
const simulate = (
  more: Partial<{ pricing: Pricing; from: BillingMonth; to: BillingMonth; serviceId: Service['id'] }> = {},
) => console.call(planning.simulate, { serviceId: storage.id, pricing: wanted, ...more }, { token: admin });
const rehearse = async (more: Parameters<typeof simulate>[0] = {}): Promise<Rehearsal> => {
  const { status, data } = await simulate(more);
  expect(status).toBe(200);
  return data;
};
const of = (rehearsal: Rehearsal, who: Customer) =>
  rehearsal.affected.find((each) => each.organizationId === who.organizationId);
const figures = (rehearsal: Rehearsal, who: Customer) =>
  of(rehearsal, who)?.months.map(({ before, after }) => `${moneyText(before)}→${moneyText(after)}`);
const plain = (amount: Money | undefined): string | undefined => amount && moneyText(amount);

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-07-20T00:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  storage = await make('Object storage', {});
  plan = await make('Flat storage', { pricing: { model: 'flat', currency: 'TWD', baseFee: '400' } });
  await make('In dollars', { pricing: { model: 'flat', currency: 'USD', baseFee: '1' } });
  await make('In hours', { meter: { ...meter, unit: 'hours' } });
  await make('To come', { releaseState: 'Coming Soon' });
  await make('Other family', { family: 'compute' });
  // The month begins at 16:00 UTC in Taipei.
  small = await customer('Small', '2024-06-30T16:00:00Z');
  large = await customer('Large', '2024-06-30T16:00:00Z');
  await use(small, '2024-07-05T00:00:00Z', '100');
  await use(large, '2024-07-05T00:00:00Z', '1000.5');
  await moveTo('2024-08-11T00:00:00Z');
  await console.ok(catalogue.updateService, { serviceId: storage.id, pricing: raised }, { token: admin });
  await use(small, '2024-08-02T00:00:00Z', '30');
  await moveTo('2024-08-30T00:00:00Z');
  await use(small, '2024-08-20T00:00:00Z', '70');
  await use(large, '2024-08-20T00:00:00Z', '2000');
  await moveTo('2024-09-20T00:00:00Z');
  late = await customer('Late', '2024-09-15T16:00:00Z');
  await use(late, '2024-09-18T00:00:00Z', '7');
  await use(small, '2024-09-10T00:00:00Z', '0');
  await moveTo('2024-10-05T03:00:00Z');
  for (const closed of [july, august, september])
    await console.ok(billing.closeMonth, { month: closed }, { token: admin });
});

describe('R-CAT-01 price simulation', () => {
  it('at current prices equals the months’ bills, to the last dollar', async () => {
    const rehearsal = await rehearse();
    expect(rehearsal.months).toEqual([july, august, september]);
    for (const who of [small, large, late]) {
      const { items } = await console.ok(billing.listBills, {}, { token: who.token });
      const billed = rehearsal.months.map(
        (each) => plain(items.find((bill) => bill.month === each)?.net) ?? '0',
      );
      expect(
        of(rehearsal, who)?.months.map((each) => plain(each.before)),
        who.email,
      ).toEqual(billed);
    }
  });

  it('at other prices equals the bills they would give, for whole months and parts of a month', async () => {
    const rehearsal = await rehearse();
    // August was the base fee, 30 at 1 and 70 at 2; with the new price it is 301 and 100 × 0.5.
    expect(figures(rehearsal, small)).toEqual(['200→351', '270→351', '100→301']);
    expect(figures(rehearsal, large)).toEqual(['1101→801', '4100→1301', '100→301']);
    // 15 of 30 days.
    expect(figures(rehearsal, late)).toEqual(['0→0', '0→0', '64→155']);
  });

  it('adds up: customers, months and totals are equal', async () => {
    const rehearsal = await rehearse();
    expect(rehearsal).toMatchObject({
      currency: 'TWD',
      subscriptions: 3,
      organizations: 3,
      counts: { more: 2, less: 1, same: 0 },
      warnings: [],
    });
    expect(
      rehearsal.byMonth.map((each) => [each.month, plain(each.before), plain(each.after), each.counts]),
    ).toEqual([
      [july, '1301', '1152', { more: 1, less: 1, same: 0 }],
      [august, '4370', '1652', { more: 1, less: 1, same: 0 }],
      [september, '264', '757', { more: 3, less: 0, same: 0 }],
    ]);
    expect([
      plain(rehearsal.total.before),
      plain(rehearsal.total.after),
      plain(rehearsal.total.difference),
      rehearsal.total.percent,
    ]).toEqual(['5935', '3561', '-2374', -40]);
    expect(rehearsal.affected.map((each) => [each.name, plain(each.difference), each.percent])).toEqual([
      ['Large', '-2898', -54.7],
      ['Small', '433', 76],
      ['Late', '91', 142.2],
    ]);
    // A bill rounds line by line: 500.25 down, a fee of 150.5 and 3.5 of usage up.
    expect([rehearsal.total.exactBefore, rehearsal.total.exactAfter]).toEqual(['5934.5', '3560.25']);
  });

  it('changes nothing for customers who already have the price, and counts them as unchanged', async () => {
    const same = await rehearse({ pricing: raised, from: september, to: september });
    expect(same.counts).toEqual({ more: 0, less: 0, same: 3 });
    expect(same.total).toMatchObject({ exactDifference: '0', percent: 0 });
  });

  it('leaves an agreed price unchanged, because publishing another one does not affect it', async () => {
    // Agreements start when they are created, so one from the middle of September is inserted directly.
    await sql`insert into price_override (id, service_id, organization_id, effective_from, currency, pricing, reason, created_at) values ('prv_01hzzzzzzzzzzzzzzzzzzzzzzz', ${storage.id}, ${small.organizationId}, '2024-09-15T16:00:00Z', 'TWD', ${JSON.stringify({ model: 'flat', currency: 'TWD', baseFee: '77' })}::jsonb, 'Loyal', now())`.execute(
      console.app.database.kysely,
    );
    const rehearsal = await rehearse({ from: september, to: september });
    // 15 of 30 days at 100 or 301, then 15 at 77 either way.
    expect(figures(rehearsal, small)).toEqual(['89→190']);
    expect(rehearsal.warnings).toEqual([{ code: 'agreed_price', count: 1 }]);
    await sql`delete from price_override`.execute(console.app.database.kysely);
  });

  it('stores nothing', async () => {
    const count = async () =>
      (
        await sql<{
          versions: bigint;
          audit: bigint;
        }>`select (select count(*) from price_version) as versions, (select count(*) from audit_log) as audit`.execute(
          console.app.database.kysely,
        )
      ).rows[0];
    const before = await count();
    await rehearse();
    expect(await count()).toEqual(before);
  });

  it('warns of usage that may still arrive, and excludes running months', async () => {
    console.clock.set(new Date('2024-10-02T00:00:00Z'));
    expect((await rehearse()).warnings).toEqual([{ code: 'late_usage', count: 3 }]);
    console.clock.set(new Date('2024-10-05T03:00:00Z'));
  });

  it.each<[string, Parameters<typeof simulate>[0], number, unknown]>([
    [
      'another currency',
      { pricing: { ...wanted, currency: 'USD' } },
      422,
      { code: 'catalogue.currency_differs', errors: [{ field: 'pricing.currency' }] },
    ],
    ['the running month', { from: september, to: october }, 422, { code: 'planning.month_not_over' }],
    ['the end before the start', { from: september, to: july }, 422, { code: 'planning.start_after_end' }],
    ['thirteen months', { from: month('2023-09'), to: september }, 422, { code: 'planning.too_many_months' }],
    [
      'tiers that descend',
      {
        pricing: {
          model: 'graduated',
          currency: 'TWD',
          tiers: [
            { upTo: '10', unitPrice: '1' },
            { upTo: '5', unitPrice: '1' },
            { upTo: null, unitPrice: '1' },
          ],
        },
      },
      422,
      { code: 'catalogue.tiers_wrong', errors: [{ field: 'pricing.tiers.1.upTo' }] },
    ],
    [
      'a service that does not exist',
      { serviceId: 'svc_00000000000000000000000000' as never },
      404,
      { code: 'planning.service_not_found' },
    ],
  ])('rejects %s', async (_what, input, status, envelope) => {
    const answer = await simulate(input);
    expect([answer.status, answer.envelope]).toMatchObject([status, envelope]);
  });

  it('is exported as a workbook, and logs who exported it', async () => {
    const { data } = await console.call(
      planning.exportSimulation,
      { serviceId: storage.id, pricing: wanted, format: 'xlsx' },
      { token: admin },
    );
    expect([data.mediaType, new TextDecoder('latin1').decode((data.body as Uint8Array).slice(0, 2))]).toEqual(
      ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
    );
    const { rows } = await sql<{
      subject: string;
      detail: object;
    }>`select subject, detail from audit_log where action = 'planning.exportSimulation'`.execute(
      console.app.database.kysely,
    );
    expect(rows).toMatchObject([
      { subject: storage.id, detail: { format: 'xlsx', from: july, to: september, rows: 3 } },
    ]);
  });

  it('exports every customer as a table', async () => {
    const { data } = await console.call(
      planning.exportSimulation,
      { serviceId: storage.id, pricing: wanted, from: august, to: september, format: 'csv' },
      { token: admin },
    );
    const text = new TextDecoder().decode(data.body as Uint8Array);
    expect(text.split('\r\n').map((line) => line.replace(/org_\w+/, 'org'))).toEqual([
      'Organization,Organization ID,Currency,Before,After,Difference,Difference %,Before 2024-08,After 2024-08,Before 2024-09,After 2024-09',
      'Large,org,TWD,4200,1602,-2598,-61.9,4100,1301,100,301',
      'Small,org,TWD,370,652,282,76.2,270,351,100,301',
      'Late,org,TWD,64,155,91,142.2,,,64,155',
      '',
    ]);
  });
});

describe('the estimator suggests own months', () => {
  it('of the service, newest first, without empty ones and the running one', async () => {
    await use(small, '2024-10-02T00:00:00Z', '5');
    const { unit, from, months } = await console.ok(
      planning.ownUsage,
      { serviceId: storage.id },
      { token: small.token },
    );
    expect([unit, from, months.map((each) => [each.month, each.quantity])]).toEqual([
      'GB',
      'same',
      [
        [august, '100'],
        [july, '100'],
      ],
    ]);
  });

  it('otherwise of its family in the same unit, or none', async () => {
    const ofPlan = await console.ok(planning.ownUsage, { serviceId: plan.id }, { token: large.token });
    expect([ofPlan.from, ofPlan.months.map((each) => each.quantity), ofPlan.months[0]?.serviceNames]).toEqual(
      ['family', ['2000', '1000.5'], ['Object storage']],
    );
    const { items } = await console.ok(catalogue.listServices, {}, { token: large.token });
    for (const name of ['In hours', 'Other family']) {
      const serviceId = items.find((each) => each.name === name)?.id as Service['id'];
      expect(await console.ok(planning.ownUsage, { serviceId }, { token: large.token })).toMatchObject({
        from: 'none',
        months: [],
      });
    }
  });
});

describe('plan comparison', () => {
  it('shows the cost of this plan beside the others of its family, the cheapest first', async () => {
    const fit = await console.ok(
      planning.planFit,
      { subscriptionId: large.subscriptionId as never },
      { token: large.token },
    );
    expect(fit.months).toEqual([july, august, september]);
    expect([plain(fit.current.total), fit.current.monthly.map((each) => plain(each.amount))]).toEqual([
      '5301',
      ['1101', '4100', '100'],
    ]);
    expect(
      fit.plans.map((each) => [each.serviceName, plain(each.total), plain(each.savingPerMonth)]),
    ).toEqual([['Flat storage', '1200', '1367']]);
    const small400 = await console.ok(
      planning.planFit,
      { subscriptionId: small.subscriptionId as never },
      { token: small.token },
    );
    expect(small400.plans.map((each) => plain(each.savingPerMonth))).toEqual(['-210']);
  });

  it('charges a plan only for the days of service', async () => {
    const fit = await console.ok(
      planning.planFit,
      { subscriptionId: late.subscriptionId as never },
      { token: late.token },
    );
    expect([fit.months, plain(fit.current.total), fit.plans.map((each) => plain(each.total))]).toEqual([
      [september],
      '64',
      ['200'],
    ]);
  });

  it('excludes plans that the organization already has, and shows nothing of other organizations', async () => {
    await console.ok(subscriptions.subscribe, { serviceId: plan.id }, { token: late.token });
    expect(
      (
        await console.ok(
          planning.planFit,
          { subscriptionId: late.subscriptionId as never },
          { token: late.token },
        )
      ).plans,
    ).toEqual([]);
    const foreign = await console.call(
      planning.planFit,
      { subscriptionId: late.subscriptionId as never },
      { token: small.token },
    );
    expect([foreign.status, foreign.envelope.code]).toEqual([404, 'planning.subscription_not_found']);
  });
});

describe('changed plans and months that are not over in every time zone', () => {
  it('includes a subscription only for its time on the service', async () => {
    const moved = await customer('Moved', '2024-08-31T16:00:00Z');
    await console.ok(
      subscriptions.change,
      { subscriptionId: moved.subscriptionId as never, serviceId: plan.id },
      { token: moved.token },
    );
    expect(figures(await rehearse({ from: september, to: september }), moved)).toEqual(['100→301']);
    const price: Pricing = { model: 'flat', currency: 'TWD', baseFee: '1' };
    expect(
      (await rehearse({ serviceId: plan.id, pricing: price, from: september, to: september })).organizations,
    ).toBe(0);

    await moveTo('2024-11-04T00:00:00Z');
    await console.ok(billing.closeMonth, { month: october }, { token: admin });
    const parts = [
      await rehearse({ from: october, to: october }),
      await rehearse({ serviceId: plan.id, pricing: price, from: october, to: october }),
    ].map((rehearsal) => of(rehearsal, moved)?.before.minor ?? 0n);
    moved.token = await signIn(console, moved.email);
    const { items } = await console.ok(billing.listBills, { month: october }, { token: moved.token });
    expect(parts.every((part) => part > 0n)).toBe(true);
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(items[0]?.net.minor);
  });

  it('excludes organizations whose month is not over', async () => {
    // As if it had been there from the start: with a month billed, it can't change any more.
    await sql`update organization set time_zone = 'America/New_York' where id = ${late.organizationId}`.execute(
      console.app.database.kysely,
    );
    // The first of November in Taipei, the last of October in New York.
    console.clock.set(new Date('2024-10-31T20:00:00Z'));
    const rehearsal = await rehearse({ from: october, to: october });
    expect([of(rehearsal, small) === undefined, of(rehearsal, late) === undefined]).toEqual([false, true]);
  });
});
