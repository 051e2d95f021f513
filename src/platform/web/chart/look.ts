// The look of charts: the theme's tokens in ECharts' terms, and the system's forced colors.
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTheme } from '@mui/material/styles';
import { useCallback, useMemo } from 'react';
import type { ChartOption } from './engine.ts';

export type ChartLook = ReturnType<typeof useChartLook>;

/** The color of a slot, as a CSS variable that follows the theme. */
export function useChartColour(): (slot: number | 'other') => string {
  const { chart } = useTheme().vars.palette;
  return useCallback(
    (slot) => chart[slot === 'other' ? 'other' : ((((slot - 1) % 7) + 1) as 1 | 2 | 3 | 4 | 5 | 6 | 7)],
    [chart],
  );
}

/**
 * Colors are CSS variables, which SVG supports: a change of the theme, or printing, repaints a chart without
 * a redraw. In forced-colors mode, parts get an outline in the text's color and a pattern.
 */
export function useChartLook() {
  const { vars, typography } = useTheme();
  const isForced = useMediaQuery('(forced-colors: active)', { noSsr: true });
  return useMemo(() => {
    const { palette } = vars;
    return {
      isForced,
      // ECharts inserts it unescaped between double quotes.
      font: (typography.fontFamily ?? 'sans-serif').replaceAll('"', "'"),
      text: isForced ? 'CanvasText' : palette.text.primary,
      quiet: isForced ? 'CanvasText' : palette.text.secondary,
      paper: palette.background.paper,
      grid: isForced ? 'GrayText' : palette.divider,
      /** Separates adjacent parts. */
      edge: isForced ? 'CanvasText' : palette.background.paper,
      other: palette.chart.other,
      first: palette.chart[1],
      hover: palette.action.hover,
      chosen: isForced ? 'transparent' : palette.primary.soft,
      primary: palette.primary.main,
      warning: palette.warning.main,
      overlay: palette.overlay,
      divider: palette.divider,
      shadow: palette.shadow.popover,
    };
  }, [vars, typography.fontFamily, isForced]);
}

/** Patterns that distinguish parts without color, as strips in the page's background color. */
const decals = [
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  {
    symbol: 'circle',
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0],
    ],
    dashArrayY: [6, 0],
    symbolSize: 0.6,
  },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 6], rotation: Math.PI / 4 },
  { symbol: 'none' },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4] },
  {
    symbol: 'rect',
    dashArrayX: [
      [4, 4],
      [0, 4, 4, 0],
    ],
    dashArrayY: [4, 0],
  },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 2 },
].map((decal) => ({ ...decal, color: 'Canvas' }));

/** For parts that must not have a pattern. */
export const plain = (look: ChartLook) => (look.isForced ? { decal: { symbol: 'none' } } : {});

/** The base option of all charts. `description` describes the picture as a whole. */
export const baseOption = (look: ChartLook, description: string): ChartOption => ({
  // Each animation frame would redraw the whole chart.
  animation: false,
  textStyle: { fontFamily: look.font, fontSize: 12, color: look.quiet },
  aria: { enabled: true, label: { enabled: true, description }, decal: { show: look.isForced, decals } },
});
