// Histories of subscriptions whose fees are billed in advance, month by month with the rules of bills: the
// deferred amount is never negative, is zero after the end, and together with recognized revenue always
// equals charges minus credits (decision 0127).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addDays, addMonths, dayPeriod, monthOf, monthPeriod } from '#kernel/time.ts';
import {
  linesOf,
  type BillableSubscription,
  type PricedPlan,
  type Timeline,
} from '#features/selling/subscriptions/rules.ts';
import { deferredParts, settlesDeferral, withParts, type DeferredOf } from './rules-deferral.ts';
import type { PlannedBillLine } from './rules-late.ts';

const zone = 'Asia/Taipei';
const name = { zhTW: '費用', enUS: 'Fee' };
const dayAt = (day: LocalDay): Date => dayPeriod(day, zone).start;

type Priced = {
  readonly amount: string;
  readonly cycle: 'quarter' | 'half_year' | 'year' | 'plan';
  readonly anchor: 'calendar' | 'anniversary';
  readonly proration: 'day' | 'second';
};
/** A plan of one fee: a charge of a rate card, or the base fee of a yearly plan. */
const planOf = ({ amount, cycle, anchor, proration }: Priced): PricedPlan => ({
  id: 'svc_1',
  name: 'S',
  billingCycle: cycle === 'plan' ? 'yearly' : 'monthly',
  proration,
  prices: [
    {
      id: 'prv_1',
      effectiveFrom: dayAt('2020-01-01' as LocalDay),
      pricing:
        cycle === 'plan'
          ? { model: 'flat', currency: 'TWD', baseFee: amount }
          : {
              model: 'rate_card',
              currency: 'TWD',
              charges: [
                {
                  key: 'fee',
                  name,
                  kind: 'recurring',
                  model: 'per_unit',
                  unitPrice: amount,
                  cycle,
                  anchor,
                  prorate: proration,
                },
              ],
            },
    },
  ],
});

type Month = {
  readonly month: BillingMonth;
  /** Whether its bill returned later months. */
  readonly isEnding: boolean;
  /** Whether it had no day of service. */
  readonly isIdle: boolean;
  /** The total charged by bills so far, less what they returned. */
  readonly charged: bigint;
  /** The revenue recognized so far. */
  readonly earned: bigint;
  /** Whether bills before its own defer something for a later month. */
  readonly isAhead: boolean;
  /** The deferred amount after its bill, by month. */
  readonly deferred: ReadonlyMap<BillingMonth, bigint>;
  /** Its own revenue at the end. */
  readonly revenue: bigint;
};

/** The bills of all months of a life, and those after it. */
function livedBy(timeline: Timeline, plan: PricedPlan, count: number): Month[] {
  const subscription: BillableSubscription = {
    subscriptionId: 'sub_1',
    serviceName: 'S',
    timeline,
    planOf: () => plan,
    times: [],
  };
  const revenue = new Map<BillingMonth, bigint>();
  const add = (month: BillingMonth, minor: bigint) => revenue.set(month, (revenue.get(month) ?? 0n) + minor);
  let there: DeferredOf = new Map();
  let charged = 0n;
  const first = monthOf(timeline.startedAt, zone);
  const months = Array.from({ length: count }, (_, place) => addMonths(first, place)).map((month) => {
    const lines = linesOf(subscription, month, zone).map((line): PlannedBillLine => ({
      ...line,
      forMonth: null,
    }));
    const isAhead = [...there.values()].some((own) =>
      [...own].some(([of, minor]) => of > month && minor > 0n),
    );
    const parts = deferredParts(month, lines, there);
    there = withParts(there, lines, parts);
    const net = lines.reduce((sum, { amount }) => sum + amount.minor, 0n);
    charged += net;
    add(
      month,
      parts.reduce((left, { minor }) => left - minor, net),
    );
    for (const part of parts) {
      expect(part.month > month).toBe(true);
      add(part.month, part.minor);
    }
    const deferred = new Map(
      [...there.values()].flatMap((own) => [...own].filter(([of, minor]) => of > month && minor !== 0n)),
    );
    return {
      month,
      isEnding: lines.some(
        (line) => settlesDeferral(month, line) && line.covers?.some((each) => each.month > month),
      ),
      isIdle: !isServed(timeline, month),
      isAhead,
      charged,
      earned: [...revenue].reduce((sum, [of, minor]) => (of <= month ? sum + minor : sum), 0n),
      deferred,
    };
  });
  return months.map((each) => ({ ...each, revenue: revenue.get(each.month) ?? 0n }));
}

