// R-CAT-02: the details that a charge’s short sentence omits: every rate, tier, free part and limit has a
// text.
import { describe, expect, test } from 'vitest';
import type { TextParams } from '#kernel/text.ts';
import { createTranslator } from '#kernel/translate.ts';
import { formatOf } from '#platform/web/format/format.ts';
import type { Charge } from '../contract.ts';
import { enUS } from '../locales/enUS.ts';
import { zhTW } from '../locales/zhTW.ts';
import { chargeDetails, chargeWords } from '../rules.ts';

const translate = createTranslator({ zhTW, enUS });
const details = (price: object, language: 'zhTW' | 'enUS' = 'enUS'): string[] =>
  chargeDetails(
    { key: 'c', name: { zhTW: 'c', enUS: 'c' }, kind: 'usage', meter: 'm', ...price } as Charge,
    'TWD',
    (key: string, params?: TextParams) => translate(language, key, params),
    formatOf(language, 'Asia/Taipei'),
  );
const sentence = (price: object, language: 'zhTW' | 'enUS' = 'enUS'): string =>
  chargeWords(
    { key: 'c', name: { zhTW: 'c', enUS: 'c' }, kind: 'usage', meter: 'm', ...price } as Charge,
    'USD',
    language,
    (key: string, params?: TextParams) => translate(language, key, params),
    formatOf(language, 'Asia/Taipei'),
  ).price;
const tiers = [
  { upTo: '10', unitPrice: '3' },
  { upTo: null, unitPrice: '2.5', flatFee: '100' },
];

describe('R-CAT-02: the details of a charge', () => {
  test.each([
    ['a plain price has none', { model: 'per_unit', unitPrice: '1' }, []],
    [
      'what is included, and the limits of a period',
      { model: 'per_unit', unitPrice: '1', included: '5', minimum: '10', maximum: '90' },
      ['5 included', 'At least NT$10 per period', 'At most NT$90 per period'],
    ],
    [
      'each tier with its fee',
      { model: 'graduated', tiers },
      ['0 to 10: NT$3 each', 'Above 10: NT$2.5 each, plus NT$100 once the tier is reached'],
    ],
    ['a single tier adds nothing to the sentence', { model: 'graduated', tiers: tiers.slice(1) }, []],
    [
      'that volume prices are for all usage',
      { model: 'volume', tiers },
      [
        'All usage at the price of the tier it reaches',
        '0 to 10: NT$3 each',
        'Above 10: NT$2.5 each, plus NT$100 once the tier is reached',
      ],
    ],
    [
      'free units of packages',
      { model: 'package', packageSize: '10', packagePrice: '7', freeUnits: '3' },
      ['3 included'],
    ],
    [
      'what is free of a percentage, and the limits of each event',
      {
        model: 'percentage',
        ratePercent: '2',
        freeEvents: 3,
        freeAmount: '500',
        minPerEvent: '1',
        maxPerEvent: '9',
      },
      ['First 3 events free', 'First NT$500 free', 'At least NT$1 per event', 'At most NT$9 per event'],
    ],
    [
      'each share of a graduated percentage',
      {
        model: 'graduated_percentage',
        tiers: [
          { upTo: '1000', ratePercent: '10' },
          { upTo: null, ratePercent: '7' },
        ],
      },
      ['0 to 1,000: 10% of the amount', 'Above 1,000: 7% of the amount'],
    ],
    [
      'each rate of a matrix in its own form',
      {
        model: 'matrix',
        rates: [
          { when: { size: 'm', region: 'tpe' }, unitPrice: '1.2' },
          { when: { size: 'l' }, tiers },
          { when: {}, package: { packageSize: '10', packagePrice: '7' } },
        ],
      },
      [
        'm and tpe: NT$1.2 each',
        'l: 0 to 10: NT$3 each; Above 10: NT$2.5 each, plus NT$100 once the tier is reached',
        'everything else: NT$7 per 10',
      ],
    ],
  ])('%s', (_name, price, expected) => {
    expect(details(price)).toEqual(expected);
    // The other language has as many.
    expect(details(price, 'zhTW')).toHaveLength(expected.length);
  });
});

describe('R-CAT-02: a charge that costs nothing', () => {
  const free = [
    { upTo: '10', unitPrice: '0' },
    { upTo: null, unitPrice: '0.000' },
  ];
  test.each([
    ['a fee', { kind: 'recurring', model: 'flat', amount: '0' }],
    ['seats', { kind: 'recurring', model: 'per_unit', unitPrice: '0' }],
    ['usage', { model: 'per_unit', unitPrice: '0.00' }],
    ['tiers', { model: 'graduated', tiers: free }],
    ['packages', { model: 'package', packageSize: '10', packagePrice: '0' }],
    ['a share', { model: 'percentage', ratePercent: '0' }],
    [
      'rates',
      {
        model: 'matrix',
        dimensions: ['r'],
        rates: [
          { when: { r: 'a' }, unitPrice: '0' },
          { when: {}, tiers: free },
        ],
      },
    ],
  ])('is called free: %s', (_name, price) => {
    expect(sentence(price)).toBe('Free');
    expect(sentence(price, 'zhTW')).toBe('免費');
  });

  test.each([
    ['a fee of a tier', { model: 'volume', tiers: [{ upTo: null, unitPrice: '0', flatFee: '5' }] }],
    ['a fee of each event', { model: 'percentage', ratePercent: '0', fixedPerEvent: '1' }],
    ['a minimum per event', { model: 'percentage', ratePercent: '0', minPerEvent: '1' }],
    ['a minimum per period', { model: 'per_unit', unitPrice: '0', minimum: '9' }],
    [
      'one of two rates',
      {
        model: 'matrix',
        dimensions: ['r'],
        rates: [
          { when: { r: 'a' }, unitPrice: '0' },
          { when: {}, unitPrice: '1' },
        ],
      },
    ],
    ['amounts that come with events', { model: 'dynamic' }],
  ])('but not where something may be charged: %s', (_name, price) => {
    expect(sentence(price)).not.toBe('Free');
  });

  test('with free single rates and tiers in its details', () => {
    expect(
      details({
        model: 'graduated',
        tiers: [
          { upTo: '10', unitPrice: '0' },
          { upTo: null, unitPrice: '2' },
        ],
      }),
    ).toEqual(['0 to 10: Free', 'Above 10: NT$2 each']);
  });
});
