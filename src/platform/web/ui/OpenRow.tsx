// A row's name as a button that opens the row, for keyboards and screen readers; a click anywhere in the row
// does the same.
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';

/**
 * `isExpanded`: whether the row's details are visible; `isPanel`: whether they are in a dialog (the default),
 * or elsewhere on a page.
 */
export function OpenRow({
  onOpen,
  isExpanded,
  isPanel = isExpanded === undefined,
  children,
}: {
  onOpen: () => void;
  isExpanded?: boolean;
  isPanel?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <Link
      component="button"
      type="button"
      aria-haspopup={isPanel ? 'dialog' : undefined}
      aria-expanded={isExpanded}
      underline="hover"
      onClick={onOpen}
      sx={{
        font: 'inherit',
        textAlign: 'start',
        overflowWrap: 'anywhere',
        verticalAlign: 'baseline',
        '@media (pointer: coarse)': { minHeight: 44, minWidth: 44 },
      }}
    >
      {children}
    </Link>
  );
}
