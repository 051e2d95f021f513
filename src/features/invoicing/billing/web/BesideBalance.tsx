// A bill and the balance beside it, either of which may be the taller: below the bill's head follows what belongs to it, so no room is left between.
// On phones the balance comes after the head.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export function BesideBalance({
  head,
  aside,
  children,
}: {
  readonly head: ReactNode;
  /** The balance; nothing where it stands beside another bill. */
  readonly aside: ReactNode;
  readonly children: ReactNode;
}) {
  const hasAside = aside !== false && aside !== null && aside !== undefined;
  const gap = { xs: 2, sm: 3 };
  return (
    <Box
      className="whole"
      sx={{
        display: 'grid',
        gap,
        minWidth: 0,
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          lg: hasAside ? 'minmax(0, 8fr) minmax(0, 4fr)' : 'minmax(0, 1fr)',
        },
        // What the balance needs more goes below the lines.
        gridTemplateRows: { lg: 'auto 1fr' },
        alignItems: 'start',
        '@media print': { gridTemplateColumns: 'minmax(0, 1fr)' },
      }}
    >
      {head}
      {hasAside && (
        <Box sx={{ minWidth: 0, gridColumn: { lg: 2 }, gridRow: { lg: '1 / span 2' } }}>{aside}</Box>
      )}
      <Box
        sx={{
          display: 'grid',
          gap,
          minWidth: 0,
          gridTemplateColumns: 'minmax(0, 1fr)',
          '&:empty': { display: 'none' },
        }}
      >
        {children}
      </Box>
    </Box>
  );
}
