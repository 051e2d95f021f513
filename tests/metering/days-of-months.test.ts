// What the days of a month cost adds up to the month, to the last digit, whenever the price changes: on the
// screen’s chart, by the hour, and together with what only the whole month decides (R-USE-01, R-USE-05).
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyDecimal, moneyText, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { minuteMs } from '#kernel/durations.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  billing,
  type BillDetail,
  type CurrentBill,
  type LineExplanation,
} from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
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
import { pdfPages } from '../support/pdf.ts';

// One console accepts about 55 registrations.
const rounds = Math.min(50, roundsOr(3));
// The 20th of October 2024 at noon in Taipei.
const now = new Date('2024-10-20T04:00:00Z');
const monthStart = Date.parse('2024-09-30T16:00:00Z');
const month = '2024-10' as BillingMonth;
const range = { from: '2024-10-01' as LocalDay, to: '2024-10-20' as LocalDay };
const lastMinute = 19 * 24 * 60;

let console: TestConsole;
let admin: string;
let key: string;
let addOnId: Id<'svc'>;
let made = 0;
/** The customers of all random months; October is closed once for all of them. */
const customers: (Awaited<ReturnType<typeof customer>> & { readonly made: Month })[] = [];
const db = () => console.app.database.kysely;

const measured: Record<string, Partial<Meter>> = {
  traffic: { eventType: 'vm', aggregation: 'sum', dimensions: ['region'] },
  calls: { eventType: 'vm', aggregation: 'count' },
  largest: { eventType: 'vm', aggregation: 'max', dimensions: ['region'] },
  mean: { eventType: 'vm', aggregation: 'avg' },
  latest: { eventType: 'vm', aggregation: 'latest' },
  users: { eventType: 'vm', aggregation: 'unique_count', property: 'user', dimensions: ['region'] },
  disk: { eventType: 'disk', aggregation: 'time_weighted_average', dimensions: ['region'] },
  bandwidth: { eventType: 'vm', aggregation: 'percentile', p: 95, sampleMinutes: 720 },
};
const adding = new Set(['traffic', 'calls', 'users', 'disk']);
const models = [
  (each: string) => ({ model: 'per_unit', unitPrice: each }),
  (each: string) => ({ model: 'per_unit', unitPrice: each, included: '7' }),
  (each: string) => ({
    model: 'graduated',
    tiers: [
      { upTo: '5', unitPrice: each },
      { upTo: null, unitPrice: '0.13', flatFee: '3' },
    ],
  }),
  (each: string) => ({
    model: 'volume',
    tiers: [
      { upTo: '20', unitPrice: each },
      { upTo: null, unitPrice: '0.7' },
    ],
  }),
  (each: string) => ({ model: 'package', packageSize: '3', packagePrice: each }),
] as const;

const aPrice = fc.record({
  model: fc.constantFrom(...models),
  each: fc.integer({ min: 1, max: 999 }).map((cents) => (cents / 100).toString()),
  minimum: fc.constantFrom(undefined, undefined, undefined, '11.5'),
  maximum: fc.constantFrom(undefined, undefined, undefined, '31'),
});
type Price = typeof aPrice extends fc.Arbitrary<infer T> ? T : never;
const limitsOf = ({ minimum, maximum }: Price): object => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});
/** When a price begins, in minutes of the month: on the hour, at midnight, or at any minute. */
const aMoment = fc.oneof(
  fc.nat(19).map((day) => day * 24 * 60),
  fc.nat(lastMinute / 60).map((hour) => hour * 60),
  fc.nat(lastMinute),
);
const changes = <T>(version: fc.Arbitrary<T>) =>
  fc.record({
    first: version,
    others: fc.uniqueArray(fc.record({ at: aMoment, version }), { maxLength: 3, selector: ({ at }) => at }),
  });
