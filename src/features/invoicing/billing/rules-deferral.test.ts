// Fees billed in advance: split by month, exactly, and reversed if they are not revenue yet (decisions 0070
// and 0127).
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import {
  bothDeferred,
  deferralKey,
  deferredParts,
  deferredSum,
  recognitionEntries,
  splitByMonth,
  takenParts,
  withParts,
  type DeferredOf,
  type DeferredPart,
} from './rules-deferral.ts';
import type { PlannedBillLine } from './rules-late.ts';

const month = (text: string) => text as BillingMonth;
const quarter = [
  { month: month('2026-10'), units: 31, whole: 31 },
  { month: month('2026-11'), units: 30, whole: 30 },
  { month: month('2026-12'), units: 31, whole: 31 },
];
const line = (amount: bigint, more: Partial<PlannedBillLine> = {}): PlannedBillLine => ({
  kind: 'base_fee',
  subscriptionId: 'sub_1',
  serviceId: 'svc_1',
  serviceName: 'S',
  priceVersionId: 'prv_1',
  quantity: '1',
  unit: 'quarter',
  unitPrice: null,
  exact: decimal(String(amount)),
  amount: money(amount, 'TWD'),
  steps: [],
  forMonth: null,
  ...more,
});
const share = (position: number, amount: bigint): PlannedBillLine =>
  line(-amount, {
    kind: 'discount',
    term: {
      id: 'rdm_1' as Id<'rdm'>,
      name: { zhTW: 'x', enUS: 'x' },
      shares: [{ lineId: String(position), amount: money(amount, 'TWD') }],
    },
  });
const shown = (parts: readonly DeferredPart[]) =>
  parts.map(({ position, month: of, minor }) => `${position} ${of} ${minor}`);

