// How charts look: the theme's tokens as ECharts takes them, and the system's own colours.
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTheme } from '@mui/material/styles';
import { useCallback, useMemo } from 'react';
import type { ChartOption } from './engine.ts';

export type ChartLook = ReturnType<typeof useChartLook>;

/** The colour of a slot, as a CSS variable that follows the theme. */
export function useChartColour(): (slot: number | 'other') => string {
  const { chart } = useTheme().vars.palette;
  return useCallback(
    (slot) => chart[slot === 'other' ? 'other' : ((((slot - 1) % 7) + 1) as 1 | 2 | 3 | 4 | 5 | 6 | 7)],
    [chart],
  );
}

/**
 * Colours are CSS variables, which SVG takes as they are: a change of the theme, or paper, repaints a chart without drawing it anew.
 * Where the system forces its own colours, parts get an edge in the text's colour and a pattern.
 */
export function useChartLook() {
  const { vars, typography } = useTheme();
  const isForced = useMediaQuery('(forced-colors: active)', { noSsr: true });
  return useMemo(() => {
    const { palette } = vars;
    return {
      isForced,
      // ECharts writes it between double quotes, and as it is.
      font: (typography.fontFamily ?? 'sans-serif').replaceAll('"', "'"),
      text: isForced ? 'CanvasText' : palette.text.primary,
      quiet: isForced ? 'CanvasText' : palette.text.secondary,
      paper: palette.background.paper,
      grid: isForced ? 'GrayText' : palette.divider,
      /** Between parts that touch. */
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

/** Patterns that tell parts apart without colour, as strips of the page's own background. */
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

/** For parts that are to stay without a pattern. */
export const plain = (look: ChartLook) => (look.isForced ? { decal: { symbol: 'none' } } : {});

/** What all charts have in common. `description` is said of the picture as a whole. */
export const baseOption = (look: ChartLook, description: string): ChartOption => ({
  // Each frame of a movement would draw the whole chart anew.
  animation: false,
  textStyle: { fontFamily: look.font, fontSize: 12, color: look.quiet },
  aria: { enabled: true, label: { enabled: true, description }, decal: { show: look.isForced, decals } },
});
