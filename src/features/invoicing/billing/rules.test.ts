// The cost of a month is the cost of its days and its usage, to the last digit, however it is computed
// (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { decimal, decimalText, sumDecimals, type Decimal } from '#kernel/decimal.ts';
import { currencies, money, sumMoney, type Currency } from '#kernel/money.ts';
import { exactDecimal, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import {
  decimalTexts,
  monthsFrom,
  oddZones,
  overPowerOfTen,
  prices,
  quantities,
  roundedFraction,
} from '#tests/support/arbitraries.ts';
import { addMonths, dayPeriod, daysOfMonth, monthPeriod } from '#kernel/time.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { LineStep, maxGraceHours } from './contract.ts';
import {
  feeSpans,
  linesOf as billableLines,
  monthParts,
  planTimes,
  type BillableSubscription,
  type PauseSpan,
  type PlanOf,
  type PlannedLine,
  type Timeline,
} from '#features/selling/subscriptions/rules.ts';
import {
  billNumber,
  billSeries,
  grossAmounts,
  isMonthOver,
  monthsToClose,
  paymentStatus,
  planBills as planBillables,
  type BillPlan,
} from './rules.ts';

const taipei = 'Asia/Taipei';
const october = '2026-10' as BillingMonth;
const at = (text: string): Date => new Date(text);
/** The beginning of a day in a time zone. */
const on = (day: string, zone = taipei): Date => dayPeriod(day as LocalDay, zone).start;
const monthly = (baseFee: string, currency: Currency = 'TWD', more: object = {}): Pricing => ({
  model: 'flat',
  currency,
  baseFee,
  ...more,
});

type Part = { pricing: Pricing; from: Date; quantity: Decimal; events: bigint };
/** A subscription of one plan with price changes, paused (true) or resumed (false) at given times. */
type Simple = {
  subscriptionId: string;
  serviceName: string;
  startedAt: Date;
  endsAt: Date | null;
  pauses: readonly { at: Date; paused: boolean }[];
  parts: readonly Part[];
};
const part = (pricing: Pricing, from: Date, quantity = '0', events = 0n): Part => ({
  pricing,
  from,
  quantity: decimal(quantity),
  events,
});
function subscription(changes: Partial<Simple> = {}): Simple {
  return {
    subscriptionId: 'sub_1',
    serviceName: '物件儲存',
    startedAt: at('2000-01-01T00:00:00Z'),
    endsAt: null,
    pauses: [],
    parts: [part(monthly('3100'), at('2000-01-01T00:00:00Z'))],
    ...changes,
  };
}

function timelineOf(one: Simple): { timeline: Timeline; planOf: PlanOf } {
  const pauses: PauseSpan[] = one.pauses.flatMap((change, index) =>
    change.paused ? [{ from: change.at, until: one.pauses[index + 1]?.at ?? null }] : [],
  );
  const timeline = {
    startedAt: one.startedAt,
    endsAt: one.endsAt,
    trialEndsAt: null,
    phases: [{ from: one.startedAt, serviceId: 'svc_1', quantity: '1', yearAnchor: null }],
    pauses,
  };
  const plan = {
    id: 'svc_1',
    name: one.serviceName,
    billingCycle: 'monthly',
    proration: 'day',
    prices: one.parts.map((each, index) => ({
      id: `prv_${index}`,
      effectiveFrom: each.from,
      pricing: each.pricing,
    })),
  } as const;
  return { timeline, planOf: () => plan };
}
function billable(one: Simple, month: BillingMonth, zone: string): BillableSubscription {
  const { timeline, planOf } = timelineOf(one);
  const times = planTimes(monthParts(timeline, planOf, month, zone)).map((time) => {
    const { quantity, events } = one.parts[Number(time.price.id.slice(4))] ?? {
      quantity: decimal('0'),
      events: 0n,
    };
    return { ...time, unit: 'GB', quantity, events };
  });
  return { subscriptionId: one.subscriptionId, serviceName: one.serviceName, timeline, planOf, times };
}
const linesOf = (one: Simple, month: BillingMonth, zone: string): PlannedLine[] =>
  billableLines(billable(one, month, zone), month, zone);
const planBills = (all: readonly Simple[], month: BillingMonth, zone: string, rate: string): BillPlan[] =>
  planBillables(
    all.map((one) => billable(one, month, zone)),
    month,
    zone,
    rate,
  );
/** The days charged by a fee. */
function days(one: Simple, month = october, zone = taipei): string[] {
  const { timeline, planOf } = timelineOf(one);
  const all = daysOfMonth(month);
  return feeSpans(timeline, planOf, month, zone)
    .flatMap((span) => span.spans)
    .flatMap(([from, to]) => all.slice(from, to));
}
const exactOf = (lines: ReturnType<typeof linesOf>, kind: string): Decimal =>
  sumDecimals(lines.filter((line) => line.kind === kind).map((line) => line.exact));
/** Prorated fees are exact to 24 digits, so that parts of a month meet within this. */
const nothing = decimal('0.0000000000000000000001');
const same = (a: Decimal, b: Decimal): boolean => a.minus(b).abs().lt(nothing);

const anyZone = fc.constantFrom(...oddZones);
// Including 2011, when Apia skipped a day.
const anyMonth = fc.constantFrom(...monthsFrom('2011-10', 4), ...monthsFrom('2026-01', 36));

describe('days of service: the day of a change belongs to the new state', () => {
  test.each<[string, Partial<Simple>, number, string | undefined, string | undefined]>([
    ['the whole month', {}, 31, '2026-10-01', '2026-10-31'],
    [
      'starts at noon: that day counts',
      { startedAt: at('2026-10-16T04:00:00Z') },
      16,
      '2026-10-16',
      '2026-10-31',
    ],
    [
      'starts in the last minute of a day of the zone',
      { startedAt: at('2026-10-16T15:59:59Z') },
      16,
      '2026-10-16',
      '2026-10-31',
    ],
    [
      'starts a second later, on the next day of the zone',
      { startedAt: at('2026-10-16T16:00:00Z') },
      15,
      '2026-10-17',
      '2026-10-31',
    ],
    [
      'ends at noon: that day does not count',
      { endsAt: at('2026-10-16T04:00:00Z') },
      15,
      '2026-10-01',
      '2026-10-15',
    ],
    ['ends with the month', { endsAt: on('2026-11-01') }, 31, '2026-10-01', '2026-10-31'],
    ['ends before it', { endsAt: on('2026-10-01') }, 0, undefined, undefined],
    ['starts after it', { startedAt: on('2026-11-01') }, 0, undefined, undefined],
    [
      'starts and ends on one day: otherwise a new subscription every day would be free',
      { startedAt: at('2026-10-16T02:00:00Z'), endsAt: at('2026-10-16T09:00:00Z') },
      1,
      '2026-10-16',
      '2026-10-16',
    ],
    [
      'paused for two minutes around every midnight: only the first day is free',
      {
        pauses: daysOfMonth(october).flatMap((day) => [
          { at: new Date(on(day).getTime() - 60_000), paused: true },
          { at: new Date(on(day).getTime() + 60_000), paused: false },
        ]),
      },
      30,
      '2026-10-02',
      '2026-10-31',
    ],
    [
      'a second pause in a month is free from the next day on',
      {
        pauses: [
          { at: at('2026-10-03T04:00:00Z'), paused: true },
          { at: at('2026-10-04T04:00:00Z'), paused: false },
          { at: at('2026-10-10T04:00:00Z'), paused: true },
          { at: at('2026-10-20T04:00:00Z'), paused: false },
        ],
      },
      21,
      '2026-10-01',
      '2026-10-31',
    ],
    [
      'and from its own day on when it starts with that day',
      {
        pauses: [
          { at: at('2026-10-03T04:00:00Z'), paused: true },
          { at: at('2026-10-04T04:00:00Z'), paused: false },
          { at: on('2026-10-10'), paused: true },
          { at: at('2026-10-20T04:00:00Z'), paused: false },
        ],
      },
      20,
      '2026-10-01',
      '2026-10-31',
    ],
    [
      'paused on the 10th, resumed on the 20th',
      {
        pauses: [
          { at: at('2026-10-10T04:00:00Z'), paused: true },
          { at: at('2026-10-20T04:00:00Z'), paused: false },
        ],
      },
      21,
      '2026-10-01',
      '2026-10-31',
    ],
    [
      'paused and resumed on the same day',
      {
        pauses: [
          { at: at('2026-10-10T04:00:00Z'), paused: true },
          { at: at('2026-10-10T05:00:00Z'), paused: false },
        ],
      },
      31,
      '2026-10-01',
      '2026-10-31',
    ],
    [
      'paused since last month',
      { pauses: [{ at: at('2026-09-10T04:00:00Z'), paused: true }] },
      0,
      undefined,
      undefined,
    ],
    [
      'paused exactly at midnight: that day is free',
      { pauses: [{ at: on('2026-10-11'), paused: true }] },
      10,
      '2026-10-01',
      '2026-10-10',
    ],
    [
      'paused next month',
      { pauses: [{ at: on('2026-11-01'), paused: true }] },
      31,
      '2026-10-01',
      '2026-10-31',
    ],
  ])('%s', (_what, changes, count, first, last) => {
    const served = days(subscription(changes));
    expect([served.length, served[0], served.at(-1)]).toEqual([count, first, last]);
  });

  test('each day is either served or paused', () => {
    const moment = fc.integer({
      min: monthPeriod(october, taipei).start.getTime() - 5e8,
      max: monthPeriod(october, taipei).end.getTime() + 5e8,
    });
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 2 }), (moments) => {
        const pauses = moments
          .toSorted((a, b) => a - b)
          .map((ms, index) => ({ at: new Date(ms), paused: index % 2 === 0 }));
        const inverse = pauses.map((pause) => ({ ...pause, paused: !pause.paused }));
        const served = days(subscription({ pauses }));
        const rest = days(
          subscription({ pauses: [{ at: at('2000-01-01T00:00:00Z'), paused: true }, ...inverse] }),
        );
        expect([...served, ...rest].toSorted()).toEqual(daysOfMonth(october));
      }),
    );
  });
});

