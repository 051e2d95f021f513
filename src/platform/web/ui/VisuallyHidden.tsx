// Text for screen readers only.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** `live` announces changes of the text politely. */
export function VisuallyHidden({ children, live = false }: { children: ReactNode; live?: boolean }) {
  return (
    <Box
      component="span"
      role={live ? 'status' : undefined}
      sx={{
        position: 'absolute',
        width: '1px',
        height: '1px',
        overflow: 'hidden',
        clipPath: 'inset(50%)',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  );
}
