// A bill with the balance beside it. Either may be taller: the bill's details directly follow its head, so
// that no gap is left. On phones the balance comes after both: what a bill consists of belongs to its head.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export function BesideBalance({
  head,
  aside,
  children,
}: {
  readonly head: ReactNode;
  /** The balance; null if it is beside another bill. */
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
        // Any extra height of the balance goes below the lines.
        gridTemplateRows: { lg: 'auto 1fr' },
        alignItems: 'start',
        '@media print': { gridTemplateColumns: 'minmax(0, 1fr)' },
      }}
    >
      {head}
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
      {hasAside && (
        <Box
          sx={{
            minWidth: 0,
            gridColumn: { lg: 2 },
            gridRow: { lg: '1 / span 2' },
            // Beside a long bill, the balance, what is due and the buttons stay in sight. Of a card with automatic
            // top-ups and a credit limit, which is 760 px high, the limit is below a window lower than 900 px.
            '@media (min-width: 1200px) and (min-height: 800px)': { position: 'sticky', top: 88 },
          }}
        >
          {aside}
        </Box>
      )}
    </Box>
  );
}
