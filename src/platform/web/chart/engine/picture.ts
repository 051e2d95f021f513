// What a saved picture needs beside the chart: on the page the card says it in HTML.
import { LegendPlainComponent, TitleComponent } from 'echarts/components';

export const extensions = [LegendPlainComponent, TitleComponent];
