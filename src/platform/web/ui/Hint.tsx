// The tooltip of an icon button, shown on hover and keyboard focus; light enough for the first screen and for
// every row of a list.
import Box from '@mui/material/Box';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';

export type HintProps = {
  /** The same text as the button's aria-label, so screen readers do not need the tooltip. */
  readonly text: string;
  readonly children: ReactNode;
};

const gap = 6;
/** Closer than this to an edge of the window, the tooltip is aligned with the button's side. */
const nearPx = 120;
/**
 * The delay of the tooltip, so that it does not appear when the pointer only passes over the button, and does
 * not delay a click.
 */
const restMs = 300;

/** Below the button; above it near the bottom of the window. */
function placeBy({ left, right, top, bottom }: DOMRect): CSSProperties {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const centre = (left + right) / 2;
  return {
    ...(bottom > height - 60 ? { bottom: height - top + gap } : { top: bottom + gap }),
    ...(centre > width - nearPx
      ? { right: width - right }
      : centre < nearPx
        ? { left }
        : { left: centre, transform: 'translateX(-50%)' }),
  };
}

/** The tooltip is in the browser's top layer, so that no neighbor covers it and no list clips it. */
export function Hint({ text, children }: HintProps) {
  const [place, setPlace] = useState<CSSProperties>();
  const waiting = useRef<number>(undefined);
  const open = (button: Element) => {
    clearTimeout(waiting.current);
    waiting.current = window.setTimeout(() => setPlace(placeBy(button.getBoundingClientRect())), restMs);
  };
  const close = () => {
    clearTimeout(waiting.current);
    setPlace(undefined);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex' }}
      onMouseEnter={(event) => open(event.currentTarget)}
      onMouseLeave={close}
      onFocus={(event) => (event.target.matches(':focus-visible') ? open(event.currentTarget) : close())}
      onBlur={close}
      onClick={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {children}
      {place && (
        <Box
          component="span"
          aria-hidden
          data-hint=""
          popover="manual"
          ref={(bubble: HTMLElement | null) => bubble?.showPopover()}
          style={place}
          sx={{
            inset: 'auto',
            margin: 0,
            border: 0,
            padding: '4px 8px',
            borderRadius: '5px',
            width: 'max-content',
            maxWidth: 'min(320px, 90vw)',
            fontSize: '0.8125rem',
            fontWeight: 400,
            lineHeight: 1.5,
            bgcolor: 'text.primary',
            color: 'background.paper',
            pointerEvents: 'none',
          }}
        >
          {text}
        </Box>
      )}
    </Box>
  );
}
