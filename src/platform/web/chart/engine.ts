// Apache ECharts in parts, each loaded once and only when a chart needs it, so that no page waits for it.
import type { BarSeriesOption, PieSeriesOption, RadarSeriesOption } from 'echarts/charts';
import type {
  AriaComponentOption,
  BrushComponentOption,
  DataZoomComponentOption,
  GridComponentOption,
  LegendComponentOption,
  RadarComponentOption,
  TitleComponentOption,
  TooltipComponentOption,
} from 'echarts/components';
import type { ComposeOption, EChartsType } from 'echarts/core';

export type Engine = typeof import('./engine/charts.ts');
/** A drawn chart. */
export type Drawn = EChartsType;
/** A point of a chart; in pixels of its plot unless said otherwise. */
export type Point = readonly [x: number, y: number];
export type ChartOption = ComposeOption<
  | AriaComponentOption
  | BarSeriesOption
  | BrushComponentOption
  | DataZoomComponentOption
  | GridComponentOption
  | LegendComponentOption
  | PieSeriesOption
  | RadarComponentOption
  | RadarSeriesOption
  | TitleComponentOption
  | TooltipComponentOption
>;

const extras = { zoom: () => import('./engine/zoom.ts'), picture: () => import('./engine/picture.ts') };

/** Loads ECharts, and the named extras; rejects when they cannot be loaded. */
export async function loadEngine(...names: readonly (keyof typeof extras)[]): Promise<Engine> {
  const [engine, ...wanted] = await Promise.all([
    import('./engine/charts.ts'),
    ...names.map((name) => extras[name]()),
  ]);
  engine.use([engine, ...wanted].flatMap((part) => part.extensions));
  return engine;
}
