import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import type { CurrencyTerms } from './contract.ts';
import {
  feeOfSteps,
  feeOfStretches,
  lastOfMonthBefore,
  lateStretches,
  stretchesAfter,
  termsMistake,
  type FeeTerms,
  type LateBill,
} from './rules.ts';

const day = (text: string) => text as LocalDay;
const dueOn = day('2026-10-10');
const bill = (more: Partial<LateBill> = {}): LateBill => ({
  total: 1050n,
  dueOn,
  changes: [],
  plans: [],
  free: [],
  ...more,
});
const terms = (more: Partial<FeeTerms> = {}): FeeTerms => ({
  percent: '5',
  fixed: 0n,
  minimum: 0n,
  cap: null,
  ...more,
});
const short = (late: LateBill, grace = 0, through = day('2026-10-31')) =>
  lateStretches(late, grace, through).map(
    ({ from, until, days, minor }) => `${from.slice(5)} ${until.slice(5)} ${days} × ${minor}`,
  );

describe('T-FEE: late days', () => {
  it('begin after the due date and the grace period, and end with the last complete day', () => {
    expect(short(bill())).toEqual(['10-11 10-31 21 × 1050']);
    expect(short(bill(), 3)).toEqual(['10-14 10-31 18 × 1050']);
    expect(short(bill(), 0, day('2026-10-10'))).toEqual([]);
  });

  it('cost what is due at their end: nothing on a day of full payment, but something when it was reversed', () => {
    const changes = [
      { on: day('2026-10-05'), paid: 50n, credited: 0n },
      { on: day('2026-10-15'), paid: 450n, credited: 100n },
      { on: day('2026-10-20'), paid: 950n, credited: 100n },
      { on: day('2026-10-25'), paid: 450n, credited: 100n },
    ];
    expect(short(bill({ changes }))).toEqual([
      '10-11 10-14 4 × 1000',
      '10-15 10-19 5 × 500',
      '10-25 10-31 7 × 500',
    ]);
  });

  it('exclude granted extensions, disputes and times with late fees off', () => {
    const free = [
      { from: day('2026-10-12'), until: day('2026-10-15') },
      { from: day('2026-10-30'), until: null },
    ];
    expect(short(bill({ free }))).toEqual(['10-11 10-11 1 × 1050', '10-15 10-29 15 × 1050']);
  });

  it('of a plan cost only missed instalments, from the day after each; an ended plan leaves everything due', () => {
    const plans = [
      {
        from: day('2026-10-12'),
        until: day('2026-10-25'),
        parts: [
          { on: day('2026-10-14'), from: 0n, until: 500n },
          { on: day('2026-10-18'), from: 500n, until: 800n },
          { on: day('2026-11-18'), from: 800n, until: 1050n },
        ],
      },
    ];
    const kept = [
      { on: day('2026-10-14'), paid: 500n, credited: 0n },
      { on: day('2026-10-18'), paid: 800n, credited: 0n },
    ];
    expect(short(bill({ plans, changes: kept }), 0, day('2026-10-24'))).toEqual(['10-11 10-11 1 × 1050']);
    expect(short(bill({ plans, changes: [{ on: day('2026-10-14'), paid: 500n, credited: 0n }] }))).toEqual([
      '10-11 10-11 1 × 1050',
      '10-19 10-24 6 × 300',
      '10-25 10-31 7 × 550',
    ]);
  });
});

