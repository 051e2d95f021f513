// Periods of commitments, what is due for each, and their forecast.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { monthsFrom } from '#tests/support/arbitraries.ts';
import { commitmentPeriods, settlements, type Settlement } from './contract.ts';
import {
  byDrawOrder,
  commitmentState,
  earliestEnd,
  endMistake,
  inForce,
  isRate,
  outlook,
  periodMonths,
  periodOf,
  periodsOf,
  type CommitmentTerms,
} from './rules.ts';

const month = (text: string): BillingMonth => text as BillingMonth;
const terms = (rest: Partial<CommitmentTerms> = {}): CommitmentTerms => ({
  startsOn: month('2026-02'),
  months: 12,
  period: 'quarter',
  amounts: [100n, 200n, 300n, 400n],
  ended: null,
  ...rest,
});
const ended = (lastMonth: string, settlement: Settlement) => ({ lastMonth: month(lastMonth), settlement });

describe('T-CMT: the periods of a term', () => {
  test.each([
    ['month', 3, 1],
    ['quarter', 12, 3],
    ['year', 24, 12],
    ['contract', 18, 18],
  ] as const)('a %s of %d months', (period, months, length) => {
    expect(periodMonths({ period, months })).toBe(length);
  });

  test.each([
    ['2026-01', undefined],
    ['2026-02', [0, '2026-02', '2026-04', 100]],
    ['2026-04', [0, '2026-02', '2026-04', 100]],
    ['2026-05', [1, '2026-05', '2026-07', 200]],
    ['2027-01', [3, '2026-11', '2027-01', 400]],
    ['2027-02', undefined],
  ] as const)('a ramp by quarters in %s', (text, expected) => {
    const found = periodOf(terms(), month(text));
    expect(found && [found.index, found.firstMonth, found.lastMonth, Number(found.amount)]).toEqual(expected);
    expect(found?.target).toBe(found?.amount);
  });

  test('every month of a term is in exactly one period, and the periods are adjacent', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...commitmentPeriods),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 0, max: 130 }),
        fc.constantFrom(...settlements),
        (period, count, end, settlement) => {
          const months = count * { month: 1, quarter: 3, year: 12, contract: 5 }[period];
          const startsOn = month('2027-11');
          const amounts = Array.from({ length: period === 'contract' ? 1 : count }, (_, at) =>
            BigInt(at + 1),
          );
          const lastMonth = addMonths(startsOn, end - 1);
          const isEarly = end < months;
          const made = terms({
            startsOn,
            months,
            period,
            amounts,
            ended: isEarly ? { lastMonth, settlement } : null,
          });
          const all = periodsOf(made);
          const covered = all.flatMap(({ firstMonth, lastMonth: last }) => monthsUpTo(firstMonth, last));
          expect(covered).toEqual(monthsFrom(startsOn, isEarly ? end : months));
          for (const each of covered) expect(all).toContainEqual(periodOf(made, each));
          expect(periodOf(made, addMonths(startsOn, covered.length))).toBeUndefined();
          expect(periodOf(made, addMonths(startsOn, -1))).toBeUndefined();
        },
      ),
    );
  });
});

function monthsUpTo(first: BillingMonth, last: BillingMonth): BillingMonth[] {
  return first > last ? [] : [first, ...monthsUpTo(addMonths(first, 1), last)];
}

describe('T-CMT: the amount due for a period that is cut by an early end', () => {
  test.each<[Settlement, string, number]>([
    ['none', '2026-06', 0],
    ['prorated', '2026-05', 67],
    ['prorated', '2026-06', 133],
    ['prorated', '2026-07', 200],
    ['period', '2026-05', 200],
    ['all', '2026-05', 900],
    ['all', '2026-10', 700],
  ])('%s at the end of %s', (settlement, last, target) => {
    const made = terms({ ended: ended(last, settlement) });
    const found = periodOf(made, month(last));
    expect(found?.target).toBe(BigInt(target));
    expect(found?.lastMonth).toBe(last);
  });

  test('half a unit is rounded away from zero', () => {
    const made = terms({
      period: 'contract',
      amounts: [25n],
      months: 10,
      ended: ended('2026-03', 'prorated'),
    });
    expect(periodOf(made, month('2026-03'))?.target).toBe(5n);
    const odd = terms({
      period: 'contract',
      amounts: [25n],
      months: 10,
      ended: ended('2026-07', 'prorated'),
    });
    // 25 × 6 / 10 = 15; 25 × 5 / 10 = 12.5
    expect(periodOf(odd, month('2026-07'))?.target).toBe(15n);
    expect(periodOf({ ...odd, ended: ended('2026-06', 'prorated') }, month('2026-06'))?.target).toBe(13n);
  });

  test('earlier periods keep their amounts, later ones are removed', () => {
    const all = periodsOf(terms({ ended: ended('2026-08', 'none') }));
    expect(all.map(({ target, lastMonth }) => [Number(target), lastMonth])).toEqual([
      [100, '2026-04'],
      [200, '2026-07'],
      [0, '2026-08'],
    ]);
  });

  test('one that ended before it began has no period', () => {
    const made = terms({ ended: ended('2026-01', 'none') });
    expect(periodsOf(made)).toEqual([]);
    expect(periodOf(made, month('2026-02'))).toBeUndefined();
  });
});

