import Box from '@mui/material/Box';
import Tabs, { type TabsProps } from '@mui/material/Tabs';
import { startTransition, useEffect, useState } from 'react';
import { nextTask } from '../loading/next-task.ts';

/**
 * Tabs in one row, which can be scrolled where there is no room for all. The library measures itself as soon as it is there, and thereby
 * has the browser lay out whatever is new on the page; so they come once the browser has drawn what is around them. Their place is kept
 * meanwhile.
 */
export function ScrollableTabs({ sx, ...tabs }: Omit<TabsProps, 'variant'>) {
  const isDue = useHasBeenDrawn();
  return (
    <Box sx={[{ minHeight: 48, minWidth: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}>
      {isDue && <Tabs variant="scrollable" {...tabs} />}
    </Box>
  );
}

/** Whether the browser has drawn a frame since the component came. */
function useHasBeenDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      // A frame is drawn after its callbacks.
      void nextTask().then(() => startTransition(() => setDrawn(true)));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return isDrawn;
}
