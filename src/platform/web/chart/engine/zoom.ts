// Zooming into a long chart with the wheel, two fingers, a slider or by drawing a range.
import { BrushComponent, DataZoomInsideComponent, DataZoomSliderComponent } from 'echarts/components';

export const extensions = [BrushComponent, DataZoomInsideComponent, DataZoomSliderComponent];
