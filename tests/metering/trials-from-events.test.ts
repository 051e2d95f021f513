// Percentages in trials cost what each event costs: of a meter that has not counted yet, and with growth
// (R-BILL-05, R-CAT-01).
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import { decimal, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, sumMoney, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { planning } from '#features/invoicing/planning/contract.ts';
import { archiveMonth } from '#features/metering/usage/server/archive-events.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { chargePrice } from '#features/selling/rating/rules-charge.ts';
import { blockOf } from '#features/selling/rating/rules-percentage.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { roundsOr } from '../support/fault-rounds.ts';

const rounds = Math.min(300, roundsOr(6));
const month = '2024-10' as BillingMonth;
const monthStart = Date.parse('2024-09-30T16:00:00Z');
type Percentage = Extract<Charge, { model: 'percentage' }>;
const limits: Record<string, Partial<Percentage>> = {
  plain: {},
  fee: { fixedPerEvent: '0.3' },
  least: { minPerEvent: '2' },
  most: { maxPerEvent: '5' },
  between: { fixedPerEvent: '0.1', minPerEvent: '1', maxPerEvent: '4' },
  first: { fixedPerEvent: '0.3', freeEvents: 7 },
  amount: { fixedPerEvent: '0.3', freeAmount: '260' },
  all: { fixedPerEvent: '0.3', freeEvents: 9, freeAmount: '300', minPerEvent: '1', maxPerEvent: '3' },
};
const charges = Object.entries(limits).flatMap(([name, own]) =>
  ['sales', 'sales_tpe'].map((meter): Percentage => ({
    key: `${name}_${meter}`,
    name: { zhTW: name, enUS: name },
    kind: 'usage',
    meter,
    model: 'percentage',
    ratePercent: '2.9',
    ...own,
  })),
);
type Customer = {
  readonly organizationId: Id<'org'>;
  readonly serviceId: Id<'svc'>;
  readonly id: Id<'sub'>;
};
type Sale = { readonly id: string; readonly time: number; readonly value: string; readonly region: string };

let console: TestConsole;
let admin: string;
let key: string;
/** Its service charges by both meters. */
let counted: Customer;
/** Its service counts the same events only. */
let tried: Customer;
const sales = new Map<string, Sale>();
let sent = 0;

async function customer(name: string, sold: readonly Charge[]): Promise<Customer> {
  const { organizationId } = await registerUser(console, `owner@${name}.example`, name);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    { name, type: 'API', category: 'Own', currency: 'USD', charges: [...sold] },
    { token: admin },
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date(monthStart) },
    { token: admin },
  );
  return { organizationId: organizationId as Id<'org'>, serviceId, id };
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-20T04:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const meter = { unit: 'USD', eventType: 'sale', aggregation: 'sum' } as const;
  await console.ok(meters.createMeter, { key: 'sales', name: 'Sales', ...meter }, { token: admin });
  await console.ok(
    meters.createMeter,
    { key: 'sales_tpe', name: 'Sales in Taipei', ...meter, filter: { region: ['tpe'] } },
    { token: admin },
  );
  await console.ok(
    meters.createMeter,
    { key: 'calls', name: 'Calls', unit: 'call', eventType: 'sale', aggregation: 'count' },
    { token: admin },
  );
  counted = await customer('counted', charges);
  tried = await customer('tried', [
    {
      key: 'calls',
      name: { zhTW: 'calls', enUS: 'calls' },
      kind: 'usage',
      meter: 'calls',
      model: 'per_unit',
      unitPrice: '1',
    },
  ]);
  // The month is over, and takes events until it is closed.
  console.clock.set(new Date('2024-11-01T04:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}, 120_000);

async function send(events: readonly object[]): Promise<void> {
  for (const { id } of [counted, tried]) {
    const { rejected } = await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        body: JSON.stringify(
          events.map((event) => ({ specversion: '1.0', source: id, subject: id, ...event })),
        ),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect(rejected).toEqual([]);
  }
}

const amountText = (amounts: readonly Money[]): string => moneyText(sumMoney(amounts, 'USD'));

/** What a customer would have paid at a price. */
async function trial({ serviceId }: Customer, of: readonly Charge[]): Promise<string> {
  const pricing: Pricing = { model: 'rate_card', currency: 'USD', charges: [...of] };
  const { affected } = await console.ok(
    planning.simulate,
    { serviceId, pricing, from: month, to: month },
    { token: admin },
  );
  return amountText(affected.map(({ after }) => after));
}

/** What charges cost with growth, event by event. */
const expected = (of: readonly Percentage[], factor = '1'): string =>
  sumDecimals(
    of.map((charge) => {
      const events = [...sales.values()]
        .filter(({ region }) => charge.meter === 'sales' || region === 'tpe')
        .toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
        .map(({ value }) => blockOf(decimal(value).times(decimal(factor))));
      // Bills round half away from zero, as this does.
      return chargePrice(charge, {
        quantity: sumDecimals(events.map(({ sum }) => sum)),
        cells: [],
        events,
      }).exact.round(2, 1);
    }),
  ).toFixed(2);

const aSale = fc.record({
  // Few hours, so that some hold several sales.
  minute: fc.nat(12 * 60),
  value: fc.oneof(
    fc.integer({ min: 0, max: 3000 }).map((tenths) => String(tenths / 10)),
    fc.constantFrom('5', '50', '500', '-20'),
  ),
  region: fc.constantFrom('tpe', 'nrt'),
});

it('a meter that has not counted yet costs what it would have counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aSale, { minLength: 1, maxLength: 25 }),
      fc.nat(),
      fc.subarray(charges, { minLength: 1 }),
      async (found, canceled, some) => {
        const made = found.map(({ minute, value, region }, index): Sale => ({
          id: String(sent + index).padStart(5, '0'),
          time: monthStart + minute * 60_000,
          value,
          region,
        }));
        await send(
          made.map(({ id, time, value, region }) => ({
            id,
            type: 'sale',
            time: new Date(time),
            data: { value, region },
          })),
        );
        sent += made.length;
        for (const sale of made) sales.set(sale.id, sale);
        const back = made[canceled % (2 * made.length)];
        if (back) {
          await send([{ id: `void ${back.id}`, type: 'sale.void', data: { id: back.id } }]);
          sales.delete(back.id);
        }
        expect(await trial(counted, some)).toBe(expected(some));
        expect(await trial(tried, some)).toBe(expected(some));
      },
    ),
    { numRuns: rounds, endOnFailure: true },
  );
  for (const charge of charges) expect(await trial(tried, [charge]), charge.key).toBe(expected([charge]));
}, 240_000);

