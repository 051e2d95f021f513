// The chosen items, one per row with a button that removes it, and the field that adds another one.
import CloseOutlined from '~icons/ic/outline-close';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { IconAction } from '#platform/web/ui/IconAction.tsx';

export type ChosenRow = {
  readonly id: string;
  readonly name: string;
  /** The label of the button that removes the item. */
  readonly removeLabel: string;
  readonly onRemove: () => void;
  /** Shown below the item's name. */
  readonly more?: ReactNode;
};

export function ChosenRows({ label, rows }: { label: string; rows: readonly ChosenRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Stack
      component="ul"
      aria-label={label}
      sx={{
        listStyle: 'none',
        margin: '0 0 12px',
        padding: 0,
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
      }}
    >
      {rows.map(({ id, name, removeLabel, onRemove, more }) => (
        <Box
          component="li"
          key={id}
          sx={{ padding: '4px 4px 4px 12px', '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
        >
          <Stack direction="row" sx={{ alignItems: 'center', gap: 1, justifyContent: 'space-between' }}>
            <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere', fontSize: '0.875rem' }}>
              {name}
            </Box>
            <IconAction size="small" label={removeLabel} onClick={onRemove}>
              <CloseOutlined fontSize="small" />
            </IconAction>
          </Stack>
          {more}
        </Box>
      ))}
    </Stack>
  );
}
