import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineKinds } from '#features/invoicing/billing/contract.ts';
import { movementKinds } from './contract.ts';
import {
  averageOf,
  bucketOf,
  bucketStarts,
  kindsOf,
  movementOf,
  movementsOf,
  percentText,
  retentionOf,
} from './rules.ts';

/** Mostly zero or a few prices, so that customers leave, return and change; sometimes negative. */
const amount = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0n) },
  { weight: 4, arbitrary: fc.constantFrom(100n, 250n, 999n) },
  { weight: 2, arbitrary: fc.bigInt({ min: -500n, max: 10n ** 17n }) },
);
const histories = fc
  .integer({ min: 1, max: 14 })
  .chain((months) =>
    fc.array(fc.array(amount, { minLength: months, maxLength: months }), { minLength: 1, maxLength: 12 }),
  );

describe('T-MET: movements of recurring revenue', () => {
  it('opening plus movements equals the closing in every month, and over any range', () => {
    fc.assert(
      fc.property(histories, fc.nat(13), fc.nat(13), (all, a, b) => {
        const months = movementsOf(all);
        const sums = months.map(({ movements }) =>
          movementKinds.reduce((sum, kind) => sum + movements[kind].minor, 0n),
        );
        for (const [index, { opening, closing }] of months.entries()) {
          expect(opening + (sums[index] ?? 0n)).toBe(closing);
          expect(opening).toBe(months[index - 1]?.closing ?? 0n);
          expect(closing).toBe(all.reduce((sum, history) => sum + (history[index] ?? 0n), 0n));
        }
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const range = months.slice(from, to + 1);
        if (range.length > 0)
          expect(
            (range[0]?.opening ?? 0n) + sums.slice(from, to + 1).reduce((sum, each) => sum + each, 0n),
          ).toBe(range.at(-1)?.closing);
      }),
    );
  });

  it('customers of the previous month minus lost plus new ones equal those of the month', () => {
    fc.assert(
      fc.property(histories, (all) => {
        const countOf = (place: number): number =>
          all.filter((history) => (history[place] ?? 0n) > 0n).length;
        for (const [place, { movements }] of movementsOf(all).entries())
          expect(
            countOf(place - 1) +
              movements.new.customers +
              movements.reactivation.customers -
              movements.churn.customers,
          ).toBe(countOf(place));
      }),
    );
  });

  it('a customer is new at most once, and returns only after leaving', () => {
    fc.assert(
      fc.property(histories, (all) => {
        for (const history of all) {
          const kinds = movementsOf([history]).map(({ movements }) => movements);
          expect(
            kinds.filter((each) => each.new.customers > 0).length,
            'a customer is new when it first has revenue',
          ).toBe(history.some((minor) => minor > 0n) ? 1 : 0);
          const first = history.findIndex((minor) => minor > 0n);
          for (const [place, each] of kinds.entries())
            if (each.reactivation.customers > 0) expect(place).toBeGreaterThan(first + 1);
        }
      }),
    );
  });

  it('classifies each movement', () => {
    expect(movementOf(0n, 100n, false)).toEqual({ kind: 'new', minor: 100n });
    expect(movementOf(0n, 100n, true)).toEqual({ kind: 'reactivation', minor: 100n });
    expect(movementOf(100n, 150n, true)).toEqual({ kind: 'expansion', minor: 50n });
    expect(movementOf(150n, 100n, true)).toEqual({ kind: 'contraction', minor: -50n });
    expect(movementOf(100n, 0n, true)).toEqual({ kind: 'churn', minor: -100n });
    expect(movementOf(100n, -20n, true)).toEqual({ kind: 'churn', minor: -120n });
    expect(movementOf(-20n, 0n, true)).toEqual({ kind: 'expansion', minor: 20n });
    expect(movementOf(100n, 100n, true)).toBeNull();
  });
});

describe('T-MET: ratios are rounded once', () => {
  it('percentages have one decimal, half away from zero, and are missing for zero', () => {
    expect(percentText(1n, 3n)).toBe('33.3');
    expect(percentText(1n, 2000n)).toBe('0.1');
    expect(percentText(-1n, 2000n)).toBe('-0.1');
    expect(percentText(1n, 2001n)).toBe('0.0');
    expect(percentText(3n, 2n)).toBe('150.0');
    expect(percentText(3n, 0n)).toBeNull();
  });

  it('retention excludes new and returning customers', () => {
    const [, second] = movementsOf([
      [1000n, 1200n],
      [500n, 300n],
      [500n, 0n],
      [0n, 9999n],
    ]);
    expect(second && retentionOf(second, 3)).toEqual({
      netRetention: '75.0',
      revenueChurn: '25.0',
      customerChurn: '33.3',
    });
  });

  it('an average is rounded half away from zero', () => {
    expect([averageOf(5n, 2), averageOf(4n, 3), averageOf(0n, 0)]).toEqual([3n, 1n, null]);
  });
});

describe('T-MET: parts, months and buckets', () => {
  it('every kind of line is in exactly one part', () => {
    expect([...kindsOf('recurring'), ...kindsOf('usage'), ...kindsOf('once')].toSorted()).toEqual(
      [...lineKinds].toSorted(),
    );
    expect(kindsOf('recurring')).toEqual(['base_fee', 'credit']);
  });

  it('a bill due today is not overdue, and each bucket begins where the previous one ends', () => {
    expect([-3, 0, 1, 30, 31, 60, 61, 90, 91].map(bucketOf)).toEqual([
      'current',
      'current',
      'd30',
      'd30',
      'd60',
      'd60',
      'd90',
      'd90',
      'older',
    ]);
    for (const [bucket, start] of Object.entries(bucketStarts)) {
      expect(bucketOf(start)).toBe(bucket);
      expect(bucketOf(start - 1)).not.toBe(bucket);
    }
  });
});
