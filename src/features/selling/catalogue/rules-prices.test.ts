// Prices over time compared with a second, slower implementation; errors compared with their fields.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tier } from '#features/selling/rating/contract.ts';
import type { Pricing } from './contract.ts';
import { mergePrices, overlap, pricingIssue } from './rules-prices.ts';

type Price = { id: string; effectiveFrom: Date };
type Override = Price & { until: Date | null };
const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const lastMinute = 40;

/** A list in order and overrides that do not overlap, on few moments so that they meet. */
const scene = fc.record({
  list: fc
    .uniqueArray(fc.integer({ min: 5, max: lastMinute }), { minLength: 1, maxLength: 5 })
    .map((minutes) =>
      minutes
        .toSorted((a, b) => a - b)
        .map((minute): Price => ({ id: `list ${minute}`, effectiveFrom: at(minute) })),
    ),
  overrides: fc.uniqueArray(fc.integer({ min: 0, max: lastMinute }), { maxLength: 8 }).chain((minutes) =>
    fc.boolean().map((endsOpen) => {
      const ends = minutes.toSorted((a, b) => a - b);
      const pairs = Array.from(
        { length: Math.floor(ends.length / 2) },
        (_, index) => [ends[index * 2] ?? 0, ends[index * 2 + 1] ?? 0] as const,
      );
      return pairs.map(([from, until], index): Override => ({
        id: `own ${from}`,
        effectiveFrom: at(from),
        until: endsOpen && index === pairs.length - 1 ? null : at(until),
      }));
    }),
  ),
});
/** The price at a moment, computed in the simplest way. */
const expected = (list: readonly Price[], overrides: readonly Override[], moment: Date): string | undefined =>
  (
    overrides.find((one) => one.effectiveFrom <= moment && (one.until === null || moment < one.until)) ??
    list.filter((one) => one.effectiveFrom <= moment).at(-1) ??
    list[0]
  )?.id;
/** The price that applies in the merged list: the last that has begun; before all of them the first. */
const taken = (merged: readonly Price[], moment: Date): string | undefined =>
  (merged.filter((one) => one.effectiveFrom <= moment).at(-1) ?? merged[0])?.id;

describe('R-CAT-01 an organization’s prices over time', () => {
  it('are at every moment the override, otherwise the current list price, before all the first one', () => {
    fc.assert(
      fc.property(scene, ({ list, overrides }) => {
        const merged = mergePrices(list, overrides);
        for (let minute = -3; minute <= lastMinute + 3; minute++)
          expect(taken(merged, at(minute)), `minute ${minute}`).toBe(expected(list, overrides, at(minute)));
      }),
    );
  });

  it('combine the override of single charges with the current list price', () => {
    fc.assert(
      fc.property(scene, ({ list, overrides }) => {
        const following = overrides.map((one) => ({
          ...one,
          following: (listed: Price): Price => ({ ...listed, id: `${one.id} of ${listed.id}` }),
        }));
        const merged = mergePrices<Price>(list, following);
        for (let minute = -3; minute <= lastMinute + 3; minute++) {
          const moment = at(minute);
          const own = overrides.find(
            (one) => one.effectiveFrom <= moment && (one.until === null || moment < one.until),
          );
          const listed = expected(list, [], moment);
          expect(taken(merged, moment), `minute ${minute}`).toBe(own ? `${own.id} of ${listed}` : listed);
        }
      }),
    );
  });

  it('are in order of time, and no price follows itself', () => {
    fc.assert(
      fc.property(scene, ({ list, overrides }) => {
        const merged = mergePrices(list, overrides);
        const steps = merged.slice(1).map((price, index) => ({
          rises: price.effectiveFrom > (merged[index]?.effectiveFrom ?? price.effectiveFrom),
          repeats: price.id === merged[index]?.id,
        }));
        expect(steps).toEqual(steps.map(() => ({ rises: true, repeats: false })));
      }),
    );
  });

  it('are the list without an override', () => {
    const list = [{ id: 'a', effectiveFrom: at(1) }];
    expect(mergePrices(list, [])).toBe(list);
  });

  it('return to the list price that began during the override', () => {
    const list = [
      { id: 'old', effectiveFrom: at(0) },
      { id: 'new', effectiveFrom: at(20) },
    ];
    expect(mergePrices(list, [{ id: 'own', effectiveFrom: at(10), until: at(30) }])).toMatchObject([
      { id: 'old', effectiveFrom: at(0) },
      { id: 'own', effectiveFrom: at(10) },
      { id: 'new', effectiveFrom: at(30) },
    ]);
  });

  it.each([
    [[0, 10], [10, 20], false],
    [[0, 10], [9, 20], true],
    [[10, 20], [0, 10], false],
    [[0, null], [50, 60], true],
    [[50, null], [0, 50], false],
    [[50, null], [0, null], true],
  ] as const)('overlap %j %j: %s', ([from1, until1], [from2, until2], meets) => {
    const time = (from: number, until: number | null) => ({
      id: '',
      effectiveFrom: at(from),
      until: until === null ? null : at(until),
    });
    expect(overlap(time(from1, until1), time(from2, until2))).toBe(meets);
  });
});

describe('bad input: the invalid field is named', () => {
  const tiers = (...ends: (string | null)[]): Pricing => ({
    model: 'graduated',
    currency: 'TWD',
    tiers: ends.map((upTo): Tier => ({ upTo, unitPrice: '1' })),
  });
  it.each([
    ['overlapping', tiers('10', '20', '15', null), 'pricing.tiers.2.upTo'],
    ['equal', tiers('10', '10', null), 'pricing.tiers.1.upTo'],
    ['zero', tiers('0', null), 'pricing.tiers.0.upTo'],
    ['open too early', tiers('10', null, '20', null), 'pricing.tiers.1.upTo'],
    ['closed at the end', tiers('10', '20'), 'pricing.tiers.1.upTo'],
    [
      'an empty package',
      { model: 'package', currency: 'TWD', packageSize: '0', packagePrice: '1' } satisfies Pricing,
      'pricing.packageSize',
    ],
    [
      'a maximum below the minimum',
      { model: 'flat', currency: 'TWD', minimum: '10', maximum: '9.99' } satisfies Pricing,
      'pricing.maximum',
    ],
  ])('%s', (_what, pricing, field) => expect(pricingIssue(pricing)?.field).toBe(field));
  it('no error for valid input', () => expect(pricingIssue(tiers('10', '20', null))).toBeUndefined());
});
