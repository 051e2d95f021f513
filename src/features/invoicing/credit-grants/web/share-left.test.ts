import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import { shareLeft, wholeOf } from './share-left.ts';
import { typedAmount } from './typed-amount.ts';

const twd = (minor: bigint) => money(minor, 'TWD');
const of = (amount: bigint, left: bigint, used: bigint, recurring: { rollover: boolean } | null = null) => ({
  amount: twd(amount),
  left: twd(left),
  used: twd(used),
  recurring,
});

describe('T-GRANT: the bar of a grant', () => {
  it.each<[string, ReturnType<typeof of>, bigint, number]>([
    ['everything left', of(1000n, 1000n, 0n), 1000n, 100],
    ['a third, truncated', of(900n, 599n, 301n), 900n, 66],
    ['the last dollar is not rounded to zero', of(1_000_000n, 1n, 999_999n), 1_000_000n, 1],
    ['used up', of(1000n, 0n, 1000n), 1000n, 0],
    ['each month separately', of(100n, 70n, 530n, { rollover: false }), 100n, 70],
    ['rolled over', of(100n, 150n, 50n, { rollover: true }), 200n, 75],
    ['not granted yet', of(100n, 0n, 0n, { rollover: true }), 0n, 0],
  ])('%s', (_name, grant, whole, share) => {
    expect(wholeOf(grant).minor).toBe(whole);
    expect(shareLeft(grant)).toBe(share);
  });

  it('reads amounts as people type them, and rejects zero and less', () => {
    expect(typedAmount(' 1,050 ', 'TWD')).toEqual(twd(1050n));
    expect(typedAmount('10.50', 'USD')).toEqual(money(1050n, 'USD'));
    for (const wrong of ['', '0', '-1', '1.5', 'x']) expect(typedAmount(wrong, 'TWD')).toBeUndefined();
  });
});
