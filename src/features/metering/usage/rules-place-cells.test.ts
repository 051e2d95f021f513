import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { chargePrice, rateFor } from '#features/selling/rating/rules.ts';
import {
  chargeCosts,
  priceKeyOf,
  quantityAt,
  quantityOfCells,
  type PlaceUsage,
} from './rules-charge-costs.ts';
import { cellsByPlace, type CellPlaces } from './rules-place-cells.ts';
import { dimensionsOfCell, type StreamMeter } from './rules-streams.ts';

const meterOf = (aggregation: StreamMeter['aggregation']): StreamMeter => ({
  key: 'traffic',
  eventType: 'vm',
  aggregation,
  unit: 'GB',
  dimensions: ['region', 'size'],
});
const names = ['2024-10-01', '2024-10-02', '2024-10-03', '2024-10-04'];
const indexOf = new Map(names.map((name, index) => [name, index]));

const tiers = [
  { upTo: '10', unitPrice: '1.25' },
  { upTo: null, unitPrice: '0.5', flatFee: '3' },
];
const rates = [
  { when: { region: 'tpe', size: 'l' }, unitPrice: '3' },
  { when: { region: 'tpe' }, tiers },
  { when: { size: 's' }, unitPrice: '0.7' },
];
const charge = (price: object): Charge =>
  ({ key: 'c', name: { zhTW: 'c', enUS: 'c' }, kind: 'usage', meter: 'traffic', ...price }) as Charge;
const charges = [
  charge({ model: 'per_unit', unitPrice: '0.3' }),
  charge({ model: 'per_unit', unitPrice: '0.3', included: '7', minimum: '2', maximum: '9' }),
  charge({ model: 'graduated', tiers }),
  charge({ model: 'volume', tiers, tierScope: 'per_value' }),
  // Cells without a rate cost nothing.
  charge({ model: 'matrix', rates, maximum: '20' }),
  charge({ model: 'matrix', rates, tierScope: 'per_value' }),
];

/** The cells of up to eight combinations of values, each at some of the places. */
const usage: fc.Arbitrary<CellPlaces[]> = fc
  .uniqueArray(
    fc.record({
      cell: fc.constantFrom(
        ...['"tpe"', '"nrt"', 'null'].flatMap((region) =>
          ['"s"', '"l"', 'null'].map((size) => `[${region},${size}]`),
        ),
      ),
      at: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
      values: fc.array(
        fc.integer({ min: -500, max: 1500 }).map((value) => (value / 100).toFixed(2)),
        { minLength: 4, maxLength: 4 },
      ),
    }),
    { selector: ({ cell }) => cell, maxLength: 8 },
  )
  .map((cells) =>
    cells.map(({ cell, at, values }) => ({
      cell,
      places: at,
      counts: at.map((_, index) => String(index + 1)),
      values: values.slice(0, at.length),
      lastAts: null,
      lastEvents: null,
    })),
  );

const byItself = (cell: string): string => cell;
const regionOf = (cell: string): string => dimensionsOfCell(meterOf('sum'), cell)['region'] ?? '';
const placed = (
  cells: readonly CellPlaces[],
  meter: StreamMeter,
  kindOf: (cell: string) => string,
): (PlaceUsage | undefined)[] =>
  cellsByPlace(cells, meter, indexOf, kindOf).map((own) =>
    own.length === 0 ? undefined : { cells: own, whole: {} },
  );

/** How much the usage of all places increases the charge of their month; cells without a rate are free. */
function monthPrice(price: Charge, meter: StreamMeter, cells: readonly CellPlaces[]): Decimal {
  const used = cells.flatMap(({ cell, counts, values }) => {
    const dimensions = dimensionsOfCell(meter, cell);
    const isPriced = price.model !== 'matrix' || rateFor(price.rates, dimensions) !== undefined;
    const texts = meter.aggregation === 'count' ? counts : (values ?? []);
    return isPriced ? [{ dimensions, quantity: sumDecimals(texts.map((text) => decimal(text))) }] : [];
  });
  const quantity = sumDecimals(used.map((each) => each.quantity));
  const ofNothing = chargePrice(price, { quantity: zero, cells: [], events: [] });
  return chargePrice(price, { quantity, cells: used, events: [] }).exact.minus(ofNothing.exact);
}

describe('usage by place', () => {
  it('costs the same with the cells of one price and name merged', () => {
    fc.assert(
      fc.property(
        usage,
        fc.constantFrom(...charges),
        fc.constantFrom(byItself, regionOf, () => ''),
        fc.constantFrom<StreamMeter['aggregation']>('sum', 'count'),
        (cells, price, nameOf, aggregation) => {
          const meter = meterOf(aggregation);
          const keyOf = priceKeyOf(price, meter);
          const apart = placed(cells, meter, byItself);
          const together = placed(cells, meter, (cell) => JSON.stringify([nameOf(cell), keyOf(cell)]));
          const figures = (places: readonly (PlaceUsage | undefined)[]) =>
            chargeCosts(price, meter, places, nameOf).map(({ cost, byGroup }, index) => {
              const place = places[index];
              const groups = Map.groupBy(place?.cells ?? [], ({ cell }) => nameOf(cell));
              return {
                cost: decimalText(cost),
                byGroup: [...(byGroup ?? [])].map(([name, part]) => [name, decimalText(part)]),
                quantity: place && decimalText(quantityAt(place, meter)),
                quantities: [...groups]
                  .map(([name, own]) => [name, decimalText(quantityOfCells(own, meter) ?? zero)])
                  .toSorted(),
                events: place?.cells.reduce((sum, { eventCount }) => sum + eventCount, 0n),
              };
            });
          expect(figures(together)).toEqual(figures(apart));
          const total = sumDecimals(chargeCosts(price, meter, together, nameOf).map(({ cost }) => cost));
          expect(decimalText(total)).toBe(decimalText(monthPrice(price, meter, cells)));
          const kinds = new Set(cells.map(({ cell }) => `${nameOf(cell)} ${keyOf(cell)}`));
          expect(together.every((place) => (place?.cells.length ?? 0) <= kinds.size)).toBe(true);
        },
      ),
    );
  });

  it('keeps cells separate whose quantities do not add up, with the time of their last values', () => {
    const cells: CellPlaces[] = ['["tpe","s"]', '["nrt","s"]'].map((cell, index) => ({
      cell,
      places: ['2024-10-02'],
      counts: ['2'],
      values: [String(index)],
      lastAts: [Date.parse('2024-10-02T08:00:00Z') + index],
      lastEvents: [`e${index}`],
    }));
    expect(cellsByPlace(cells, meterOf('latest'), indexOf, () => 'one')).toEqual([
      [],
      cells.map(({ cell }, index) => ({
        cell,
        eventCount: 2n,
        sum: '0',
        max: '0',
        min: '0',
        lastValue: String(index),
        lastAt: new Date(Date.parse('2024-10-02T08:00:00Z') + index),
        lastEvent: `e${index}`,
      })),
      [],
      [],
    ]);
  });

  it('excludes other places', () => {
    const outside: CellPlaces = {
      cell: '["tpe","s"]',
      places: ['2024-09-30', '2024-10-04'],
      counts: ['1', '3'],
      values: ['5', '7'],
      lastAts: null,
      lastEvents: null,
    };
    for (const aggregation of ['sum', 'max'] as const)
      expect(
        cellsByPlace([outside], meterOf(aggregation), indexOf, byItself).map((own) =>
          own.map(({ eventCount }) => eventCount),
        ),
      ).toEqual([[], [], [], [3n]]);
  });
});
