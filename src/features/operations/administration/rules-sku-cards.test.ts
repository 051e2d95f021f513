// For any files in any order, each SKU of each month is on one card at its own price, and no card is too
// large.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxCharges, RateCard } from '#features/selling/rating/contract.ts';
import { hasOtherPeriods, rateCardMistake } from '#features/selling/rating/rules.ts';
import { maxRates, placeSkus, type CardVersion, type SkuPrice } from './rules-sku-cards.ts';

const skuOf = (
  sku: string,
  unit = 'Hours',
  unitPrice = '1',
  currency: SkuPrice['currency'] = 'USD',
): SkuPrice => ({
  sku,
  name: `Name of ${sku}`,
  unit,
  unitPrice,
  currency,
  charge: `sku-${sku}-${unit}`,
  matrix: `unit-${unit}`,
});
const many = (count: number, unit = 'Hours', from = 0): SkuPrice[] =>
  Array.from({ length: count }, (_, index) => skuOf(`S${from + index}`, unit));
const monthOf = (month: number): Date => new Date(Date.UTC(2024, month, 1));
const names = (unit: string) => ({ zhTW: unit, enUS: unit });

/** Services as created by imports. */
class Catalogue {
  readonly services: CardVersion[][] = [];
  /** The charge of each SKU of the import. */
  import(skus: readonly SkuPrice[], start: Date): Map<SkuPrice, number> {
    const went = new Map<SkuPrice, number>();
    for (const { place, charges, skus: placed } of placeSkus(skus, this.services, start, names)) {
      if (charges) {
        this.services[place] = [
          ...(this.services[place] ?? []),
          { effectiveFrom: start, currency: placed[0]?.currency ?? 'USD', charges },
        ].toSorted((a, b) => a.effectiveFrom.getTime() - b.effectiveFrom.getTime());
      }
      for (const sku of placed) went.set(sku, place);
    }
    return went;
  }
  chargesAt(place: number, at: Date): NonNullable<CardVersion['charges']> {
    const versions = this.services[place] ?? [];
    return (versions.findLast(({ effectiveFrom }) => effectiveFrom <= at) ?? versions[0])?.charges ?? [];
  }
  /** The price of each charge for an event of a SKU in a month. */
  pricesOf(place: number, { sku, unit }: SkuPrice, at: Date): string[] {
    return this.chargesAt(place, at).flatMap((charge) => {
      if (charge.model === 'per_unit') return charge.key === `sku-${sku}-${unit}` ? [charge.unitPrice] : [];
      if (charge.model !== 'matrix' || charge.key !== `unit-${unit}`) return [];
      const rate = charge.rates.find(({ when }) => when['sku'] === sku);
      return rate && 'unitPrice' in rate ? [rate.unitPrice] : ['no rate: rejected'];
    });
  }
}

