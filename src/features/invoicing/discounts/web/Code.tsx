// A promo code, in letters that cannot be mistaken for each other.
import Box from '@mui/material/Box';

export function Code({ children }: { children: string }) {
  return (
    <Box
      component="code"
      sx={{
        fontSize: '0.8125rem',
        lineHeight: 1,
        // A code that is read out loud stands on one line, unless it is very long.
        ...(children.length > 20 ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }),
      }}
    >
      {children}
    </Box>
  );
}
