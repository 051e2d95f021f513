// The buttons of a form in a dialog: at the form's end, and always visible, however far the fields above are
// scrolled.
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { dialogEnd } from './Modal.tsx';

export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Stack
      direction="row"
      sx={{
        gap: 1,
        // A long label on a phone gets a row of its own.
        flexWrap: 'wrap',
        justifyContent: 'flex-end',
        position: 'sticky',
        bottom: 0,
        zIndex: 1,
        // Covers the dialog's bottom padding, and the focus rings beside the fields.
        margin: `0 -4px -${dialogEnd}px`,
        padding: `8px 4px ${dialogEnd}px`,
        backgroundColor: (theme) => theme.vars.palette.overlay,
        // Scrolled content fades out instead of being cut off.
        '&::before': {
          content: '""',
          position: 'absolute',
          insetInline: 0,
          bottom: '100%',
          height: 12,
          pointerEvents: 'none',
          background: (theme) => `linear-gradient(to top, ${theme.vars.palette.overlay}, transparent)`,
        },
      }}
    >
      {children}
    </Stack>
  );
}
