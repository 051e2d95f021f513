// The usage of a meter by place, from the places of each of its cells as they are read.
import { unitsOf, unitsText } from '#kernel/decimal.ts';
import { cellsAddUp } from './rules-charge-costs.ts';
import type { CellRollup } from './rules-charge-usage.ts';
import type { StreamMeter } from './rules-streams.ts';

/** The usage of one cell at the places where it has any: lists of the same length. */
export type CellPlaces = {
  readonly cell: string;
  readonly places: readonly string[];
  readonly counts: readonly string[];
  /** What the meter's aggregation reads of the rollups; nulls when it reads their counts only. */
  readonly values: readonly (string | null)[];
  /** When the last values came, in milliseconds, and from which events; null unless the aggregation asks for it. */
  readonly lastAts: readonly number[] | null;
  readonly lastEvents: readonly string[] | null;
};

type Aggregation = StreamMeter['aggregation'];

/**
 * The cells at each place, with what the meter's aggregation reads of them. Where the quantities of cells add up, those of one kind
 * are read as the first of them with the sum of all: pricing a sum costs less than pricing its parts.
 * @param indexOf the index of each place by its name
 */
export function cellsByPlace(
  cells: readonly CellPlaces[],
  { aggregation }: Pick<StreamMeter, 'aggregation'>,
  indexOf: ReadonlyMap<string, number>,
  kindOf: (cell: string) => string,
): CellRollup[][] {
  const found = Array.from({ length: indexOf.size }, (): CellRollup[] => []);
  if (cellsAddUp({ aggregation })) {
    for (const sameKind of Map.groupBy(cells, ({ cell }) => kindOf(cell)).values())
      for (const [index, rollup] of sumsOf(sameKind, aggregation, indexOf)) found[index]?.push(rollup);
    return found;
  }
  for (const { cell, places, counts, values, lastAts, lastEvents } of cells)
    for (const [at, place] of places.entries())
      found[indexOf.get(place) ?? -1]?.push({
        ...rollupOf(cell, BigInt(counts[at] ?? '0'), values[at] ?? '0', aggregation),
        ...(lastAts && { lastAt: new Date(lastAts[at] ?? 0), lastEvent: lastEvents?.[at] ?? '' }),
      });
  return found;
}

// Values of events have 12 fraction digits; pricing takes quantities with twice as many.
const digits = 24;

/** The sums of cells by the index of their place, under the name of the first cell. */
function sumsOf(
  cells: readonly CellPlaces[],
  aggregation: Aggregation,
  indexOf: ReadonlyMap<string, number>,
): [number, CellRollup][] {
  const counts = new Map<number, bigint>();
  const sums = new Map<number, bigint>();
  for (const cell of cells)
    for (const [at, place] of cell.places.entries()) {
      const index = indexOf.get(place);
      if (index === undefined) continue;
      counts.set(index, (counts.get(index) ?? 0n) + BigInt(cell.counts[at] ?? '0'));
      sums.set(index, (sums.get(index) ?? 0n) + unitsOf(cell.values[at] ?? '0', digits));
    }
  const name = cells[0]?.cell ?? '';
  return [...counts].map(([index, count]) => [
    index,
    rollupOf(name, count, unitsText(sums.get(index) ?? 0n, digits), aggregation),
  ]);
}

/** A rollup that holds what its meter's aggregation reads. */
const rollupOf = (
  cell: string,
  eventCount: bigint,
  value: string,
  aggregation: Aggregation,
): CellRollup => ({
  cell,
  eventCount,
  sum: aggregation === 'sum' || aggregation === 'avg' ? value : '0',
  max: aggregation === 'max' ? value : '0',
  min: aggregation === 'min' ? value : '0',
  lastValue: aggregation === 'latest' ? value : '0',
  lastAt: neverAt,
  lastEvent: '',
});
const neverAt = new Date(0);
