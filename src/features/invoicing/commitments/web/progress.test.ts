import { expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import { progressOf } from './progress.ts';

const twd = (minor: number) => money(BigInt(minor), 'TWD');
const shares = (amount: number, drawn: number, used?: number, expected?: number) => {
  const { usedShare, expectedShare } = progressOf({
    amount: twd(amount),
    drawn: twd(drawn),
    outlook:
      used === undefined || expected === undefined
        ? null
        : { used: twd(used), expected: twd(expected), trueUp: twd(0), risk: 'behind' },
  });
  return [usedShare, expectedShare];
};

test('T-CMT: the bar shows used and expected amounts, and never rounds to zero or to all', () => {
  expect(shares(1000, 0)).toEqual([0, null]);
  expect(shares(1000, 1)).toEqual([1, null]);
  expect(shares(1000, 999)).toEqual([99, null]);
  expect(shares(1000, 1000)).toEqual([100, null]);
  expect(shares(1000, 300, 450, 1000)).toEqual([45, 100]);
  // Since an early end lowered the amount, the use may exceed it.
  expect(shares(1000, 1200, 1200, 1200)).toEqual([100, 100]);
});
