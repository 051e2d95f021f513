// The difference of two prices (R-CAT-01).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { Pricing } from './contract.ts';
import { priceDifference } from './rules-difference.ts';

const name = { zhTW: '席次', enUS: 'Seats' };
const seats = { key: 'seats', name, kind: 'recurring', model: 'per_unit', unitPrice: '300' } as const;
const hours = {
  key: 'hours',
  name: { zhTW: '時數', enUS: 'Hours' },
  kind: 'usage',
  meter: 'vm-hours',
  model: 'matrix',
  rates: [
    { when: { region: 'tpe', size: 'm' }, unitPrice: '3' },
    { when: {}, unitPrice: '5' },
  ],
} as const satisfies Charge;
const card = (charges: readonly Charge[], limits: object = {}): Pricing => ({
  model: 'rate_card',
  currency: 'TWD',
  charges: [...charges],
  ...limits,
});
const differenceText = (before: Pricing, after: Pricing) =>
  priceDifference(before, after).map(({ charge, action, terms }) => [
    charge?.key ?? null,
    action,
    ...terms.map(({ name: term, tier, when, before: was, after: is }) =>
      [
        term,
        tier && `${tier.from}-${tier.upTo ?? ''}`,
        when && Object.values(when).join('/'),
        was,
        is,
      ].filter((part) => part !== undefined),
    ),
  ]);

describe('R-CAT-01: the difference of two prices', () => {
  it.each<[string, Pricing, Pricing, ReturnType<typeof differenceText>]>([
    ['none, in any notation', card([seats]), card([{ ...seats, unitPrice: '300.00', cycle: 'month' }]), []],
    ['only another order', card([seats, hours]), card([hours, seats]), []],
    [
      'an added and a removed charge',
      card([seats]),
      card([hours]),
      [
        ['hours', 'added'],
        ['seats', 'removed'],
      ],
    ],
    [
      'a price, and a term that returns to its default',
      card([{ ...seats, prorate: 'none' }]),
      card([{ ...seats, unitPrice: '280' }]),
      [['seats', 'changed', ['unitPrice', '300', '280'], ['prorate', 'none', 'day']]],
    ],
    [
      'one rate of a matrix, in any order of its conditions',
      card([hours]),
      card([
        {
          ...hours,
          rates: [
            { when: {}, unitPrice: '5' },
            { when: { size: 'm', region: 'tpe' }, unitPrice: '3.5' },
            { when: { region: 'nrt' }, unitPrice: '4' },
          ],
        },
      ]),
      [['hours', 'changed', ['unitPrice', 'm/tpe', '3', '3.5'], ['unitPrice', 'nrt', '4']]],
    ],
    [
      'a tier split in two',
      card([{ ...seats, model: 'graduated', tiers: [{ upTo: null, unitPrice: '10' }] } as Charge]),
      card([
        {
          ...seats,
          model: 'graduated',
          tiers: [
            { upTo: '5', unitPrice: '10' },
            { upTo: null, unitPrice: '8', flatFee: '1' },
          ],
        } as Charge,
      ]),
      [
        [
          'seats',
          'changed',
          ['unitPrice', '0-', '10'],
          ['unitPrice', '0-5', '10'],
          ['unitPrice', '5-', '8'],
          ['flatFee', '5-', '1'],
        ],
      ],
    ],
    [
      'the limits of all charges',
      card([seats], { minimum: '100' }),
      card([seats], { maximum: '900' }),
      [[null, 'changed', ['minimum', '100'], ['maximum', '900']]],
    ],
    [
      'a name',
      card([seats]),
      card([{ ...seats, name: { zhTW: '使用者', enUS: 'Seats' } }]),
      [['seats', 'changed', ['zhTW', '席次', '使用者']]],
    ],
    [
      'a single price to a rate card',
      { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      card([seats]),
      [
        ['seats', 'added'],
        [null, 'removed'],
      ],
    ],
    [
      'a single price',
      { model: 'per_unit', currency: 'TWD', unitPrice: '1', baseFee: '10' },
      { model: 'per_unit', currency: 'TWD', unitPrice: '2', included: '5' },
      [[null, 'changed', ['unitPrice', '1', '2'], ['baseFee', '10'], ['included', '5']]],
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(differenceText(before, after)).toEqual(expected);
  });

  it('is empty for equal prices, and reversed when they are swapped', () => {
    const price = fc.constantFrom('1', '2', '3.5');
    const charge = fc
      .record({ key: fc.constantFrom('a', 'b', 'c'), unitPrice: price, included: price })
      .map((of): Charge => ({ ...of, name, kind: 'recurring', model: 'per_unit' }));
    const cards = fc
      .uniqueArray(charge, { selector: ({ key }) => key, minLength: 1 })
      .map((charges) => card(charges));
    fc.assert(
      fc.property(cards, cards, (before, after) => {
        expect(priceDifference(before, before)).toEqual([]);
        const turned = priceDifference(after, before);
        for (const { charge: one, action, terms } of priceDifference(before, after)) {
          const back = turned.find((each) => each.charge?.key === one?.key);
          expect(back?.action).toBe({ added: 'removed', removed: 'added', changed: 'changed' }[action]);
          expect(back?.terms.map((term) => [term.name, term.before, term.after])).toEqual(
            terms.map((term) => [term.name, term.after, term.before]),
          );
        }
      }),
    );
  });
});