describe('T-FEE: amounts', () => {
  it('are amount × days × percent ÷ 365, rounded once, half away from zero', () => {
    // 1,050 × 21 × 5 % ÷ 365 = 3.0205…
    expect(feeOfStretches(terms(), [{ days: 21, minor: 1050n }])).toBe(3n);
    // 3,650 × 1 × 5 % ÷ 365 = 0.5 exactly.
    expect(feeOfStretches(terms(), [{ days: 1, minor: 3650n }])).toBe(1n);
    expect(feeOfStretches(terms({ percent: '4.9999' }), [{ days: 1, minor: 3650n }])).toBe(0n);
    // Two halves are one, not two.
    expect(
      feeOfStretches(terms(), [
        { days: 1, minor: 3650n },
        { days: 1, minor: 3650n },
      ]),
    ).toBe(1n);
  });

  it('are zero below the minimum, and at most the cap', () => {
    const late = [{ days: 100, minor: 36_500n }];
    expect(feeOfStretches(terms(), late)).toBe(500n);
    expect(feeOfStretches(terms({ minimum: 500n }), late)).toBe(500n);
    expect(feeOfStretches(terms({ minimum: 501n }), late)).toBe(0n);
    expect(feeOfStretches(terms({ cap: 499n }), late)).toBe(499n);
    expect(feeOfSteps(terms({ fixed: 300n }), 3)).toBe(900n);
    expect(feeOfSteps(terms({ fixed: 300n, cap: 700n }), 3)).toBe(700n);
  });

  it('add up to the fee of the whole time, however often they are charged and whatever is paid in between', () => {
    const amount = fc.bigInt(0n, 10_000_000n);
    fc.assert(
      fc.property(
        fc.record({
          total: fc.bigInt(1n, 10_000_000n),
          payments: fc.array(fc.tuple(fc.nat(200), amount), { maxLength: 6 }),
          free: fc.array(fc.tuple(fc.nat(200), fc.nat(30)), { maxLength: 2 }),
          runs: fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 12 }),
          percent: fc.bigInt(1n, 1_000_000n),
          minimum: fc.bigInt(0n, 2000n),
          cap: fc.option(fc.bigInt(2000n, 100_000n)),
          grace: fc.nat(10),
        }),
        ({ total, payments, free, runs, percent, minimum, cap, grace }) => {
          const late = bill({
            total,
            changes: payments
              .toSorted(([a], [b]) => a - b)
              .map(([after, paid]) => ({ on: addDays(dueOn, after), paid, credited: 0n })),
            free: free.map(([from, days]) => ({
              from: addDays(dueOn, from),
              until: addDays(dueOn, from + days),
            })),
          });
          const text = `${percent / 10_000n}.${String(percent % 10_000n).padStart(4, '0')}`;
          const by = terms({ percent: text, minimum, cap });
          const feeThrough = (after: number) =>
            feeOfStretches(by, lateStretches(late, grace, addDays(dueOn, after)));
          let charged = 0n;
          for (const run of runs.toSorted((a, b) => a - b)) {
            const made = feeThrough(run) - charged;
            // An earlier charge is never too much later.
            expect(made >= 0n).toBe(true);
            charged += made;
          }
          expect(charged).toBe(feeThrough(Math.max(...runs)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are explained by the days since the last charge, each once', () => {
    const all = lateStretches(bill(), 0, day('2026-11-30'));
    expect(stretchesAfter(all, day('2026-10-31'))).toEqual([
      { from: '2026-11-01', until: '2026-11-30', days: 30, minor: 1050n },
    ]);
    expect(stretchesAfter(all, day('2026-11-30'))).toEqual([]);
    expect(lastOfMonthBefore(day('2026-03-01'))).toBe('2026-02-28');
  });
});

describe('T-FEE: terms', () => {
  const twd = (minor: number) => money(BigInt(minor), 'TWD');
  const row = (more: Partial<CurrencyTerms> = {}): CurrencyTerms => ({
    currency: 'TWD',
    percent: '5',
    fixed: null,
    minimum: twd(0),
    cap: null,
    ...more,
  });
  const mistake = (...currencies: CurrencyTerms[]) =>
    termsMistake({ graceDays: 3, taxedAs: 'standard', currencies });

  it('report errors at their fields', () => {
    expect(mistake(row())).toBeUndefined();
    expect(mistake(row(), row())).toEqual({
      field: 'terms.currencies.1.currency',
      code: 'latefees.currency_twice',
    });
    expect(mistake(row({ percent: null }))?.code).toBe('latefees.one_way');
    expect(mistake(row({ fixed: twd(1) }))?.code).toBe('latefees.one_way');
    for (const percent of ['0', '100.1', '-1', '5e1', '1.23456', '']) {
      expect(mistake(row({ percent }))?.code).toBe('latefees.percent_wrong');
    }
    expect(mistake(row({ percent: null, fixed: twd(0) }))?.code).toBe('latefees.amount_wrong');
    expect(mistake(row({ minimum: money(1n, 'USD') }))?.code).toBe('latefees.other_currency');
    expect(mistake(row({ minimum: twd(10), cap: twd(9) }))?.field).toBe('terms.currencies.0.cap');
  });
});
