// Percentage charges of a million events do not read each of them, and cost what each of them costs (R-BILL-05).
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { chargePrice } from '#features/selling/rating/rules-charge.ts';
import { blockOf } from '#features/selling/rating/rules-percentage.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { archiveMonth } from '#features/metering/usage/server/archive-events.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { roundsOr } from '../support/fault-rounds.ts';

const rounds = Math.min(300, roundsOr(6));
const monthStart = Date.parse('2024-09-30T16:00:00Z');
type Percentage = Extract<Charge, { model: 'percentage' }>;
const limits: Record<string, Partial<Percentage>> = {
  fee: { fixedPerEvent: '0.3' },
  least: { minPerEvent: '2' },
  most: { maxPerEvent: '5' },
  between: { fixedPerEvent: '0.1', minPerEvent: '1', maxPerEvent: '4' },
  first: { fixedPerEvent: '0.3', freeEvents: 7 },
  amount: { fixedPerEvent: '0.3', freeAmount: '260' },
  all: { fixedPerEvent: '0.3', freeEvents: 9, freeAmount: '300', minPerEvent: '1', maxPerEvent: '3' },
};
const chargesOf = (prefix: string): Percentage[] =>
  Object.entries(limits).flatMap(([name, own]) =>
    ['sales', 'sales_tpe'].map((meter): Percentage => ({
      key: `${prefix}${name}_${meter}`,
      name: { zhTW: name, enUS: name },
      kind: 'usage',
      meter,
      model: 'percentage',
      ratePercent: '2.9',
      ...own,
    })),
  );
const ownCharges = chargesOf('');
/** Those of the add-on, which runs from within an hour on. */
const addedCharges = chargesOf('added_');
const addedAt = monthStart + (5 * 60 + 20) * 60_000;
const charges = [...ownCharges, ...addedCharges];
type Sale = { readonly id: string; readonly time: number; readonly value: string; readonly region: string };

let console: TestConsole;
let admin: string;
let token: string;
let key: string;
let subscription: Id<'sub'>;
const sales = new Map<string, Sale>();
let sent = 0;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-30T04:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const registered = await registerUser(console, 'owner@sales.example', 'Sales');
  token = registered.token;
  const meter = { unit: 'USD', eventType: 'sale', aggregation: 'sum' } as const;
  await console.ok(meters.createMeter, { key: 'sales', name: 'Sales', ...meter }, { token: admin });
  await console.ok(
    meters.createMeter,
    { key: 'sales_tpe', name: 'Sales in Taipei', ...meter, filter: { region: ['tpe'] } },
    { token: admin },
  );
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Payments',
      type: 'API',
      category: 'Own',
      currency: 'USD',
      charges: ownCharges,
      family: 'payments',
    },
    { token: admin },
  );
  ({ id: subscription } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: registered.organizationId as Id<'org'>,
      serviceId,
      startedAt: new Date('2024-09-30T16:00:00Z'),
    },
    { token: admin },
  ));
  const { id: addOnId } = await console.ok(
    catalogue.createService,
    {
      name: 'More payments',
      type: 'API',
      category: 'Own',
      currency: 'USD',
      charges: addedCharges,
      addOnTo: ['payments'],
    },
    { token: admin },
  );
  await console.ok(
    subscriptions.adminAddAddOn,
    { subscriptionId: subscription, serviceId: addOnId, startedAt: new Date(addedAt) },
    { token: admin },
  );
}, 120_000);

async function send(events: readonly object[]): Promise<void> {
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(
        events.map((event) => ({ specversion: '1.0', source: 'shop', subject: subscription, ...event })),
      ),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}

/** What the current bill charges, by charge; without usage there is no line. */
async function charged(): Promise<Record<string, string>> {
  const { bills } = await console.ok(billing.currentBill, {}, { token });
  const lines = new Map((bills[0]?.lines ?? []).map(({ charge, exact }) => [charge?.key, exact]));
  return Object.fromEntries(charges.map((charge) => [charge.key, lines.get(charge.key) ?? '0']));
}

/** What each of the sales costs, in order of time, by charge. */
const expected = (): Record<string, string> =>
  Object.fromEntries(
    charges.flatMap((charge) => {
      const events = [...sales.values()]
        .filter(
          ({ region, time }) =>
            (charge.meter === 'sales' || region === 'tpe') &&
            (ownCharges.includes(charge) || time >= addedAt),
        )
        .toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
        .map(({ value }) => blockOf(decimal(value)));
      const { exact } = chargePrice(charge, { quantity: decimal('0'), cells: [], events });
      return [[charge.key, decimalText(exact)]];
    }),
  );

const aSale = fc.record({
  // Few hours, so that some hold several sales.
  minute: fc.nat(12 * 60),
  value: fc.oneof(
    fc.integer({ min: 0, max: 3000 }).map((tenths) => String(tenths / 10)),
    fc.constantFrom('5', '50', '500', '-20'),
  ),
  region: fc.constantFrom('tpe', 'nrt'),
});

it('each event is priced, in any order and with corrections, in the database and in the archive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aSale, { minLength: 1, maxLength: 25 }), fc.nat(), async (found, canceled) => {
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
      expect(await charged()).toEqual(expected());
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  const before = await charged();
  const never = new AbortController().signal;
  for (const month of ['2024-09', '2024-10'] as BillingMonth[])
    expect(await archiveMonth(console.app, month, never, 50)).toBe(true);
  expect(await charged()).toEqual(before);
}, 240_000);
