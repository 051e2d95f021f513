// A window over the places of a long chart, chosen with the wheel, two fingers, a slider or by drawing a range.
import { BrushComponent, DataZoomInsideComponent, DataZoomSliderComponent } from 'echarts/components';

export const extensions = [BrushComponent, DataZoomInsideComponent, DataZoomSliderComponent];
