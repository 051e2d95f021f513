// A promo code, in a font whose letters cannot be confused.
import Box from '@mui/material/Box';

export function Code({ children }: { children: string }) {
  return (
    <Box
      component="code"
      sx={{
        fontSize: '0.8125rem',
        lineHeight: 1,
        // A code short enough to be read out stays on one line; only a very long one wraps.
        ...(children.length > 20 ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }),
      }}
    >
      {children}
    </Box>
  );
}
