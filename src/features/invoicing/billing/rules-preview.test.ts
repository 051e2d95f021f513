// The preview of a month equals what the close issues, and lists the bills that an Admin should check
// (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import { maxNamed, PreviewSum, reviewReason, type PreviewedBill } from './rules-preview.ts';

const twd = (minor: bigint | null): Money | null => (minor === null ? null : money(minor, 'TWD'));
const bill = (
  id: number,
  total: bigint | null,
  previous: bigint | null,
  currency: 'TWD' | 'USD' = 'TWD',
): PreviewedBill => {
  const of = (minor: bigint | null): Money | null => (minor === null ? null : money(minor, currency));
  return {
    organizationId: `org_${String(id).padStart(3, '0')}` as Id<'org'>,
    organization: `組織 ${id}`,
    currency,
    net: of(total),
    tax: of(total === null ? null : 0n),
    total: of(total),
    previousTotal: of(previous),
  };
};

describe('bills that need a check', () => {
  test.each<[bigint | null, bigint | null, ReturnType<typeof reviewReason>]>([
    [100n, 100n, undefined],
    [149n, 100n, undefined],
    [150n, 100n, 'rise'],
    [51n, 100n, undefined],
    [50n, 100n, 'fall'],
    [0n, 100n, 'fall'],
    [null, 100n, 'missing'],
    [null, 0n, undefined],
    [5n, null, 'first'],
    [0n, 0n, undefined],
    [1n, 0n, 'rise'],
    [-1n, 100n, 'negative'],
    [-1n, null, 'negative'],
    [5n, -10n, 'rise'],
    [null, null, undefined],
  ])('%s after %s: %s', (total, previousTotal, kind) => {
    expect(reviewReason({ total: twd(total), previousTotal: twd(previousTotal) })).toBe(kind);
  });
});

describe('totals of a preview', () => {
  const all = (bills: readonly PreviewedBill[]) => {
    const sum = new PreviewSum();
    for (const each of bills) sum.add(each);
    return sum.report();
  };
  test('are separate by currency, with the difference to the previous month', () => {
    expect(
      all([bill(1, 100n, 80n), bill(2, 50n, null), bill(3, null, 30n), bill(1, 7n, null, 'USD')]).totals,
    ).toMatchObject([
      {
        currency: 'TWD',
        bills: 2,
        total: money(150n, 'TWD'),
        previousBills: 2,
        previousTotal: money(110n, 'TWD'),
        difference: money(40n, 'TWD'),
      },
      { currency: 'USD', bills: 1, total: money(7n, 'USD'), previousBills: 0, difference: money(7n, 'USD') },
    ]);
  });
  test('list the largest changes in any order, and count all', () => {
    const many = Array.from({ length: 40 }, (_, index) => bill(index, BigInt(200 + index * 10), 100n));
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: many.length }), (shuffled) => {
        const [rises] = all(shuffled).standOuts;
        expect(rises).toMatchObject({ kind: 'rise', count: 40 });
        expect(rises?.bills.map((each) => each.organization)).toEqual(
          many
            .slice(-maxNamed)
            .toReversed()
            .map((each) => each.organization),
        );
      }),
    );
  });
});
