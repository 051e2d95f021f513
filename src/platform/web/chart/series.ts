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
   * 'bar' stacks on the others; 'line' runs above; 'outline' is the previous period behind the bars;
   * 'forecast' is a dashed bar on top, for what is only expected.
   */
  readonly as?: 'bar' | 'line' | 'outline' | 'forecast';
  /** A single series that is no service's: the palette's first colour. */
  readonly colour?: 'brand';
  /** Of a forecast: the range that it may fall into, as a thin line through the bar. */
  readonly band?: readonly ({ readonly low: number; readonly high: number } | null)[];
};
