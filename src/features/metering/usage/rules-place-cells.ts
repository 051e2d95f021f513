// Regroups a meter's usage from places per cell, as it is stored, to cells per place.
import { unitsOf, unitsText } from '#kernel/decimal.ts';
import { cellsAddUp } from './rules-charge-costs.ts';
import type { CellRollup } from './rules-charge-usage.ts';
import type { StreamMeter } from './rules-streams.ts';

/** Rollups as column lists of the same length, limited to the columns that the meter's aggregation needs. */
export type RollupLists = {
  readonly counts: readonly string[];
  /** The values that the aggregation reads; null if it reads counts only. */
  readonly values: readonly string[] | null;
  /**
   * The times of the last values, in milliseconds, and their events; null unless the aggregation needs them.
   */
  readonly lastAts: readonly number[] | null;
  readonly lastEvents: readonly string[] | null;
};
/** The usage of one cell at the places that have any. */
export type CellPlaces = RollupLists & { readonly cell: string; readonly places: readonly string[] };

type Aggregated = Pick<StreamMeter, 'aggregation'>;

/** Returns the rollup at an index of the lists. */
export const rollupOf = (
  { aggregation }: Aggregated,
  cell: string,
  { counts, values, lastAts, lastEvents }: RollupLists,
  at: number,
): CellRollup => {
  const value = values?.[at] ?? '0';
  return {
    cell,
    eventCount: BigInt(counts[at] ?? '0'),
    sum: aggregation === 'sum' || aggregation === 'avg' ? value : '0',
    max: aggregation === 'max' ? value : '0',
    min: aggregation === 'min' ? value : '0',
    lastValue: aggregation === 'latest' ? value : '0',
    lastAt: lastAts ? new Date(lastAts[at] ?? 0) : neverAt,
    lastEvent: lastEvents?.[at] ?? '',
  };
};
const neverAt = new Date(0);

/**
 * Returns the cells at each place. If cell quantities add up, cells of one kind are merged into the first of
 * them with the sum of all: pricing one sum is cheaper than pricing its parts.
 * @param indexOf the index of each place by its name
 */
export function cellsByPlace(
  cells: readonly CellPlaces[],
  meter: Aggregated,
  indexOf: ReadonlyMap<string, number>,
  kindOf: (cell: string) => string,
): CellRollup[][] {
  const found = Array.from({ length: indexOf.size }, (): CellRollup[] => []);
  const kinds = cellsAddUp(meter)
    ? [...Map.groupBy(cells, ({ cell }) => kindOf(cell)).values()].map((same) => sumOf(same, indexOf))
    : cells;
  for (const each of kinds)
    for (const [at, place] of each.places.entries())
      found[indexOf.get(place) ?? -1]?.push(rollupOf(meter, each.cell, each, at));
  return found;
}

// Event values have 12 fraction digits; pricing accepts quantities with twice as many.
const digits = 24;

/** The sum of some cells, under the name of the first. */
function sumOf(cells: readonly CellPlaces[], indexOf: ReadonlyMap<string, number>): CellPlaces {
  const names = [...indexOf.keys()];
  const counts = names.map(() => 0n);
  const sums = names.map(() => 0n);
  for (const { places, ...lists } of cells)
    for (const [at, place] of places.entries()) {
      const index = indexOf.get(place);
      if (index === undefined) continue;
      counts[index] = (counts[index] ?? 0n) + BigInt(lists.counts[at] ?? '0');
      sums[index] = (sums[index] ?? 0n) + unitsOf(lists.values?.[at] ?? '0', digits);
    }
  const used = [...counts.keys()].filter((index) => counts[index] !== 0n);
  return {
    cell: cells[0]?.cell ?? '',
    places: used.map((index) => names[index] ?? ''),
    counts: used.map((index) => String(counts[index])),
    values: used.map((index) => unitsText(sums[index] ?? 0n, digits)),
    lastAts: null,
    lastEvents: null,
  };
}