const aCard = fc.record({
  prices: fc.array(aPrice, { minLength: 8, maxLength: 8 }),
  limits: aPrice,
});
const anEvent = fc.record({
  type: fc.constantFrom('vm', 'vm', 'disk', 'own'),
  minute: fc.nat(lastMinute),
  value: fc.integer({ min: 0, max: 90 }).map((tenths) => String(tenths / 10)),
  region: fc.constantFrom('tpe', 'nrt', undefined),
  user: fc.constantFrom('a', 'b', 'c'),
});
const aMonth = fc.record({
  aggregation: fc.constantFrom(
    ...(['sum', 'count', 'max', 'unique_count', 'latest', 'time_weighted_average'] as const),
  ),
  single: changes(aPrice),
  card: changes(aCard),
  events: fc.array(anEvent, { minLength: 1, maxLength: 60 }),
  /** Events that arrive after the bill. */
  late: fc.array(anEvent, { maxLength: 5 }),
  discount: fc.option(
    fc.record({ percent: fc.integer({ min: 1, max: 60 }), maximum: fc.bigInt({ min: 1n, max: 3000n }) }),
  ),
  hasAddOn: fc.boolean(),
});
type Month = typeof aMonth extends fc.Arbitrary<infer T> ? T : never;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-01T01:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  // Prices of the past are made by moving later ones.
  await sql`alter table price_version disable trigger user`.execute(db());
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: name, eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
  ({ id: addOnId } = await console.ok(
    catalogue.createService,
    {
      name: 'Watch',
      type: 'VM',
      category: 'Own',
      currency: 'USD',
      addOnTo: ['Cloud'],
      charges: [
        {
          key: 'watch',
          name: { zhTW: '監看', enUS: 'Watch' },
          kind: 'recurring',
          model: 'flat',
          amount: '3.3',
        },
        {
          key: 'watched',
          name: { zhTW: '呼叫', enUS: 'Calls' },
          kind: 'usage',
          meter: 'calls',
          model: 'per_unit',
          unitPrice: '0.31',
        },
      ],
    } as never,
    { token: admin },
  ));
  console.clock.set(now);
}, 120_000);

const chargesOf = ({ prices }: Month['card']['first']): Charge[] => [
  { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '10.5' },
  ...Object.keys(measured).map((name, index): Charge => {
    const price = required(prices[index], 'a price');
    return {
      key: name,
      name: { zhTW: name, enUS: name },
      kind: 'usage',
      meter: name,
      ...price.model(price.each),
      ...limitsOf(price),
    } as Charge;
  }),
];
const cardOf = (card: Month['card']['first']): Pricing =>
  ({ model: 'rate_card', currency: 'USD', charges: chargesOf(card), ...limitsOf(card.limits) }) as Pricing;
const singleOf = (price: Price): Pricing =>
  ({ currency: 'USD', baseFee: '7', ...price.model(price.each), ...limitsOf(price) }) as Pricing;

async function priced(
  service: object,
  { first, others }: { first: Pricing; others: { at: number; pricing: Pricing }[] },
): Promise<Id<'svc'>> {
  const { model: _model, ...fields } = first as Extract<Pricing, { model: 'rate_card' }>;
  const { id } = await console.ok(
    catalogue.createService,
    {
      name: `Service ${++made}`,
      type: 'VM',
      category: 'Own',
      ...(first.model === 'rate_card' ? fields : { pricing: first }),
      ...service,
    } as never,
    { token: admin },
  );
  const begin = async (at: Date) =>
    sql`update price_version set effective_from = ${at} where id = (select max(id) from price_version where service_id = ${id})`.execute(
      db(),
    );
  await begin(new Date('2024-01-01T00:00:00Z'));
  for (const { at, pricing } of others) {
    const { model: _other, ...card } = pricing as Extract<Pricing, { model: 'rate_card' }>;
    await console.ok(
      catalogue.updateService,
      {
        serviceId: id,
        ...(pricing.model === 'rate_card' ? card : { pricing }),
        effectiveFrom: new Date('2030-01-01T00:00:00Z'),
      } as never,
      { token: admin },
    );
    await begin(new Date(monthStart + at * minuteMs));
  }
  return id;
}

