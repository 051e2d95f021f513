// Shared by all charts: keyboard navigation from part to part, and the legend.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Drawn, Point } from './engine.ts';
import { nextPlace } from './keyboard-window.ts';

/**
 * The active part of a chart: arrows, Home and End move through `count` parts, Enter selects one, Escape
 * leaves. `onKey` can handle other keys, and returns whether it did.
 */
export function useParts(
  count: number,
  {
    onSelect,
    onKey,
  }: {
    readonly onSelect?: ((index: number) => void) | undefined;
    readonly onKey?: (key: string, active: number | undefined) => boolean;
  },
) {
  const [active, setActive] = useState<number>();
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextPlace(event.key, active, count);
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    }
    if (event.key === 'Enter' && active !== undefined) onSelect?.(active);
    if (event.key === 'Escape') setActive(undefined);
    if (!event.ctrlKey && !event.metaKey && onKey?.(event.key, active)) event.preventDefault();
  };
  return {
    active,
    setActive,
    keyboard: { role: 'application', tabIndex: 0, onKeyDown, onBlur: () => setActive(undefined) } as const,
  };
}

/**
 * A round chart and its list: side by side in `columns` if the card itself is wide enough for both, regardless
 * of the window.
 */
export function BesideList({ columns, children }: { columns?: string | undefined; children: ReactNode }) {
  return (
    <Box sx={{ containerType: 'inline-size' }}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'center',
          gridTemplateColumns: 'minmax(0, 1fr)',
          ...(columns !== undefined && {
            '@container (min-width: 480px)': { gridTemplateColumns: columns },
          }),
        }}
      >
        {children}
      </Box>
    </Box>
  );
}

/**
 * A point of a round chart relative to its center, in units of its radius: `reach` of half the plot's smaller
 * side.
 */
export function fromCentre(chart: Drawn, [x, y]: Point, reach: number): Point {
  const [width, height] = [chart.getWidth(), chart.getHeight()];
  const radius = (Math.min(width, height) / 2) * reach;
  return [(x - width / 2) / radius, (y - height / 2) / radius];
}

export type LegendItem = {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly shape?: 'square' | 'outline' | 'dashed' | 'diamond' | 'line';
};

/** Lists the series; with `onToggle`, a click hides or shows one. */
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
    line: { width: 0, height: 14, margin: '0 4px', borderInlineStart: `2px solid ${item.colour}` },
    dashed: { width: 16, height: 0, borderTop: `2.5px dashed ${item.colour}` },
  }[shape];
  return (
    <Box
      component="span"
      aria-hidden
      data-swatch=""
      sx={{
        flexShrink: 0,
        borderRadius: shape === 'dashed' || shape === 'line' ? 0 : '3px',
        ...look,
        forcedColorAdjust: 'none',
      }}
    />
  );
}
