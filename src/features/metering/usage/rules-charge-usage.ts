// What the cells of a meter come to together: the usage of a charge.
import { decimal, decimalText, sumDecimals, zero } from '#kernel/decimal.ts';
import type { ChargeUsage } from '#features/selling/rating/rules.ts';
import { quantityOf, type Rollup } from './rules.ts';
import { isAfter } from './rules-deltas.ts';
import { dimensionsOfCell, type StreamMeter } from './rules-streams.ts';

/** The usage of one cell in a time; the last value says when it came, and from which event. */
export type CellRollup = Rollup & {
  readonly cell: string;
  readonly lastAt: Date;
  readonly lastEvent: string;
};

/** The cell with the last value of some; undefined without any. */
export const latestCell = (cells: readonly CellRollup[]): CellRollup | undefined =>
  cells.reduce<CellRollup | undefined>((latest, cell) => {
    if (!latest) return cell;
    const difference = cell.lastAt.getTime() - latest.lastAt.getTime();
    return difference > 0 || (difference === 0 && isAfter(cell.lastEvent, latest.lastEvent)) ? cell : latest;
  }, undefined);

/**
 * What all cells come to together. Different values, levels and percentiles do not add up, so those are counted from the events of all
 * cells and given as `whole`.
 */
export function joinCells(
  cells: readonly CellRollup[],
  whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>,
): Rollup {
  const used = cells.filter(({ eventCount }) => eventCount > 0n);
  const largest = (texts: readonly string[], sign: 1 | -1): string =>
    texts.reduce((best, text) => (decimal(text).cmp(decimal(best)) === sign ? text : best), texts[0] ?? '0');
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

/** The usage of a charge by its meter; a cell without events and without a level is left out. */
export function chargeUsageOf(
  meter: StreamMeter,
  cells: readonly CellRollup[],
  whole: Pick<Rollup, 'distinct' | 'level' | 'percentile'>,
  events: ChargeUsage['events'],
): ChargeUsage {
  const { aggregation } = meter;
  return {
    quantity: quantityOf(joinCells(cells, whole), aggregation),
    cells: cells.flatMap((cell) => {
      const quantity = quantityOf(cell, aggregation);
      return cell.eventCount > 0n || !quantity.eq(zero)
        ? [{ dimensions: dimensionsOfCell(meter, cell.cell), quantity }]
        : [];
    }),
    events,
  };
}
