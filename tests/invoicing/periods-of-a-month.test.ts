// A month with two prices, of which the second begins in the middle of a day: samples that cross the change are
// billed once, and the days that explain a line add up to its quantity (R-BILL-05, R-USE-03).
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'csv-parse/sync';
import { required } from '#kernel/assert.ts';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { meters, type NewMeter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { proven } from '../support/bill-proofs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const [month, october] = ['2024-09' as BillingMonth, '2024-10' as BillingMonth];
const measured: readonly Pick<NewMeter, 'key' | 'aggregation' | 'property' | 'p' | 'sampleMinutes'>[] = [
  { key: 'traffic', aggregation: 'sum' },
  { key: 'users', aggregation: 'unique_count', property: 'who' },
  { key: 'level', aggregation: 'time_weighted_average' },
  { key: 'bandwidth', aggregation: 'percentile', p: 100, sampleMinutes: 720 },
];
const chargesAt = (unitPrice: string): Charge[] =>
  measured.map(({ key }): Charge => ({
    key,
    name: { zhTW: key, enUS: key },
    kind: 'usage',
    meter: key,
    model: 'matrix',
    rates: [
      { when: { region: 'tpe' }, unitPrice },
      { when: {}, unitPrice },
    ],
  }));
const single = (unitPrice: string): Pricing => ({ model: 'per_unit', currency: 'TWD', unitPrice });
/** Taipei’s time, value, region and user; the price changes on the 16th at 7:25. */
const events = [
  ['02T09:00', '5', 'tpe', 'a'],
  ['02T10:00', '1', 'tpe', 'b'],
  ['16T07:10', '3', 'tpe', 'a'],
  // In an hour after the change, and in a half-day sample that began before it.
  ['16T09:00', '4', 'nrt', 'b'],
  ['25T09:00', '2', 'tpe', 'c'],
  ['26T09:00', '2', 'nrt', 'c'],
] as const;

const wireOf = (subject: string, time: string, value: string, region: string, who: string) => ({
  specversion: '1.0',
  id: `${subject} ${time}`,
  source: '/s',
  type: 'e',
  subject,
  time: `2024-09-${time}:00+08:00`,
  data: { value, region, who },
});

let console: TestConsole;
let key: string;
const subjects: Id<'sub'>[] = [];
const send = (list: readonly object[]) =>
  console.ok(
    usage.ingest,
    {},
    {
      token: key,
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify(list),
    },
  );
let token: string;
let bill: BillDetail;
let rejected: number;
async function billOf(of: BillingMonth): Promise<BillDetail> {
  const { items } = await console.ok(billing.listBills, { month: of }, { token });
  return console.ok(billing.getBill, { billId: required(items[0], 'a bill').id }, { token });
}
const lineOf = (name: string, quantity: string) =>
  bill.lines.find((line) => (line.charge?.key ?? line.serviceName) === name && line.quantity === quantity);

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-08-31T16:00:00Z'));
  let admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  for (const meter of measured)
    await console.ok(
      meters.createMeter,
      { name: meter.key, unit: meter.key, eventType: 'e', dimensions: ['region'], ...meter },
      { token: admin },
    );
  const owner = await registerUser(console, 'owner@one.example', 'One');
  const card = await console.ok(
    catalogue.createService,
    { name: 'Card', type: 'T', category: 'C', currency: 'TWD', charges: chargesAt('1') },
    { token: admin },
  );
  const plain = await console.ok(
    catalogue.createService,
    {
      name: 'Plain',
      type: 'T',
      category: 'C',
      pricing: single('1'),
      meter: { eventType: 'e', aggregation: 'unique_count', property: 'who', unit: 'users' },
    },
    { token: admin },
  );
  for (const { id: serviceId } of [card, plain])
    subjects.push((await console.ok(subscriptions.subscribe, { serviceId }, { token: owner.token })).id);
  console.clock.set(new Date('2024-09-15T23:25:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(
    catalogue.updateService,
    { serviceId: card.id, charges: chargesAt('10') },
    { token: admin },
  );
  await console.ok(catalogue.updateService, { serviceId: plain.id, pricing: single('10') }, { token: admin });
  console.clock.set(new Date('2024-10-04T00:00:00Z'));
  const sent = await send(
    subjects.flatMap((subject) =>
      events.map(([time, value, region, who]) => wireOf(subject, time, value, region, who)),
    ),
  );
  rejected = sent.rejected.length;
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(billing.closeMonth, { month }, { token: admin });
  token = await signIn(console, 'owner@one.example');
  bill = await billOf(month);
});

describe('a price that changes in the middle of a day', () => {
  it('rejects none of the events', () => {
    expect(rejected).toBe(0);
  });

  it('bills a sample that began before it at the old price, also for values seen only after it', () => {
    // The largest samples: 6 in tpe and 4 in nrt, whose only event came after the change; then 2 and 2.
    expect(bill.lines.filter(({ charge }) => charge?.key === 'bandwidth').map(({ exact }) => exact)).toEqual([
      '10',
      '40',
    ]);
  });

  it('is proven by the events', async () => {
    const { differing } = await proven(console, bill.id, token);
    expect(differing).toEqual([]);
  });

  it.each([
    ['traffic', '9', ['2024-09-02 6 2', '2024-09-16 3 1']],
    ['traffic', '8', ['2024-09-16 4 1', '2024-09-25 2 1', '2024-09-26 2 1']],
    ['users', '2', ['2024-09-02 2 2', '2024-09-16 0 1']],
    // Plain services are explained in the same way.
    ['Plain', '2', ['2024-09-02 2 2', '2024-09-16 0 1']],
  ])('the days of %s add up to %s', async (name, quantity, days) => {
    const line = lineOf(name, quantity);
    const explained = await console.ok(
      billing.explainLine,
      { billId: bill.id, lineId: line?.id ?? '' },
      { token },
    );
    expect(explained.days.map((day) => `${day.day} ${day.quantity} ${day.events}`)).toEqual(days);
  });

  it('the days of a level add up to the quantity of each line', async () => {
    const lines = bill.lines.filter(({ charge }) => charge?.key === 'level');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { days } = await console.ok(billing.explainLine, { billId: bill.id, lineId: line.id }, { token });
      expect(decimalText(sumDecimals(days.map((day) => decimal(day.quantity))))).toBe(line.quantity);
    }
  });

  it('late usage that is counted in several units has an amount, but no quantity', async () => {
    await send(subjects.map((subject) => wireOf(subject, '03T09:00', '7', 'tpe', 'd')));
    console.clock.set(new Date('2024-11-04T00:00:00Z'));
    const admin = await signIn(console, adminAccount.account, adminAccount.password);
    await console.ok(billing.closeMonth, { month: october }, { token: admin });
    token = await signIn(console, 'owner@one.example');
    const next = await billOf(october);
    const adjustments = next.lines.filter(({ kind }) => kind === 'adjustment');
    expect(adjustments.map((line) => [line.serviceName, line.quantity, line.unit])).toEqual([
      ['Card', '0', ''],
      ['Plain', '1', 'users'],
    ]);
    const answer = await fetch(`${console.address}/api/bills/export?format=focus&month=${october}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const rows: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true });
    expect(
      rows
        .filter((row) => row['ChargeClass'] === 'Correction')
        .map((row) => [row['ConsumedQuantity'], row['PricingQuantity'], row['ConsumedUnit']]),
    ).toEqual([
      ['', '', ''],
      ['1', '1', 'users'],
    ]);
  });
});
