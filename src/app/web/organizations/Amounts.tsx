// Amounts in several currencies, one per line.
import Box from '@mui/material/Box';
import type { Money } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function Amounts({ amounts }: { amounts: readonly Money[] }) {
  const format = useFormat();
  if (amounts.length === 0) return <>–</>;
  return (
    <>
      {amounts.map((amount) => (
        <Box
          key={amount.currency}
          component="span"
          className="tabular"
          sx={{ display: 'block', whiteSpace: 'nowrap' }}
        >
          {format.money(amount)}
        </Box>
      ))}
    </>
  );
}