/** A customer of a service with a single price and of one with a rate card. */
async function customer({ aggregation, single, card, discount, hasAddOn }: Month) {
  const mark = ++made;
  // Only so many people can register within a time.
  console.clock.advance(60_000);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  const { organizationId, token } = await registerUser(console, `owner@c${mark}.example`, `C${mark}`);
  const meter = {
    eventType: 'own',
    unit: 'own',
    aggregation,
    ...(aggregation === 'unique_count' && { property: 'user' }),
  };
  const services = [
    await priced(
      { meter },
      {
        first: singleOf(single.first),
        others: single.others.map(({ at, version }) => ({ at, pricing: singleOf(version) })),
      },
    ),
    await priced(
      { family: 'Cloud' },
      {
        first: cardOf(card.first),
        others: card.others.map(({ at, version }) => ({ at, pricing: cardOf(version) })),
      },
    ),
  ];
  const ids = [];
  for (const serviceId of services)
    ids.push(
      (
        await console.ok(
          subscriptions.adminSubscribe,
          {
            organizationId: organizationId as Id<'org'>,
            serviceId,
            startedAt: new Date('2024-01-01T00:00:00Z'),
          },
          { token: admin },
        )
      ).id,
    );
  const [ownId, cardId] = ids;
  if (hasAddOn)
    await console.ok(
      subscriptions.addAddOn,
      { subscriptionId: required(cardId, 'an id'), serviceId: addOnId },
      { token },
    );
  if (discount) {
    const { id: discountId } = await console.ok(
      discounts.createDiscount,
      {
        name: { zhTW: `優惠 ${mark}`, enUS: `Sale ${mark}` },
        reduction: { kind: 'percent', percent: String(discount.percent) },
        maximum: money(discount.maximum, 'USD'),
        duration: { kind: 'forever' },
      },
      { token: admin },
    );
    await console.ok(
      discounts.giveDiscount,
      { discountId, organizationId: organizationId as Id<'org'> },
      { token: admin },
    );
  }
  return {
    email: `owner@c${mark}.example`,
    token,
    ownId: required(ownId, 'an id'),
    cardId: required(cardId, 'an id'),
  };
}

async function send(
  { ownId, cardId }: Pick<Awaited<ReturnType<typeof customer>>, 'ownId' | 'cardId'>,
  events: Month['events'],
  name = 'e',
) {
  const wires = events.map(({ type, minute, value, region, user }, index) => ({
    specversion: '1.0',
    id: `${name}${index}`,
    source: `s-${ownId}`,
    type,
    subject: type === 'own' ? ownId : cardId,
    time: new Date(monthStart + minute * minuteMs + index).toISOString(),
    data: { value, user, ...(region && { region }) },
  }));
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(wires),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}

const sum = (texts: readonly string[]): string =>
  decimalText(sumDecimals(texts.map((text) => decimal(text))));
type Lines = CurrentBill['bills'][number]['lines'];
const exactOf = (lines: Lines): string => sum(lines.map(({ exact }) => exact));

const isCharged = ({ kind }: Pick<Lines[number], 'kind'>): boolean => kind !== 'discount';
const rowsOf = (body: unknown): Record<string, string>[] =>
  parse(Buffer.from(body as Uint8Array), { columns: true, bom: true });
const textOf = (amount: Money): string => decimalText(moneyDecimal(amount));