describe('T-CMT: a commitment for the bill of a month', () => {
  const base = {
    id: 'cmt_1' as Id<'cmt'>,
    version: 7n,
    name: { zhTW: '承諾', enUS: 'Commitment' },
    scope: { services: null, usageOnly: true },
    currency: 'TWD',
    committedPercent: '80',
    overagePercent: '90',
  } as const;
  const of = (text: string, rest: Partial<CommitmentTerms> = {}, isSettled = false) =>
    inForce({ ...base, terms: terms(rest) }, month(text), (index) =>
      index === 1 ? { drawn: 50n, trueUp: 150n, isSettled } : undefined,
    );

  test('includes the use by other bills of that period', () => {
    expect(of('2026-06')).toEqual({
      ...base,
      period: { index: 1, firstMonth: '2026-05', lastMonth: '2026-07' },
      amount: 200n,
      target: 200n,
      drawn: 50n,
      trueUp: 150n,
      settles: false,
    });
    expect(of('2026-08')).toMatchObject({ drawn: 0n, trueUp: 0n });
  });

  test('is settled with the last month of the period, at an early end, and if it already is settled', () => {
    expect(of('2026-07')?.settles).toBe(true);
    expect(of('2026-06')?.settles).toBe(false);
    expect(of('2026-06', {}, true)?.settles).toBe(true);
    expect(of('2026-06', { ended: ended('2026-06', 'none') })).toMatchObject({ settles: true, target: 0n });
  });

  test('does not exist outside its term', () => {
    expect(of('2026-01')).toBeUndefined();
    expect(of('2026-07', { ended: ended('2026-06', 'none') })).toBeUndefined();
  });

  test('named services precede all, earlier ones precede later ones', () => {
    const one = (id: string, services: string[] | null, day: number) => ({
      id,
      scope: { services },
      createdAt: new Date(Date.UTC(2026, 0, day)),
    });
    const ranked = [
      one('d', null, 1),
      one('c', ['svc_a'], 3),
      one('b', ['svc_a'], 2),
      one('a', ['svc_b'], 3),
    ].toSorted(byDrawOrder);
    expect(ranked.map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd']);
  });

  test.each([
    ['2026-01', null, 'upcoming'],
    ['2026-02', null, 'active'],
    ['2027-01', null, 'active'],
    ['2027-02', null, 'ended'],
    ['2026-05', ended('2026-05', 'none'), 'active'],
    ['2026-06', ended('2026-05', 'none'), 'ended'],
    ['2025-12', ended('2026-01', 'none'), 'ended'],
  ] as const)('in %s with %j it is %s', (now, early, state) => {
    expect(commitmentState(terms({ ended: early }), month(now))).toBe(state);
  });
});

describe('T-CMT: the forecast of a running period', () => {
  type Case = {
    readonly now: string;
    readonly draws?: readonly (readonly [string, number])[];
    readonly planned?: number;
    readonly rest?: Partial<CommitmentTerms>;
  };
  const at = ({ now, draws = [], planned = 0, rest = {} }: Case) => {
    const made = terms({
      period: 'year',
      amounts: [1200n],
      startsOn: month('2026-01'),
      ...rest,
    });
    const found = outlook({
      period: required(periodOf(made, month(now)), 'the period'),
      startsOn: made.startsOn,
      now: month(now),
      draws: draws.map(([text, drawn]) => ({ month: month(text), drawn: BigInt(drawn) })),
      planned: BigInt(planned),
    });
    return [Number(found.used), Number(found.expected), Number(found.trueUp), found.risk];
  };
  test.each<[string, Case, (number | string)[]]>([
    ['nothing is known at the start', { now: '2026-01' }, [0, 0, 1200, 'behind']],
    ['the first month’s plan sets the rate', { now: '2026-01', planned: 100 }, [100, 1200, 0, 'on_track']],
    [
      'a full month at 50, the running one at least at its plan',
      { now: '2026-02', draws: [['2026-01', 50]], planned: 80 },
      [130, 630, 570, 'behind'],
    ],
    [
      'or the current rate when less was used so far',
      { now: '2026-02', draws: [['2026-01', 50]], planned: 10 },
      [60, 600, 600, 'behind'],
    ],
    [
      'only the last three full months count',
      {
        now: '2026-05',
        draws: [
          ['2026-01', 0],
          ['2026-02', 90],
          ['2026-03', 100],
          ['2026-04', 111],
        ],
      },
      // 301 used and 8 × 301 / 3 = 802.67
      [301, 1104, 96, 'behind'],
    ],
    [
      'two bills of one month, and a month without one, which counts as zero',
      {
        now: '2026-04',
        draws: [
          ['2026-01', 200],
          ['2026-01', 10],
          ['2026-03', 90],
        ],
      },
      [300, 1200, 0, 'on_track'],
    ],
    [
      'a past, unbilled month is open: its plan and the running month’s count together',
      { now: '2026-03', draws: [['2026-01', 60]], planned: 150 },
      [210, 750, 450, 'behind'],
    ],
    [
      'used up before the last month begins',
      { now: '2026-06', draws: [['2026-05', 600]] },
      // five months, three of which count: 200 a month
      [600, 1200, 0, 'over'],
    ],
    [
      'already used up',
      { now: '2026-12', draws: [['2026-11', 1000]], planned: 300 },
      [1200, 1200, 0, 'over'],
    ],
    [
      'used up with the last month, exactly as committed',
      { now: '2026-12', draws: [['2026-11', 900]], planned: 100 },
      [1000, 1200, 0, 'on_track'],
    ],
    [
      'a refund does not make the rate negative',
      {
        now: '2026-03',
        draws: [
          ['2026-01', 50],
          ['2026-02', -50],
        ],
      },
      [0, 0, 1200, 'behind'],
    ],
    [
      'an earlier period sets the rate of a new one',
      {
        now: '2026-04',
        draws: [
          ['2026-01', 40],
          ['2026-02', 40],
          ['2026-03', 40],
        ],
        rest: { period: 'quarter', amounts: [100n, 100n, 100n, 100n] },
      },
      [0, 100, 0, 'on_track'],
    ],
    [
      'an early end without a settlement charges nothing',
      { now: '2026-02', planned: 10, rest: { ended: ended('2026-02', 'none') } },
      [10, 10, 0, 'on_track'],
    ],
    [
      'one that settles everything charges more than the period’s amount',
      {
        now: '2026-03',
        planned: 100,
        rest: {
          period: 'quarter',
          amounts: [100n, 100n, 100n, 100n],
          ended: ended('2026-03', 'all'),
        },
      },
      [100, 100, 300, 'behind'],
    ],
  ])('%s', (_name, given, expected) => {
    expect(at(given)).toEqual(expected);
  });

  test('is never below the use, nor above the amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 11 }),
        fc.array(fc.integer({ min: -50, max: 300 }), { maxLength: 11 }),
        fc.integer({ min: 0, max: 2000 }),
        (running, drawn, planned) => {
          const now = addMonths(month('2026-01'), running);
          const [used, expected, trueUp] = at({
            now,
            draws: drawn
              .slice(0, running)
              .map((each, index) => [addMonths(month('2026-01'), index), each] as const),
            planned,
          });
          expect(Number(used)).toBeLessThanOrEqual(Math.max(Number(expected), 0));
          expect(expected).toBeLessThanOrEqual(1200);
          expect(trueUp).toBe(1200 - Number(expected));
        },
      ),
    );
  });
});

