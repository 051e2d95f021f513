// The ECharts option for shares on radial axes.
import type { ChartOption } from './engine.ts';
import { baseOption, type ChartLook } from './look.ts';

export type RadarAxis = {
  readonly key: string;
  readonly label: string;
  /** The share of the axis, 0 to 1. */
  readonly share: number;
  readonly text: string;
};
export type RadarInput = {
  /** Describes the radar as a whole. */
  readonly description: string;
  readonly axes: readonly RadarAxis[];
  readonly active: number | undefined;
  /** Whether numbers replace the names, which a list beside the shape explains. */
  readonly isNumbered: boolean;
  readonly look: ChartLook;
};

/** The length of an axis, as a share of half the plot's smaller side. */
export const reach = 0.72;
const within = (share: number): number => (Number.isFinite(share) ? Math.min(Math.max(share, 0), 1) : 0);

export function radarOption({ description, axes, active, isNumbered, look }: RadarInput): ChartOption {
  const colour = look.isForced ? 'CanvasText' : look.first;
  return {
    ...baseOption(look, description),
    radar: {
      clockwise: true,
      radius: `${reach * 100}%`,
      splitNumber: 4,
      indicator: axes.map((axis, index) => ({
        name: isNumbered ? String(index + 1) : axis.label,
        max: 1,
        color: active === index ? look.text : look.quiet,
      })),
      axisName: { fontSize: 12 },
      axisNameGap: 8,
      splitArea: { show: false },
      splitLine: { lineStyle: { color: look.grid } },
      axisLine: { lineStyle: { color: look.grid } },
    },
    series: [
      {
        type: 'radar',
        id: 'radar',
        silent: true,
        emphasis: { disabled: true },
        data: [
          {
            value: axes.map((axis) => within(axis.share)),
            symbol: 'circle',
            symbolSize: 7,
            itemStyle: { color: colour },
            lineStyle: { color: colour, width: 2 },
            areaStyle: { color: look.first, opacity: 0.2 },
          },
          {
            // The active axis, as a line from the center.
            value: axes.map((axis, index) => (index === active ? within(axis.share) : 0)),
            symbol: 'none',
            lineStyle: { color: colour, width: active === undefined ? 0 : 5 },
          },
        ],
      },
    ],
  };
}

/** A picture has room for every name, with its figure. */
export const radarPicture = ({ axes, look }: Pick<RadarInput, 'axes' | 'look'>): ChartOption => ({
  legend: { show: false },
  radar: {
    center: ['50%', '56%'],
    radius: '62%',
    axisName: { fontSize: 14 },
    indicator: axes.map((axis) => ({ name: `${axis.label}\n${axis.text}`, max: 1, color: look.text })),
  },
});
