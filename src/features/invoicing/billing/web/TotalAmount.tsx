// The total of a bill, as shown in the head of its card.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Money } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function TotalAmount({
  label,
  total,
  detail,
}: {
  readonly label: string;
  readonly total: Money;
  /** The composition of the total. */
  readonly detail: string;
}) {
  const format = useFormat();
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography
        component="p"
        className="tabular"
        sx={{ fontSize: { xs: '2rem', sm: '2.5rem' }, lineHeight: 1.25, fontWeight: 700 }}
      >
        {format.money(total)}
      </Typography>
      <Typography variant="body2" color="textSecondary" className="tabular">
        {detail}
      </Typography>
    </Box>
  );
}
