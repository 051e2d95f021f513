// The series of a chart over time, for drawing and as text.

export type TimeSeries = {
  /** Determines the color: a service's id keeps its color on all pages. */
  readonly key: string;
  readonly label: string;
  /** For drawing only, one per place; null is a gap. */
  readonly values: readonly (number | null)[];
  /** The exact figures as texts, for the tooltip. */
  readonly texts: readonly string[];
  /**
   * 'bar' is stacked; 'outline' is the previous period behind the bars; 'forecast' is a dashed bar on top,
   * for expected values.
   */
  readonly as?: 'bar' | 'outline' | 'forecast';
  /** Whether negative values are drawn downward, as losses. Otherwise they are not drawn. */
  readonly isSigned?: boolean;
  /** For a single series that is not a service's: the palette's first color. */
  readonly colour?: 'brand';
  /** For a forecast: its range, as a thin line through the bar. */
  readonly band?: readonly ({ readonly low: number; readonly high: number } | null)[];
};

export const kindOf = ({ as = 'bar' }: Pick<TimeSeries, 'as'>) => as;

/** The sum of the bars at each of `count` places. */
export const sumsOf = (series: readonly Pick<TimeSeries, 'values' | 'as'>[], count: number): number[] =>
  Array.from({ length: count }, (_, index) =>
    series.reduce((sum, one) => (kindOf(one) === 'bar' ? sum + (one.values[index] ?? 0) : sum), 0),
  );

const dwarfing = 20;
/** A bar that is this many times the median does not yet dwarf the others. */
const dwarfed = 8;

/** The median of the nonzero places; 0 if there are none. */
function medianOf(sums: readonly number[]): number {
  const sorted = sums.filter((sum) => sum > 0).toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** Whether one place dwarfs the rest: it exceeds 20 times the median of the nonzero places. */
export function isDwarfing(sums: readonly number[]): boolean {
  return sums.filter((sum) => sum > 0).length > 2 && Math.max(...sums) > dwarfing * medianOf(sums);
}

/**
 * The height at which bars are cut off so that the others remain readable: a third above the highest that
 * does not dwarf them, including forecasts; undefined if none dwarfs them.
 */
export function cutHeight(
  series: readonly Pick<TimeSeries, 'values' | 'as' | 'band'>[],
  count: number,
): number | undefined {
  const sums = sumsOf(series, count);
  if (!isDwarfing(sums)) return undefined;
  const besides = series.flatMap((one) => [
    ...(kindOf(one) === 'bar' ? [] : one.values.map((value) => value ?? 0)),
    ...(one.band ?? []).map((band) => band?.high ?? 0),
  ]);
  const middle = medianOf(sums);
  const readable = [...sums, ...besides].filter((value) => value <= dwarfed * middle);
  return roundUp((Math.max(...readable) * 4) / 3);
}

/** Rounds up to a tenth of its magnitude, so that the axis ends in a round number. */
function roundUp(value: number): number {
  const step = 10 ** (Math.ceil(Math.log10(value)) - 1);
  return Math.ceil(value / step) * step;
}

/** The series whose segment contains `value` at a place; undefined above all of them. */
export function seriesAt(
  series: readonly Pick<TimeSeries, 'key' | 'values' | 'as'>[],
  index: number,
  value: number,
): string | undefined {
  let top = 0;
  return series.find((one) => {
    if (kindOf(one) !== 'bar') return false;
    const from = top;
    top += Math.max(one.values[index] ?? 0, 0);
    return value >= from && value < top;
  })?.key;
}
