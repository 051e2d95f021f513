// Every pricing has a text, which contains every price in it.
import { describe, expect, test } from 'vitest';
import type { SinglePricing } from '#features/selling/catalogue/contract.ts';
import type { TextParams } from '#kernel/text.ts';
import { createTranslator } from '#kernel/translate.ts';
import { formatOf } from '#platform/web/format/format.ts';
import { enUS as ratingTexts } from '#features/selling/rating/locales/enUS.ts';
import { quantityPriceTexts } from '#features/selling/rating/rules.ts';
import { enUS } from '../locales/enUS.ts';
import { priceWords } from './price-words.ts';

const translate = createTranslator({ zhTW: {}, enUS: { ...enUS, ...ratingTexts } });
const t = (key: string, params?: TextParams): string => translate('enUS', key, params);
const format = formatOf('enUS', 'Asia/Taipei');
const words = (pricing: SinglePricing, cycle: 'monthly' | 'yearly' = 'monthly') =>
  priceWords(
    pricing,
    (price) => quantityPriceTexts(price, 'GB', pricing.currency, t, format),
    (amount) => format.unitPrice(amount, pricing.currency),
    t,
    cycle,
  );

describe('R-CAT-02: prices as text', () => {
  test('a flat fee, a small unit price for a million units, no price', () => {
    expect(words({ model: 'flat', currency: 'TWD', baseFee: '300' })).toEqual(['NT$300 a month']);
    expect(words({ model: 'per_unit', currency: 'USD', unitPrice: '0.0000004', minimum: '10' })).toEqual([
      '$0.40 per 1,000,000 GB',
      'at least $10 a month',
    ]);
    expect(words({ model: 'flat', currency: 'TWD', baseFee: '0.00' })).toEqual(['Free']);
  });

  test('a price of zero is called free, and never $0', () => {
    const nothing = [
      { model: 'per_unit', currency: 'USD', unitPrice: '0' },
      { model: 'package', currency: 'USD', packageSize: '10', packagePrice: '0.00', freeUnits: '0' },
      {
        model: 'graduated',
        currency: 'USD',
        tiers: [
          { upTo: '5', unitPrice: '0' },
          { upTo: null, unitPrice: '0.0' },
        ],
      },
      { model: 'volume', currency: 'USD', tiers: [{ upTo: null, unitPrice: '0' }] },
    ] as const satisfies readonly SinglePricing[];
    for (const pricing of nothing) {
      expect(words(pricing)).toEqual(['Free']);
      expect(words({ ...pricing, baseFee: '5' })).toEqual(['$5 a month', 'Usage is free']);
    }
    expect(
      words({
        model: 'graduated',
        currency: 'USD',
        tiers: [
          { upTo: '100', unitPrice: '0' },
          { upTo: null, unitPrice: '0.01' },
        ],
      }),
    ).toEqual(['First 100 GB: Free', 'Above 100 GB: $0.01 per GB']);
    expect(
      words({
        model: 'graduated',
        currency: 'USD',
        tiers: [
          { upTo: '100', unitPrice: '0', flatFee: '2' },
          { upTo: null, unitPrice: '0' },
        ],
      })[0],
    ).toContain('$2');
  });

  test('tiers have begin, end, and the flat fee of entering one', () => {
    expect(
      words({
        model: 'graduated',
        currency: 'USD',
        baseFee: '5',
        tiers: [
          { upTo: '100', unitPrice: '0.05' },
          { upTo: '1000', unitPrice: '0.03', flatFee: '2' },
          { upTo: null, unitPrice: '0.01' },
        ],
      }),
    ).toEqual([
      '$5 a month',
      'First 100 GB: $0.05 per GB',
      '100 to 1,000 GB: $0.03 per GB, plus $2 once the tier is reached',
      'Above 1,000 GB: $0.01 per GB',
    ]);
    expect(
      words({
        model: 'volume',
        currency: 'USD',
        tiers: [
          { upTo: '500', unitPrice: '0.08' },
          { upTo: null, unitPrice: '0.05' },
        ],
      })[0],
    ).toBe('All usage at the price of the tier it reaches');
    expect(words({ model: 'volume', currency: 'USD', tiers: [{ upTo: null, unitPrice: '0.05' }] })).toEqual([
      '$0.05 per GB',
    ]);
  });

  test('included usage, a monthly maximum and a yearly fee are mentioned, too', () => {
    expect(
      words({
        model: 'per_unit',
        currency: 'USD',
        baseFee: '5',
        unitPrice: '0.1',
        included: '100',
        maximum: '50',
      }),
    ).toEqual(['$5 a month', '$0.10 per GB', '100 GB included', 'at most $50 a month']);
    expect(words({ model: 'flat', currency: 'TWD', baseFee: '3600' }, 'yearly')).toEqual(['NT$3,600 a year']);
  });

  test('packages have their size and what is free', () => {
    expect(
      words({ model: 'package', currency: 'TWD', packageSize: '1000', packagePrice: '8', freeUnits: '500' }),
    ).toEqual(['NT$8 per 1,000 GB or part of it', '500 GB included']);
  });
});
