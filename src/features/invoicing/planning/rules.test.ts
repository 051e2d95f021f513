// Simulations add up: months and customers to the total, and an unchanged price to a difference of zero.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthsFrom, prices, quantities } from '#tests/support/arbitraries.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { SinglePricing } from '#features/selling/catalogue/contract.ts';
import { baseFeeOf } from '#features/selling/catalogue/rules.ts';
import {
  linesOf,
  monthParts,
  planTimes,
  type PlanOf,
  type PlanPrice,
  type Timeline,
} from '#features/selling/subscriptions/rules.ts';
import {
  addTo,
  byTheMonth,
  changeOf,
  costOf,
  countsOf,
  differenceOf,
  monthsBefore,
  monthsMistake,
  monthsOfUsage,
  newTally,
  savingPerMonth,
  summaryOf,
  withListPrice,
  type Cost,
} from './rules.ts';

const month = (text: string) => text as BillingMonth;
const months = monthsFrom('2026-01', 3);
const zone = 'Asia/Taipei';
const cost = (exact: string, minor: bigint): Cost => ({ exact: decimal(exact), minor });
const costs = fc.record({
  exact: quantities.map((text) => decimal(text)),
  minor: fc.bigInt(-(10n ** 12n), 10n ** 12n),
});
const entries = fc.array(
  fc.record({
    organizationId: fc.constantFrom('org_a', 'org_b', 'org_c', 'org_d'),
    month: fc.integer({ min: 0, max: 2 }),
    before: costs,
    after: costs,
  }),
  { maxLength: 30 },
);

const anyPricing: fc.Arbitrary<SinglePricing> = fc.oneof(
  fc.record({
    model: fc.constant('per_unit' as const),
    currency: fc.constantFrom('TWD' as const, 'USD' as const),
    unitPrice: prices,
    baseFee: prices,
    included: prices,
  }),
  fc.record({
    model: fc.constant('graduated' as const),
    currency: fc.constant('USD' as const),
    baseFee: prices,
    tiers: fc.tuple(prices, prices).map(([one, two]) => [
      { upTo: '100', unitPrice: one },
      { upTo: null, unitPrice: two, flatFee: '3' },
    ]),
  }),
  fc.record({
    model: fc.constant('package' as const),
    currency: fc.constant('TWD' as const),
    packageSize: fc.constant('7.5'),
    packagePrice: prices,
    minimum: prices,
  }),
);
const anyDay = fc
  .integer({ min: 0, max: 95 })
  .map(
    (days) => new Date(monthPeriod(months[0] ?? month('2026-01'), zone).start.getTime() + days * 86_400_000),
  );
const price = (id: string, pricing: SinglePricing, from = 0): PlanPrice => ({
  id,
  effectiveFrom: new Date(from),
  pricing,
});
const listed = ({ id }: PlanPrice): boolean => id.startsWith('list');
/** A subscription of one plan with this usage in a month. */
function linesWith(prices: readonly PlanPrice[], startedAt: Date, quantity: string, of: BillingMonth) {
  const timeline: Timeline = {
    startedAt,
    endsAt: null,
    trialEndsAt: null,
    phases: [{ from: startedAt, serviceId: 'svc_1', quantity: '1', yearAnchor: null }],
    pauses: [],
  };
  const planOf: PlanOf = () => ({
    id: 'svc_1',
    name: 'S',
    billingCycle: 'monthly',
    proration: 'day',
    prices,
  });
  const times = planTimes(monthParts(timeline, planOf, of, zone)).map((time) => ({
    ...time,
    unit: 'GB',
    quantity: decimal(quantity),
    events: 1n,
  }));
  return costOf(linesOf({ subscriptionId: 'sub_1', serviceName: 'S', timeline, planOf, times }, of, zone));
}

