import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import { stopAfter, termsMistakes, topUpDue } from './rules.ts';

const state = { spendable: 99n, threshold: 100n, amount: 500n, cap: 1000n, used: 500n };
const twd = (minor: bigint) => money(minor, 'TWD');

describe('T-TOP: an automatic top-up', () => {
  it('is due below the threshold, not at it, and fits into the cap exactly', () => {
    expect(topUpDue(state)).toBe('due');
    expect(topUpDue({ ...state, spendable: 100n })).toBe('enough');
    expect(topUpDue({ ...state, used: 501n })).toBe('capped');
  });

  it('stops after every decline, but not when no bank was asked', () => {
    expect(stopAfter('insufficient_funds')).toBe('declined');
    expect(stopAfter('stolen_card')).toBe('declined');
    expect(stopAfter('authentication_required')).toBe('confirm');
    expect(stopAfter('refused')).toBe('refused');
    expect(stopAfter('lost')).toBeNull();
    expect(stopAfter('not_needed')).toBeNull();
  });

  it('has positive amounts in one currency, and a cap that one top-up fits into', () => {
    const good = { threshold: twd(1n), amount: twd(2n), monthlyCap: twd(2n) };
    expect(termsMistakes(good)).toEqual([]);
    expect(termsMistakes({ ...good, monthlyCap: twd(1n) })).toEqual([
      { field: 'monthlyCap', code: 'topups.cap_below_amount' },
    ]);
    expect(termsMistakes({ ...good, threshold: twd(0n) })).toEqual([
      { field: 'threshold', code: 'topups.amount_not_positive' },
    ]);
    expect(termsMistakes({ ...good, threshold: money(5n, 'USD') })).toEqual([
      { field: 'threshold', code: 'topups.other_currency' },
    ]);
  });
});
