// What opens a row, for keyboards and screen readers: its name as a button; a click anywhere in the row does the same.
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';

/** `isExpanded`: what it opens stands below it. */
export function OpenRow({
  onOpen,
  isExpanded,
  children,
}: {
  onOpen: () => void;
  isExpanded?: boolean;
  children: ReactNode;
}) {
  return (
    <Link
      component="button"
      type="button"
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