describe('R-CAT-01 the totals of a price simulation', () => {
  test('the same price makes no difference, for any usage and days of service', () => {
    fc.assert(
      fc.property(
        anyPricing,
        quantities,
        anyDay,
        fc.constantFrom(...months),
        (pricing, quantity, startedAt, of) => {
          const prices = [price('list', pricing)];
          const [before, after] = [prices, withListPrice(prices, listed, { ...pricing })].map((each) =>
            linesWith(each, startedAt, quantity, of),
          );
          if (!before || !after) throw new Error('two sums');
          const difference = differenceOf(
            { before: before.minor, after: after.minor },
            { before: before.exact, after: after.exact },
            pricing.currency,
          );
          expect([difference.difference.minor, difference.exactDifference]).toEqual([0n, '0']);
        },
      ),
    );
  });

  test('months and customers add up to the total; more, less and same are everybody', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const tally = newTally(months);
        for (const each of list) addTo(tally, each.organizationId, each.month, each.before, each.after);
        const summary = summaryOf(tally);
        for (const parts of [summary.byMonth, summary.customers, [summary.total]]) {
          expect(parts.reduce((sum, each) => sum + each.before, 0n)).toBe(
            list.reduce((sum, each) => sum + each.before.minor, 0n),
          );
          expect(parts.reduce((sum, each) => sum + each.after, 0n)).toBe(
            list.reduce((sum, each) => sum + each.after.minor, 0n),
          );
        }
        const exact = decimalText(sumDecimals(list.map((each) => each.after.exact)));
        expect([
          decimalText(sumDecimals(summary.byMonth.map((each) => each.exact.after))),
          decimalText(summary.exact.after),
        ]).toEqual([exact, exact]);
        const everybody = (counts: { more: number; less: number; same: number }): number =>
          counts.more + counts.less + counts.same;
        expect(everybody(summary.counts)).toBe(new Set(list.map((each) => each.organizationId)).size);
        expect(summary.byMonth.map((each) => everybody(each.counts))).toEqual(
          months.map(
            (_, index) =>
              new Set(list.filter((each) => each.month === index).map((each) => each.organizationId)).size,
          ),
        );
      }),
    );
  });

  test('the largest changes come first, in either direction', () => {
    const tally = newTally(months);
    for (const [organizationId, after] of [
      ['org_a', 110n],
      ['org_b', 0n],
      ['org_c', 100n],
      ['org_d', 150n],
    ] as const)
      addTo(tally, organizationId, 0, cost('100', 100n), cost('0', after));
    expect(summaryOf(tally).customers.map((each) => each.organizationId)).toEqual([
      'org_b',
      'org_d',
      'org_a',
      'org_c',
    ]);
  });

  test('everybody pays more, less or the same', () => {
    expect(
      countsOf([
        { before: 1n, after: 1n },
        { before: 0n, after: 1n },
        { before: 1n, after: 0n },
        { before: -1n, after: 0n },
      ]),
    ).toEqual({ more: 2, less: 1, same: 1 });
  });

  test('percentages are of the old amount, and missing if that is zero', () => {
    expect(changeOf({ before: 300n, after: 400n }, 'TWD').percent).toBe(33.3);
    expect(changeOf({ before: 0n, after: 4n }, 'TWD').percent).toBeNull();
  });
});

const baseFee = (price: PlanPrice | undefined): string | undefined => price && baseFeeOf(price.pricing);
describe('what the new price covers', () => {
  const flat = (baseFee: string): SinglePricing => ({ model: 'flat', currency: 'TWD', baseFee });
  const covered = (...ids: string[]) =>
    withListPrice(
      ids.map((id, index) => price(id, flat('1'), index)),
      listed,
      flat('2'),
    ).map((each) => `${each.id}=${baseFee(each)}@${each.effectiveFrom.getTime()}`);
  test.each([
    [['list1'], ['list1=2@0']],
    [['list1', 'list2', 'list3'], ['list1=2@0']],
    [
      ['list1', 'agreed', 'list2', 'list3'],
      ['list1=2@0', 'agreed=1@1', 'list2=2@2'],
    ],
    [
      ['agreed', 'another'],
      ['agreed=1@0', 'another=1@1'],
    ],
  ])('%j: %j', (ids, expected) => {
    expect(covered(...ids)).toEqual(expected);
  });
});

describe('a yearly plan by the month', () => {
  const plan = (billingCycle: 'monthly' | 'yearly', baseFee: string) =>
    byTheMonth({
      id: 'svc_1',
      name: 'S',
      billingCycle,
      proration: 'day',
      prices: [price('list', { model: 'flat', currency: 'TWD', baseFee })],
    });
  test('is a twelfth of its fee, and a monthly one is unchanged', () => {
    expect([
      baseFee(plan('yearly', '24000').prices[0]),
      baseFee(plan('yearly', '100').prices[0]),
      plan('yearly', '100').billingCycle,
    ]).toEqual(['2000', '8.333333333333', 'monthly']);
    expect(baseFee(plan('monthly', '24000').prices[0])).toBe('24000');
  });
});

describe('the months of a price simulation', () => {
  test.each([
    ['2026-01', '2026-03', undefined],
    ['2025-04', '2026-03', undefined],
    ['2025-03', '2026-02', undefined],
    ['2025-03', '2026-03', 'planning.too_many_months'],
    ['2026-03', '2026-02', 'planning.start_after_end'],
    ['2026-02', '2026-04', 'planning.month_not_over'],
  ])('%s to %s: %s', (from, to, mistake) => {
    expect(monthsMistake(month(from), month(to), month('2026-03'))).toBe(mistake);
  });
  test('are every month between, including both ends, counted back from the running one', () => {
    expect(monthsBefore(month('2026-02'), 3)).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});

describe('plan comparison and own months', () => {
  test.each([
    [5301n, 1200n, 3, 1367n],
    [100n, 101n, 2, -1n],
    [100n, 103n, 2, -2n],
    [100n, 100n, 6, 0n],
    [7n, 5n, 0, 0n],
  ])('%d against %d over %d months saves %d a month', (current, plan, count, saving) => {
    expect(savingPerMonth(current, plan, count)).toBe(saving);
  });
  test('one quantity per month, newest first; none for a month without usage', () => {
    const used = (of: string, quantity: string, serviceName: string) => ({
      month: month(of),
      quantity: decimal(quantity),
      serviceNames: [serviceName],
    });
    expect(
      monthsOfUsage([
        used('2026-01', '1.5', 'A'),
        used('2026-02', '0', 'A'),
        used('2026-03', '4', 'A'),
        used('2026-01', '2', 'B'),
        used('2026-03', '1', 'A'),
      ]).map((each) => [each.month, decimalText(each.quantity), each.serviceNames]),
    ).toEqual([
      ['2026-03', '5', ['A']],
      ['2026-01', '3.5', ['A', 'B']],
    ]);
  });
});
