// Computes what the bar of a period shows.
import type { Money } from '#kernel/money.ts';
import type { Commitment } from '../contract.ts';

type Current = NonNullable<Commitment['current']>;

/** How much of the period's amount is used, and what is expected; without a forecast, what bills drew. */
export function progressOf({ amount, drawn, outlook }: Pick<Current, 'amount' | 'drawn' | 'outlook'>): {
  readonly amount: Money;
  readonly used: Money;
  readonly expected: Money | null;
  /**
   * In whole percent from 0 to 100; anything above zero is never shown as 0, and anything incomplete never as
   * 100.
   */
  readonly usedShare: number;
  readonly expectedShare: number | null;
} {
  const used = outlook?.used ?? drawn;
  const expected = outlook?.expected ?? null;
  return {
    amount,
    used,
    expected,
    usedShare: shareOf(used, amount),
    expectedShare: expected && shareOf(expected, amount),
  };
}

function shareOf(part: Money, whole: Money): number {
  if (part.minor <= 0n) return 0;
  if (part.minor >= whole.minor) return 100;
  return Math.max(1, Number((part.minor * 100n) / whole.minor));
}