describe('base fees by days', () => {
  test.each([
    [{}, '3100'],
    [{ startedAt: on('2026-10-16') }, '1600'],
    [{ endsAt: on('2026-10-16') }, '1500'],
    [{ startedAt: on('2026-10-16'), endsAt: on('2026-10-17') }, '100'],
    [{ startedAt: on('2026-11-01') }, '0'],
  ])('%j costs %s of 3100', (changes, fee) => {
    expect(decimalText(exactOf(linesOf(subscription(changes), october, taipei), 'base_fee'))).toBe(fee);
  });

  test('any split of a month adds up to the fee before rounding: consecutive parts, prices, or pauses', () => {
    fc.assert(
      fc.property(
        prices,
        anyMonth,
        anyZone,
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
        fc.integer({ min: 0, max: 86_399 }),
        (fee, month, zone, cuts, second) => {
          const all = daysOfMonth(month);
          // Changes within days: each of these days belongs to the new state.
          const moments = [...new Set(cuts)]
            .filter((cut) => cut > 0 && cut < all.length)
            // On a day that its zone skipped (Apia, 30 December 2011) nothing begins or ends.
            .filter((cut) => on(all[cut]!, zone) < dayPeriod(all[cut]!, zone).end)
            .toSorted((a, b) => a - b)
            .map(
              (cut) =>
                new Date(
                  Math.min(
                    on(all[cut]!, zone).getTime() + second * 1000,
                    Math.max(dayPeriod(all[cut]!, zone).end.getTime() - 1, on(all[cut]!, zone).getTime()),
                  ),
                ),
            );
          const bounds = [at('2000-01-01T00:00:00Z'), ...moments];
          const pieces = bounds.map((startedAt, index) =>
            subscription({
              startedAt,
              endsAt: bounds[index + 1] ?? null,
              parts: [part(monthly(fee), startedAt)],
            }),
          );
          const inARow = sumDecimals(pieces.map((one) => exactOf(linesOf(one, month, zone), 'base_fee')));
          expect(same(inARow, decimal(fee))).toBe(true);
          expect(pieces.reduce((sum, one) => sum + days(one, month, zone).length, 0)).toBe(all.length);

          const byPrice = linesOf(
            subscription({ parts: bounds.map((from) => part(monthly(fee), from)) }),
            month,
            zone,
          );
          expect(same(exactOf(byPrice, 'base_fee'), decimal(fee))).toBe(true);

          // One pause: of several in a month the later ones are free from the next day on.
          const pauses = moments
            .slice(0, 2)
            .map((moment, index) => ({ at: moment, paused: index % 2 === 0 }));
          const pausedOnly = [
            { at: at('1999-01-01T00:00:00Z'), paused: true },
            ...pauses.map((pause) => ({ ...pause, paused: !pause.paused })),
          ];
          const withPauses = [pauses, pausedOnly].map((each) =>
            exactOf(
              linesOf(subscription({ pauses: each, parts: [part(monthly(fee), bounds[0]!)] }), month, zone),
              'base_fee',
            ),
          );
          expect(same(sumDecimals(withPauses), decimal(fee))).toBe(true);
        },
      ),
    );
  });

  test('a line is the exact share, rounded once, half away from zero', () => {
    fc.assert(
      fc.property(
        prices,
        anyMonth,
        fc.integer({ min: 0, max: 27 }),
        fc.constantFrom<Currency>('TWD', 'USD', 'KWD'),
        (fee, month, from, currency) => {
          const all = daysOfMonth(month);
          const lines = linesOf(
            subscription({
              startedAt: on(all[from]!),
              parts: [part(monthly(fee, currency), on(all[from]!))],
            }),
            month,
            taipei,
          );
          const served = BigInt(all.length - from);
          const expected = roundedFraction(
            overPowerOfTen(fee) * served * 10n ** BigInt(currencies[currency].billingDigits),
            10n ** 12n * BigInt(all.length),
          );
          expect(
            sumMoney(
              lines.map((line) => line.amount),
              currency,
            ).minor,
          ).toBe(expected);
        },
      ),
    );
  });

  test('a price change in the month: two lines, the day of the change at the new price', () => {
    const lines = linesOf(
      subscription({
        parts: [part(monthly('3100'), on('2026-10-01')), part(monthly('6200'), at('2026-10-16T04:00:00Z'))],
      }),
      october,
      taipei,
    );
    expect(lines.map((line) => [line.kind, line.quantity, line.unitPrice, line.amount.minor])).toEqual([
      ['base_fee', '0.483870967742', '3100', 1500n],
      ['base_fee', '0.516129032258', '6200', 3200n],
    ]);
  });

  test('two changes on one day: the one in between has no day', () => {
    const lines = linesOf(
      subscription({
        parts: [
          part(monthly('3100'), on('2026-10-01')),
          part(monthly('99999'), at('2026-10-16T01:00:00Z')),
          part(monthly('6200'), at('2026-10-16T04:00:00Z')),
        ],
      }),
      october,
      taipei,
    );
    expect(lines.map((line) => line.amount.minor)).toEqual([1500n, 3200n]);
  });

  test.each(oddZones)('a day of 23, 25 or no hours is one day in %s', (zone) => {
    for (const month of [...monthsFrom('2011-12', 1), ...monthsFrom('2026-01', 12)]) {
      const all = daysOfMonth(month);
      expect(days(subscription(), month, zone)).toEqual(all);
      expect(decimalText(exactOf(linesOf(subscription(), month, zone), 'base_fee'))).toBe('3100');
    }
  });
});

