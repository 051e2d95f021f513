// A short list of items, each with its actions, such as organizations with a saved card.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export type ActionRow = {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  /** A state or a button. */
  readonly side: ReactNode;
};
type ActionRowsProps = {
  readonly label: string;
  readonly rows: readonly ActionRow[];
  /** Shown when the list is empty. */
  readonly none: string;
  /** Shown when there are more items than listed. */
  readonly more?: string | undefined;
};

export function ActionRows({ label, rows, none, more }: ActionRowsProps) {
  return (
    <>
      {rows.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {none}
        </Typography>
      )}
      <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {rows.map(({ key, title, detail, side }) => (
          <Box
            key={key}
            component="li"
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              gap: '4px 16px',
              alignItems: 'center',
              justifyContent: 'space-between',
              paddingBlock: 1,
              '& + &': { borderTop: '1px solid', borderColor: 'divider' },
            }}
          >
            <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Typography variant="body2">{title}</Typography>
              <Typography variant="caption" component="p" color="textSecondary" className="tabular">
                {detail}
              </Typography>
            </Box>
            <Stack
              direction="row"
              sx={{
                gap: 1.5,
                alignItems: 'center',
                // Aligns the text of a borderless button with the end of other rows.
                '& > .MuiButton-text:last-child': { minWidth: 0, marginInlineEnd: '-10px' },
              }}
            >
              {side}
            </Stack>
          </Box>
        ))}
      </Box>
      {more !== undefined && (
        <Typography variant="caption" component="p" color="textSecondary">
          {more}
        </Typography>
      )}
    </>
  );
}
