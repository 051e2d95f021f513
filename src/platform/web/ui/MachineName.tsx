// An identifier that programs use: the name of a meter, an event type, a job.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { withLineBreaks } from './line-breaks.tsx';

/** A name that wraps after dots and underscores and before capitals: `org.finops.focus.usage`, `WriteCapacityUnit-Hours`. */
export const brokenAtParts = (name: string): ReactNode =>
  withLineBreaks(name.split(/(?<=[._])|(?<=[a-z])(?=[A-Z])/));

export function MachineName({ children }: { children: ReactNode }) {
  return (
    <Box
      component="code"
      sx={{ fontSize: '0.8125rem', lineHeight: 1, overflowWrap: 'anywhere', wordBreak: 'normal' }}
    >
      {children}
    </Box>
  );
}
