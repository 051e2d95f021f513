// A vertical list of amounts, each with a name, the amount, and optional notes below either.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Key, ReactNode } from 'react';

export type AmountEntry = {
  readonly key: Key;
  readonly what: ReactNode;
  readonly amount: ReactNode;
  /** Below the name. */
  readonly note?: ReactNode;
  /** Below the amount. */
  readonly amountNote?: ReactNode;
  /** Whether the amount no longer counts. */
  readonly isOver?: boolean;
};

/**
 * Newest first, in the order given; `reversed` numbers the items from the oldest. Shows `none` when empty.
 */
export function AmountList({
  entries,
  none,
  reversed = false,
}: {
  readonly entries: readonly AmountEntry[];
  readonly none: string;
  readonly reversed?: boolean;
}) {
  if (entries.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {none}
      </Typography>
    );
  return (
    <Box component="ol" reversed={reversed} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {entries.map(({ key, what, amount, note, amountNote, isOver }) => (
        <Box
          component="li"
          key={key}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto',
            gap: '0 16px',
            paddingBlock: 1,
            borderTop: '1px solid',
            borderColor: 'divider',
            fontSize: '0.875rem',
          }}
        >
          <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
            {what}
          </Box>
          <Box
            component="span"
            className="tabular"
            sx={{
              textAlign: 'end',
              fontWeight: 700,
              ...(isOver && { textDecoration: 'line-through', color: 'text.secondary' }),
            }}
          >
            {amount}
          </Box>
          {(note !== undefined || amountNote !== undefined) && (
            <>
              <Typography variant="caption" component="span" color="textSecondary">
                {note}
              </Typography>
              <Typography
                variant="caption"
                component="span"
                color="textSecondary"
                className="tabular"
                sx={{ textAlign: 'end' }}
              >
                {amountNote}
              </Typography>
            </>
          )}
        </Box>
      ))}
    </Box>
  );
}
