// Names and values side by side: account facts, bill heads.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { NoWrap, Words } from './NoWrap.tsx';

/** Set by panels: the least width of the names, so that the lists of facts in one panel line up. */
export const labelWidth = '--facts-label-width';

type FactsProps = {
  /** `below`: on phones, this value is below its name. */
  readonly items: readonly (readonly [label: string, value: ReactNode, place?: 'below'])[];
  /** On phones, values are below their names: long addresses would wrap into many lines beside them. */
  readonly wide?: boolean;
  /** The values are amounts that add up: they stand below each other at the right. */
  readonly amounts?: boolean;
};

export function Facts({ items, wide = false, amounts = false }: FactsProps) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: wide ? 'minmax(0, 1fr)' : 'minmax(104px, 34%) minmax(0, 1fr)',
          sm: 'fit-content(55%) minmax(0, 1fr)',
        },
        gap: { xs: wide ? '4px' : '10px 24px', sm: '10px 24px' },
        ...(amounts && { gridTemplateColumns: 'minmax(0, 1fr) auto', '& dd': { textAlign: 'end' } }),
        ...(wide && { '& > div + div > dt': { marginTop: { xs: '8px', sm: 0 } } }),
        margin: 0,
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
      }}
    >
      {items.map(([label, value, place]) => (
        <Box
          key={label}
          sx={{
            display: 'contents',
            ...(place === 'below' && {
              '& > *': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
              '& > dd': { marginTop: { xs: '-6px', sm: 0 } },
            }),
          }}
        >
          <Box
            component="dt"
            sx={{
              color: 'text.secondary',
              ...(!amounts && { minWidth: { sm: `var(${labelWidth}, 0)` } }),
            }}
          >
            <NoWrap text={label} />
          </Box>
          <Box component="dd" sx={{ margin: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
            <Words>{value}</Words>
          </Box>
        </Box>
      ))}
    </Box>
  );
}
