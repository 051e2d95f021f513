// The parts of Apache ECharts that the charts need: SVG rendering, and patterns and texts for people who
// cannot distinguish colors.
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