describe('usage and minimum', () => {
  const perGb: Pricing = { model: 'per_unit', currency: 'USD', unitPrice: '0.0000004' };

  test('usage is never prorated', () => {
    const [line] = linesOf(
      subscription({ startedAt: on('2026-10-31'), parts: [part(perGb, on('2026-10-31'), '75000', 9n)] }),
      october,
      taipei,
    );
    expect(line).toMatchObject({
      kind: 'usage',
      quantity: '75000',
      unit: 'GB',
      unitPrice: '0.0000004',
      amount: money(3n, 'USD'),
    });
    expect(decimalText(line!.exact)).toBe('0.03');
  });
  test('no events give no line; a flat fee has no usage line; late usage is charged even without a day of service', () => {
    expect(linesOf(subscription({ parts: [part(perGb, on('2026-10-01'))] }), october, taipei)).toEqual([]);
    expect(
      linesOf(subscription({ parts: [part(monthly('0'), on('2026-10-01'), '5', 5n)] }), october, taipei),
    ).toEqual([]);
    expect(
      linesOf(
        subscription({ endsAt: on('2026-10-01'), parts: [part(perGb, on('2026-10-01'), '50000', 1n)] }),
        october,
        taipei,
      ).map((line) => line.kind),
    ).toEqual(['usage']);
  });
  test('events that add up to zero are still listed', () => {
    expect(
      linesOf(subscription({ parts: [part(perGb, on('2026-10-01'), '0', 2n)] }), october, taipei),
    ).toMatchObject([{ kind: 'usage', quantity: '0', amount: money(0n, 'USD') }]);
  });
  test('the minimum is prorated like the fee and adds the difference', () => {
    const pricing = monthly('310', 'TWD', { minimum: '3100' });
    const whole = linesOf(subscription({ parts: [part(pricing, on('2026-10-01'))] }), october, taipei);
    expect(whole.map((line) => [line.kind, decimalText(line.exact), line.unitPrice])).toEqual([
      ['base_fee', '310', '310'],
      ['minimum', '2790', null],
    ]);
    const half = linesOf(
      subscription({ startedAt: on('2026-10-16'), parts: [part(pricing, on('2026-10-16'))] }),
      october,
      taipei,
    );
    expect(half.map((line) => decimalText(line.exact))).toEqual(['160', '1440']);
    expect(half[1]!.steps).toEqual([
      {
        kind: 'minimum',
        from: null,
        upTo: null,
        quantity: '0.516129032258',
        unitPrice: '3100',
        amount: '1440',
      },
    ]);
  });
});

