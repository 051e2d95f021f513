// Amounts of several currencies, one below the other.
import Box from '@mui/material/Box';
import type { Money as Amount } from '#kernel/money.ts';
import { Money } from '#platform/web/ui/Money.tsx';

export function Sums({ amounts, none }: { amounts: readonly Amount[]; none: string }) {
  return amounts.length === 0 ? (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {none}
    </Box>
  ) : (
    <Box component="span" sx={{ display: 'inline-grid' }}>
      {amounts.map((amount) => (
        <Money key={amount.currency} amount={amount} />
      ))}
    </Box>
  );
}
