// The parts that a saved picture needs in addition: on the page, the card shows them in HTML.
import { LegendPlainComponent, TitleComponent } from 'echarts/components';

export const extensions = [LegendPlainComponent, TitleComponent];