const anyPart = fc.record({
  baseFee: prices,
  minimum: prices,
  unitPrice: prices,
  quantity: fc.oneof(quantities, decimalTexts(-1000n, 0n)),
  currency: fc.constantFrom<Currency>('TWD', 'USD', 'JPY', 'KWD'),
  startDay: fc.integer({ min: 0, max: 35 }),
  name: fc.constantFrom('物件儲存', '資料庫', 'AI', 'ai', '虛擬主機'),
});
const anySubscriptions = fc.array(anyPart, { maxLength: 12 }).map((list) =>
  list.map(({ baseFee, minimum, unitPrice, quantity, currency, startDay, name }, index) => {
    const startedAt = new Date(on('2026-09-28').getTime() + startDay * 86_400_000);
    return subscription({
      subscriptionId: `sub_${index}`,
      serviceName: name,
      startedAt,
      parts: [part({ model: 'per_unit', currency, baseFee, minimum, unitPrice }, startedAt, quantity, 1n)],
    });
  }),
);

describe('R-BILL-05: totals of bills', () => {
  test('each line is rounded once, net is their sum, tax is rounded once on it, total is net plus tax', () => {
    fc.assert(
      fc.property(
        anySubscriptions,
        fc.constantFrom('0', '5', '8.875', '20', '0.000000000001'),
        (subscriptions, rate) => {
          for (const bill of planBills(subscriptions, october, taipei, rate)) {
            const digits = 10n ** BigInt(currencies[bill.currency].billingDigits);
            for (const line of bill.lines)
              expect(line.amount).toEqual(
                money(
                  roundedFraction(overPowerOfTen(decimalText(line.exact), 40) * digits, 10n ** 40n),
                  bill.currency,
                ),
              );
            expect(bill.lines.reduce((sum, line) => sum + line.amount.minor, 0n)).toBe(bill.net.minor);
            expect(bill.tax.minor).toBe(
              roundedFraction(bill.net.minor * overPowerOfTen(rate), 100n * 10n ** 12n),
            );
            expect(bill.total.minor).toBe(bill.net.minor + bill.tax.minor);
            expect(bill.taxRate).toBe(rate);
          }
        },
      ),
    );
  });

  test('one bill per currency; every line is on exactly one, in any loading order', () => {
    fc.assert(
      fc.property(anySubscriptions, (subscriptions) => {
        const bills = planBills(subscriptions, october, taipei, '5');
        const lines = subscriptions.flatMap((one) => linesOf(one, october, taipei));
        expect(bills.map((bill) => bill.currency)).toEqual(
          [...new Set(lines.map((line) => line.amount.currency))].toSorted(),
        );
        expect(bills.reduce((sum, bill) => sum + bill.lines.length, 0)).toBe(lines.length);
        const amountsOf = (plan: typeof bills): unknown =>
          plan.map((bill) =>
            bill.lines.map((line) => [line.subscriptionId, line.kind, decimalText(line.exact)]),
          );
        expect(amountsOf(planBills(subscriptions.toReversed(), october, taipei, '5'))).toEqual(
          amountsOf(bills),
        );
      }),
    );
  });

  test('a planned bill fits the API and the explanations', () => {
    fc.assert(
      fc.property(anySubscriptions, (subscriptions) => {
        for (const line of planBills(subscriptions, october, taipei, '5').flatMap((bill) => bill.lines)) {
          expect(z.safeParse(exactDecimal, line.quantity).success).toBe(true);
          expect(z.safeParse(z.nullable(exactDecimal), line.unitPrice).success).toBe(true);
          expect(z.safeEncode(z.array(LineStep), [...line.steps]).error).toBeUndefined();
        }
      }),
    );
  });

  test.each<[bigint, string, bigint]>([
    [10n, '5', 1n],
    [9n, '5', 0n],
    [30n, '5', 2n],
    [-10n, '5', -1n],
    [-9n, '5', 0n],
    [1000n, '0', 0n],
    [6114n, '5', 306n],
  ])('%s dollars at %s %% are taxed %s', (net, rate, tax) => {
    const pricing: Pricing = { model: 'per_unit', currency: 'TWD', unitPrice: '1' };
    expect(
      planBills(
        [subscription({ parts: [part(pricing, on('2026-10-01'), String(net), 1n)] })],
        october,
        taipei,
        rate,
      )[0],
    ).toMatchObject({ net: money(net, 'TWD'), tax: money(tax, 'TWD'), total: money(net + tax, 'TWD') });
  });

  test('a month without charges has no bill', () => {
    expect(planBills([], october, taipei, '5')).toEqual([]);
    expect(planBills([subscription({ startedAt: on('2026-11-01') })], october, taipei, '5')).toEqual([]);
  });
});