/** Whether a day of a month is served, counted day by day. */
function isServed({ startedAt, endsAt, pauses }: Timeline, month: BillingMonth): boolean {
  const { start, end } = monthPeriod(month, zone);
  for (let at = start.getTime(); at < end.getTime(); at += 86_400_000) {
    const isIn = at >= startedAt.getTime() && (endsAt === null || at < endsAt.getTime());
    if (
      isIn &&
      !pauses.some(({ from, until }) => from.getTime() <= at && (until === null || at < until.getTime()))
    )
      return true;
  }
  return false;
}

const life = fc.record({
  amount: fc.integer({ min: 1, max: 100_000 }).map(String),
  cycle: fc.constantFrom('quarter' as const, 'half_year' as const, 'year' as const, 'plan' as const),
  anchor: fc.constantFrom('calendar' as const, 'anniversary' as const),
  proration: fc.constantFrom('day' as const, 'second' as const),
  begins: fc.integer({ min: 0, max: 800 }),
  length: fc.option(fc.integer({ min: 1, max: 500 })),
  /** Days from the beginning, and duration. */
  breaks: fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 150 })), {
    maxLength: 2,
  }),
  /** Days from the beginning, and the quantity from then on. */
  changes: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 9 })), {
    maxLength: 2,
  }),
});
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

function timelineOf({ begins, length, breaks, changes, cycle }: Life): Timeline {
  const began = addDays('2026-01-01' as LocalDay, begins);
  const ended = length === null ? null : addDays(began, length);
  const startedAt = dayAt(began);
  const yearAnchor = cycle === 'plan' ? began : null;
  const pauses: { from: Date; until: Date }[] = [];
  for (const [after, days] of breaks.toSorted(([a], [b]) => a - b)) {
    const from = dayAt(addDays(began, after));
    const last = pauses.at(-1);
    if ((ended === null || from < dayAt(ended)) && (!last || last.until < from))
      pauses.push({ from, until: dayAt(addDays(began, after + days)) });
  }
  const moments = changes
    .toSorted(([a], [b]) => a - b)
    .filter(([after], index, all) => after !== all[index - 1]?.[0] && (length === null || after < length));
  return {
    startedAt,
    endsAt: ended === null ? null : dayAt(ended),
    trialEndsAt: null,
    phases: [
      { from: startedAt, serviceId: 'svc_1', quantity: '1', yearAnchor },
      ...moments.map(([after, count]) => ({
        from: dayAt(addDays(began, after)),
        serviceId: 'svc_1',
        quantity: String(count),
        yearAnchor,
      })),
    ],
    pauses,
  };
}

describe('T-DEFER: any life of a subscription', () => {
  const sum = (of: ReadonlyMap<BillingMonth, bigint>): bigint =>
    [...of.values()].reduce((so, minor) => so + minor, 0n);

  test('recognized and deferred amounts equal charges minus refunds, are never negative, and nothing is deferred after the end', () => {
    fc.assert(
      fc.property(life, (given) => {
        const timeline = timelineOf(given);
        const months = livedBy(timeline, planOf(given), 32);
        for (const { month, charged, earned, deferred } of months) {
          expect(earned + sum(deferred)).toBe(charged);
          for (const minor of deferred.values()) expect(minor > 0n).toBe(true);
          if (timeline.endsAt && month >= monthOf(timeline.endsAt, zone)) expect([...deferred]).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('a month without service has no revenue while its period has other months', () => {
    let idle = 0;
    fc.assert(
      fc.property(life, (given) => {
        for (const { isIdle, isEnding, isAhead, deferred, revenue, month } of livedBy(
          timelineOf(given),
          planOf(given),
          20,
        ))
          if (isIdle && !isEnding && isAhead && sum(deferred) > 0n) {
            idle++;
            expect([month, revenue]).toEqual([month, 0n]);
          }
      }),
      { numRuns: 400 },
    );
    expect(idle).toBeGreaterThan(50);
  });

  test('without pauses and changes every whole month of a period has the same amount, except the rounding remainder in the last', () => {
    fc.assert(
      fc.property(life, (given) => {
        const plain = { ...given, cycle: 'plan' as const, length: null, breaks: [], changes: [] };
        // The months of the first year that are whole and not its last.
        const [, second, ...rest] = livedBy(timelineOf(plain), planOf(plain), 11);
        for (const { revenue } of rest) expect(revenue).toBe(second?.revenue);
        if (plain.amount === '12000') expect(second?.revenue).toBe(1000n);
      }),
    );
  });
});