async function grown(growthPercent: string): Promise<string> {
  const { months } = await console.ok(
    planning.simulateContract,
    {
      organizationId: counted.organizationId,
      months: 3,
      currency: 'USD',
      terms: { discounts: [], credits: [], growthPercent },
    },
    { token: admin },
  );
  return amountText(months.map(({ simulated }) => simulated.net));
}

it('with growth, each event grows', async () => {
  console.clock.set(new Date('2024-11-10T04:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(billing.closeMonth, { month }, { token: admin });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -90, max: 1000 }), async (percent) => {
      const factor = decimal(String(percent)).times(decimal('0.01')).plus(decimal('1')).toFixed();
      expect(await grown(String(percent))).toBe(expected(charges, factor));
    }),
    { numRuns: rounds },
  );
}, 240_000);

it('with more events than are read at a time, most of them in one second', async () => {
  const some = ['plain_sales', 'all_sales', 'between_sales_tpe'];
  const of = charges.filter((charge) => some.includes(charge.key));
  const many = Array.from({ length: 11_000 }, (_, index): Sale => ({
    id: `many ${String(index).padStart(5, '0')}`,
    time: monthStart + 40 * 3_600_000 + (index < 6000 ? index % 900 : index * 60_000),
    value: String((index % 3001) / 10),
    region: index % 2 === 0 ? 'tpe' : 'nrt',
  }));
  for (const some of chunksOf(many, 5000))
    await send(
      some.map(({ id, time, value, region }) => ({
        id,
        type: 'sale',
        time: new Date(time),
        data: { value, region },
      })),
    );
  for (const sale of many) sales.set(sale.id, sale);
  expect(await trial(tried, of)).toBe(expected(of));
  expect(await trial(counted, of)).toBe(expected(of));
}, 120_000);

it('both are the same once the events are archived', async () => {
  const some = charges.filter((charge) => ['all_sales', 'most_sales_tpe'].includes(charge.key));
  const before = [await trial(tried, some), await grown('25')];
  const never = new AbortController().signal;
  for (const each of ['2024-09', '2024-10'] as BillingMonth[])
    expect(await archiveMonth(console.app, each, never, 4000)).toBe(true);
  expect([await trial(tried, some), await grown('25')]).toEqual(before);
}, 120_000);