describe('amounts with their share of the tax', () => {
  test.each([
    [[333n, 333n, 334n], 50n, [350n, 349n, 351n]],
    [[10n, 10n], 1n, [11n, 10n]],
    [[0n, 0n], 0n, [0n, 0n]],
    [[100n, -100n], 0n, [100n, -100n]],
    [[-100n], -5n, [-105n]],
    [[], 0n, []],
  ])('%o and %s of tax are %o', (net, tax, gross) => {
    expect(
      grossAmounts(
        net.map((minor) => money(minor, 'TWD')),
        money(tax, 'TWD'),
      ).map((amount) => amount.minor),
    ).toEqual(gross);
  });
  test('add up to the total exactly, each within one unit of its own tax', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(0n, 10n ** 9n), { maxLength: 40 }),
        fc.integer({ min: 0, max: 30 }),
        (minors, rate) => {
          const net = minors.reduce((sum, minor) => sum + minor, 0n);
          const tax = roundedFraction(net * BigInt(rate), 100n);
          const gross = grossAmounts(
            minors.map((minor) => money(minor, 'USD')),
            money(tax, 'USD'),
          );
          expect(gross.reduce((sum, amount) => sum + amount.minor, 0n)).toBe(net + tax);
          for (const [index, amount] of gross.entries()) {
            const own = amount.minor - minors[index]!;
            const exactTimes100 = minors[index]! * BigInt(rate);
            expect(own * 100n > exactTimes100 - 200n && own * 100n < exactTimes100 + 200n).toBe(true);
          }
        },
      ),
    );
  });
});