describe('T-CMT: the early end of a commitment', () => {
  const standing = (rest: Partial<Parameters<typeof earliestEnd>[0]> = {}) => ({
    terms: terms(),
    current: month('2026-06'),
    lastBilled: undefined,
    ...rest,
  });
  test.each<[string, Partial<Parameters<typeof earliestEnd>[0]>, string | null]>([
    ['the month before the running one, whose bill may not be issued', {}, '2026-05'],
    ['the running month when the previous one is billed', { lastBilled: month('2026-05') }, '2026-06'],
    ['the month before it begins', { current: month('2025-11') }, '2026-01'],
    ['no month in its last month', { current: month('2027-02'), terms: terms() }, null],
    ['its second to last month', { current: month('2027-01') }, '2026-12'],
    ['no month after its end', { terms: terms({ ended: ended('2026-09', 'none') }) }, null],
  ])('with %s at the earliest', (_name, rest, expected) => {
    expect(earliestEnd(standing(rest))).toBe(expected);
  });

  test('the offered months are those that are accepted', () => {
    for (const current of monthsFrom('2025-10', 20))
      for (const lastBilled of [undefined, ...monthsFrom('2026-02', 14)]) {
        const given = standing({ current, lastBilled });
        const earliest = earliestEnd(given);
        for (const lastMonth of monthsFrom('2025-10', 20)) {
          const isOffered = earliest !== null && lastMonth >= earliest && lastMonth < '2027-01';
          expect(endMistake(given, { lastMonth, settlement: 'none' }) === undefined).toBe(isOffered);
        }
      }
  });
});

describe('T-CMT: rates', () => {
  test.each([
    ['80', '100', true],
    ['0.0001', '100', true],
    ['100', '100', true],
    ['100.0001', '100', false],
    ['0', '100', false],
    ['33.33333', '100', false],
    ['33.33330', '100', true],
    ['1000', '1000', true],
  ])('%s of at most %s: %s', (text, max, isAllowed) => {
    expect(isRate(text, max)).toBe(isAllowed);
  });
});
