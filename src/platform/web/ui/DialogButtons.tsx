// The buttons of a form in a dialog: at the form's end; on a phone, where a dialog fills the screen, at the
// bottom of the screen.
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';

export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end' }}>
      {children}
    </Stack>
  );
}
