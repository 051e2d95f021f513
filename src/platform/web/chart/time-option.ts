// The ECharts option for a chart over time.
import type { BarSeriesOption } from 'echarts/charts';
import type { ChartOption } from './engine.ts';
import { baseOption, plain, type ChartLook } from './look.ts';
import { kindOf, sumsOf, type TimeSeries } from './series.ts';

export type TimeInput = {
  /** Describes the chart as a whole. */
  readonly description: string;
  readonly places: readonly string[];
  /** The visible series. */
  readonly series: readonly TimeSeries[];
  readonly colours: ReadonlyMap<string, string>;
  readonly flags: readonly (string | undefined)[];
  readonly selected: number | undefined;
  readonly isLog: boolean;
  /** Higher bars are cut off here, with their sum written above; undefined: none is cut off. */
  readonly cutAt: number | undefined;
  readonly isZoomable: boolean;
  readonly formatTick: (value: number) => string;
  /**
   * Builds the tooltip of a place as an element, because the page's security policy forbids inline styles in
   * HTML strings.
   */
  readonly explain: (index: number) => HTMLElement | undefined;
  readonly look: ChartLook;
};

/** From this many places on, a slider is shown below the axis. */
const sliderFrom = 40;
/** Up to this many places, a label is no wider than the space of its bar. */
const roomyUpTo = 12;
/** From this many places on, bars are too narrow for gaps between their segments. */
const gaplessFrom = 60;
/** Bars lie above outlines and below flags. */
const barLayer = 3;
/** All bars of a place share one column. */
const bar = { type: 'bar', silent: true, emphasis: { disabled: true }, barGap: '-100%' } as const;

/**
 * Zero is not drawn: a logarithmic axis has no zero, and elsewhere it would be invisible. Negative values are
 * drawn only if the series is signed.
 */
const drawn = (values: TimeSeries['values'], isSigned = false) =>
  values.map((value) => (value === null || value === 0 || (value < 0 && !isSigned) ? null : value));

export function timeOption(input: TimeInput): ChartOption {
  const { places, isLog, look, isZoomable } = input;
  const hasSlider = isZoomable && places.length >= sliderFrom;
  const across = { type: 'category' as const, data: [...places], axisTick: { show: false } };
  return {
    ...baseOption(look, input.description),
    grid: {
      left: 4,
      right: 8,
      top: 18,
      bottom: hasSlider ? 36 : 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: [
      {
        ...across,
        axisLine: { lineStyle: { color: look.grid } },
        axisLabel: {
          color: look.quiet,
          hideOverlap: true,
          // The latest place is looked at most; where two do not fit, the label before it gives way.
          showMaxLabel: true,
          // With many places the last label would be cut off at the chart's edge; with few, each fits below its bar.
          alignMaxLabel: places.length > roomyUpTo ? 'right' : 'center',
        },
        axisPointer: { type: 'shadow', shadowStyle: { color: look.hover }, label: { show: false } },
      },
      { ...across, show: false, axisPointer: { show: false } },
    ],
    yAxis: {
      type: isLog ? 'log' : 'value',
      splitNumber: 4,
      // Always set explicitly: ECharts keeps the previous value of an omitted option.
      max: input.cutAt,
      axisLabel: {
        color: look.quiet,
        formatter: input.formatTick,
        // The end of a cut axis is not a round number.
        showMaxLabel: input.cutAt === undefined,
      },
      splitLine: { lineStyle: { color: look.grid } },
    },
    tooltip: {
      trigger: 'axis',
      // The tooltip follows the chart's own active place, which both keyboard and pointer move.
      triggerOn: 'none',
      className: 'tip',
      transitionDuration: 0,
      confine: true,
      backgroundColor: look.overlay,
      borderColor: look.divider,
      textStyle: { color: look.text, fontFamily: look.font, fontSize: 13 },
      extraCssText: `box-shadow: ${look.shadow}; max-width: 280px; white-space: normal;`,
      formatter: (shown) => input.explain((Array.isArray(shown) ? shown[0] : shown)?.dataIndex ?? 0) ?? '',
      position: ([x], _shown, _element, _part, { contentSize, viewSize }) => [
        x > viewSize[0] / 2 ? x - contentSize[0] - 12 : x + 12,
        8,
      ],
    },
    ...(isZoomable && zoomOption(look, hasSlider)),
    series: [...outlines(input), ...stacked(input), reference(input)],
  };
}

/**
 * Bars, with forecasts stacked on top by ECharts. On a logarithmic axis ECharts omits bars without a base, so
 * each bar starts at the bottom, and lower ones are drawn over higher ones.
 */
function stacked(input: TimeInput): BarSeriesOption[] {
  const { series, isLog, places } = input;
  const tops = places.map(() => 0);
  const toTop = (value: number | null, index: number): number | null =>
    value === null ? null : (tops[index] = (tops[index] ?? 0) + value);
  const upward = [...series.filter(isBar), ...series.filter((one) => kindOf(one) === 'forecast')];
  return upward.map((one, index) => ({
    ...(isBar(one) ? barOf(one, input) : forecastOf(one, input)),
    stack: isLog ? '' : 'bars',
    data: isLog ? drawn(one.values).map(toTop) : drawn(one.values, one.isSigned),
    z: barLayer + (isLog ? (upward.length - index) / upward.length : 0),
  }));
}

const isBar = (one: TimeSeries): boolean => kindOf(one) === 'bar';
const column = { ...bar, barWidth: '72%', barMaxWidth: 44 };
/** On a separate axis of the same width, because ECharts would place bars of two widths side by side. */
const behind = { ...bar, xAxisIndex: 1, barWidth: '82%', barMaxWidth: 48 };

function barOf(one: TimeSeries, { colours, look, places }: TimeInput): BarSeriesOption {
  return {
    ...column,
    id: one.key,
    name: one.label,
    itemStyle: {
      color: colours.get(one.key) ?? look.first,
      borderColor: look.edge,
      borderWidth: look.isForced ? 1.5 : places.length < gaplessFrom ? 1 : 0,
    },
  };
}

function outlines({ series, look }: TimeInput): BarSeriesOption[] {
  return series
    .filter((one) => kindOf(one) === 'outline')
    .map((one) => ({
      ...behind,
      id: one.key,
      name: one.label,
      z: barLayer - 1,
      data: drawn(one.values),
      itemStyle: {
        color: 'transparent',
        borderColor: look.isForced ? 'CanvasText' : look.other,
        borderWidth: 1.5,
        // A pattern would fill what must look empty.
        ...plain(look),
      },
    }));
}

function forecastOf(one: TimeSeries, { look, isLog }: TimeInput): BarSeriesOption {
  const colour = look.isForced ? 'CanvasText' : look.other;
  return {
    ...column,
    id: one.key,
    name: one.label,
    itemStyle: {
      color: `color-mix(in srgb, ${look.other} 15%, transparent)`,
      borderColor: colour,
      borderType: 'dashed',
      borderWidth: look.isForced ? 1.5 : 1,
      // A pattern would look like an actual value.
      ...plain(look),
    },
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: colour, width: 1.5, type: 'solid' },
      label: { show: false },
      data: (one.band ?? []).flatMap((band, index) =>
        band && band.high > band.low && !(isLog && band.low <= 0)
          ? [[{ coord: [index, band.low] }, { coord: [index, band.high] }]]
          : [],
      ),
    },
  };
}