/** Everything that shows an issued month agrees with its bill, to the last cent. */
async function expectAgreement(token: string): Promise<BillDetail> {
  // Only so many files can be exported within a minute.
  console.clock.advance(10_000);
  const { items } = await console.ok(billing.listBills, { month }, { token });
  const { id } = required(
    items.find(({ state }) => state !== 'void'),
    'the bill in force',
  );
  const bill = await console.ok(billing.getBill, { billId: id }, { token });
  const { lines, net, tax, total } = bill;
  expect(net.minor).toBe(lines.reduce((sum, line) => sum + line.total.minor, 0n));
  expect(total.minor).toBe(net.minor + tax.minor);
  const [page = ''] = await pdfPages(
    (await console.ok(billing.billPdf, { billId: id, language: 'enUS' }, { token })).body as Uint8Array,
  );
  expect(page.replaceAll(',', '')).toContain(moneyText(total));
  // Files contain void bills with their reversals.
  for (const format of ['csv', 'focus'] as const) {
    const { body } = await console.ok(billing.exportBills, { format, month, language: 'enUS' }, { token });
    const column = format === 'csv' ? 'Amount' : 'BilledCost';
    expect([format, sum(rowsOf(body).map((row) => row[column] ?? ''))]).toEqual([format, textOf(total)]);
  }
  const october = { from: '2024-10-01' as LocalDay, to: '2024-10-31' as LocalDay };
  const figures = await console.ok(usage.statistics, { month }, { token });
  const charged = lines.filter(isCharged);
  expect(figures.billed.minor).toBe(charged.reduce((sum, line) => sum + line.total.minor, 0n));
  expect(figures.totalCost.amount).toBe(sum(charged.map(({ exact }) => exact)));
  // The forecast of a past month is what it came to.
  expect(figures.projectedCost.amount).toBe(textOf(figures.billed));
  const { body } = await console.ok(insights.exportUsage, { ...october, format: 'focus' }, { token });
  expect(sum(rowsOf(body).map((row) => row['BilledCost'] ?? ''))).toBe(figures.totalCost.amount);
  const explored = await console.ok(insights.explore, { ...october, groupBy: 'charge' }, { token });
  expect(explored.months.map(({ billed }) => billed)).toEqual([figures.billed]);
  const daily = await console.ok(usage.daily, october, { token });
  for (const {
    subscriptionId,
    costs,
    months: [whole],
  } of daily.series) {
    const own = charged.filter((line) => line.subscriptionId === subscriptionId);
    const { days, wholeMonth, fees, limits, rounding, billed } = required(whole, 'the month');
    expect(days).toBe(sum(costs));
    expect(billed.minor).toBe(own.reduce((sum, line) => sum + line.total.minor, 0n));
    expect(sum([days, wholeMonth, fees, limits, rounding])).toBe(textOf(billed));
  }
  return bill;
}

/** What explains each usage line of a bill. */
async function explained({ id, lines }: BillDetail, token: string): Promise<LineExplanation[]> {
  const found: LineExplanation[] = [];
  for (const line of lines.filter(({ kind }) => kind === 'usage'))
    found.push(await console.ok(billing.explainLine, { billId: id, lineId: line.id }, { token }));
  return found;
}

