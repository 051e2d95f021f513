// The path or address of a source of usage.
import Box from '@mui/material/Box';

/** Wraps between the parts of a path; a part, such as `event-streams/`, breaks only if it is longer than a line. */
export function PathName({ children }: { children: string }) {
  return children.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (
    <Box
      key={index}
      component="span"
      sx={{ display: 'inline-block', overflowWrap: 'anywhere', maxWidth: '100%' }}
    >
      {part}
    </Box>
  ));
}
