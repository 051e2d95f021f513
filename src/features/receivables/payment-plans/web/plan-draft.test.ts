import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { readDraft, splitEvenly } from './plan-draft.ts';

const due = money(1000n, 'TWD');

describe('T-PLAN: the form of a plan', () => {
  it('has monthly instalments, on the last day of shorter months, across the year’s end', () => {
    const daysFrom = (first: string, count: number): string[] =>
      splitEvenly(due, first as LocalDay, count).map(({ on }) => on);
    expect(daysFrom('2026-11-30', 4)).toEqual(['2026-11-30', '2026-12-30', '2027-01-30', '2027-02-28']);
    expect(daysFrom('2028-01-31', 2)[1]).toBe('2028-02-29');
  });

  it('splits the amount exactly', () => {
    const draft = splitEvenly(due, '2026-12-01' as LocalDay, 3);
    expect(draft.map(({ amount }) => amount)).toEqual(['334', '333', '333']);
    expect(readDraft(draft, due).sum).toEqual(due);
  });

  it('is complete when each has a day and a positive amount', () => {
    const draft = splitEvenly(due, '2026-12-01' as LocalDay, 2);
    expect(readDraft(draft, due).terms).toHaveLength(2);
    expect(readDraft([...draft, { on: '2027-02-01', amount: '' }], due).terms).toBeUndefined();
    expect(readDraft([{ on: '', amount: '1,000' }], due)).toMatchObject({ terms: undefined, sum: due });
  });
});