describe('the days of a month', () => {
  it(
    'add up to its bill, with what only the whole month decides named, through any changes of prices',
    async () => {
      await fc.assert(
        fc.asyncProperty(aMonth, async (made) => {
          const one = await customer(made);
          await send(one, made.events);
          customers.push({ ...one, made });
          const { bills } = await console.ok(billing.currentBill, {}, one);
          const lines = bills.flatMap((bill) => bill.lines).filter(isCharged);
          const daily = await console.ok(usage.daily, range, one);
          const { charges } = await console.ok(usage.charges, { subscriptionId: one.cardId }, one);
          const versions = [made.card.first, ...made.card.others.map(({ version }) => version)];
          for (const series of daily.series) {
            const own = lines.filter((line) => line.subscriptionId === series.subscriptionId);
            const used = own.filter(({ kind }) => kind === 'usage');
            if (series.subscriptionId === one.ownId) {
              expect(sum(series.costs), made.aggregation).toBe(exactOf(used));
              if (!['max', 'latest'].includes(made.aggregation))
                expect(sum(series.quantities), made.aggregation).toBe(
                  sum(used.map(({ quantity }) => quantity)),
                );
            }
            // To the last cent: the days, what is beside them, and the month's lines.
            const [whole] = series.months;
            const { days, wholeMonth, fees, limits, rounding, billed } = required(whole, 'the month');
            expect(whole?.month).toBe(month);
            expect(days).toBe(sum(series.costs));
            expect(sum([days, wholeMonth, fees, limits, rounding])).toBe(decimalText(moneyDecimal(billed)));
            expect(billed.minor).toBe(own.reduce((total, { total: each }) => total + each.minor, 0n));
            expect(fees).toBe(exactOf(own.filter(({ kind }) => kind === 'base_fee' || kind === 'credit')));
            expect(limits).toBe(exactOf(own.filter(({ kind }) => kind === 'minimum' || kind === 'maximum')));
            if (series.subscriptionId === one.ownId) expect(wholeMonth).toBe('0');
            for (const [index, name] of Object.keys(measured).entries()) {
              const day = series.charges?.find((each) => each.key === name);
              const ofCharge = used.filter((line) => line.charge?.key === name);
              if (!day?.costs) continue;
              const isAtLeast = versions.some(({ prices }) => prices[index]?.minimum !== undefined);
              if (!isAtLeast) expect(sum(day.costs), name).toBe(exactOf(ofCharge));
              if (adding.has(name))
                expect(sum(day.quantities), name).toBe(charges.find((each) => each.key === name)?.quantity);
            }
          }
          const explored = await console.ok(insights.explore, { ...range, groupBy: 'service' }, one);
          const [ofAll] = explored.months;
          expect(ofAll?.billed.minor).toBe(lines.reduce((total, line) => total + line.total.minor, 0n));
          const { days, wholeMonth, fees, limits, rounding, billed } = required(ofAll, 'the month');
          expect(sum([days, wholeMonth, fees, limits, rounding])).toBe(decimalText(moneyDecimal(billed)));
          // The exported table adds up to the same.
          const { body } = await console.ok(
            insights.exportUsage,
            { ...range, format: 'csv', language: 'enUS' },
            one,
          );
          const rows = parse(Buffer.from(body as Uint8Array), { columns: true, bom: true }) as Record<
            string,
            string
          >[];
          expect(sum(rows.map((row) => row['Cost'] ?? ''))).toBe(decimalText(moneyDecimal(billed)));
          expect(explored.totals[0]?.cost).toBe(sum(daily.series.flatMap(({ costs }) => costs)));
          // Each hour of the day on which a price changes, too.
          const [change] = made.card.others;
          const day = daily.days[Math.floor((change?.at ?? 0) / (24 * 60))];
          const hours = await console.ok(
            insights.explore,
            { from: required(day, 'a day'), to: required(day, 'a day'), grain: 'hour', groupBy: 'charge' },
            one,
          );
          const index = daily.days.indexOf(required(day, 'a day'));
          expect(sum(hours.totals[0]?.costs ?? [])).toBe(
            sum(daily.series.map(({ costs }) => costs[index] ?? '0')),
          );
        }),
        { numRuns: rounds, endOnFailure: true },
      );
    },
    120_000 + rounds * 10_000,
  );

  it(
    'agree with the issued bill, its PDF and files, the statistics and the forecast; late events change no line, and a reissued bill agrees again',
    async () => {
      const moveTo = async (time: string): Promise<string> => {
        console.clock.set(new Date(time));
        return (admin = await signIn(console, adminAccount.account, adminAccount.password));
      };
      await moveTo('2024-11-05T00:00:00Z');
      const { parked } = await console.ok(billing.closeMonth, { month }, { token: admin });
      expect(parked).toBe(0);
      const issued = new Map<string, { bill: BillDetail; lines: LineExplanation[] }>();
      for (const { email } of customers) {
        const token = await signIn(console, email);
        const bill = await expectAgreement(token);
        const lines = await explained(bill, token);
        for (const { line, days, steps } of lines) {
          const meter = line.charge?.key ?? '';
          expect(sum(steps.map(({ amount }) => amount))).toBe(line.exact);
          if (adding.has(meter)) expect(sum(days.map(({ quantity }) => quantity)), meter).toBe(line.quantity);
        }
        issued.set(email, { bill, lines });
      }
      await moveTo('2024-11-06T00:00:00Z');
      for (const one of customers) await send(one, one.made.late, 'late');
      for (const { email } of customers) {
        const token = await signIn(console, email);
        const { bill, lines } = required(issued.get(email), 'its bill');
        const now = await explained(bill, token);
        expect(now.map((each) => ({ ...each, later: [] }))).toEqual(lines);
      }
      for (const { email } of customers) {
        const { bill } = required(issued.get(email), 'its bill');
        await console.ok(credits.reissueBill, { billId: bill.id, reason: 'random' }, { token: admin });
        await expectAgreement(await signIn(console, email));
      }
    },
    240_000 + rounds * 20_000,
  );
});
