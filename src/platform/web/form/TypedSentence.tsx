// The meaning of a long form's values, as a sentence below it.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** If there is room, it stays visible while the user types above. */
export function TypedSentence({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Alert
      severity="info"
      role="status"
      sx={{
        '@media (min-height: 640px)': { position: 'sticky', bottom: { xs: '-16px', sm: '-24px' }, zIndex: 1 },
      }}
    >
      <Box component="strong" sx={{ marginInlineEnd: '8px' }}>
        {title}
      </Box>
      {children}
    </Alert>
  );
}
