// Fees that are billed in advance: split by the days of months, exactly, and taken back where they are no revenue yet (decision 0070).
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import {
  deferredParts,
  deferredSum,
  recognitionEntries,
  splitByMonth,
  takenParts,
  withinOpen,
  type DeferredPart,
} from './rules-deferral.ts';
import type { PlannedBillLine } from './rules-late.ts';

const month = (text: string) => text as BillingMonth;
const quarter = [
  { month: month('2026-10'), units: 31 },
  { month: month('2026-11'), units: 30 },
  { month: month('2026-12'), units: 31 },
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

describe('T-DEFER: an amount by the days of months', () => {
  it.each<[string, bigint, number[], bigint[]]>([
    ['in proportion', 920n, [31, 30, 31], [310n, 300n, 310n]],
    ['the largest remainder first', 100n, [31, 30, 31], [34n, 32n, 34n]],
    ['of equal remainders the earlier month', 10n, [1, 1, 1], [4n, 3n, 3n]],
    ['below zero as above', -100n, [31, 30, 31], [-34n, -32n, -34n]],
    ['less than there are months', 1n, [30, 31, 30], [0n, 1n, 0n]],
    ['nothing', 0n, [30, 31], [0n, 0n]],
    ['all in one month', 999n, [17], [999n]],
  ])('%s', (_name, amount, units, expected) => {
    const months = units.map((count, index) => ({ month: addMonths(month('2026-10'), index), units: count }));
    expect(splitByMonth(amount, months)).toEqual(expected);
  });

  test('the parts add up to it, have its sign, and none is a whole unit off its share', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n), 10n ** 15n),
        fc.array(fc.integer({ min: 1, max: 31_622_400 }), { minLength: 1, maxLength: 13 }),
        (amount, units) => {
          const months = units.map((count, index) => ({
            month: addMonths(month('2026-10'), index),
            units: count,
          }));
          const parts = splitByMonth(amount, months);
          const whole = BigInt(units.reduce((sum, count) => sum + count, 0));
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount);
          for (const [index, part] of parts.entries()) {
            expect(part === 0n || part > 0n === amount > 0n).toBe(true);
            const off = part * whole - amount * BigInt(units[index] ?? 0);
            expect(off < whole && off > -whole).toBe(true);
          }
        },
      ),
    );
  });
});

describe('T-DEFER: what of a bill is for later months', () => {
  const october = month('2026-10');
  test('the months after the bill’s, of what a discount leaves of the line', () => {
    expect(
      shown(deferredParts(october, [line(5n), line(1000n, { covers: quarter }), share(2, 80n)])),
    ).toEqual(['2 2026-11 300', '2 2026-12 310']);
  });
  test('nothing for lines of one month, and for what is left of the bill’s own', () => {
    expect(deferredParts(october, [line(1000n), share(1, 10n)])).toEqual([]);
    expect(
      deferredParts(month('2026-12'), [line(-310n, { kind: 'credit', covers: quarter.slice(2) })]),
    ).toEqual([]);
  });
  test('what gives back later months is below zero', () => {
    expect(
      shown(deferredParts(month('2026-11'), [line(-400n, { kind: 'credit', covers: quarter.slice(1) })])),
    ).toEqual(['1 2026-12 -203']);
  });
  test('a line that a discount takes wholly has nothing for later months', () => {
    expect(deferredParts(october, [line(1000n, { covers: quarter }), share(1, 1000n)])).toEqual([]);
  });
  test('for any lines and shares: no more than what is left of each line, and with the bill’s own month just that', () => {
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

describe('T-DEFER: what gives back months that an earlier bill charged', () => {
  const part = (minor: bigint, of = '2026-12', position = 1): DeferredPart => ({
    position,
    month: month(of),
    minor,
  });
  it.each<[string, DeferredPart[], Record<string, bigint>, string[]]>([
    ['as much as is deferred', [part(-50n)], { '2026-12': 300n }, ['1 2026-12 -50']],
    ['no more than is deferred', [part(-50n)], { '2026-12': 20n }, ['1 2026-12 -20']],
    ['nothing where it was revenue at once', [part(-50n)], {}, []],
    ['nothing of what is below zero already', [part(-50n)], { '2026-12': -5n }, []],
    ['of what the same bill defers', [part(30n), part(-50n)], {}, ['1 2026-12 30', '1 2026-12 -30']],
    [
      'once, whatever the lines',
      [part(-50n), part(-50n)],
      { '2026-12': 70n },
      ['1 2026-12 -50', '1 2026-12 -20'],
    ],
    ['month by month', [part(-50n), part(-50n, '2027-01')], { '2027-01': 50n }, ['1 2027-01 -50']],
  ])('%s', (_name, parts, open, expected) => {
    expect(shown(withinOpen(parts, (each) => each.month, new Map(Object.entries(open))))).toEqual(expected);
  });
});

describe('T-DEFER: what is taken back of what is no revenue yet', () => {
  const open: DeferredPart[] = [
    { position: 1, month: month('2026-11'), minor: 300n },
    { position: 1, month: month('2026-12'), minor: 310n },
    { position: 2, month: month('2026-12'), minor: -50n },
  ];
  it.each<[string, { position: number; net: bigint }[], string[]]>([
    ['the latest month first', [{ position: 1, net: 400n }], ['1 2026-12 310', '1 2026-11 90']],
    [
      'no more than there is; the rest was revenue',
      [{ position: 1, net: 5000n }],
      ['1 2026-12 310', '1 2026-11 300'],
    ],
    ['of what gives back: below zero, too', [{ position: 2, net: -20n }], ['2 2026-12 -20']],
    ['nothing of a line without later months', [{ position: 3, net: 100n }], []],
    ['nothing of nothing', [{ position: 1, net: 0n }], []],
  ])('%s', (_name, taken, expected) => {
    expect(shown(takenParts(open, taken))).toEqual(expected);
  });

  test('whatever is taken in whatever steps: never more than a month has, and first what is no revenue yet', () => {
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

  test('a month that is over: debit what is owed as service, credit revenue; nothing for nothing', () => {
    expect(
      recognitionEntries('org_1', 'TWD', 310n).map(({ account, minor }) => [account.kind, minor]),
    ).toEqual([
      ['deferred_revenue', 310n],
      ['revenue', -310n],
    ]);
    expect(recognitionEntries('org_1', 'TWD', 0n)).toEqual([]);
  });
});
