import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { evenTerms, instalmentStatesOf, partsOfBills, planMistake } from './rules.ts';

const twd = (minor: number | bigint) => money(BigInt(minor), 'TWD');
const day = (number: number) => `2026-12-${String(number).padStart(2, '0')}` as LocalDay;
const terms = (...amounts: number[]) =>
  amounts.map((amount, index) => ({ on: day(index + 1), amount: twd(amount) }));

describe('T-PLAN: instalments', () => {
  it('add up exactly, are in order of days, and begin today at the earliest; each error is at its field', () => {
    expect(planMistake(terms(400, 350, 300), twd(1050), day(1))).toBeUndefined();
    expect(planMistake(terms(400, 350, 299), twd(1050), day(1))).toEqual({
      field: 'instalments',
      code: 'plans.sum_differs',
    });
    expect(planMistake(terms(400, 650), twd(1050), day(2))).toEqual({
      field: 'instalments.0.on',
      code: 'plans.day_past',
    });
    expect(planMistake(terms(1050, 0), twd(1050), day(1))?.field).toBe('instalments.1.amount');
    expect(planMistake([...terms(50), { on: day(1), amount: twd(1000) }], twd(1050), day(1))).toEqual({
      field: 'instalments.1.on',
      code: 'plans.days_not_rising',
    });
    expect(planMistake([{ on: day(1), amount: money(1050n, 'USD') }], twd(1050), day(1))?.code).toBe(
      'plans.other_currency',
    );
  });

  it('of several bills pay the first completely before the next', () => {
    expect(partsOfBills([1050n, 1050n], terms(700, 700, 700))).toEqual([
      [
        { position: 1, on: day(1), minor: 700n },
        { position: 2, on: day(2), minor: 350n },
      ],
      [
        { position: 2, on: day(2), minor: 350n },
        { position: 3, on: day(3), minor: 700n },
      ],
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 12 }),
        (dues, count) => {
          const due = dues.reduce((a, b) => a + b, 0n);
          const days = Array.from({ length: count }, (_, index) => day(index + 1));
          const even = evenTerms(twd(due), days).filter(({ amount }) => amount.minor > 0n);
          const parts = partsOfBills(dues, even);
          expect(parts.map((each) => each.reduce((sum, { minor }) => sum + minor, 0n))).toEqual(dues);
          for (const [index, { amount }] of even.entries())
            expect(
              parts
                .flat()
                .filter(({ position }) => position === index + 1)
                .reduce((sum, { minor }) => sum + minor, 0n),
            ).toBe(amount.minor);
        },
      ),
    );
  });

  it('of equal amounts differ by at most a minor unit', () => {
    expect(evenTerms(twd(1000), [day(1), day(2), day(3)]).map(({ amount }) => amount.minor)).toEqual([
      334n,
      333n,
      333n,
    ]);
  });

  it('are paid, due, missed, later, or shortened from the end by a credit note', () => {
    const of = (rests: number[], credited: number, today: number) =>
      instalmentStatesOf(
        rests.map((rest, index) => ({ on: day(index + 5), minor: 100n, rest: BigInt(rest) })),
        BigInt(credited),
        day(today),
      );
    expect(of([0, 60, 100, 100], 0, 6)).toEqual(['paid', 'due', 'later', 'later']);
    expect(of([0, 60, 100, 100], 0, 7)).toEqual(['paid', 'missed', 'later', 'later']);
    expect(of([0, 100, 50, 0], 150, 6)).toEqual(['paid', 'due', 'later', 'shortened']);
  });
});
