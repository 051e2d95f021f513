import { describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthNow, monthsBack, monthsLater } from './months.ts';

const of = (month: string) => month as BillingMonth;

describe('months to choose from', () => {
  it.each([
    ['2026-11', -1, '2026-10'],
    ['2026-01', -1, '2025-12'],
    ['2026-12', 1, '2027-01'],
    ['2024-09', -26, '2022-07'],
    ['2024-09', 0, '2024-09'],
  ])('%s and %d months is %s', (month, count, expected) =>
    expect(monthsLater(of(month), count)).toBe(expected),
  );
  it('count back from the latest', () =>
    expect(monthsBack(of('2026-02'), 3)).toEqual(['2026-02', '2026-01', '2025-12']));
  it('have names', () => expect(monthNow('Asia/Taipei')).toMatch(/^20\d{2}-(0[1-9]|1[0-2])$/));
});
