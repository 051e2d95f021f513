// What the charts need of Apache ECharts: drawn as SVG, with patterns and words for people who do not see colours.
import { BarChart, PieChart, RadarChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  RadarComponent,
  TooltipComponent,
} from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';

export { init, use } from 'echarts/core';
export const extensions = [
  AriaComponent,
  BarChart,
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  PieChart,
  RadarChart,
  RadarComponent,
  SVGRenderer,
  TooltipComponent,
];
