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
const charge = (price: object) =>
  ({ key: 'c', name: { zhTW: 'c', enUS: 'c' }, kind: 'usage', meter: 'm', ...price }) as Charge;
const details = (price: object, language: 'zhTW' | 'enUS' = 'enUS', unit = ''): string[] =>
  chargeDetails(
    charge(price),
    unit,
    'TWD',
    (key: string, params?: TextParams) => translate(language, key, params),
    formatOf(language, 'Asia/Taipei'),
  );
const sentence = (price: object, language: 'zhTW' | 'enUS' = 'enUS', unit = ''): string =>
  chargeWords(
    charge(price),
    unit,
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
      ['First 10: NT$3 each', 'Above 10: NT$2.5 each, plus NT$100 once the tier is reached'],
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
      ['First NT$1,000: 10% of the amount', 'Above NT$1,000: 7% of the amount'],
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
        'l: First 10: NT$3 each; Above 10: NT$2.5 each, plus NT$100 once the tier is reached',
        'everything else: NT$7 per 10 or part of it',
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
    ).toEqual(['First 10: Free', 'Above 10: NT$2 each']);
  });
});

describe('R-CAT-02: the price of usage is in the unit of its meter', () => {
  const three = [...tiers.slice(0, 1), { upTo: '50', unitPrice: '2.8' }, { upTo: null, unitPrice: '2.5' }];
  test.each([
    ['a unit', { model: 'per_unit', unitPrice: '0.192' }, '$0.192 per GB', 'US$0.192／GB'],
    [
      'tiers',
      { model: 'graduated', tiers: three },
      'from $2.50 per GB, in 3 tiers',
      'US$2.50／GB 起，共 3 級',
    ],
    [
      'a single tier with its fee',
      { model: 'volume', tiers: tiers.slice(1) },
      '$2.50 per GB, plus $100 once the tier is reached',
      'US$2.50／GB，進入此級另加 US$100',
    ],
    [
      'a package',
      { model: 'package', packageSize: '1000', packagePrice: '7' },
      '$7 per 1,000 GB or part of it',
      '每 1,000 GB US$7（未滿亦計）',
    ],
    ['a fee has none', { kind: 'one_time', model: 'flat', amount: '7' }, '$7 once', '一次性 US$7'],
    ['a share has none', { model: 'percentage', ratePercent: '2' }, '2% of the amount', '金額的 2%'],
    ['what is free has none', { model: 'per_unit', unitPrice: '0' }, 'Free', '免費'],
  ])('%s', (_name, price, english, chinese) => {
    expect(sentence(price, 'enUS', 'GB')).toBe(english);
    expect(sentence(price, 'zhTW', 'GB')).toBe(chinese);
  });

  test('which is written as the operator wrote it', () => {
    expect(sentence({ model: 'per_unit', unitPrice: '2' }, 'zhTW', '次')).toBe('US$2／次');
    expect(sentence({ model: 'per_unit', unitPrice: '2' }, 'enUS', 'vCPU-hour (m5)')).toBe(
      '$2 per vCPU-hour (m5)',
    );
  });

  test.each([
    [
      'what is included',
      { model: 'per_unit', unitPrice: '1', included: '100' },
      ['100 GB included'],
      ['含 100 GB'],
    ],
    [
      'graduated tiers',
      { model: 'graduated', tiers: three },
      ['First 10 GB: NT$3 per GB', '10 to 50 GB: NT$2.8 per GB', 'Above 50 GB: NT$2.5 per GB'],
      ['前 10 GB：NT$3／GB', '10 至 50 GB：NT$2.8／GB', '超過 50 GB：NT$2.5／GB'],
    ],
    [
      'a volume price, which is for all usage',
      { model: 'volume', tiers: three.slice(1) },
      [
        'All usage at the price of the tier it reaches',
        '0 to 50 GB: NT$2.8 per GB',
        'Above 50 GB: NT$2.5 per GB',
      ],
      ['全部用量依所在級距計價', '0 至 50 GB：NT$2.8／GB', '超過 50 GB：NT$2.5／GB'],
    ],
    [
      'free units of packages',
      { model: 'package', packageSize: '10', packagePrice: '7', freeUnits: '3' },
      ['3 GB included'],
      ['含 3 GB'],
    ],
    [
      'rates',
      {
        model: 'matrix',
        rates: [
          { when: { size: 'm' }, unitPrice: '1.2' },
          { when: { size: 'l' }, tiers: three.slice(1), tierModel: 'volume' },
          { when: {}, package: { packageSize: '10', packagePrice: '7', freeUnits: '5' } },
        ],
      },
      [
        'm: NT$1.2 per GB',
        'l: All usage at the price of the tier it reaches; 0 to 50 GB: NT$2.8 per GB; Above 50 GB: NT$2.5 per GB',
        'everything else: NT$7 per 10 GB or part of it; 5 GB included',
      ],
      [
        'm：NT$1.2／GB',
        'l：全部用量依所在級距計價；0 至 50 GB：NT$2.8／GB；超過 50 GB：NT$2.5／GB',
        '其他：每 10 GB NT$7（未滿亦計）；含 5 GB',
      ],
    ],
  ])('and so are its details: %s', (_name, price, english, chinese) => {
    expect(details(price, 'enUS', 'GB')).toEqual(english);
    expect(details(price, 'zhTW', 'GB')).toEqual(chinese);
  });

  test('without a meter, Chinese counts units', () => {
    expect(details({ kind: 'recurring', model: 'graduated', tiers: three }, 'zhTW')).toEqual([
      '前 10 單位：每單位 NT$3',
      '10 至 50 單位：每單位 NT$2.8',
      '超過 50 單位：每單位 NT$2.5',
    ]);
    expect(details({ kind: 'recurring', model: 'per_unit', unitPrice: '1', included: '5' }, 'zhTW')).toEqual([
      '含 5 單位',
    ]);
  });
});
