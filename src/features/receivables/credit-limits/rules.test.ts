// Rules of credit limits: levels without rounding, crossings, and what may be started.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import { isWorse, levelOf, mayBegin, usedOf, useOf } from './rules.ts';

describe('T-CREDITLIMIT: rules of credit limits', () => {
  it('warn from exactly 80 percent on, and are reached at the limit itself', () => {
    expect([7999n, 8000n, 9999n, 10_000n, 10_001n, -5n].map((used) => levelOf(used, 10_000n))).toEqual([
      'within',
      'near',
      'near',
      'reached',
      'reached',
      'within',
    ]);
    // 80 percent of 3 is 2.4: compared exactly.
    expect([levelOf(2n, 3n), levelOf(3n, 3n)]).toEqual(['within', 'reached']);
  });

  it('notify a crossing only when it gets worse', () => {
    expect(isWorse('near', 'within')).toBe(true);
    expect(isWorse('reached', 'within')).toBe(true);
    expect(isWorse('near', 'reached')).toBe(false);
    expect(isWorse('reached', 'reached')).toBe(false);
  });

  it('allow the last part of a limit to be used, and nothing new at it', () => {
    expect([mayBegin('wanted', 99n, 100n), mayBegin('wanted', 100n, 100n)]).toEqual([true, false]);
    expect([mayBegin('taken', 100n, 100n), mayBegin('taken', 101n, 100n)]).toEqual([true, false]);
  });

  it('show a truncated percentage, so that 99.99 % is never 100 %', () => {
    const shown = useOf(money(1_000_000n, 'TWD'), true, { unpaid: 999_999n, unbilled: 0n, balance: 0n });
    expect([shown.percent, shown.level, shown.left.minor]).toEqual([99.9, 'near', 1n]);
    const prepaid = useOf(money(100n, 'TWD'), true, { unpaid: 10n, unbilled: 5n, balance: 50n });
    expect([prepaid.percent, prepaid.used.minor, prepaid.left.minor]).toEqual([0, -35n, 100n]);
  });

  it('hold for any amounts: the remainder is the limit minus usage, and zero at it', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        (unpaid, unbilled, balance, limit) => {
          const use = useOf(money(limit, 'USD'), true, { unpaid, unbilled, balance });
          const used = usedOf({ unpaid, unbilled, balance });
          expect(use.used.minor).toBe(used);
          if (used >= limit) expect([use.level, use.left.minor]).toEqual(['reached', 0n]);
          else expect((used > 0n ? used : 0n) + use.left.minor).toBe(limit);
          expect(use.percent >= 100).toBe(use.level === 'reached');
        },
      ),
    );
  });
});
