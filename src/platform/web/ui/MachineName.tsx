// A name that machines use: of a meter, an event type, a job.
import Box from '@mui/material/Box';
import { Fragment, type ReactNode } from 'react';

/** Breaks behind dots and underscores and before the capitals of its parts: `org.finops.focus.usage`, `WriteCapacityUnit-Hours`. */
export function brokenAtParts(name: string): ReactNode {
  return name.split(/(?<=[._])|(?<=[a-z])(?=[A-Z])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

export function MachineName({ children }: { children: ReactNode }) {
  return (
    <Box component="code" sx={{ fontSize: '0.8125rem', lineHeight: 1, overflowWrap: 'anywhere' }}>
      {children}
    </Box>
  );
}
