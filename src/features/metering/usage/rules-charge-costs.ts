// What a charge's usage costs by day or hour, and by the values of its meter's dimensions: each place costs the difference that it makes to
// the price of its month so far, so that places add up to the month, and parts of a place to the place, to the last digit.
import { decimal, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';
import {
  chargePrice,
  dependsOnEvents,
  excessOver,
  rateFor,
  topUpTo,
  usageOfQuantity,
} from '#features/selling/rating/rules.ts';
import { joinCells, latestCell, quantityOfAll, type CellRollup } from './rules-charge-usage.ts';
import { quantityOf, type Rollup } from './rules.ts';
import { dimensionsOfCell, wholeCell, type StreamMeter } from './rules-streams.ts';

/** The usage of a meter at a place. `whole` is what only all cells together tell; increments of levels and of different values. */
export type PlaceUsage = {
  readonly cells: readonly CellRollup[];
  readonly whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>;
};
/** The cost of a place, in all and by group; without groups where it cannot be split. */
export type PlaceCost = { readonly cost: Decimal; readonly byGroup: ReadonlyMap<string, Decimal> | null };

type Meter = Pick<StreamMeter, 'aggregation' | 'dimensions'>;

/** Whether a charge's cost is known for whole months only: it prices single events, or a percentile of all samples of the month. */
export const isMonthOnly = (charge: Charge, { aggregation }: Meter): boolean =>
  (charge.model === 'percentage' && dependsOnEvents(charge)) || aggregation === 'percentile';

/** Whether each cell of a charge has its own price. */
const isPricedByCell = (charge: Charge): boolean =>
  charge.model === 'matrix' ||
  ((charge.model === 'graduated' || charge.model === 'volume') && charge.tierScope === 'per_value');

/** Whether the quantities of cells add up to that of the meter. */
export const cellsAddUp = ({ aggregation }: Pick<Meter, 'aggregation'>): boolean =>
  aggregation === 'sum' || aggregation === 'count';

/** Whether a charge's cost can be split by the values of dimensions. */
export const isSplitByCell = (charge: Charge, meter: Meter): boolean =>
  !isMonthOnly(charge, meter) &&
  (isPricedByCell(charge) || cellsAddUp(meter) || meter.dimensions.length === 0);

/** What a cell is priced as: the usage of cells with the same text is priced in one sum. */
export function priceKeyOf(charge: Charge, meter: Pick<StreamMeter, 'dimensions'>): (cell: string) => string {
  if (charge.model !== 'matrix' || charge.tierScope === 'per_value')
    return isPricedByCell(charge) ? (cell) => cell : () => wholeCell;
  return (cell) => {
    const rate = rateFor(charge.rates, dimensionsOfCell(meter, cell));
    return rate ? `rate ${charge.rates.indexOf(rate)}` : 'no rate';
  };
}

/** What the meter makes of a place by itself. */
export const quantityAt = ({ cells, whole }: PlaceUsage, { aggregation, dimensions }: Meter): Decimal =>
  dimensions.length === 0 && cells[0]
    ? quantityOf(cells[0], aggregation)
    : quantityOfAll(cells, whole, aggregation);

/**
 * The costs of the places of one time of a month, the earliest first. A place without usage costs nothing.
 * @param charge the charge with the time's share of what is included and of its limits
 * @param groupOf the group of a cell
 */
export function chargeCosts(
  charge: Charge,
  meter: StreamMeter,
  places: readonly (PlaceUsage | undefined)[],
  groupOf: (cell: string) => string,
): PlaceCost[] {
  const isSplit = isSplitByCell(charge, meter);
  const unitOf = unitsOf(charge, meter);
  const growth = growthOf(meter, isPricedByCell(charge));
  let exact = isPricedByCell(charge) ? zero : (unitOf(wholeCell)?.cost ?? zero);
  const hasLimits = charge.minimum !== undefined || charge.maximum !== undefined;
  const limited = (): Decimal =>
    exact.plus(topUpTo(charge.minimum, exact)).minus(excessOver(charge.maximum, exact));
  let charged = limited();
  return places.map((place): PlaceCost => {
    if (!place) return { cost: zero, byGroup: isSplit ? new Map() : null };
    const byGroup = new Map<string, Decimal>();
    const grown = Map.groupBy(growth(place), ({ cell }) => (isSplit ? groupOf(cell) : wholeCell));
    for (const group of [...grown.keys()].toSorted()) {
      // The cells of one price grow together: a price is asked for once.
      const byUnit = new Map<PricedUnit, Decimal>();
      for (const { cell, by } of grown.get(group) ?? []) {
        // Largest values seldom grow.
        if (isZero(by)) continue;
        const unit = unitOf(cell);
        if (!unit) continue;
        const known = byUnit.get(unit);
        byUnit.set(unit, known ? known.plus(by) : by);
      }
      const more = sumDecimals([...byUnit].map(([unit, by]) => unit.grow(by)));
      // Without limits, what is charged grows by just that.
      if (!hasLimits) {
        byGroup.set(group, more);
        continue;
      }
      exact = exact.plus(more);
      const before = charged;
      charged = limited();
      byGroup.set(group, charged.minus(before));
    }
    return { cost: sumDecimals(byGroup.values()), byGroup: isSplit ? byGroup : null };
  });
}

/** A quantity with a price of its own. */
type PricedUnit = {
  readonly cost: Decimal;
  /** Adds to the quantity, and says by how much it costs more. */
  readonly grow: (by: Decimal) => Decimal;
};

function pricedUnit(costOf: (quantity: Decimal) => Decimal): PricedUnit {
  let quantity: Decimal = zero;
  const unit = {
    cost: costOf(zero),
    grow: (by: Decimal): Decimal => {
      const before = unit.cost;
      quantity = quantity.plus(by);
      unit.cost = costOf(quantity);
      return unit.cost.minus(before);
    },
  };
  return unit;
}

/** A quantity at one price each: more of it costs the same whatever was before. */
function singlePriceUnit(unitPrice: string): PricedUnit {
  const price = decimal(unitPrice);
  return { cost: zero, grow: (by) => by.times(price) };
}

/** The unit that each cell of a charge is priced in; undefined for one that a matrix has no rate for. */
function unitsOf(
  charge: Charge,
  meter: Pick<StreamMeter, 'dimensions'>,
): (cell: string) => PricedUnit | undefined {
  const { minimum: _least, maximum: _most, ...unlimited } = charge;
  const keyOf = priceKeyOf(charge, meter);
  const ofKey = new Map<string, PricedUnit | undefined>();
  const ofCell = new Map<string, PricedUnit | undefined>();
  const price = (cell: string): PricedUnit | undefined => {
    if (unlimited.model !== 'matrix')
      return unlimited.model === 'per_unit' && unlimited.included === undefined
        ? singlePriceUnit(unlimited.unitPrice)
        : pricedUnit((quantity) => chargePrice(unlimited, usageOfQuantity(quantity)).exact);
    const dimensions: Dimensions = dimensionsOfCell(meter, cell);
    const rate = rateFor(unlimited.rates, dimensions);
    if (!rate) return undefined;
    const alone = { ...unlimited, rates: [{ ...rate, when: {} }] };
    return 'unitPrice' in rate
      ? singlePriceUnit(rate.unitPrice)
      : pricedUnit((quantity) => chargePrice(alone, usageOfQuantity(quantity)).exact);
  };
  return (cell) => {
    if (!ofCell.has(cell)) {
      const key = keyOf(cell);
      if (!ofKey.has(key)) ofKey.set(key, price(cell));
      ofCell.set(cell, ofKey.get(key));
    }
    return ofCell.get(cell);
  };
}

type Growth = { readonly cell: string; readonly by: Decimal };

/** By how much a place lets the quantities grow that are priced: of each cell where they are priced or add up, otherwise of all of it. */
function growthOf(meter: Meter, isByCell: boolean): (place: PlaceUsage) => Growth[] {
  const { aggregation } = meter;
  const soFar = new Map<string, { readonly cell: CellRollup; readonly quantity: Decimal }>();
  /** Values that do not add up over places: what the month came to before and now. */
  const join = (name: string, cells: readonly CellRollup[]): Decimal => {
    const before = soFar.get(name);
    const all = before ? [before.cell, ...cells] : cells;
    const [only] = cells;
    if (!only) return zero;
    if (aggregation === 'max') {
      const largest = quantityOfAll(cells, {}, aggregation);
      if (before && largest.lte(before.quantity)) return zero;
      soFar.set(name, { cell: only, quantity: largest });
      return largest.minus(before?.quantity ?? zero);
    }
    const now = { ...(latestCell(all) ?? only), ...joinCells(all, {}) };
    const quantity = quantityOf(now, aggregation);
    soFar.set(name, { cell: now, quantity });
    return quantity.minus(before?.quantity ?? zero);
  };
  switch (aggregation) {
    case 'sum':
    case 'count':
      return ({ cells }) => cells.map((cell) => ({ cell: cell.cell, by: quantityOf(cell, aggregation) }));
    case 'time_weighted_average':
    case 'unique_count':
      return (place) =>
        isByCell
          ? place.cells.map((cell) => ({ cell: cell.cell, by: quantityOf(cell, aggregation) }))
          : [{ cell: wholeCell, by: quantityAt(place, meter) }];
    default:
      return ({ cells }) =>
        isByCell
          ? cells.map((cell) => ({ cell: cell.cell, by: join(cell.cell, [cell]) }))
          : [{ cell: wholeCell, by: join(wholeCell, cells) }];
  }
}

/** The quantity of some cells at a place together; null where their values do not add up. */
export function quantityOfCells(cells: readonly CellRollup[], { aggregation }: Meter): Decimal | null {
  const [only] = cells;
  if (cells.length < 2) return quantityOf(only, aggregation);
  if (
    aggregation === 'unique_count' ||
    aggregation === 'time_weighted_average' ||
    aggregation === 'percentile'
  )
    return null;
  return quantityOfAll(cells, {}, aggregation);
}

/** A level or a count of different values may go on at places without an event. */
export const emptyCell = (cell: string): CellRollup => ({
  cell,
  eventCount: 0n,
  sum: '0',
  max: '0',
  min: '0',
  lastValue: '0',
  lastAt: new Date(0),
  lastEvent: '',
});

/** How many values of dimensions are shown by themselves. */
const mostCells = 9;

/** The cells that are shown by themselves, the largest first, and the others. */
export function largestCells<C>(
  cells: readonly C[],
  sizeOf: (cell: C) => Decimal,
): { readonly shown: readonly C[]; readonly others: readonly C[] } {
  const sorted = cells
    .map((cell) => ({ cell, size: sizeOf(cell) }))
    .toSorted((a, b) => b.size.cmp(a.size))
    .map(({ cell }) => cell);
  return { shown: sorted.slice(0, mostCells), others: sorted.slice(mostCells) };
}
