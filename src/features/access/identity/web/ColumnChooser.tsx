// A list's columns: searched, shown and hidden, moved up and down. The naming column and the actions always
// stay.
import KeyboardArrowDownOutlined from '~icons/ic/outline-keyboard-arrow-down';
import KeyboardArrowUpOutlined from '~icons/ic/outline-keyboard-arrow-up';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { inOrder, isShown, withMoved, withShown } from '#platform/web/ui/column-choice.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { ListColumnsProps } from '#platform/web/ui/list-slots.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';

/**
 * `aria-disabled` instead of `disabled`: a disabled button would lose the keyboard focus when a column
 * reaches an end.
 */
const atEnd = { '&[aria-disabled="true"]': { opacity: 0.4, cursor: 'default' } } as const;

export function ColumnChooser({ columns, chosen: { choice, choose }, room }: ListColumnsProps) {
  const { t } = useTranslation('identity');
  const [sought, setSought] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const ordered = inOrder(columns, choice);
  const lead = columns[0]?.key;
  const found = ordered.filter((column) => column.label.toLowerCase().includes(sought.trim().toLowerCase()));
  const move = (column: ListColumnsProps['columns'][number], by: -1 | 1): void => {
    choose(withMoved(columns, choice, column.key, by));
    setAnnouncement(
      t('identity.column_place', {
        name: column.label,
        place: ordered.indexOf(column) + 1 + by,
        count: ordered.length,
      }),
    );
  };
  return (
    <Stack sx={{ gap: 1, padding: '12px 8px 8px 16px' }}>
      <TextField
        label={t('identity.columns_search')}
        value={sought}
        autoFocus
        onChange={(event) => setSought(event.target.value)}
        slotProps={{ htmlInput: { type: 'search' } }}
        sx={{ paddingInlineEnd: '8px' }}
      />
      <VisuallyHidden live>{announcement}</VisuallyHidden>
      <Box
        component="ul"
        sx={{ listStyle: 'none', margin: 0, padding: 0, maxHeight: 'min(50vh, 400px)', overflow: 'auto' }}
      >
        {found.map((column) => {
          const place = ordered.indexOf(column);
          return (
            <Stack component="li" key={column.key} direction="row" sx={{ alignItems: 'center' }}>
              <FormControlLabel
                sx={{ flex: 1, minWidth: 0, margin: '0 0 0 -9px' }}
                control={
                  <Checkbox
                    checked={isShown(column, lead, choice, room)}
                    disabled={column.key === lead}
                    onChange={(_, isOn) => choose(withShown(choice, column.key, isOn))}
                  />
                }
                label={
                  <Typography variant="body2" component="span">
                    {column.label}
                  </Typography>
                }
              />
              <IconAction
                label={t('identity.column_up', { name: column.label })}
                aria-disabled={place === 0}
                sx={atEnd}
                onClick={() => place > 0 && move(column, -1)}
              >
                <KeyboardArrowUpOutlined />
              </IconAction>
              <IconAction
                label={t('identity.column_down', { name: column.label })}
                aria-disabled={place === ordered.length - 1}
                sx={atEnd}
                onClick={() => place < ordered.length - 1 && move(column, 1)}
              >
                <KeyboardArrowDownOutlined />
              </IconAction>
            </Stack>
          );
        })}
      </Box>
      {found.length === 0 && (
        <Typography variant="body2" color="textSecondary" role="status">
          {t('identity.columns_none')}
        </Typography>
      )}
      <Button size="small" onClick={() => choose(undefined)} sx={{ alignSelf: 'flex-start' }}>
        {t('identity.columns_reset')}
      </Button>
    </Stack>
  );
}
