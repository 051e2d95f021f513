// The name of an icon button, shown below it on hover and keyboard focus; light enough for the first screen.
import Box from '@mui/material/Box';
import { useState, type ReactNode } from 'react';

export type HintProps = {
  /** The same words as the button's aria-label: screen readers have them already. */
  readonly text: string;
  /** Which edge of the button the bubble keeps to. */
  readonly align?: 'start' | 'center' | 'end';
  readonly children: ReactNode;
};

const edges = {
  start: { insetInlineStart: 0 },
  center: { left: '50%', transform: 'translateX(-50%)' },
  end: { insetInlineEnd: 0 },
} as const;

/** For bars at the top of the window; elsewhere MUI's Tooltip finds its own place. */
export function Hint({ text, align = 'center', children }: HintProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Box
      component="span"
      sx={{ position: 'relative', display: 'inline-flex' }}
      onMouseEnter={() => setIsOpen(true)}
      onMouseLeave={() => setIsOpen(false)}
      onFocus={(event) => setIsOpen(event.target.matches(':focus-visible'))}
      onBlur={() => setIsOpen(false)}
      onClick={() => setIsOpen(false)}
      onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
    >
      {children}
      {isOpen && (
        <Box
          component="span"
          aria-hidden
          sx={{
            position: 'absolute', top: 'calc(100% + 6px)', ...edges[align], zIndex: 'tooltip', padding: '4px 8px', borderRadius: '5px', whiteSpace: 'nowrap',
            fontSize: '0.8125rem', lineHeight: 1.5, bgcolor: 'text.primary', color: 'background.paper', pointerEvents: 'none',
            animation: 'hint 0s 300ms both', '@keyframes hint': { from: { visibility: 'hidden' }, to: { visibility: 'visible' } },
          }}
        >
          {text}
        </Box>
      )}
    </Box>
  );
}