describe('T-DEFER: splitting an amount by months', () => {
  const thousands = (count: number): bigint[] => Array.from({ length: count }, () => 1000n);
  const months = (given: readonly (readonly [units: number, whole: number])[]) =>
    given.map(([units, whole], index) => ({ month: addMonths(month('2026-10'), index), units, whole }));
  const year = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days) => [days, days] as const);
  it.each<[string, bigint, readonly (readonly [number, number])[], bigint[]]>([
    ['12,000 for a year are 1,000 a month', 12_000n, year, thousands(12)],
    // 36,500 / 12 = 3,041.67; eleven times 3,041 are 33,451.
    ['the last takes the remainder', 36_500n, year, [...Array.from({ length: 11 }, () => 3041n), 3049n]],
    // January has 17 of 31 days, 548.39; the January after 14, 451.61; together they are one month.
    ['from the 15th on', 12_000n, [[17, 31], ...year.slice(1), [14, 31]], [548n, ...thousands(11), 452n]],
    // 14/28 + 11 + 14/29 are 11.9828 months of 1,001.44: 500.72, eleven times 1,001.44, and 483.45 with the
    // remainder of the others.
    [
      'from the 15th of February to that of a leap year',
      12_000n,
      [[14, 28], ...year.filter((_days, index) => index !== 1), [14, 29]],
      [500n, ...Array.from({ length: 11 }, () => 1001n), 489n],
    ],
    [
      'whatever the lengths of whole months',
      100n,
      [
        [31, 31],
        [28, 28],
        [31, 31],
      ],
      [33n, 33n, 34n],
    ],
    [
      'by seconds',
      300n,
      [
        [86_400, 2_678_400],
        [2_419_200, 2_419_200],
      ],
      [9n, 291n],
    ],
    [
      'a negative amount like a positive one',
      -100n,
      [
        [31, 31],
        [30, 30],
        [31, 31],
      ],
      [-33n, -33n, -34n],
    ],
    [
      'less than one unit per month',
      1n,
      [
        [30, 30],
        [31, 31],
        [30, 30],
      ],
      [0n, 0n, 1n],
    ],
    [
      'nothing',
      0n,
      [
        [30, 30],
        [31, 31],
      ],
      [0n, 0n],
    ],
    ['all in one month', 999n, [[17, 31]], [999n]],
    ['no month', 0n, [], []],
  ])('%s', (_name, amount, given, expected) => {
    expect(splitByMonth(amount, months(given))).toEqual(expected);
  });

  test('the parts add up to the amount and have its sign; each except the last is its share rounded down', () => {
    const anyMonth = fc
      .integer({ min: 28, max: 31 })
      .chain((whole) => fc.tuple(fc.integer({ min: 1, max: whole }), fc.constant(whole)));
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n), 10n ** 15n),
        fc.array(anyMonth, { minLength: 1, maxLength: 13 }),
        (amount, given) => {
          const parts = splitByMonth(amount, months(given));
          expect(deferredSum(parts.map((minor) => ({ minor })))).toBe(amount);
          // 28 x 29 x 30 x 31 days make every length of a month a whole number.
          const common = 755_160n;
          const weights = given.map(([units, whole]) => (BigInt(units) * common) / BigInt(whole));
          const sum = weights.reduce((so, weight) => so + weight, 0n);
          for (const [index, part] of parts.entries()) {
            expect(part === 0n || part > 0n === amount > 0n).toBe(true);
            const share = amount * (weights[index] ?? 0n);
            const off = (share - part * sum) * (amount < 0n ? -1n : 1n);
            if (index < parts.length - 1) expect(off >= 0n && off < sum).toBe(true);
            else expect(off <= 0n && off > -sum * BigInt(parts.length)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('T-DEFER: the deferred part of a bill', () => {
  const october = month('2026-10');
  test('is for later months than the bill’s, net of discounts', () => {
    expect(
      shown(deferredParts(october, [line(5n), line(1000n, { covers: quarter }), share(2, 80n)])),
    ).toEqual(['2 2026-11 306', '2 2026-12 308']);
  });
  test('is zero for lines of one month, and excludes the bill’s own month', () => {
    expect(deferredParts(october, [line(1000n), share(1, 10n)])).toEqual([]);
    expect(
      deferredParts(month('2026-12'), [line(-310n, { kind: 'credit', covers: quarter.slice(2) })]),
    ).toEqual([]);
  });
  test('is zero for a line with a full discount', () => {
    expect(deferredParts(october, [line(1000n, { covers: quarter }), share(1, 1000n)])).toEqual([]);
  });
  test('never exceeds the rest of any line, and equals it together with the own month', () => {
    const anyLine = fc.record({
      amount: fc.bigInt(-10_000n, 10_000n),
      part: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 6 }), (given) => {
        const fees = given.map(({ amount }) => line(amount, { covers: quarter }));
        const taken = given.map(({ amount, part }) => (amount * BigInt(part)) / 100n);
        const parts = deferredParts(october, [
          ...fees,
          ...taken.flatMap((amount, index) => (amount === 0n ? [] : [share(index + 1, amount)])),
        ]);
        for (const [index, { amount }] of given.entries()) {
          const left = amount - (taken[index] ?? 0n);
          const own = parts.filter(({ position }) => position === index + 1);
          const [now = 0n] = splitByMonth(left, quarter);
          expect(deferredSum(own) + now).toBe(left);
        }
      }),
    );
  });
});

describe('T-DEFER: returning months charged by earlier bills', () => {
  const november = month('2026-11');
  const key = deferralKey({ subscriptionId: 'sub_1', chargeKey: '', currency: 'TWD' });
  const has = (months: Record<string, bigint>): DeferredOf =>
    new Map([[key, new Map(Object.entries(months).map(([of, minor]) => [month(of), minor]))]]);
  /** Ends in November: 20 days of it and all of December are returned. */
  const ending = (amount: bigint, more: Partial<PlannedBillLine> = {}) =>
    line(-amount, {
      kind: 'credit',
      covers: [{ month: november, units: 20, whole: 30 }, ...quarter.slice(2)],
      ...more,
    });
  const fee = (amount: bigint) => line(amount, { covers: ending(0n).covers ?? [] });
  const paused = (amount: bigint, more: Partial<PlannedBillLine> = {}) =>
    line(-amount, { kind: 'credit', covers: quarter.slice(1, 2), isOfIdleMonth: true, ...more });
  const rows: readonly [string, PlannedBillLine[], Record<string, bigint>, string[]][] = [
    [
      'an ending takes all of later months, if it gives back more',
      [ending(500n)],
      { '2026-12': 300n },
      ['1 2026-12 -300'],
    ],
    [
      'and if it gives back less',
      [ending(200n)],
      { '2026-12': 300n, '2027-01': 310n },
      ['1 2027-01 -310', '1 2026-12 -300'],
    ],
    ['nothing where it was revenue at once', [ending(500n)], {}, []],
    ['nothing of the ending’s own month', [ending(500n)], { '2026-11': 300n }, []],
    ['nothing of what is below zero already', [ending(500n)], { '2026-12': -5n }, []],
    ['once, whatever the lines', [ending(50n), ending(50n)], { '2026-12': 300n }, ['1 2026-12 -300']],
    [
      'a change takes what was there, not what follows it',
      [ending(500n), fee(1000n)],
      { '2026-12': 300n },
      // The fee is for 20/30 and a whole month: of 1,000 November has 400.
      ['1 2026-12 -300', '2 2026-12 600'],
    ],
    [
      'a second change within the month takes what the first one brought',
      [ending(500n), fee(1000n), ending(900n), fee(2000n)],
      { '2026-12': 300n },
      ['1 2026-12 -300', '2 2026-12 600', '3 2026-12 -600', '4 2026-12 1200'],
    ],
    ['of another subscription nothing', [ending(500n, { subscriptionId: 'sub_2' })], { '2026-12': 300n }, []],
    [
      'of another charge nothing',
      [ending(500n, { charge: { key: 'support', name: { zhTW: 'x', enUS: 'x' } } })],
      { '2026-12': 300n },
      [],
    ],
    [
      'a paused month that gives back more than it has takes the rest of the last',
      [paused(320n)],
      { '2026-11': 300n, '2026-12': 300n, '2027-01': 300n },
      ['1 2027-01 -20'],
    ],
    [
      'of the ones before where the last has less',
      [paused(500n)],
      { '2026-11': 300n, '2026-12': 150n, '2027-01': 100n },
      ['1 2027-01 -100', '1 2026-12 -100'],
    ],
    ['no more than there is', [paused(500n)], { '2026-11': 300n, '2026-12': 150n }, ['1 2026-12 -150']],
    [
      'a paused month that gives back less leaves the rest to the last',
      [paused(280n)],
      { '2026-11': 300n, '2026-12': 300n, '2027-01': 300n },
      ['1 2027-01 20'],
    ],
    ['there is no later month: it stays', [paused(280n)], { '2026-11': 300n }, []],
    ['just what it has', [paused(300n)], { '2026-11': 300n, '2026-12': 300n }, []],
    ['nothing where all was revenue at once', [paused(300n)], {}, []],
    ['a month whose part is too small to be one', [paused(1n)], { '2026-12': 3n }, ['1 2026-12 -1']],
    [
      'a month that was served in part keeps what differs',
      [line(-100n, { kind: 'credit', covers: quarter.slice(1, 2) })],
      { '2026-11': 300n, '2026-12': 300n },
      [],
    ],
    [
      'a month whose fee is on the same bill, too',
      [fee(1000n), paused(420n)],
      {},
      ['1 2026-12 600', '2 2026-12 -20'],
    ],
  ];
  it.each(rows)('%s', (_name, lines, there, expected) => {
    expect(shown(deferredParts(november, lines, has(there)))).toEqual(expected);
  });

  test('parts of planned bills are added to those of bills', () => {
    const lines = [fee(1000n)];
    const planned = withParts(new Map(), lines, deferredParts(november, lines));
    expect([...(bothDeferred(has({ '2026-12': 5n, '2027-01': 7n }), planned).get(key) ?? [])]).toEqual([
      ['2026-12', 605n],
      ['2027-01', 7n],
    ]);
  });
});

describe('T-DEFER: reversing deferred revenue first', () => {
  const open: DeferredPart[] = [
    { position: 1, month: month('2026-11'), minor: 300n },
    { position: 1, month: month('2026-12'), minor: 310n },
    { position: 2, month: month('2026-12'), minor: -50n },
  ];
  it.each<[string, { position: number; net: bigint }[], string[]]>([
    ['the latest month first', [{ position: 1, net: 400n }], ['1 2026-12 310', '1 2026-11 90']],
    [
      'at most the deferred amount; the rest was revenue',
      [{ position: 1, net: 5000n }],
      ['1 2026-12 310', '1 2026-11 300'],
    ],
    ['a returning part: also negative', [{ position: 2, net: -20n }], ['2 2026-12 -20']],
    ['a line without later months', [{ position: 3, net: 100n }], []],
    ['zero', [{ position: 1, net: 0n }], []],
  ])('%s', (_name, taken, expected) => {
    expect(shown(takenParts(open, taken))).toEqual(expected);
  });

  test('in any steps never takes more than a month has, and takes deferred amounts first', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 300n), { maxLength: 8 }), (steps) => {
        let left: readonly DeferredPart[] = open.slice(0, 2);
        let credited = 0n;
        for (const net of steps) {
          const taken = takenParts(left, [{ position: 1, net }]);
          const before = deferredSum(left);
          expect(deferredSum(taken)).toBe(net < before ? net : before);
          left = left.map((part) => ({
            ...part,
            minor: part.minor - deferredSum(taken.filter((each) => each.month === part.month)),
          }));
          credited += net;
          for (const part of left) expect(part.minor >= 0n).toBe(true);
          expect(deferredSum(left)).toBe(credited > 610n ? 0n : 610n - credited);
        }
      }),
    );
  });

  test('the entry for a past month debits deferred revenue and credits revenue; none for zero', () => {
    expect(
      recognitionEntries('org_1', 'TWD', 310n).map(({ account, minor }) => [account.kind, minor]),
    ).toEqual([
      ['deferred_revenue', 310n],
      ['revenue', -310n],
    ]);
    expect(recognitionEntries('org_1', 'TWD', 0n)).toEqual([]);
  });
});