describe('numbers, months and payment', () => {
  test.each<[string, number, string]>([
    ['2026-10', 42, 'B-202610-000042'],
    ['2026-01', 1, 'B-202601-000001'],
    ['2026-12', 1234567, 'B-202612-1234567'],
  ])('%s, bill %i is %s', (month, sequence, number) => {
    expect(billNumber(billSeries(month as BillingMonth), sequence)).toBe(number);
  });
  test.each<[string, string, boolean]>([
    ['2026-10-31T15:59:59.999Z', taipei, false],
    ['2026-10-31T16:00:00.000Z', taipei, true],
    ['2026-10-31T16:00:00.000Z', 'America/New_York', false],
    ['2026-11-01T04:00:00.000Z', 'America/New_York', true],
  ])('at %s October is over in %s: %s', (now, zone, over) => {
    expect(isMonthOver(october, zone, at(now))).toBe(over);
  });
  test('the longest grace period of a month lasts until the next month is over', () => {
    for (let month = '2026-01' as BillingMonth; month < '2028-01'; month = addMonths(month, 1)) {
      const graceEnd = monthPeriod(month, taipei).end.getTime() + maxGraceHours * 3_600_000;
      expect(graceEnd, month).toBeGreaterThanOrEqual(monthPeriod(addMonths(month, 1), taipei).end.getTime());
    }
  });
  test.each<[string | null, string, string[]]>([
    [null, '2026-10', ['2026-10']],
    ['2026-10', '2026-10', ['2026-10']],
    ['2026-09', '2026-10', ['2026-09', '2026-10']],
    ['2025-12', '2026-02', ['2025-12', '2026-01', '2026-02']],
    [
      '2020-01',
      '2026-12',
      Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`),
    ],
  ])('last closed: %s, last over: %s: %s', (lastClosed, last, months) => {
    expect(monthsToClose(lastClosed as BillingMonth | null, last as BillingMonth)).toEqual(months);
  });
  test.each<['open' | 'paid' | 'void', bigint, string, string]>([
    ['open', 0n, '2026-12-03T00:00:00Z', 'unpaid'],
    ['open', 0n, '2026-12-03T00:00:00.001Z', 'overdue'],
    ['open', 1n, '2026-12-02T00:00:00Z', 'partially_paid'],
    ['open', 1n, '2026-12-04T00:00:00Z', 'overdue'],
    ['paid', 9n, '2027-01-01T00:00:00Z', 'paid'],
    ['void', 0n, '2027-01-01T00:00:00Z', 'void'],
  ])('%s with %s paid is at %s: %s', (state, paidMinor, now, status) => {
    const bill = { state, paidMinor, dueAt: at('2026-12-03T00:00:00Z') };
    expect(paymentStatus({ ...bill, isProcessing: false }, at(now))).toBe(status);
    // While a payment is processing, the bill counts as open and is not overdue.
    expect(paymentStatus({ ...bill, isProcessing: true }, at(now))).toBe(
      state === 'open' ? 'processing' : status,
    );
  });
});
