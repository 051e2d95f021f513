// Names and values side by side: account facts, bill heads.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export function Facts({ items }: { items: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: 'minmax(104px, 34%) minmax(0, 1fr)',
          sm: 'fit-content(55%) minmax(0, 1fr)',
        },
        gap: '10px 24px',
        margin: 0,
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
      }}
    >
      {items.map(([label, value]) => (
        <Box key={label} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="dd" sx={{ margin: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