describe('rate cards of a provider’s service', () => {
  it('have a charge for each SKU, by unit and name', () => {
    const catalogue = new Catalogue();
    catalogue.import([skuOf('B', 'GB'), skuOf('A', 'Hours'), skuOf('A', 'GB')], monthOf(0));
    expect(catalogue.services).toHaveLength(1);
    expect(catalogue.chargesAt(0, monthOf(0)).map(({ key, model }) => [key, model])).toEqual([
      ['sku-A-GB', 'per_unit'],
      ['sku-B-GB', 'per_unit'],
      ['sku-A-Hours', 'per_unit'],
    ]);
  });

  it.each([
    ['as many charges as fit', many(40), [40, 0]],
    ['one more: a matrix', many(41), [1, 41]],
    ['the largest unit only, if that is enough', [...many(30, 'GB'), ...many(15)], [16, 30]],
    ['several units', [...many(48, 'GB'), ...many(26, 'GBM'), ...many(26)], [28, 48]],
  ] as const)('%s', (_, skus, [charges, ratesOfFirst]) => {
    const catalogue = new Catalogue();
    catalogue.import(skus, monthOf(0));
    const card = catalogue.chargesAt(0, monthOf(0));
    expect(card).toHaveLength(charges);
    const [first] = card;
    expect(first?.model === 'matrix' ? first.rates.length : 0).toBe(ratesOfFirst);
  });

  it('continue in further services: more SKUs than fit, a second price in a month, a second currency, or after a price version', () => {
    const catalogue = new Catalogue();
    expect(new Set(catalogue.import(many(maxRates + 1), monthOf(0)).values())).toEqual(new Set([0, 1]));
    const dear = skuOf('S0', 'Hours', '2');
    expect(catalogue.import([dear], monthOf(0)).get(dear)).toBe(2);
    const other = skuOf('S0', 'Hours', '1', 'EUR');
    expect(catalogue.import([other], monthOf(0)).get(other)).toBe(3);
    const late = skuOf('late');
    expect(catalogue.import([late], monthOf(0)).get(late)).toBe(4);
    // It stays there, and new ones go where there is room.
    const fresh = skuOf('fresh');
    expect([...catalogue.import([fresh, late], monthOf(1)).values()]).toEqual([1, 4]);
  });

  it('do not change when a month brings nothing new, and skip a service that got a single price', () => {
    const skus = many(3);
    const catalogue = new Catalogue();
    catalogue.import(skus, monthOf(0));
    expect(placeSkus(skus, catalogue.services, monthOf(4), names)).toEqual([
      { place: 0, charges: null, skus },
    ]);
    const single: CardVersion = { effectiveFrom: monthOf(0), currency: 'USD', charges: null };
    expect(placeSkus(skus, [[single]], monthOf(0), names).map(({ place }) => place)).toEqual([1]);
  });

  it('for any sequence of files: each SKU once at its price, stable on repetition, and existing ones unchanged', () => {
    const sku = fc
      .record({
        sku: fc.integer({ min: 0, max: 70 }).map((number) => `S${number}`),
        unit: fc.constantFrom('Hours', 'GB', 'Requests'),
        unitPrice: fc.constantFrom('1', '1', '1', '2'),
        currency: fc.constantFrom('USD' as const, 'USD' as const, 'USD' as const, 'EUR' as const),
      })
      .map((each) => skuOf(each.sku, each.unit, each.unitPrice, each.currency));
    const file = fc.record({
      month: fc.integer({ min: 0, max: 3 }),
      skus: fc.uniqueArray(sku, {
        maxLength: 90,
        selector: (each) => [each.sku, each.unit, each.unitPrice, each.currency].join(),
      }),
    });
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 5 }), (files) => {
        const catalogue = new Catalogue();
        const history: { month: Date; went: Map<SkuPrice, number> }[] = [];
        for (const { month, skus } of files) {
          const start = monthOf(month);
          const before = structuredClone(catalogue.services);
          const went = catalogue.import(skus, start);
          history.push({ month: start, went });
          expect([...went.keys()].toSorted()).toHaveLength(skus.length);
          for (const [index, versions] of before.entries())
            for (const version of versions) expect(catalogue.services[index]).toContainEqual(version);
          // The same file again: the same services, and no price version.
          const count = catalogue.services.flat().length;
          expect(catalogue.import(skus, start)).toEqual(went);
          expect(catalogue.services.flat()).toHaveLength(count);
        }
        for (const { month, went } of history)
          for (const [each, place] of went)
            expect(catalogue.pricesOf(place, each, month), each.charge).toEqual([each.unitPrice]);
        for (const versions of catalogue.services) {
          const all = versions.flatMap(({ charges }) => charges ?? []);
          expect(
            all.some((each) => all.some((other) => each.key === other.key && hasOtherPeriods(each, other))),
          ).toBe(false);
          for (const { currency, charges } of versions) {
            const card = RateCard.parse({ currency, charges });
            expect(rateCardMistake(card)).toBeUndefined();
            expect(card.charges.length).toBeLessThanOrEqual(maxCharges);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
