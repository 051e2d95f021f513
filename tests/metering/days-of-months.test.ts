// What the days of a month cost adds up to the month, to the last digit, whenever the price changes: on the
// screen’s chart, by the hour, and together with what only the whole month decides (R-USE-01, R-USE-05).
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { moneyDecimal } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing, type CurrentBill } from '#features/invoicing/billing/contract.ts';
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

// One console accepts about 55 registrations.
const rounds = Math.min(50, roundsOr(4));
// The 20th of October 2024 at noon in Taipei.
const now = new Date('2024-10-20T04:00:00Z');
const monthStart = Date.parse('2024-09-30T16:00:00Z');
const minuteMs = 60_000;
const month = '2024-10' as BillingMonth;
const range = { from: '2024-10-01' as LocalDay, to: '2024-10-20' as LocalDay };
const lastMinute = 19 * 24 * 60;

let console: TestConsole;
let admin: string;
let key: string;
let made = 0;
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
async function customer({ aggregation, single, card }: Month) {
  const mark = ++made;
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
      {},
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
  return { token, ownId: required(ownId, 'an id'), cardId: required(cardId, 'an id') };
}

async function send({ ownId, cardId }: Awaited<ReturnType<typeof customer>>, events: Month['events']) {
  const wires = events.map(({ type, minute, value, region, user }, index) => ({
    specversion: '1.0',
    id: `e${index}`,
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

describe('the days of a month', () => {
  it(
    'add up to its bill, with what only the whole month decides named, through any changes of prices',
    async () => {
      await fc.assert(
        fc.asyncProperty(aMonth, async (made) => {
          const one = await customer(made);
          await send(one, made.events);
          const { bills } = await console.ok(billing.currentBill, {}, one);
          const lines = bills.flatMap((bill) => bill.lines);
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
});
