// What all charts share: colours, the legend, the floating explanation, and the measured width.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useTheme } from '@mui/material/styles';
import { useCallback, useState, type KeyboardEvent, type ReactNode } from 'react';
import { nextPlace } from './places.ts';

/** The colour of a slot, as a CSS variable that follows the theme. */
export function useChartColour(): (slot: number | 'other') => string {
  const { chart } = useTheme().vars.palette;
  return useCallback(
    (slot) => chart[slot === 'other' ? 'other' : ((((slot - 1) % 7) + 1) as 1 | 2 | 3 | 4 | 5 | 6 | 7)],
    [chart],
  );
}

/** The element's size in pixels, 0 until it is known. */
export function useSize(): [
  ref: (element: HTMLElement | null) => (() => void) | undefined,
  width: number,
  height: number,
] {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size.width, size.height];
}

/** The part of a chart that is looked at: arrows, Home and End move through `count` parts, Enter chooses one, Escape leaves it. */
export function useParts(count: number, onSelect?: (index: number) => void) {
  const [active, setActive] = useState<number>();
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextPlace(event.key, active, count);
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    }
    if (event.key === 'Enter' && active !== undefined) onSelect?.(active);
    if (event.key === 'Escape') setActive(undefined);
  };
  return {
    active,
    setActive,
    keyboard: { role: 'application', tabIndex: 0, onKeyDown, onBlur: () => setActive(undefined) } as const,
  };
}

export type LegendItem = {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly shape?: 'square' | 'line' | 'outline' | 'dashed' | 'diamond';
  readonly note?: string;
};

/** Names the series; a click hides or shows one, when `onToggle` is given. */
export function Legend({
  items,
  hidden,
  onToggle,
}: {
  items: readonly LegendItem[];
  hidden?: ReadonlySet<string>;
  onToggle?: (key: string) => void;
}) {
  return (
    <Stack
      direction="row"
      component="ul"
      sx={{
        flexWrap: 'wrap',
        gap: '2px 12px',
        listStyle: 'none',
        margin: 0,
        padding: 0,
        fontSize: '0.8125rem',
        lineHeight: 20 / 13,
      }}
    >
      {items.map((item) => {
        const isOff = hidden?.has(item.key) ?? false;
        const inside = (
          <>
            <Swatch item={item} isOff={isOff} />
            {item.label}
            {item.note !== undefined && (
              <Box component="span" sx={{ color: 'text.secondary' }} className="tabular">
                {item.note}
              </Box>
            )}
          </>
        );
        return (
          <li key={item.key}>
            {onToggle ? (
              <Box
                component="button"
                type="button"
                aria-pressed={!isOff}
                onClick={() => onToggle(item.key)}
                sx={{
                  all: 'unset',
                  display: 'inline-flex',
                  alignItems: 'center',
                  gap: '6px',
                  cursor: 'pointer',
                  padding: '2px 4px',
                  minHeight: 24,
                  borderRadius: '4px',
                  color: isOff ? 'text.secondary' : 'text.primary',
                  textDecoration: isOff ? 'line-through' : 'none',
                  '&:focus-visible': { outline: '2px solid', outlineColor: 'focusRing' },
                  '@media (pointer: coarse)': { minHeight: 44 },
                }}
              >
                {inside}
              </Box>
            ) : (
              <Box
                component="span"
                sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', minHeight: 24 }}
              >
                {inside}
              </Box>
            )}
          </li>
        );
      })}
    </Stack>
  );
}

function Swatch({ item, isOff }: { item: LegendItem; isOff: boolean }) {
  const shape = item.shape ?? 'square';
  const look = {
    square: {
      width: 12,
      height: 12,
      backgroundColor: isOff ? 'transparent' : item.colour,
      border: `1px solid ${item.colour}`,
    },
    outline: { width: 12, height: 12, border: `1.5px solid ${item.colour}` },
    diamond: {
      width: 9,
      height: 9,
      margin: '0 2px',
      backgroundColor: item.colour,
      transform: 'rotate(45deg)',
    },
    line: { width: 16, height: 0, borderTop: `2.5px solid ${item.colour}` },
    dashed: { width: 16, height: 0, borderTop: `2.5px dashed ${item.colour}` },
  }[shape];
  return (
    <Box
      component="span"
      aria-hidden
      data-swatch=""
      sx={{
        flexShrink: 0,
        borderRadius: shape === 'line' || shape === 'dashed' ? 0 : '3px',
        ...look,
        forcedColorAdjust: 'none',
      }}
    />
  );
}

/** The explanation beside the pointer or the bar that the keyboard is on. */
export function Explanation({
  x,
  y,
  width,
  children,
}: {
  x: number;
  y: number;
  width: number;
  children: ReactNode;
}) {
  const isRight = x > width / 2;
  return (
    <Box
      aria-hidden
      sx={(theme) => ({
        position: 'absolute',
        top: y,
        ...(isRight ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` }),
        pointerEvents: 'none',
        zIndex: 1,
        maxWidth: 280,
        padding: '8px 12px',
        borderRadius: '5px',
        fontSize: '0.8125rem',
        lineHeight: 1.5,
        backgroundColor: theme.vars.palette.overlay,
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: theme.vars.palette.shadow.popover,
      })}
    >
      {children}
    </Box>
  );
}
