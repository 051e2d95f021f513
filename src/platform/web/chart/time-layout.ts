// Where everything of a chart over time stands, in pixels.
import { labelStep, niceTicks, stack, textWidth } from './scale.ts';
import type { TimeSeries } from './series.ts';

export type TimeLayout = ReturnType<typeof layOut>;

const top = 8;
const bottom = 26;

export type LayoutInput = {
  readonly width: number;
  readonly series: readonly Pick<TimeSeries, 'values' | 'as' | 'band'>[];
  readonly places: readonly string[];
  readonly marks: readonly { readonly value: number; readonly label: string }[];
  readonly formatTick: (value: number) => string;
};

/** Heights are shares of the plot (0 at its top, 1 at its bottom), so that the drawing can have any height. */
export function layOut({ width, series, places, marks, formatTick }: LayoutInput) {
  const count = places.length;
  const of = (kind: TimeSeries['as']) =>
    series.filter((one) => (one.as ?? 'bar') === kind).map((one) => one.values.map((value) => value ?? 0));
  const bars = stack(of('bar'), count);
  const sums = Array.from({ length: count }, (_, index) => bars.at(-1)?.[index]?.to ?? 0);
  const forecast = stack([sums, ...of('forecast')], count).slice(1);
  const bands = series.flatMap((one) => (one.band ?? []).map((band) => band?.high ?? 0));
  const tallest = Math.max(
    0,
    ...sums,
    ...forecast.flat().map((one) => one.to),
    ...of('line').flat(),
    ...of('outline').flat(),
    ...bands,
    ...marks.map((mark) => mark.value),
  );
  const ticks = niceTicks(tallest).map((value) => ({ value, label: formatTick(value) }));
  const left = Math.ceil(Math.max(24, ...ticks.map((tick) => textWidth(tick.label)))) + 10;
  const plotWidth = Math.max(width - left - 4, 0);
  const band = count > 0 ? plotWidth / count : plotWidth;
  const most = ticks.at(-1)?.value ?? 1;
  const every = labelStep(Math.max(0, ...places.map((place) => textWidth(place))) + 10, band);
  return {
    width,
    top,
    bottom,
    left,
    plotWidth,
    band,
    ticks,
    bars,
    forecast,
    barWidth: Math.max(1, Math.min(band * 0.72, 44)),
    /** Middle of a place, from the left edge. */
    centre: (index: number): number => left + band * (index + 0.5),
    /** 1 at the bottom for 0, 0 at the top for the highest tick. */
    share: (value: number): number => 1 - Math.min(Math.max(value / most, 0), 1),
    /** The row of bars at a place, by how far down the plot (0 at its top) it is; undefined above and below them. */
    barAt: (index: number, down: number): number | undefined => {
      const value = (1 - down) * most;
      const row = bars.findIndex((places) => {
        const bar = places[index];
        return bar !== undefined && value >= bar.from && value < bar.to;
      });
      return row < 0 ? undefined : row;
    },
    /** The place under a pointer. */
    placeAt: (x: number): number | undefined =>
      count === 0 || x < left || x > left + plotWidth
        ? undefined
        : Math.min(Math.floor((x - left) / band), count - 1),
    /** Whether a place has its name below the axis: as many as have room, and none beyond the edge. */
    isLabelled: (index: number): boolean =>
      index % every === 0 && left + band * (index + 0.5) + textWidth(places[index] ?? '') / 2 <= width,
    marks,
  };
}
