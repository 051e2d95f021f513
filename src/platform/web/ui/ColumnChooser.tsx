// A list's columns: searched, shown and hidden, moved up and down. The one that names the row and the actions always stay.
import KeyboardArrowDownOutlined from '@mui/icons-material/KeyboardArrowDownOutlined';
import KeyboardArrowUpOutlined from '@mui/icons-material/KeyboardArrowUpOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ChosenColumns } from '../column-store.ts';
import { usePlatformTexts } from '../i18n.ts';
import { inOrder, isShown, withMoved, withShown, type Room } from './column-choice.ts';
import type { Column } from './list-parts.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

type Named = Pick<Column<never>, 'key' | 'label' | 'show' | 'card'>;

export function ColumnChooser({ columns, chosen: { choice, choose }, room }: { columns: readonly Named[]; chosen: ChosenColumns; room: Room }) {
  const t = usePlatformTexts();
  const [sought, setSought] = useState('');
  const [told, setTold] = useState('');
  const ordered = inOrder(columns, choice);
  const lead = columns[0]?.key;
  const found = ordered.filter((column) => column.label.toLowerCase().includes(sought.trim().toLowerCase()));
  const move = (column: Named, by: -1 | 1): void => {
    choose(withMoved(columns, choice, column.key, by));
    setTold(t('table.column_place', { name: column.label, place: ordered.indexOf(column) + 1 + by, count: ordered.length }));
  };
  return (
    <Stack sx={{ gap: 1, padding: '12px 8px 8px 16px' }}>
      <TextField label={t('table.columns_search')} value={sought} autoFocus onChange={(event) => setSought(event.target.value)} slotProps={{ htmlInput: { type: 'search' } }} sx={{ paddingInlineEnd: '8px' }} />
      <VisuallyHidden live>{told}</VisuallyHidden>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, maxHeight: 'min(50vh, 400px)', overflow: 'auto' }}>
        {found.map((column) => {
          const place = ordered.indexOf(column);
          return (
            <Stack component="li" key={column.key} direction="row" sx={{ alignItems: 'center' }}>
              <FormControlLabel
                sx={{ flex: 1, minWidth: 0, margin: '0 0 0 -9px' }}
                control={<Checkbox checked={isShown(column, lead, choice, room)} disabled={column.key === lead} onChange={(_, isOn) => choose(withShown(choice, column.key, isOn))} />}
                label={<Typography variant="body2" component="span">{column.label}</Typography>}
              />
              <IconButton aria-label={t('table.column_up', { name: column.label })} disabled={place === 0} onClick={() => move(column, -1)}><KeyboardArrowUpOutlined /></IconButton>
              <IconButton aria-label={t('table.column_down', { name: column.label })} disabled={place === ordered.length - 1} onClick={() => move(column, 1)}><KeyboardArrowDownOutlined /></IconButton>
            </Stack>
          );
        })}
      </Box>
      {found.length === 0 && <Typography variant="body2" color="textSecondary" role="status">{t('table.columns_none')}</Typography>}
      <Button size="small" disabled={choice === undefined} onClick={() => choose(undefined)} sx={{ alignSelf: 'flex-start' }}>{t('table.columns_reset')}</Button>
    </Stack>
  );
}
