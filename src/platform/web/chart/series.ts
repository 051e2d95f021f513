// What a chart over time shows: its series, for drawing and in words.

export type TimeSeries = {
  /** Its colour goes by this: a service's id keeps its colour on all pages. */
  readonly key: string;
  readonly label: string;
  /** For drawing only; null is a hole. One for each place. */
  readonly values: readonly (number | null)[];
  /** The exact figures as texts, for the explanation. */
  readonly texts: readonly string[];
  /**
   * 'bar' stacks on the others; 'outline' is the previous period behind the bars;
   * 'forecast' is a dashed bar on top, for what is only expected.
   */
  readonly as?: 'bar' | 'outline' | 'forecast';
  /** Bars below zero are drawn downwards: what was lost. Elsewhere nothing is drawn of them. */
  readonly isSigned?: boolean;
  /** A single series that is no service's: the palette's first colour. */
  readonly colour?: 'brand';
  /** Of a forecast: the range that it may fall into, as a thin line through the bar. */
  readonly band?: readonly ({ readonly low: number; readonly high: number } | null)[];
};

export const kindOf = ({ as = 'bar' }: Pick<TimeSeries, 'as'>) => as;

/** The sum of the bars at each place; `count` places. */
export const sumsOf = (series: readonly Pick<TimeSeries, 'values' | 'as'>[], count: number): number[] =>
  Array.from({ length: count }, (_, index) =>
    series.reduce((sum, one) => (kindOf(one) === 'bar' ? sum + (one.values[index] ?? 0) : sum), 0),
  );

const dwarfing = 20;
/** A bar this many times the median is still read beside the others. */
const dwarfed = 8;

/** The median of the places that have something; 0 without any. */
function medianOf(sums: readonly number[]): number {
  const sorted = sums.filter((sum) => sum > 0).toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** Whether one place dwarfs the rest: it is more than 20 times the median of those that have something. */
export function isDwarfing(sums: readonly number[]): boolean {
  return sums.filter((sum) => sum > 0).length > 2 && Math.max(...sums) > dwarfing * medianOf(sums);
}

/**
 * Where bars are cut off so that the others can be read: a third above the highest that does not dwarf them, counting what is expected;
 * undefined where none dwarfs them.
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

/** To a tenth of its size, so that an axis does not end in a row of digits. */
function roundUp(value: number): number {
  const step = 10 ** (Math.ceil(Math.log10(value)) - 1);
  return Math.ceil(value / step) * step;
}

/** The series whose bar's segment reaches over `value` at a place; undefined above all of them. */
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
