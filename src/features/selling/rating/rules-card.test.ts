// Errors in a rate card are reported at their field; its limits apply to all charges.
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { Charge, RateCard } from './contract.ts';
import { cardPrice, rateCardMistake, usageOfQuantity } from './rules-card.ts';

type Matrix = Extract<Charge, { model: 'matrix' }>;
const name = { zhTW: '費用', enUS: 'Fee' };
const fee = { key: 'base', name, kind: 'recurring', model: 'flat', amount: '100' } as const;
const usage = {
  key: 'hours',
  name,
  kind: 'usage',
  meter: 'vm.hours',
  model: 'per_unit',
  unitPrice: '2',
} as const;
const card = (...charges: readonly Charge[]): RateCard => ({ currency: 'TWD', charges: [...charges] });
const matrixCard = (rates: Matrix['rates'], unmatched?: Matrix['unmatched']): RateCard =>
  card({
    key: 'a',
    name,
    kind: 'usage',
    meter: 'm',
    model: 'matrix',
    rates,
    ...(unmatched && { unmatched }),
  });
const openTier = { upTo: null, unitPrice: '1' };

describe('errors of a rate card (R-CAT-01)', () => {
  test.each<[string, RateCard, string, string]>([
    ['a duplicate key', card(fee, { ...usage, key: 'base' }), 'rating.key_twice', 'charges.1.key'],
    ['usage without a meter', card({ ...usage, meter: undefined }), 'rating.meter_needed', 'charges.0.meter'],
    ['a fee with a meter', card({ ...fee, meter: 'vm.hours' }), 'rating.meter_unwanted', 'charges.0.meter'],
    [
      'a fee by percentage',
      card({ key: 'a', name, kind: 'one_time', model: 'percentage', ratePercent: '1' }),
      'rating.model_needs_usage',
      'charges.0.model',
    ],
    [
      'usage in advance',
      card({ ...usage, timing: 'advance' }),
      'rating.advance_needs_fee',
      'charges.0.timing',
    ],
    [
      'a gap at the end of tiers',
      card({ ...usage, model: 'graduated', tiers: [{ upTo: '5', unitPrice: '1' }] } as Charge),
      'rating.tiers_wrong',
      'charges.0.tiers.0.upTo',
    ],
    [
      'tiers in the wrong order',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'volume',
        tiers: [{ upTo: '5', unitPrice: '1' }, { upTo: '5', unitPrice: '1' }, openTier],
      }),
      'rating.tiers_wrong',
      'charges.0.tiers.1.upTo',
    ],
    [
      'tiers after an open one',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'graduated_percentage',
        tiers: [
          { upTo: null, ratePercent: '1' },
          { upTo: null, ratePercent: '2' },
        ],
      }),
      'rating.tiers_wrong',
      'charges.0.tiers.0.upTo',
    ],
    [
      'an empty package',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'package',
        packageSize: '0',
        packagePrice: '1',
      }),
      'rating.package_size_zero',
      'charges.0.packageSize',
    ],
    [
      'a maximum below the minimum',
      card({ ...fee, minimum: '5', maximum: '4' }),
      'rating.maximum_below_minimum',
      'charges.0.maximum',
    ],
    [
      'an event’s maximum below its minimum',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'percentage',
        ratePercent: '1',
        minPerEvent: '2',
        maxPerEvent: '1',
      }),
      'rating.event_maximum_below_minimum',
      'charges.0.maxPerEvent',
    ],
    [
      'two rates for the same values',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [
          { when: { a: '1', b: '2' }, unitPrice: '1' },
          { when: { b: '2', a: '1' }, unitPrice: '2' },
        ],
      }),
      'rating.rate_twice',
      'charges.0.rates.1.when',
    ],
    [
      'a matrix without a rule for other values',
      matrixCard([{ when: { a: '1' }, unitPrice: '1' }]),
      'rating.no_way_out',
      'charges.0.unmatched',
    ],
    [
      'a matrix that prices other values, and rejects them',
      matrixCard([{ when: {}, unitPrice: '1' }], 'reject'),
      'rating.unmatched_priced',
      'charges.0.unmatched',
    ],
    [
      'invalid tiers of a rate',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [{ when: {}, tiers: [{ upTo: '1', unitPrice: '1' }] }],
      }),
      'rating.tiers_wrong',
      'charges.0.rates.0.tiers.0.upTo',
    ],
    [
      'an empty package of a rate',
      card({
        key: 'a',
        name,
        kind: 'usage',
        meter: 'm',
        model: 'matrix',
        rates: [{ when: {}, package: { packageSize: '0', packagePrice: '1' } }],
      }),
      'rating.package_size_zero',
      'charges.0.rates.0.package.packageSize',
    ],
    [
      'a card’s maximum below its minimum',
      { ...card(fee), minimum: '5', maximum: '4' },
      'rating.maximum_below_minimum',
      'maximum',
    ],
  ])('%s', (_name, wrong, code, field) => {
    expect(rateCardMistake(wrong)).toEqual({ code, field });
  });

  test('a matrix must say what happens to other values: a default rate, or rejection', () => {
    const region = { when: { region: 'tpe' }, unitPrice: '1' };
    const allElse = { when: {}, unitPrice: '2' };
    expect(rateCardMistake(matrixCard([region, allElse]))).toBeUndefined();
    expect(rateCardMistake(matrixCard([region], 'reject'))).toBeUndefined();
    // A price from before this rule is unchanged, in any order of its fields; a changed one must say it.
    const stored = matrixCard([region]);
    const sent = card({
      rates: [{ unitPrice: '1', when: { region: 'tpe' } }],
      model: 'matrix',
      meter: 'm',
      kind: 'usage',
      name,
      key: 'a',
    });
    expect(rateCardMistake(sent, stored.charges)).toBeUndefined();
    const dearer = matrixCard([{ ...region, unitPrice: '1.5' }]);
    expect(rateCardMistake(dearer, stored.charges)).toMatchObject({ code: 'rating.no_way_out' });
  });

  test('a valid card has none, and fields of another model are rejected', () => {
    expect(rateCardMistake(card(fee, usage))).toBeUndefined();
    expect(z.safeParse(RateCard, card(fee, usage)).success).toBe(true);
    expect(z.safeParse(Charge, { ...usage, packageSize: '5' }).success).toBe(false);
    expect(z.safeParse(Charge, { ...fee, amount: '-1' }).success).toBe(false);
    expect(z.safeParse(RateCard, card()).success).toBe(false);
  });
});

test('a month of a card: each charge, then the effect of the card’s limits on the sum', () => {
  const month = (limits: Partial<RateCard>) => {
    const { charges, topUp, cut, exact } = cardPrice({ ...card(fee, usage), ...limits }, () =>
      usageOfQuantity(decimal('30')),
    );
    return [...charges.map(({ price }) => price.exact), topUp, cut, exact].map(decimalText);
  };
  expect(month({})).toEqual(['100', '60', '0', '0', '160']);
  expect(month({ minimum: '200' })).toEqual(['100', '60', '40', '0', '200']);
  expect(month({ maximum: '150' })).toEqual(['100', '60', '0', '10', '150']);
});
