// The months of the minimum monthly spend.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { lastMonthMistake, minimumState, newMonthsMistake, overlap, type Months } from './rules-minimums.ts';

const m = (text: string) => text as BillingMonth;
const of = (fromMonth: string, toMonth: string | null = null): Months => ({
  fromMonth: m(fromMonth),
  toMonth: toMonth === null ? null : m(toMonth),
});
const current = m('2026-10');

describe('T-ONEOFF: a minimum monthly spend', () => {
  it.each([
    [of('2026-11'), 'upcoming'],
    [of('2026-10'), 'running'],
    [of('2025-01', '2026-10'), 'running'],
    [of('2025-01', '2026-09'), 'ended'],
    [of('2026-11', '2026-10'), 'cancelled'],
    [of('2026-10', '2026-09'), 'cancelled'],
  ])('%j is %s in October 2026', (months, expected) => {
    expect(minimumState(months, current)).toBe(expected);
  });

  it.each([
    [of('2026-09'), 'fromMonth: oneoffs.month_over 2026-10'],
    [of('2026-10'), undefined],
    [of('2026-12', '2026-11'), 'toMonth: oneoffs.month_order 2026-12'],
    [of('2026-12', '2026-12'), undefined],
  ])('a new one of %j: %s', (months, expected) => {
    const mistake = newMonthsMistake(months, current);
    expect(mistake && `${mistake.field}: ${mistake.code} ${mistake.month}`).toBe(expected);
  });

  it.each([
    ['this month is the last', of('2026-01'), '2026-10', undefined],
    ['the previous month was the last', of('2026-01'), '2026-09', undefined],
    ['not a month that may be billed', of('2026-01'), '2026-08', 'oneoffs.month_over 2026-09'],
    ['one that has not begun is canceled', of('2026-12'), '2026-11', undefined],
    ['and not canceled earlier', of('2026-12'), '2026-10', 'oneoffs.month_over 2026-11'],
    ['earlier than its current end', of('2026-01', '2026-12'), '2026-11', undefined],
    ['not its current end', of('2026-01', '2026-12'), '2026-12', 'oneoffs.ends_earlier 2026-12'],
    ['not later', of('2026-01', '2026-12'), '2027-01', 'oneoffs.ends_earlier 2026-12'],
    ['an ended one is over', of('2026-01', '2026-08'), '2026-09', 'oneoffs.ends_earlier 2026-08'],
    ['a canceled one is over', of('2026-12', '2026-11'), '2026-11', 'oneoffs.ends_earlier 2026-11'],
  ])('ends so that %s', (_what, months, lastMonth, expected) => {
    const mistake = lastMonthMistake(months, m(lastMonth), current);
    expect(mistake && `${mistake.code} ${mistake.month}`).toBe(expected);
  });

  it('overlaps with another exactly where a month is in both', () => {
    const months = Array.from({ length: 8 }, (_, index) => addMonths(m('2026-01'), index));
    const some = fc
      .tuple(fc.constantFrom(...months), fc.option(fc.constantFrom(...months)))
      .map(([fromMonth, toMonth]): Months => ({ fromMonth, toMonth }));
    const has = ({ fromMonth, toMonth }: Months, month: BillingMonth) =>
      fromMonth <= month && (toMonth === null || month <= toMonth);
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(overlap(a, b)).toBe(months.some((month) => has(a, month) && has(b, month)));
        expect(overlap(b, a)).toBe(overlap(a, b));
      }),
    );
  });
});
