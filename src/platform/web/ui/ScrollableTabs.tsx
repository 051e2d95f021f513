import Box from '@mui/material/Box';
import Tabs, { type TabsProps } from '@mui/material/Tabs';
import { startTransition, useEffect, useState } from 'react';
import { nextTask } from '../loading/next-task.ts';

/**
 * Tabs in one row that scrolls if there is not enough room. The library measures itself when it mounts, which
 * forces a layout of everything new on the page; so the tabs are mounted after the browser has drawn the
 * rest. Their space is reserved meanwhile.
 */
export function ScrollableTabs({ sx, ...tabs }: Omit<TabsProps, 'variant'>) {
  const isDue = useHasBeenDrawn();
  return (
    <Box sx={[{ minHeight: 48, minWidth: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}>
      {isDue && <Tabs variant="scrollable" {...tabs} />}
    </Box>
  );
}

/** Whether the browser has drawn a frame since the component was mounted. */
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
