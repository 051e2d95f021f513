// The history of something, step by step along a line.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Contains a {@link TimelineStep} for each event, oldest first. */
export function Timeline({ children }: { readonly children: ReactNode }) {
  return (
    <Box
      component="ol"
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        borderInlineStart: '2px solid',
        borderColor: 'divider',
        marginInlineStart: '6px',
      }}
    >
      {children}
    </Box>
  );
}

export function TimelineStep({ children }: { readonly children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        paddingInlineStart: '18px',
        paddingBlock: '6px',
        '&::before': {
          content: '""',
          position: 'absolute',
          insetInlineStart: '-6px',
          top: '13px',
          width: 10,
          height: 10,
          borderRadius: '50%',
          backgroundColor: 'primary.main',
        },
      }}
    >
      {children}
    </Box>
  );
}
