// Combines the cells of a meter into the usage of a charge.
import { decimal, decimalText, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { ChargeUsage } from '#features/selling/rating/rules.ts';
import { quantityOf, type Rollup } from './rules.ts';
import { isAfter } from './rules-deltas.ts';
import { dimensionsOfCell, type StreamMeter } from './rules-streams.ts';

/** The usage of one cell in a period, with the time and the event of its last value. */
export type CellRollup = Rollup & {
  readonly cell: string;
  readonly lastAt: Date;
  readonly lastEvent: string;
};

/** Returns the cell with the most recent value; undefined if there are no cells. */
export const latestCell = (cells: readonly CellRollup[]): CellRollup | undefined =>
  cells.reduce<CellRollup | undefined>((latest, cell) => {
    if (!latest) return cell;
    const difference = cell.lastAt.getTime() - latest.lastAt.getTime();
    return difference > 0 || (difference === 0 && isAfter(cell.lastEvent, latest.lastEvent)) ? cell : latest;
  }, undefined);

/**
 * Combines all cells. Distinct counts, levels and percentiles do not add up; they are computed from the
 * events of all cells and passed as `whole`.
 */
export function joinCells(
  cells: readonly CellRollup[],
  whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>,
): Rollup {
  const used = cells.filter(({ eventCount }) => eventCount > 0n);
  const largest = (texts: readonly string[], sign: 1 | -1): string =>
    decimalText(largestOf(texts.map(decimal), sign));
  const last = latestCell(used);
  return {
    eventCount: used.reduce((sum, { eventCount }) => sum + eventCount, 0n),
    sum: decimalText(sumDecimals(used.map((cell) => decimal(cell.sum)))),
    max: largest(
      used.map(({ max }) => max),
      1,
    ),
    min: largest(
      used.map(({ min }) => min ?? '0'),
      -1,
    ),
    lastValue: last?.lastValue ?? '0',
    ...whole,
  };
}

const largestOf = (values: readonly Decimal[], sign: 1 | -1): Decimal =>
  values.reduce((best, value) => (value.cmp(best) === sign ? value : best), values[0] ?? zero);

/**
 * The quantity of all cells together, as {@link joinCells} combines them; computes only what the aggregation
 * reads.
 */
export function quantityOfAll(
  cells: readonly CellRollup[],
  whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>,
  aggregation: StreamMeter['aggregation'],
): Decimal {
  const used = (): readonly CellRollup[] => cells.filter(({ eventCount }) => eventCount > 0n);
  switch (aggregation) {
    case 'sum':
      return sumDecimals(used().map(({ sum }) => decimal(sum)));
    case 'count':
      return decimal(cells.reduce((sum, { eventCount }) => sum + eventCount, 0n));
    case 'max':
      return largestOf(
        used().map(({ max }) => decimal(max)),
        1,
      );
    case 'unique_count':
    case 'time_weighted_average':
    case 'percentile':
      return quantityOf({ ...noRollup, ...whole }, aggregation);
    default:
      return quantityOf(joinCells(cells, whole), aggregation);
  }
}
const noRollup = { eventCount: 0n, sum: '0', max: '0', lastValue: '0' } as const;

/** Returns the usage of a charge by its meter; leaves out cells with neither events nor a level. */
export function chargeUsageOf(
  meter: StreamMeter,
  cells: readonly CellRollup[],
  whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>,
  events: ChargeUsage['events'],
): ChargeUsage {
  const { aggregation } = meter;
  return {
    quantity: quantityOfAll(cells, whole, aggregation),
    cells: cells.flatMap((cell) => {
      const quantity = quantityOf(cell, aggregation);
      return cell.eventCount > 0n || !isZero(quantity)
        ? [{ dimensions: dimensionsOfCell(meter, cell.cell), quantity }]
        : [];
    }),
    events,
  };
}