/** Everything that is not a bar: the selected place, flags above bars, and space for ranges above any bar. */
function reference(input: TimeInput): BarSeriesOption {
  const { series, places, flags, selected, look, cutAt } = input;
  const sums = sumsOf(series, places.length);
  const topOf = (index: number): number => Math.min(sums[index] ?? 0, cutAt ?? Number.POSITIVE_INFINITY);
  const bands = series.flatMap((one) => (one.band ? [one.band] : []));
  return {
    ...behind,
    id: 'reference',
    itemStyle: { opacity: 0, ...plain(look) },
    tooltip: { show: false },
    data: drawn(places.map((_, index) => Math.max(0, ...bands.map((band) => band[index]?.high ?? 0)))),
    markArea: {
      silent: true,
      itemStyle: {
        color: look.chosen,
        ...(look.isForced && { borderColor: 'Highlight', borderWidth: 2 }),
      },
      data: selected === undefined || selected < 0 ? [] : [[{ xAxis: selected }, { xAxis: selected }]],
    },
    markPoint: {
      silent: true,
      symbol: 'diamond',
      symbolSize: 12,
      symbolOffset: [0, -9],
      label: { show: false },
      itemStyle: { color: look.warning, borderColor: look.edge, borderWidth: 1.5 },
      data: [
        ...flags.flatMap((flag, index) =>
          flag === undefined || isCut(sums[index], cutAt)
            ? []
            : [{ name: flag, coord: [index, topOf(index)] }],
        ),
        ...cutMarks(input, sums),
      ],
    },
  };
}

const isCut = (sum: number | undefined, cutAt: number | undefined): boolean =>
  cutAt !== undefined && (sum ?? 0) > cutAt;

/** An arrow on each bar that is cut off, with its sum next to it. */
function cutMarks({ places, cutAt, look, formatTick }: TimeInput, sums: readonly number[]) {
  if (cutAt === undefined) return [];
  return sums.flatMap((sum, index) =>
    isCut(sum, cutAt)
      ? [
          {
            name: formatTick(sum),
            coord: [index, cutAt],
            symbol: 'triangle',
            symbolSize: 9,
            symbolOffset: [0, -7] as [number, number],
            itemStyle: { color: look.isForced ? 'CanvasText' : look.quiet },
            label: {
              show: true,
              formatter: '{b}',
              color: look.text,
              fontWeight: 700 as const,
              position: index > places.length / 2 ? ('left' as const) : ('right' as const),
            },
          },
        ]
      : [],
  );
}

function zoomOption(look: ChartLook, hasSlider: boolean): Pick<ChartOption, 'dataZoom' | 'brush'> {
  const both = { xAxisIndex: [0, 1] };
  return {
    dataZoom: [
      // The wheel without a modifier key scrolls the page.
      {
        ...both,
        id: 'inside',
        type: 'inside',
        zoomOnMouseWheel: 'ctrl',
        moveOnMouseMove: false,
        moveOnMouseWheel: false,
      },
      ...(hasSlider
        ? [
            {
              ...both,
              id: 'slider',
              type: 'slider' as const,
              height: 22,
              bottom: 4,
              left: 8,
              right: 8,
              showDetail: false,
              brushSelect: false,
              backgroundColor: 'transparent',
              borderColor: look.divider,
              fillerColor: look.hover,
              handleStyle: { color: look.paper, borderColor: look.primary },
              moveHandleStyle: { color: look.primary, opacity: 0.4 },
              dataBackground: {
                lineStyle: { color: look.other },
                areaStyle: { color: look.other, opacity: 0.2 },
              },
              selectedDataBackground: {
                lineStyle: { color: look.primary },
                areaStyle: { color: look.primary, opacity: 0.2 },
              },
            },
          ]
        : []),
    ],
    brush: {
      xAxisIndex: 0,
      toolbox: [],
      brushType: 'lineX',
      transformable: false,
      brushStyle: { color: look.hover, borderColor: look.primary, borderWidth: 1 },
      // The brush only selects a range; it must not change the bars.
      seriesIndex: [],
      outOfBrush: {},
    },
  };
}
