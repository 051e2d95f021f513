// The cost of a charge's usage by day or hour and by the values of its meter's dimensions. Each place (a day
// or an hour) costs the amount by which it raises the month's price so far, so places add up to the month and
// groups to their place, to the last digit.
import { decimal, decimalText, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
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
import { dimensionsOfCell, ownKey, wholeCell, type StreamMeter } from './rules-streams.ts';

/**
 * The usage of a meter at a place. `whole` holds what cannot be summed over cells: the increments of levels
 * and of distinct counts.
 */
export type PlaceUsage = {
  readonly cells: readonly CellRollup[];
  readonly whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>;
};
/** The cost of a place, in total and by group; `byGroup` is empty if the cost cannot be split. */
export type PlaceCost = { readonly cost: Decimal; readonly byGroup: ReadonlyMap<string, Decimal> | null };

type Meter = Pick<StreamMeter, 'key' | 'aggregation' | 'dimensions'>;

/**
 * Whether a charge is computed from each event's value. A plain percentage of a sum is not, nor is one of the
 * service's own meter, which is a percentage of its quantity.
 */
export const pricesSingleEvents = (
  charge: Charge,
  { key, aggregation }: Pick<Meter, 'key' | 'aggregation'>,
): boolean =>
  charge.model === 'percentage' && (dependsOnEvents(charge) || (key !== ownKey && aggregation !== 'sum'));

/**
 * Whether a charge's cost is known only for whole months: it prices single events, or a percentile of all the
 * month's samples.
 */
export const isMonthOnly = (charge: Charge, meter: Meter): boolean =>
  pricesSingleEvents(charge, meter) || meter.aggregation === 'percentile';

/** Whether each cell of a charge has its own price. */
const isPricedByCell = (charge: Charge): boolean =>
  charge.model === 'matrix' ||
  ((charge.model === 'graduated' || charge.model === 'volume') && charge.tierScope === 'per_value');

/** Whether the quantities of the cells add up to the meter's quantity. */
export const cellsAddUp = ({ aggregation }: Pick<Meter, 'aggregation'>): boolean =>
  aggregation === 'sum' || aggregation === 'count';

/** Whether a charge's cost can be split by the values of dimensions. */
export const isSplitByCell = (charge: Charge, meter: Meter): boolean =>
  !isMonthOnly(charge, meter) &&
  (isPricedByCell(charge) || cellsAddUp(meter) || meter.dimensions.length === 0);

/**
 * Returns the key under which cells are priced: usage of cells with the same key is summed before it is
 * priced.
 */
export function priceKeyOf(charge: Charge, meter: Pick<StreamMeter, 'dimensions'>): (cell: string) => string {
  if (charge.model !== 'matrix' || charge.tierScope === 'per_value')
    return isPricedByCell(charge) ? (cell) => cell : () => wholeCell;
  return (cell) => {
    const rate = rateFor(charge.rates, dimensionsOfCell(meter, cell));
    return rate ? `rate ${charge.rates.indexOf(rate)}` : 'no rate';
  };
}

/**
 * Joins the parts of a place, earliest first: what each part adds to a level or to a distinct count is added
 * up.
 */
export function joinPlaces(parts: readonly PlaceUsage[]): PlaceUsage | undefined {
  const [only, ...others] = parts;
  if (!only || others.length === 0) return only;
  const cells = [
    ...Map.groupBy(
      parts.flatMap((part) => part.cells),
      ({ cell }) => cell,
    ).values(),
  ];
  return {
    cells: cells.flatMap((same) => {
      const last = latestCell(same);
      return last ? [{ ...last, ...joinCells(same, addedUp(same)) }] : [];
    }),
    whole: addedUp(parts.map(({ whole }) => whole)),
  };
}

function addedUp(measures: readonly PlaceUsage['whole'][]): PlaceUsage['whole'] {
  const distinct = measures.flatMap((each) => each.distinct ?? []);
  const levels = measures.flatMap((each) => (each.level === undefined ? [] : [decimal(each.level)]));
  return {
    ...(distinct.length > 0 && { distinct: distinct.reduce((sum, count) => sum + count, 0n) }),
    ...(levels.length > 0 && { level: decimalText(sumDecimals(levels)) }),
  };
}

/** The quantity of a meter at one place alone. */
export const quantityAt = ({ cells, whole }: PlaceUsage, { aggregation, dimensions }: Meter): Decimal =>
  dimensions.length === 0 && cells[0]
    ? quantityOf(cells[0], aggregation)
    : quantityOfAll(cells, whole, aggregation);

/**
 * Computes the costs of the places in one price period of a month, earliest first. A place without usage
 * costs nothing.
 * @param charge the charge with the period's share of its allowance and limits
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
      // Cells with the same price are added up first, so that each price is computed once.
      const byUnit = new Map<PricedUnit, Decimal>();
      for (const { cell, by } of grown.get(group) ?? []) {
        // Maxima rarely grow.
        if (isZero(by)) continue;
        const unit = unitOf(cell);
        if (!unit) continue;
        const known = byUnit.get(unit);
        byUnit.set(unit, known ? known.plus(by) : by);
      }
      const more = sumDecimals([...byUnit].map(([unit, by]) => unit.grow(by)));
      // Without limits, the charged amount grows by exactly this cost.
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

/** A quantity that is priced separately. */
type PricedUnit = {
  readonly cost: Decimal;
  /** Adds to the quantity and returns the additional cost. */
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

/** Prices a quantity at a fixed unit price: additional units cost the same at any quantity. */
function singlePriceUnit(unitPrice: string): PricedUnit {
  const price = decimal(unitPrice);
  return { cost: zero, grow: (by) => by.times(price) };
}

/**
 * Maps each cell of a charge to the unit it is priced in; undefined for a cell that has no rate in the
 * matrix.
 */
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

/**
 * Computes by how much a place increases the priced quantities: per cell if cells are priced separately or
 * add up, otherwise for all cells together.
 */
function growthOf(meter: Meter, isByCell: boolean): (place: PlaceUsage) => Growth[] {
  const { aggregation } = meter;
  const soFar = new Map<string, { readonly cell: CellRollup; readonly quantity: Decimal }>();
  /**
   * For values that do not add up over places: the month's quantity with this place minus the quantity before
   * it.
   */
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

/** The combined quantity of some cells at a place; null if their values do not add up. */
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

/** A level or a distinct count can change at places without events. */
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

/** How many combinations of dimension values are listed separately. */
const mostCells = 9;

/** Splits cells into those listed separately, largest first, and the rest. */
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
