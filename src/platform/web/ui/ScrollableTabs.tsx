import Box from '@mui/material/Box';
import Tabs, { type TabsProps } from '@mui/material/Tabs';
import { useDeferredValue } from 'react';

/**
 * Tabs in one row, which can be scrolled where there is no room for all. The library measures the whole page as soon as they are on it, so they
 * come in a render of their own, after what is around them; their place is kept meanwhile.
 */
export function ScrollableTabs({ sx, ...tabs }: Omit<TabsProps, 'variant'>) {
  const isDue = useDeferredValue(true, false);
  return (
    <Box sx={[{ minHeight: 48, minWidth: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}>
      {isDue && <Tabs variant="scrollable" {...tabs} />}
    </Box>
  );
}
